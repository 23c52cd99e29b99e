/**
 * Panels about contested motions: each side argues at once, critics read the supporters, those in the middle read both, and
 * a facilitator reports. Everybody votes before anybody's vote is read. Nothing is made up for a panel that fails.
 */
import pLimit from 'p-limit';
import type { Seat } from '../core/config.ts';
import type { Member } from '../core/deliberation/motion.ts';
import { panelTimeLimitMinutes, type PanelRecord, type PanelSeating } from '../core/deliberation/panel.ts';
import { collectDissent, countVotes, readArgument, readFacilitation, type Facilitation } from '../core/deliberation/panel-answer.ts';
import { facilitatorInstructions, renderFacilitatorPrompt, renderPanelPrompt, type Argument, type PanelMaterial, type Side } from '../core/deliberation/panel-prompt.ts';
import { renderIdentity } from '../core/deliberation/stance-prompt.ts';
import { askUntil, bookEarlier, type Asking, type Question } from './ask-member.ts';
import type { Reviewing } from './collect-reviews.ts';
import type { PanelsWanted } from './run-motions.ts';

/** Asks for the panels what `Reviewing` asks for the reviews; the facilitator is no member. */
export interface PanelHolding extends Pick<Reviewing, 'asking' | 'seatFor' | 'panelConcurrency' | 'fence'> {
  readonly facilitator: { readonly seat: Seat; readonly endpoint: string | null };
}

export async function holdPanels({ panels, note }: PanelsWanted, holding: PanelHolding): Promise<PanelRecord[]> {
  if (panels.length > 0) note(`Panels: ${panels.length}, up to ${Math.max(...panels.map(callsOf))} calls each.`);
  bookEarlier(panels.flatMap(keysOf), holding.asking);
  const limit = pLimit(holding.panelConcurrency);
  return Promise.all(panels.map(seating => limit(() => holdPanel(seating, holding))));
}

/** Calls of a panel when every answer can be used at once. */
function callsOf({ supporters, critics, neutrals }: PanelSeating): number {
  return supporters.length + critics.length + neutrals.length + 1;
}

function keysOf(seating: PanelSeating): string[] {
  return [...membersOf(seating).map(({ member }) => argumentKey(seating, member)), facilitatorKey(seating)];
}

function membersOf({ supporters, critics, neutrals }: PanelSeating): { readonly member: Member; readonly side: Side }[] {
  const sides = [['supporter', supporters], ['critic', critics], ['neutral', neutrals]] as const;
  return sides.flatMap(([side, members]) => members.map(member => ({ member, side })));
}

function argumentKey({ subject }: PanelSeating, { id }: Member): string {
  return `panel/${subject.motion.id}/argue/${id}`;
}

function facilitatorKey({ subject }: PanelSeating): string {
  return `panel/${subject.motion.id}/facilitate`;
}

async function holdPanel(seating: PanelSeating, holding: PanelHolding): Promise<PanelRecord> {
  const { asking } = holding;
  const began = asking.clock.now();
  const time = new AbortController();
  const over = asking.clock.sleep(panelTimeLimitMinutes * 60_000, time.signal).then(() => time.abort(), () => {});
  try {
    const limited = { ...holding, asking: { ...asking, signal: AbortSignal.any([asking.signal, time.signal]) } };
    return toRecord(seating, began, await argueOut(seating, limited), asking);
  } catch (error) {
    if (asking.signal.aborted || !time.signal.aborted) throw error;
    return toRecord(seating, began, { said: [], report: null, error: `The limit of ${panelTimeLimitMinutes} minutes is reached.` }, asking);
  } finally {
    time.abort();
    await over;
  }
}

interface Held {
  readonly said: readonly Argument[];
  /** Null: the panel failed. */
  readonly report: Facilitation | null;
  /** Who did not speak, and why; null when everybody did. */
  readonly error: string | null;
}

async function argueOut(seating: PanelSeating, holding: PanelHolding): Promise<Held> {
  const errors: string[] = [];
  const argue = async (members: readonly Member[], side: Side, heard: readonly Argument[]): Promise<Argument[]> => {
    const said = await Promise.all(members.map(member => argueAs(member, { side, heard, seating, holding })));
    errors.push(...said.flatMap(({ error }) => error ?? []));
    return said.map(({ argument }) => argument);
  };
  const supporters = await argue(seating.supporters, 'supporter', []);
  const critics = await argue(seating.critics, 'critic', supporters);
  if ([...supporters, ...critics].every(({ text }) => text === null)) return { said: [], report: null, error: errors.join(' ') || 'Nobody argued.' };
  const said = [...supporters, ...critics, ...(await argue(seating.neutrals, 'neutral', [...supporters, ...critics]))];
  const question: Question = { ...holding.facilitator, key: facilitatorKey(seating), instructions: facilitatorInstructions, prompt: renderFacilitatorPrompt(said, materialOf(seating, holding)) };
  const heard = await askUntil(question, text => readFacilitation(text) ?? 'The answer holds no recommendation.', holding.asking);
  if (heard.read === null) return { said, report: null, error: `The facilitator did not report: ${heard.error}` };
  return { said, report: heard.read, error: errors.length === 0 ? null : errors.join(' ') };
}

interface Speech {
  readonly side: Side;
  readonly heard: readonly Argument[];
  readonly seating: PanelSeating;
  readonly holding: PanelHolding;
}

async function argueAs(member: Member, { side, heard, seating, holding }: Speech): Promise<{ readonly argument: Argument; readonly error: string | null }> {
  const question: Question = { ...holding.seatFor(member), key: argumentKey(seating, member), instructions: renderIdentity(member), prompt: renderPanelPrompt(side, heard, materialOf(seating, holding)) };
  const { read, ...rest } = await askUntil(question, text => readArgument(text), holding.asking);
  const argument = { name: member.name, side, text: read?.text ?? null, vote: read?.vote ?? null };
  return { argument, error: 'error' in rest ? `${member.name} did not argue: ${rest.error}` : null };
}

function materialOf(seating: PanelSeating, { fence }: PanelHolding): PanelMaterial {
  return { seating, fence };
}

function toRecord(seating: PanelSeating, began: Date, { said, report, error }: Held, { clock }: Asking): PanelRecord {
  const { panelId, subject: { motion }, supporters, critics, neutrals } = seating;
  const concluded = clock.now();
  const votes = report === null ? null : countVotes(said, report);
  return {
    panel_id: panelId, mega_motion_id: motion.id, mega_motion_title: motion.title,
    supporters: namesOf(supporters), critics: namesOf(critics), neutrals: namesOf(neutrals),
    panel_size: supporters.length + critics.length + neutrals.length,
    time_limit_minutes: panelTimeLimitMinutes,
    scheduled_at: began.toISOString(),
    recommendation: report?.recommendation ?? null,
    revised_motion_text: report?.revisedText ?? null,
    revision_rationale: report?.revisionSummary ?? report?.rationale ?? null,
    dissenting_opinions: report === null ? [] : collectDissent(said, report),
    vote_breakdown: votes?.breakdown ?? { pass: 0, fail: 0, amend: 0, defer: 0 },
    concluded_at: concluded.toISOString(),
    deliberation_duration_minutes: (concluded.getTime() - began.getTime()) / 60_000,
    status: report === null ? 'failed' : 'concluded',
    error, votes_agree: votes?.agree ?? null,
  };
}

function namesOf(members: readonly Member[]): string[] {
  return members.map(({ name }) => name);
}
