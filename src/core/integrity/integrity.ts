/**
 * Does a change keep its word? Coverage of its lines, tests switched off, work left undone, work that is none, and the gates of
 * the project.
 */
import { z } from 'zod';
import type { Change, ChangedFile } from '../words/change.ts';
import { addedLinesOf, isCodeLine, textsOf } from '../change/patch.ts';
import { kindsOf } from '../languages/languages.ts';
import { present, sumOf } from '../groups.ts';
import { Amount, Flag, Rows, Text, Texts, Whole } from '../words/fields.ts';

export const gateNames = ['tests', 'lint', 'typecheck', 'security', 'licence'] as const;
export const GateResult = z.enum(['pass', 'fail', 'not_run']);
type GateResult = z.infer<typeof GateResult>;
type Gates = Readonly<Record<(typeof gateNames)[number], GateResult>>;

/** How much of what a change adds was run by tests, by an lcov report: covered ÷ executable among the added lines. */
const ChangedLineCoverage = z.object({
  /** Added lines of code files, tests left out. */
  total: Whole,
  executable: Whole,
  covered: Whole,
  /** Null when nothing is executable. */
  ratio: Amount.nullable(),
  min: Amount,
  ok: z.union([Flag, z.literal('not_applicable')]),
  /** Files without any record: all their added code lines count as uncovered. */
  without_records: Texts,
});
const Integrity = z.object({
  changed_lines: ChangedLineCoverage,
  skipped_tests: Texts,
  placeholders: Texts,
  no_ops: Texts,
  /** Null: no mutants were made. */
  mutation: z
    .object({
      ran: Flag,
      mutants: Whole,
      killed: Whole,
      ok: z.union([Flag, z.literal('not_applicable')]),
    })
    .nullable(),
  gates: z.record(z.enum(gateNames), GateResult),
  exemptions: Rows({ finding: Text, reason: Text }),
  ok: Flag,
});
export type Integrity = z.infer<typeof Integrity>;

interface IntegrityRequest {
  readonly change: Change;
  readonly report: CoverageReport | null;
  readonly gates: Partial<Gates>;
  readonly exemptions: Integrity['exemptions'];
  readonly changedLinesMin: number;
}

/**
 * `ok`: coverage is enough or does not apply, every finding is exempted, and no gate failed. A gate that was not run is no pass,
 * and no failure either.
 */
export function judgeIntegrity({
  change,
  report,
  gates,
  exemptions,
  changedLinesMin,
}: IntegrityRequest): Integrity {
  const coverage = coverChangedLines(change, report, changedLinesMin);
  const found = {
    skipped_tests: findSkippedTests(change),
    placeholders: findPlaceholders(change),
    no_ops: findNoOps(change),
  };
  const exempted = new Set(exemptions.map(({ finding }) => finding));
  const open = [...found.skipped_tests, ...found.placeholders, ...found.no_ops].filter(
    finding => !exempted.has(finding),
  );
  const settled = Object.fromEntries(
    gateNames.map(name => [name, gates[name] ?? 'not_run']),
  ) as Gates;
  return {
    changed_lines: coverage,
    ...found,
    mutation: null,
    gates: settled,
    exemptions: [...exemptions],
    ok:
      coverage.ok !== false &&
      open.length === 0 &&
      Object.values(settled).every(result => result !== 'fail'),
  };
}

/** What a recommendation rests on: proven only by a run that failed, the fix, a run that passed and the coverage of both. */
const artifactKinds = ['failing_run', 'fix', 'passing_run', 'coverage', 'diff', 'log'] as const;
/** All four are needed. */
const proof = ['failing_run', 'fix', 'passing_run', 'coverage'] as const;

export const Evidence = z.array(
  z.looseObject({
    recommendation_id: Text.min(1),
    text: Text,
    artifacts: z.array(
      z.looseObject({
        kind: z.enum(artifactKinds),
        ref: Text.min(1),
        rev: Text.nullish(),
      }),
    ),
    state: z.enum(['proven', 'unproven']).optional(),
  }),
);
type Evidence = z.infer<typeof Evidence>;

