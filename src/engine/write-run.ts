/** What a run leaves in its folder. Every file is whole or not there; the files of the reviewers come before anything is made of them. */
import { renderPatch } from '../core/change/patch.ts';
import type { GrantedBudget } from '../core/context/budget.ts';
import type { Pack } from '../core/context/pack.ts';
import type { Measured } from '../core/context/review-plan.ts';
import { parseJson, toJsonText } from '../core/json.ts';
import { familyOf } from '../core/words/runner.ts';
import { readFindingsIndex } from '../answers/index.ts';
import type { Clock } from '../core/ports/machine.ts';
import type { RunStore } from '../core/ports/steps.ts';
import { renderVerdictFile, toAgentOutput, toVerdictFile } from '../core/run-files/verdict-file.ts';
import { renderReturned } from '../core/run-files/brief.ts';
import type { Grounding } from '../core/words/claim.ts';
import {
  groundFindings,
  inputTypeOf,
  toMergedFindings,
} from '../core/run-files/merged-findings.ts';
import {
  PackNotes,
  PackSize,
  checkHandoff,
  handoffOf,
  handoffPath,
  journalHead,
  parseResourceUri,
  renderContextSnapshots,
  renderTeamPanel,
  teamPanelOf,
} from '../core/run-files/run-page.ts';
import { renderReviewFile } from '../core/run-files/review-file.ts';
import { renderSynthesis } from '../core/run-files/synthesis-report.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import type { Change } from '../core/words/change.ts';
import type { Review, RunEvent } from '../core/words/review.ts';
import type { Plan } from '../core/words/plan.ts';
import { kindOf } from '../core/words/runner.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import type { World } from './world.ts';
import { type Conducted, isShown } from './review/review-task.ts';

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

export async function writeReview(
  { store, clock, writeReviewFile }: World,
  { review, transcripts }: Conducted,
  isResearch: boolean,
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
    transcripts && store.write(raw, transcripts.join('\n\n')),
    store.write(`raw/${reviewer}.json`, toJsonText(toAgentOutput(review, null, store.runId))),
    writeReviewFile(reviewer, renderReviewFile(review, { runId: store.runId, answer })),
    store.write(`verdicts/${reviewer}.json`, renderVerdictFile(verdict)),
  ]);
}

