/**
 * What a run makes of a project's memory, and the memory of the run: claims keep the ids they had, get their states, and
 * what nobody says any more is fixed, if everybody who said it looked again. Pure but for reading the files of the change.
 */
import type { Claim } from '../../core/words/claim.ts';
import { isReader } from '../../core/words/reader.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import {
  findFingerprint,
  fingerprintPlace,
  isGone,
  linesLeft,
} from '../../core/change/code-fingerprint.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { categoryOf, createJudge, createSilenceJudge, type Judge } from './decision.ts';
import {
  beforeRun,
  type DismissedClaim,
  type Disposition,
  type FixedClaim,
  type KnownClaim,
  lastState,
  latestByClaim,
  type ProjectMemory,
  type RememberedRun,
  type RunToRemember,
} from '../../core/words/known-claim.ts';
import { withoutRecalibration } from './recalibration.ts';
import { recogniseClaims } from './recognise.ts';

/** With a matcher that is prepared here, for other findings than those of the run: it must be of no further use to the caller. */
interface SeenRun extends RunToRemember {
  readonly matcher: Matcher;
}

export async function rememberRun(memory: ProjectMemory, seen: SeenRun): Promise<RememberedRun> {
  const remembered = beforeRun(memory.claims, seen.run);
  const known = [...remembered, ...onlyDecided(memory.dispositions, remembered)];
  const snapshot = await takeSnapshot({ ...seen, paths: pathsOf(seen.claims, known) });
  const recognised = await recogniseClaims({
    claims: seen.claims,
    known,
    snapshot,
    matcher: seen.matcher,
  });
  const judged = judgeClaims(
    seen,
    recognised,
    createJudge(memory.dispositions, snapshot, seen.at.slice(0, 10)),
  );
  const claims = renameAll(judged, new Set(known.map(({ id }) => id)), seen.hash);
  const byId = new Map(remembered.map(claim => [claim.id, claim]));
  const seenClaims = claims.map(claim =>
    addSeen(byId.get(claim.id) ?? null, claim, { ...seen, snapshot }),
  );
  const said = new Set(claims.map(({ id }) => id));
  const isUnwanted = createSilenceJudge(memory.dispositions, seen.at.slice(0, 10));
  const fixed = seen.isDecided(claims)
    ? findFixed(
        remembered.filter(claim => !said.has(claim.id) && !isUnwanted(claim)),
        { ...seen, snapshot },
      )
    : [];
  return {
    claims,
    fixed,
    dismissed: judged.flatMap(({ dismissal }, index) =>
      dismissal === null ? [] : [describeDismissal(claims[index]?.id ?? '', dismissal)],
    ),
    changed: [...seenClaims, ...closeAll(fixed, byId, seen)],
  };
}

/** A decision that came with the baseline file speaks for a claim that this machine may never have seen. */
function onlyDecided(
  dispositions: readonly Disposition[],
  remembered: readonly KnownClaim[],
): KnownClaim[] {
  const known = new Set(remembered.map(({ id }) => id));
  return [...latestByClaim(dispositions).values()]
    .filter(({ claim }) => !known.has(claim))
    .map(({ claim, text, severity, category, path, code }) => ({
      id: claim,
      text,
      severity,
      category,
      path,
      line: null,
      side: 'new',
      code,
      files: path === null ? [] : [path],
      wordings: [],
      supporters: [],
      history: [],
    }));
}

function pathsOf(claims: readonly Claim[], known: readonly KnownClaim[]): ReadonlySet<string> {
  return new Set(
    [
      ...claims.map(({ location }) => location?.path ?? null),
      ...known.map(({ path }) => path),
    ].filter(path => path !== null),
  );
}

interface JudgedClaim {
  readonly claim: Claim;
  /** The id it is known by; null for a new one. */
  readonly id: string | null;
  readonly dismissal: Disposition | null;
}

function judgeClaims(
  { claims }: SeenRun,
  recognised: ReadonlyMap<string, KnownClaim>,
  judge: Judge,
): JudgedClaim[] {
  return claims.map(claim => {
    const known = recognised.get(claim.id) ?? null;
    const dismissal = judge(claim, known?.id ?? null);
    return {
      claim: { ...claim, state: dismissal === null ? stateOf(known) : 'dismissed' },
      id: known?.id ?? null,
      dismissal,
    };
  });
}

