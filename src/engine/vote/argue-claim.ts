/** A contested claim before a panel of reviewers, who read the arguments without knowing whose they are. */
import type { Seat } from '../../core/words/config.ts';
import { claimInstructions } from '../../core/vote/prompts.ts';
import type {
  ClaimBallot,
  ClaimPanelResult,
  DeliberationSettings,
} from '../../core/vote/claim-vote.ts';
import type { Member } from '../../core/vote/motion.ts';
import type { Recommendation } from '../../core/vote/panel.ts';
import type { Plan } from '../../core/words/plan.ts';
import type { Asking } from './ask-member.ts';
import { holdTable, type HeldPanel, type PanelTable } from './hold-panels.ts';

/** What the vote about the claims of a run has in common. */
export interface ClaimVoteContext {
  readonly request: { readonly plan: Plan; readonly settings: DeliberationSettings };
  readonly judges: readonly Seat[];
  /** What is shown of each claim, by id. */
  readonly texts: ReadonlyMap<string, string>;
  readonly asking: Asking;
  readonly hash: (text: string) => string;
  /** Prefix of the journal keys: the same claims are the same questions, in whatever round. */
  readonly key: string;
}

export interface ClaimSeating {
  /** Id of the claim. */
  readonly claim: string;
  readonly table: PanelTable;
  /** Reviewer by the name it has at the table: arguments are read without knowing whose they are. */
  readonly reviewers: ReadonlyMap<string, Seat>;
}

const seatsPerSide = 3;

export function placePanel(
  { claim, votes }: ClaimBallot,
  { judges, texts, key }: ClaimVoteContext,
): ClaimSeating {
  const stands = new Map(votes.map(({ reviewer, stance }) => [reviewer, stance]));
  const sideOf = ({ id }: Seat): 'supporters' | 'critics' | 'neutrals' => {
    const stance = stands.get(id);
    if (claim.supporters.includes(id) || stance === 'ENDORSE' || stance === 'AMEND')
      return 'supporters';
    return stance === 'OPPOSE' ? 'critics' : 'neutrals';
  };
  const sides = { supporters: [] as Member[], critics: [] as Member[], neutrals: [] as Member[] };
  const reviewers = new Map<string, Seat>();
  for (const judge of judges) {
    const side = sides[sideOf(judge)];
    if (side.length === seatsPerSide) continue;
    const name = `Reviewer ${reviewers.size + 1}`;
    side.push({ name, id: judge.id, role: null, backstory: null, model: null, baseUrl: null });
    reviewers.set(name, judge);
  }
  return {
    claim: claim.id,
    reviewers,
    table: {
      key: `${key}/panel/${claim.id}`,
      title: 'Is this finding about the change real?',
      text: texts.get(claim.id) ?? '',
      amendments: [],
      ...sides,
    },
  };
}

export async function argueClaim(
  { table, reviewers }: ClaimSeating,
  { request: { plan }, judges, asking }: ClaimVoteContext,
): Promise<ClaimPanelResult> {
  const seated = new Set(reviewers.values());
  const facilitator = judges.find(judge => !seated.has(judge)) ?? judges[0];
  if (facilitator === undefined)
    throw new Error('A panel was called without anybody to sit on it.');
  const byId = new Map([...reviewers.values()].map(reviewer => [reviewer.id, reviewer]));
  const held = await holdTable(table, {
    asking,
    fence: plan.fence,
    facilitator: placed(facilitator),
    seatFor: ({ id }) => placed(byId.get(id) ?? facilitator),
    identify: ({ id }) => instructionsOf(byId.get(id) ?? facilitator),
  });
  return toResult(table, reviewers, held);
}

function toResult(
  { supporters, critics, neutrals }: PanelTable,
  reviewers: ReadonlyMap<string, Seat>,
  { said, report, error }: HeldPanel,
): ClaimPanelResult {
  const idOf = (name: string): string => reviewers.get(name)?.id ?? name;
  const votes = said.flatMap(({ name, vote }): (readonly [string, Recommendation])[] =>
    vote === null ? [] : [[idOf(name), vote]],
  );
  return {
    status: report === null ? 'failed' : 'concluded',
    error,
    recommendation: report?.recommendation ?? null,
    votes: Object.fromEntries(votes),
    supporters: idsOf(supporters),
    critics: idsOf(critics),
    neutrals: idsOf(neutrals),
    said: said.map(argument => ({ ...argument, name: idOf(argument.name) })),
  };
}

function placed(judge: Seat): { readonly seat: Seat; readonly endpoint: string } {
  return { seat: judge, endpoint: endpointOf(judge) };
}

function idsOf(members: readonly Member[]): string[] {
  return members.map(({ id }) => id);
}

/** Seats of one address share its limit; any other seat is its own endpoint. */
export function endpointOf({ baseUrl, runner, id }: Seat): string {
  return baseUrl ?? `${runner}/${id}`;
}

export function instructionsOf({ persona }: Seat): string {
  return `${claimInstructions}\n\nYour focus: ${persona.focus}`;
}
