/**
 * Panels about contested motions: each side argues at once, critics read the supporters, those in the middle read both, and
 * a facilitator reports. Everybody votes before anybody's vote is read. Nothing is made up for a panel that fails.
 */
import pLimit from 'p-limit';
import type { Seat } from '../../core/words/config.ts';
import type { Member } from '../../core/vote/motion.ts';
import {
  announcePanel,
  membersOf,
  panelTimeLimitMinutes,
  type PanelSeating,
  type Sides,
} from '../../core/vote/aggregation.ts';
import { type PanelRecord } from '../../core/vote/records.ts';
import {
  collectDissent,
  countVotes,
  readArgument,
  readFacilitation,
  type Facilitation,
} from '../../core/vote/answers.ts';
import {
  facilitatorInstructions,
  renderFacilitatorPrompt,
  renderPanelPrompt,
  type Argument,
  type Side,
} from '../../core/vote/prompts/panels.ts';
import type { RiskTier } from '../../core/vote/triage.ts';
import { askUntil, bookEarlier, type Asking, type Question } from './ask-member.ts';
import type { Reviewing } from './collect-reviews.ts';
import type { PanelsWanted } from './run-motions.ts';

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
  /** Prefix of the journal keys. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly amendments: readonly string[];
  /** Of the motion; null where it is none. */
  readonly riskTier: RiskTier | null;
}

export interface HeldPanel {
  readonly said: readonly Argument[];
  /** Null: the panel failed. */
  readonly report: Facilitation | null;
  /** Who did not speak, or why the panel failed; null when nothing went wrong. */
  readonly error: string | null;
}

export async function holdPanels(
  { panels, note }: PanelsWanted,
  holding: PanelHolding,
): Promise<PanelRecord[]> {
  const seated = panels.map(seating => ({ seating, table: tableOf(seating) }));
  const calls = seated.map(({ table }) => callsOf(table));
  if (calls.length > 0) note(`Panels: ${calls.length}, up to ${Math.max(...calls)} calls each.`);
  return holdTables(seated, holding, ({ seating }, held, began) =>
    toRecord(seating, began, held, holding.asking),
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

function tableOf({
  subject: { motion, riskTier },
  aggregation,
  supporters,
  critics,
  neutrals,
}: PanelSeating): PanelTable {
  return {
    key: `panel/${motion.id}`,
    title: motion.title,
    text: motion.text,
    amendments: aggregation.amendment_texts,
    riskTier,
    supporters,
    critics,
    neutrals,
  };
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
  try {
    return await argueOut(table, {
      ...holding,
      asking: { ...asking, signal: AbortSignal.any([asking.signal, time.signal]) },
    });
  } catch (error) {
    if (asking.signal.aborted || !time.signal.aborted) throw error;
    return {
      said: [],
      report: null,
      error: `The limit of ${panelTimeLimitMinutes} minutes is reached.`,
    };
  } finally {
    time.abort();
    await over;
  }
}

async function argueOut(table: PanelTable, holding: PanelHolding): Promise<HeldPanel> {
  const errors: string[] = [];
  const argue = async (
    members: readonly Member[],
    side: Side,
    heard: readonly Argument[],
  ): Promise<Argument[]> => {
    const said = await Promise.all(
      members.map(member => argueAs(member, { side, heard, table, holding })),
    );
    errors.push(...said.flatMap(({ error }) => error ?? []));
    return said.map(({ argument }) => argument);
  };
  const supporters = await argue(table.supporters, 'supporter', []);
  const critics = await argue(table.critics, 'critic', supporters);
  if ([...supporters, ...critics].every(({ text, vote }) => text === null && vote === null))
    return { said: [], report: null, error: errors.join(' ') || 'Nobody argued.' };
  const said = [
    ...supporters,
    ...critics,
    ...(await argue(table.neutrals, 'neutral', [...supporters, ...critics])),
  ];
  const question: Question = {
    ...holding.facilitatorFor(table),
    key: facilitatorKey(table),
    instructions: facilitatorInstructions,
    prompt: renderFacilitatorPrompt(said, table, holding),
  };
  const heard = await askUntil(
    question,
    text => readFacilitation(text) ?? 'The answer holds no recommendation.',
    holding.asking,
  );
  if (heard.read === null)
    return { said, report: null, error: `The facilitator did not report: ${heard.error}` };
  return { said, report: heard.read, error: errors.length === 0 ? null : errors.join(' ') };
}

interface Speech {
  readonly side: Side;
  readonly heard: readonly Argument[];
  readonly table: PanelTable;
  readonly holding: PanelHolding;
}

async function argueAs(
  member: Member,
  { side, heard, table, holding }: Speech,
): Promise<{ readonly argument: Argument; readonly error: string | null }> {
  const question: Question = {
    ...holding.seatFor(member, table.riskTier),
    key: argumentKey(table, member),
    instructions: holding.identify(member),
    prompt: renderPanelPrompt(side, heard, table, holding),
  };
  const { read, ...rest } = await askUntil(question, text => readArgument(text), holding.asking);
  const argument = { name: member.name, side, text: read?.text ?? null, vote: read?.vote ?? null };
  return {
    argument,
    error: 'error' in rest ? `${member.name} did not argue: ${rest.error}` : null,
  };
}

function toRecord(
  seating: PanelSeating,
  began: Date,
  { said, report, error }: HeldPanel,
  { clock }: Asking,
): PanelRecord {
  const concluded = clock.now();
  const votes = report === null ? null : countVotes(said, report);
  return {
    ...announcePanel(seating),
    scheduled_at: began.toISOString(),
    recommendation: report?.recommendation ?? null,
    revised_motion_text: report?.revisedText ?? null,
    revision_rationale: report?.revisionSummary ?? report?.rationale ?? null,
    dissenting_opinions: report === null ? [] : collectDissent(said, report),
    vote_breakdown: votes?.breakdown ?? { pass: 0, fail: 0, amend: 0, defer: 0 },
    concluded_at: concluded.toISOString(),
    deliberation_duration_minutes: (concluded.getTime() - began.getTime()) / 60_000,
    status: report === null ? 'failed' : 'concluded',
    error,
    votes_agree: votes?.agree ?? null,
  };
}
