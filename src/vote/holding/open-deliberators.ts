/**
 * Opens whoever answers for the members: nobody, a simulation, or real reviewers with the run that keeps what they say. When real
 * ones cannot start, that is an error: nothing is put in their place.
 */
import path from 'node:path';
import { sumOf } from '../../core/groups.ts';
import { sha256 } from '../../core/hash.ts';
import { usageError } from '../../core/errors.ts';
import { ReviewerId } from '../../core/settings.ts';
import { defaultTimeout, type MotionsReviewer, type Seat } from '../../core/words/config.ts';
import { requireAtLeast } from '../../core/words/isolation.ts';
import { eachOnce, riskTiers } from '../triage.ts';
import { shownEndpoint } from '../recorded-inputs.ts';
import { sessionFileNames } from '../session-input.ts';
import { createCeiling, createEndpoints } from '../../engine/asking/limits.ts';
import { type PlacedSeat, turnOf } from '../../engine/asking/ask-member.ts';
import {
  type OpenVoting,
  type Voting,
  collectReviews,
  holdPanels,
  holdSecondPass,
  panelKey,
} from '../asking/hold-panels.ts';
import type { Deliberators } from '../asking/run-motions.ts';
import {
  searchConflicts,
  contradictionInstructions,
  renderComparison,
} from '../asking/search-conflicts.ts';
import { type Call, noteTo, repositoryRootOf } from '../../library/call.ts';
import { recipientsOf, refuseToSend } from '../../library/egress.ts';
import { refuseUnaffordable } from '../../library/open-memory.ts';
import { openRunners, type RunnerFor } from '../../library/open-world.ts';
import { openState } from '../../library/own-state.ts';
import { findBegun, type OpenMotionsRun, type Programs, withMotionsRun } from './motions-run.ts';
import type { PreparedVote } from './prepare-vote.ts';
import { defaultLimits } from '../../core/words/motions-settings.ts';
import {
  facilitatorInstructions,
  memberInstructions,
  mergeInstructions,
  renderFacilitatorPrompt,
  renderIdentity,
  renderMergePrompt,
  renderPanelPrompt,
  renderStancePrompt,
} from '../prompts/motions.ts';

export interface OpenedDeliberators extends Deliberators, Pick<OpenMotionsRun, 'noteHead' | 'end'> {
  /** Questions besides those for reviews of either pass that have ended without an answer. */
  unanswered(): number;
}

/**
 * Null: no member is asked. `resumes`: id of the run that is gone on with; null for one that fits, else a new one. Throws `UserError`
 * (kind `usage`) when real reviewers cannot start: nothing is simulated in their place.
 */
export async function withDeliberators<Result>(
  prepared: PreparedVote,
  resumes: string | null,
  call: Call,
  work: (deliberators: OpenedDeliberators | null) => Promise<Result>,
) {
  const { realAgent, triageOnly } = prepared.request;
  if (triageOnly || !realAgent) return work(null);
  const reviewers = await openReviewers(prepared, resumes, call);
  // Where every answer is there, nobody is asked and nothing spent. What they answer is in the journal of a run.
  if (reviewers.begun?.missing !== 0) await refuseUnaffordable(reviewers.paid, call);
  return withMotionsRun(prepared, reviewers, call, run =>
    work({ ...run, run: run.plan.run, ...askReviewers(prepared, reviewers, { run, call }) }),
  );
}

