/** Nothing that is said is lost: however a reviewer states a finding, it is one, or the run does not pass. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createChangedRepository, jury, juryJson, writePanel } from '../../cli/jury.ts';

const says = (text: string): string => `process.stdout.write(${JSON.stringify(text)});`;
const mild = 'SUGGESTION|src/sum.js:1|Name it better';

function review(answer: string, again = answer): ReturnType<typeof juryJson> {
  const sample = createChangedRepository();
  const script = `process.stdout.write(prompt.includes('Your previous answer') ? ${JSON.stringify(again)} : ${JSON.stringify(answer)});`;
  return juryJson(sample.root, ['review', '--config', writePanel(sample, [{ id: 'r', script }])]);
}

const stated = (answer: string): string[] =>
  review(answer).record.claims.map(
    ({ severity, findings: [first] }) =>
      `${severity} ${first?.location?.path ?? '-'}:${first?.location?.line ?? '-'}`,
  );

describe('a critical under a suggestion', () => {
  it.each([
    '**CRITICAL**: src/sum.js:2 an empty list throws',
    '- CRITICAL: src/sum.js:2 an empty list throws',
    '  - **Critical** `src/sum.js:2` an empty list throws',
    '| CRITICAL | src/sum.js:2 | an empty list throws |',
    '### Critical issue 1: an empty list throws in src/sum.js:2',
    'Severity: CRITICAL\nFile: src/sum.js:2\nAn empty list throws',
    '{"severity":"critical","file":"src/sum.js","line":2,"message":"an empty list throws"}',
    '🔴 src/sum.js:2: an empty list throws',
    '**严重**: src/sum.js:2 空列表会抛出异常',
    '_⚠️ Potential issue_ | _🔴 Critical_\n\n**An empty list throws** (src/sum.js:2)',
    '![critical](https://example.com/c.svg) src/sum.js:2 an empty list throws',
  ])('is a finding of its own: %s', answer => {
    expect(stated(`${mild}\n${answer}\nVERDICT: risky\nEND OF ANSWER\n`)).toContain(
      'critical src/sum.js:2',
    );
  });

  it.each([
    '> CRITICAL|src/sum.js:2|an empty list throws',
    '```\nCRITICAL|src/sum.js:2|an empty list throws\n```',
    'Worse, and critical: src/sum.js:2 throws on an empty list.',
    'An empty list makes src/sum.js:2 throw.',
  ])('is asked about once, then the review is unaccounted: %s', answer => {
    const { code, record } = review(`${mild}\n\n${answer}\nVERDICT: risky\nEND OF ANSWER\n`);
    expect([code, record.reviewers[0]?.status, record.usage.calls]).toEqual([2, 'partial', 2]);
    expect(record.claims).toHaveLength(1);
  });

  it.each([
    '> CRITICAL|src/sum.js:2|an empty list throws',
    'Worse, and critical: src/sum.js:2 throws on an empty list.',
  ])('is not taken back by "None": %s', said => {
    const { code, record } = review(`${mild}\n\n${said}\nEND OF ANSWER\n`, 'None\nEND OF ANSWER\n');
    expect([code, record.reviewers[0]?.status, record.usage.calls]).toEqual([2, 'partial', 2]);
  });

  it.each([
    '{"findings":[{"severity":"critical","file":"src/sum.js","line":2,"issue":"it throws"},{"sev',
    '> CRITICAL: src/sum.js:2 throws on an empty list\n\nVERDICT: risky\nEND OF ANSWER\n',
  ])('of an answer that could not be read is not taken back by "None" either: %s', answer => {
    const { code, record } = review(answer, 'None\nEND OF ANSWER\n');
    expect([code, record.reviewers[0]?.status, record.usage.calls]).toEqual([2, 'partial', 2]);
  });

  it.each([
    `${mild}\n\nThe critical bug in src/sum.js, line 2, is gone.`,
    `<think>\nCRITICAL: src/sum.js:2 throws? No.\n</think>\n${mild}`,
  ])('is asked about and may be taken back where prose or a thought told it: %s', answer => {
    const { code, record } = review(`${answer}\nEND OF ANSWER\n`, `${mild}\nEND OF ANSWER\n`);
    expect([code, record.reviewers[0]?.status, record.usage.calls]).toEqual([0, 'complete', 2]);
  });

  it('is read where the reviewer states it when it is asked, and what it said before stays', () => {
    const { code, record } = review(
      `${mild}\n> CRITICAL|src/sum.js:2|an empty list throws\nEND OF ANSWER\n`,
      'CRITICAL|src/sum.js:2|an empty list throws\nEND OF ANSWER\n',
    );
    expect([code, record.claims.length, record.reviewers[0]?.status]).toEqual([1, 2, 'complete']);
  });
});

it('words left over are counted once, however often the same command asks again', () => {
  const sample = createChangedRepository();
  const answer = `${mild}\n> CRITICAL|src/sum.js:2|it throws\nEND OF ANSWER\n`;
  const config = writePanel(sample, [{ id: 'r', script: says(answer) }]);
  const ask = () => jury(sample.root, ['review', '--config', config]).stdout;
  expect(ask()).toContain('Reading: 2 lines unread');
  expect(ask()).toContain('Reading: 2 lines unread');
});

describe('a P0 in the prose of a file that agents wrote', () => {
  it('is collected', () => {
    const sample = createChangedRepository();
    mkdirSync(path.join(sample.root, '.jury/inbox'), { recursive: true });
    sample.write(
      '.jury/inbox/a.md',
      '### Findings Index\n- P3 | A-1 | "S" | Name it better\nVerdict: risky\n### Issues Found\n1. A-1: a name.\n2. **P0**: every sum is lost\n',
    );
    expect(jury(sample.root, ['collect', '.jury/inbox']).code).toBe(1);
  });

  it('is a note beside the outcome, on a screen as in the brief, where it stands in a quotation', () => {
    const sample = createChangedRepository();
    sample.write('inbox/a.md', `${mild}\n> CRITICAL|src/sum.js:2|it throws\nVERDICT: risky\n`);
    for (const format of ['terminal', 'brief'])
      expect(jury(sample.root, ['collect', 'inbox', '--format', format]).stdout).toMatch(
        /^Reading: claims more than it found: a \| 2 lines unread: a$/m,
      );
  });
});

describe('an honest nothing', () => {
  it.each([
    'None',
    'NO_FINDINGS',
    'No P0/P1 findings. Ship as-is.',
    'The change replaces the sum; the tests were adapted. No issues found.',
    'I reviewed the change and found no issues.',
    '没有发现问题。',
    'Keine Befunde.',
  ])('is a complete review without a deviation: %s', answer => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [{ id: 'r', script: says(`${answer}\nEND OF ANSWER\n`) }]);
    const { code, stdout } = jury(sample.root, ['review', '--config', config]);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/Reading:/);
  });
});
