/**
 * Holds a vote again on its record: the same `runMotions`, with members who answer what is recorded that they said and a clock
 * that tells the recorded times. What it would write must be what was written.
 */
import { inputError } from '../../core/errors.ts';
import { checkElements } from '../../core/given-json.ts';
import type { Clock } from '../../core/ports/runner.ts';
import { type AmendedText, amendedTextOf } from '../answers.ts';
import { artifactsOf, panelFile, resultFiles } from '../artifacts.ts';
import {
  type AuditEvent,
  Moment,
  RecordedAnswer,
  RecordedInputs,
  RecordedRevision,
  RecordedSpending,
  checkResult,
  fingerprintsIn,
  noPredecessor,
  shownEndpoint,
} from '../recorded-inputs.ts';
import type { Member } from '../../core/words/roster.ts';
import { type SessionInput, readSession } from '../session-input.ts';
import type { VotePainter } from '../motions-run.ts';
import { type PanelSeating, recordPanel } from '../panels.ts';
import type { AmendedMotion } from '../ratify.ts';
import { type Answer, PanelRecord } from '../records.ts';
import { type Deliberators, runMotions } from './run-motions.ts';

/** The results of a vote. Both reject with `UserError` (kind `input`) for a file that is not there or cannot be used. */
interface RecordedVote {
  readonly events: readonly AuditEvent[];
  readonly text: (name: string) => Promise<string>;
  readonly json: (name: string) => Promise<unknown>;
}

/**
 * The files that follow from what was voted on and from the answers, the audit trail without a head, and its events. Throws
 * `UserError` (kind `input`) where the record lacks something that was asked for.
 */
export async function replayVote(record: RecordedVote, paint: VotePainter) {
  const { events, text, json } = record;
  const inputs = checkResult(resultFiles.inputs, await json(resultFiles.inputs), RecordedInputs);
  const { settings, rules, shipped_rules: shipped } = inputs;
  const report = await text(resultFiles.report);
  for (const { occurred_at } of events) checkResult(resultFiles.trail, occurred_at, Moment);
  const source = String(events[0]?.details['consolidator_path']);
  const run = await runMotions(
    {
      input: inputIn(inputs),
      source,
      rules,
      shipped,
      settings,
      sample: settings.sample,
      isSimulated: inputs.mode === 'simulated',
      triageOnly: false,
    },
    {
      clock: recordedClock(events),
      deliberators: await membersIn(inputs, json),
      signal: new AbortController().signal,
      note: () => {},
      // Whether the files have these hashes, and whether they are these files, is looked at for itself.
      keepResults: async () => fingerprintsIn(events) ?? {},
    },
  );
  if (run === null) throw new Error('A replay was interrupted.');
  const draft = { ...run, audit: { ...run.audit, head: noPredecessor } };
  const artifacts = artifactsOf(draft, {
    compact: !(await text(resultFiles.inputs)).startsWith('{\n'),
    // A folder can be moved: where it was written follows from nothing.
    report: paint({ run: draft, source, isDetected: false, folder: '.' }).replace(
      resultsLine,
      line => resultsLine.exec(report)?.[0] ?? line,
    ),
  });
  return { artifacts, events: run.audit.events };
}

/** Throws `UserError` (kind `input`) for what is no session. */
function inputIn({ session, roster }: RecordedInputs): SessionInput {
  const files = {
    id: session.session_id,
    roster,
    megaMotions: session.mega_motions,
    novelProposals: session.novel_proposals,
    deferredProposals: undefined,
    summary: session,
    positions: session.positions,
  };
  const input = readSession(files, { includeDeferred: false, defaultRoster: [] });
  return { ...input, deferredSkipped: session.deferred_skipped };
}

const resultsLine = /^- Results: .*$/m;

