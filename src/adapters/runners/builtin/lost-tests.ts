/** Tests that a change takes away: whole files, or assertions in bulk. Low, because a clean-up looks the same. */
import type { Change, ChangedFile } from '../../../core/change.ts';
import type { Remark } from './analyser.ts';
import { isFixturePath, isTestPath } from '../../../core/languages/path-kinds.ts';

const assertion = /\b(?:expect|assert\w*|should|require|check)\b\s*[.(]|\bassert\b|\.(?:Error|Fatal)f?\(/;
const manyAssertions = 5;

/** A file of tests that went away alone: its subject stays. */
export function findLostTests(file: ChangedFile, change: Change): Remark[] {
  if (!isTestPath(file.path) || isFixturePath(file.path) || !/\.[A-Za-z]+$/.test(file.path)) return [];
  const removed = countAssertions(file, '-');
  const added = countAssertions(file, '+');
  if (file.status === 'deleted') return removed > 0 && !subjectGoesToo(file, change) && !movesElsewhere(change, removed) ? [remark(file, 'deleted-tests', `A test file with ${removed} assertions was deleted while the code it tested stays.`)] : [];
  const lost = removed - added;
  return lost >= manyAssertions && added * 2 < removed && !movesElsewhere(change, lost) ? [remark(file, 'removed-assertions', `${removed} assertions were removed from this test file and ${added} added.`)] : [];
}

function remark(file: ChangedFile, rule: string, issue: string): Remark {
  return { rule: `diff/${rule}`, severity: 'low', category: 'tests', path: file.path, line: null, quote: null, issue, recommendation: 'Say in the change why these checks are no longer needed, or keep them.' };
}

function countAssertions(file: ChangedFile, mark: '+' | '-'): number {
  return file.hunks.reduce((sum, hunk) => sum + hunk.lines.filter(line => line.startsWith(mark) && assertion.test(line)).length, 0);
}

/** `parser.test.ts` and `parser.ts` leave together. */
function subjectGoesToo(file: ChangedFile, change: Change): boolean {
  const stem = stemOf(file.path);
  return change.files.some(other => other.status === 'deleted' && !isTestPath(other.path) && stemOf(other.path) === stem);
}

function stemOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/^test_|[._-](?:test|spec|e2e)(?=\.)|_test(?=\.)|Tests?(?=\.)/g, '').replace(/\..*$/, '');
}

/** About as many assertions appear in other test files of the change. */
function movesElsewhere(change: Change, lost: number): boolean {
  const gained = change.files.filter(file => isTestPath(file.path)).reduce((sum, file) => sum + Math.max(0, countAssertions(file, '+') - countAssertions(file, '-')), 0);
  return gained * 2 >= lost;
}