const JudgedEvidence = z.object({
  recommendations: Rows({
    recommendation_id: Text,
    text: Text,
    state: z.enum(['proven', 'unproven']),
    missing: Texts,
  }),
  /** Recommendations without any artifact: reports leave them out. */
  dropped: Whole,
});
export type JudgedEvidence = z.infer<typeof JudgedEvidence>;

/**
 * `holds` tells whether a reference resolves and, where a revision is given, still has that content. The stated state counts for
 * nothing.
 */
export async function judgeEvidence(
  evidence: Evidence,
  holds: (ref: string, rev: string | null) => Promise<boolean>,
): Promise<JudgedEvidence> {
  const backed = evidence.filter(({ artifacts }) => artifacts.length > 0);
  const recommendations = await Promise.all(
    backed.map(async ({ recommendation_id, text, artifacts }) => {
      const standing = await Promise.all(
        artifacts.map(async ({ kind, ref, rev }) =>
          (await holds(ref, rev ?? null)) ? kind : null,
        ),
      );
      const missing = proof.filter(kind => !standing.includes(kind));
      return {
        recommendation_id,
        text,
        state: missing.length === 0 ? ('proven' as const) : ('unproven' as const),
        missing,
      };
    }),
  );
  return { recommendations, dropped: evidence.length - backed.length };
}

// Changes that look like work and are none: tests that cannot fail or are switched off, placeholders, switched flags,
// comments alone.

