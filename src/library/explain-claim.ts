/** Works out again why a claim of a run is what it is, with the matcher that formed it. */
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { createAssessor, type Assessor } from '../core/matching/confidence.ts';
import { explainClaim, type ClaimExplanation } from '../core/matching/explain.ts';
import { UserError } from '../core/errors.ts';
import { findClaim } from '../core/memory/decision.ts';
import { reliabilityOf } from '../core/memory/reliability.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Run } from '../core/words/run.ts';
import { confidenceSettingsFor } from '../engine/confidence-settings.ts';
import type { Call } from './call.ts';
import { readEndedRun, readPlan, readRecords } from './earlier-run.ts';
import { openMatcher } from './open-matcher.ts';
import { openProject, type ProjectFiles } from './project-files.ts';

export interface ExplanationRequest {
  /** Id of a claim, the beginning of one, or a finding that it holds. */
  readonly claim: string;
  /** Id of the run to look at; null: the one that answered last if it holds the claim, else the latest that does. */
  readonly run: string | null;
}

export async function explainClaimNamed(
  { claim: wanted, run: named }: ExplanationRequest,
  call: Call,
): Promise<ClaimExplanation> {
  const project = await openProject(call);
  const { run, id } = await runWith(wanted, named, project);
  const { record } = run;
  const claim = record.claims.find(candidate => candidate.id === id);
  if (claim === undefined)
    throw new UserError(`Run ${record.run} has no claim ${id}.`, {
      kind: 'input',
      hint: `See "jury show ${record.run}".`,
    });
  const plan = await readPlan(await openRunFolder(project.state, record.run));
  if (plan === null)
    throw new UserError(`Run ${record.run} does not say how its findings were matched.`, {
      kind: 'input',
    });
  const taken = record.dismissed.find(dismissed => dismissed.id === id)?.by ?? id;
  return explainClaim({
    record,
    claim,
    matcher: await openMatcher(plan, project.root, call),
    assess: await assessorFor(run, plan, project),
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
): Promise<{ readonly run: Run; readonly id: string }> {
  if (named !== null) {
    const run = await readEndedRun(state, named);
    return {
      run,
      id: findClaim(
        wanted,
        run.record.claims.map(({ id }) => id),
        run.record,
      ),
    };
  }
  const id = findClaim(
    wanted,
    [
      ...(latest?.record.claims ?? []).map(claim => claim.id),
      ...memory.claims.map(claim => claim.id),
    ],
    latest?.record ?? null,
  );
  if (latest?.record.claims.some(claim => claim.id === id) === true) return { run: latest, id };
  const record = (await readRecords(state)).find(({ claims }) =>
    claims.some(claim => claim.id === id),
  );
  if (record === undefined)
    throw new UserError(`${id} is remembered, but no run that is kept says it.`, {
      kind: 'input',
      hint: 'Review the change again to have it explained.',
    });
  return { run: await readEndedRun(state, record.run), id };
}

/** As in the run, with what people have decided since. */
async function assessorFor(
  { reviews, subject, record }: Run,
  plan: Plan,
  { memory }: ProjectFiles,
): Promise<Assessor | null> {
  const reliability = reliabilityOf(memory);
  const settings = await confidenceSettingsFor(subject, plan.seats, {
    reliability: () => Promise.resolve(reliability),
  });
  if (settings === null) return null;
  const listened = reviews.filter(({ status }) => status !== 'failed');
  const partial = new Set(
    listened.filter(({ status }) => status === 'partial').map(({ reviewer }) => reviewer),
  );
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
  return createAssessor(settings.model, { ...settings, partial, findings });
}
