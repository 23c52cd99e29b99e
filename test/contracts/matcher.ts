/** What every matcher promises, whatever it asks: the words on `Matcher` in `src/core/ports/matcher.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formClaims } from '../../src/agreement/claims.ts';
import { allPairs, pairsFor } from '../../src/agreement/linkage.ts';
import type { Finding } from '../../src/core/words/finding.ts';
import type { Matcher } from '../../src/core/ports/matcher.ts';
import { findingOf } from '../agreement/sample.ts';

export interface MatcherSpecimen {
  /** A matcher that nobody prepared yet; what earlier ones remember of the world, it remembers too. */
  open(): Promise<Matcher>;
  close?(): Promise<void>;
}

const alike: readonly Finding[] = [
  findingOf('Alpha', 'SQL injection in the user search endpoint', {
    path: 'src/search.ts',
    line: 10,
  }),
  findingOf('Beta', 'SQL injection in the user search endpoint', {
    path: 'src/search.ts',
    line: 11,
  }),
];
const unlike: readonly Finding[] = [
  findingOf('Gamma', 'The retry loop never waits between two attempts'),
  findingOf('Delta', 'README names a flag that was removed'),
];
const apart: readonly (readonly [Finding, Finding])[] = [
  [
    findingOf('Alpha', 'Missing validation of the page number', { path: 'src/a.ts' }),
    findingOf('Beta', 'Missing validation of the page number', { path: 'src/b.ts' }),
  ],
  [
    findingOf('Alpha', 'Query is slow', { path: 'a.ts', line: 3, category: 'security' }),
    findingOf('Beta', 'Query is slow', { path: 'a.ts', line: 3, category: 'performance' }),
  ],
];
const odd: readonly Finding[] = [
  findingOf('Alpha', ''),
  findingOf('Beta', '   '),
  findingOf('Gamma', '🚀🔥'),
  findingOf('Delta', 'データベースの接続が閉じられていない'),
  findingOf('Alpha', '‮the and or'),
  findingOf('Beta', `lock ${'very '.repeat(20_000)}long`),
  findingOf('Gamma', 'constructor __proto__ toString'),
];
const everything: readonly Finding[] = [...alike, ...unlike, ...apart.flat(), ...odd];

export function describeMatcher(name: string, openSpecimen: () => Promise<MatcherSpecimen>): void {
  describe(`${name} keeps the contract of a matcher`, () => {
    let specimen: MatcherSpecimen;
    beforeAll(async () => {
      specimen = await openSpecimen();
    });
    afterAll(() => specimen.close?.());

    const prepared = async (findings: readonly Finding[]) => {
      const matcher = await specimen.open();
      await matcher.prepare(findings);
      return matcher;
    };
    const judgeAll = async (findings: readonly Finding[]) => {
      const matcher = await prepared(findings);
      return [...allPairs(findings.length)].map(([one, other]) => {
        const [first, second] = [findings[one] as Finding, findings[other] as Finding];
        return {
          key: [first.id, second.id].sort().join(' '),
          there: matcher.compare(first, second),
          back: matcher.compare(second, first),
        };
      });
    };

    it('says the same in both directions, in plain data', async () => {
      const judged = await judgeAll(everything);
      expect(judged.map(({ back }) => back)).toEqual(judged.map(({ there }) => there));
      for (const { there } of judged) {
        expect(JSON.parse(JSON.stringify(there))).toEqual(there);
        expect(there.score >= 0 && there.score <= 100).toBe(true);
        expect(there.reason).toMatch(/^\S.*\.$/su);
        expect(there.same && there.contradicts === true).toBe(false);
      }
    });

    it('says the same again, in another order and by another matcher', async () => {
      const [there, back] = [await judgeAll(everything), await judgeAll(everything.toReversed())];
      const byKey = (judged: typeof there) =>
        Object.fromEntries(judged.map(pair => [pair.key, pair.there.same]));
      expect(byKey(back)).toEqual(byKey(there));
    });

    it('joins what is said in the same words about the same place, and nothing that is about something else', async () => {
      const matcher = await prepared(everything);
      const [one, other] = alike as [Finding, Finding];
      expect(matcher.compare(one, other).same).toBe(true);
      for (const stranger of unlike) expect(matcher.compare(one, stranger).same).toBe(false);
      expect(matcher.compare(unlike[0] as Finding, unlike[1] as Finding).same).toBe(false);
    });

    it('keeps two files, and two categories at one place, in claims of their own', async () => {
      for (const pair of apart)
        expect(
          await formClaims({
            findings: pair,
            matcher: await specimen.open(),
            panel: [],
            reviews: [],
          }),
        ).toHaveLength(2);
    });

    it('never calls a finding without words the same as one with words', async () => {
      const matcher = await prepared(everything);
      for (const blank of odd.slice(0, 2))
        for (const other of [...alike, ...unlike])
          expect(matcher.compare(blank, other).same).toBe(false);
    });

    it('names every pair that is the same among those worth comparing', async () => {
      const matcher = await prepared(everything);
      const named = new Set([...pairsFor(matcher, everything)].map(pair => pair.join()));
      const missed = [...allPairs(everything.length)].filter(
        ([one, other]) =>
          matcher.compare(everything[one] as Finding, everything[other] as Finding).same &&
          !named.has(`${one},${other}`),
      );
      expect(missed).toEqual([]);
    });

    it('loses no finding and no wording', async () => {
      const claims = await formClaims({
        findings: everything,
        matcher: await specimen.open(),
        panel: [],
        reviews: [],
      });
      const kept = claims.flatMap(({ findings }) => findings);
      expect(kept).toHaveLength(everything.length);
      expect(new Set(kept)).toEqual(new Set(everything));
    });

    it('has nothing to say about no findings', () =>
      expect(prepared([])).resolves.toMatchObject({
        name: expect.any(String),
        version: expect.any(String),
      }));
  });
}
