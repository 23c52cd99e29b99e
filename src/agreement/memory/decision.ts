/** Decisions of people about claims: how one is recorded, which of them hold, and what they make of a claim of a run. */
import { type Snapshot, findFingerprint, nearby } from '../../core/change/snapshot.ts';
import { inputError, usageError } from '../../core/errors.ts';
import type { JudgeAccuracy } from '../../core/ports/matcher.ts';
import { by } from '../../core/groups.ts';
import { type Claim, clamp } from '../../core/words/claim.ts';
import { type Severity, rankOf } from '../../core/words/finding.ts';
import {
  type Disposition,
  type KnownClaim,
  type ProjectMemory,
  type RunRecord,
  isDismissal,
  lastState,
  latestByClaim,
} from '../../core/words/run.ts';

export type Decision = Pick<
  Disposition,
  'verdict' | 'reason' | 'scope' | 'until' | 'at' | 'sameAs'
>;

export type DecidedThing = Pick<
  KnownClaim,
  'id' | 'text' | 'severity' | 'category' | 'path' | 'code'
>;

/** Throws `UserError`: a day that is past (`usage`), a scope that the claim does not have, itself as `sameAs` (`input`). */
export function decideAbout(
  { id, text, severity, category, path, code }: DecidedThing,
  decision: Decision,
): Disposition {
  const { until, at, scope, sameAs } = decision;
  if (until !== null && until < at.slice(0, 10)) throw usageError(`--until: ${until} is past.`);
  if (scope !== 'claim' && { file: path, category }[scope] === null)
    throw inputError(`${id} names no ${scope}, so that none can be dismissed with it.`);
  if (sameAs === id) throw inputError(`${id} cannot be the same as itself.`);
  const reason = decision.reason || (sameAs ? `The same trouble as ${sameAs}` : '');
  return { ...decision, reason, claim: id, severity, category, path, code, text };
}

/** The latest decision about each claim, oldest first, without dismissals that have run out. `day`: today in UTC. */
export function decisionsOn(dispositions: readonly Disposition[], day: string): Disposition[] {
  return [...latestByClaim(dispositions).values()]
    .filter(each => !isDismissal(each) || each.until === null || day <= each.until)
    .sort(
      by(
        ({ at }) => at,
        ({ claim }) => claim,
      ),
    );
}

/**
 * Those of the holding decisions that count for a claim of a run. A dismissal does while nobody says the claim to be worse than it
 * was; that it is the same trouble as another one is a ground only while that other one is there, open and as severe, so that the
 * trouble itself stays. `open`: severity by id.
 */
export function decisionsFor(
  { severity }: Claim,
  holding: readonly Disposition[],
  open: ReadonlyMap<string, Severity>,
): Disposition[] {
  return holding.filter(each => {
    const known = each.sameAs === undefined ? each.severity : open.get(each.sameAs);
    return !isDismissal(each) || (known !== undefined && rankOf(known) <= rankOf(severity));
  });
}

/** What the decisions come to on a day, as one text. Acceptances alone change nothing; one that follows a dismissal ends it. */
export function standOf(dispositions: readonly Disposition[], day: string) {
  const lines = decisionsOn(dispositions, day)
    .filter(isDismissal)
    .map(({ claim, scope, verdict, reason, until }) =>
      [claim, scope, verdict, reason, until].join('\n'),
    );
  return JSON.stringify(lines.sort());
}

/**
 * The dismissal that holds for a claim of a run. A decision about the claim itself comes before those about its file or category,
 * of which the oldest counts. A dismissal of the claim holds as long as the code it was given for stands in the file; where that
 * cannot be told, it does not hold. `known`: id of the known claim that it continues. `holding`: as `decisionsOn` yields them.
 */
export function dismissalOf(
  claim: Claim,
  known: string | undefined,
  holding: readonly Disposition[],
  snapshot: Snapshot,
): Disposition | null {
  const own = holding.find(each => each.claim === known);
  if (own && !isDismissal(own)) return null;
  if (own && (own.scope !== 'claim' || isSameCode(own, claim, snapshot))) return own;
  const { severity, location } = claim;
  const said = { severity, category: categoryOf(claim), path: location?.path ?? null };
  const isTaken = (each: Disposition) =>
    covers(each, said) || covers({ ...each, path: pathToday(each, snapshot) }, said);
  return holding.find(isTaken) ?? null;
}

/** Do people want a known claim said no more? Then silence about it tells nothing of the code. */
export function isUnwanted(claim: DecidedThing, holding: readonly Disposition[]) {
  const own = holding.find(each => each.claim === claim.id);
  return own ? isDismissal(own) : holding.some(each => covers(each, claim));
}

/** Category of the most severe finding that names one. */
export function categoryOf({ findings }: Claim) {
  const [named] = findings
    .filter(({ category }) => category !== null && category.trim() !== '')
    .toSorted(by(({ severity }) => rankOf(severity)));
  return named?.category?.trim() ?? null;
}

/** Null where the change does not hold the file. */
export function pathToday({ path, code }: Pick<DecidedThing, 'path' | 'code'>, snapshot: Snapshot) {
  return snapshot.currentPath(path ?? '', code);
}

/** Where code stands in a file today, the place nearest to `near`; null where it does not, or where that cannot be told. */
export function findCode(
  snapshot: Snapshot,
  path: string | null,
  code: DecidedThing['code'],
  near: number | null,
): ReturnType<typeof findFingerprint> {
  const file = snapshot.fingerprint(path ?? '');
  return !file || code === null ? null : findFingerprint(file, code, near);
}

