/**
 * Puts the pairs of findings that wordings leave open to a model: in a few calls, each chosen by the answers before it. What is
 * not answered clearly changes nothing, and neither does a model that fails. Every call is a step of the journal, and every
 * answer is remembered for later runs.
 */
import { sha256 } from '../../core/hash.ts';
import {
  type JudgeablePanel,
  type Judging,
  type Pair,
  createJudging,
  mostCalls,
} from '../../agreement/index.ts';
import { openEgress } from '../../core/context/egress.ts';
import { UserError, sentenceOf } from '../../core/errors.ts';
import { type JudgeSettings, PairAnswer, type PairAnswers } from '../../core/ports/matcher.ts';
import { type Runner, failedAnswer } from '../../core/ports/runner.ts';
import { present } from '../../core/groups.ts';
import type { Ceiling } from '../../core/ports/steps.ts';
import {
  describeFinding,
  judgeInstructions,
  pairOf,
  readPairAnswers,
  renderPairsPrompt,
} from '../../core/prompt/answer-form.ts';
import { itemsOf, triesOfJudge } from '../../core/spending/forecast.ts';
import type { Subject } from '../../core/words/change.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Plan } from '../../core/words/plan.ts';
import { isReader, kindOf } from '../../core/words/runner.ts';
import { type Review, type Usage, addUsage, idsOf, noUsage } from '../../core/words/review.ts';
import { createMask, frameClaims } from '../mask-texts.ts';
import type { World } from '../world.ts';
import { type Asking, askUntil, bookEarlier } from './ask-member.ts';
import { createEndpoints } from './limits.ts';

interface JudgeRequest extends Omit<ClaimsAsked, 'claims'> {
  /** Which time the run is worked on: what was asked in an earlier one is part of what it had spent. */
  round: number;
}

interface JudgeWorld extends HearingWorld {
  judge: JudgeSettings;
}

/** Rejects when the signal aborts. */
export async function askJudge(
  panel: JudgeablePanel,
  request: JudgeRequest,
  world: JudgeWorld,
): Promise<{ readonly judging: Judging; readonly usage: Usage }> {
  const { seat: own, accuracy, openAnswers } = world.judge;
  const judging = createJudging(panel, accuracy);
  const seats = own
    ? [own]
    : judgesOf({ ...request, claims: [] }).map(seat => ({
        ...seat,
        timeout: Math.min(seat.timeout, mostSeconds),
      }));
  const { ceiling, spent } = countingCeiling(world.ceiling);
  const asking = askingOf(
    { ...request.plan, seats },
    { ...world, ceiling, runnerFor: async seat => forJudging(await world.runnerFor(seat)) },
  );
  const answers = await openAnswers();
  const tally: Tally = { asked: 0, failures: [] };
  await bookEarlier(
    Array.from({ length: mostCalls }, (_, index) => keyOf(request.round, index + 1)),
    asking,
  );
  try {
    const desk = {
      panel,
      request,
      world,
      asking: { ...asking, tries: triesOfJudge },
      answers,
      tally,
    };
    await askInTurn(judging, seats, desk);
  } finally {
    answers.close();
    asking.endpoints.rest();
  }
  tell(judging, tally, spent(), world.note);
  return { judging, usage: spent() };
}

/** An answer of a judge of the panel takes no longer, however long its reviews may; after so long no other call begins. */
const mostSeconds = 120;

interface Tally {
  asked: number;
  readonly failures: string[];
}

interface Desk {
  panel: JudgeablePanel;
  request: JudgeRequest;
  world: JudgeWorld;
  asking: Parameters<typeof askUntil>[2];
  answers: PairAnswers;
  tally: Tally;
}

/** One call after the other, each to another seat where there are several: so the pairs of every author come to be judged. */
async function askInTurn(judging: Judging, panel: readonly Seat[], desk: Desk) {
  const {
    clock,
    judge: { maxCalls, maxPairs },
  } = desk.world;
  const end = clock.monotonicMs() + 1000 * Math.max(...panel.map(({ timeout }) => timeout));
  const mayAsk = mayBeAsked(panel, desk);
  let seats = panel;
  for (let call = 1; call <= Math.min(maxCalls, mostCalls) && seats.length > 0; call += 1) {
    if (clock.monotonicMs() >= end) break;
    const room = maxPairs - desk.tally.asked;
    for (const seat of [...seats.slice((call - 1) % seats.length), ...seats]) {
      const pairs = judging.next(room, pair => mayAsk(seat, pair));
      if (pairs.length === 0) continue;
      if (!(await askAbout(pairs, seat, { judging, call }, desk)))
        seats = seats.filter(({ id }) => id !== seat.id);
      break;
    }
  }
}

