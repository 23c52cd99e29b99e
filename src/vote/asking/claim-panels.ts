/** Contested claims argued out on the panels of motions. Arguments are read without knowing whose they are. */
import { type ClaimBallot, type HeldClaimPanel, standingOf } from '../claim-vote.ts';
import type { DeliberationSettings } from '../../core/words/claim-settings.ts';
import { defaultLimits } from '../../core/words/motions-settings.ts';
import { type Draw, drawNeutrals, membersOf, seatSides, whyNoPanel } from '../panels.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Member } from '../../core/words/roster.ts';
import type { Asking } from '../../engine/asking/ask-member.ts';
import { type ClaimsAsked, type HearingWorld, placed } from '../../engine/asking/judges.ts';
import { instructionsOf } from '../prompts/claims.ts';
import { type HeldTable, holdTables, type PanelTable, tableKey } from './hold-panels.ts';

/** A claim as a motion. */
export interface ClaimMotion extends ClaimBallot {
  /** All that is shown of it, never who said it. */
  readonly text: string;
  /** Who may be told of it, and who of them is asked; in panel order. */
  readonly hearers: readonly Seat[];
  readonly asked: readonly Seat[];
}

/** What the questions about the claims of a run have in common. */
export interface Hearing {
  readonly plan: ClaimsAsked['plan'];
  readonly asking: Asking;
  readonly world: HearingWorld;
}

/** By claim. */
export async function holdClaimPanels(
  contested: readonly ClaimMotion[],
  { plan, asking, world: { hash } }: Hearing,
  { panelConcurrency }: DeliberationSettings,
): Promise<Map<string, HeldClaimPanel>> {
  const seatOf = ({ id }: Pick<Member, 'id'>): Seat => {
    const seat = plan.seats.find(one => one.id === id);
    if (seat === undefined) throw new Error(`${id} sits on a panel and not in the run.`);
    return seat;
  };
  const results = new Map<string, HeldClaimPanel>();
  const tables: (PanelTable & { readonly claim: string })[] = [];
  for (const motion of contested) {
    const claim = motion.claim.id;
    const table = seatTable(motion, { runId: plan.run, hash });
    if (typeof table === 'string') results.set(claim, { panel: null, skipped: table, said: [] });
    else tables.push({ ...table, claim });
  }
  const held = await holdTables(tables, {
    asking,
    settings: { panel_concurrency: panelConcurrency },
    fence: plan.fence,
    hash,
    textLimits: defaultLimits,
    seatFor: member => placed(seatOf(member)),
    identify: member => instructionsOf(seatOf(member)),
  });
  for (const panel of held) results.set(panel.table.claim, resultOf(panel));
  return results;
}

/** Why no panel is held, where none is. */
function seatTable({ text, hearers, ...motion }: ClaimMotion, draw: Draw): PanelTable | string {
  const { id } = motion.claim;
  const nothing = { role: null, backstory: null, model: null, baseUrl: null };
  const members = new Map(
    hearers.map((hearer, index) => [
      hearer.id,
      { id: hearer.id, name: `Reviewer ${index + 1}`, ...nothing },
    ]),
  );
  const standing = standingOf(motion, null);
  const neutral = drawNeutrals(
    standing.neutral.flatMap(reviewer => members.get(reviewer) ?? []),
    id,
    draw,
  );
  const sides = seatSides({ ...standing, neutral: neutral.map(member => member.id) }, members);
  const skipped = whyNoPanel(sides, {
    for: standing.for.length,
    against: standing.against.length,
  });
  const sitting = new Set(membersOf(sides).map(member => member.id));
  // A facilitator does not argue, where a reviewer is left.
  const facilitator = hearers.find(hearer => !sitting.has(hearer.id)) ?? hearers[0];
  if (skipped !== null || facilitator === undefined) return skipped ?? '';
  const table = { ...sides, amendments: [] };
  return {
    ...table,
    key: tableKey(`claims/panel/${id}`, table, draw.hash),
    title: 'Is this finding about the change real?',
    text,
    riskTier: null,
    facilitator: placed(facilitator),
  };
}

/** In the names of the reviewers. */
function resultOf({ table, said, report, error }: HeldTable<PanelTable>): HeldClaimPanel {
  const ids = new Map(membersOf(table).map(({ name, id }) => [name, id]));
  const named = said.map(argument => ({ ...argument, name: ids.get(argument.name) ?? '' }));
  return {
    panel: {
      status: report === null ? 'failed' : 'concluded',
      error,
      supporters: idsOf(table.supporters),
      critics: idsOf(table.critics),
      neutrals: idsOf(table.neutrals),
      recommendation: report?.synthesis.recommendation ?? null,
      votes: Object.fromEntries(
        named.flatMap(({ name, vote }) => (vote === null ? [] : [[name, vote]])),
      ),
    },
    skipped: null,
    said: named,
  };
}

function idsOf(members: readonly Member[]): string[] {
  return members.map(({ id }) => id);
}
