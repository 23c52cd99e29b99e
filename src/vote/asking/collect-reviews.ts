/**
 * The reviews of a vote: every member is asked about what its packet assigns, and every assignment leaves one row. Motions that pass only
 * with their amendments are written down as amended, by their panel or a facilitator, and put once more to those who amended or
 * opposed them: the second pass.
 */
import type { Limits } from '../../core/context/budget.ts';
import { groupBy } from '../../core/groups.ts';
import type { ShowingAll } from '../../core/prompt/answer-form.ts';
import { describeForecast, forecastTime } from '../../core/spending/forecast.ts';
import type { Member } from '../../core/words/roster.ts';
import {
  askAll,
  type Asking,
  type PlacedSeat,
  type Recalling,
} from '../../engine/asking/ask-member.ts';
import { type HeardStance, amendedTextOf, isMergeable, readMerge } from '../answers.ts';
import type { RiskTier, Session } from '../triage.ts';
import {
  type AskedMotion,
  memberInstructions,
  mergeInstructions,
  renderMergePrompt,
  renderStancePrompt,
} from '../prompts/motions.ts';
import type { AmendedMotion, HeldSecondPass } from '../ratify.ts';
import type { Answer } from '../records.ts';
import {
  collectStances,
  planStances,
  type StanceSettings,
  type StanceTask,
} from './collect-stances.ts';
import type { DrawnVote } from './run-motions.ts';

/** How the members of a vote are asked, whatever they are asked. */
export interface Voting extends ShowingAll {
  readonly session: Session;
  /** Who answers for a member about what is of this risk; null: for a facilitator, who is no member. */
  readonly seatFor: (member: Member | null, riskTier: RiskTier | null) => PlacedSeat;
  readonly settings: Readonly<Record<'batch' | 'concurrency' | 'panel_concurrency', number>>;
  readonly ceilings: Limits;
  /** Calls that can be under way at once, by all limits. */
  readonly lanes: number;
}

export interface OpenVoting extends Voting {
  readonly asking: Asking;
  readonly note: (message: string) => void;
}

export async function collectReviews(drawn: DrawnVote, voting: OpenVoting) {
  const { asking, ceilings, note } = voting;
  const { expected, ...known } = await planReviews(drawn, voting, asking);
  note(describeForecast(expected, ceilings, known));
  return answersIn(await collectStances(...questionsOf(drawn, voting), asking));
}

/** What collecting the reviews takes from here on, and how long. No member is asked. */
export async function planReviews(drawn: DrawnVote, voting: Voting, recalling: Recalling) {
  const planned = await planStances(...questionsOf(drawn, voting), recalling);
  return { ...planned, time: forecastTime(planned.expected, voting.lanes, planned.seconds) };
}

function questionsOf(
  { triaged, packets }: DrawnVote,
  voting: Voting,
): [StanceTask[], StanceSettings] {
  const subjects = new Map(triaged.map(subject => [subject.motion.id, subject]));
  const assigned = new Map(packets.map(packet => [packet.member.id, packet.assigned]));
  const askedOf = ({ id }: Member) =>
    (assigned.get(id) ?? []).flatMap(({ motionId, conflict }) => {
      const subject = subjects.get(motionId);
      return subject === undefined ? [] : { ...subject, conflict, again: null };
    });
  return prepareQuestions({ key: 'review', askedOf, mark: null }, voting);
}

interface Questions extends Pick<StanceSettings, 'key' | 'mark'> {
  /** What a member is asked about. */
  readonly askedOf: (member: Member) => readonly AskedMotion[];
}

/** Members who are shown the same motions in the same order, about; the larger, the more of a prompt a provider has in its cache. */
const groupSize = 9;
/** Orders of the motions in a small assembly: the place of a motion is not to decide about it. */
const leastGroups = 6;

