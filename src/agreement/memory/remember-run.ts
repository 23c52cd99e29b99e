/**
 * What a run makes of a project's memory, and the memory of the run: claims keep the ids they had, get their states, and
 * what is said no more is fixed, if everyone who said it looked again. Pure but for reading the files of the change.
 */
import {
  findFingerprint,
  fingerprintPlace,
  isGone,
  linesLeft,
} from '../../core/change/code-fingerprint.ts';
import type { Claim } from '../../core/words/claim.ts';
import {
  beforeRun,
  type Disposition,
  type FixedClaim,
  type KnownClaim,
  lastState,
  latestByClaim,
  type ProjectMemory,
  type RememberedRun,
  type RunToRemember,
} from '../../core/words/known-claim.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import { isReader } from '../../core/words/reader.ts';
import { createNames } from '../claims.ts';
import { categoryOf, createJudge, createSilenceJudge } from './decision.ts';
import { withoutRecalibration } from './recalibration.ts';
import { recogniseClaims } from './recognise.ts';
import { type Snapshot, takeSnapshot } from '../../core/change/snapshot.ts';

/** With a matcher that is prepared here, for other findings than those of the run: it must be of no further use to the caller. */
interface SeenRun extends RunToRemember {
  readonly matcher: Matcher;
}

export async function rememberRun(memory: ProjectMemory, seen: SeenRun): Promise<RememberedRun> {
  const { dispositions } = memory;
  const { run, at, matcher } = seen;
  const remembered = beforeRun(memory.claims, run);
  const known = [...remembered, ...onlyDecided(dispositions, remembered)];
  const paths = [...seen.claims.map(({ location }) => location), ...known].map(each => each?.path);
  const snapshot = await takeSnapshot({
    ...seen,
    paths: new Set(paths.filter(path => path !== undefined && path !== null)),
  });
  const recognised = await recogniseClaims({ claims: seen.claims, known, snapshot, matcher });
  const ids = nameAll(seen, recognised, known);
  const judge = createJudge(dispositions, snapshot, at.slice(0, 10));
  const judged = seen.claims.map(claim => {
    const own = recognised.get(claim.id) ?? null;
    const dismissal = judge(claim, own?.id ?? null);
    return {
      claim: {
        ...claim,
        id: ids.get(claim.id) ?? claim.id,
        contradicts: claim.contradicts.map(id => ids.get(id) ?? id).sort(),
        state: dismissal === null ? stateOf(own) : ('dismissed' as const),
      },
      dismissal,
    };
  });
  const claims = judged.map(({ claim }) => claim);
  const byId = new Map(remembered.map(claim => [claim.id, claim]));
  const said = new Set(claims.map(({ id }) => id));
  const isUnwanted = createSilenceJudge(dispositions, at.slice(0, 10));
  const unsaid = remembered.filter(claim => !said.has(claim.id) && !isUnwanted(claim));
  const fixed = seen.isDecided(claims) ? findFixed(unsaid, seen, snapshot) : [];
  return {
    claims,
    fixed,
    dismissed: judged.flatMap(({ claim: { id }, dismissal }) => {
      if (dismissal === null) return [];
      const { verdict, reason, scope, until, claim: by } = dismissal;
      return [{ id, verdict, reason, scope, until, by }];
    }),
    changed: [
      ...claims.map(claim => addSeen(byId.get(claim.id) ?? null, claim, { ...seen, snapshot })),
      ...fixed.flatMap(({ id }) => {
        const claim = byId.get(id);
        const entry = { run, at, state: 'fixed' as const, confidence: null };
        return claim === undefined ? [] : [{ ...claim, history: [...claim.history, entry] }];
      }),
    ],
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

/** By the id in the run: that of the known claim it continues; a new claim whose own id belongs to a known one is numbered on. */
function nameAll(
  { claims, hash }: SeenRun,
  recognised: ReadonlyMap<string, KnownClaim>,
  known: readonly KnownClaim[],
): ReadonlyMap<string, string> {
  const taken = new Set(known.map(({ id }) => id));
  const news = claims.filter(({ id }) => !recognised.has(id));
  const clashing = new Set(news.filter(({ id }) => taken.has(id)));
  for (const { id } of news) taken.add(id);
  const nameOf = createNames(hash, taken);
  return new Map(
    claims.map(claim => [
      claim.id,
      recognised.get(claim.id)?.id ?? (clashing.has(claim) ? nameOf(claim) : claim.id),
    ]),
  );
}

/** A dismissal that holds no longer leaves the claim as open as if it had never been given: it comes back. */
function stateOf(known: KnownClaim | null): Claim['state'] {
  if (known === null) return 'new';
  return known.history.length > 0 && isOpen(known) ? 'persisting' : 'reopened';
}

function isOpen(claim: KnownClaim): boolean {
  return !['fixed', 'dismissed'].includes(lastState(claim));
}

/** Of one claim at most. The oldest wordings go first; of the history those between the first and the latest. */
const mostWordings = 24;
const mostHistory = 100;

/** Files that vouch for a claim without a place, at most. */
const mostFiles = 500;

/** How a claim is remembered once a run has seen it. `known` as it was before the run; null for a new claim. */
function addSeen(
  known: KnownClaim | null,
  claim: Claim,
  {
    run,
    at,
    change,
    families,
    recalibration = null,
    snapshot,
  }: RunToRemember & { readonly snapshot: Snapshot },
): KnownClaim {
  const { id, text, severity, confidence, state, findings } = claim;
  const location = claim.location?.anchoring === 'unanchored' ? null : claim.location;
  const line = location?.line ?? null;
  const fingerprint =
    location === null || location.side === 'old' ? null : snapshot.fingerprint(location.path);
  const { supporters = [], wordings = [], history = [], answers } = known ?? {};
  const said = findings.map(({ reviewer, text: words, category }) => ({
    reviewer,
    text: words,
    category,
    run,
  }));
  return {
    id,
    text,
    severity,
    category: categoryOf(claim),
    path: claim.location?.path ?? null,
    line,
    side: location?.side ?? 'new',
    code:
      fingerprint === null || line === null
        ? null
        : fingerprintPlace(fingerprint, line, location?.endLine ?? null),
    files:
      location === null
        ? change.files
            .map(({ path }) => path)
            .sort()
            .slice(0, mostFiles)
        : [location.path],
    wordings: firstOfEach([...wordings, ...said], ({ reviewer, text: words }) =>
      [reviewer, words.toLowerCase()].join('\n'),
    ).slice(-mostWordings),
    supporters: firstOfEach(
      [
        ...supporters,
        ...claim.supporters.map(reviewer => ({
          reviewer,
          family: families.get(reviewer) ?? null,
          run,
        })),
      ],
      ({ reviewer }) => reviewer,
    ),
    ...(answers && { answers }),
    history: withoutMiddle([
      ...history,
      {
        run,
        at,
        state,
        confidence:
          confidence === null
            ? null
            : { stated: confidence, modelled: withoutRecalibration(confidence, recalibration) },
      },
    ]),
  };
}

function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const keys = new Set<string>();
  return items.filter(item => !keys.has(keyOf(item)) && keys.add(keyOf(item)));
}

function withoutMiddle(history: KnownClaim['history']): KnownClaim['history'] {
  return history.length <= mostHistory ? history : [...history.slice(0, 1), ...history.slice(2)];
}

/**
 * Which known claims a run shows to be fixed. Silence counts only where the reviewers who said it were listening: each of
 * them completed, read the file in full, and was shown the code if it still stands. Built-in checks look at added lines alone.
 * `unsaid`: known claims that the run does not repeat. Dismissed ones stay dismissed.
 */
function findFixed(
  unsaid: readonly KnownClaim[],
  { reviews }: Pick<RunToRemember, 'reviews'>,
  snapshot: Snapshot,
): FixedClaim[] {
  const readers = new Map<string, Set<string>>();
  for (const { reviewer, coverage } of reviews.filter(({ status }) => status === 'complete'))
    for (const { path, extent, from } of coverage)
      // Who read it in an earlier run was not asked in this one: that it is silent says nothing new.
      if (extent === 'full' && from === undefined)
        readers.set(path, (readers.get(path) ?? new Set()).add(reviewer));
  const checks = new Set(
    reviews.filter(review => !isReader(review)).map(({ reviewer }) => reviewer),
  );
  return unsaid
    .filter(isOpen)
    .flatMap(claim => {
      const reason = whyFixed(claim, { readers, checks }, snapshot);
      if (reason === null) return [];
      const { id, severity, text, path, line } = claim;
      return [{ id, severity, text, location: path === null ? null : { path, line }, reason }];
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

interface Listeners {
  /** By path: the reviewers that read the file in full. */
  readonly readers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly checks: ReadonlySet<string>;
}

/** Null: not shown to be fixed. A claim about what the change takes away does not end with the file or the code. */
function whyFixed(
  { code, files, line, side, supporters }: KnownClaim,
  { readers, checks }: Listeners,
  snapshot: Snapshot,
): string | null {
  const paths = files.map(path => snapshot.currentPath(path, code));
  const [path = null] = paths;
  if (path === null || paths.includes(null)) return null;
  if (side === 'new' && paths.every(file => file !== null && snapshot.isDeleted(file)))
    return 'Its file is gone.';
  const fingerprint = code === null ? null : snapshot.fingerprint(path);
  if (fingerprint !== null && code !== null && isGone(fingerprint, code))
    return 'Its code is gone.';
  const standing =
    fingerprint === null || code === null ? null : findFingerprint(fingerprint, code, line);
  const left =
    standing !== null
      ? [standing.line]
      : fingerprint === null || code === null
        ? []
        : linesLeft(fingerprint, code);
  // Code that stands outside of what the reviewers were shown, as it was or in part, was not looked at.
  if (left.length > 0 && !left.some(at => snapshot.isShown(path, at))) return null;
  const isOld = standing !== null && !snapshot.isAdded(path, standing.line);
  const hasRead = (reviewer: string): boolean =>
    paths.every(file => readers.get(file ?? '')?.has(reviewer) === true) &&
    !(isOld && checks.has(reviewer));
  const names = supporters.map(({ reviewer }) => reviewer);
  if (names.length === 0 || !names.every(hasRead)) return null;
  return `${names.join(', ')} read it again and ${names.length === 1 ? 'does' : 'do'} not repeat it.`;
}
