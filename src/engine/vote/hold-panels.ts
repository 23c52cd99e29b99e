/**
 * Panels about what is contested: each side argues at once, critics read the supporters, those in the middle read both, and
 * a facilitator reports. Everybody votes before anybody's vote is read. Nothing is made up for a panel that fails, and nothing
 * that was said is lost.
 */
import pLimit from 'p-limit';
import type { Seat } from '../../core/words/config.ts';
import type { Member } from '../../core/vote/motion.ts';
import { readArgument, readFacilitation } from '../../core/vote/answers.ts';
import { type HeldPanel, recordPanel } from '../../core/vote/panel-record.ts';
import {
  type Argument,
  membersOf,
  panelTimeLimitMinutes,
  type PanelSeating,
  type Sides,
} from '../../core/vote/panels.ts';
import {
  facilitatorInstructions,
  renderFacilitatorPrompt,
  renderPanelPrompt,
} from '../../core/vote/prompts/panels.ts';
import type { PanelRecord, Side } from '../../core/vote/records.ts';
import type { RiskTier } from '../../core/vote/triage.ts';
import { askUntil, bookEarlier, type Question } from './ask-member.ts';
import type { Reviewing } from './collect-reviews.ts';
import type { PanelsWanted } from './deliberators.ts';

/** Who is asked, and how; the facilitator is no member. */
export interface PanelHolding extends Pick<
  Reviewing,
  'asking' | 'seatFor' | 'fence' | 'hash' | 'textLimits' | 'panelConcurrency'
> {
  readonly facilitatorFor: (table: PanelTable) => {
    readonly seat: Seat;
    readonly endpoint: string | null;
  };
  /** What a member is told about itself. */
  readonly identify: (member: Member) => string;
}

/** What a panel argues about, and who sits on which side. */
export interface PanelTable extends Sides {
  /** Prefix of the journal keys, as `tableKey` makes it. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly amendments: readonly string[];
  /** Of the motion; null where it is none. */
  readonly riskTier: RiskTier | null;
}

export async function holdPanels(
  { panels, note }: PanelsWanted,
  holding: PanelHolding,
): Promise<PanelRecord[]> {
  const seated = panels.map(seating => ({ seating, table: tableOf(seating, holding) }));
  const calls = seated.map(({ table }) => callsOf(table));
  if (calls.length > 0) note(`Panels: ${calls.length}, up to ${Math.max(...calls)} calls each.`);
  return holdTables(seated, holding, ({ seating }, held, began) =>
    recordPanel(seating, held, { began, concluded: holding.asking.clock.now() }),
  );
}

/** Panels side by side, whatever they are about; the rows are in the order of the tables. */
export function holdTables<Seated extends { readonly table: PanelTable }, Row>(
  seated: readonly Seated[],
  holding: PanelHolding,
  conclude: (seated: Seated, held: HeldPanel, began: Date) => Row,
): Promise<Row[]> {
  const { asking, panelConcurrency } = holding;
  bookEarlier(
    seated.flatMap(({ table }) => keysOf(table)),
    asking,
  );
  const limit = pLimit(panelConcurrency);
  return Promise.all(
    seated.map(one =>
      limit(async () => {
        const began = asking.clock.now();
        return conclude(one, await holdTable(one.table, holding), began);
      }),
    ),
  );
}

/**
 * Who sits and what was proposed belong to the name: when more answers have come in since, others may sit, and a report about
 * the table before is none about theirs. `hash`: SHA-256 in hex.
 */
export function tableKey(
  prefix: string,
  { supporters, critics, neutrals, amendments }: Omit<PanelTable, 'key'>,
  hash: (text: string) => string,
): string {
  const sides = [supporters, critics, neutrals].map(members => members.map(({ id }) => id));
  return `${prefix}/${hash(JSON.stringify([sides, amendments])).slice(0, 12)}`;
}

function tableOf(
  { subject: { motion, riskTier }, aggregation, supporters, critics, neutrals }: PanelSeating,
  { hash }: Pick<PanelHolding, 'hash'>,
): PanelTable {
  const table = {
    title: motion.title,
    text: motion.text,
    amendments: aggregation.amendment_texts,
    riskTier,
    supporters,
    critics,
    neutrals,
  };
  return { ...table, key: tableKey(panelKey(motion.id), table, hash) };
}

/** What the names in the journal of everything that the panel about a motion is asked begin with, before a slash. */
export function panelKey(motionId: string): string {
  return `panel/${motionId}`;
}

