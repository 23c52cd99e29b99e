/**
 * Holds a vote again on its record: the same `runMotions`, with members who answer what is recorded that they said and a clock
 * that tells the recorded times. What it would write must be what was written.
 */
import { inputError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { amendedTextOf, type AmendedText, isAmendedCut } from '../amended-text.ts';
import {
  type ArtifactOptions,
  artifactsOf,
  historyName,
  inputsName,
  panelFile,
  responsesName,
  resultName,
  trailName,
} from '../artifacts.ts';
import { type AuditEvent, fingerprintsIn } from '../audit-trail.ts';
import type { Member } from '../../core/words/roster.ts';
import type { Session } from '../motion.ts';
import type { MotionsRun } from '../motions-run.ts';
import { recordPanel } from '../panel-record.ts';
import { cutText } from '../../core/prompt/foreign-text.ts';
import {
  checkResult,
  conflictsNamedIn,
  inputIn,
  Moment,
  RecordedAnswer,
  RecordedFigures,
  RecordedInputs,
  RecordedRevision,
  RecordedStart,
  shownEndpoint,
} from '../recorded-inputs.ts';
import type { AmendedMotion } from '../ratify.ts';
import { PanelRecord, type ReviewResponse, Synthesis } from '../records.ts';
import { checkElements } from '../../core/given-json.ts';
import { type Deliberators, runMotions, simulatedMembers, type VoteWorld } from './run-motions.ts';

/** What is in the files of a vote and follows from nothing else. */
type VoteRecord = Awaited<ReturnType<typeof readRecord>>;

/** `read`: the JSON of a file of the results. Throws `UserError` (kind `input`) for what cannot be used, as `read` does. */
export async function readRecord(
  events: readonly AuditEvent[],
  read: (name: string) => Promise<unknown>,
) {
  const inputs = checkResult(inputsName, await read(inputsName), RecordedInputs);
  const started = checkResult(trailName, events[0]?.details, RecordedStart);
  for (const { occurred_at } of events) checkResult(trailName, occurred_at, Moment);
  const rows = async (name: string): Promise<unknown> => (inputs.mode === 'real' ? read(name) : []);
  const answers = new Map(
    checkElements(responsesName, await rows(responsesName), RecordedAnswer).map(
      ({ pass, ...answer }) => [
        JSON.stringify([answer.archon_id, answer.mega_motion_id, pass]),
        answer,
      ],
    ),
  );
  const revisions = checkElements(historyName, await rows(historyName), RecordedRevision);
  return {
    inputs,
    events,
    /** The session folder, as the person named it. */
    source: started.consolidator_path,
    spent: checkResult(resultName, await read(resultName), RecordedFigures),
    /** Undefined: nothing is recorded. */
    answerOf: (archonId: string, motionId: string, pass: 1 | 2): ReviewResponse | undefined =>
      answers.get(JSON.stringify([archonId, motionId, pass])),
    async panelOf(id: string): Promise<PanelRecord> {
      const name = panelFile(id);
      return checkResult(name, await read(name), PanelRecord);
    },
    /** Amended texts that a facilitator wrote, by motion. */
    written: new Map(
      revisions.flatMap(({ mega_motion_id: id, revised_by, revised_motion_text: text }) =>
        revised_by === 'facilitator' && text !== null ? [[id, text]] : [],
      ),
    ),
  };
}

/** Throws `UserError` (kind `input`) where the record lacks something that was asked for. */
export async function replayVote(
  record: VoteRecord,
  options: ArtifactOptions,
  world: Pick<VoteWorld, 'hash' | 'uuid'>,
): Promise<MotionsRun> {
  const { inputs, source, events } = record;
  const fingerprints = fingerprintsIn(events) ?? {};
  const input = inputIn(inputs, world.uuid);
  const run = await runMotions(
    {
      input,
      source,
      rules: inputs.rules,
      shipped: inputs.shipped_rules,
      settings: inputs.settings,
      sample: inputs.settings.sample,
      triageOnly: false,
    },
    {
      ...world,
      clock: recordedClock(events),
      deliberators: membersIn(record, input.session),
      signal: new AbortController().signal,
      note: () => {},
      // Whether the files have these hashes is looked at for itself.
      keepResults: held =>
        Promise.resolve(
          Object.fromEntries(
            [...artifactsOf(held, options)]
              .filter(({ name }) => name !== trailName)
              .map(({ name }) => [name, fingerprints[name] ?? '']),
          ),
        ),
    },
  );
  if (run === null) throw new Error('A replay was interrupted.');
  return run;
}

/** Every time of a vote is that of one of its events, and each event looks at the clock once. */
function recordedClock(events: readonly AuditEvent[]): Clock {
  const times = events.map(({ occurred_at }) => occurred_at);
  const moments = [0, 1000 * Number(events.at(-1)?.details['duration_seconds'])];
  return {
    now: () => new Date(times.shift() ?? 0),
    monotonicMs: () => moments.shift() ?? 0,
    sleep: () => Promise.resolve(),
  };
}

function membersIn(record: VoteRecord, session: Session): Deliberators | null {
  const { mode } = record.inputs;
  if (mode === 'packets') return null;
  return mode === 'simulated' ? simulatedMembers : recordedMembers(record, session);
}

function recordedMembers(
  { inputs, spent, answerOf, panelOf, written }: VoteRecord,
  { motions, roster }: Session,
): Deliberators {
  const { prompts, models, endpoints, settings, conflicts_named: named } = inputs;
  const answer = (
    member: Member,
    motionId: string,
    pass: 1 | 2,
    isCut: boolean,
  ): ReviewResponse => {
    const said = answerOf(member.id, motionId, pass);
    if (said === undefined)
      throw inputError(`${responsesName}: lacks member ${member.name}, motion ${motionId}`);
    const isSilent = said.stance === null;
    const isKnown = said.endpoint !== null && endpoints.includes(shownEndpoint(said.endpoint));
    return {
      ...said,
      archon_name: member.name,
      status: isSilent ? 'no_response' : 'ok',
      error: isSilent ? (said.error ?? '') : null,
      endpoint: isKnown ? said.endpoint : null,
      confidence: isSilent ? null : said.confidence,
      text_truncated: isCut,
    };
  };
  return {
    simulated: false,
    run: inputs.run_id,
    asked: { prompts, models, endpoints },
    spent: () => spent,
    ...(named && { findContradictions: () => Promise.resolve(conflictsNamedIn(named)) }),
    async collectReviews({ packets }) {
      const isCut = new Map(
        motions.map(({ id, text }) => [id, cutText(text, settings.limits.motion_text).isCut]),
      );
      return packets.flatMap(({ member, assigned }) =>
        assigned.map(({ motionId }) => answer(member, motionId, 1, isCut.get(motionId) === true)),
      );
    },
    holdPanels: panels =>
      Promise.all(panels.map(async seating => panelAs(await panelOf(seating.panelId), seating))),
    holdSecondPass:
      settings.second_pass === 'assume'
        ? null
        : async amended => {
            const texts = new Map(
              amended.map(motion => [motion.motionId, textOf(motion, written)]),
            );
            const responses = roster.flatMap(member =>
              amended
                .filter(({ asked }) => asked.some(({ archon_id }) => archon_id === member.id))
                .map(motion =>
                  answer(member, motion.motionId, 2, isAmendedCut(textOf(motion, written).text)),
                ),
            );
            return { texts, responses };
          },
  };
}

/** Seats and counts anew; only what members and the facilitator said, and when, is taken from the record. */
function panelAs(kept: PanelRecord, seating: Parameters<typeof recordPanel>[0]): PanelRecord {
  const { synthesis, error, scheduled_at, concluded_at } = kept;
  const report = synthesis && {
    synthesis: Synthesis.strip().parse(synthesis),
    votes: Object.entries(kept.reported_votes),
    dissent: synthesis.dissenting_opinions,
  };
  const said = kept.arguments.map(({ archon_name: name, side, argument: text, vote }) => ({
    name,
    side,
    text,
    vote,
  }));
  return recordPanel(
    seating,
    { said, report, error },
    { began: new Date(scheduled_at), concluded: new Date(concluded_at ?? scheduled_at) },
  );
}

/** Only a facilitator can know what it wrote; every other amended text follows from what was said. */
function textOf(motion: AmendedMotion, written: ReadonlyMap<string, string>): AmendedText {
  const known = amendedTextOf(motion, motion.panel);
  const text = known.by === 'merge' ? written.get(motion.motionId) : undefined;
  return text === undefined ? known : { text, by: 'facilitator' };
}
