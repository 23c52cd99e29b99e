/**
 * Uncertain claims: first what can be looked up without asking anybody, then one call after the other to reviewers who did not
 * say them, most valuable first, until no answer could decide anything or a ceiling is reached. Whatever goes wrong moves nothing
 * and is told. Every round and every call is a step of the journal, so that a run that was killed asks nobody twice.
 */
import type { AnswersToRemember } from '../../core/words/known-claim.ts';
import type { Memory } from '../../core/ports/memory.ts';
import type { VerifySettings } from '../../core/vote/band-settings.ts';
import {
  type Left,
  type OpenClaim,
  type PlannedCall,
  PlannedRound,
  planRound,
  withinCeilings,
} from '../../core/vote/choose-questions.ts';
import { describeForecast, forecast } from '../../core/vote/forecast.ts';
import { forecastVerify } from '../../core/vote/verify-forecast.ts';
import {
  answerOf,
  type Asked,
  cutsOf,
  type Decisions,
  isUncertain,
  type KnownVerifier,
  sideOf,
  spokenAbout,
  verifiersOf,
  withAnswersOf,
} from '../../core/vote/verify-claim.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Seat } from '../../core/words/config.ts';
import { noUsage, type Usage } from '../../core/words/review.ts';
import type { Ceiling } from '../ceiling.ts';
import { familiesOf } from '../weigh-claims.ts';
import type { Asking } from './ask-member.ts';
import {
  askingOf,
  type ClaimsAsked,
  type ClaimsHeard,
  countingCeiling,
  describeAll,
  hearersOf,
  type HearingWorld,
  judgesOf,
  taskAbout,
  voteOf,
} from './claim-hearing.ts';
import { collectStances, type Stance, type StanceTask } from './collect-stances.ts';

export interface BandRequest extends ClaimsAsked {
  readonly settings: VerifySettings;
  /** What a claim must be worth to be marked as worth a person's time. */
  readonly actCut: number;
  /** Which time the run is worked on: what was asked in an earlier one is part of what it had spent. */
  readonly round: number;
}

interface BandWorld extends HearingWorld {
  /** Where the record of those who answer is, and grows; null: nobody has one. */
  readonly memory: Pick<Memory, 'reliability' | 'noteAnswers'> | null;
}

/** The claims were checked before (`checkClaims`). Rejects when the signal aborts, and as the memory does. */
export async function verifyBand(request: BandRequest, world: BandWorld): Promise<ClaimsHeard> {
  const { plan, settings, claims } = request;
  const uncertain = claims.filter(claim => isUncertain(claim, decisionsOf(request), settings.band));
  if (uncertain.length === 0) return { claims, usage: noUsage };
  const judges = judgesOf(request);
  const own = ownCeiling(
    world.ceiling,
    forecastVerify(
      settings,
      judges.map(({ price }) => price ?? null),
    ),
  );
  const { ceiling, spent } = countingCeiling(own.ceiling);
  const asking = askingOf(plan, { ...world, ceiling });
  const verifiers = verifiersOf(
    judges.map(({ id }) => id),
    familiesOf(plan.seats),
    (await world.memory?.reliability()) ?? [],
    settings.band,
  );
  const hearing: Hearing = {
    ...request,
    judges: new Map(judges.map(judge => [judge.id, judge])),
    texts: await describeAll(uncertain, request, world),
    families: familiesOf(plan.seats),
    own,
    asking,
    world,
    key: `verify/${world.hash(JSON.stringify(claims.map(({ id, text, supporters }) => [id, text, supporters]))).slice(0, 12)}`,
  };
  try {
    const open = openAll(uncertain, verifiers, request);
    await askRounds(open, hearing);
    const concluded = new Map(open.map(entry => [entry.claim.id, conclude(entry, hearing)]));
    await world.memory?.noteAnswers({ run: plan.run, answers: answersIn(open) });
    return { claims: claims.map(claim => concluded.get(claim.id) ?? claim), usage: spent() };
  } finally {
    asking.endpoints.rest();
  }
}

interface OwnCeiling {
  readonly ceiling: Ceiling;
  /** What the band and the run may still spend. */
  readonly left: (limits: ClaimsAsked['plan']['limits']) => Left;
  /** While calls of an earlier time are taken over that the run has booked already. */
  readonly recallingEarlier: <Result>(work: () => Result) => Result;
}