/** Every time of a vote is that of one of its events, and each event looks at the clock once. */
function recordedClock(events: readonly AuditEvent[]): Clock {
  const times = events.map(({ occurred_at }) => occurred_at);
  const moments = [0, 1000 * Number(events.at(-1)?.details['duration_seconds'])];
  return {
    now: () => new Date(times.shift() ?? 0),
    monotonicMs: () => moments.shift() ?? 0,
    sleep: async () => {},
  };
}

async function membersIn(
  inputs: RecordedInputs,
  json: RecordedVote['json'],
): Promise<Deliberators | null> {
  const { prompts, models, endpoints, settings, conflicts_named: named } = inputs;
  const spent = checkResult(resultFiles.result, await json(resultFiles.result), RecordedSpending);
  if (inputs.mode !== 'real') return null;
  const answers = checkElements(
    resultFiles.responses,
    await json(resultFiles.responses),
    RecordedAnswer,
  );
  const answerOf = createAnswers(answers, endpoints);
  const revisions = checkElements(
    resultFiles.history,
    await json(resultFiles.history),
    RecordedRevision,
  );
  /** Only a facilitator can know what it wrote; every other amended text follows from what was said. */
  const textOf = (motion: AmendedMotion): AmendedText => {
    const known = amendedTextOf(motion);
    const written = revisions.find(
      ({ mega_motion_id: id, revised_by: by }) =>
        id === motion.subject.motion.id && by === 'facilitator',
    );
    const text = known.by === 'merge' ? (written?.revised_motion_text ?? null) : null;
    return text === null ? known : { text, by: 'facilitator' };
  };
  return {
    run: inputs.run_id,
    asked: { prompts, models, endpoints },
    spent: async () => spent,
    ...(named && { findContradictions: async () => named }),
    collectReviews: async ({ packets }) =>
      packets.flatMap(({ member, assigned }) =>
        assigned.map(({ motionId }) => answerOf(member, motionId, 1)),
      ),
    holdPanels: panels =>
      Promise.all(
        panels.map(async seating => {
          const file = panelFile(seating.panelId);
          return holdAgain(checkResult(file, await json(file), PanelRecord), seating);
        }),
      ),
    holdSecondPass:
      settings.second_pass === 'assume'
        ? null
        : async amended => ({
            texts: new Map(amended.map(motion => [motion.subject.motion.id, textOf(motion)])),
            answers: amended.flatMap(({ subject, asked }) =>
              asked.map(({ archon_id: id, archon_name: name }) =>
                answerOf({ id, name }, subject.motion.id, 2),
              ),
            ),
          }),
  };
}

/** What a member said of a motion; of what follows from something else, that is told. */
function createAnswers(
  rows: readonly (Answer & { readonly pass: 1 | 2 })[],
  endpoints: readonly string[],
) {
  const answers = new Map(
    rows.map(({ pass, ...said }) => [
      JSON.stringify([said.archon_id, said.mega_motion_id, pass]),
      said,
    ]),
  );
  return ({ id, name }: Pick<Member, 'id' | 'name'>, motionId: string, pass: 1 | 2): Answer => {
    const said = answers.get(JSON.stringify([id, motionId, pass]));
    if (said === undefined)
      throw inputError(`${resultFiles.responses}: lacks member ${name}, motion ${motionId}`);
    const isSilent = said.stance === null;
    const isKnown = said.endpoint !== null && endpoints.includes(shownEndpoint(said.endpoint));
    return {
      ...said,
      archon_name: name,
      error: isSilent ? (said.error ?? '') : null,
      endpoint: isKnown ? said.endpoint : null,
      confidence: isSilent ? null : said.confidence,
    };
  };
}

/** Seats and counts anew; only what members and the facilitator said, and when, is taken from the record. */
function holdAgain(kept: PanelRecord, seating: PanelSeating): PanelRecord {
  const { synthesis, error, arguments: said, scheduled_at, concluded_at } = kept;
  const report = synthesis && { synthesis, votes: Object.entries(kept.reported_votes) };
  const began = new Date(scheduled_at);
  const concluded = new Date(concluded_at ?? began);
  return recordPanel(seating, { said, report, error, began, concluded });
}
