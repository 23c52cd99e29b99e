/**
 * Panels about what is contested: each side argues at once, critics read the supporters, those in the middle read both, and
 * a facilitator reports. Everybody votes before anybody's vote is read. Nothing is made up for a panel that fails, and nothing
 * that was said is lost.
 */
import pLimit from 'p-limit';
import { sha256 } from '../../core/hash.ts';
import type { Limits } from '../../core/context/budget.ts';
import { groupBy, present, sumOf } from '../../core/groups.ts';
import type { ShowingAll } from '../../core/prompt/answer-form.ts';
import { describeForecast, forecastTime } from '../../core/spending/forecast.ts';
import type { Member } from '../../core/words/roster.ts';
import {
  type Asking,
  type PlacedSeat,
  type Recalling,
  askAll,
  askUntil,
  bookEarlier,
} from '../../engine/asking/ask-member.ts';
import {
  type Amendable,
  amendedTextOf,
  type Facilitation,
  type HeardStance,
  readArgument,
  readFacilitation,
  readMerge,
  suggestionsIn,
} from '../answers.ts';
import {
  membersOf,
  type PanelSeating,
  panelTimeLimitMinutes,
  recordPanel,
  type Sides,
} from '../panels.ts';
import {
  type AskedMotion,
  facilitatorInstructions,
  memberInstructions,
  mergeInstructions,
  renderFacilitatorPrompt,
  renderIdentity,
  renderMergePrompt,
  renderPanelPrompt,
  renderStancePrompt,
} from '../prompts/motions.ts';
import type { AmendedMotion } from '../ratify.ts';
import type { Answer, Argument, Side } from '../records.ts';
import type { RiskTier, Session } from '../triage.ts';
import {
  type StanceSettings,
  type StanceTask,
  collectStances,
  planStances,
} from './collect-stances.ts';
import type { DrawnVote } from './run-motions.ts';

/** Who is asked, and how. */
interface PanelHolding extends Pick<OpenVoting, 'asking' | 'fence' | 'textLimits'> {
  settings: Pick<OpenVoting['settings'], 'panel_concurrency'>;
  seatFor: (member: Member, riskTier: RiskTier | null) => PlacedSeat;
  /** What a member is told about itself. */
  identify: (member: Member) => string;
}

/** What a panel argues about, and who sits on which side. */
export interface PanelTable extends Sides, Amendable {
  /** What the names in the journal of everything asked about it begin with. */
  readonly key: string;
  /** Of the motion; null where it is none. */
  readonly riskTier: RiskTier | null;
  /** Sits on no side where somebody else is left. */
  readonly facilitator: PlacedSeat;
}

export async function holdPanels(panels: readonly PanelSeating[], voting: OpenVoting) {
  const { note, seatFor } = voting;
  const tables = panels.map(seating => {
    const { riskTier, motion } = seating.subject;
    return {
      ...seating,
      key: panelKey(motion.id),
      title: motion.title,
      text: motion.text,
      amendments: seating.counts.amendment_texts,
      riskTier,
      facilitator: seatFor(null, riskTier),
    };
  });
  const calls = tables.map(table => membersOf(table).length + 1);
  if (calls.length > 0) note(`Panels: ${calls.length}, up to ${Math.max(...calls)} calls each.`);
  const held = await holdTables(tables, {
    ...voting,
    identify: member => renderIdentity(member, { ...voting, question: `panel/${member.id}` }),
  });
  return held.map(panel => recordPanel(panel.table, panel));
}

/** Panels side by side, whatever they are about; in the order of the tables. */
export async function holdTables<Table extends PanelTable>(
  asked: readonly Table[],
  holding: PanelHolding,
) {
  const { asking, settings } = holding;
  // Who sits and what was proposed belong to the name: when more answers have come in since, others may sit, and a report about
  // the table before is none about theirs.
  const tables = asked.map(table => {
    const sides = [table.supporters, table.critics, table.neutrals].map(members =>
      members.map(({ id }) => id),
    );
    const mark = sha256(JSON.stringify([sides, table.amendments])).slice(0, 12);
    return { ...table, key: `${table.key}/${mark}` };
  });
  await bookEarlier(
    tables.flatMap(table => [...membersOf(table), null].map(one => keyOf(table, one))),
    asking,
  );
  return pLimit(settings.panel_concurrency).map(tables, async table => {
    const began = asking.clock.now();
    const held = await holdTable(table, holding);
    return { ...held, table, began, concluded: asking.clock.now() };
  });
}

/** What the names in the journal of everything that the panel about a motion is asked begin with, before a slash. */
export function panelKey(motionId: string) {
  return `panel/${motionId}`;
}

/** Name in the journal of what a member is asked; null: the facilitator. */
function keyOf({ key }: PanelTable, member: Member | null) {
  return member === null ? `${key}/facilitate` : `${key}/argue/${member.id}`;
}

/** Rejects only when the signal of the run aborts; whatever else goes wrong is a panel that failed. */
async function holdTable(table: PanelTable, holding: PanelHolding) {
  const { asking } = holding;
  const time = new AbortController();
  const over = asking.clock.sleep(panelTimeLimitMinutes * 60_000, time.signal).then(
    () => time.abort(),
    () => {},
  );
  const signal = AbortSignal.any([asking.signal, time.signal]);
  const minutes: Minutes = new Map();
  let report: Facilitation | string;
  try {
    report = await argueOut(table, minutes, { ...holding, asking: { ...asking, signal } });
  } catch (error) {
    if (asking.signal.aborted || !time.signal.aborted) throw error;
    report = `The limit of ${panelTimeLimitMinutes} minutes is reached.`;
  } finally {
    time.abort();
    await over;
  }
  // In the order of the seats, whatever came in first.
  const spoken = membersOf(table).flatMap(({ name }) => minutes.get(name) ?? []);
  const problems = present(
    ...spoken.map(({ error }) => error),
    typeof report === 'string' && report,
  );
  return {
    said: spoken.map(({ argument }) => argument),
    report: typeof report === 'string' ? null : report,
    error: problems.join(' ') || null,
  };
}

