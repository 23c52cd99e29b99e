/** What a person asks and decides about the claims of a project, beside any run: decisions, the baseline, explanations, statistics. */
import { parseBaseline, readBaselineText, writeBaseline } from '../adapters/memory/memory-file.ts';
import { inputError, usageError } from '../core/errors.ts';
import {
  categoryOf,
  createAssessor,
  decideAbout,
  decidedConfidences,
  type DecidedThing,
  type Decision,
  explainClaim,
  judgedBy,
  recalibrationOf,
  reliabilityOf,
} from '../agreement/index.ts';
import { type Disposition, type Run, isDismissal, latestByClaim } from '../core/words/run.ts';
import { rankOf } from '../core/words/finding.ts';
import { findClaim, printedIdsOf } from '../core/run-files/finding-names.ts';
import type { Statistics } from '../core/printed/checks.ts';
import { claimNumbers } from '../core/words/claim.ts';
import type { Plan } from '../core/words/plan.ts';
import { computeStatistics } from '../render/statistics.ts';
import { confidenceSettingsFor } from '../engine/conclude.ts';
import type { Call } from './call.ts';
import {
  requirePlan,
  readEndedRun,
  readLatestRun,
  readRecords,
  readRuns,
  stateOf,
} from './own-state.ts';
import { openMatcher, openOwnMemory, spentThisMonth } from './open-memory.ts';

export interface DecisionRequest extends Omit<Decision, 'at' | 'sameAs'> {
  /** Id of a claim, the beginning of one, or a finding of the run that answered last. */
  readonly claim: string;
  /** Write it into the committed baseline as well. */
  readonly baseline: boolean;
  /** Name of another claim that is the same trouble. Then the reason may be empty. */
  readonly sameAs?: string | undefined;
}

/** What a decision is about, told before it is written down. */
export interface MeantClaim extends Pick<DecidedThing, 'id' | 'text' | 'severity'> {
  /** Id of the run that says it: the one that answered last, else the last that did; null where only the baseline knows it. */
  readonly run: string | null;
  /** Its number in the report of that run; null where it is not the one that answered last. */
  readonly number: number | null;
  /** Line 1-based, null where only the file is known; null where it names no place. */
  readonly place: { readonly path: string; readonly line: number | null } | null;
}

export interface Decided {
  readonly disposition: Disposition;
  /** Path of the baseline file; null when it was not written. */
  readonly file: string | null;
}

/** `announce` is told what is meant before anything is written. */
export async function decideClaim(
  { claim: wanted, baseline, sameAs: other, ...decision }: DecisionRequest,
  call: Call,
  announce: (meant: MeantClaim) => void,
): Promise<Decided> {
  const project = await openProject(call);
  const thing = thingNamed(wanted, project);
  const { latest, memory } = project;
  if (baseline && other !== undefined)
    throw usageError(
      'That a claim is the same trouble as another one is remembered on this machine alone: --same-as and --baseline exclude each other.',
    );
  const same = other === undefined ? null : thingNamed(other, project);
  if (same && same.id !== thing.id) refuseUnlessStanding(same, thing, memory.dispositions);
  const decided = decideAbout(thing, {
    ...decision,
    ...(same !== null && { sameAs: same.id }),
    at: call.clock.now().toISOString(),
  });
  const judged = latest ? judgedBy(decided, latest.record, memory.dispositions) : [];
  const disposition = { ...decided, ...(judged.length > 0 && { judged }) };
  announce(meantClaim(thing, project));
  await project.file.update(async () => ({
    claims: [],
    dispositions: [disposition],
    result: null,
  }));
  return {
    disposition,
    file: baseline ? await writeBaseline(topOf(project), [disposition, ...project.baseline]) : null,
  };
}

/** The other one is what the trouble is told by from now on. */
function refuseUnlessStanding(
  same: DecidedThing,
  { id, severity }: DecidedThing,
  dispositions: readonly Disposition[],
) {
  const decided = latestByClaim(dispositions).get(same.id);
  if (decided && isDismissal(decided))
    throw inputError(
      `${same.id} is dismissed itself: nothing would be left that tells of the trouble.`,
      `To take that back, run "jury accept ${same.id}".`,
    );
  if (rankOf(same.severity) > rankOf(severity))
    throw inputError(
      `${same.id} is ${same.severity}, and ${id} is ${severity}: the more severe of the two has to stay.`,
      `Dismiss the other one: jury dismiss ${same.id} --same-as ${id}`,
    );
}

function meantClaim({ id, text, severity, path }: DecidedThing, { latest, memory }: ProjectFiles) {
  const known = memory.claims.find(claim => claim.id === id);
  const said = latest?.record.claims.find(claim => claim.id === id);
  const location = said ? said.location : known;
  return {
    id,
    text,
    severity,
    run: (said ? latest?.record.run : known?.history.at(-1)?.run) ?? null,
    number: latest && (claimNumbers(latest.record).get(id) ?? null),
    place: path === null ? null : { path, line: location?.line ?? null },
  };
}

export interface WrittenBaseline {
  readonly file: string;
  readonly dispositions: number;
}

/** Every decision that is remembered, with those the baseline has already. Null, and nothing is written, when there are none. */
export async function writeProjectBaseline(call: Call): Promise<WrittenBaseline | null> {
  const project = await openProject(call);
  const dispositions = [...latestByClaim(project.memory.dispositions).values()].filter(
    ({ sameAs }) => sameAs === undefined,
  );
  return dispositions.length === 0
    ? null
    : {
        file: await writeBaseline(topOf(project), dispositions),
        dispositions: dispositions.length,
      };
}