/** A dismissal that holds no longer leaves the claim as open as if it had never been given: it comes back. */
function stateOf(known: KnownClaim | null): Claim['state'] {
  if (known === null) return 'new';
  const last = known.history.length === 0 ? 'dismissed' : lastState(known);
  return last === 'fixed' || last === 'dismissed' ? 'reopened' : 'persisting';
}

/** A new claim whose own id belongs to a known one already is numbered on. */
function renameAll(
  judged: readonly JudgedClaim[],
  known: ReadonlySet<string>,
  hash: SeenRun['hash'],
): Claim[] {
  const taken = new Set([
    ...known,
    ...judged.filter(({ id }) => id === null).map(({ claim }) => claim.id),
  ]);
  const names = new Map(
    judged.map(({ claim, id }) => [
      claim.id,
      id ?? (known.has(claim.id) ? nextId(claim, taken, hash) : claim.id),
    ]),
  );
  return judged.map(({ claim }) => ({
    ...claim,
    id: names.get(claim.id) ?? claim.id,
    contradicts: claim.contradicts.map(id => names.get(id) ?? id).sort(),
  }));
}

function nextId({ text, location }: Claim, taken: Set<string>, hash: SeenRun['hash']): string {
  let id = '';
  for (let count = 2; id === '' || taken.has(id); count += 1)
    id = `c-${hash(`${text.toLowerCase()}\n${location?.path ?? ''}\n${count}`).slice(0, 10)}`;
  taken.add(id);
  return id;
}

function describeDismissal(
  id: string,
  { verdict, reason, scope, until, claim }: Disposition,
): DismissedClaim {
  return { id, verdict, reason, scope, until, by: claim };
}

function closeAll(
  fixed: readonly FixedClaim[],
  byId: ReadonlyMap<string, KnownClaim>,
  { run, at }: SeenRun,
): KnownClaim[] {
  return fixed
    .map(({ id }) => byId.get(id))
    .filter(claim => claim !== undefined)
    .map(claim => ({
      ...claim,
      history: [...claim.history, { run, at, state: 'fixed' as const, confidence: null }],
    }));
}

/** How a claim is remembered once a run has seen it. */
interface Sighting extends Pick<
  RunToRemember,
  'run' | 'at' | 'change' | 'families' | 'recalibration'
> {
  readonly snapshot: Snapshot;
}

/** Of one claim at most. The oldest wordings go first; of the history those between the first and the latest. */
const mostWordings = 24;
const mostHistory = 100;

/** Files that vouch for a claim without a place, at most. */
const mostFiles = 500;

/** `known` as it was before the run; null for a claim nobody knew. */
function addSeen(
  known: KnownClaim | null,
  claim: Claim,
  { run, at, change, snapshot, families, recalibration = null }: Sighting,
): KnownClaim {
  const location = claim.location?.anchoring === 'unanchored' ? null : claim.location;
  const fingerprint =
    location === null || location.side === 'old' ? null : snapshot.fingerprint(location.path);
  const supporters = known?.supporters ?? [];
  return {
    id: claim.id,
    text: claim.text,
    severity: claim.severity,
    category: categoryOf(claim),
    path: claim.location?.path ?? null,
    line: location?.line ?? null,
    side: location?.side ?? 'new',
    code:
      location === null || location.line === null || fingerprint === null
        ? null
        : fingerprintPlace(fingerprint, location.line, location.endLine),
    files:
      location === null
        ? change.files
            .map(({ path }) => path)
            .sort()
            .slice(0, mostFiles)
        : [location.path],
    wordings: addWordings(known?.wordings ?? [], claim, run),
    supporters: [
      ...supporters,
      ...claim.supporters
        .filter(name => !supporters.some(({ reviewer }) => reviewer === name))
        .map(reviewer => ({ reviewer, family: families.get(reviewer) ?? null, run })),
    ],
    ...(known?.answers && { answers: known.answers }),
    history: addState(known?.history ?? [], {
      run,
      at,
      state: claim.state,
      confidence:
        claim.confidence === null
          ? null
          : {
              stated: claim.confidence,
              modelled: withoutRecalibration(claim.confidence, recalibration),
            },
    }),
  };
}

function addWordings(
  known: KnownClaim['wordings'],
  { findings }: Claim,
  run: string,
): KnownClaim['wordings'] {
  const all = new Map(
    [
      ...known,
      ...findings.map(({ reviewer, text, category }) => ({ reviewer, text, category, run })),
    ]
      .toReversed()
      .map(wording => [keyOf(wording), wording] as const),
  );
  return [...all.values()].toReversed().slice(-mostWordings);
}

