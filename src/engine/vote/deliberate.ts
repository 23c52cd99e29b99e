/**
 * Contested claims as motions: what is well supported passes at once, the rest goes to those who did not raise it, and what
 * they contest is argued out. Who is asked, counted and seated, and how, is the vote on motions; here a claim becomes one,
 * and its outcome a claim again. Whatever goes wrong leaves the claim as it was, and says so.
 */
import type { Claim } from '../../core/words/claim.ts';
import type { Seat } from '../../core/words/config.ts';
import {
  concludeClaim,
  countClaim,
  passClaim,
  riskOf,
  standingOf,
  type ClaimBallot,
  type ClaimPanelResult,
  type DeliberationSettings,
} from '../../core/vote/claim-vote.ts';
import { describeForecast } from '../../core/vote/forecast.ts';
import type { Member } from '../../core/vote/motion.ts';
import type { HeldPanel } from '../../core/vote/panel-record.ts';
import { defaultLimits } from '../../core/vote/motions-settings.ts';
import { drawNeutrals, membersOf, seatSides, whyNoPanel } from '../../core/vote/panels.ts';
import type { Asking } from './ask-member.ts';
import {
  askingOf,
  type ClaimsAsked,
  type ClaimsHeard,
  countingCeiling,
  describeAll,
  hearersOf,
  type HearingWorld,
  instructionsOf,
  judgesOf,
  placed,
  taskAbout,
  voteOf,
} from './claim-hearing.ts';
import {
  collectStances,
  planStances,
  type Stance,
  type StanceSettings,
} from './collect-stances.ts';
import { holdTables, type PanelHolding, type PanelTable, tableKey } from './hold-panels.ts';

interface DeliberationRequest extends ClaimsAsked {
  readonly settings: DeliberationSettings;
}

/** Rejects only when the signal aborts. */
export async function deliberate(
  request: DeliberationRequest,
  world: HearingWorld,
): Promise<ClaimsHeard> {
  const { plan, settings, claims } = request;
  const judges = judgesOf(request);
  const open = claims.filter(claim => claim.state !== 'dismissed');
  const grave = open.filter(claim => riskOf(claim, settings) !== 'low');
  // Those who vote answer about several claims at once and hear one another's arguments: a claim goes to all of them or to none.
  const mayHear = hearersOf(request);
  const asked = grave.filter(claim => judges.every(({ id }) => mayHear(id, claim)));
  if (asked.length < grave.length)
    world.note(
      `${grave.length - asked.length} of ${grave.length} claims are not put to the vote: by the rules of egress not everybody who votes may be told of them.`,
    );
  const texts = await describeAll(asked, request, world);
  const { ceiling, spent } = countingCeiling(world.ceiling);
  const asking = askingOf(plan, { ...world, ceiling });
  const hearing: Hearing = {
    plan,
    settings,
    judges: new Map(judges.map(judge => [judge.id, judge])),
    texts,
    asking,
    world,
    key: `deliberate/${world.hash(JSON.stringify([...texts, settings.batch])).slice(0, 12)}`,
  };
  try {
    const concluded = await concludeAll(await collectBallots(asked, hearing), hearing);
    return {
      claims: claims.map(
        claim => concluded.get(claim.id) ?? (open.includes(claim) ? passClaim(claim) : claim),
      ),
      usage: spent(),
    };
  } finally {
    asking.endpoints.rest();
  }
}

/** What the vote about the claims of a run has in common. */
interface Hearing extends Pick<DeliberationRequest, 'plan' | 'settings'> {
  /** Who may judge, by id, in panel order. */
  readonly judges: ReadonlyMap<string, Seat>;
  /** What is shown of each claim, by id. */
  readonly texts: ReadonlyMap<string, string>;
  readonly asking: Asking;
  readonly world: Pick<HearingWorld, 'hash' | 'note'>;
  /** Prefix of the journal keys: the same claims are the same questions, in whatever round. */
  readonly key: string;
}

async function collectBallots(claims: readonly Claim[], hearing: Hearing): Promise<ClaimBallot[]> {
  const { plan, settings, judges, asking, key } = hearing;
  const { hash, note } = hearing.world;
  const stanceSettings: StanceSettings = {
    key,
    batch: settings.batch,
    concurrency: plan.concurrency,
    orderOf: (member, id) => hash(`${plan.subjectHash}|${member}|${id}`),
    mark: null,
  };
  const tasks = [...judges.values()].map(judge => {
    const others = claims.filter(({ supporters }) => !supporters.includes(judge.id));
    return taskAbout(
      others.map(({ id }) => id),
      judge,
      hearing,
    );
  });
  const { expected } = await planStances(tasks, stanceSettings, asking);
  if (expected.calls > 0)
    note(`Deliberation of ${claims.length} claims. ${describeForecast(expected, plan.limits)}`);
  const stances = await collectStances(tasks, stanceSettings, asking);
  return claims.map(claim => ({
    claim,
    risk: riskOf(claim, settings),
    ...votesOf(stances.filter(({ id }) => id === claim.id)),
  }));
}

