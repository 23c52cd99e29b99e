/** Much that a change takes away and puts nowhere else. */
import { type ChangedText, hasCode, stockOf } from './changed-lines.ts';
import { countOf, listNames, listPlaces, type Risk, type RiskMaterial } from './risk.ts';

/** Lines of code. */
const large = 100;

export function findLargeDeletions(
  texts: readonly ChangedText[],
  { skipped, view }: RiskMaterial,
): Risk[] {
  const stock = stockOf(texts.flatMap(({ added }) => added));
  const risks = texts.flatMap(text => {
    const { path, status, kinds } = text;
    if (!kinds.has('code') || skipped.has(path)) return [];
    const gone = text.removed.filter(hasCode).filter(line => !stock.take(line));
    const added = text.added.filter(hasCode).length;
    const [first] = gone;
    if (gone.length - added < large || first === undefined) return [];
    const line = status === 'deleted' ? null : first.newLine;
    const users = status === 'deleted' ? view.importersOf(path) : [];
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
