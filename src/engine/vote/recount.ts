/**
 * Holds a vote again on its record: the same phases as `runMotions`, with members who say what is recorded that they said.
 * Whatever follows from the answers is computed anew, by the same functions.
 */
import type { Clock } from '../../core/ports/clock.ts';
import { amendedTextOf, type AmendedText, isAmendedCut } from '../../core/vote/amended-text.ts';
import { trailName } from '../../core/vote/artifacts.ts';
import type { Member } from '../../core/vote/motion.ts';
import type { MotionsRun, VoteSpending } from '../../core/vote/motions-run.ts';
import { recordPanel } from '../../core/vote/panel-record.ts';
import { cutText } from '../../core/vote/prompts/foreign-text.ts';
import {
  conflictsNamedIn,
  inputIn,
  type RecordedInputs,
  shownEndpoint,
} from '../../core/vote/recorded-inputs.ts';
import type { AmendedMotion } from '../../core/vote/ratify.ts';
import { type PanelRecord, type ReviewResponse, Synthesis } from '../../core/vote/records.ts';
import { runMotions } from './run-motions.ts';
import type { Deliberators } from './deliberators.ts';
import type { VoteWorld } from './open-vote.ts';
import { simulateMembers } from './simulated-members.ts';

/** What is in the files of a vote and follows from nothing else. */
export interface VoteRecord {
  readonly inputs: RecordedInputs;
  /** The session folder, as the person named it. */
  readonly source: string;
  readonly spent: VoteSpending;
  /** SHA-256 of each file by its name, as the audit trail has it. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** What the member answered in that pass, told once, because a large vote has a million; null: nothing is recorded. */
  readonly takeAnswer: (archonId: string, motionId: string, pass: 1 | 2) => ReviewResponse | null;
  /** Rejects when the file cannot be used; null: there is none. */
  readonly readPanel: (panelId: string) => Promise<PanelRecord | null>;
  /** Amended texts that a facilitator wrote, by motion. */
  readonly written: ReadonlyMap<string, string>;
}

/** Its times are of no clock: each moment of the vote has one of its own. `namesOf`: the files the vote would write. */
export async function recount(
  record: VoteRecord,
  world: Pick<VoteWorld, 'hash' | 'uuid'>,
  namesOf: (run: Omit<MotionsRun, 'audit'>) => readonly string[],
): Promise<MotionsRun> {
  const { inputs, source, fingerprints } = record;
  const clock = countMoments();
  const run = await runMotions(
    {
      input: inputIn(inputs),
      source,
      rules: inputs.rules,
      shipped: inputs.shipped_rules,
      settings: inputs.settings,
      sample: inputs.settings.sample,
      triageOnly: false,
    },
    {
      ...world,
      clock,
      deliberators: membersIn(record, clock),
      signal: new AbortController().signal,
      note: () => {},
      keepResults: counted =>
        Promise.resolve(
          Object.fromEntries(
            namesOf(counted)
              .filter(name => name !== trailName)
              .map(name => [
                name,
                Object.hasOwn(fingerprints, name) ? (fingerprints[name] ?? '') : '',
              ]),
          ),
        ),
    },
  );
  if (run === null) throw new Error('A recount was interrupted, which nobody can do.');
  return run;
}

/** A millisecond later at every look, so that no two moments have one time. */
function countMoments(): Clock {
  let moment = 0;
  return {
    now: () => new Date((moment += 1)),
    monotonicMs: () => 0,
    sleep: () => Promise.resolve(),
  };
}

function membersIn(record: VoteRecord, clock: Clock): Deliberators | null {
  const { mode } = record.inputs;
  if (mode === 'packets') return null;
  return mode === 'simulated'
    ? simulateMembers(() => clock.now().toISOString())
    : realMembersIn(record);
}

