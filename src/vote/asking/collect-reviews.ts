/** The reviews of a vote: every member is asked about what its packet assigns, and every assignment leaves one row. */
import type { HeardStance } from '../answers.ts';
import type { Limits } from '../../core/context/budget.ts';
import { describeForecast, forecastTime } from '../../core/spending/forecast.ts';
import type { Motion, Session } from '../motion.ts';
import type { Member } from '../../core/words/roster.ts';
import { cutText, type Showing, type ShowingAll } from '../../core/prompt/foreign-text.ts';
import {
  type Answerer,
  memberInstructions,
  renderStancePrompt,
  type AskedAgain,
  renderSecondPassPrompt,
} from '../prompts/motions.ts';
import { ReviewResponse } from '../records.ts';
import type { RiskTier } from '../triage.ts';
import {
  type Asking,
  type PlacedSeat,
  type Recalling,
  askAll,
} from '../../engine/asking/ask-member.ts';
import {
  collectStances,
  type PlannedStances,
  planStances,
  type StanceSettings,
  type StanceTask,
} from './collect-stances.ts';
import type { DrawnVote } from './run-motions.ts';
import {
  type AmendedText,
  amendedTextOf,
  isAmendedCut,
  isMergeable,
  readMerge,
} from '../amended-text.ts';
import { mergeInstructions, renderMergePrompt } from '../prompts/panels.ts';
import type { AmendedMotion, HeldSecondPass } from '../ratify.ts';

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

export async function collectReviews(
  drawn: DrawnVote,
  voting: OpenVoting,
): Promise<ReviewResponse[]> {
  const { asking, session, ceilings, textLimits, note } = voting;
  const { expected, ...known } = await planReviews(drawn, voting, asking);
  note(describeForecast(expected, ceilings, known));
  const stances = await collectStances(...questionsOf(drawn, voting), asking);
  const texts = new Map(session.motions.map(({ id, text }) => [id, text]));
  const most = textLimits.motion_text;
  return responsesTo(stances, voting, id => cutText(texts.get(id) ?? '', most).isCut);
}

/** What collecting the reviews takes from here on, and how long. No member is asked. */
export async function planReviews(
  drawn: DrawnVote,
  voting: Voting,
  recalling: Recalling,
): Promise<PlannedStances & { readonly time: ReturnType<typeof forecastTime> }> {
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
      return subject === undefined ? [] : { ...subject, conflict };
    });
  const questions = { key: 'review', askedOf, render: renderStancePrompt, mark: null };
  return prepareQuestions(questions, voting);
}

/** What a member can be asked about. */
interface AskedThing {
  readonly motion: Pick<Motion, 'id'>;
  readonly riskTier: RiskTier;
}

interface Questions<Asked extends AskedThing> extends Pick<StanceSettings, 'key' | 'mark'> {
  readonly askedOf: (member: Member) => readonly Asked[];
  readonly render: (asked: readonly Asked[], answerer: Answerer, showing: Showing) => string;
}

/** Members who are shown the same motions in the same order, about; the larger, the more of a prompt a provider has in its cache. */
const groupSize = 9;
/** Orders of the motions in a small assembly: the place of a motion is not to decide about it. */
const leastGroups = 6;

/** Who is asked what, in both passes. What is shown has an order for each group, and is answered in one of each member's own. */
export function prepareQuestions<Asked extends AskedThing>(
  { key, askedOf, render, mark }: Questions<Asked>,
  voting: Voting,
): [StanceTask[], StanceSettings] {
  const { hash, session, settings } = voting;
  const groups = Math.max(leastGroups, Math.ceil(session.roster.length / groupSize));
  const lot = (...names: readonly (string | number)[]): string =>
    hash([session.id, ...names].join('|'));
  const groupOf = (member: string): number =>
    Number.parseInt(lot(member).slice(0, 12), 16) % groups;
  const tasks = session.roster.flatMap(member =>
    tasksOf(member, askedOf(member), voting, asked =>
      render(
        asked,
        { member, rankOf: id => lot(member.id, id) },
        { ...voting, question: `${key}/group-${groupOf(member.id)}` },
      ),
    ),
  );
  const orderOf = (member: string, id: string): string => lot(groupOf(member), id);
  const all = [...new Set(tasks.flatMap(({ ids }) => ids))];
  return [tasks, { ...settings, key, orderOf, all, mark }];
}