/** That of the run, and no more than was told with the plan. */
function ownCeiling(
  inner: Ceiling,
  most: Pick<ReturnType<typeof forecastVerify>, 'calls' | 'tokens'>,
): OwnCeiling {
  let [calls, tokens] = [0, 0];
  const book = ({ inputTokens, outputTokens }: Usage): void => {
    tokens += inputTokens + outputTokens;
  };
  const refusal = (): string | null =>
    calls >= most.calls.ceiling || tokens >= most.tokens
      ? `The ceiling of ${most.calls.ceiling} calls and ${most.tokens} tokens about uncertain claims is reached.`
      : null;
  let isBooked = false;
  return {
    ceiling: {
      ...inner,
      reserve(...call) {
        const why = refusal() ?? inner.reserve(...call);
        if (why === null) calls += 1;
        return why;
      },
      async reserveInMonth(...call) {
        const why = refusal() ?? (await inner.reserveInMonth(...call));
        if (why === null) calls += 1;
        return why;
      },
      async reserveInTime(...call) {
        const reached = refusal();
        if (reached !== null) return reached;
        calls += 1;
        const why = await inner.reserveInTime(...call);
        if (why !== null) calls -= 1;
        return why;
      },
      settle(usage, ...expected) {
        book(usage);
        inner.settle(usage, ...expected);
      },
      recall(made, usage) {
        calls += made;
        book(usage);
        if (!isBooked) inner.recall(made, usage);
      },
    },
    left({ maxCalls, maxTokens, maxCost }) {
      const spent = inner.spent();
      return {
        calls: Math.min(most.calls.ceiling - calls, leftOf(maxCalls, spent.calls) ?? Infinity),
        tokens: Math.min(most.tokens - tokens, leftOf(maxTokens, spent.tokens) ?? Infinity),
        cost: leftOf(maxCost, spent.cost),
      };
    },
    recallingEarlier(work) {
      isBooked = true;
      try {
        return work();
      } finally {
        isBooked = false;
      }
    },
  };
}

/** Null: no limit is set. */
function leftOf(limit: number | null, used: number): number | null {
  return limit === null ? null : limit - used;
}

interface Hearing extends BandRequest {
  /** Who may be asked, by id, in panel order. */
  readonly judges: ReadonlyMap<string, Seat>;
  /** What is shown of each uncertain claim, by id: never who said it. */
  readonly texts: ReadonlyMap<string, string>;
  readonly families: ReadonlyMap<string, string>;
  readonly own: OwnCeiling;
  readonly asking: Asking;
  readonly world: Pick<HearingWorld, 'steps' | 'hash' | 'note'>;
  /** Prefix of the journal keys: about the same claims the same questions, in whatever round. */
  readonly key: string;
}

/** A claim on its way through the rounds. */
interface Entry {
  readonly claim: Claim;
  /** Who may still be asked. */
  eligible: readonly KnownVerifier[];
  readonly votes: Asked['votes'][number][];
  readonly noResponse: Asked['noResponse'][number][];
  error: string | null;
}

function openAll(
  uncertain: readonly Claim[],
  verifiers: readonly KnownVerifier[],
  request: BandRequest,
): Entry[] {
  const byId = new Map(request.claims.map(claim => [claim.id, claim]));
  const mayHear = hearersOf(request);
  return uncertain.map(claim => {
    const spoken = spokenAbout(claim, byId);
    const fresh = verifiers.filter(({ id }) => !spoken.has(id));
    const eligible = fresh.filter(({ id }) => mayHear(id, claim));
    return { claim, eligible, votes: [], noResponse: [], error: whyNobody(fresh, eligible) };
  });
}

function whyNobody(
  fresh: readonly KnownVerifier[],
  eligible: readonly KnownVerifier[],
): string | null {
  if (fresh.length === 0) return 'Nobody is left who could be asked.';
  if (eligible.length === 0)
    return 'By the rules of egress nobody who could be asked may be told of it.';
  return eligible.every(({ worth }) => worth === 0)
    ? 'Whoever could be asked was wrong too often before.'
    : null;
}

async function askRounds(open: readonly Entry[], hearing: Hearing): Promise<void> {
  const { key, round: time, own, world } = hearing;
  // A claim is put to each reviewer once, so that this comes to an end.
  for (let number = 1; ; number += 1) {
    const name = `${key}/round-${number}`;
    const known = PlannedRound.safeParse(world.steps.recall(name)).data;
    const calls = known?.calls ?? planNext(open, hearing, number);
    if (calls.length === 0) return;
    await world.steps.step(name, () => Promise.resolve({ time, calls: [...calls] }), PlannedRound);
    const isEarlier = known !== undefined && known.time < time;
    const ask = (): Promise<Stance[]>[] =>
      calls.map((call, index) => askCall(call, `${name}/call-${index + 1}`, hearing));
    // What was answered before is booked before anything is waited for.
    const answers = await Promise.all(isEarlier ? own.recallingEarlier(ask) : ask());
    for (const stance of answers.flat()) note(stance, open);
    for (const call of answers) dropSilent(call, open);
  }
}