/** Calls of a panel when every answer can be used at once. */
function callsOf(table: PanelTable): number {
  return membersOf(table).length + 1;
}

/** The names in the journal of everything that is asked at a table. */
function keysOf(table: PanelTable): string[] {
  return [...membersOf(table).map(member => argumentKey(table, member)), facilitatorKey(table)];
}

function argumentKey({ key }: PanelTable, { id }: Member): string {
  return `${key}/argue/${id}`;
}

function facilitatorKey({ key }: PanelTable): string {
  return `${key}/facilitate`;
}

/** Rejects only when the signal of the run aborts; whatever else goes wrong is a panel that failed. */
async function holdTable(table: PanelTable, holding: PanelHolding): Promise<HeldPanel> {
  const { asking } = holding;
  const time = new AbortController();
  const over = asking.clock.sleep(panelTimeLimitMinutes * 60_000, time.signal).then(
    () => time.abort(),
    () => {},
  );
  const minutes: Minutes = new Map();
  try {
    const reported = await argueOut(table, minutes, {
      ...holding,
      asking: { ...asking, signal: AbortSignal.any([asking.signal, time.signal]) },
    });
    return concludeTable(table, minutes, reported);
  } catch (error) {
    if (asking.signal.aborted || !time.signal.aborted) throw error;
    const limit = `The limit of ${panelTimeLimitMinutes} minutes is reached.`;
    return concludeTable(table, minutes, { report: null, error: limit });
  } finally {
    time.abort();
    await over;
  }
}

/** What each member said so far, by name: it outlasts a panel that is cut off. */
type Minutes = Map<string, { readonly argument: Argument; readonly error: string | null }>;

type Reported = Pick<HeldPanel, 'report' | 'error'>;

/** In the order of the seats, whatever came in first. */
function concludeTable(
  table: PanelTable,
  minutes: Minutes,
  { report, error }: Reported,
): HeldPanel {
  const spoken = membersOf(table).flatMap(({ name }) => minutes.get(name) ?? []);
  const errors = [...spoken.map(one => one.error), error].filter(one => one !== null);
  return {
    said: spoken.map(({ argument }) => argument),
    report,
    error: errors.length === 0 ? null : errors.join(' '),
  };
}

async function argueOut(
  table: PanelTable,
  minutes: Minutes,
  holding: PanelHolding,
): Promise<Reported> {
  const argue = (
    members: readonly Member[],
    side: Side,
    heard: readonly Argument[],
  ): Promise<Argument[]> =>
    Promise.all(members.map(member => argueAs(member, { side, heard, table, minutes, holding })));
  const supporters = await argue(table.supporters, 'supporter', []);
  const critics = await argue(table.critics, 'critic', supporters);
  const sides = [...supporters, ...critics];
  if (sides.every(({ text, vote }) => text === null && vote === null))
    return { report: null, error: 'Neither side argued.' };
  const said = [...sides, ...(await argue(table.neutrals, 'neutral', sides))];
  const key = facilitatorKey(table);
  const question: Question = {
    ...holding.facilitatorFor(table),
    key,
    instructions: facilitatorInstructions,
    prompt: renderFacilitatorPrompt(said, table, { ...holding, question: key }),
  };
  const heard = await askUntil(
    question,
    text => readFacilitation(text) ?? 'The answer holds no recommendation.',
    holding.asking,
  );
  return heard.read === null
    ? { report: null, error: `The facilitator did not report: ${heard.error}` }
    : { report: heard.read, error: null };
}

interface Speech {
  readonly side: Side;
  readonly heard: readonly Argument[];
  readonly table: PanelTable;
  readonly minutes: Minutes;
  readonly holding: PanelHolding;
}

async function argueAs(
  member: Member,
  { side, heard, table, minutes, holding }: Speech,
): Promise<Argument> {
  const key = argumentKey(table, member);
  const question: Question = {
    ...holding.seatFor(member, table.riskTier),
    key,
    instructions: holding.identify(member),
    prompt: renderPanelPrompt(side, heard, table, { ...holding, question: key }),
  };
  const { read, ...rest } = await askUntil(question, text => readArgument(text), holding.asking);
  const argument = { name: member.name, side, text: read?.text ?? null, vote: read?.vote ?? null };
  const error = 'error' in rest ? `${member.name} did not argue: ${rest.error}` : null;
  minutes.set(member.name, { argument, error });
  return argument;
}
