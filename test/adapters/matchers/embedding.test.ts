import { groupFindings } from '../../../src/agreement/claims.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddingMatcher } from '../../../src/adapters/matchers/embedding.ts';
import { describeMatcher } from '../../contracts/matcher.ts';
import { findingOf } from '../../agreement/sample.ts';
import { startEmbeddingServer, type EmbeddingServer } from '../../embedding-server.ts';
import { asTheyAre, createTestCache } from './memory-cache.ts';

type EmbeddingSettings = Parameters<typeof createEmbeddingMatcher>[0];

function settingsFor(baseUrl: string, changes: Partial<EmbeddingSettings> = {}) {
  return {
    endpoint: {
      baseUrl,
      model: 'small',
      apiKey: null,
      fetch: globalThis.fetch,
      signal: new AbortController().signal,
    },
    cut: 0.8,
    openCache: createTestCache().open,
    mask: asTheyAre,
    ...changes,
  };
}

describeMatcher('embedding', async () => {
  const server = await startEmbeddingServer();
  return {
    open: async () => createEmbeddingMatcher(settingsFor(`${server.url}/v1`)),
    close: () => server.close(),
  };
});

describe('the embedding strategy', () => {
  let server: EmbeddingServer;
  beforeAll(async () => void (server = await startEmbeddingServer()));
  beforeEach(() => server.set(['ok']));
  afterAll(() => server.close());

  const findings = [
    findingOf('Alpha', 'cache is never cleared'),
    findingOf('Beta', 'cache is never cleared again'),
    findingOf('Gamma', 'wrong title'),
  ] as const;
  const prepare = async (changes: Partial<EmbeddingSettings> = {}, path = '/v1') => {
    const matcher = createEmbeddingMatcher(settingsFor(`${server.url}${path}`, changes));
    await matcher.prepare(findings);
    return matcher;
  };

  it.each([
    ['/v1', '/v1/embeddings'],
    ['/v1/', '/v1/embeddings'],
    ['/api', '/api/embed'],
  ])('asks %s at %s', async (base, path) => {
    const matcher = await prepare({}, base);
    expect(server.requests.map(request => request.path)).toEqual([path]);
    expect(matcher.compare(findings[0], findings[1])).toMatchObject({ same: true });
    expect(matcher.compare(findings[0], findings[2])).toMatchObject({ same: false, score: 0 });
  });

  it('says how alike two texts are and how alike they must be', async () =>
    expect((await prepare({ cut: 0.99 })).compare(findings[0], findings[1])).toEqual({
      same: false,
      score: 87,
      reason: 'Their embeddings are 87 % alike; 99 are needed.',
    }));

  it('does not mind in which order the answers come', async () => {
    server.set(['backwards']);
    expect((await prepare()).compare(findings[0], findings[1]).same).toBe(true);
  });

  it('asks for each text once: twice-said ones, and those that were asked for before, cost nothing', async () => {
    const cache = createTestCache();
    const matcher = createEmbeddingMatcher(
      settingsFor(`${server.url}/v1`, { openCache: cache.open }),
    );
    await matcher.prepare([...findings, findingOf('Delta', 'wrong title')]);
    expect(server.requests.flatMap(({ texts }) => texts)).toHaveLength(3);
    await prepare({ openCache: cache.open });
    expect(server.requests).toHaveLength(1);
    await prepare({
      openCache: cache.open,
      endpoint: { ...settingsFor(`${server.url}/v1`).endpoint, model: 'other' },
    });
    expect(server.requests).toHaveLength(2);
  });

  it('sends 64 texts at a time, cut to 2,000 characters, and none without words', async () => {
    const many = Array.from({ length: 130 }, (_, index) =>
      findingOf('Alpha', `finding ${index} ${'x'.repeat(3_000)}`),
    );
    await createEmbeddingMatcher(settingsFor(`${server.url}/v1`)).prepare([
      ...many,
      findingOf('Alpha', '— …'),
    ]);
    expect(
      server.requests.map(({ texts }) => texts.length).sort((one, other) => one - other),
    ).toEqual([2, 64, 64]);
    expect(
      server.requests.flatMap(({ texts }) => texts).every(({ length }) => length <= 2_000),
    ).toBe(true);
  });

  it('sends what masking leaves, with the key in a header of its own', async () => {
    await prepare({
      mask: async texts => texts.map(() => 'masked'),
      endpoint: { ...settingsFor(`${server.url}/v1`).endpoint, apiKey: 'k-1' },
    });
    expect(server.requests.flatMap(({ texts }) => texts)).toEqual(['masked']);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer k-1');
  });

  it('tries again when the endpoint is overloaded or breaks off', async () => {
    server.set([429, 'drop', 'ok']);
    expect((await prepare()).compare(findings[0], findings[1]).same).toBe(true);
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    [401, /answered 401 .*⟦U\+001B⟧\[2J/],
    ['page', /no JSON/],
    ['short', /2 embeddings came for 3 texts/],
  ] as const)('ends the run when the endpoint meets it with %s', async (behaviour, sentence) => {
    server.set([behaviour]);
    await expect(prepare()).rejects.toMatchObject({
      name: 'UserError',
      kind: 'usage',
      message: expect.stringMatching(sentence),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('ends the run when nobody listens, in one sentence that names the endpoint', async () => {
    const silent = await startEmbeddingServer();
    await silent.close();
    await expect(
      createEmbeddingMatcher(settingsFor(`${silent.url}/v1`)).prepare(findings),
    ).rejects.toMatchObject({
      kind: 'usage',
      message: `Strategy embedding cannot run: ${silent.url}/v1/embeddings: it cannot be reached (ECONNREFUSED).`,
    });
  });

  it('never repeats the key that an endpoint quotes', async () => {
    server.set([401]);
    await expect(
      prepare({ endpoint: { ...settingsFor(`${server.url}/v1`).endpoint, apiKey: 'k-secret' } }),
    ).rejects.toMatchObject({ message: expect.not.stringContaining('k-secret') });
  });

  it('refuses vectors of two dimensions', async () => {
    const cache = createTestCache();
    await prepare({ openCache: cache.open });
    server.set(['dimension']);
    await expect(
      createEmbeddingMatcher(settingsFor(`${server.url}/v1`, { openCache: cache.open })).prepare([
        ...findings,
        findingOf('Delta', 'something new'),
      ]),
    ).rejects.toThrow('512 and 8 dimensions');
  });

  it('gives up quietly when the run is interrupted: it is finished when it is resumed', async () => {
    const matcher = await prepare({
      endpoint: { ...settingsFor(`${server.url}/v1`).endpoint, signal: AbortSignal.abort() },
    });
    expect(matcher.compare(findings[0], findings[1])).toEqual({
      same: false,
      score: 0,
      reason: 'One of them has no embedding.',
    });
  });

  it('opposites stay apart, however alike their vectors are', async () => {
    const [one, other] = [
      findingOf('Alpha', 'The cache is thread safe'),
      findingOf('Beta', 'The cache is not thread safe'),
    ];
    const matcher = createEmbeddingMatcher(settingsFor(`${server.url}/v1`));
    await matcher.prepare([one, other]);
    expect(groupFindings([one, other], matcher).groups).toEqual([[0], [1]]);
  });
});
