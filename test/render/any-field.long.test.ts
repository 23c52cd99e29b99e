/** Whatever stands in any text of a kept run, one after the other: no report breaks, and none steers what shows it. */
import { describe, expect, it } from 'vitest';
import { Run } from '../../src/core/words/run.ts';
import { formats, renderers } from '../../src/render/formats.ts';
import { renderRuns } from '../../src/render/statistics.ts';
import { renderNamed } from '../../src/render/show.ts';
import { decidedRun } from './formats/runs.ts';
import { schemaErrors } from './formats/sarif-readers.ts';
import { poisonedRun } from './poisoned-run.ts';

type Path = readonly (string | number)[];

const hostile =
  'x\u0000\u001B[2J\u009B\rover\u2028\u202E\u200B\uD800 ]]></failure><b>\n::error::y\n| # {0} [a](1) \uFFFE\uFFFF';
const steering =
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E]|\p{Cs}/u;
const options = { color: false, width: 80 };

const printers: Readonly<Record<string, (run: Run) => string>> = {
  ...Object.fromEntries(
    formats.map(format => [format, (run: Run) => renderers[format](run, options)]),
  ),
  runs: ({ record }) => renderRuns([record], options),
  ...Object.fromEntries(
    ['c-aaaaaaaaa1', 'alpha', 'alpha/#1', 'engine/1'].map(id => [
      `show ${id}`,
      (run: Run) =>
        renderNamed(
          { run, id, frame: null, answer: null, before: null },
          { ...options, full: true },
        ),
    ]),
  ),
};

describe('any text of a kept run', () => {
  it.each([
    ['as it was judged', fullRun(decidedRun())],
    ['in which little is known', fullRun(poisonedRun('x'))],
  ])(
    'may be hostile: %s',
    (_, run) => {
      expect(Run.safeParse(run).error).toBeUndefined();
      const wrong: string[] = [];
      let tried = 0;
      for (const path of textsOf(run)) {
        const changed = Run.safeParse(withText(run, path, hostile));
        if (!changed.success) continue;
        tried += 1;
        for (const [name, print] of Object.entries(printers)) {
          const problem = problemOf(name, changed.data, print);
          if (problem !== null) wrong.push(`${path.join('.')}, ${name}: ${problem}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(tried).toBeGreaterThan(100);
    },
    120_000,
  );
});

function problemOf(name: string, run: Run, print: (run: Run) => string): string | null {
  try {
    const text = print(run);
    if (name === 'sarif') return schemaErrors(JSON.parse(text))[0] ?? null;
    if (name === 'json' || name === 'gitlab') return JSON.parse(text) === null ? 'nothing' : null;
    const place = text.search(steering);
    return place === -1 ? null : JSON.stringify(text.slice(Math.max(0, place - 30), place + 10));
  } catch (error) {
    return String(error);
  }
}

/** Of lists the first two. What is read back under another name than its own is no run, and has no such ids. */
function textsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string')
    return /^record\.run$|^reviews\.\d+\.(?:reviewer|findings\.\d+\.id)$/.test(path.join('.'))
      ? []
      : [path];
  if (Array.isArray(value))
    return value.slice(0, 2).flatMap((each: unknown, index) => textsOf(each, [...path, index]));
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => textsOf(each, [...path, key]))
    : [];
}

function withText(value: unknown, [first, ...rest]: Path, text: string): unknown {
  if (first === undefined) return text;
  if (Array.isArray(value))
    return value.map((each: unknown, index) =>
      index === first ? withText(each, rest, text) : each,
    );
  const thing = value as Readonly<Record<string, unknown>>;
  return { ...thing, [first]: withText(thing[first], rest, text) };
}

/** With all that only some runs have. */
function fullRun(run: Run): Run {
  const { record } = run;
  const [claim, ...claims] = record.claims;
  if (claim === undefined) throw new Error('There is no claim.');
  return {
    ...run,
    record: {
      ...record,
      claims: [
        {
          ...claim,
          id: 'c-aaaaaaaaa1',
          findings: claim.findings.map(finding => ({ ...finding, from: 'f' })),
        },
        ...claims,
      ],
      blocking: ['c-aaaaaaaaa1'],
      approvals: [
        { id: 'a', rule: 'unread', subjects: ['s'], by: 'b', at: '2026-11-26', reason: 'r' },
      ],
      adopted: { run: 'r', reviewers: ['alpha'] },
      carried: {
        run: 'r',
        files: 2,
        asked: 1,
        kept: 1,
        reviewers: [{ reviewer: 'alpha', asked: 1, kept: 1 }],
        whole: [{ reviewer: 'beta', why: 'w' }],
      },
      fixed: [
        {
          id: 'c-aaaaaaaaa2',
          severity: 'high',
          text: 't',
          location: { path: 'p', line: 1 },
          reason: 'r',
        },
      ],
      dismissed: [
        ...record.dismissed,
        {
          id: 'c-aaaaaaaaa1',
          by: 'c-aaaaaaaaa1',
          verdict: 'rejected',
          reason: 'r',
          scope: 'claim',
          until: null,
        },
      ],
      engineFindings: [{ rule: 'hidden-text', path: 'p', line: 1, text: 't' }],
      verification: {
        result: 'fail',
        criteria: [{ criterion: 1, pass: ['alpha'], fail: ['beta'], result: 'fail' }],
      },
      research: {
        status: 'PARTIAL',
        why: 'w',
        confidence: 'low',
        sources: [],
        answer: ['c-aaaaaaaaa1'],
        conflicts: [{ claims: ['a', 'b'], preferred: 'a', why: 'w' }],
        gaps: ['g'],
      },
      imported: { from: 'f', at: '2026-11-26T00:00:00.000Z', said: 'PASS' },
      standstill: 's',
      subject: { ...record.subject, usual: { is: 'uncommitted', notes: ['n'] } },
    },
  };
}
