/** Hands the texts of the change to the checks of its claims. What cannot be read is no ground against a claim. */
import { addedLinesOf } from '../../core/integrity/added-lines.ts';
import type { CheckedText } from '../../core/integrity/claim-checks.ts';
import type { Repository } from '../../core/ports/repository.ts';
import { withChecks } from '../claim-vote.ts';
import type { Subject } from '../../core/words/change.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Location } from '../../core/words/finding.ts';

/** Only of a change; what was dismissed is left as it is. */
export async function checkClaims(
  claims: readonly Claim[],
  subject: Subject,
  repository: Pick<Repository, 'read'> | null,
): Promise<Claim[]> {
  if (subject.kind !== 'change') return [...claims];
  const files = new Map(subject.files.map(file => [file.path, file]));
  const texts = new Map<string, CheckedText>();
  for (const { location } of claims.flatMap(({ findings }) => findings)) {
    const file = location === null ? undefined : files.get(location.path);
    if (location === null || file === undefined || texts.has(keyOf(location))) continue;
    const text = await repository?.read(file, location.side).catch(() => null);
    texts.set(keyOf(location), {
      lines: text?.split(/\r?\n/) ?? null,
      // Of whole files that are reviewed every line would be an added one.
      added:
        subject.source === 'files' ? null : new Set(addedLinesOf(file).map(({ line }) => line)),
    });
  }
  const textAt = (location: Location): CheckedText | null => texts.get(keyOf(location)) ?? null;
  return claims.map(claim => (claim.state === 'dismissed' ? claim : withChecks(claim, textAt)));
}

function keyOf({ path, side }: Location): string {
  return `${side}:${path}`;
}