/** The reviewers that would be asked. Throws `UserError` (kind `usage`) when nobody could be. */
export async function openReviewers(prepared: PreparedVote, resumes: string | null, call: Call) {
  const { request, input, settings, ceilings, config } = prepared;
  const { session } = input;
  const checkout = await repositoryRootOf(call);
  const seats = seatMembers(prepared);
  if (config.egress.length > 0) {
    // What members are shown is made of the text of these files.
    const files = Object.values(sessionFileNames).map(
      name => ['SESSION', path.resolve(call.cwd, request.dir ?? '', name)] as const,
    );
    const asked = seats.places.map(seat => ({
      ...seat,
      id: `the members asked at ${seat.baseUrl ?? seat.model ?? seat.runner}`,
    }));
    await refuseToSend({ config, files, root: checkout }, await recipientsOf(asked, call));
  }
  const runnerFor = openRunners(call, checkout);
  const programs = await identifyPrograms(seats.places, runnerFor);
  const reason =
    session.roster.length === 0
      ? 'the roster is empty'
      : await whyNobody(seats.places, programs, runnerFor);
  if (reason !== null)
    throw usageError(`Error: real reviewers requested but not available: ${reason}`);
  const state = await openState(checkout, call);
  return {
    seats,
    runnerFor,
    state,
    programs,
    begun: await findBegun(prepared, { programs, state }, resumes),
    paid: {
      state,
      limit: request.maxCostPerMonth ?? config.maxCostPerMonth ?? null,
      maxCost: ceilings.maxCost,
      // Members are no reviewers of the configuration.
      asked: seats.places.map(({ runner, price }) => ({ runner, ...(price && { price }) })),
    },
    /** How they are asked. `fence`: 32 random hex digits, the same whenever the run goes on. */
    votingOf: (fence: string): Voting => ({
      ...seats,
      session,
      settings,
      textLimits: settings.limits,
      ceilings,
      fence,
    }),
  };
}

async function identifyPrograms(places: readonly Seat[], runnerFor: RunnerFor): Promise<Programs> {
  const known = places.map(async seat => {
    const fingerprint = await (await runnerFor(seat)).fingerprint(seat);
    return fingerprint === null ? [] : [[shownEndpoint(seat.baseUrl ?? seat.runner), fingerprint]];
  });
  return Object.fromEntries((await Promise.all(known)).flat());
}

/** Null: somebody can be asked. A runner that cannot be set up says so before it looks whether it should stop. */
async function whyNobody(places: readonly Seat[], programs: Programs, runnerFor: RunnerFor) {
  if (Object.keys(programs).length > 0) return null;
  let reason =
    'the configuration has no motions.reviewer and no motions.endpoints, and no member of the roster has a base_url';
  // The first of them is the one to tell of.
  for (const seat of places.toReversed()) {
    const turn = turnOf({ instructions: '', prompt: '' }, seat);
    const answer = await (await runnerFor(seat)).ask(turn, AbortSignal.abort());
    if (answer.status === 'answered' || answer.failure.cause === 'cancelled') return null;
    reason = answer.failure.message;
  }
  return reason;
}

/** What is in the journal of the run already is not asked again. */
function askReviewers(
  prepared: PreparedVote,
  { seats, runnerFor, votingOf }: Awaited<ReturnType<typeof openReviewers>>,
  { run, call }: { readonly run: OpenMotionsRun; readonly call: Call },
) {
  const { plan, steps, round, before, month } = run;
  const { concurrency: mostCalls } = prepared.settings;
  const [clock, note] = [call.clock, noteTo(call)];
  const ceiling = createCeiling(prepared.ceilings, before, month);
  const endpoints = createEndpoints(seats.shared, mostCalls, { mostCalls, clock, note });
  const unanswered = new Set<string>();
  const voting: OpenVoting = {
    ...votingOf(plan.fence),
    note,
    asking: {
      ceiling,
      steps,
      round,
      endpoints,
      runnerFor,
      clock,
      signal: call.signal,
      seatAt: seats.seatAt,
      // Of both passes the rows tell: what was left out of a batch may have been answered alone.
      onHeard({ key }, { read }) {
        if (read === null && !/^(?:review|second\/(?!text\/))/.test(key)) unanswered.add(key);
      },
    },
  };
  const asking =
    <Wanted, Result>(work: (wanted: Wanted, voting: OpenVoting) => Promise<Result>) =>
    (wanted: Wanted) =>
      work(wanted, voting).finally(() => endpoints.rest());
  return {
    asked: askedBy(seats),
    unanswered: () => unanswered.size,
    async spent() {
      const { cost, ...spent } = await ceiling.spent();
      // Without a price it is not known what was paid.
      const isPriced = seats.places.every(({ price }) => price !== undefined);
      return { ...spent, cost: cost > 0 || isPriced ? cost : null };
    },
    findContradictions: asking(searchConflicts),
    collectReviews: asking(collectReviews),
    async holdPanels(panels) {
      const held = await asking(holdPanels)(panels);
      // One that ran out of time has questions that were not put.
      for (const { panel_id, mega_motion_id: id, status } of held)
        if (status === 'failed' && ![...unanswered].some(key => key.startsWith(`${panelKey(id)}/`)))
          unanswered.add(panel_id);
      return held;
    },
    holdSecondPass: prepared.request.secondPass === 'assume' ? null : asking(holdSecondPass),
  } satisfies Omit<OpenedDeliberators, 'run' | 'noteHead' | 'end'>;
}