function realMembersIn({
  inputs,
  spent,
  takeAnswer,
  readPanel,
  written,
}: VoteRecord): Deliberators {
  const named = conflictsNamedIn(inputs);
  const places = new Set(inputs.endpoints);
  const { prompts, models, endpoints } = inputs;
  const say = (
    member: Member,
    motionId: string,
    { pass, isCut }: { readonly pass: 1 | 2; readonly isCut: boolean },
  ): ReviewResponse[] => {
    const said = takeAnswer(member.id, motionId, pass);
    return said === null ? [] : [answerAs(said, { member, motionId, isCut, places })];
  };
  return {
    simulated: false,
    run: inputs.run_id,
    asked: { prompts, models, endpoints },
    spent: () => spent,
    ...(named === null ? {} : { findContradictions: () => Promise.resolve(named) }),
    collectReviews({ session, packets }) {
      const isCut = new Map(
        session.motions.map(({ id, text }) => [
          id,
          cutText(text, inputs.settings.limits.motion_text).isCut,
        ]),
      );
      const said = packets.flatMap(({ member, assigned }) =>
        assigned.flatMap(({ motionId }) =>
          say(member, motionId, { pass: 1, isCut: isCut.get(motionId) ?? false }),
        ),
      );
      return Promise.resolve(said);
    },
    async holdPanels({ panels }) {
      const held: PanelRecord[] = [];
      for (const seating of panels) {
        const kept = await readPanel(seating.panelId);
        if (kept !== null) held.push(panelAs(kept, seating));
      }
      return held;
    },
    holdSecondPass:
      inputs.settings.second_pass === 'ask'
        ? ({ session, motions }) => {
            const texts = new Map(
              motions.map(motion => [motion.motionId, textOf(motion, written)]),
            );
            const asked = new Map(
              motions.map(motion => [
                motion.motionId,
                new Set(motion.asked.map(({ archon_id }) => archon_id)),
              ]),
            );
            const responses = session.roster.flatMap(member =>
              motions.flatMap(({ motionId }) => {
                const text = texts.get(motionId);
                return text !== undefined && asked.get(motionId)?.has(member.id) === true
                  ? say(member, motionId, { pass: 2, isCut: isAmendedCut(text) })
                  : [];
              }),
            );
            return Promise.resolve({ texts, responses });
          }
        : null,
  };
}

/** Where members are asked in looks, one look stands behind the other; who was refused a call comes last. */
interface Answering {
  readonly member: Member;
  readonly motionId: string;
  readonly isCut: boolean;
  /** Where members could be asked. */
  readonly places: ReadonlySet<string>;
}

/** What a member said is taken from the record; who was asked about what, and what must go with it, is not. */
function answerAs(
  said: ReviewResponse,
  { member, motionId, isCut, places }: Answering,
): ReviewResponse {
  const { model, endpoint, error, confidence, validation, attempts } = said;
  const isKnown = endpoint !== null && places.has(shownEndpoint(endpoint));
  return {
    archon_id: member.id,
    archon_name: member.name,
    mega_motion_id: motionId,
    status: said.stance === null ? 'no_response' : 'ok',
    error: said.stance === null ? (error ?? '') : null,
    model,
    endpoint: isKnown ? endpoint : null,
    stance: said.stance,
    amendment_type: said.amendment_type,
    amendment_text: said.amendment_text,
    amendment_rationale: said.amendment_rationale,
    opposition_reason: said.opposition_reason,
    reasoning: said.reasoning,
    confidence: said.stance === null ? null : confidence,
    validation,
    text_truncated: isCut,
    attempts,
    review_duration_ms: said.review_duration_ms,
    reviewed_at: said.reviewed_at,
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

/** Nobody but a facilitator can know what a facilitator writes; every other amended text follows from what was said. */
function textOf(motion: AmendedMotion, written: ReadonlyMap<string, string>): AmendedText {
  const known = amendedTextOf(motion, motion.panel);
  const text = known.by === 'merge' ? written.get(motion.motionId) : undefined;
  return text === undefined ? known : { text, by: 'facilitator' };
}