function keyOf({ reviewer, text }: { readonly reviewer: string; readonly text: string }): string {
  return `${reviewer}\n${text.toLowerCase()}`;
}

function addState(
  history: KnownClaim['history'],
  entry: KnownClaim['history'][number],
): KnownClaim['history'] {
  const all = [...history, entry];
  return all.length <= mostHistory ? all : [...all.slice(0, 1), ...all.slice(2)];
}

/**
 * Which known claims a run shows to be fixed. Silence counts only where the reviewers who said it were listening: each of
 * them completed, read the file in full, and was shown the code if it still stands. Built-in checks look at added lines alone.
 */
interface Silence {
  readonly reviews: RunToRemember['reviews'];
  readonly snapshot: Snapshot;
}

/** `unsaid`: known claims that nobody repeats in the run. Dismissed ones stay dismissed. */
function findFixed(unsaid: readonly KnownClaim[], { reviews, snapshot }: Silence): FixedClaim[] {
  const readers = readersOf(reviews);
  const checks = new Set(
    reviews.filter(review => !isReader(review)).map(({ reviewer }) => reviewer),
  );
  return unsaid
    .filter(isOpen)
    .flatMap(claim => {
      const reason = reasonOf(claim, { readers, checks }, snapshot);
      if (reason === null) return [];
      const { id, severity, text, path, line } = claim;
      return [{ id, severity, text, location: path === null ? null : { path, line }, reason }];
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

function isOpen(claim: KnownClaim): boolean {
  return !['fixed', 'dismissed'].includes(lastState(claim));
}

type Readers = (path: string) => ReadonlySet<string>;

function readersOf(reviews: RunToRemember['reviews']): Readers {
  const readers = new Map<string, Set<string>>();
  for (const { reviewer, status, coverage } of reviews) {
    if (status !== 'complete') continue;
    // Who read it in an earlier run was not asked in this one: that it is silent says nothing new.
    for (const { path, extent, from } of coverage)
      if (extent === 'full' && from === undefined)
        readers.set(path, (readers.get(path) ?? new Set()).add(reviewer));
  }
  return path => readers.get(path) ?? new Set();
}

/** Null: not shown to be fixed. A claim about what the change takes away does not end with the file or the code. */
function reasonOf(
  claim: KnownClaim,
  { readers, checks }: { readonly readers: Readers; readonly checks: ReadonlySet<string> },
  snapshot: Snapshot,
): string | null {
  const files = claim.files.map(path => snapshot.currentPath(path, claim.code));
  const paths = files.filter(path => path !== null);
  const [path] = paths;
  if (path === undefined || files.includes(null)) return null;
  if (claim.side === 'new' && paths.every(file => snapshot.isDeleted(file)))
    return 'Its file is gone.';
  const fingerprint = claim.code === null ? null : snapshot.fingerprint(path);
  if (fingerprint !== null && claim.code !== null && isGone(fingerprint, claim.code))
    return 'Its code is gone.';
  if (!wasShown(claim, path, snapshot)) return null;
  const isOld = standsFromBefore(claim, path, snapshot);
  const listening = claim.supporters.filter(
    ({ reviewer }) =>
      paths.every(file => readers(file).has(reviewer)) && !(isOld && checks.has(reviewer)),
  );
  if (claim.supporters.length === 0 || listening.length < claim.supporters.length) return null;
  return (
    `${listening.map(({ reviewer }) => reviewer).join(', ')} read it again and ` +
    `${listening.length === 1 ? 'does' : 'do'} not repeat it.`
  );
}

/** Code that stands outside of what the reviewers were shown, as it was or in part, is code nobody looked at. */
function wasShown({ code, line }: KnownClaim, path: string, snapshot: Snapshot): boolean {
  const fingerprint = code === null ? null : snapshot.fingerprint(path);
  if (fingerprint === null || code === null) return true;
  const standing = findFingerprint(fingerprint, code, line);
  const left = standing === null ? linesLeft(fingerprint, code) : [standing.line];
  return left.length === 0 || left.some(at => snapshot.isShown(path, at));
}

/** Its own lines stand where the change did not bring them. */
function standsFromBefore({ code, line }: KnownClaim, path: string, snapshot: Snapshot): boolean {
  const fingerprint = code === null ? null : snapshot.fingerprint(path);
  if (fingerprint === null || code === null) return false;
  const standing = findFingerprint(fingerprint, code, line);
  return standing !== null && !snapshot.isAdded(path, standing.line);
}
