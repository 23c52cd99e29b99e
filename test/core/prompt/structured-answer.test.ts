/** An answer by a schema never says less than its prose would as text, and passes for no review where that would pass for none. */
import { expect, test } from 'vitest';
import { readAnswer } from '../../../src/answers/answer.ts';
import type { Reading } from '../../../src/answers/reading.ts';
import { withProse } from '../../../src/core/prompt/answer-form.ts';
import { answered } from '../../../src/core/ports/runner.ts';
import { noReview } from '../../answers/bad-answers/no-review.ts';
import { bases, indexed, lined } from '../../answers/bad-answers/samples.ts';
import { briefs, optionsWith, read } from '../../answers/reading-options.ts';

const finding = { severity: 'IMPORTANT', location: 'src/b.ts:7', issue: 'Nobody closes the file' };
const answers = bases.flatMap(base => [
  lined(base, 'VERDICT: risky'),
  indexed(base, 'Verdict: safe'),
  base.map(({ severity, issue }, at) => `${at + 1}. **[${severity}]** ${issue}`).join('\n'),
]);

function readFilled(prose: string, findings: readonly object[], cutAt?: number) {
  const { text, stop } = withProse(
    answered(JSON.stringify({ prose, findings }).slice(0, cutAt), { stop: 'end' }),
  );
  return readAnswer(text, optionsWith({ stop }));
}

const said = (reading: Reading) => (reading.ok ? briefs(reading) : []);

test('what the prose states is read as it is in text, and what was filled in besides', () => {
  expect(answers.length).toBeGreaterThan(3);
  for (const prose of answers) {
    const alone = said(readAnswer(prose, optionsWith()));
    expect(said(readFilled(prose, []))).toEqual(alone);
    const both = readFilled(prose, [finding]);
    expect(said(both)).toEqual(
      expect.arrayContaining([...alone, `high src/b.ts:7 ${finding.issue}`]),
    );
    expect(both.ok && both.repairs).not.toContain('A11');
  }
});

test('what is stated twice in the same words is one finding', () => {
  const twice = readFilled('IMPORTANT|src/b.ts:7|Nobody closes the file\nVERDICT: risky', [
    finding,
  ]);
  expect([said(twice), twice.ok && twice.notes]).toEqual([
    [`high src/b.ts:7 ${finding.issue}`],
    [],
  ]);
});

test('an answer that breaks off is read as far as its prose goes, and is not whole', () => {
  const prose = answers[0] ?? '';
  const whole = JSON.stringify({ prose, findings: [finding] }).length;
  for (let at = 12; at < whole; at += 7) {
    const begun = readFilled(prose, [finding], at);
    expect(begun.ok && begun.status === 'complete').toBe(false);
    const length = JSON.stringify(prose.slice(0, at)).length;
    if (length < at - 12) continue;
    const inText = readAnswer(JSON.parse(cutString(prose, at)), optionsWith({ stop: 'cut' }));
    expect(said(begun)).toEqual(said(inText));
  }
});

/** The JSON text of so much of the prose as stands in front of the cut. */
function cutString(prose: string, at: number) {
  const start = '{"prose":'.length;
  let length = 0;
  while (
    JSON.stringify(prose.slice(0, length + 1)).length <= at - start + 1 &&
    length < prose.length
  )
    length++;
  return JSON.stringify(prose.slice(0, length));
}

test('a refusal, an excuse or a verdict that finds fault is no review beside an empty list', () => {
  for (const kind of ['E1', 'E2'])
    for (const { answer } of noReview[kind] ?? [])
      if (!answer.startsWith('{'))
        expect([answer, readFilled(answer, []).ok]).toEqual([answer, false]);
  for (const verdict of ['VERDICT: risky', 'VERDICT: needs-changes'])
    expect(readFilled(verdict, [])).toMatchObject({ ok: false, cause: 'contradict' });
  expect(readAnswer('I could not open the diff.\n\n{"findings":[]}', optionsWith()).ok).toBe(false);
});

test('with nothing to report it is complete, with nothing at all it is not', () => {
  expect(read(`{"prose":"None","findings":[]}\n\nNone`).status).toBe('complete');
  expect(readFilled('', []).ok).toBe(false);
});
