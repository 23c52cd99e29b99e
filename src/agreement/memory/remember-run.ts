/**
 * What a run makes of a project's memory, and the memory of the run: claims keep the ids they had, get their states, and
 * what is said no more is fixed, if everyone who said it looked again. Pure but for reading the files of the change.
 */
import {
  fingerprintPlace,
  isGone,
  linesLeft,
  type Snapshot,
  takeSnapshot,
} from '../../core/change/snapshot.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import { by } from '../../core/groups.ts';
import { type Claim, clamp, logOddsOf, probabilityOf } from '../../core/words/claim.ts';
import {
  type DismissedClaim,
  type Disposition,
  type KnownClaim,
  lastState,
  latestByClaim,
  type ProjectMemory,
  type Recalibration,
  type RememberedRun,
  type RunToRemember,
} from '../../core/words/run.ts';
import { isReader } from '../../core/words/runner.ts';
import { createNames } from '../claims.ts';
import {
  categoryOf,
  decisionsFor,
  decisionsOn,
  dismissalOf,
  findCode,
  isUnwanted,
} from './decision.ts';
import { recogniseClaims } from './recognise.ts';

/** With a matcher that is prepared here, for other findings than those of the run: it must be of no further use to the caller. */
interface SeenRun extends RunToRemember {
  matcher: Matcher;
}

export async function rememberRun(memory: ProjectMemory, seen: SeenRun): Promise<RememberedRun> {
  const { run, at, matcher } = seen;
  const remembered = beforeRun(memory.claims, run);
  const known = [...remembered, ...onlyDecided(memory.dispositions, remembered)];
  const places = [...seen.claims.map(({ location }) => location), ...known];
  const snapshot = await takeSnapshot({
    ...seen,
    paths: new Set(places.flatMap(place => place?.path ?? [])),
  });
  const recognised = await recogniseClaims(seen.claims, known, snapshot, matcher);
  const idOf = nameAll(seen, recognised, known);
  const holding = decisionsOn(memory.dispositions, at.slice(0, 10));
  const merged = new Set(holding.flatMap(({ claim, sameAs }) => (sameAs ? claim : [])));
  const open = new Map(
    seen.claims
      .filter(claim => {
        const alone = decisionsFor(claim, holding, new Map());
        return !dismissalOf(claim, recognised.get(claim.id)?.id, alone, snapshot);
      })
      .map(({ id, severity }) => [idOf(id), severity] as const)
      .filter(([id]) => !merged.has(id)),
  );
  const dismissed: DismissedClaim[] = [];
  const claims = seen.claims.map(claim => {
    const own = recognised.get(claim.id);
    const id = idOf(claim.id);
    const dismissal = dismissalOf(claim, own?.id, decisionsFor(claim, holding, open), snapshot);
    if (dismissal) {
      const { verdict, reason, scope, until, claim: by } = dismissal;
      dismissed.push({ id, verdict, reason, scope, until, by });
    }
    const state = dismissal ? ('dismissed' as const) : stateOf(own);
    return { ...claim, id, contradicts: claim.contradicts.map(idOf).sort(), state };
  });
  const said = new Set(claims.map(({ id }) => id));
  const ended = (seen.isDecided(claims) ? remembered : [])
    .filter(claim => !said.has(claim.id) && isOpen(claim) && !isUnwanted(claim, holding))
    .flatMap(claim => {
      const reason = whyFixed(claim, seen.reviews, snapshot);
      return reason === null ? [] : [{ claim, reason }];
    })
    .sort(by(({ claim }) => claim.id));
  return {
    claims,
    fixed: ended.map(({ claim: { id, severity, text, path, line }, reason }) => ({
      id,
      severity,
      text,
      location: path === null ? null : { path, line },
      reason,
    })),
    dismissed,
    changed: [
      ...claims.map((claim, index) =>
        addSeen(recognised.get(seen.claims[index]?.id ?? ''), claim, seen, snapshot),
      ),
      ...ended.map(({ claim }) => ({
        ...claim,
        history: [...claim.history, { run, at, state: 'fixed' as const, confidence: null }],
      })),
    ],
  };
}

/** What was known before a run decided anything: so that a run concluded again comes to the same. */
function beforeRun(claims: readonly KnownClaim[], run: string) {
  return claims
    .map(claim =>
      claim.history.some(entry => entry.run === run)
        ? {
            ...claim,
            history: claim.history.filter(entry => entry.run !== run),
            wordings: claim.wordings.filter(wording => wording.run !== run),
            supporters: claim.supporters.filter(supporter => supporter.run !== run),
          }
        : claim,
    )
    .filter(({ history }) => history.length > 0);
}

