/** Panels that say more than a person reads. Within the room for all each is compared with each; beyond it work is linear. */
import { describe, expect, it } from 'vitest';
import { formClaims } from '../../src/agreement/claims.ts';
import { roomForAll } from '../../src/agreement/statements.ts';
import { createMatcher } from '../../src/agreement/calibrated.ts';
import { pureStrategies } from '../../src/core/settings.ts';
import type { Finding } from '../../src/core/words/finding.ts';
import { superlinear } from '../growth.ts';
import { findingOf } from './sample.ts';

const panel = ['Claude', 'Gemini', 'Codex'];

const vocabulary = Array.from(
  { length: 3_000 },
  (_, index) => `word${String.fromCharCode(97 + (index % 26))}${index}`,
);

function sentence(seed: number) {
  return Array.from(
    { length: 12 },
    (_, index) =>
      vocabulary[(seed * 7_919 + index * index * 104_729 + seed * index) % vocabulary.length],
  ).join(' ');
}

describe('more than there is room for', () => {
  it('is told, and every finding is in one claim', async () => {
    const findings = Array.from({ length: 2_100 }, (_, index) =>
      findingOf(`R${index % 3}`, sentence(index)),
    );
    const warned: string[] = [];
    const request = {
      panel,
      reviews: [],
      warn: (said: string) => void warned.push(said),
    };
    const matcher = createMatcher('overlap');
    const claims = await formClaims({ ...request, findings, matcher });
    expect(new Set(claims.flatMap(claim => claim.findings)).size).toBe(2_100);
    expect(warned).toEqual([
      expect.stringMatching(
        /^[1-9]\d* of 2100 findings were compared with no other, because there is room for 2000/,
      ),
    ]);
    await formClaims({ ...request, findings: findings.slice(0, 2_000), matcher });
    expect(warned).toHaveLength(1);
  });
});

/** Eight reviewers who say the same, each in so many findings. */
function panelOf(each: number) {
  return Array.from({ length: 8 }, (_, reviewer) =>
    Array.from({ length: each }, (__, index) => findingOf(`R${reviewer}`, sentence(index))),
  ).flat();
}

describe.each(pureStrategies)('large panels with %s', strategy => {
  const form = async (findings: readonly Finding[]) =>
    formClaims({
      findings,
      matcher: createMatcher(strategy),
      panel,
      reviews: [],
    });

  it('eight reviewers with 200 findings each agree on 200', async () =>
    expect(await form(panelOf(200))).toHaveLength(200));

  it('what there is no room for takes steps in proportion', async () =>
    expect(await superlinear(roomForAll / 4, each => form(panelOf(each)))).toEqual([]));

  it.each([
    ['alike', (index: number) => `typo ${index} in the label of the index`],
    ['the same', () => 'typo in the label of the index'],
    [
      'near to each other',
      (index: number) => `${sentence(index % 3)} ${sentence(index % 5)} ${sentence(index)}`,
    ],
  ])(
    '10,000 findings of one reviewer that are %s hide nothing that the others agree on',
    async (_, text) => {
      const floodOf = (length: number) =>
        Array.from({ length }, (__, index) => findingOf('Codex', text(index)));
      const honest = [
        findingOf('Claude', 'missing lock around writer'),
        findingOf('Gemini', 'missing lock around the writer'),
      ];
      const result = await form([...floodOf(10_000), ...honest]);
      expect(
        result.find(claim => claim.findings.includes(honest[0] as Finding))?.supporters,
      ).toEqual(['Claude', 'Gemini']);
      expect(new Set(result.flatMap(claim => claim.findings)).size).toBe(10_002);
      const formAll = (size: number) => form([...floodOf(size), ...honest]);
      expect(await superlinear(1.25 * roomForAll, formAll)).toEqual([]);
    },
  );
});
