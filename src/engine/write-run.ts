/** What a run leaves in its folder. Every file is whole or not there; the files of the reviewers come before anything is made of them. */
import type { Change } from '../core/words/change.ts';
import { toAgentOutput } from '../core/run-files/agent-output.ts';
import type { Measured } from '../core/context/measure.ts';
import type { Pack } from '../core/context/pack.ts';
import { renderPatch } from '../core/change/patch.ts';
import type { Plan } from '../core/words/plan.ts';
import type { RunStore } from '../core/ports.ts';
import type { Review } from '../core/words/review.ts';
import type { Run } from '../core/words/run.ts';
import { familyOf } from '../core/memory/family.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import { renderReturned } from '../core/run-files/returned.ts';
import { renderSynthesis } from '../core/run-files/synthesis-report.ts';
import {
  inputTypeOf,
  toMergedFindings,
  type PanelFacts,
} from '../core/run-files/merged-findings.ts';
import { renderReviewFile } from '../core/run-files/review-file.ts';
import { renderVerdictFile, toVerdictFile } from '../core/run-files/verdict-file.ts';
import type { World } from './world.ts';

/** What the reviewer was shown, for whoever asks later why it said what it said. */
export async function writePack(
  store: RunStore,
  { reviewer, instructions, prompt }: Pack,
  number: number,
): Promise<void> {
  await store.write(
    `context/${reviewer}${number === 1 ? '' : `.${number}`}.md`,
    `${instructions}\n\n${prompt}\n`,
  );
}

/** What the gates judge, as a file: the state they passed or closed on. */
export async function writeDiff(store: RunStore, { files }: Change): Promise<void> {
  await store.write('input.diff', files.map(renderPatch).join(''));
}

export interface HeldReview {
  readonly review: Review;
  /** Everything the reviewer literally wrote, attempt after attempt. Null: on disk already, the review is from the journal. */
  readonly transcripts: readonly string[] | null;
}

export async function writeReview(
  { store, clock, writeReviewFile }: Pick<World, 'store' | 'clock' | 'writeReviewFile'>,
  { review, transcripts }: HeldReview,
  isResearch = false,
): Promise<void> {
  const { reviewer } = review;
  const raw = `raw/${reviewer}.txt`;
  const answer = transcripts?.at(-1) ?? (await store.read(raw));
  const detailPath = `${store.copies ?? store.folder}/reviews/${reviewer}.md`;
  const verdict = toVerdictFile(review, {
    sessionId: store.runId,
    now: clock.now(),
    detailPath,
    answer,
    isResearch,
  });
  // Each waits for the disk: at once they wait together.
  await Promise.all([
    transcripts === null ? null : store.write(raw, transcripts.join('\n\n')),
    store.write(`raw/${reviewer}.json`, toJson(toAgentOutput(review, null))),
    writeReviewFile(reviewer, renderReviewFile(review, { runId: store.runId, answer })),
    store.write(`verdicts/${reviewer}.json`, renderVerdictFile(verdict)),
  ]);
}

export interface RunMaterial {
  readonly plan: Plan;
  /** Null when nobody has a budget, or when its files are written already. */
  readonly measured: Measured | null;
  /** Current branch, for the index of what was measured. */
  readonly branch?: string;
  /** The full report for people. */
  readonly report: string;
}

export async function writeRun(
  run: Run,
  { plan, measured, branch = 'unknown', report }: RunMaterial,
  store: RunStore,
): Promise<void> {
  const { record } = run;
  const brief = renderReturned(run);
  const merged = toMergedFindings(run, factsOf(plan));
  const files: Record<string, string> = {
    'subject.json': toJson(run.subject),
    ...(measured !== null && {
      'budget.json': toJson(measured.budget),
      'index.json': toJson(toIndexFile(measured, branch)),
    }),
    // What a reviewer's verdict is worth is known only now.
    ...Object.fromEntries(
      run.reviews.map(review => [
        `raw/${review.reviewer}.json`,
        toJson(
          toAgentOutput(
            review,
            record.consensusReview?.agents.find(({ reviewer }) => reviewer === review.reviewer) ??
              null,
          ),
        ),
      ]),
    ),
    'claims.json': toJson({ schema: 'jury.claims/1', run: record.run, claims: record.claims }),
    'reviews/findings.json': toJson(merged),
    'reviews/synthesis.md': renderSynthesis(run, merged),
    'reviews/summary.txt': `${brief}\n`,
    'report.md': report,
    'run.json': toJson(describeRun(run, plan, brief)),
  };
  await Promise.all(Object.entries(files).map(([name, text]) => store.write(name, text)));
  // Last: a run folder without it is a run that never ended.
  await store.write('report.json', toJson({ ...record, exitCode: exitCodeOf(record.outcome) }));
}

function factsOf({ seats }: Plan): PanelFacts {
  const families = seats.flatMap(seat => {
    const family = familyOf(seat);
    return family === null ? [] : [[seat.id, family] as const];
  });
  return {
    families: new Map(families),
    ofProject: new Set(seats.filter(({ persona }) => persona.isOwn === true).map(({ id }) => id)),
  };
}

/** `run.json` of the write-behind contract, with the outcome and the key that tells whether another run would ask the same. */
function describeRun({ record, reviews }: Run, plan: Plan, brief: string): Record<string, unknown> {
  return {
    schema: 'jury.run-folder/1',
    run_id: record.run,
    process: record.command,
    protocol: '1.0',
    input: record.subject.title,
    input_type: inputTypeOf(record.subject),
    input_sha256: plan.subjectHash,
    started_at: record.startedAt,
    completed_at: record.completedAt,
    reviewers: reviews.map(review => ({
      name: review.reviewer,
      kind: review.runner === 'api' ? 'remote' : 'local',
      required: review.required,
      provider: review.runner,
      model: review.model,
      model_family: plan.seats.find(({ id }) => id === review.reviewer)?.family ?? null,
      state: { complete: 'complete', partial: 'partial', failed: 'error' }[review.status],
      attempts: review.attempts,
      files_received: review.coverage
        .filter(({ extent }) => extent === 'full' || extent === 'partial')
        .map(({ path }) => path),
      started_at: review.startedAt,
      completed_at: new Date(Date.parse(review.startedAt) + review.durationMs).toISOString(),
    })),
    // Four characters a token: a figure for people, not for a budget.
    caller_tokens: Math.ceil(brief.length / 4),
    reviewer_tokens: record.usage.tokens,
    outcome: record.outcome,
    configuration_hash: plan.configurationHash,
    version: plan.version,
  };
}

function toIndexFile(
  { scope: { total_tokens, counter, files, skipped }, factors }: Measured,
  branch: string,
): Record<string, unknown> {
  const isCalibrated = Object.values(factors).some(factor => factor !== 1);
  return {
    schema: 'jury.index/1',
    branch,
    total_tokens,
    counter,
    ...(isCalibrated && { factors }),
    files,
    skipped,
  };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
