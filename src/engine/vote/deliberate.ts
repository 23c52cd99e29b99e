/**
 * Puts claims to the vote of the panel: what is well supported passes at once, the rest goes to those who did not raise it,
 * and what they contest is argued out. Whatever goes wrong leaves the claim as it was, and says so.
 */
import pLimit from 'p-limit';
import type { Subject } from '../../core/words/change.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Seat } from '../../core/words/config.ts';
import { describeClaim, renderClaimsPrompt, type AskedClaim } from '../../core/vote/prompts.ts';
import type { ClaimVote } from '../../core/vote/claim-deliberation.ts';
import {
  concludeClaim,
  countClaim,
  passClaim,
  riskOf,
  type ClaimBallot,
  type DeliberationSettings,
} from '../../core/vote/claim-vote.ts';
import { describeForecast, forecast } from '../../core/vote/forecast.ts';
import { renderPatch } from '../../core/change/patch.ts';
import type { Plan } from '../../core/words/plan.ts';
import { redact } from '../../core/safety/redaction.ts';
import { addUsage, noUsage, type Review, type Usage } from '../../core/words/review.ts';
import { type Asking, bookEarlier } from './ask-member.ts';
import type { Ceiling } from '../ceiling.ts';
import {
  batchesOf,
  collectStances,
  type Stance,
  type StanceSettings,
  type StanceTask,
} from './collect-stances.ts';
import { createEndpoints } from './endpoint-limits.ts';
import {
  argueClaim,
  endpointOf,
  instructionsOf,
  placePanel,
  type ClaimVoteContext,
} from './argue-claim.ts';
import { keysOf } from './hold-panels.ts';
import type { World } from '../world.ts';

export interface DeliberationRequest {
  readonly plan: Plan;
  readonly settings: DeliberationSettings;
  readonly subject: Subject;
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
}

export interface DeliberationWorld extends Pick<
  World,
  'steps' | 'clock' | 'runnerFor' | 'hash' | 'secrets'