/** What each member said so far, by name: it outlasts a panel that is cut off. */
type Minutes = Map<string, { readonly argument: Argument; readonly error: string | null }>;

/** The report, or why there is none. */
async function argueOut(table: PanelTable, minutes: Minutes, holding: PanelHolding) {
  const argue = (members: readonly Member[], side: Side, heard: readonly Argument[]) =>
    Promise.all(
      members.map(async member => {
        const key = keyOf(table, member);
        const question = {
          ...holding.seatFor(member, table.riskTier),
          key,
          instructions: holding.identify(member),
          prompt: renderPanelPrompt(side, heard, table, { ...holding, question: key }),
        };
        const { read, error: why } = await askUntil(question, readArgument, holding.asking);
        const said = read ?? { argument: null, vote: null };
        const argument = { archon_name: member.name, side, ...said };
        const error = read === null ? `${member.name} did not argue: ${why}` : null;
        minutes.set(member.name, { argument, error });
        return argument;
      }),
    );
  const supporters = await argue(table.supporters, 'supporter', []);
  const sides = [...supporters, ...(await argue(table.critics, 'critic', supporters))];
  if (sides.every(({ argument, vote }) => argument === null && vote === null))
    return 'Neither side argued.';
  const said = [...sides, ...(await argue(table.neutrals, 'neutral', sides))];
  const key = keyOf(table, null);
  const prompt = renderFacilitatorPrompt(said, table, { ...holding, question: key });
  const heard = await askUntil(
    { ...table.facilitator, key, instructions: facilitatorInstructions, prompt },
    text => readFacilitation(text) ?? 'The answer holds no recommendation.',
    holding.asking,
  );
  return heard.read ?? `The facilitator did not report: ${heard.error}`;
}

// The reviews of a vote: every member is asked about what its packet assigns, and every assignment leaves one row. Motions that
// pass only with their amendments are written down as amended, by their panel or a facilitator, and put once more to those who
// amended or opposed them: the second pass.

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
  return answersIn(await collectStances(...questionsOf(drawn, voting), asking), voting.session);
}

/** What collecting the reviews takes from here on, and how long. No member is asked. */
export async function planReviews(drawn: DrawnVote, voting: Voting, recalling: Recalling) {
  const planned = await planStances(...questionsOf(drawn, voting), recalling);
  return { ...planned, time: forecastTime(planned.expected, voting.lanes, planned.seconds) };
}

function questionsOf({ triaged, packets }: DrawnVote, voting: Voting) {
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
  askedOf: (member: Member) => readonly AskedMotion[];
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
  const { session, settings, seatFor } = voting;
  const groups = Math.max(leastGroups, Math.ceil(session.roster.length / groupSize));
  const lot = (...names: readonly (string | number)[]) => sha256([session.id, ...names].join('|'));
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

function answersIn(stances: readonly HeardStance[], { roster }: Session) {
  const names = new Map(roster.map(({ id, name }) => [id, name]));
  return stances.map(({ opposition_concerns: concerns, ...heard }): Answer => ({
    ...heard,
    archon_name: names.get(heard.archon_id) ?? heard.archon_id,
    opposition_reason: concerns.join('; ') || null,
  }));
}

/** One row for each question, in roster order. Rejects only when the signal aborts. */
export async function holdSecondPass(motions: readonly AmendedMotion[], voting: OpenVoting) {
  const { asking, ceilings, note } = voting;
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
    sha256(JSON.stringify(ids.map(id => [id, texts.get(id)?.text]))).slice(0, 16);
  const stances = await collectStances(
    ...prepareQuestions({ key: 'second', askedOf, mark }, voting),
    asking,
    ({ expected, answered, spent }) =>
      note(`Second pass. ${describeForecast(expected, ceilings, { answered, spent })}`),
  );
  return { texts, answers: answersIn(stances, voting.session) };
}

/** By motion: of its panel, else of a facilitator, else the suggestions below the motion. */
async function writeTexts(motions: readonly AmendedMotion[], voting: OpenVoting) {
  const { asking, seatFor, settings, note } = voting;
  const texts = new Map(motions.map(motion => [motion.subject.motion.id, amendedTextOf(motion)]));
  const unmerged = motions.filter(
    motion => texts.get(motion.subject.motion.id)?.by === 'merge' && isMergeable(motion),
  );
  const questions = sumOf(motions, ({ asked }) => asked.length);
  note(
    `Second pass: ${motions.length} accepted with amendments, ` +
      `${questions === 1 ? '1 question' : `${questions} questions`} to those who amended or opposed; ` +
      `${merging(unmerged.length)}.`,
  );
  const merged = await askAll(
    unmerged.map(motion => {
      const { subject, text, amendments } = motion;
      const motionId = subject.motion.id;
      const key = `second/text/${motionId}@${sha256(JSON.stringify([text, amendments])).slice(0, 16)}`;
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

/**
 * Characters of a motion and its suggestions that a facilitator can be given, about 10,000 tokens. Beyond them nobody could
 * merge the whole, and a part of it is no amended text.
 */
const longestMerge = 32_000;

/** Is there something to merge, and can it be shown whole? */
function isMergeable({ text, amendments }: Amendable) {
  const suggestions = suggestionsIn(amendments);
  return suggestions.length > 0 && text.length + suggestions.join('\n').length <= longestMerge;
}
