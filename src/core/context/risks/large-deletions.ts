/** Much that a change takes away and puts nowhere else. */
import { kindsOf } from '../../languages/path-kinds.ts';
import type { ChangedFile } from '../../words/change.ts';
import { addedLines, type ChangedText, keyOf, removedLines, stockOf } from './changed-lines.ts';
import { countOf, listNames, listPlaces, type Risk, type RiskMaterial } from './risk.ts';

/** Lines of code. */
const large = 100;

export function findLargeDeletions(
  texts: readonly (readonly [ChangedFile, ChangedText])[],
  { skipped, view }: RiskMaterial,
): Risk[] {
  const stock = stockOf(texts.flatMap(([, text]) => addedLines(text).map(one => keyOf(one.text))));
  const risks = texts.flatMap(([file, text]) => {
    const { path, status } = file;
    if (!kindsOf({ path, changedLines: [] }).has('code') || skipped.has(path)) return [];
    const removed = removedLines(text).filter(({ code }) => /\w/.test(code));
    const gone = removed.filter(({ text: line }) => !stock.take(keyOf(line)));
    const added = addedLines(text).filter(({ code }) => /\w/.test(code)).length;
    const [first] = gone;
    if (gone.length - added < large || first === undefined) return [];
    const line = status === 'deleted' ? null : Math.max(1, first.newLine);
    const users = status === 'deleted' ? importersOf(path, view) : [];
    return [
      {
        kind: 'large-deletion' as const,
        path,
        line,
        sentence:
          `${path}${line === null ? '' : `:${line}`} loses ${countOf(gone.length, 'line')} of ` +
          `code${status === 'deleted' ? ' with the file' : ` and gains ${added}`}`,
        evidence: [first.text],
        action:
          users.length === 0 ? null : `Check what still imports ${path}: ${listPlaces(users, 3)}`,
      },
    ];
  });
  return merged(risks);
}

/** Files that go together are one risk, unless somebody still imports one of them. */
function merged(risks: readonly Risk[]): Risk[] {
  const imported = risks.filter(({ action }) => action !== null);
  const [first, ...others] = risks.filter(({ action }) => action === null);
  if (first === undefined) return imported;
  const more =
    others.length === 0
      ? ''
      : `; so do ${listNames(
          others.map(({ path }) => path),
          2,
        )}`;
  return [...imported, { ...first, sentence: `${first.sentence}${more}` }];
}

/** Imports that name the file though it is gone. */
function importersOf(path: string, view: RiskMaterial['view']) {
  return view.importersOf(path).map(({ path: user, line }) => ({ path: user, line }));
}
