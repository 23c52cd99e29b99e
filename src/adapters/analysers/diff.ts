/** The diff reviewer: what should not be in a finished change, on the lines it adds. */
import type { Change, ChangedFile } from '../../core/words/change.ts';
import type { Family } from '../../core/languages/languages.ts';
import {
  familyOf,
  isDocumentPath,
  isFixturePath,
  isGeneratedPath,
  isTestPath,
} from '../../core/languages/path-kinds.ts';
import { perFile, quoteOf, type Remark } from './analyser.ts';
import { maskText, type Source } from './source.ts';
import { findIdleFunctions } from './idle-functions.ts';
import { type LineContext, lineRules } from './line-rules.ts';

export const diff = perFile({
  outside: () => null,
  isContentWithHunks: true,
  examine(source, { change }) {
    if (isGeneratedPath(source.path)) return [];
    const family = familyOf(source.path);
    const masked = maskText(source.text, family);
    const code = masked.code.split(/\r\n|\n|\r/);
    const context = {
      path: source.path,
      text: source.lines,
      code,
      comments: masked.comments.split(/\r\n|\n|\r/),
    };
    return [
      ...findByLine(source, family, context),
      ...findIdle(source, family, code),
      ...findLostTests(source.file, change),
    ];
  },
});

/** Longer lines were not written by hand. */
const longestLine = 2_000;

function findByLine(
  source: Source,
  family: Family | null,
  context: Omit<LineContext, 'index'>,
): Remark[] {
  const rules = lineRules.filter(
    rule => rule.families === null || (family !== null && rule.families.includes(family)),
  );
  return source.added.flatMap(line => {
    const index = line - 1;
    const text = context.text[index] ?? '';
    if (text.length > longestLine) return [];
    const hit = rules.find(
      rule =>
        rule.pattern.test(context[rule.on][index] ?? '') &&
        (rule.words?.test(text) ?? true) &&
        (rule.applies?.({ ...context, index }) ?? true),
    );
    if (hit === undefined) return [];
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
  const added = new Set(source.added);
  return findIdleFunctions(code, family, source.path, line => added.has(line)).map(
    ({ name, start, alwaysAgrees }) => ({
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
    }),
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
