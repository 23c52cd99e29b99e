/**
 * What reviewers are told of what people decided before: a short list, the same for all of them. It changes no question: a decision
 * that is made later asks nobody again.
 */
import { compareTexts, cut, folderOf, mostTokensOf, toLine } from '../text.ts';
import { decisionsOn } from '../../agreement/index.ts';
import type { Disposition } from '../words/known-claim.ts';

/** Lines of a list, and tokens of all of them by a bound that no encoding exceeds. */
export const mostLearnt = 12;
export const mostLearntTokens = 2_000;

const longestText = 120;
const longestReason = 100;

/**
 * Decisions that hold on `day`, one line each: about the files of the change first, then about those beside them, the newest of each
 * first. What does not fit is left out.
 */
export function learnFrom(
  dispositions: readonly Disposition[],
  { paths, day }: { readonly paths: readonly string[]; readonly day: string },
): string[] {
  const [files, folders] = [new Set(paths), new Set(paths.map(folderOf))];
  const distance = ({ path }: Disposition): number => {
    if (path === null) return 2;
    return files.has(path) ? 0 : folders.has(folderOf(path)) ? 1 : 2;
  };
  const lines: string[] = [];
  let left = mostLearntTokens;
  const holding = decisionsOn(dispositions, day).sort(
    (one, other) =>
      distance(one) - distance(other) ||
      compareTexts(other.at, one.at) ||
      compareTexts(one.claim, other.claim),
  );
  for (const disposition of holding) {
    const line = describe(disposition);
    left -= mostTokensOf(line);
    if (left < 0 || lines.length === mostLearnt) break;
    lines.push(line);
  }
  return lines;
}

const verdicts = {
  accepted: 'confirmed',
  rejected: 'dismissed as false',
  tolerated: 'dismissed, true and staying',
} as const satisfies Record<Disposition['verdict'], string>;

/** Words of a reviewer and of a person, neither of whom wrote them for a prompt: each is cut, and stays on its line. */
function describe({ verdict, path, text, reason, ...about }: Disposition) {
  const where = path === null ? '' : `${cut(toLine(path), longestText)}: `;
  const why = toLine(reason);
  return (
    `${verdicts[verdict]}${reach(about)}: ${where}${cut(toLine(text), longestText)}` +
    (why === '' ? '' : ` (because: ${cut(why, longestReason)})`)
  );
}

function reach({
  scope,
  category,
  severity,
}: Pick<Disposition, 'scope' | 'category' | 'severity'>) {
  if (scope === 'claim') return '';
  const of =
    scope === 'file' ? 'this file' : `category ${cut(toLine(category ?? ''), longestReason)}`;
  return ` with all else of ${of} up to ${severity}`;
}