const testHead =
  /^\s*(?:(?:it|test)(?:\.each\(.{0,200}\))?\(\s*['"`]|(?:async\s+)?def\s+test_\w+|func\s+Test\w+\(|@Test\b|#\[test\])/;
const assertion =
  /\b(?:expect\w*|assert\w*|should|must\w*|verify|raises|check)\b|\bt\.(?:Error|Fatal)f?\(|\.(?:toThrow|rejects|resolves)\b/;
const literal = String.raw`(?:true|false|True|False|null|None|nil|-?\d+|'[^']{0,40}'|"[^"]{0,40}")`;
const constantAssertion = new RegExp(
  String.raw`\bexpect\(\s*${literal}\s*\)|\bassert\s+(?:True|true|1)\s*(?:;|$)|\bassert(?:True` +
    String.raw`|That)?\(\s*${literal}\s*\)|\bassert\.?(?:Equal|Equals|equal` +
    String.raw`|StrictEqual)?\(\s*${literal}\s*,\s*${literal}\s*[,)]`,
);
const flag = /^\s*["']?([\w.-]{1,80})["']?\s*[:=]\s*(true|false|on|off|yes|no|enabled|disabled)\b/i;

/** `config_only_with_tests_changed`, `config_toggle:<path>`, `comments_only`, and `path:line what` for tests. */
function findNoOps(change: Change) {
  return [
    ...emptyTests(change),
    ...wholeChange(change),
    ...change.files.filter(togglesAFlag).map(({ path }) => `config_toggle:${path}`),
  ];
}

function emptyTests(change: Change) {
  return change.files.flatMap(file => {
    if (file.status === 'deleted' || !kindsOf(file).has('test')) return [];
    return [
      ...blocksOf(addedLinesOf(file)).flatMap(withoutAssertion),
      ...linesWith(file, text => constantAssertion.test(text) && 'assertion on constants'),
    ];
  });
}

type AddedLine = ReturnType<typeof addedLinesOf>[number];

/** One `path:line what` for each added line of which there is something to say. */
function linesWith(
  file: ChangedFile,
  what: (text: string, added: AddedLine) => string | false | null | undefined,
) {
  return addedLinesOf(file).flatMap(added => {
    const found = what(added.text.slice(0, 2000), added);
    return typeof found === 'string' ? [`${added.path}:${added.line} ${found}`] : [];
  });
}

/** A test reaches from its head to the next one, or to the end of what was added in one piece. */
function withoutAssertion(block: readonly AddedLine[]) {
  const heads = block.flatMap(({ text }, index) =>
    testHead.test(text.slice(0, 300)) ? [index] : [],
  );
  return heads.flatMap((start, position) => {
    const lines = block.slice(start, heads[position + 1] ?? block.length);
    // A body that goes on behind what was added may hold the assertion.
    const [first] = lines;
    const last = lines.at(-1)?.text.trim() ?? '';
    const isWhole =
      position + 1 < heads.length ||
      (lines.length === 1
        ? /[)}];?$/.test(last)
        : /^\}\)?;?$|^$/.test(last) || /\bdef\s/.test(first?.text ?? ''));
    return first && isWhole && !lines.some(({ text }) => assertion.test(text.slice(0, 2000)))
      ? [`${first.path}:${first.line} test without assertion`]
      : [];
  });
}

function wholeChange(change: Change) {
  const kinds = change.files.map(kindsOf);
  const product = productFilesOf(change);
  const testsAndConfiguration =
    product.length === 0 &&
    kinds.some(kind => kind.has('test')) &&
    kinds.some(kind => kind.has('configuration') && !kind.has('test'));
  const idle =
    product.length > 0 && product.length === change.files.length && product.every(changesNoCode);
  return present(
    testsAndConfiguration && 'config_only_with_tests_changed',
    idle && 'comments_only',
  );
}

/** The code lines on both sides are the same but for white space. */
function changesNoCode(file: ChangedFile) {
  const [old, now] = (['-', '+'] as const).map(sign =>
    textsOf(file.hunks, sign).filter(isCodeLine).join('').replace(/\s+/g, ''),
  );
  return file.hunks.length > 0 && old === now;
}

function togglesAFlag(file: ChangedFile) {
  const kinds = kindsOf(file);
  if (!kinds.has('configuration') || kinds.has('test') || kinds.has('manifest')) return false;
  return file.hunks.some(hunk => {
    const removed = new Map(textsOf([hunk], '-').flatMap(flagOf));
    return textsOf([hunk], '+')
      .flatMap(flagOf)
      .some(([name, value]) => removed.has(name) && removed.get(name) !== value);
  });
}

function flagOf(line: string): [name: string, value: string][] {
  const [, name, value] = flag.exec(line) ?? [];
  return name === undefined || value === undefined ? [] : [[name, value.toLowerCase()]];
}

/** Work that a change leaves undone: marks, and functions whose whole body does nothing. Added lines only. */
const mark = /\b(TODO|FIXME|XXX)\b/;
const constant = String.raw`(?:null|nil|None|undefined|true|false|True|False|-?\d[\d_.]*|""|''|\[\]|\{\})`;
const hollow = new RegExp(
  String.raw`^(?:pass|\.{3}|return(?:\s+${constant})?\s*;?|(?:throw|raise|panic!?|todo!` +
    String.raw`|unimplemented!)\b.{0,60}(?:not[ _]?implemented|unimplemented|TODO|todo!|NotImplemented).{0,80}|(?:todo` +
    String.raw`|unimplemented)!\(\)\s*;?)$`,
  'i',
);
const bracedHead =
  /\b(?:function|func|fn|def)\b[^{]{0,200}\{|^\s*(?:[\w<>[\],.?*&]+\s+){0,4}\w+\s*\([^{}]{0,200}\)[^{};]{0,80}\{|=>\s*\{/;
const notAFunction =
  /^\s*(?:\}?\s*else\b|if\b|for\b|while\b|switch\b|catch\b|try\b|with\b|return\b|class\b|interface\b|describe\b|it\b|test\b)/;

/** One `path:line what` each. Documents may speak of such marks: only code and configuration are searched. */
function findPlaceholders(change: Change) {
  const marked = change.files
    .filter(file => ['code', 'configuration'].some(kind => kindsOf(file).has(kind as 'code')))
    .flatMap(file => linesWith(file, text => mark.exec(text)?.[1]));
  const idle = productFilesOf(change).flatMap(file =>
    blocksOf(addedLinesOf(file)).flatMap(hollowFunctionsOf),
  );
  return [...marked, ...idle];
}

function hollowFunctionsOf(block: readonly AddedLine[]) {
  return block.flatMap((added, index) => {
    const body = bodyBehind(block, index);
    return body !== null && hollow.test(body)
      ? [`${added.path}:${added.line} whole body: ${body.slice(0, 60)}`]
      : [];
  });
}

/** The only statement of the function that begins on this line; null when it begins none, or has more. */
function bodyBehind(block: readonly AddedLine[], index: number) {
  const text = (block[index]?.text ?? '').slice(0, 600);
  if (/^\s*(?:async\s+)?def\s+\w+\s*\(.{0,300}\).{0,80}:\s*/.test(text))
    return pythonBody(block, index, text);
  const head = notAFunction.test(text) ? null : bracedHead.exec(text);
  return head && bracedBody(block, index, text.slice(head.index + head[0].length));
}

function bracedBody(block: readonly AddedLine[], index: number, rest: string) {
  const lines = [rest, ...block.slice(index + 1, index + 5).map(({ text }) => text.slice(0, 300))];
  const end = lines.findIndex(line => /^[^{]*\}/.test(line));
  if (end === -1) return null;
  const body = lines
    .slice(0, end + 1)
    .join(' ')
    .replace(/\}[^}]*$/s, '')
    .trim();
  return body === '' || /;\s*\S/.test(body) ? null : body;
}

function pythonBody(block: readonly AddedLine[], index: number, text: string) {
  const inline = text.replace(/^.*\).{0,80}?:\s*/, '').trim();
  if (inline !== '') return inline;
  const indent = text.length - text.trimStart().length;
  const body: string[] = [];
  for (const { text: below } of block.slice(index + 1, index + 8)) {
    if (below.trim() === '') continue;
    if (below.length - below.trimStart().length <= indent) break;
    body.push(below.trim());
  }
  const statements = body.filter(line => !/^(?:"""|''').*(?:"""|''')$|^#/.test(line));
  return statements.length === 1 ? (statements[0] ?? null) : null;
}

/** Tests that a change switches off, and time limits it lifts out of the way. Added lines only. */
const marks = new RegExp(
  '(\\.(?:skip|only|todo)\\(|\\bx(?:it|describe)\\(|@pytest\\.mark\\.(?:skipif|skip|xfail)\\b|@unittest\\.skip' +
    '|\\bt\\.Skip\\(|@Disabled\\b|@Ignore\\b|#\\[ignore\\])',
);
const aMinute = 60;

/** One `path:line mark` each. */
function findSkippedTests(change: Change) {
  return change.files.flatMap(file => {
    const isTest = kindsOf(file).has('test');
    return linesWith(
      file,
      (text, added) => marks.exec(text)?.[1] ?? (isTest && liftedLimit(added)),
    );
  });
}

/** A time limit of a minute or more. Bare numbers are milliseconds, as in JavaScript; Python and units say seconds. */
function liftedLimit({ path, text }: AddedLine) {
  const [, word, amount = '', unit = ''] =
    /(time_?out)\w{0,12}["']?\s*[:=(,]\s*([\d_]{1,12})\s*(\*\s*time\.(?:Second|Minute)|s\b|m\b|minutes?\b|seconds?\b)?/i.exec(
      text.slice(0, 2000),
    ) ?? [];
  if (word === undefined) return null;
  const number = Number(amount.replaceAll('_', ''));
  const seconds = /minute|^m$/i.test(unit)
    ? number * 60
    : unit !== '' || path.endsWith('.py')
      ? number
      : number / 1000;
  return seconds >= aMinute ? `time limit ${seconds} s` : null;
}

// How much of the lines a change adds tests ran.

export const defaultChangedLinesMin = 0.8;

/** `report` null: there is none, and a change of code fails for it. Only other files changed: not applicable. */
function coverChangedLines(
  change: Change,
  report: CoverageReport | null,
  min: number,
): Integrity['changed_lines'] {
  const files = productFilesOf(change).map(file => ({
    path: file.path,
    added: addedLinesOf(file),
    hits: report && hitsOf(report, file.path),
  }));
  const counted = files.map(({ path, added, hits }) => {
    const executable = added.filter(({ line, text }) => hits?.has(line) ?? isCodeLine(text));
    return {
      path,
      total: added.length,
      executable: executable.length,
      covered: executable.filter(({ line }) => (hits?.get(line) ?? 0) > 0).length,
      hasRecords: hits !== null,
    };
  });
  const total = sumOf(counted, each => each.total);
  const executable = sumOf(counted, each => each.executable);
  const covered = sumOf(counted, each => each.covered);
  const ratio = executable === 0 ? null : covered / executable;
  return {
    total,
    executable,
    covered,
    ratio,
    min,
    ok: total > 0 ? report !== null && (ratio === null || ratio >= min) : 'not_applicable',
    without_records: counted
      .filter(each => !each.hasRecords && each.executable > 0)
      .map(({ path }) => path),
  };
}

// Reads coverage reports in the lcov format: `SF:` names a file, `DA:line,hits` its executable lines.

/** By the path as the report writes it, with slashes: hits of the executable lines of a file, by 1-based line. */
type CoverageReport = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Null without any record, and for one that is torn or names fewer lines than it counts. Records of one file are added up. */
export function readLcov(text: string): CoverageReport | null {
  const files = new Map<string, Map<number, number>>();
  let current: Map<number, number> | null = null;
  let counted = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('SF:')) {
      if (current) return null;
      const path = line.slice(3).trim().replaceAll('\\', '/');
      current = files.get(path) ?? new Map();
      files.set(path, current);
    } else if (line.trim() === 'end_of_record') {
      if (counted > 0 && current?.size === 0) return null;
      [current, counted] = [null, 0];
    } else if (line.startsWith('DA:')) {
      const [, number, hits] = /^DA:(\d+),(\d+)(?:,|\s*$)/.exec(line) ?? [];
      if (!current || number === undefined) return null;
      current.set(Number(number), (current.get(Number(number)) ?? 0) + Number(hits));
    } else if (line.startsWith('LF:')) counted = Number(line.slice(3));
  }
  return files.size === 0 || current ? null : files;
}

/** Reports write paths from the root of the disk, of the project or of a package: the longest that agrees is meant. */
function hitsOf(report: CoverageReport, path: string) {
  const exact = report.get(path) ?? report.get(`./${path}`);
  if (exact) return exact;
  const longer = [...report].find(([named]) => named.endsWith(`/${path}`));
  const shorter = [...report]
    .filter(([named]) => path.endsWith(`/${named.replace(/^\.\//, '')}`))
    .toSorted(([one], [other]) => other.length - one.length)[0];
  return (longer ?? shorter)?.[1] ?? null;
}

/** Runs of lines that follow one another without a gap. */
function blocksOf(lines: readonly AddedLine[]) {
  const blocks: AddedLine[][] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last?.at(-1)?.line === line.line - 1) last.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

/** Code that runs in the product: no test, nothing deleted. */
function productFilesOf(change: Change) {
  return change.files.filter(file => {
    const kinds = kindsOf(file);
    return (
      file.status !== 'deleted' &&
      file.content === 'text' &&
      kinds.has('code') &&
      !kinds.has('test') &&
      !/\.(?:html?|css|scss|sql|tf)$/i.test(file.path)
    );
  });
}
