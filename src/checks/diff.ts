/** The diff reviewer: what should not be in a finished change, on the lines it adds. */
import { maskText } from '../core/languages/mask-text.ts';
import type { Family } from '../core/languages/languages.ts';
import {
  familyOf,
  isDocumentPath,
  isFixturePath,
  isTestPath,
} from '../core/languages/path-kinds.ts';
import type { Change, ChangedFile } from '../core/words/change.ts';
import { splitLines } from '../core/text.ts';
import { perFile, quoteOf, type Remark } from './analyser.ts';
import type { LineContext } from './line-context.ts';
import { lineRules } from './line-rules.ts';
import { isRemarkMoved } from './moved-lines.ts';
import { type Source, whyLeftOut } from './source.ts';
import { isForOneSystem } from './tests-off-here.ts';
import { testNamed, testsOffBefore } from './tests-off-before.ts';

export const diff = perFile({
  outside: () => null,
  isContentWithHunks: true,
  async examine(source, { change, read }) {
    const why = await whyLeftOut(source.file, read);
    if (why !== null) return { skipped: why };
    const family = familyOf(source.path);
    const masked = maskText(source.text, family);
    const code = splitLines(masked.code);
    const context = {
      path: source.path,
      text: source.lines,
      code,
      comments: splitLines(masked.comments),
    };
    const remarks = [
      ...findByLine(source, family, context, change),
      ...findIdle(source, family, code),
      ...findLostTests(source.file, change),
    ];
    return source.added.some(line => isLong(source.lines[line - 1]))
      ? { remarks, skipped: `lines of more than ${longestLine} characters` }
      : remarks;
  },
});

/** Longer lines were not written by hand, and no rule is quick on them. */
const longestLine = 2_000;

function isLong(line = ''): boolean {
  return line.length > longestLine;
}

function findByLine(
  source: Source,
  family: Family | null,
  context: Omit<LineContext, 'index'>,
  change: Change,
): Remark[] {
  const rules = lineRules.filter(
    rule => rule.families === null || (family !== null && rule.families.includes(family)),
  );
  const skips = rules.filter(({ id }) => id === 'skipped-test');
  const isMark = (line: string): boolean => skips.some(({ pattern }) => pattern.test(line));
  const offBefore = testsOffBefore(source.file, isMark);
  return source.added.flatMap(line => {
    const index = line - 1;
    const text = context.text[index] ?? '';
    if (isLong(text)) return [];
    const hit = rules.find(
      rule =>
        rule.pattern.test(context[rule.on][index] ?? '') &&
        (rule.words?.test(text) ?? true) &&
        (rule.applies?.({ ...context, index }) ?? true),
    );
    if (hit === undefined) return [];
    if (hit.id === 'fixme' && isRemarkMoved(change, text)) return [];
    if (hit.id === 'skipped-test' && offBefore.has(testNamed(context.text, index) ?? '')) return [];
    const { severity, category, issue, recommendation } = hit;
    return [
      {
        rule: `diff/${hit.id}`,
        severity,
        category,
        path: source.path,
        line,
        quote: quoteOf(source, line),
        issue,
        recommendation,
      },
    ];
  });
}

function findIdle(source: Source, family: Family | null, code: readonly string[]): Remark[] {
  if (family === null || isTestPath(source.path) || isDocumentPath(source.path)) return [];
  if (family === 'go' && isForOneSystem({ text: source.lines })) return [];
  const added = new Set(source.added);
  return findIdleFunctions(code, family, source.path, line => added.has(line))
    .filter(
      ({ alwaysAgrees, start, end }) =>
        alwaysAgrees || !(namedIdle.test(source.path) || isSaidIdle(source, start, end)),
    )
    .map(({ name, start, alwaysAgrees }) => ({
      rule: `diff/${alwaysAgrees ? 'check-always-agrees' : 'idle-function'}`,
      severity: 'medium',
      category: 'placeholder',
      path: source.path,
      line: start,
      quote: quoteOf(source, start),
      issue: alwaysAgrees
        ? `\`${name}\` promises a check and always agrees.`
        : `\`${name}\` promises work and does none.`,
      recommendation: 'Implement it, or remove it together with its callers.',
    }));
}

/** `NullLogger.java`: a class that stands where nothing is to happen. */
const namedIdle = /(?:^|\/)(?:No(?:ne|[oO]p)|Null|Empty|Dummy|Void)[A-Z][A-Za-z]*\.[a-z]+$/;