/** As the record of the vote holds it. */
function askedBy({ places }: MemberSeats) {
  return {
    prompts: exemplifyPrompts(),
    models: eachOnce(places.flatMap(({ model }) => model ?? [])),
    endpoints: eachOnce(places.map(({ baseUrl, runner }) => shownEndpoint(baseUrl ?? runner))),
  };
}

// Who answers for the members of a roster: the configured reviewer, at the endpoints that share the work or at a member's own.

type MemberSeats = ReturnType<typeof seatMembers>;

/** One that shares the work, with what is said of it and else of the reviewer. */
type SharedEndpoint = MotionsReviewer & Readonly<Record<'concurrency' | 'weight', number>>;

/** Without a configured reviewer members are asked through runner `api`, and there is no default endpoint. */
function seatMembers({ config, home, settings, input }: PreparedVote) {
  const { concurrency } = settings;
  const { roster } = input.session;
  const { reviewer, endpoints = [], models = {}, limits } = config.motions ?? {};
  const base: MotionsReviewer = {
    ...(reviewer ?? { runner: 'api', environment: [] }),
    isolation: requireAtLeast(reviewer?.isolation, config.isolation?.require),
  };
  const { model: usual, concurrency: _, ...rest } = base;
  const alone = reviewer === undefined ? [] : [{ ...base, weight: 1 }];
  const shared = new Map(
    (endpoints.length > 0 ? endpoints : alone).map(one => [
      keyOf(one.baseUrl ?? base.runner),
      { ...base, ...one, concurrency: one.concurrency ?? concurrency },
    ]),
  );
  const price = expectedPrice([...shared.values()]);
  const { answer_tokens: answerTokens } = limits ?? {};
  const alike = {
    ...rest,
    home,
    timeout: base.timeout ?? config.timeout ?? defaultTimeout,
    ...(answerTokens && { answerTokens }),
    ...(price && { price }),
    required: false,
    persona: memberPersona,
  };
  // Where nothing is shared, the facilitator is asked where the first member is that has an endpoint.
  const host = shared.size > 0 ? undefined : roster.find(({ baseUrl }) => baseUrl !== null);
  const facilitator = {
    model: null,
    baseUrl: null,
    ...host,
    name: 'Facilitator',
    id: 'facilitator',
  };
  const seatFor: Voting['seatFor'] = (asked, riskTier) => {
    const { id, name, model, baseUrl } = asked ?? facilitator;
    const named = model ?? (riskTier === null ? undefined : models[riskTier]);
    return {
      seat: {
        ...alike,
        id: ReviewerId.safeParse(id).success ? id : `member-${sha256(name).slice(0, 10)}`,
        ...(named !== undefined && { model: named }),
      },
      endpoint: baseUrl === null ? null : keyOf(baseUrl),
    };
  };
  /** The seat as it calls an endpoint. */
  const seatAt = (seat: Seat, key: string) => {
    const endpoint = shared.get(key);
    return endpoint === undefined ? atOwn(seat, key, usual) : atShared(seat, endpoint);
  };
  const seatsAt = ({ seat, endpoint }: PlacedSeat) =>
    (endpoint === null ? [...shared.keys()] : [endpoint]).map(key => seatAt(seat, key));
  const placed = new Map(roster.map(one => [JSON.stringify([one.baseUrl, one.model]), one]));
  const seats = [...placed.values()].flatMap(one => riskTiers.map(risk => seatFor(one, risk)));
  const places = new Map(
    seats
      .flatMap(seatsAt)
      .map(seat => [JSON.stringify([seat.runner, seat.baseUrl, seat.model]), seat]),
  );
  // Where a member has an endpoint of its own, that alone has as much room as the vote makes calls.
  const isOwn = seats.some(({ endpoint }) => endpoint !== null && !shared.has(endpoint));
  const limited = Array.from(shared, ([key, { concurrency: limit, weight }]) => ({
    key,
    limit,
    weight,
  }));
  const room = sumOf(limited, ({ limit }) => limit) + (isOwn ? concurrency : 0);
  return {
    shared: limited,
    /** A seat for each place and model where anybody may be asked. */
    places: [...places.values()],
    lanes: Math.max(1, Math.min(concurrency, room)),
    seatFor,
    seatAt,
  };
}

