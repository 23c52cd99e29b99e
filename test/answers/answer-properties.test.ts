import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import { readAnswer } from '../../src/answers/answer.ts';
import type { Reading } from '../../src/answers/reading.ts';
import { readFindingsIndex } from '../../src/answers/findings-index.ts';
import {
  briefsOf,
  indexed,
  json,
  lined,
  nonce,
  units,
  type Stated,
} from './bad-answers/samples.ts';
import { briefs, optionsWith } from './reading-options.ts';

const options = optionsWith({ nonce, units });

const word = fc.stringMatching(/^[A-Za-z][a-z]{2,9}$/);
const stated: fc.Arbitrary<Stated> = fc.record({
  severity: fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW'),
  file: fc.constantFrom(...units),
  line: fc.integer({ min: 1, max: 9_999 }),
  issue: fc.array(word, { minLength: 3, maxLength: 8 }).map(words => `The ${words.join(' ')}`),
});
const findings = fc.uniqueArray(stated, {
  minLength: 1,
  maxLength: 12,
  selector: finding => finding.issue,
});

/** Pieces of everything that any format or repair reacts to. */
const piece = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '|',
  '```',
  '```json',
  '~~~',
  '\n',
  '\n\n',
  ' ',
  '> ',
  '- ',
  '* ',
  '1. ',
  '## Critical',
  '### Findings Index',
  '#### High',
  'Verdict: safe',
  'VERDICT: risky',
  'CRITICAL|',
  'SPICY|x',
  'LOW|None',
  'P1 | A | "S" | t',
  '"findings"',
  '"severity"',
  '"issue"',
  'null',
  '1e999',
  '&quot;',
  '<think>',
  '</think>',
  '<result>',
  '</result>',
  '\u001B[31m',
  '\u001B]8;;',
  '\0',
  '\uFEFF',
  '\r',
  '\uD800',
  '\u202E',
  'src/a.ts:3',
  'None',
  'word',
  '\\',
  '{"findings":[{"severity":"LOW","issue":"x"}]}',
  '{"type":"result","result":"',
  '--- VERDICT ---',
  '| severity | title |',
  '|---|',
  '__proto__',
);
const hostile = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map(pieces => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

describe('whatever a reviewer says', () => {
  test('it is read or its fault is named, and the reading is plain data', () => {
    const isTotal = fc.property(
      hostile,
      fc.boolean(),
      fc.constantFrom('end', 'cut', 'unknown'),
      fc.boolean(),
      fc.constantFrom('reject', 'keep'),
      (text, strict, stop, voting, undeclaredLabel) => {
        const reading = readAnswer(text, { ...options, strict, stop, voting, undeclaredLabel });
        const isComplete = reading.ok && reading.status === 'complete' && stop === 'cut';
        return (
          !isComplete &&
          JSON.stringify(JSON.parse(JSON.stringify(reading))) === JSON.stringify(reading)
        );
      },
    );
    fc.assert(isTotal, { numRuns: 1_000 });
  });

  test('ids are unique, texts are one visible line, lines are positive', () =>
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, strict) => {
        const reading = readAnswer(text, { ...options, strict });
        if (!reading.ok) return true;
        const all = reading.findings;
        return (
          new Set(all.map(finding => finding.originalId)).size === all.length &&
          all.every(
            finding =>
              finding.text !== '' &&
              !/[\p{Cc}\u202E\u2028]|\p{Surrogate}/u.test(finding.text) &&
              (finding.line ?? 1) > 0,
          )
        );
      }),
      { numRuns: 1_000 },
    ));

  test('an index file is read in some state', () =>
    fc.assert(
      fc.property(hostile, text =>
        ['valid', 'malformed', 'error'].includes(readFindingsIndex(text).state),
      ),
      { numRuns: 1_000 },
    ));
});

describe('a clean answer', () => {
  test('says the same in every format', () =>
    fc.assert(
      fc.property(findings, list => {
        const expected = JSON.stringify(briefsOf(list));
        return [json(list), json(list, {}, 2), indexed(list), lined(list)].every(
          answer => JSON.stringify(shown(readAnswer(answer, options))) === expected,
        );
      }),
    ));

  test('says the same whatever stands around it', () => {
    const prose = fc
      .array(word, { minLength: 4, maxLength: 9 })
      .map(words => `So ${words.join(' ')}.`);
    fc.assert(
      fc.property(
        findings,
        prose,
        prose,
        fc.constantFrom(json, lined),
        fc.boolean(),
        (list, before, after, render, isFenced) => {
          const answer = isFenced ? `\`\`\`\n${render(list)}\n\`\`\`` : render(list);
          return (
            JSON.stringify(shown(readAnswer(`${before}\n\n${answer}\n\n${after}`, options))) ===
            JSON.stringify(briefsOf(list))
          );
        },
      ),
    );
  });

  test('finds the same whatever the order of its findings', () =>
    fc.assert(
      fc.property(findings, fc.infiniteStream(fc.nat()), (list, keys) => {
        const shuffled = list
          .map(finding => [keys.next().value ?? 0, finding] as const)
          .toSorted(([one], [other]) => one - other)
          .map(([, finding]) => finding);
        return [json, indexed, lined].every(
          render =>
            JSON.stringify(shown(readAnswer(render(shuffled), options)).toSorted()) ===
            JSON.stringify(briefsOf(list).toSorted()),
        );
      }),
    ));

  test('cut short, is never complete', () =>
    fc.assert(
      fc.property(findings, fc.constantFrom(json, indexed, lined), fc.nat(), (list, render, at) => {
        const whole = render(list);
        const reading = readAnswer(whole.slice(0, at % whole.length), {
          ...options,
          stop: 'unknown',
        });
        return !reading.ok || reading.status === 'partial';
      }),
      { numRuns: 500 },
    ));
});

function shown(reading: Reading) {
  return reading.ok ? briefs(reading) : [reading.cause];
}