/** False where the seat did not answer. */
async function askAbout(
  pairs: readonly Pair[],
  seat: Seat,
  { judging, call }: { judging: Judging; call: number },
  { panel, request, world, asking, answers, tally }: Desk,
) {
  const { secrets } = world;
  const describe = await describeAll(pairs, panel, { ...request, secrets });
  const open = [];
  for (const pair of pairs) {
    const question = pairOf(describe(pair[0]), describe(pair[1]));
    const asked = [seat.runner, seat.command, seat.model, seat.baseUrl];
    const key = sha256(JSON.stringify(['judge/3', asked, question]));
    const known = PairAnswer.safeParse(answers.get(key)).data;
    if (known === undefined) open.push({ pair, question, key });
    else judging.hear(pair, known);
  }
  if (open.length === 0) return true;
  const key = keyOf(request.round, call);
  const prompt = renderPairsPrompt(
    open.map(({ question }) => question),
    { fence: request.plan.fence, question: key },
  );
  const heard = await askUntil(
    { key, ...placed(seat), instructions: judgeInstructions, prompt, items: itemsOf(open.length) },
    text => {
      const said = readPairAnswers(text, open.length);
      // A runner that cannot tell how an answer ended leaves it to the last pair to prove that it is whole.
      return said.at(-1) === null && said.some(answer => answer !== null)
        ? 'Its answer ends before the last pair.'
        : { said };
    },
    asking,
  ).catch(explainRefusal);
  if (!heard.read) {
    tally.failures.push(`${seat.id}: ${heard.error}`);
    return false;
  }
  const { said } = heard.read;
  tally.asked += open.length;
  for (const [at, { pair }] of open.entries()) judging.hear(pair, said[at] ?? 'cannot-say');
  // What was not answered, as by a refusal, a later run may ask again.
  answers.put(open.flatMap(({ key: known }, at) => (said[at] ? [[known, said[at]] as const] : [])));
  return true;
}

/** A runner that is not there is a judge that does not answer. */
function explainRefusal(error: unknown) {
  if (!(error instanceof UserError)) throw error;
  return { read: null, error: sentenceOf(error) };
}

function keyOf(round: number, call: number) {
  return `judge/round-${round}/call-${call}`;
}

/** Half an answer says nothing, and a rate limit is not waited for: it counts as a try. */
function forJudging(runner: Runner): Runner {
  return {
    ...runner,
    async ask(...turn) {
      const answer = await runner.ask(...turn);
      if (answer.status === 'answered')
        return answer.stop === 'cut'
          ? failedAnswer('truncated', 'Its answer was cut off.', answer)
          : answer;
      const { failure } = answer;
      return failure.cause === 'rate-limited'
        ? { ...answer, failure: { ...failure, cause: 'provider' } }
        : answer;
    },
  };
}

/**
 * May this seat be told of both, and is no other one further from their authors? The author of one of the two is asked only where
 * no other is seated, and another model comes before another seat of the same.
 */
function mayBeAsked(seats: readonly Seat[], { panel, request, world }: Desk) {
  if (world.judge.seat) return () => true;
  const { plan } = request;
  const hearersOf = openHearing(request);
  const saidIn = (pair: Pair) => pair.flatMap(statement => panel.statements[statement] ?? []);
  const nearness = (seat: Seat, pair: Pair) => {
    const authors = new Set(saidIn(pair).map(({ reviewer }) => reviewer));
    if (authors.has(seat.id)) return 2;
    return Number(plan.seats.some(author => authors.has(author.id) && isSameModel(author, seat)));
  };
  return (seat: Seat, pair: Pair) => {
    const hearers = hearersOf(seats, saidIn(pair));
    const least = Math.min(...hearers.map(hearer => nearness(hearer, pair)));
    return hearers.includes(seat) && nearness(seat, pair) === least;
  };
}

function isSameModel(one: Seat, other: Seat) {
  return (
    one.runner === other.runner &&
    kindOf(one.runner) !== 'program' &&
    one.model === other.model &&
    one.baseUrl === other.baseUrl
  );
}

