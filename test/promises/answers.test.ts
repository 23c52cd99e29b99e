/**
 * Whatever an agent writes and however it ends, nothing of it is lost, and nothing is taken for a review that is none: an
 * answer that was begun, one in another script or encoding, one that says its question back, one that claims less than it found.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  jury,
  juryJson,
  writePanel,
  type ScriptedReviewer,
} from '../cli/jury.ts';
import { runsOf } from '../state-of.ts';

const says = (id: string, text: string): ScriptedReviewer => ({
  id,
  script: `process.stdout.write(${JSON.stringify(text)});`,
});

const bytes = (id: string, content: Uint8Array): ScriptedReviewer => ({
  id,
  script: `process.stdout.write(Buffer.from(${JSON.stringify(Buffer.from(content).toString('base64'))}, 'base64'));`,
});

const good = 'CRITICAL|src/sum.js:2|The sum of an empty list throws\nVERDICT: risky\n';

function review(...reviewers: readonly ScriptedReviewer[]): ReturnType<typeof juryJson> & {
  readonly root: string;
} {
  const sample = createChangedRepository();
  return {
    root: sample.root,
    ...juryJson(sample.root, ['review', '--config', writePanel(sample, reviewers)]),
  };
}

const textsOf = ({ record }: ReturnType<typeof review>, id: string): string[] =>
  record.claims
    .flatMap(({ findings }) => findings)
    .filter(({ reviewer }) => reviewer === id)
    .map(
      ({ severity, text, location }) => `${severity} ${location?.path}:${location?.line} ${text}`,
    );

describe('an answer that is bent', () => {
  it.each([
    ['with line ends of Windows', Buffer.from(good.replaceAll('\n', '\r\n'))],
    ['with a byte-order mark', Buffer.from(`\uFEFF${good}`)],
    ['in a fence', Buffer.from(`Here it is:\n\n\`\`\`text\n${good}\`\`\`\n`)],
    [
      'as a numbered report',
      Buffer.from('1. **CRITICAL** `src/sum.js:2` — The sum of an empty list throws\n'),
    ],
    [
      'as a headed report',
      Buffer.from(
        '## Review\n\n### 1. [CRITICAL] The sum of an empty list throws\n\n**File:** `src/sum.js`, line 2\n',
      ),
    ],
    [
      'as a table',
      Buffer.from(
        '| Severity | File | Line | Issue |\n| --- | --- | --- | --- |\n| Critical | src/sum.js | 2 | The sum of an empty list throws |\n',
      ),
    ],
    ['in German', Buffer.from('KRITISCH|src/sum.js:2|The sum of an empty list throws\n')],
  ])('is read whole %s', (_, content) => {
    const run = review(bytes('a', content));
    expect(run.record.reviewers[0]?.status).toBe('complete');
    expect(textsOf(run, 'a')).toEqual(['critical src/sum.js:2 The sum of an empty list throws']);
    expect(run.code).toBe(1);
  });

  it('is read in Chinese, with its bars and its brackets', () => {
    const run = review(
      says('lines', '严重｜src/sum.js:2｜空列表求和会抛出异常\n'),
      says('report', '### 严重问题\n\n1. 空列表求和会抛出异常（src/sum.js 第 2 行）\n'),
    );
    for (const id of ['lines', 'report'])
      expect(textsOf(run, id)).toEqual(['critical src/sum.js:2 空列表求和会抛出异常']);
  });

  it.each([
    ['UTF-16, little end first', Buffer.from(`\uFEFF${good}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\uFEFF${good}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(good, 'utf16le')],
    ['five megabytes', Buffer.from(`${good}${'x'.repeat(5 << 20)}`)],
    ['half of a JSON object', Buffer.from('{"findings":[{"severity":"HIGH","issue":"The su')],
    ['nothing', Buffer.from('')],
  ])('is no review and no pass in %s, and its cause is named everywhere', (_, content) => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [bytes('bad', content)]);
    const { code, record } = juryJson(sample.root, ['review', '--config', config]);
    expect(record.reviewers[0]).toMatchObject({ status: 'failed', verdict: 'error' });
    expect(record.reviewers[0]?.message).toMatch(/\S/);
    expect([record.outcome, code]).toEqual(['INCOMPLETE', 2]);
    for (const format of ['brief', 'terminal', 'markdown', 'html', 'junit', 'github'])
      expect(
        // The page of HTML brings a program, whose words are no report.
        jury(sample.root, ['report', record.run, '--format', format]).stdout.replaceAll(
          /<(script|style)\b[\s\S]*?<\/\1>/g,
          '',
        ),
        format,
      ).not.toMatch(/\bOK\b|no issues found|\bPASS\b|verdict: safe/i);
  });

  it('makes no finding of what was sent and came back', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'whole', script: 'process.stdout.write(prompt);' },
      {
        id: 'lines',
        script: `process.stdout.write(prompt.split('\\n').filter(line => line.includes('|')).join('\\n'));`,
      },
      {
        id: 'both',
        script: `process.stdout.write(prompt + '\\n' + ${JSON.stringify(good)});`,
      },
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    const stateOf = (id: string): string | undefined =>
      record.reviewers.find(reviewer => reviewer.id === id)?.status;
    expect([stateOf('whole'), stateOf('lines'), stateOf('both')]).toEqual([
      'failed',
      'failed',
      'complete',
    ]);
    expect(record.claims.map(({ supporters, text }) => [supporters, text])).toEqual([
      [['both'], 'The sum of an empty list throws'],
    ]);
    expect(record.reviewers.find(({ id }) => id === 'both')?.reading?.discarded).toBeGreaterThan(0);
  });
});

describe('an agent that was stopped while it wrote', () => {
  it('is partial with what it had written', () => {
    const sample = createChangedRepository();
    sample.write('plan.md', '# Plan\n\nCodes are stored.\n');
    const config = writePanel(sample, [
      {
        id: 'slow',
        settings: 'timeout: 3',
        script: `const file = /\`([^\`]+\\/slow\\.md)\`/.exec(prompt)[1];
fs.writeFileSync(file + '.partial', '### Findings Index\\n- P1 | S-1 | "Plan" | The codes never expire\\n');
setInterval(() => {}, 1000);`,
      },
    ]);
    const { record, code } = juryJson(sample.root, ['document', 'plan.md', '--config', config]);
    expect(record.reviewers[0]).toMatchObject({ status: 'partial', findings: 1 });
    expect(record.claims.map(({ text }) => text)).toEqual(['The codes never expire']);
    expect(code).toBe(1);
    const verdict = path.join(runsOf(sample.root), record.run, 'verdicts/slow.json');
    expect(JSON.parse(readFileSync(verdict, 'utf8'))).toMatchObject({ status: 'PARTIAL' });
  }, 60_000);
});

describe('what is odd about an answer', () => {
  const mild =
    'CRITICAL|src/sum.js:2|The sum of an empty list throws\nSUGGESTION|None\n- also this\nVERDICT: safe\n';

  it('is counted in the record, written to the verdict file and named in the brief', () => {
    const { root, record } = review(says('mild', mild));
    expect(record.reviewers[0]).toMatchObject({
      verdict: 'risky',
      reading: { claim: 'lower', discarded: 1 },
    });
    const folder = path.join(runsOf(root), record.run);
    expect(JSON.parse(readFileSync(path.join(folder, 'verdicts/mild.json'), 'utf8'))).toMatchObject(
      {
        claimed_verdict: 'safe',
        computed_verdict: 'risky',
        claim: 'lower',
      },
    );
    const brief = jury(root, ['report', record.run, '--format', 'brief']).stdout;
    expect(brief).toMatch(/^Reading: .*claims less than it found: mild/m);
    expect(brief).toMatch(/^Reading: .*1 discarded: mild/m);
    const [run = ''] = readdirSync(runsOf(root));
    expect(run).toBe(record.run);
  });

  it('is not mentioned where there is nothing odd', () => {
    const { root, record } = review(says('plain', good));
    expect(record.reviewers[0]).not.toHaveProperty('reading');
    expect(jury(root, ['report', record.run, '--format', 'brief']).stdout).not.toContain(
      'Reading:',
    );
  });

  it('is counted for a file that somebody collected, deviation by deviation', () => {
    const root = createFolder();
    mkdirSync(path.join(root, 'inbox'));
    writeFileSync(
      path.join(root, 'inbox/bent.md'),
      '# Report\n\n## Findings Index\n* HIGH | A-1 | Storage | The lock is never given back\n\n**Verdict: safe**\n',
    );
    const { record } = juryJson(root, ['collect', 'inbox']);
    expect(record.reviewers[0]?.reading).toMatchObject({ claim: 'lower' });
    expect(record.reviewers[0]?.reading?.deviations).toEqual(
      expect.arrayContaining([
        'heading-level',
        'not-first-block',
        'severity-alias',
        'bullet-style',
      ]),
    );
  });
});