const memberPersona: Seat['persona'] = {
  name: 'member',
  role: 'general',
  focus: 'motions',
  veto: false,
  budget: 6144,
  capability: 'deliberation',
  files: [],
  instructions: '',
};

/** Two ways of writing one address are one endpoint. */
function keyOf(baseUrl: string) {
  return baseUrl.replace(/\/+$/, '');
}

/** The address comes with the data of a session: it is asked in the protocol that needs no key, and no key is sent. */
function atOwn(seat: Seat, baseUrl: string, usual = '') {
  const { apiKeyEnv: _, command: __, model = usual, ...rest } = seat;
  const name = model.replace(/^openai-compatible\//, '');
  return { ...rest, runner: 'api', baseUrl, model: `openai-compatible/${name}` };
}

function atShared(seat: Seat, { baseUrl, apiKeyEnv, price, ...endpoint }: SharedEndpoint) {
  const model = seat.model ?? endpoint.model;
  return {
    ...seat,
    ...(baseUrl !== undefined && { baseUrl: keyOf(baseUrl) }),
    ...(model !== undefined && { model: qualified(seat.runner, model) }),
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    ...(price && { price }),
  };
}

/** Rosters name models as their servers do. */
function qualified(runner: Seat['runner'], model: string) {
  return runner !== 'api' || /^(?:anthropic|openai|google|openai-compatible)\//.test(model)
    ? model
    : `openai-compatible/${model}`;
}

/** Before it is known which of the endpoints answers: each gets its share of the calls. Undefined where one of them has no price. */
function expectedPrice(endpoints: readonly SharedEndpoint[]) {
  const all = sumOf(endpoints, ({ weight }) => weight);
  const expected = { input: 0, output: 0 };
  for (const { weight, price } of endpoints) {
    if (price === undefined) return undefined;
    expected.input += (weight / all) * price.input;
    expected.output += (weight / all) * price.output;
  }
  return endpoints.length === 0 ? undefined : expected;
}

/** By kind. They differ between two votes exactly when the words of the program do. */
function exemplifyPrompts() {
  const sides = ['supporter', 'critic', 'neutral'] as const;
  const said = sides.map(side => ({
    archon_name: `(a ${side})`,
    side,
    argument: '(an argument)',
    vote: 'pass' as const,
  }));
  const inFirst = { motion, riskTier: 'medium', conflict: null, again: null } as const;
  const again = { text: '(an amended text)', by: 'facilitator', before: 'AMEND' } as const;
  return {
    member: `${memberInstructions}\n\n${renderIdentity(member, showing)}`,
    review: renderStancePrompt([{ ...inFirst, conflict }], answerer, showing),
    reviews: renderStancePrompt([inFirst, inFirst], answerer, showing),
    ...Object.fromEntries(
      sides.map((side, index) => [
        side,
        renderPanelPrompt(side, said.slice(0, index), subject, showing),
      ]),
    ),
    facilitator: `${facilitatorInstructions}\n\n${renderFacilitatorPrompt(said, subject, showing)}`,
    merge: `${mergeInstructions}\n\n${renderMergePrompt(subject, showing)}`,
    second_pass: renderStancePrompt(
      [
        { ...inFirst, again },
        { ...inFirst, again: { ...again, by: 'panel', before: 'OPPOSE' } },
      ],
      answerer,
      showing,
    ),
    conflicts: `${contradictionInstructions}\n\n${renderComparison('(a text)', ['(another text)'], showing)}`,
  };
}

/** No vote has this fence. */
const showing = { fence: '0'.repeat(32), question: 'example', textLimits: defaultLimits };
const [title, text] = ['(a title)', '(a text)'];
const subject = { title, text, amendments: ['(an amendment)'] };
const member = {
  name: '(a name)',
  id: 'member',
  role: '(a role)',
  backstory: '(a backstory)',
};
const answerer = { member, rankOf: () => '' };
const motion = {
  id: 'motion',
  title,
  theme: '(a theme)',
  text,
  sourceMotionIds: ['source'],
  supporters: ['(a supporter)'],
};
const conflict = {
  motionId: motion.id,
  own: '(own words)',
  against: '(words of the motion)',
  source: '(where they stand)',
};