/** By number of the statement: what is said, where, and the lines of code, without secrets. */
async function describeAll(
  pairs: readonly Pair[],
  { statements }: JudgeablePanel,
  { subject, secrets }: Pick<JudgeRequest, 'subject'> & Pick<HearingWorld, 'secrets'>,
) {
  const said = new Map(
    pairs.flat().flatMap(number => {
      const [finding] = statements[number] ?? [];
      return finding ? [[number, finding] as const] : [];
    }),
  );
  const frames = await frameClaims([...said.values()], subject, secrets);
  const mask = createMask(secrets);
  const texts = new Map<number, string>();
  for (const [number, finding] of said)
    texts.set(
      number,
      await mask.apply(describeFinding(finding, frames[finding.id] ?? null), 'finding.txt'),
    );
  return (statement: number) => texts.get(statement) ?? '';
}

function tell(
  judging: Judging,
  { asked, failures }: Tally,
  { calls, inputTokens, outputTokens }: Usage,
  note: (message: string) => void,
) {
  const unclear = judging.answers().filter(({ answer }) => answer === 'cannot-say').length;
  const told = present(
    asked > 0 &&
      `The judge was asked about ${asked} ${asked === 1 ? 'pair' : 'pairs'} of findings in ${calls} ` +
        `${calls === 1 ? 'call' : 'calls'} (${inputTokens + outputTokens} tokens).`,
    asked > 0 && unclear > 0 && `It gave no clear answer about ${unclear}, which changes nothing.`,
    ...failures.map(why => `The judge did not answer, which changes nothing: ${why}`),
  );
  if (told.length > 0) note(told.join(' '));
}

// Who of a panel may be asked about what it said, where, and under which ceiling.

export interface ClaimsAsked {
  readonly plan: Pick<
    Plan,
    'run' | 'seats' | 'concurrency' | 'limits' | 'egress' | 'fence' | 'subjectHash'
  >;
  readonly subject: Subject;
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
}

export interface HearingWorld extends Pick<World, 'steps' | 'clock' | 'runnerFor' | 'secrets'> {
  readonly ceiling: Ceiling;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

/** Analysers hold no opinion on what others say; who could not review the change will not judge it either. */
export function judgesOf({ plan, reviews }: ClaimsAsked) {
  const heard = idsOf(reviews.filter(({ status }) => status !== 'failed'));
  return plan.seats.filter(seat => isReader(seat) && heard.has(seat.id));
}

/** Who of some seats may be told of all of something that was said, by the rules of egress. */
export function openHearing({ plan, subject }: Pick<ClaimsAsked, 'plan' | 'subject'>) {
  const { mayHear } = openEgress(plan.egress);
  const analysers = new Set(
    plan.seats.filter(({ runner }) => kindOf(runner) === 'check').map(({ id }) => id),
  );
  return (seats: readonly Seat[], told: readonly Parameters<typeof mayHear>[1][]) =>
    seats.filter(({ id }) => told.every(finding => mayHear(id, finding, { subject, analysers })));
}

/** Counts what is spent beside the reviews, with what earlier times spent. */
export function countingCeiling(inner: Ceiling, before = noUsage) {
  let usage = before;
  const ceiling: Ceiling = {
    ...inner,
    async take(call) {
      const taken = await inner.take(call);
      if ('why' in taken) return taken;
      return {
        give(used, isCutOff) {
          usage = addUsage(usage, { ...used, calls: Math.max(used.calls, 1) });
          return taken.give(used, isCutOff);
        },
      };
    },
    book(calls, used) {
      usage = addUsage(usage, { ...used, calls });
      return inner.book(calls, used);
    },
  };
  return { ceiling, spent: () => usage };
}

/** Every seat is its own endpoint, or shares that of its address, with its limit. */
export function askingOf(
  { seats, concurrency }: Pick<ClaimsAsked['plan'], 'seats' | 'concurrency'>,
  world: HearingWorld,
  round = 1,
): Asking {
  const shared = seats.map(seat => ({
    key: endpointOf(seat),
    limit: seat.concurrency ?? concurrency,
    weight: 1,
  }));
  const endpoints = createEndpoints(shared, concurrency, { ...world, mostCalls: concurrency });
  return { ...world, round, endpoints, seatAt: seat => seat };
}

export function placed(seat: Seat) {
  return { seat, endpoint: endpointOf(seat) };
}

/** Seats that share an address share its limit. */
export function endpointOf({ baseUrl, runner, id }: Seat) {
  return baseUrl ?? `${runner}/${id}`;
}