function topOf({ state: { repositoryRoot } }: ProjectFiles) {
  if (repositoryRoot === null)
    throw inputError('A baseline lies at the top of a git repository, and this is none.');
  return repositoryRoot;
}

/** The memory knows best; a claim of the last answer may be younger than it, one of the baseline from another machine. */
function thingNamed(wanted: string, { memory, latest }: ProjectFiles) {
  const things = new Map<string, DecidedThing>([
    ...(latest?.record.claims ?? []).map(claim => {
      const { id, text, severity, location } = claim;
      return [
        id,
        {
          id,
          text,
          severity,
          category: categoryOf(claim),
          path: location?.path ?? null,
          code: null,
        },
      ] as const;
    }),
    ...[...latestByClaim(memory.dispositions).values()].map(
      disposition => [disposition.claim, { ...disposition, id: disposition.claim }] as const,
    ),
    ...memory.claims.map(claim => [claim.id, claim] as const),
  ]);
  const id = findClaim(wanted, [...things.keys()], latest);
  const thing = things.get(id);
  if (!thing) throw new Error(`The claim ${id} was found and is not there.`);
  if (
    latest?.subject.kind === 'question' &&
    !memory.claims.some(claim => claim.id === id) &&
    latest.record.claims.some(claim => claim.id === id)
  ) {
    throw inputError(
      `${id} is part of the answer to a question; only claims about changes and files are remembered.`,
    );
  }
  return thing;
}

/** Works out again why a claim of a run is what it is, with the matcher that formed it. */
export interface ExplanationRequest {
  /** Id of a claim, the beginning of one, or a finding that it holds. */
  readonly claim: string;
  /** Id of the run to look at; null: the one that answered last if it holds the claim, else the latest that does. */
  readonly run: string | null;
}

export async function explainClaimNamed(
  { claim: wanted, run: named }: ExplanationRequest,
  call: Call,
) {
  const project = await openProject(call);
  const { run, claim } = await runWith(wanted, named, project);
  const { record } = run;
  const { id } = claim;
  const plan = await requirePlan(project.state, record.run);
  const taken = record.dismissed.find(dismissed => dismissed.id === id)?.by ?? id;
  return explainClaim({
    formed: record,
    printed: printedIdsOf(run.reviews),
    claim,
    matcher: await openMatcher(plan, project.state, call),
    assess: await assessorFor(run, plan, project),
    recorded: [],
    known: project.memory.claims.find(known => known.id === id) ?? null,
    decisions: project.memory.dispositions.filter(
      disposition => disposition.claim === id || disposition.claim === taken,
    ),
  });
}

/** A claim that is remembered may be in an older run than the one that answered last, or in none that is kept. */
async function runWith(
  wanted: string,
  named: string | null,
  { state, memory, latest }: ProjectFiles,
) {
  const run = named === null ? latest : await readEndedRun(state, named);
  const own = run?.record.claims ?? [];
  const known = [...own, ...(named === null ? memory.claims : [])];
  const id = findClaim(
    wanted,
    known.map(each => each.id),
    run,
  );
  const claim = own.find(each => each.id === id);
  if (run && claim) return { run, claim };
  for (const older of await readRecords(state)) {
    const said = older.claims.find(each => each.id === id);
    if (said) return { run: await readEndedRun(state, older.run), claim: said };
  }
  throw inputError(
    `${id} is remembered, but no run that is kept says it.`,
    'Review the change again to have it explained.',
  );
}

/** As in the run, with what people have decided since. */
async function assessorFor(
  { reviews, subject, record }: Run,
  plan: Plan,
  { memory }: ProjectFiles,
) {
  const settings = await confidenceSettingsFor(subject, plan.seats, {
    reliability: async () => reliabilityOf(memory),
    recalibration: async () => recalibrationOf(decidedConfidences(memory)),
  });
  if (!settings) return null;
  const listened = reviews.filter(({ status }) => status !== 'failed');
  // The assessor knows findings by themselves, and those of the claims were read from another file.
  const claimed = new Map(
    record.claims.flatMap(({ findings }) =>
      findings.map(finding => [finding.id, finding] as const),
    ),
  );
  const findings = listened
    .flatMap(review => review.findings)
    .filter(({ isImprovement }) => !isImprovement)
    .map(finding => claimed.get(finding.id) ?? finding);
  return createAssessor(settings.model, { ...settings, reviews, findings });
}

/** Reads all that is kept and remembered, and counts it by reviewer. */
export async function gatherStatistics(call: Call): Promise<Statistics> {
  const { state, memory } = await openProject(call);
  const month = await spentThisMonth(state, call);
  return { ...computeStatistics(memory, await readRuns(state)), month };
}

/** Everything a project knows about claims, as the commands beside a run see it: the last answer, the memory, the baseline. */
type ProjectFiles = Awaited<ReturnType<typeof openProject>>;

async function openProject(call: Call) {
  const state = await stateOf(call);
  const { repositoryRoot } = state;
  const file = openOwnMemory(state, call);
  const text = repositoryRoot === null ? null : await readBaselineText(repositoryRoot);
  const baseline = await parseBaseline(text);
  const { claims, dispositions } = await file.read();
  return {
    state,
    file,
    baseline,
    memory: { claims, dispositions: [...dispositions, ...baseline] },
    latest: await readLatestRun(state),
  };
}