function votesOf(stances: readonly Stance[]): Pick<ClaimBallot, 'votes' | 'noResponse'> {
  return {
    votes: stances.flatMap(({ member, stated }) =>
      stated === null ? [] : [voteOf(member, stated)],
    ),
    noResponse: stances.flatMap(({ member, stated, error }) =>
      stated === null ? [{ reviewer: member, error: error ?? '' }] : [],
    ),
  };
}

async function concludeAll(
  ballots: readonly ClaimBallot[],
  hearing: Hearing,
): Promise<Map<string, Claim>> {
  const { settings, world } = hearing;
  const contested = ballots
    .filter(ballot => countClaim(ballot, settings) === 'contested')
    .map(ballot => seatTable(ballot, hearing));
  const seated = contested.filter(({ skipped }) => skipped === null);
  const skipped = contested.filter(one => one.skipped !== null);
  if (seated.length > 0)
    world.note(
      `${seated.length} contested ${seated.length === 1 ? 'claim goes' : 'claims go'} to a panel.`,
    );
  if (skipped.length > 0) {
    const reasons = new Set(skipped.map(one => one.skipped));
    world.note(
      `${skipped.length} contested ${skipped.length === 1 ? 'claim goes' : 'claims go'} to no panel. ${[...reasons].join(' ')}`,
    );
  }
  const results = await holdTables(
    seated,
    holdingOf(hearing),
    ({ claim, table }, held) => [claim, toResult(table, held)] as const,
  );
  const panels = new Map<string, ClaimPanelResult | string | null>([
    ...results,
    ...skipped.map(one => [one.claim, one.skipped] as const),
  ]);
  return new Map(
    ballots.map(ballot => [
      ballot.claim.id,
      concludeClaim(ballot, panels.get(ballot.claim.id) ?? null, settings),
    ]),
  );
}

interface SeatedClaim {
  /** Id of the claim. */
  readonly claim: string;
  readonly table: PanelTable;
  /** Why no panel is held; null: one is. */
  readonly skipped: string | null;
}

/** Arguments are read without knowing whose they are. */
function seatTable(ballot: ClaimBallot, { judges, texts, key, plan, world }: Hearing): SeatedClaim {
  const { claim } = ballot;
  const unknown = { role: null, backstory: null, model: null, baseUrl: null };
  const members = new Map(
    [...judges.keys()].map(
      (id, index) => [id, { id, name: `Reviewer ${index + 1}`, ...unknown }] as const,
    ),
  );
  const standing = standingOf(ballot, null);
  const neutral = drawNeutrals(
    standing.neutral.flatMap(id => members.get(id) ?? []),
    claim.id,
    { runId: plan.run, hash: world.hash },
  );
  const sides = seatSides({ ...standing, neutral: neutral.map(({ id }) => id) }, members);
  const table = {
    title: 'Is this finding about the change real?',
    text: texts.get(claim.id) ?? '',
    amendments: [],
    riskTier: null,
    ...sides,
  };
  return {
    claim: claim.id,
    table: { ...table, key: tableKey(`${key}/panel/${claim.id}`, table, world.hash) },
    skipped: whyNoPanel(sides, {
      for: standing.for.length,
      against: standing.against.length,
    }),
  };
}

/** Who facilitates is not at the table where somebody is left. */
function holdingOf({ plan, settings, judges, asking, world }: Hearing): PanelHolding {
  const judgeOf = ({ id }: Pick<Member, 'id'>): Seat => {
    const judge = judges.get(id);
    if (judge === undefined) throw new Error(`${id} sits on a panel and is no judge.`);
    return judge;
  };
  return {
    asking,
    fence: plan.fence,
    hash: world.hash,
    textLimits: defaultLimits,
    panelConcurrency: settings.panelConcurrency,
    seatFor: member => placed(judgeOf(member)),
    identify: member => instructionsOf(judgeOf(member)),
    facilitatorFor: table => {
      const [first = ''] = judges.keys();
      const seated = new Set(membersOf(table).map(({ id }) => id));
      return placed(judgeOf({ id: [...judges.keys()].find(id => !seated.has(id)) ?? first }));
    },
  };
}

/** In the names of the reviewers. */
function toResult(table: PanelTable, { said, report, error }: HeldPanel): ClaimPanelResult {
  const ids = new Map(membersOf(table).map(({ name, id }) => [name, id]));
  const named = said.map(argument => ({
    ...argument,
    name: ids.get(argument.name) ?? argument.name,
  }));
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

function idsOf(members: readonly Member[]): string[] {
  return members.map(({ id }) => id);
}
