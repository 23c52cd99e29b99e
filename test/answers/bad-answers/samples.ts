/** What the table of bad answers is made of: clean answers in three formats, and what a sample says about its reading. */
import type { ReadingOptions } from '../../../src/answers/reading.ts';
import type { Location } from '../../../src/core/words/finding.ts';
import type { Cause } from '../../../src/core/words/review.ts';

export interface Sample {
  readonly answer: string;
  readonly options?: Partial<ReadingOptions>;
  /** Default: both. A result that depends on evidence differs where nothing needs proof. */
  readonly mode?: 'strict' | 'lenient';
  /** The cause of the rejection, or what is read. */
  readonly expected: Cause | Expected;
}

export interface Expected {
  /** In the short form `severity path:line text`. */
  readonly findings: readonly string[];
  /** Default: complete, and in strict mode partial for the formats written by hand. */
  readonly status?: 'complete' | 'partial';
  readonly repair?: string;
  /** Part of a note of the answer or of one of its findings. */
  readonly note?: string;
  /** Where the host finds the places, in the order of the findings. */
  readonly anchoring?: readonly Location['anchoring'][];
}

export type Kinds = Readonly<Record<string, readonly Sample[]>>;

export interface Stated {
  readonly severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
  readonly file: string;
  readonly line: number;
  readonly issue: string;
}

export const nonce = '5f0c9a';
export const units: readonly string[] = ['src/a.ts', 'src/b.ts', 'docs/guide.md'];

/** Three answers of different sizes; every kind is tried on each of them. */
export const bases: readonly (readonly [Stated, ...Stated[]])[] = [
  [{ severity: 'CRITICAL', file: 'src/a.ts', line: 3, issue: 'The key is written to the log' }],
  [
    { severity: 'HIGH', file: 'src/b.ts', line: 2, issue: 'Retries have no upper bound' },
    { severity: 'LOW', file: 'docs/guide.md', line: 1, issue: 'The guide names the old flag' },
  ],
  [
    { severity: 'MEDIUM', file: 'src/a.ts', line: 1, issue: 'Two callers share one buffer' },
    { severity: 'CRITICAL', file: 'src/b.ts', line: 4, issue: 'Input reaches the shell unquoted' },
    { severity: 'HIGH', file: 'src/a.ts', line: 5, issue: 'An error is swallowed' },
  ],
];

export function briefsOf(stated: readonly Stated[]): string[] {
  return stated.map(
    ({ severity, file, line, issue }) => `${severity.toLowerCase()} ${file}:${line} ${issue}`,
  );
}

/** The JSON answer with all its evidence; `changes` replaces or adds keys. */
export function json(
  stated: readonly unknown[],
  changes: Readonly<Record<string, unknown>> = {},
  indent?: number,
): string {
  return JSON.stringify(
    { nonce, units, findings: stated, verdict: 'VETO', ...changes },
    null,
    indent,
  );
}

/** A JSON answer whose one finding has other members. */
export function jsonWith(changes: Readonly<Record<string, unknown>>): string {
  return json([{ ...bases[0]?.[0], ...changes }]);
}

const levels = { CRITICAL: 'P0', HIGH: 'P1', MEDIUM: 'P2', LOW: 'P3' } as const;

export function indexed(
  stated: readonly Stated[],
  verdict: string | null = 'Verdict: risky',
): string {
  const entries = stated.map(
    ({ severity, file, line, issue }, index) =>
      `- ${levels[severity]} | F-${index + 1} | "Code" | ${issue} | ${file}:${line}`,
  );
  return ['### Findings Index', ...entries, ...(verdict === null ? [] : [verdict])].join('\n');
}

export function lined(stated: readonly Stated[], end: string | null = 'VERDICT: risky'): string {
  return [
    ...stated.map(({ severity, file, line, issue }) => `${severity}|${file}:${line}|${issue}`),
    ...(end === null ? [] : [end]),
  ].join('\n');
}

/** One sample per base and format: `wrap` damages the clean text. */
export function everyFormat(
  wrap: (clean: string, stated: readonly Stated[]) => string,
  expected: Cause | Omit<Expected, 'findings'>,
): Sample[] {
  return bases.flatMap(base =>
    [json(base), indexed(base), lined(base)].map(clean => ({
      answer: wrap(clean, base),
      expected: withFindings(base, expected),
    })),
  );
}

export function everyJson(
  wrap: (clean: string, stated: readonly Stated[]) => string,
  expected: Cause | Omit<Expected, 'findings'>,
): Sample[] {
  return bases.map(base => ({
    answer: wrap(json(base), base),
    expected: withFindings(base, expected),
  }));
}

function withFindings(base: readonly Stated[], expected: Cause | Omit<Expected, 'findings'>) {
  return typeof expected === 'string' ? expected : { ...expected, findings: briefsOf(base) };
}

/** Texts that all end the same way. */
export function all(
  cause: Cause,
  answers: readonly string[],
  rest: Omit<Sample, 'answer' | 'expected'> = {},
): Sample[] {
  return answers.map(answer => ({ ...rest, answer, expected: cause }));
}