/** One task for all; where the model of a member depends on the risk, one for each risk. */
function tasksOf<Asked extends AskedThing>(
  member: Member,
  all: readonly Asked[],
  { seatFor }: Voting,
  render: (asked: readonly Asked[]) => string,
): StanceTask[] {
  const risks = [...new Set(all.map(({ riskTier }) => riskTier))];
  const isOne = new Set(risks.map(risk => seatFor(member, risk).seat.model)).size === 1;
  return (isOne ? risks.slice(0, 1) : risks).map(risk => {
    const byId = new Map(
      all.flatMap(one => (isOne || one.riskTier === risk ? [[one.motion.id, one] as const] : [])),
    );
    return {
      ...seatFor(member, risk),
      ...(isOne ? {} : { part: risk }),
      member: member.id,
      instructions: memberInstructions,
      ids: [...byId.keys()],
      render: ids => render(ids.flatMap(id => byId.get(id) ?? [])),
    };
  });
}

/** `isCut`: members saw only the first part of the text. */
export function responsesTo(
  stances: readonly HeardStance[],
  { session }: Voting,
  isCut: (id: string) => boolean,
): ReviewResponse[] {
  const names = new Map(session.roster.map(({ id, name }) => [id, name]));
  return stances.map(({ member, id, stated, at, durationMs, ...called }) => {
    const { opposition_concerns: concerns, ...said } = stated ?? unsaid;
    // Keys in the order of the schema, as files have them.
    return ReviewResponse.parse({
      archon_id: member,
      archon_name: names.get(member) ?? member,
      mega_motion_id: id,
      status: stated === null ? 'no_response' : 'ok',
      ...called,
      ...said,
      opposition_reason: concerns.length === 0 ? null : concerns.join('; '),
      text_truncated: isCut(id),
      review_duration_ms: durationMs,
      reviewed_at: at,
    } satisfies ReviewResponse);
  });
}

const unsaid = {
  opposition_concerns: [],
  stance: null,
  amendment_type: null,
  amendment_text: null,
  amendment_rationale: null,
  reasoning: '',
  confidence: null,
  validation: [],
};

/** One row for each question, in roster order. Rejects only when the signal aborts. */
export async function holdSecondPass(
  motions: readonly AmendedMotion[],
  voting: OpenVoting,
): Promise<HeldSecondPass> {
  const { asking, ceilings, hash, note } = voting;
  const texts = await writeTexts(motions, voting);
  const askedOf = ({ id }: Member): AskedAgain[] =>
    motions.flatMap(({ motionId, title, riskTier, asked }) => {
      const amended = texts.get(motionId);
      const said = asked.find(({ archon_id }) => archon_id === id);
      if (amended === undefined || said === undefined) return [];
      return { motion: { id: motionId, title }, riskTier, amended, before: said.stance };
    });
  // A journal key names what is asked about: after other answers of the first pass the text is another one.
  const mark = (ids: readonly string[]): string =>
    hash(JSON.stringify(ids.map(id => [id, texts.get(id)?.text]))).slice(0, 16);
  const questions = { key: 'second', askedOf, render: renderSecondPassPrompt, mark };
  const stances = await collectStances(
    ...prepareQuestions(questions, voting),
    asking,
    ({ expected, answered, spent }) =>
      note(`Second pass. ${describeForecast(expected, ceilings, { answered, spent })}`),
  );
  const isCut = (id: string): boolean => isAmendedCut(texts.get(id)?.text ?? '');
  return { texts, responses: responsesTo(stances, voting, isCut) };
}

/** By motion: of its panel, else of a facilitator, else the suggestions below the motion. */
async function writeTexts(
  motions: readonly AmendedMotion[],
  voting: OpenVoting,
): Promise<Map<string, AmendedText>> {
  const { asking, hash, seatFor, settings, note } = voting;
  const texts = new Map(
    motions.map(motion => [motion.motionId, amendedTextOf(motion, motion.panel)]),
  );
  const unmerged = motions.filter(
    motion => texts.get(motion.motionId)?.by === 'merge' && isMergeable(motion),
  );
  const questions = motions.reduce((sum, { asked }) => sum + asked.length, 0);
  note(
    `Second pass: ${motions.length} accepted with amendments, ${questions === 1 ? '1 question' : `${questions} questions`} to those who amended or opposed; ${merging(unmerged.length)}.`,
  );
  const merged = await askAll(
    unmerged.map(motion => {
      const { motionId, riskTier, text, amendments } = motion;
      const key = `second/text/${motionId}@${hash(JSON.stringify([text, amendments])).slice(0, 16)}`;
      return {
        ...seatFor(null, riskTier),
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
      `Warning: the facilitator did not write ${failed.length} of ${unmerged.length} amended texts (${failed[0]?.error}); there the suggestions stand below the motion.`,
    );
  return texts;
}

function merging(texts: number): string {
  if (texts === 0) return 'no amended text has to be merged by a facilitator first';
  return texts === 1
    ? '1 amended text is merged by a facilitator first, in a call'
    : `${texts} amended texts are merged by a facilitator first, a call for each`;
}
