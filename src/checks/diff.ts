/** The diff reviewer: what should not be in a finished change, on the lines it adds, and tests that it takes away. */
import {
  familyOf,
  isDocumentPath,
  isExamplePath,
  isFixturePath,
  isTestPath,
  isToolPath,
  maskText,
} from '../core/languages/languages.ts';
import { textsOf } from '../core/change/patch.ts';
import { splitLines } from '../core/text.ts';
import type { Change, ChangedFile } from '../core/words/change.ts';
import { type Analyser, type Remark, type Source, perFile, quoteOf } from './analyser.ts';
import { type Data, parseLines } from './rule.ts';

type LineRule = ReturnType<typeof parseLines>[number];

const pathKinds: Record<LineRule['inside'][number], (path: string) => boolean> = {
  test: isTestPath,
  fixture: isFixturePath,
  document: isDocumentPath,
  example: isExamplePath,
  tool: isToolPath,
};

export function createDiff(file: Data): Analyser {
  const rules = parseLines(file);
  return perFile({
    outside: () => null,
    isContentWithHunks: true,
    examine: (source, { change }) => [
      ...findByLine(source, rules),
      ...findLostTests(source.file, change),
    ],
  });
}

const farthest = 200;

function findByLine(source: Source, all: readonly LineRule[]): readonly Remark[] {
  const { path, lines, text } = source;
  const family = familyOf(path);
  const rules = all.filter(
    ({ families, inside, outside }) =>
      (families.length === 0 || (family !== null && families.includes(family))) &&
      inside.every(kind => pathKinds[kind](path)) &&
      !outside.some(kind => pathKinds[kind](path)),
  );
  const masked = maskText(text, family);
  const views = {
    text: lines,
    code: splitLines(masked.code),
    comments: splitLines(masked.comments),
  };
  return source.added.flatMap(line => {
    const places: Record<string, () => string> = {
      path: () => path,
      file: () => text,
      around: () => lines.slice(Math.max(0, line - farthest), line).join('\n'),
    };
    const hit = rules.find(
      ({ on, pattern, words, unless }) =>
        pattern.test(views[on][line - 1] ?? '') &&
        (words?.test(lines[line - 1] ?? '') ?? true) &&
        !unless.some(look => look.pattern.test(places[look.place]?.() ?? '')),
    );
    if (!hit) return [];
    const { id, cwe, severity, category, message, fix } = hit;
    return [
      {
        rule: `diff/${id}`,
        severity,
        category,
        ...(cwe !== undefined && { weakness: cwe }),
        path,
        line,
        quote: quoteOf(source, line),
        issue: message,
        recommendation: fix,
      },
    ];
  });
}

// Tests that a change takes away: whole files, or assertions in bulk. Low, because a clean-up looks the same.

const assertion =
  /\b(?:expect|assert\w*|should|require|check)\b\s*[.(]|\bassert\b|\.(?:Error|Fatal)f?\(/;
const manyAssertions = 5;

/** A file of tests that went away alone: its subject stays. */
function findLostTests(file: ChangedFile, change: Change): readonly Remark[] {
  const { path, status } = file;
  if (!isTestPath(path) || isFixturePath(path) || !/\.[A-Za-z]+$/.test(path)) return [];
  const removed = countAssertions(file, '-');
  const added = countAssertions(file, '+');
  const lost = removed - added;
  const isDeleted = status === 'deleted' && removed > 0 && !subjectGoesToo(file, change);
  const isThinned = status !== 'deleted' && lost >= manyAssertions && added * 2 < removed;
  if (!(isDeleted || isThinned) || movesElsewhere(change, lost)) return [];
  return [
    {
      rule: `diff/${isDeleted ? 'deleted-tests' : 'removed-assertions'}`,
      severity: 'low',
      category: 'tests',
      path,
      line: null,
      quote: null,
      issue: isDeleted
        ? `A test file with ${removed} assertions was deleted while the code it tested stays.`
        : `${removed} assertions were removed from this test file and ${added} added.`,
      recommendation: 'Say in the change why these checks are no longer needed, or keep them.',
    },
  ];
}

function countAssertions({ hunks }: ChangedFile, mark: '+' | '-') {
  return textsOf(hunks, mark).filter(line => assertion.test(line)).length;
}

/** `parser.test.ts` and `parser.ts` leave together. */
function subjectGoesToo({ path }: ChangedFile, { files }: Change) {
  return files.some(
    other =>
      other.status === 'deleted' && !isTestPath(other.path) && stemOf(other.path) === stemOf(path),
  );
}

function stemOf(path: string) {
  return path
    .replace(/^.*\//, '')
    .replace(/^test_|[._-](?:test|spec|e2e)(?=\.)|_test(?=\.)|Tests?(?=\.)/g, '')
    .replace(/\..*$/, '');
}

/** About as many assertions appear in other test files of the change. */
function movesElsewhere({ files }: Change, lost: number) {
  const gained = files
    .filter(({ path }) => isTestPath(path))
    .map(file => Math.max(0, countAssertions(file, '+') - countAssertions(file, '-')));
  return gained.reduce((sum, count) => sum + count, 0) * 2 >= lost;
}