function isSameCode(decided: Disposition, { location }: Claim, snapshot: Snapshot) {
  if (decided.code === null) return true;
  const here = location?.anchoring === 'unanchored' ? null : location;
  const line = here?.line ?? null;
  const path = here?.path ?? pathToday(decided, snapshot);
  const standing = findCode(snapshot, path, decided.code, line);
  return standing?.isWhole === true && (line === null || Math.abs(line - standing.line) <= nearby);
}

/** Does a dismissal of a whole file or category take a claim with it? What is more severe than what was decided about is not. */
function covers(
  decided: Disposition,
  { severity, path, category }: Pick<DecidedThing, 'severity' | 'category' | 'path'>,
) {
  if (!isDismissal(decided) || rankOf(severity) < rankOf(decided.severity)) return false;
  if (decided.scope === 'file') return path !== null && path === decided.path;
  return (
    decided.scope === 'category' &&
    category !== null &&
    category.toLowerCase() === decided.category?.toLowerCase()
  );
}

// What is known of each reviewer beside its words: how many of its claims people confirmed or dismissed.

export interface ReviewerReliability {
  readonly reviewer: string;
  /** Vendor family; null when nobody knows. */
  readonly family: string | null;
  /** Claims it supported that a person accepted, or tolerates: both are real. */
  readonly confirmed: number;
  /** Claims it supported that a person dismissed as false. */
  readonly rejected: number;
  /** Claims it supported that nobody decided about, and that a later run found to be fixed. */
  readonly fixed: number;
}

/**
 * By name; only reviewers with a claim that was judged or fixed. A dismissal of a wider scope counts for the one
 * claim it was given for.
 */
export function reliabilityOf({ claims, dispositions }: ProjectMemory) {
  const latest = latestByClaim(dispositions);
  const tallies = new Map<string, ReviewerReliability>();
  const add = (
    { reviewer, family }: Pick<ReviewerReliability, 'reviewer' | 'family'>,
    kind: 'confirmed' | 'rejected' | 'fixed',
  ) => {
    const tally = tallies.get(reviewer) ?? {
      reviewer,
      family,
      confirmed: 0,
      rejected: 0,
      fixed: 0,
    };
    tallies.set(reviewer, {
      ...tally,
      family: family ?? tally.family,
      [kind]: tally[kind] + 1,
    });
  };
  for (const claim of claims) {
    const decided = latest.get(claim.id);
    // That it is the same trouble as another claim says nothing of who is right.
    const verdict = decided?.sameAs === undefined ? decided?.verdict : undefined;
    if (verdict === undefined && lastState(claim) !== 'fixed') continue;
    const isTrue = verdict !== 'rejected';
    const kind = verdict === undefined ? 'fixed' : isTrue ? 'confirmed' : 'rejected';
    for (const supporter of claim.supporters) add(supporter, kind);
  }
  return [...tallies.values()].sort(by(({ reviewer }) => reviewer));
}

// How often the judge of a project is right: what is expected of any judge, and what people's decisions about claims told of its
// answers.

export const expectedAccuracy: JudgeAccuracy = { same: 0.9, different: 0.75 };
/** Answers that what is expected outweighs. */
const strength = 20;
/** With both above a half an answer never counts the other way round; and no judge is certain. */
const [least, most] = [0.55, 0.97];

/** Of two decisions about one claim the later one counts, and of two that tell of the same two claims. */
export function judgeAccuracyOf(dispositions: readonly Disposition[]) {
  const tallies = new Map(
    [...latestByClaim(dispositions).values()]
      .toSorted(by(({ at }) => at))
      .flatMap(({ claim, judged = [] }) =>
        judged.map(tally => [[claim, tally.claim].sort().join(), tally] as const),
      ),
  );
  const accuracyAbout = (truth: keyof JudgeAccuracy) => {
    let [right, asked] = [expectedAccuracy[truth] * strength, strength];
    for (const tally of tallies.values()) {
      if (tally.truth !== truth) continue;
      right += tally.right;
      asked += tally.right + tally.wrong;
    }
    return clamp(right / asked, least, most);
  };
  return { same: accuracyAbout('same'), different: accuracyAbout('different') };
}

/**
 * What a decision tells of the answers a judge gave in a run. With `sameAs` the claim and that one are one trouble; else it is
 * another one than each claim that a person called false where this one is real, or real where this one is false.
 */
export function judgedBy(
  { claim: own, verdict, sameAs }: Pick<Disposition, 'claim' | 'verdict' | 'sameAs'>,
  { claims, judge }: Pick<RunRecord, 'claims' | 'judge'>,
  dispositions: readonly Disposition[],
): NonNullable<Disposition['judged']> {
  const truth = sameAs === undefined ? 'different' : 'same';
  const others = [...latestByClaim(dispositions).values()].filter(
    each => each.sameAs === undefined && each.verdict === opposite[verdict],
  );
  const claimOf = new Map(
    claims.flatMap(({ id, findings }) => findings.map(finding => [finding.id, id] as const)),
  );
  return (sameAs === undefined ? others : [{ claim: sameAs }]).flatMap(({ claim }) => {
    const answers = (judge?.answers ?? []).filter(({ one, other, answer }) => {
      const ends = new Set([claimOf.get(one), claimOf.get(other)]);
      return answer !== 'cannot-say' && claim !== own && ends.has(claim) && ends.has(own);
    });
    const right = answers.filter(({ answer }) => (answer === 'same') === (truth === 'same')).length;
    return answers.length === 0 ? [] : [{ claim, truth, right, wrong: answers.length - right }];
  });
}

/** What of two claims about one trouble cannot be. */
const opposite = { accepted: 'rejected', rejected: 'accepted', tolerated: null } as const;
