import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderReturned } from '../../../src/core/run-files/brief.ts';
import {
  engineIdOf,
  type Meant,
  meantBy,
  printedIdsOf,
  printedNames,
  shortIdsOf,
} from '../../../src/core/run-files/finding-names.ts';
import { renderSynthesis } from '../../../src/core/run-files/synthesis-report.ts';
import { type Finding, nameFindings } from '../../../src/core/words/finding.ts';
import type { Run } from '../../../src/core/words/run.ts';
import { renderNamed } from '../../../src/render/show.ts';
import { claim, finding, review, runOf } from '../../render/sample-run.ts';

/** What no shell takes for anything but a word. */
const typable = /^[a-z0-9-]+(?:\/[A-Za-z0-9-]+)?$/;

const reviewer = fc.oneof(
  fc.constantFrom('alpha', 'Alpha', 'a.b', 'a-b', 'A_B', 'engine', 'engine-2', '1', 'gpt-5.2'),
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,5}$/),
);

/** As reviewers number, and as they should not. */
const ownId = fc.oneof(
  fc.constantFrom('#1', '#2', '1', '2', 'A-1', '*A-1*', 'A 1', 'A_1', 'A-1-2', 'a/1', '', '一'),
  fc.constantFrom('engine/1', 'alpha', '$(id)', '-', '#1#2', 'c-0123456789', 'A-1 # rest'),
  fc.string({ maxLength: 6 }),
);

const said = fc.record({ id: ownId, isImprovement: fc.boolean(), claim: fc.nat(6) });
const panels = fc.uniqueArray(fc.tuple(reviewer, fc.array(said, { maxLength: 6 })), {
  selector: ([name]) => name,
  minLength: 1,
  maxLength: 5,
});

/** Each finding with words, evidence and advice that no other one has. */
function runWith(panel: readonly (readonly [string, readonly Said[]])[], command: string) {
  const claims = new Map<number, Finding[]>();
  const reviews = panel.map(([name, all]) => {
    const named = nameFindings(
      all.map(({ id, isImprovement }, index) => ({
        ...finding({ reviewer: name, text: `words-${name}-${index}-end`, isImprovement }, index),
        originalId: id,
        evidence: `evidence-${name}-${index}-end`,
        recommendation: `advice-${name}-${index}-end`,
      })),
    );
    for (const [index, each] of named.entries())
      if (!each.isImprovement) {
        const number = all[index]?.claim ?? 0;
        claims.set(number, [...(claims.get(number) ?? []), each]);
      }
    return review(name, named);
  });
  const formed = [...claims].map(([number, [first, ...others]]) => {
    if (first === undefined) throw new Error('A claim has a finding.');
    return claim(number + 1, [first, ...others], {
      state: number === 6 ? 'dismissed' : 'persisting',
      supporters: [...new Set([first, ...others].map(each => each.reviewer))],
    });
  });
  return runOf(reviews, formed, {
    command,
    fixed: [
      {
        id: 'c-00000000ff',
        severity: 'high',
        text: 'words-of-old',
        location: null,
        reason: 'evidence-of-old',
      },
    ],
    engineFindings: [
      { rule: 'secret', path: 'src/a.js', line: 3, text: 'src/a.js:3 words-of-engine' },
    ],
  });
}

interface Said {
  readonly id: string;
  readonly isImprovement: boolean;
  readonly claim: number;
}

function show(run: Run, id: string) {
  const named = { run, id, frame: null, answer: null, before: null };
  return renderNamed(named, { color: false, width: 200, full: false });
}

/** The thing itself, whatever it is. */
function thingOf(meant: Meant) {
  return { ...meant, kind: undefined, id: undefined };
}

describe('an id that a run prints', () => {
  it('is a plain word that means one thing, for whatever reviewers call theirs', () =>
    fc.assert(
      fc.property(panels, panel => {
        const run = runWith(panel, 'review');
        const { record, reviews } = run;
        const printed = printedIdsOf(reviews);
        for (const each of reviews.flatMap(({ findings }) => findings)) {
          const id = printed.get(each.id) ?? '';
          expect(id).toMatch(typable);
          expect(meantBy(id, run)).toEqual({ kind: 'finding', finding: each });
        }
        expect(new Set(printed.values()).size).toBe(printed.size);
        for (const each of record.claims) {
          for (const id of [each.id, shortIdsOf(record.claims).get(each.id) ?? ''])
            expect(meantBy(id, run)).toEqual({ kind: 'claim', claim: each });
          const meant = meantBy(printedNames(record.claims, reviews).get(each.id) ?? '', run);
          expect([each, each.findings[0]]).toContainEqual(
            Object.values(thingOf(meant) as object).find(value => value !== undefined),
          );
        }
        expect(meantBy('c-00000000ff', run)).toMatchObject({ kind: 'fixed' });
        expect(meantBy(engineIdOf(0), run)).toMatchObject({ kind: 'engine' });
      }),
      { numRuns: 300 },
    ));

  it('opens what the line says that it stands in, with the words, evidence and advice of each who said it', () =>
    fc.assert(
      fc.property(panels, fc.constantFrom('review', 'document'), (panel, command) => {
        const run = runWith(panel, command);
        const lines = [
          ...renderReturned({ ...run, folder: '/f', copies: null })
            .split('\n')
            .filter(line => line.startsWith('- ['))
            .map(line => [line.slice(line.lastIndexOf(' ') + 1), line] as const),
          ...[...renderSynthesis(run).matchAll(/^- (?:\*\*P\d\*\* )?(\S+): (.*)$/gm)]
            .filter(([line]) => line.includes('words-'))
            .map(([line, id = '']) => [id.replaceAll('`', ''), line] as const),
        ];
        for (const [id, line] of lines) {
          expect(id).toMatch(typable);
          const words = /words-[\w.-]+?-end|words-of-engine/.exec(line)?.[0] ?? 'no words';
          const text = show(run, id);
          expect(text).toContain(words);
          expect(text).toContain(run.record.run);
          if (words !== 'words-of-engine')
            for (const part of ['evidence', 'advice'])
              expect(text).toContain(words.replace('words', part));
        }
        for (const { id, findings } of run.record.claims)
          for (const each of findings) {
            expect(show(run, id)).toContain(each.evidence);
            expect(show(run, printedIdsOf(run.reviews).get(each.id) ?? '')).toContain(id);
          }
        expect(show(run, 'c-00000000ff')).toMatch(/words-of-old[^]*evidence-of-old/);
        expect(show(run, engineIdOf(0))).toMatch(/src\/a\.js:3[^]*words-of-engine/);
      }),
      { numRuns: 60 },
    ));
});
