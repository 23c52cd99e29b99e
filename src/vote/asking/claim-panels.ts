/** Contested claims argued out on the panels of motions. Arguments are read without knowing whose they are. */
import { type ClaimBallot, type HeldClaimPanel, standingOf } from '../claim-vote.ts';
import type { DeliberationSettings } from '../../core/words/claim-settings.ts';
import { defaultLimits } from '../../core/words/motions-settings.ts';
import type { HeldPanel } from '../panel-record.ts';
import { drawNeutrals, membersOf, seatSides, whyNoPanel } from '../panels.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Asking } from '../../engine/asking/ask-member.ts';
import { type ClaimsAsked, type HearingWorld, placed } from '../../engine/asking/judges.ts';
import { instructionsOf } from '../prompts/claims.ts';
import { holdTables, type PanelTable, tableKey } from './hold-panels.ts';

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
  hearing: Hearing,
  { panelConcurrency }: DeliberationSettings,
): Promise<Map<string, HeldClaimPanel>> {
  const { plan, asking, world } = hearing;
  const tables = contested.map(motion => seatTable(motion, hearing));
  const seated = tables.filter(({ skipped }) => skipped === null);
  const seatOf = (id = ''): Seat => {
    const seat = plan.seats.find(one => one.id === id);
    if (seat === undefined) throw new Error(`${id} sits on a panel and not in the run.`);
    return seat;
  };
  const held = await holdTables(
    seated,
    {
      asking,
      panelConcurrency,
      fence: plan.fence,
      hash: world.hash,
      textLimits: defaultLimits,
      seatFor: ({ id }) => placed(seatOf(id)),
      identify: ({ id }) => instructionsOf(seatOf(id)),
      // A facilitator does not argue, where a reviewer is left.
      facilitatorFor: table => {
        const ids = new Set(membersOf(table).map(({ id }) => id));
        const hearers = seated.find(one => one.table === table)?.motion.hearers ?? [];
        const free = hearers.find(({ id }) => !ids.has(id)) ?? hearers[0];
        return placed(seatOf(free?.id));
      },
    },
    ({ motion, table }, panel) => [motion.claim.id, resultOf(table, panel)] as const,
  );
  return new Map([
    ...tables.map(
      ({ motion, skipped }) => [motion.claim.id, { panel: null, skipped, said: [] }] as const,
    ),
    ...held,
  ]);
}

interface SeatedClaim {
  readonly motion: ClaimMotion;
  readonly table: PanelTable;
  /** Why no panel is held; null: one is. */
  readonly skipped: string | null;
}

function seatTable(motion: ClaimMotion, { plan, world }: Hearing): SeatedClaim {
  const { id } = motion.claim;
  const nothing = { role: null, backstory: null, model: null, baseUrl: null };
  const members = new Map(
    motion.hearers.map(
      (hearer, index) =>
        [hearer.id, { id: hearer.id, name: `Reviewer ${index + 1}`, ...nothing }] as const,
    ),
  );
  const standing = standingOf(motion, null);
  const neutral = drawNeutrals(
    standing.neutral.flatMap(reviewer => members.get(reviewer) ?? []),
    id,
    { runId: plan.run, hash: world.hash },
  );
  const sides = seatSides({ ...standing, neutral: neutral.map(member => member.id) }, members);
  const table = {
    title: 'Is this finding about the change real?',
    text: motion.text,
    amendments: [],
    riskTier: null,
    ...sides,
  };
  return {
    motion,
    table: { ...table, key: tableKey(`claims/panel/${id}`, table, world.hash) },
    skipped: whyNoPanel(sides, { for: standing.for.length, against: standing.against.length }),
  };
}

/** In the names of the reviewers. */
function resultOf(table: PanelTable, { said, report, error }: HeldPanel): HeldClaimPanel {
  const ids = new Map(membersOf(table).map(({ name, id }) => [name, id]));
  const named = said.map(argument => ({ ...argument, name: ids.get(argument.name) ?? '' }));
  const idsOf = (side: 'supporters' | 'critics' | 'neutrals'): string[] =>
    table[side].map(({ id }) => id);
  return {
    panel: {
      status: report === null ? 'failed' : 'concluded',
      error,
      supporters: idsOf('supporters'),
      critics: idsOf('critics'),
      neutrals: idsOf('neutrals'),
      recommendation: report?.synthesis.recommendation ?? null,
      votes: Object.fromEntries(
        named.flatMap(({ name, vote }) => (vote === null ? [] : [[name, vote]])),
      ),
    },
    skipped: null,
    said: named,
  };
}