/** `budget`: with what the budgets grew to; null where that is not known: then they stand by the formula. */
export async function writeRun(
  run: Run,
  plan: Plan,
  budget: GrantedBudget | null,
  { store, measure, repository, renderReport }: World,
): Promise<void> {
  const { record } = run;
  const measured = (await measure?.()) ?? null;
  const branch = (await repository?.branch?.()) ?? 'unknown';
  const brief = renderReturned(run);
  const facts = {
    families: new Map(
      plan.seats.flatMap(seat => {
        const family = familyOf(seat);
        return family === null ? [] : [[seat.id, family] as const];
      }),
    ),
    ofProject: new Set(plan.seats.filter(({ persona }) => persona.isOwn).map(({ id }) => id)),
  };
  const files: Record<string, string> = {
    'subject.json': toJsonText(run.subject),
    ...(measured !== null && {
      'budget.json': toJsonText(budget ?? measured.budget),
      'index.json': toJsonText(toIndexFile(measured, branch)),
    }),
    // What a reviewer's verdict is worth is known only now.
    ...Object.fromEntries(
      run.reviews.map(review => [
        `raw/${review.reviewer}.json`,
        toJsonText(
          toAgentOutput(
            review,
            record.consensusReview?.agents.find(({ reviewer }) => reviewer === review.reviewer) ??
              null,
            record.run,
          ),
        ),
      ]),
    ),
    'claims.json': toJsonText({ schema: 'jury.claims/1', run: record.run, claims: record.claims }),
    'reviews/findings.json': toJsonText(toMergedFindings(run, facts)),
    'reviews/synthesis.md': renderSynthesis(run, facts),
    'reviews/summary.txt': `${brief}\n`,
    'report.md': renderReport(run),
    'run.json': toJsonText(describeRun(run, plan, brief)),
  };
  await Promise.all(Object.entries(files).map(([name, text]) => store.write(name, text)));
  // Last: a run folder without it is a run that never ended.
  await store.write('report.json', toJsonText({ ...record, exitCode: exitCodeOf(record.outcome) }));
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
      kind: kindOf(review.runner) === 'api' ? 'remote' : 'local',
      required: review.required,
      provider: review.runner,
      model: review.model,
      model_family: plan.seats.find(({ id }) => id === review.reviewer)?.family ?? null,
      state: { complete: 'complete', partial: 'partial', failed: 'error' }[review.status],
      attempts: review.attempts,
      files_received: review.coverage.filter(isShown).map(({ path }) => path),
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

// Keeps what happened in `events.jsonl`, one line an event; progress is shown and not kept.

export function createEventLog(store: RunStore, clock: Clock) {
  let written = Promise.resolve();
  return {
    onEvent: (event: RunEvent) => {
      const line = toLine(event);
      if (!line) return;
      const text = JSON.stringify({ at: clock.now().toISOString(), ...line });
      written = written.then(() => store.append('events.jsonl', text));
      // A failure is reported once, by `settled`; until then it must not count as unhandled.
      written.catch(() => {});
    },
    settled: () => written,
  };
}

/** A review is kept whole elsewhere: here stands only how it ended. */
function toLine(event: RunEvent): Record<string, unknown> | null {
  if (event.type === 'review-progress') return null;
  if (event.type !== 'review-end') return { ...event };
  const { review, remembered } = event;
  return {
    type: event.type,
    reviewer: review.reviewer,
    status: review.status,
    cause: review.failure?.cause ?? null,
    findings: review.findings.length,
    attempts: review.attempts,
    durationMs: review.durationMs,
    remembered,
  };
}

/** Leaves the run's page in the journal for people, and hands the reviews on by reference. */
export async function keepJournal(record: RunRecord, plan: Plan, store: RunStore): Promise<void> {
  const packs = await readPackNotes(store);
  const read = await Promise.all(
    packs.map(
      async ({ pack_uri: uri }) =>
        PackSize.safeParse(parseJson(await store.read(pathOf(uri) ?? ''))).data,
    ),
  );
  const snapshots = packs.map((pack, index) => ({
    uri: pack.pack_uri,
    tokenEstimate: read[index]?.token_estimate ?? 0,
    rung: pack.rung_reached,
    stopReason: pack.stop_reason,
  }));
  const page =
    renderTeamPanel(teamPanelOf(record, plan, packs)) +
    (snapshots.length > 0 ? renderContextSnapshots(snapshots) : '');
  await store.write('journal.md', ((await store.read('journal.md')) ?? journalHead(null)) + page);
  const notes = read.flatMap(pack => pack?.risk_notes ?? []);
  const handoff = handoffOf(record, packs, notes);
  await checkHandoff(handoff, async uri => (await store.read(pathOf(uri) ?? '')) !== null);
  await store.write(handoffPath(handoff), toJsonText(handoff));
}

async function readPackNotes(store: RunStore) {
  const names = (await store.list('context')).filter(name => name.endsWith('.meta.json'));
  const notes = await Promise.all(
    names.map(async name => PackNotes.safeParse(parseJson(await store.read(`context/${name}`)))),
  );
  return notes.flatMap(read => (read.success ? [read.data] : []));
}

function pathOf(uri: string) {
  const resource = parseResourceUri(uri);
  return resource?.kind === 'run' ? resource.path : null;
}

// Checks on every run that what was merged is what reviewers wrote, in the files they wrote it.

/** Writes `grounding.json`. */
export async function groundMerged(
  findings: readonly unknown[],
  reviews: readonly Review[],
  store: RunStore,
): Promise<Grounding> {
  const agents = [];
  for (const { reviewer } of reviews)
    agents.push({
      agent: reviewer,
      index: readFindingsIndex((await store.read(`reviews/${reviewer}.md`)) ?? ''),
    });
  const grounding = groundFindings({ findings, agents, foreignSkipped: 0, strict: false });
  await store.write('grounding.json', toJsonText(grounding));
  return grounding;
}