> {
  readonly ceiling: Ceiling;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

export interface Deliberated {
  /** In the order they came in. */
  readonly claims: readonly Claim[];
  readonly usage: Usage;
}

/** Rejects only when the signal aborts. */
export async function deliberate(
  request: DeliberationRequest,
  world: DeliberationWorld,
): Promise<Deliberated> {
  const { plan, settings, claims } = request;
  const judges = judgesOf(request);
  const open = claims.filter(claim => claim.state !== 'dismissed');
  const asked = open.filter(claim => riskOf(claim, settings) !== 'low');
  const texts = await describeAll(asked, request, world);
  const { ceiling, spent } = countingCeiling(world.ceiling);
  const asking = askingOf(plan, { ...world, ceiling });
  const hearing: ClaimVoteContext = {
    request,
    judges,
    texts,
    asking,
    hash: world.hash,
    key: `deliberate/${world.hash(JSON.stringify([...texts, settings.batch])).slice(0, 12)}`,
  };
  try {
    const ballots = await collectBallots(asked, hearing, world.note);
    const concluded = await concludeAll(ballots, hearing, world.note);
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

/** Analysers hold no opinion on what others say; who could not review the change will not judge it either. */
function judgesOf({ plan, reviews }: DeliberationRequest): Seat[] {
  const failed = new Set(
    reviews.filter(({ status }) => status === 'failed').map(({ reviewer }) => reviewer),
  );
  const heard = new Set(reviews.map(({ reviewer }) => reviewer));
  return plan.seats.filter(
    ({ id, runner }) => runner !== 'builtin' && heard.has(id) && !failed.has(id),
  );
}

async function describeAll(
  claims: readonly Claim[],
  { claims: all, subject }: DeliberationRequest,
  { secrets }: DeliberationWorld,
): Promise<Map<string, string>> {
  const byId = new Map(all.map(claim => [claim.id, claim]));
  const texts = new Map<string, string>();
  for (const claim of claims) {
    const text = describeClaim(
      claim,
      claim.contradicts.flatMap(id => byId.get(id)?.text ?? []),
      codeAround(claim, subject),
    );
    texts.set(claim.id, redact(text, await secrets.scan(text, 'claim.txt')).text);
  }
  return texts;
}

/** The hunk that holds the place, or the whole patch of the file where none does. */
function codeAround({ location }: Claim, subject: Subject): string {
  const file =
    subject.kind === 'change' && location !== null
      ? subject.files.find(({ path }) => path === location.path)
      : undefined;
  if (file === undefined) return '';
  const line = location?.line ?? null;
  const around =
    line === null
      ? []
      : file.hunks.filter(hunk =>
          location?.side === 'old'
            ? line >= hunk.oldStart && line < hunk.oldStart + hunk.oldLines
            : line >= hunk.newStart && line < hunk.newStart + hunk.newLines,
        );
  return renderPatch(around.length === 0 ? file : { ...file, hunks: around });
}

function countingCeiling(inner: Ceiling): {
  readonly ceiling: Ceiling;
  readonly spent: () => Usage;
} {
  let usage = noUsage;
  return {
    ceiling: {
      reserve: length => inner.reserve(length),
      settle(used) {
        usage = addUsage(usage, { ...used, calls: Math.max(used.calls, 1) });
        inner.settle(used);
      },
    },
    spent: () => usage,
  };
}

/** Every seat is its own endpoint, or shares that of its address, with the limit it has in the review. */
function askingOf(
  { seats, concurrency }: Plan,
  { steps, clock, signal, ceiling, runnerFor, hash, note }: DeliberationWorld,
): Asking {
  const jitter = (name: string): number => Number.parseInt(hash(name).slice(0, 8), 16) / 2 ** 32;
  const shared = new Map(
    seats.map(seat => [
      endpointOf(seat),
      { key: endpointOf(seat), limit: seat.concurrency ?? concurrency, weight: 1 },
    ]),
  );
  return {
    steps,
    clock,
    signal,
    ceiling,
    runnerFor,
    jitter,
    endpoints: createEndpoints([...shared.values()], concurrency, {
      mostCalls: concurrency,
      clock,
      jitter,
      note,
    }),
    seatAt: seat => seat,
  };
}

async function collectBallots(
  claims: readonly Claim[],
  { request: { plan, settings }, judges, texts, asking, key, hash }: ClaimVoteContext,
  note: (message: string) => void,
): Promise<ClaimBallot[]> {
  const stanceSettings: StanceSettings = {
    key,
    batch: settings.batch,
    concurrency: plan.concurrency,
    orderOf: (member, id) => hash(`${plan.subjectHash}|${member}|${id}`),
  };
  const tasks = judges.map((seat): StanceTask => ({
    member: seat.id,
    seat,
    endpoint: endpointOf(seat),
    instructions: instructionsOf(seat),
    ids: claims.filter(({ supporters }) => !supporters.includes(seat.id)).map(({ id }) => id),
    render: ids =>
      renderClaimsPrompt(
        ids.map((id): AskedClaim => ({ id, text: texts.get(id) ?? '' })),
        plan.fence,
      ),
  }));
  const calls = tasks.flatMap(task =>
    batchesOf(task, stanceSettings).map(({ ids }) => ({
      characters: task.instructions.length + task.render(ids).length,
      items: ids.length,
      price: task.seat.price ?? null,
    })),
  );
  if (calls.length > 0)
    note(
      `Deliberation of ${claims.length} claims. ${describeForecast(forecast(calls), plan.limits)}`,
    );
  const stances = await collectStances(tasks, stanceSettings, asking);
  const byClaim = new Map<string, Stance[]>();
  for (const stance of stances) byClaim.set(stance.id, [...(byClaim.get(stance.id) ?? []), stance]);
  return claims.map(claim => toBallot(claim, byClaim.get(claim.id) ?? [], settings));
}

function toBallot(
  claim: Claim,
  stances: readonly Stance[],
  settings: DeliberationSettings,
): ClaimBallot {
  const votes = stances.flatMap(({ member, stated }): ClaimVote[] =>
    stated === null
      ? []
      : [
          {
            reviewer: member,
            stance: stated.stance,
            reasoning: stated.reasoning,
            concerns: [
              ...stated.opposition_concerns,
              ...(stated.amendment_text === null ? [] : [stated.amendment_text]),
            ],
            confidence: stated.confidence,
          },
        ],
  );
  const noResponse = stances.flatMap(({ member, stated, error }) =>
    stated === null ? [{ reviewer: member, error: error ?? '' }] : [],
  );
  return { claim, risk: riskOf(claim, settings), votes, noResponse };
}

async function concludeAll(
  ballots: readonly ClaimBallot[],
  hearing: ClaimVoteContext,
  note: (message: string) => void,
): Promise<Map<string, Claim>> {
  const {
    request: { settings },
    asking,
  } = hearing;
  const contested = ballots
    .filter(ballot => countClaim(ballot, settings) === 'contested')
    .map(ballot => placePanel(ballot, hearing));
  if (contested.length > 0)
    note(
      `${contested.length} contested ${contested.length === 1 ? 'claim goes' : 'claims go'} to a panel.`,
    );
  bookEarlier(
    contested.flatMap(({ table }) => keysOf(table)),
    asking,
  );
  const limit = pLimit(settings.panelConcurrency);
  const held = new Map(
    await Promise.all(
      contested.map(seating =>
        limit(async () => [seating.claim, await argueClaim(seating, hearing)] as const),
      ),
    ),
  );
  return new Map(
    ballots.map(ballot => [
      ballot.claim.id,
      concludeClaim(ballot, held.get(ballot.claim.id) ?? null, settings),
    ]),
  );
}
