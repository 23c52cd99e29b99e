/** Contested claims argued out on the panels of motions. Arguments are read without knowing whose they are. */
import {
  type ClaimBallot,
  type ClaimPanelResult,
  type DeliberationSettings,
  standingOf,
} from '../../core/vote/claim-vote.ts';
import { defaultLimits } from '../../core/vote/motions-settings.ts';
import type { HeldPanel } from '../../core/vote/panel-record.ts';
import { drawNeutrals, membersOf, seatSides, whyNoPanel } from '../../core/vote/panels.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Asking } from './ask-member.ts';
import { type ClaimsAsked, type HearingWorld, instructionsOf, placed } from './claim-hearing.ts';
import { holdTables, type PanelTable, tableKey } from './hold-panels.ts';

/** A claim as a motion, with those who may be told of it. */
export interface ClaimMotion extends ClaimBallot {
  /** In panel order. */
  readonly hearers: readonly Seat[];
}

/** What the questions about the claims of a run have in common. */
export interface Hearing {
  readonly plan: ClaimsAsked['plan'];
  /** What is shown of each claim, by id: never who said it. */
  readonly texts: ReadonlyMap<string, string>;
  readonly asking: Asking;
  readonly world: Pick<HearingWorld, 'hash' | 'note'>;
  /** Prefix of the journal keys: about the same claims the same questions. */
  readonly key: string;
}

/** By claim; a sentence where no panel was held. */
export async function holdClaimPanels(
  contested: readonly ClaimMotion[],
  hearing: Hearing,
  { panelConcurrency }: Pick<DeliberationSettings, 'panelConcurrency'>,
): Promise<Map<string, ClaimPanelResult | string>> {
  const { plan, asking, world } = hearing;
  const tables = contested.map(motion => seatTable(motion, hearing));
  const skipped = tables.flatMap(({ id, why }) => (why === null ? [] : [[id, why] as const]));
  const seated = tables.filter(({ why }) => why === null);
  const goes = (claims: number): string =>
    `${claims} contested ${claims === 1 ? 'claim goes' : 'claims go'}`;
  if (seated.length > 0) world.note(`${goes(seated.length)} to a panel.`);
  if (skipped.length > 0)
    world.note(
      `${goes(skipped.length)} to no panel. ${[...new Set(skipped.map(([, why]) => why))].join(' ')}`,
    );
  const seatOf = (id: string | undefined): Seat => {
    const seat = plan.seats.find(one => one.id === id);
    if (seat === undefined) throw new Error(`${id ?? 'Somebody'} sits on a panel of others.`);
    return seat;
  };
  const results = await holdTables(
    seated,
    {
      asking,
      fence: plan.fence,
      hash: world.hash,
      textLimits: defaultLimits,
      panelConcurrency,
      seatFor: ({ id }) => placed(seatOf(id)),
      identify: ({ id }) => instructionsOf(seatOf(id)),
      // Who facilitates is not at the table where somebody is left.
      facilitatorFor: table => {
        const hearers = seated.find(one => one.table === table)?.hearers ?? [];
        const members = new Set(membersOf(table).map(({ id }) => id));
        return placed(seatOf((hearers.find(({ id }) => !members.has(id)) ?? hearers[0])?.id));
      },
    },
    ({ id, table }, held) => [id, resultOf(table, held)] as const,
  );
  return new Map<string, ClaimPanelResult | string>([...results, ...skipped]);
}

interface SeatedClaim extends Pick<ClaimMotion, 'hearers'> {
  /** Of the claim. */
  readonly id: string;
  readonly table: PanelTable;
  /** Why no panel is held; null: one is. */
  readonly why: string | null;
}

function seatTable(motion: ClaimMotion, { texts, key, plan, world }: Hearing): SeatedClaim {
  const { id } = motion.claim;
  const { hearers } = motion;
  const nothing = { role: null, backstory: null, model: null, baseUrl: null };
  const members = new Map(
    plan.seats
      .map((seat, index) => ({ id: seat.id, name: `Reviewer ${index + 1}`, ...nothing }))
      .filter(member => hearers.some(hearer => hearer.id === member.id))
      .map(member => [member.id, member]),
  );
  const standing = standingOf(motion, null);
  const neutral = drawNeutrals(
    standing.neutral.flatMap(name => members.get(name) ?? []),
    id,
    { runId: plan.run, hash: world.hash },
  );
  const sides = seatSides({ ...standing, neutral: neutral.map(member => member.id) }, members);
  const table = {
    title: 'Is this finding about the change real?',
    text: texts.get(id) ?? '',
    amendments: [],
    riskTier: null,
    ...sides,
  };
  return {
    id,
    hearers,
    table: { ...table, key: tableKey(`${key}/panel/${id}`, table, world.hash) },
    why: whyNoPanel(sides, { for: standing.for.length, against: standing.against.length }),
  };
}

/** In the names of the reviewers. */
function resultOf(table: PanelTable, { said, report, error }: HeldPanel): ClaimPanelResult {
  const ids = new Map(membersOf(table).map(({ name, id }) => [name, id]));
  const named = said.map(argument => ({ ...argument, name: ids.get(argument.name) ?? '' }));
  const idsOf = (members: PanelTable['neutrals']): string[] => members.map(({ id }) => id);
  return {
    status: report === null ? 'failed' : 'concluded',
    error,
    supporters: idsOf(table.supporters),
    critics: idsOf(table.critics),
    neutrals: idsOf(table.neutrals),
    recommendation: report?.synthesis.recommendation ?? null,
    votes: Object.fromEntries(
      named.flatMap(({ name, vote }) => (vote === null ? [] : [[name, vote]])),
    ),
    said: named,
  };
}