/** Who is asked what, in both passes. What is shown has an order for each group, and is answered in one of each member's own. */
function prepareQuestions(
  { key, askedOf, mark }: Questions,
  voting: Voting,
): [StanceTask[], StanceSettings] {
  const { hash, session, settings, seatFor } = voting;
  const groups = Math.max(leastGroups, Math.ceil(session.roster.length / groupSize));
  const lot = (...names: readonly (string | number)[]) => hash([session.id, ...names].join('|'));
  const groupOf = (member: string) => Number.parseInt(lot(member).slice(0, 12), 16) % groups;
  const tasks = session.roster.flatMap(member => {
    const showing = { ...voting, question: `${key}/group-${groupOf(member.id)}` };
    const answerer = { member, rankOf: (id: string) => lot(member.id, id) };
    // One task for all; where the model of a member depends on the risk, one for each risk.
    const parts = groupBy(askedOf(member), ({ riskTier }) => seatFor(member, riskTier).seat.model);
    return [...parts.values()].map((asked): StanceTask => {
      const byId = new Map(asked.map(one => [one.motion.id, one]));
      const [{ riskTier: risk }] = asked;
      return {
        ...seatFor(member, risk),
        ...(parts.size > 1 && { part: risk }),
        member: member.id,
        instructions: memberInstructions,
        ids: [...byId.keys()],
        render: ids =>
          renderStancePrompt(
            ids.flatMap(id => byId.get(id) ?? []),
            answerer,
            showing,
          ),
      };
    });
  });
  const orderOf = (member: string, id: string) => lot(groupOf(member), id);
  const all = [...new Set(tasks.flatMap(({ ids }) => ids))];
  return [tasks, { ...settings, key, orderOf, all, mark }];
}

function answersIn(stances: readonly HeardStance[]) {
  return stances.map(({ opposition_concerns: concerns, ...heard }): Answer => ({
    ...heard,
    opposition_reason: concerns.join('; ') || null,
  }));
}

/** One row for each question, in roster order. Rejects only when the signal aborts. */
export async function holdSecondPass(
  motions: readonly AmendedMotion[],
  voting: OpenVoting,
): Promise<HeldSecondPass> {
  const { asking, ceilings, hash, note } = voting;
  const texts = await writeTexts(motions, voting);
  const askedOf = ({ id }: Member): AskedMotion[] =>
    motions.flatMap(({ subject, asked }) => {
      const amended = texts.get(subject.motion.id);
      const said = asked.find(({ archon_id }) => archon_id === id);
      if (amended === undefined || said === undefined) return [];
      return { ...subject, conflict: null, again: { ...amended, before: said.stance } };
    });
  // A journal key names what is asked about: after other answers of the first pass the text is another one.
  const mark = (ids: readonly string[]) =>
    hash(JSON.stringify(ids.map(id => [id, texts.get(id)?.text]))).slice(0, 16);
  const stances = await collectStances(
    ...prepareQuestions({ key: 'second', askedOf, mark }, voting),
    asking,
    ({ expected, answered, spent }) =>
      note(`Second pass. ${describeForecast(expected, ceilings, { answered, spent })}`),
  );
  return { texts, answers: answersIn(stances) };
}

/** By motion: of its panel, else of a facilitator, else the suggestions below the motion. */
async function writeTexts(motions: readonly AmendedMotion[], voting: OpenVoting) {
  const { asking, hash, seatFor, settings, note } = voting;
  const texts = new Map(
    motions.map(motion => [motion.subject.motion.id, amendedTextOf(motion, motion.panel)]),
  );
  const unmerged = motions.filter(
    motion => texts.get(motion.subject.motion.id)?.by === 'merge' && isMergeable(motion),
  );
  const questions = motions.reduce((sum, { asked }) => sum + asked.length, 0);
  note(
    `Second pass: ${motions.length} accepted with amendments, ` +
      `${questions === 1 ? '1 question' : `${questions} questions`} to those who amended or opposed; ` +
      `${merging(unmerged.length)}.`,
  );
  const merged = await askAll(
    unmerged.map(motion => {
      const { subject, text, amendments } = motion;
      const motionId = subject.motion.id;
      const key = `second/text/${motionId}@${hash(JSON.stringify([text, amendments])).slice(0, 16)}`;
      return {
        ...seatFor(null, subject.riskTier),
        key,
        motionId,
        instructions: mergeInstructions,
        prompt: renderMergePrompt(motion, { ...voting, question: key }),
        read: (answer: string) => readMerge(answer, text),
      };
    }),
    asking,
    settings.concurrency,
  );
  for (const { read, of } of merged)
    if (read !== null) texts.set(of.motionId, { ...read, by: 'facilitator' });
  const failed = merged.filter(({ read }) => read === null);
  if (failed.length > 0)
    note(
      `Warning: the facilitator did not write ${failed.length} of ${unmerged.length} amended texts ` +
        `(${failed[0]?.error}); there the suggestions stand below the motion.`,
    );
  return texts;
}

function merging(texts: number) {
  if (texts === 0) return 'no amended text has to be merged by a facilitator first';
  return texts === 1
    ? '1 amended text is merged by a facilitator first, in a call'
    : `${texts} amended texts are merged by a facilitator first, a call for each`;
}
