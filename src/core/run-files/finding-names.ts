/** What findings are called: the ids that are printed for people, and everything people type that means a finding. */
import { type Claim, claimNumbered } from '../words/claim.ts';
import { didYouMean } from '../errors.ts';
import type { Finding } from '../words/finding.ts';
import type { Review } from '../words/review.ts';
import type { Run } from '../words/run.ts';
import { indexIdOf } from './review-file.ts';

/** `alpha/1` for `alpha/#1`: a word that begins with a hash is a comment to a shell. */
export function printedIdOf(id: string): string {
  return id.replace(/\/#(\d+)$/, '/$1');
}

const plainName = /^[a-z0-9-]+\/[A-Za-z0-9-]+$/;

/** By claim: `reviewer/id` of its first finding where that is plain and means this claim alone, else its own id. */
export function printedNames(claims: readonly Claim[]): ReadonlyMap<string, string> {
  const meanings = new Map<string, Set<string>>();
  for (const { id, findings } of claims)
    for (const name of findings.flatMap(fullNamesOf))
      meanings.set(name, (meanings.get(name) ?? new Set()).add(id));
  return new Map(
    claims.map(({ id, findings: [first] }) => {
      const name = first === undefined ? id : printedIdOf(`${first.reviewer}/${indexIdOf(first)}`);
      return [id, plainName.test(name) && meanings.get(name)?.size === 1 ? name : id];
    }),
  );
}

const fewestDigits = 6;

/** By claim: the beginning of its id, six hexadecimal digits or as many more as tell it from the others. It means the claim wherever an id is asked for. */
export function shortIdsOf(claims: readonly Claim[]): ReadonlyMap<string, string> {
  const ids = claims.map(({ id }) => id).sort();
  return new Map(
    ids.map((id, index) => {
      const shared = Math.max(
        ...[ids[index - 1], ids[index + 1]].map(next => sharedLength(id, next ?? '')),
      );
      return [id, id.slice(0, Math.max('c-'.length + fewestDigits, shared + 1))];
    }),
  );
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** The claims that hold a finding a person calls so. */
export function claimsNamed(typed: string, claims: readonly Claim[]): readonly Claim[] {
  const named = new Set(
    findingsNamed(
      typed,
      claims.flatMap(({ findings }) => findings),
    ).map(({ id }) => id),
  );
  return claims.filter(({ findings }) => findings.some(({ id }) => named.has(id)));
}

export type Meant =
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'finding'; readonly finding: Finding }
  /** Ids of everything the word could mean; empty when it means nothing. */
  | { readonly kind: 'unclear'; readonly candidates: readonly string[] };

/**
 * What of a run a word means: a claim by its id or by its number in the report, a reviewer, a finding by any of its names, a
 * claim by the beginning of its id.
 */
export function meantBy(
  typed: string,
  { record, reviews }: Pick<Run, 'record' | 'reviews'>,
): Meant {
  const { claims } = record;
  const claim = claims.find(({ id }) => id === typed) ?? claimNumbered(typed, record);
  if (claim !== null) return { kind: 'claim', claim };
  const review = reviews.find(({ reviewer }) => reviewer === typed);
  if (review !== undefined) return { kind: 'review', review };
  const findings = findingsNamed(
    typed,
    reviews.flatMap(each => each.findings),
  );
  const begun = /^c-./.test(typed) ? claims.filter(({ id }) => id.startsWith(typed)) : [];
  const [finding, only] = [findings[0], begun[0]];
  if (findings.length === 1 && begun.length === 0 && finding !== undefined)
    return { kind: 'finding', finding };
  if (findings.length === 0 && begun.length === 1 && only !== undefined)
    return { kind: 'claim', claim: only };
  return {
    kind: 'unclear',
    candidates: [...findings.map(({ id }) => printedIdOf(id)), ...begun.map(({ id }) => id)],
  };
}

/** The second sentence for a word that means several things; null when it means nothing. */
export function hintFor(candidates: readonly string[]): string | null {
  return didYouMean(candidates.slice(0, 5));
}

/** A name with its reviewer goes first, the id of the record before all: what another reviewer calls its findings must not stand in its way. */
function findingsNamed(typed: string, findings: readonly Finding[]): readonly Finding[] {
  const ways = [
    ({ id }: Finding) => id === typed,
    (finding: Finding) => fullNamesOf(finding).includes(typed),
    (finding: Finding) => idsOf(finding).includes(typed),
  ];
  return ways.map(isMeant => findings.filter(isMeant)).find(named => named.length > 0) ?? [];
}

/** Behind the reviewer a position may stand without its hash. Alone it may not: a bare number will count claims. */
function fullNamesOf(finding: Finding): string[] {
  const ids = idsOf(finding).flatMap(id => [id, id.replace(/^#(?=\d+$)/, '')]);
  return [...new Set(ids)].flatMap(id => [
    `${finding.reviewer}/${id}`,
    `${finding.reviewer}:${id}`,
  ]);
}

/** As the reviewer gave it, and as the index file spells it. */
function idsOf(finding: Finding): string[] {
  return [finding.originalId, indexIdOf(finding)];
}
