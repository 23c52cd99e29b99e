import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJury, type Call, type Consensus } from '../../src/index.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { startEmbeddingServer, type EmbeddingServer } from '../embedding-server.ts';
import { startModelServer, type ModelServer } from '../model-server.ts';
import { createChangedRepository, writePanel } from './jury.ts';
import { runsOf, stateOf } from '../state-of.ts';

const wordings = [
  'Jobs of the scheduler run in random order each night',
  'At random the scheduler picks the order of its work',
] as const;
describe('strategies that ask an endpoint', () => {
  let sample: SampleRepository;
  let embeddings: EmbeddingServer;
  let model: ModelServer;
  beforeEach(async () => {
    sample = createChangedRepository();
    [embeddings, model] = await Promise.all([
      startEmbeddingServer(),
      startModelServer({
        text: '1|a full queue|a full queue|SAME',
        usage: { input: 20_000, output: 9, cached: 0 },
      }),
    ]);
  });
  afterEach(async () => {
    await Promise.all([embeddings.close(), model.close()]);
  });

  const settings = () =>
    `embedding: { baseUrl: '${embeddings.url}/v1', model: small, cut: 0.4, apiKeyEnv: EMBEDDING_KEY }\njudge: { model: openai-compatible/scripted, baseUrl: '${model.url}/v1' }\n`;
  const call = (notes: string[] = []): Call => ({
    cwd: sample.root,
    environment: { ...process.env, EMBEDDING_KEY: 'k-1' },
    onEvent: event => void (event.type === 'note' && notes.push(event.message)),
  });
  const form = async (
    strategy: 'embedding' | 'llm' | 'overlap',
    rest: { readonly threshold?: number } = {},
    notes: string[] = [],
  ): Promise<Consensus> => {
    writeFileSync(path.join(sample.root, 'jury.config.yaml'), settings());
    writeFileSync(
      path.join(sample.root, 'found.json'),
      JSON.stringify({
        findings: wordings.map((text, index) => ({
          reviewer: `R${index}`,
          text,
          severity: 'high',
        })),
      }),
    );
    return createJury(call(notes)).consensus({ files: ['found.json'], strategy, ...rest });
  };

  it('join in jury consensus what shared words leave apart, and remember what they were told', async () => {
    expect((await form('overlap')).claims).toHaveLength(2);
    for (const strategy of ['embedding', 'llm'] as const)
      expect((await form(strategy)).claims.map(({ supporters }) => supporters)).toEqual([
        ['R0', 'R1'],
      ]);
    expect([embeddings.requests.length, model.modelCalls().length]).toEqual([1, 1]);
    expect(embeddings.requests[0]?.headers.authorization).toBe('Bearer k-1');
    for (const strategy of ['embedding', 'llm'] as const)
      expect((await form(strategy)).claims).toHaveLength(1);
    expect([embeddings.requests.length, model.modelCalls().length]).toEqual([1, 1]);
    expect(existsSync(path.join(stateOf(sample.root), 'embeddings.sqlite'))).toBe(true);
    expect(existsSync(path.join(sample.root, '.gitignore'))).toBe(false);
  });

  it('the cut is that of the configuration, unless a threshold is given', async () => {
    expect(await form('embedding')).toMatchObject({
      strategy: { name: 'embedding', threshold: 40 },
    });
    expect(await form('embedding', { threshold: 95 })).toMatchObject({
      strategy: { threshold: 95 },
      claims: [{}, {}],
    });
  });

  it('the judge says what it was asked and what that took', async () => {
    const notes: string[] = [];
    await form('llm', {}, notes);
    expect(notes).toEqual([
      'Strategy llm is strategy calibrated with the judge of the configuration.',
      'The judge was asked about 1 pair of findings in 1 call (20009 tokens).',
    ]);
  });

  it('a damaged memory is begun anew', async () => {
    await form('embedding');
    writeFileSync(
      path.join(stateOf(sample.root), 'embeddings.sqlite'),
      'no database, '.repeat(100),
    );
    expect((await form('embedding')).claims).toHaveLength(1);
    expect(embeddings.requests).toHaveLength(2);
  });

  const review = (strategy: 'calibrated' | 'embedding' | 'llm' | 'overlap', own = settings()) => {
    const config = writePanel(
      sample,
      wordings.map((text, index) => ({
        id: `R${index}`,
        script: `console.log('IMPORTANT|src/sum.js:2|${text}\\nVERDICT: needs-changes');`,
      })),
      `quorum: 2\n${own}`,
    );
    return createJury(call()).run({ process: 'review', strategy, config });
  };

  it.each(['embedding', 'llm'] as const)(
    'jury review --strategy %s works the same way',
    async strategy => {
      const { record } = await review(strategy);
      expect(record).toMatchObject({
        strategy: { name: strategy === 'llm' ? 'calibrated' : strategy },
        claims: [{ supporters: ['R0', 'R1'], agreement: 'all' }],
      });
    },
  );

  it('the judge of the configuration is asked by strategy calibrated, and by no other', async () => {
    const asked = async (strategy: 'calibrated' | 'overlap', own = settings()) => {
      await review(strategy, own);
      return model.modelCalls().length;
    };
    expect(await asked('overlap')).toBe(0);
    expect(await asked('calibrated', settings().replace(/judge: .*/, 'judge: off'))).toBe(0);
    expect(await asked('calibrated')).toBe(1);
  });

  it('a judge that is down leaves the claims as they are without', async () => {
    const off = await review('calibrated', settings().replace(/judge: .*/, 'judge: off'));
    model.set({ plan: ['401'] });
    const down = await review('calibrated');
    expect(model.modelCalls()).toHaveLength(1);
    expect(down.record.claims).toMatchObject(
      off.record.claims.map(({ id, supporters }) => ({ id, supporters })),
    );
    expect([down.record.outcome, down.record.readings]).toEqual([off.record.outcome, undefined]);
  });

  it('asks no reviewer when the strategy is not configured', async () => {
    for (const [strategy, key] of [
      ['embedding', 'embedding'],
      ['llm', 'judge'],
    ] as const)
      await expect(review(strategy, '')).rejects.toMatchObject({
        kind: 'usage',
        message: `Strategy ${strategy} cannot run: the configuration has no key "${key}".`,
      });
    expect(existsSync(runsOf(sample.root))).toBe(false);
  });

  it('an endpoint that is down ends the review, and no reviewer is asked again when it is back', async () => {
    embeddings.set([401]);
    await expect(review('embedding')).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/^Strategy embedding cannot run: .*answered 401/),
    });
    embeddings.set(['ok']);
    const { record, reviews } = await createJury(call()).resume('latest');
    expect(record.claims).toMatchObject([{ supporters: ['R0', 'R1'] }]);
    expect(reviews.map(({ attempts }) => attempts)).toEqual([1, 1]);
  });
});
