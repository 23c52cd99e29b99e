/** What findings are called: the ids that are printed for people, and everything people type that means a finding. */
import { distance } from 'fastest-levenshtein';
import { type Claim, orderClaims } from '../words/claim.ts';
import { didYouMean, inputError } from '../errors.ts';
import type { FixedClaim, Run, RunRecord } from '../words/run.ts';
import { by, groupBy } from '../groups.ts';
import type { EngineFinding } from '../safety/engine-finding.ts';
import type { Finding } from '../words/finding.ts';
import type { Review } from '../words/review.ts';
import { indexIdOf } from './review-file.ts';

/**
 * What a finding is called wherever people and agents read of it, by its id: `reviewer/id` of plain letters, digits and dashes,
 * which no shell takes for anything else. As it was given where that is plain, else the nearest plain word that is free.
 */
export function printedIdsOf(reviews: readonly Said[]): ReadonlyMap<string, string> {
  const aliases = plainWords(
    reviews.map(({ reviewer }) => reviewer),
    /^[a-z0-9-]+$/,
    [engineName],
  );
  return new Map(
    reviews.flatMap(({ findings }, place) => {
      const own = plainWords(
        findings.map(({ originalId }) => originalId.replace(/^#(?=\d+$)/, '')),
        /^[A-Za-z0-9-]+$/,
      );
      return findings.map(({ id }, index) => [id, `${aliases[place] ?? ''}/${own[index] ?? ''}`]);
    }),
  );
}

type Said = Pick<Review, 'reviewer' | 'findings'>;

/** What the engine's own findings are called by: no reviewer's are. */
const engineName = 'engine';

/** `engine/1` is the first that the engine itself found. */
export function engineIdOf(index: number) {
  return `${engineName}/${index + 1}`;
}

/** One word for each, all different: who is plain already keeps its own, whoever comes first. */
function plainWords(given: readonly string[], plain: RegExp, reserved: readonly string[] = []) {
  const taken = new Set(reserved);
  const words = given.map(word => {
    if (!plain.test(word) || taken.has(word)) return null;
    taken.add(word);
    return word;
  });
  return words.map((word, index) => {
    if (word !== null) return word;
    const like = toPlain(given[index] ?? '', plain) || String(index + 1);
    let [free, use] = [like, 1];
    while (taken.has(free)) free = `${like}-${++use}`;
    taken.add(free);
    return free;
  });
}

function toPlain(word: string, plain: RegExp) {
  const letters = plain.test('A') ? word : word.toLowerCase();
  return letters.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

/** By claim: what its first finding is called where that means this claim alone, else its own id. */
export function printedNames(
  claims: readonly Claim[],
  reviews: readonly Said[],
): ReadonlyMap<string, string> {
  const printed = printedIdsOf(reviews);
  const uses = groupBy(
    claims.flatMap(({ findings }) => findings),
    ({ id }) => id,
  );
  return new Map(
    claims.map(({ id, findings: [first] }) => [
      id,
      first !== undefined && uses.get(first.id)?.length === 1 ? (printed.get(first.id) ?? id) : id,
    ]),
  );
}

const fewestDigits = 6;

/**
 * By claim: the beginning of its id, six hexadecimal digits or as many more as tell it from the others. It means the claim
 * wherever an id is asked for.
 */
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

function sharedLength(one: string, other: string) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

export type Meant =
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'finding'; readonly finding: Finding }
  /** A known claim that the run shows to be fixed. */
  | { readonly kind: 'fixed'; readonly fixed: FixedClaim }
  | { readonly kind: 'engine'; readonly id: string; readonly finding: EngineFinding }
  /** Printed ids of everything the word could mean; empty when it means nothing. */
  | { readonly kind: 'unclear'; readonly candidates: readonly string[] };

/**
 * What of a run a word means: a claim by its id or by its number in the report, a reviewer, a finding by any of its names, a
 * claim by the beginning of its id.
 */
export function meantBy(
  typed: string,
  { record, reviews }: Pick<Run, 'record' | 'reviews'>,
): Meant {
  const { claims, fixed, engineFindings = [] } = record;
  const printed = printedIdsOf(reviews);
  const claimsBy = (isMeant: (id: string) => boolean): Meant[] =>
    claims.filter(({ id }) => isMeant(id)).map(claim => ({ kind: 'claim', claim }));
  const fixedBy = (isMeant: (id: string) => boolean): Meant[] =>
    fixed.filter(({ id }) => isMeant(id)).map(one => ({ kind: 'fixed', fixed: one }));
  const isCalled = (id: string) => id === typed;
  const isBegun = (id: string) => /^c-./.test(typed) && id.startsWith(typed);
  const numbered = claimNumbered(typed, record)?.id;
  const ways: readonly (readonly Meant[])[] = [
    claimsBy(isCalled),
    claimsBy(id => id === numbered),
    fixedBy(isCalled),
    reviews
      .filter(({ reviewer }) => reviewer === typed)
      .map(review => ({ kind: 'review', review })),
    engineFindings
      .filter((_, index) => engineIdOf(index) === typed)
      .map(finding => ({ kind: 'engine', id: typed, finding })),
    [
      ...findingsNamed(
        typed,
        reviews.flatMap(({ findings }) => findings),
        printed,
      ).map((finding): Meant => ({ kind: 'finding', finding })),
      ...claimsBy(isBegun),
      ...fixedBy(isBegun),
    ],
  ];
  const [only, ...others] = ways.find(meant => meant.length > 0) ?? [];
  if (only !== undefined && others.length === 0) return only;
  const idOf = (meant: Meant) => {
    if (meant.kind === 'finding') return printed.get(meant.finding.id) ?? meant.finding.id;
    if (meant.kind === 'claim') return meant.claim.id;
    return meant.kind === 'fixed' ? meant.fixed.id : '';
  };
  return { kind: 'unclear', candidates: only === undefined ? [] : [only, ...others].map(idOf) };
}

/** The claim a number means; null when what was typed is no number, or one that no claim has. */
function claimNumbered(typed: string, record: Pick<RunRecord, 'claims' | 'blocking'>) {
  return /^[1-9]\d{0,5}$/.test(typed) ? (orderClaims(record)[Number(typed) - 1] ?? null) : null;
}

/** The claim that holds a finding; null for an improvement, and for what was left out of the claims. */
export function claimOf(finding: string, claims: readonly Claim[]) {
  return claims.find(({ findings }) => findings.some(({ id }) => id === finding)) ?? null;
}

/** The second sentence for a word that means several things; null when it means nothing. */
export function hintFor(candidates: readonly string[]) {
  return didYouMean(candidates.slice(0, 5));
}

/**
 * What was printed goes first, then the id of the record, then a name with its reviewer: what another reviewer calls its findings
 * must not stand in its way.
 */
function findingsNamed(
  typed: string,
  findings: readonly Finding[],
  printed: ReadonlyMap<string, string>,
): readonly Finding[] {
  const ways = [
    ({ id }: Finding) => printed.get(id) === typed,
    ({ id }: Finding) => id === typed,
    // Behind the reviewer a position may stand without its hash. Alone it may not: a bare number counts claims.
    (finding: Finding) =>
      idsOf(finding)
        .flatMap(id => [id, id.replace(/^#(?=\d+$)/, '')])
        .some(id => [`${finding.reviewer}/${id}`, `${finding.reviewer}:${id}`].includes(typed)),
    (finding: Finding) => idsOf(finding).includes(typed),
  ];
  return ways.map(isMeant => findings.filter(isMeant)).find(named => named.length > 0) ?? [];
}

/** As the reviewer gave it, and as the index file spells it. */
function idsOf(finding: Finding) {
  return [finding.originalId, indexIdOf(finding)];
}

// The claim a person means, by its id or the beginning of that, by its number, or by a finding it holds.

/** Claims with everything they can be named by. */
interface NamedClaims extends Pick<RunRecord, 'claims' | 'blocking'> {
  readonly reviews: readonly Said[];
}

const nothingFormed: NamedClaims = { claims: [], blocking: [], reviews: [] };

/**
 * Of `ids` that which is meant, where `c-` may be left out; of `run` besides by number and by finding. Throws `UserError` (kind
 * `input`) with the nearest ids, or with the candidates where there are several: an id that a reviewer chose may look like the
 * beginning of that of a claim.
 */
export function findClaim(
  wanted: string,
  ids: readonly string[],
  run: Pick<Run, 'record' | 'reviews'> | null,
) {
  const found = pickClaim(wanted, ids, run === null ? nothingFormed : { ...run, ...run.record });
  if (found !== null) return found;
  const what = run === null ? null : noClaims[meantBy(wanted.trim(), run).kind];
  throw run !== null && what !== null
    ? inputError(`${shown(wanted)} ${what}.`, `See "jury show ${run.record.run} ${wanted.trim()}".`)
    : inputError(
        `There is no claim ${shown(wanted)} in the latest run or in the memory of this project.`,
        didYouMean(nearestIds(wanted, ids)),
      );
}

/** What a run has of a name and is no claim: it cannot be decided about or explained. */
const noClaims = {
  claim: null,
  unclear: null,
  review: 'is a reviewer',
  fixed: 'is a claim that is fixed',
  finding: 'is part of no claim: nothing counts it as a finding',
  engine: 'was found by Jury itself and is no claim of a reviewer',
};

/** The same among claims that no run holds. */
export function findFormedClaim(wanted: string, formed: NamedClaims) {
  const ids = formed.claims.map(({ id }) => id);
  const found = pickClaim(wanted, ids, formed);
  const claim = formed.claims.find(({ id }) => id === found);
  if (claim !== undefined) return claim;
  const count = ids.length === 0 ? 'They form no claims.' : `Their claims are 1 to ${ids.length}.`;
  throw inputError(
    `The findings form no claim ${shown(wanted)}.`,
    /^\d{1,3}$/.test(wanted.trim()) ? count : (didYouMean(nearestIds(wanted, ids)) ?? count),
  );
}

/** A shorter number is the place of a claim in the report, a longer one the beginning of an id. */
const fewestStated = 4;

/** Null where nothing is called so. Throws `UserError` where several are. */
function pickClaim(wanted: string, ids: readonly string[], { reviews, ...formed }: NamedClaims) {
  const { claims } = formed;
  const typed = wanted.trim().toLowerCase();
  const numbered = typed.length < fewestStated ? claimNumbered(typed, formed) : null;
  if (numbered !== null || ids.includes(typed)) return numbered?.id ?? typed;
  const start = startOf(wanted);
  const said = reviews.flatMap(({ findings }) => findings);
  const named = findingsNamed(wanted.trim(), said, printedIdsOf(reviews));
  const holding = named.flatMap(({ id }) => claimOf(id, claims)?.id ?? []);
  const begun = ids.filter(id => start !== 'c-' && id.startsWith(start)).sort();
  const meant = [...new Set([...begun, ...holding])];
  if (meant.length < 2) return meant[0] ?? null;
  throw inputError(
    `${shown(wanted)} ${meant.length > new Set(begun).size ? 'means' : 'is the beginning of'} ${meant.length} claims.`,
    hintFor(meant),
  );
}

function startOf(wanted: string) {
  const typed = wanted.trim().toLowerCase();
  return typed.startsWith('c-') ? typed : `c-${typed}`;
}

function nearestIds(wanted: string, ids: readonly string[]) {
  const start = startOf(wanted).slice(0, 40);
  return [...new Set(ids)].sort(by(id => distance(start, id), String)).slice(0, 3);
}

function shown(wanted: string) {
  return JSON.stringify(wanted.slice(0, 60));
}
