/**
 * What a run makes of a project's memory, and the memory of the run: claims keep the ids they had, get their states, and
 * what is said no more is fixed, if everyone who said it looked again. Pure but for reading the files of the change.
 */
import { fingerprintPlace, isGone, linesLeft } from '../../core/change/code-fingerprint.ts';
import { type Snapshot, takeSnapshot } from '../../core/change/snapshot.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import type { Claim } from '../../core/words/claim.ts';
import {
  beforeRun,
  type Disposition,
  type KnownClaim,
  lastState,
  latestByClaim,
  type ProjectMemory,
  type RememberedRun,
  type RunToRemember,
} from '../../core/words/known-claim.ts';
import { isReader } from '../../core/words/reader.ts';
import { createNames } from '../claims.ts';
import { categoryOf, decisionsOn, dismissalOf, findCode, isUnwanted } from './decision.ts';
import { withoutRecalibration } from './recalibration.ts';
import { recogniseClaims } from './recognise.ts';

/** With a matcher that is prepared here, for other findings than those of the run: it must be of no further use to the caller. */
interface SeenRun extends RunToRemember {
  readonly matcher: Matcher;
}

export async function rememberRun(memory: ProjectMemory, seen: SeenRun): Promise<RememberedRun> {
  const { run, at, matcher } = seen;
  const remembered = beforeRun(memory.claims, run);
  const known = [...remembered, ...onlyDecided(memory.dispositions, remembered)];
  const paths = [...seen.claims.map(({ location }) => location), ...known].map(each => each?.path);
  const snapshot = await takeSnapshot({
    ...seen,
    paths: new Set(paths.filter(path => typeof path === 'string')),
  });
  const recognised = await recogniseClaims(seen.claims, known, snapshot, matcher);
  const idOf = nameAll(seen, recognised, known);
  const holding = decisionsOn(memory.dispositions, at.slice(0, 10));
  const dismissals = new Map<string, Disposition>();
  const claims = seen.claims.map(claim => {
    const own = recognised.get(claim.id);
    const id = idOf(claim.id);
    const dismissal = dismissalOf(claim, own?.id, holding, snapshot);
    if (dismissal !== null) dismissals.set(id, dismissal);
    const state = dismissal === null ? stateOf(own) : ('dismissed' as const);
    return { ...claim, id, contradicts: claim.contradicts.map(idOf).sort(), state };
  });
  const byId = new Map(remembered.map(claim => [claim.id, claim]));
  const said = new Set(claims.map(({ id }) => id));
  const unsaid = remembered.filter(claim => !said.has(claim.id) && !isUnwanted(claim, holding));
  const ended = seen.isDecided(claims) ? findFixed(unsaid, seen, snapshot) : [];
  const end = { run, at, state: 'fixed' as const, confidence: null };
  return {
    claims,
    fixed: ended.map(({ claim: { id, severity, text, path, line }, reason }) => {
      return { id, severity, text, location: path === null ? null : { path, line }, reason };
    }),
    dismissed: [...dismissals].map(([id, { verdict, reason, scope, until, claim: by }]) => ({
      id,
      verdict,
      reason,
      scope,
      until,
      by,
    })),
    changed: [
      ...claims.map(claim => addSeen(byId.get(claim.id), claim, seen, snapshot)),
      ...ended.map(({ claim }) => ({ ...claim, history: [...claim.history, end] })),
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
      files: [],
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
): (id: string) => string {
  const taken = new Set(known.map(({ id }) => id));
  const nameOf = createNames(hash, new Set([...taken, ...claims.map(({ id }) => id)]));
  const ids = new Map(
    claims.map(claim => {
      const { id } = claim;
      return [id, recognised.get(id)?.id ?? (taken.has(id) ? nameOf(claim) : id)];
    }),
  );
  return id => ids.get(id) ?? id;
}

/** A dismissal that holds no longer leaves the claim as open as if it had never been given: it comes back. */
function stateOf(known: KnownClaim | undefined): Claim['state'] {
  if (known === undefined) return 'new';
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

/** How a claim is remembered once a run has seen it. `known` as it was before the run. */
function addSeen(
  known: KnownClaim | undefined,
  claim: Claim,
  { run, at, change, families, recalibration = null }: RunToRemember,
  snapshot: Snapshot,
): KnownClaim {
  const { id, text, severity, confidence, state, findings } = claim;
  const { supporters = [], wordings = [], history = [], answers } = known ?? {};
  const here = claim.location?.anchoring === 'unanchored' ? null : claim.location;
  const { line = null, endLine = null, side = 'new' } = here ?? {};
  const file = here === null || side === 'old' ? null : snapshot.fingerprint(here.path);
  // What is said again goes behind the others, with the run that brought it.
  const said = new Map(wordings.map(wording => [keyOf(wording), wording]));
  for (const { reviewer, text: words, category } of findings) {
    const wording = { reviewer, text: words, category, run };
    const before = said.get(keyOf(wording)) ?? wording;
    said.delete(keyOf(wording));
    said.set(keyOf(wording), before);
  }
  const voices = new Map(supporters.map(supporter => [supporter.reviewer, supporter]));
  for (const reviewer of claim.supporters)
    if (!voices.has(reviewer))
      voices.set(reviewer, { reviewer, family: families.get(reviewer) ?? null, run });
  const figures = confidence !== null && {
    stated: confidence,
    modelled: withoutRecalibration(confidence, recalibration),
  };
  const seen = { run, at, state, confidence: figures || null };
  return {
    id,
    text,
    severity,
    category: categoryOf(claim),
    path: claim.location?.path ?? null,
    line,
    side,
    code: file === null || line === null ? null : fingerprintPlace(file, line, endLine),
    files:
      here === null
        ? change.files
            .map(({ path }) => path)
            .sort()
            .slice(0, mostFiles)
        : [here.path],
    wordings: [...said.values()].slice(-mostWordings),
    supporters: [...voices.values()],
    ...(answers && { answers }),
    history: [...history.slice(0, 1), ...history.slice(1).slice(2 - mostHistory), seen],
  };
}

function keyOf({ reviewer, text }: KnownClaim['wordings'][number]): string {
  return `${reviewer}\n${text.toLowerCase()}`;
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
): { readonly claim: KnownClaim; readonly reason: string }[] {
  return unsaid
    .filter(isOpen)
    .flatMap(claim => {
      const reason = whyFixed(claim, reviews, snapshot);
      return reason === null ? [] : [{ claim, reason }];
    })
    .sort((one, other) => (one.claim.id < other.claim.id ? -1 : 1));
}

/** Null: not shown to be fixed. A claim about what the change takes away does not end with the file or the code. */
function whyFixed(
  { code, files, line, side, supporters }: KnownClaim,
  reviews: RunToRemember['reviews'],
  snapshot: Snapshot,
): string | null {
  const paths = files.flatMap(path => snapshot.currentPath(path, code) ?? []);
  const [path] = paths;
  if (path === undefined || paths.length < files.length) return null;
  if (side === 'new' && paths.every(each => snapshot.isDeleted(each))) return 'Its file is gone.';
  const file = code === null ? null : snapshot.fingerprint(path);
  if (file && code && isGone(file, code)) return 'Its code is gone.';
  const standing = findCode(snapshot, path, code, line);
  const left = standing ? [standing.line] : file && code ? linesLeft(file, code) : [];
  // Code that stands outside of what the reviewers were shown, as it was or in part, was not looked at.
  if (left.length > 0 && !left.some(at => snapshot.isShown(path, at))) return null;
  const isOld = standing !== null && !snapshot.isAdded(path, standing.line);
  const listeners = reviews.filter(
    review => review.status === 'complete' && (isReader(review) || !isOld),
  );
  // Who read it in an earlier run was not asked in this one: that it is silent says nothing new.
  const hasRead = ({ coverage }: (typeof reviews)[number], each: string): boolean =>
    coverage.some(unit => unit.path === each && unit.extent === 'full' && unit.from === undefined);
  const names = supporters.map(({ reviewer }) => reviewer);
  const areSilent = names.every(name =>
    listeners.some(
      review => review.reviewer === name && paths.every(each => hasRead(review, each)),
    ),
  );
  if (names.length === 0 || !areSilent) return null;
  return `${names.join(', ')} read it again and ${names.length === 1 ? 'does' : 'do'} not repeat it.`;
}