/** A decision that came with the baseline file speaks for a claim that this machine may never have seen. */
function onlyDecided(
  dispositions: readonly Disposition[],
  remembered: readonly KnownClaim[],
): KnownClaim[] {
  const known = new Set(remembered.map(({ id }) => id));
  return [...latestByClaim(dispositions).values()]
    .filter(({ claim }) => !known.has(claim))
    .map(({ claim: id, ...decided }) => ({
      ...decided,
      id,
      line: null,
      side: 'new',
      files: [],
      wordings: [],
      supporters: [],
      history: [],
    }));
}

/** By the id in the run: that of the known claim it continues; a new claim whose own id belongs to a known one is numbered on. */
function nameAll(
  { claims }: SeenRun,
  recognised: ReadonlyMap<string, KnownClaim>,
  known: readonly KnownClaim[],
): (id: string) => string {
  const taken = new Set(known.map(({ id }) => id));
  const nameOf = createNames(new Set([...taken, ...claims.map(({ id }) => id)]));
  const ids = new Map(
    claims.map(claim => [
      claim.id,
      recognised.get(claim.id)?.id ?? (taken.has(claim.id) ? nameOf(claim) : claim.id),
    ]),
  );
  return id => ids.get(id) ?? id;
}

/** A dismissal that holds no longer leaves the claim as open as if it had never been given: it comes back. */
function stateOf(known: KnownClaim | undefined): Claim['state'] {
  if (!known) return 'new';
  return known.history.length > 0 && isOpen(known) ? 'persisting' : 'reopened';
}

function isOpen(claim: KnownClaim) {
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
) {
  const { id, severity, confidence, state } = claim;
  const { supporters = [], wordings = [], history = [] } = known ?? {};
  // Of what is dismissed no words are learnt: a decision holds for those that somebody saw.
  const isLearnt = !known || state !== 'dismissed';
  const findings = isLearnt ? claim.findings : [];
  const here = claim.location?.anchoring === 'unanchored' ? null : claim.location;
  const { line = null, endLine = null, side = 'new' } = here ?? {};
  const file = !here || side === 'old' ? null : snapshot.fingerprint(here.path);
  // What is said again goes behind the others, with the run that brought it.
  const said = [
    ...wordings,
    ...findings.map(({ reviewer, text: words, category }) => ({
      reviewer,
      text: words,
      category,
      run,
    })),
  ];
  const brought = new Map(
    said
      .toReversed()
      .map(wording => [`${wording.reviewer}\n${wording.text.toLowerCase()}`, wording]),
  );
  const voices = new Set(supporters.map(({ reviewer }) => reviewer));
  const joining = claim.supporters
    .filter(reviewer => !voices.has(reviewer))
    .map(reviewer => ({ reviewer, family: families.get(reviewer) ?? null, run }));
  const figures =
    confidence === null
      ? null
      : {
          stated: confidence,
          modelled: withoutRecalibration(confidence, recalibration),
        };
  const seen = { run, at, state, confidence: figures };
  return {
    id,
    text: isLearnt ? claim.text : known.text,
    severity,
    category: categoryOf(claim),
    path: claim.location?.path ?? null,
    line,
    side,
    code: !file || line === null ? null : fingerprintPlace(file, line, endLine),
    files: here
      ? [here.path]
      : change.files
          .map(({ path }) => path)
          .sort()
          .slice(0, mostFiles),
    wordings: [...brought.values()].slice(0, mostWordings).toReversed(),
    supporters: [...supporters, ...joining],
    history: [...history.slice(0, 1), ...history.slice(1).slice(2 - mostHistory), seen],
  };
}

/**
 * Why a known claim that a run does not repeat is fixed; null: that is not shown. Silence counts only where the reviewers who said
 * it were listening: each of them completed, read the file in full, and was shown the code if it still stands. Built-in checks look
 * at added lines alone. A claim about what the change takes away does not end with the file or the code.
 */
