/**
 * Panels about what is contested: each side argues at once, critics read the supporters, those in the middle read both, and
 * a facilitator reports. Everybody votes before anybody's vote is read. Nothing is made up for a panel that fails, and nothing
 * that was said is lost.
 */
import pLimit from 'p-limit';
import type { Member } from '../../core/words/roster.ts';
import { type Facilitation, readArgument, readFacilitation } from '../answers.ts';
import {
  type HeldPanel,
  membersOf,
  panelTimeLimitMinutes,
  type PanelSeating,
  recordPanel,
  type Sides,
} from '../panels.ts';
import {
  facilitatorInstructions,
  renderFacilitatorPrompt,
  renderIdentity,
  renderPanelPrompt,
} from '../prompts/motions.ts';
import type { Argument, PanelRecord, Side } from '../records.ts';
import type { RiskTier } from '../triage.ts';
import { askUntil, bookEarlier, type PlacedSeat } from '../../engine/asking/ask-member.ts';
import type { OpenVoting } from './collect-reviews.ts';

/** Who is asked, and how. */
interface PanelHolding extends Pick<OpenVoting, 'asking' | 'fence' | 'hash' | 'textLimits'> {
  readonly settings: Pick<OpenVoting['settings'], 'panel_concurrency'>;
  readonly seatFor: (member: Member, riskTier: RiskTier | null) => PlacedSeat;
  /** What a member is told about itself. */
  readonly identify: (member: Member) => string;
}

/** What a panel argues about, and who sits on which side. */
export interface PanelTable extends Sides {
  /** What the names in the journal of everything asked about it begin with. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly amendments: readonly string[];
  /** Of the motion; null where it is none. */
  readonly riskTier: RiskTier | null;
  /** Sits on no side where somebody else is left. */
  readonly facilitator: PlacedSeat;
}

export async function holdPanels(
  panels: readonly PanelSeating[],
  voting: OpenVoting,
): Promise<PanelRecord[]> {
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
  return held.map(({ table, ...panel }) => recordPanel(table, panel, panel));
}

export interface HeldTable<Table> extends HeldPanel {
  readonly table: Table;
  readonly began: Date;
  readonly concluded: Date;
}

/** Panels side by side, whatever they are about; in the order of the tables. */
export async function holdTables<Table extends PanelTable>(
  asked: readonly Table[],
  holding: PanelHolding,
): Promise<HeldTable<Table>[]> {
  const { asking, settings, hash } = holding;
  // Who sits and what was proposed belong to the name: when more answers have come in since, others may sit, and a report about
  // the table before is none about theirs.
  const tables = asked.map(table => {
    const { supporters, critics, neutrals, amendments } = table;
    const sides = [supporters, critics, neutrals].map(members => members.map(({ id }) => id));
    const mark = hash(JSON.stringify([sides, amendments])).slice(0, 12);
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
  const problems = [
    ...spoken.flatMap(({ error }) => error ?? []),
    ...(typeof report === 'string' ? [report] : []),
  ];
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