/** Those that fit under the ceilings, told before the first is made. */
function planNext(open: readonly Entry[], hearing: Hearing, number: number): PlannedCall[] {
  const { plan, settings, judges, own } = hearing;
  const wanted = planRound(
    open.map(entry => openClaimOf(entry, hearing)),
    { batch: settings.batch, answers: settings.band.answers },
  ).map(call => {
    const task = taskOf(call, hearing);
    const price = judges.get(call.reviewer)?.price ?? null;
    const characters = task.instructions.length + task.render(task.ids).length;
    const material = { characters, items: task.ids.length, price };
    const { inputTokens, outputTokens, cost } = forecast([material]);
    return { ...call, material, tokens: inputTokens + outputTokens, price: cost };
  });
  const kept = withinCeilings(wanted, own.left(plan.limits));
  for (const { claims } of wanted.slice(kept.length))
    for (const entry of open)
      if (claims.includes(entry.claim.id) && entry.votes.length + entry.noResponse.length === 0)
        entry.error = 'The ceilings leave no call for it.';
  tell(open.length, { wanted: wanted.length, kept, number }, hearing);
  return kept.map(({ reviewer, claims, value }) => ({ reviewer, claims, value }));
}

interface Told {
  readonly wanted: number;
  readonly kept: readonly { readonly material: Parameters<typeof forecast>[0][number] }[];
  readonly number: number;
}

function tell(uncertain: number, { wanted, kept, number }: Told, { plan, world }: Hearing): void {
  const [some, them] = uncertain === 1 ? ['claim is', 'it'] : ['claims are', 'them'];
  const claims = `${uncertain} ${some} uncertain: one answer could decide about ${them}.`;
  if (number === 1 && wanted === 0) world.note(`${claims} Nobody can be asked.`);
  if (wanted === 0) return;
  const cut =
    kept.length < wanted ? ` The ceilings leave room for ${kept.length} of ${wanted} calls.` : '';
  const asked = number === 1 ? claims : 'What is still uncertain is put to somebody else.';
  world.note(
    `${asked}${cut}${kept.length === 0 ? '' : ` ${describeForecast(forecast(kept.map(({ material }) => material)), plan.limits)}`}`,
  );
}

function openClaimOf(
  { claim, eligible, votes }: Entry,
  { families, ...hearing }: Hearing,
): OpenClaim {
  return {
    id: claim.id,
    confidence: claim.confidence ?? 0,
    cuts: cutsOf(claim, decisionsOf(hearing)),
    familiesOfSupporters: familiesBehind(claim, families),
    eligible,
    answers: votes.map(answerOf),
  };
}

function decisionsOf({ settings, actCut }: Pick<BandRequest, 'settings' | 'actCut'>): Decisions {
  return { cut: settings.band.cut, actCut };
}

function answersIn(open: readonly Entry[]): AnswersToRemember['answers'] {
  return open.flatMap(({ claim, votes }) =>
    votes.flatMap(({ verifier, stance }) => {
      const side = sideOf(stance);
      const { id: reviewer, family } = verifier;
      return side === null ? [] : [{ claim: claim.id, reviewer, family, isFor: side === 'for' }];
    }),
  );
}

function familiesBehind(
  { supporters }: Claim,
  families: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  return new Set(supporters.flatMap(reviewer => families.get(reviewer) ?? []));
}

function taskOf(
  { reviewer, claims }: Pick<PlannedCall, 'reviewer' | 'claims'>,
  hearing: Hearing,
): StanceTask {
  const judge = hearing.judges.get(reviewer);
  if (judge === undefined) throw new Error(`${reviewer} is asked and does not sit on the panel.`);
  return taskAbout(claims, judge, hearing);
}

/** Who is no longer on the panel, or was asked about what is no longer uncertain, answers nothing. */
function askCall(call: PlannedCall, key: string, hearing: Hearing): Promise<Stance[]> {
  const claims = call.claims.filter(id => hearing.texts.has(id));
  if (!hearing.judges.has(call.reviewer) || claims.length === 0) return Promise.resolve([]);
  return collectStances(
    [taskOf({ ...call, claims }, hearing)],
    {
      key,
      batch: claims.length,
      concurrency: 1,
      orderOf: (member, id) => hearing.world.hash(`${hearing.plan.subjectHash}|${member}|${id}`),
      mark: null,
    },
    hearing.asking,
  );
}

function note({ member, id, stated, error }: Stance, open: readonly Entry[]): void {
  const entry = open.find(({ claim }) => claim.id === id);
  const verifier = entry?.eligible.find(one => one.id === member);
  if (entry === undefined || verifier === undefined) return;
  entry.eligible = entry.eligible.filter(one => one.id !== member);
  if (stated === null) {
    entry.noResponse.push({ reviewer: member, error: error ?? '' });
    return;
  }
  entry.votes.push({ ...voteOf(member, stated), verifier });
}

/** Who answered nothing at all of a call is asked no more: it would fail as it did, and be paid for. */
function dropSilent(call: readonly Stance[], open: readonly Entry[]): void {
  const [first] = call;
  if (first === undefined || call.some(({ stated }) => stated !== null)) return;
  for (const entry of open) entry.eligible = entry.eligible.filter(({ id }) => id !== first.member);
}

function conclude({ claim, votes, noResponse, error }: Entry, { families }: Hearing): Claim {
  return withAnswersOf(claim, {
    votes,
    noResponse,
    familiesOfSupporters: familiesBehind(claim, families),
    error: votes.length + noResponse.length === 0 ? error : null,
  });
}