function whyFixed(
  { code, files, line, side, supporters }: KnownClaim,
  reviews: RunToRemember['reviews'],
  snapshot: Snapshot,
) {
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
  const names = supporters.map(({ reviewer }) => reviewer);
  // Who read it in an earlier run was not asked in this one: that it is silent says nothing new.
  const areSilent = names.every(name =>
    listeners.some(
      ({ reviewer, coverage }) =>
        reviewer === name &&
        paths.every(each =>
          coverage.some(
            unit => unit.path === each && unit.extent === 'full' && unit.from === undefined,
          ),
        ),
    ),
  );
  if (names.length === 0 || !areSilent) return null;
  return `${names.join(', ')} read it again and ${names.length === 1 ? 'does' : 'do'} not repeat it.`;
}

// How the decisions of a project correct the confidence of its claims: the share that people accepted against what the model said
// of the same claims. Two figures, drawn towards no correction at all, and none before there are enough decisions.

/** A claim somebody decided about, with what was said of it when they did. */
export interface DecidedConfidence {
  /** As it was shown, 0 to 1. */
  readonly stated: number;
  /** What the model said before any correction. */
  readonly modelled: number;
  /** Accepted or tolerated, not dismissed as false. */
  readonly isTrue: boolean;
}

/**
 * Decided claims needed, and of each kind. The standard error of a share counted in a hundred cases is at most .05, half a bin
 * of the curve; with fewer than twenty of a kind the slope is a guess.
 */
export const fewestDecisions = { all: 100, ofEachKind: 20 } as const;

/** Precisions of the prior around (0, 1), whose standard deviations are 1 and .5: reviewers of one project are rarely further off. */
const priorPrecision = { intercept: 1, slope: 4 } as const;
const leastSlope = 0.1;
const steps = 50;

/** Those decided claims of which it is known what was said when somebody decided. */
export function decidedConfidences({ claims, dispositions }: ProjectMemory): DecidedConfidence[] {
  const latest = latestByClaim(dispositions);
  return claims.flatMap(({ id, history }) => {
    const decision = latest.get(id);
    if (!decision) return [];
    // That of the last run before the decision.
    const seen = history.findLast(entry => entry.at <= decision.at && entry.confidence !== null);
    return seen?.confidence
      ? [{ ...seen.confidence, isTrue: decision.verdict !== 'rejected' }]
      : [];
  });
}

/**
 * Platt's two-parameter scaling ("Probabilistic outputs for support vector machines", 1999) with a normal prior around (0, 1),
 * by Newton's method. Null with fewer decisions than `fewestDecisions`.
 */
export function recalibrationOf(decided: readonly DecidedConfidence[]) {
  const right = decided.filter(({ isTrue }) => isTrue).length;
  if (
    decided.length < fewestDecisions.all ||
    Math.min(right, decided.length - right) < fewestDecisions.ofEachKind
  )
    return null;
  let [intercept, slope] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    let [bendIntercept, bendBoth, bendSlope] = [priorPrecision.intercept, 0, priorPrecision.slope];
    let [pullIntercept, pullSlope] = [-bendIntercept * intercept, -bendSlope * (slope - 1)];
    for (const { modelled, isTrue } of decided) {
      const odds = logOdds(modelled);
      const chance = probabilityOf(intercept + slope * odds);
      const bend = chance * (1 - chance);
      const miss = Number(isTrue) - chance;
      pullIntercept += miss;
      pullSlope += miss * odds;
      bendIntercept += bend;
      bendBoth += bend * odds;
      bendSlope += bend * odds * odds;
    }
    const determinant = bendIntercept * bendSlope - bendBoth * bendBoth;
    intercept += (bendSlope * pullIntercept - bendBoth * pullSlope) / determinant;
    slope += (bendIntercept * pullSlope - bendBoth * pullIntercept) / determinant;
  }
  return { intercept, slope: Math.max(slope, leastSlope), decisions: decided.length };
}

/** A log-odds scale moved and stretched. */
export function withRecalibration(modelled: number, { intercept, slope }: Recalibration) {
  return probabilityOf(intercept + slope * logOdds(modelled));
}

/** What the model said, of what was shown under a correction. */
export function withoutRecalibration(
  stated: number,
  recalibration: Pick<Recalibration, 'intercept' | 'slope'> | null,
) {
  if (!recalibration) return stated;
  return probabilityOf((logOdds(stated) - recalibration.intercept) / recalibration.slope);
}

/** The probability is kept a thousandth away from 0 and 1: one decision must not weigh more than all others. */
function logOdds(probability: number) {
  return logOddsOf(clamp(probability, 0.001, 0.999));
}