/** What is written about it says that it does nothing, or that others put something in its place. */
function isSaidIdle({ lines }: Source, start: number, end: number): boolean {
  const above: string[] = [];
  for (let at = start - 2; at >= 0 && /^\s*(?:\/\/|\/?\*|#)/.test(lines[at] ?? ''); at -= 1)
    above.push(lines[at] ?? '');
  const inside = lines.slice(start, end).filter(line => !/^\s*(?:pass|return\b)/.test(line));
  return [...above, ...inside].some(line =>
    /\b(?:do(?:es)? nothing|no-?op|(?:a|the) hook|overrid(?:e|es|den)|subclass(?:es)?)\b/i.test(
      line,
    ),
  );
}

// Tests that a change takes away: whole files, or assertions in bulk. Low, because a clean-up looks the same.

const assertion =
  /\b(?:expect|assert\w*|should|require|check)\b\s*[.(]|\bassert\b|\.(?:Error|Fatal)f?\(/;
const manyAssertions = 5;

/** A file of tests that went away alone: its subject stays. */
function findLostTests(file: ChangedFile, change: Change): Remark[] {
  if (!isTestPath(file.path) || isFixturePath(file.path) || !/\.[A-Za-z]+$/.test(file.path))
    return [];
  const removed = countAssertions(file, '-');
  const added = countAssertions(file, '+');
  if (file.status === 'deleted')
    return removed > 0 && !subjectGoesToo(file, change) && !movesElsewhere(change, removed)
      ? [
          remark(
            file,
            'deleted-tests',
            `A test file with ${removed} assertions was deleted while the code it tested stays.`,
          ),
        ]
      : [];
  const lost = removed - added;
  return lost >= manyAssertions && added * 2 < removed && !movesElsewhere(change, lost)
    ? [
        remark(
          file,
          'removed-assertions',
          `${removed} assertions were removed from this test file and ${added} added.`,
        ),
      ]
    : [];
}

function remark(file: ChangedFile, rule: string, issue: string): Remark {
  return {
    rule: `diff/${rule}`,
    severity: 'low',
    category: 'tests',
    path: file.path,
    line: null,
    quote: null,
    issue,
    recommendation: 'Say in the change why these checks are no longer needed, or keep them.',
  };
}

function countAssertions(file: ChangedFile, mark: '+' | '-'): number {
  return file.hunks.reduce(
    (sum, hunk) =>
      sum + hunk.lines.filter(line => line.startsWith(mark) && assertion.test(line)).length,
    0,
  );
}

/** `parser.test.ts` and `parser.ts` leave together. */
function subjectGoesToo(file: ChangedFile, change: Change): boolean {
  const stem = stemOf(file.path);
  return change.files.some(
    other => other.status === 'deleted' && !isTestPath(other.path) && stemOf(other.path) === stem,
  );
}

function stemOf(path: string): string {
  return path
    .replace(/^.*\//, '')
    .replace(/^test_|[._-](?:test|spec|e2e)(?=\.)|_test(?=\.)|Tests?(?=\.)/g, '')
    .replace(/\..*$/, '');
}

/** About as many assertions appear in other test files of the change. */
function movesElsewhere(change: Change, lost: number): boolean {
  const gained = change.files
    .filter(file => isTestPath(file.path))
    .reduce(
      (sum, file) => sum + Math.max(0, countAssertions(file, '+') - countAssertions(file, '-')),
      0,
    );
  return gained * 2 >= lost;
}

// Functions that a change adds whole, whose name promises work and whose body does none: an empty body, `pass`, a bare
// return, or a check that always agrees.

interface IdleFunction {
  readonly name: string;
  /** 1-based, both ends included. */
  readonly start: number;
  readonly end: number;
  readonly alwaysAgrees: boolean;
}

const work =
  'authenticat|authoriz|authoris|sanitiz|sanitis|encrypt|decrypt|validat|verif|persist|save|delete|remove|send|calculat|comput|process|migrat|charge|refund|transfer|withdraw|upload|publish|notif';
const promising = new RegExp(
  `^_{0,2}(?:async)?(?:${work}|(?:check|has|is|can)(?:[A-Z_]\\w*)?(?:Auth|Permi|Valid|Allow|Access|Signature|auth|permi|valid|allow|access|signature))`,
  'i',
);
const checking = /^_{0,2}(?:authenticat|authoriz|authoris|validat|verif|check|has|is|can)/i;
/** Places where doing nothing is the purpose. */
const idleByDesign =
  /noop|no_op|null|mock|stub|fake|dummy|base|abstract|interface|default|empty|disabled|passthrough|unimplemented/i;

/** A declaration or method with its parameters, an optional return type and the brace that opens its body. */
const head =
  /^[ \t]*(?:export\s+)?(?:default\s+)?(?:(?:public|private|protected|internal|static|final|override|async|pub|func|fn|function)\s+)*(?:\([^()]{0,80}\)\s*)?(?:[\w<>[\]?.*&]{1,60}\s+)?([A-Za-z_$][\w$]{0,80})\s*(?:<[^<>()]{0,60}>)?\([^()]{0,300}\)[^{};=()]{0,120}\{/;

const braced: ReadonlySet<Family> = new Set(['javascript', 'java', 'csharp', 'go', 'php', 'rust']);

/** `code` is the text without comments and strings; `isAdded` tells whether the change added a line (1-based). */
function findIdleFunctions(
  code: readonly string[],
  family: Family,
  path: string,
  isAdded: (line: number) => boolean,
): IdleFunction[] {
  if (idleByDesign.test(path)) return [];
  const find = family === 'python' ? readPython : braced.has(family) ? readBraces : null;
  if (find === null) return [];
  const found: IdleFunction[] = [];
  for (let line = 1; line <= code.length; line += 1) {
    if (!isAdded(line)) continue;
    const idle = find(code, line);
    if (
      idle === null ||
      !promising.test(idle.name) ||
      idleByDesign.test(idle.name) ||
      isIdleByPlace(idle.name, enclosing(code, line))
    )
      continue;
    if (isAdded(idle.end)) found.push(idle);
  }
  return found;
}

/** A constructor is called for what it makes. */
function isIdleByPlace(name: string, place: string): boolean {
  // A class of Python that only says what others must have.
  if (/\bclass\s[^:]*[(,]\s*(?:\w+\.)?Protocol\b/.test(place)) return true;
  return idleByDesign.test(place) || /\bclass\s+([\w$]+)/.exec(place)?.[1] === name;
}

const idleBody = /^(?:;|return(?:\s+(?:null|nil|undefined|None))?\s*;?|pass|\.{3})?$/;
const agreeingBody = /^(?:return\s+(?:true|True|Ok\(true\)|true, nil|nil)\s*;?|true)$/;

function readBraces(code: readonly string[], line: number): IdleFunction | null {
  const first = code[line - 1] ?? '';
  if (
    first.length > 600 ||
    /\b(?:abstract|interface|if|for|while|switch|catch|return|new|class)\b/.test(first)
  )
    return null;
  const [opening, name] = head.exec(first) ?? [];
  if (opening === undefined || name === undefined) return null;
  const rest = [first.slice(opening.length), ...code.slice(line, line + 4)];
  const closing = rest.findIndex(text => text.includes('}'));
  if (closing === -1) return null;
  const body = rest
    .slice(0, closing + 1)
    .join(' ')
    .replace(/\}.*$/s, '')
    .trim();
  return judge(name, body, line, line + closing);
}

function readPython(code: readonly string[], line: number): IdleFunction | null {
  const definition =
    /^([ \t]*)(?:async\s+)?def\s+(\w{1,80})\s*\([^()]{0,300}\)[^:]{0,80}:\s*(.*)$/.exec(
      (code[line - 1] ?? '').slice(0, 600),
    );
  if (
    definition === null ||
    /@(?:abc\.)?abstract|@overload|@typing/.test(
      code.slice(Math.max(0, line - 4), line - 1).join('\n'),
    )
  )
    return null;
  const [, indent = '', name = '', inline = ''] = definition;
  const body: string[] = inline.trim() === '' ? [] : [inline];
  let end = line;
  for (
    let below = line + 1;
    below <= Math.min(code.length, line + 30) && body.length < 3;
    below += 1
  ) {
    const text = code[below - 1] ?? '';
    if (text.trim() === '' || /^\s*["']\s*["']?\s*$/.test(text)) continue;
    if (text.length - text.trimStart().length <= indent.length) break;
    body.push(text);
    end = below;
  }
  return body.length === 1 ? judge(name, body.join(' ').trim(), line, end) : null;
}

function judge(name: string, body: string, start: number, end: number): IdleFunction | null {
  if (agreeingBody.test(body) && checking.test(name))
    return { name, start, end, alwaysAgrees: true };
  return idleBody.test(body) ? { name, start, end, alwaysAgrees: false } : null;
}

/** The nearest line above that opens a class, a trait or a receiver: its name may say that idleness is meant. */
function enclosing(code: readonly string[], line: number): string {
  for (let above = line; above >= Math.max(1, line - 200); above -= 1) {
    const text = code[above - 1] ?? '';
    if (
      /\b(?:class|interface|trait|protocol|impl|object|Protocol)\b/.test(text) ||
      (above === line && text.startsWith('func ('))
    )
      return text;
  }
  return '';
}
