/**
 * Decides who can be asked everything in one question, and opens the ledgers. Counting takes an encoding that takes longer
 * to load than a reviewer to start, so that whoever a bound lets in is asked at once and the rest of it happens beside.
 */
import { allotBudgets, firstAnswer, type ProgressiveMode } from '../../core/context/budget.ts';
import type { Pack } from '../../core/context/pack.ts';
import type { Measure } from '../../core/context/review-plan.ts';
import { familyOf } from '../../core/words/runner.ts';
import { bytesOf } from '../../core/text.ts';
import type { Seat } from '../../core/words/config.ts';
import type { OnEvent } from '../../core/words/review.ts';
import type { Plan, SpendingRules } from '../../core/words/plan.ts';
import type { Packs } from '../pack-change.ts';
import { allotTokens, openSteps, type StepSource } from './allot-tokens.ts';
import { kindOf } from '../../core/words/runner.ts';
import { openTokenLedgers, type ReviewerLedger } from './token-ledgers.ts';
import { promptRoom, windowOf } from '../../core/context/growth.ts';
import type { Answer, Turn } from '../../core/ports/runner.ts';

export type RunTokens = NonNullable<ReturnType<typeof openTokens>>;

interface Ways {
  pack: (mode: ProgressiveMode) => Pack;
  source?: StepSource;
  tokens?: TokenBook;
}

interface TokenSettings {
  plan: Pick<Plan, 'seats' | 'spending' | 'limits'>;
  packs: Packs;
  /** Null when nobody has a budget. */
  measure: Measure | null;
  onEvent: OnEvent;
}

/** Null where nobody has a budget. */
export function openTokens({ plan, packs, measure, onEvent }: TokenSettings) {
  const { seats, spending } = plan;
  if (!measure || !spending) return null;
  const spenders = seats.filter(({ runner }) => kindOf(runner) !== 'check');
  // However small the change turns out to be, nobody gets less.
  const { budgets: least } = allotBudgets({
    totalTokens: 0,
    complexity: spending.complexity,
    reviewers: spenders.map(({ id, persona }) => ({ id, base: persona.budget })),
  });
  const usage = observeUsage();
  let open: Opened | null = null;
  let opening: Promise<Opened> | undefined;
  const attendance = openAttendance(reviewer => open?.ledgers.finish(reviewer));
  const whenOpen = () =>
    (opening ??= openAll({ spenders, packs, measure, plan, spending, onEvent }).then(opened => {
      for (const reviewer of attendance.ended) opened.ledgers.finish(reviewer);
      return (open = opened);
    }));
  return {
    /** Says that a reviewer begins its review, so that others may wait for what it leaves. */
    begin: ({ id }: Seat) => attendance.begin(id),
    /** Says that it takes nothing more, whether it was asked or not. */
    end: ({ id }: Seat) => attendance.end(id),
    /** What everybody may spend, as far as it is known: by the formula where nobody had to look closer. */
    async budget() {
      const opened = await opening;
      if (opened) return opened.budget;
      const { budget } = await measure();
      return { ...budget, granted: budget.budgets, cover: spending.cover ?? 'all' };
    },
    /** Opens the ledgers, so that a reviewer can be stopped while it writes. */
    open: whenOpen,
    /** Paths that a reviewer was dealt; none where it is asked about everything. */
    async dealtTo({ id }: Seat) {
      return ((await whenOpen()).hands.get(id) ?? []).map(({ path }) => path);
    },
    /** Null when it spends no tokens. */
    async ledgerOf(seat: Seat) {
      return (await whenOpen()).ledgers.ledgerFor(seat.id);
    },
    /** Reported so far of prompts that can be counted, and their encoding; null when nothing can be learned. Loads no encoding. */
    observed() {
      const observations = !open || open.isEstimated ? [] : usage.counted(open.count);
      return !open || observations.length === 0 ? null : { counter: open.counter, observations };
    },
    /** How a reviewer is asked. Resolves at once when it is sure that one question fits. */
    async waysOf(seat: Seat): Promise<Ways> {
      if (!(seat.id in least)) return waysWithout(seat, packs);
      const whole = packs.wholeFor(seat);
      const isSure =
        whole !== null &&
        isSureToFit(seat, bytesOf(whole.instructions) + bytesOf(whole.prompt), least[seat.id] ?? 0);
      const way = {
        pack: packIn(seat, packs),
        tokens: createBook(seat, {
          whenOpen,
          known: () => open,
          usage,
          whenMore: async () => open?.budget.mode === 'shared' && attendance.whenMore(seat.id),
        }),
      };
      if (isSure) return way;
      const opened = await whenOpen();
      if (opened.wholes.has(seat.id)) return way;
      return {
        ...way,
        source: await openSteps({
          seat,
          packs,
          count: opened.countFor(seat.id),
          window: opened.windowFor(seat.id),
          hand: opened.hands.get(seat.id) ?? [],
        }),
      };
    },
  };
}

/** Where nobody counts, only the size of a prompt can make several questions of one. Analysers read the change itself. */
export async function waysWithout(seat: Seat, packs: Packs): Promise<Ways> {
  const pack = packIn(seat, packs);
  if (kindOf(seat.runner) === 'check' || packs.wholeFor(seat)) return { pack };
  const window = Infinity;
  return { pack, source: await openSteps({ seat, packs, count: null, window }) };
}

function packIn(seat: Seat, packs: Packs): Ways['pack'] {
  return mode => {
    const whole = packs.wholeFor(seat);
    return !whole || mode === 'full'
      ? (whole ?? packs.stepFor(seat, { files: [], mode, isPart: false }))
      : packs.stepFor(seat, { files: packs.filesFor(seat), mode, isPart: false });
  };
}

type Opened = Awaited<ReturnType<typeof openAll>>;

interface Opening extends TokenSettings {
  measure: Measure;
  spenders: readonly Seat[];
  spending: SpendingRules;
}

async function openAll({
  spenders,
  packs,
  measure,
  plan: { limits },
  spending: { cover = null, readers = null, thresholds },
  onEvent,
}: Opening) {
  const measured = await measure();
  const allotted = await allotTokens({ spenders, packs, measured, cover, readers, limits });
  const { mode, granted: budgets } = allotted.budget;
  return {
    ...allotted,
    ledgers: openTokenLedgers({ mode, budgets }, { thresholds, granted: allotted.wholes, onEvent }),
    counter: measured.counter.name,
    isEstimated: measured.counter.estimated,
  };
}

interface LedgerAccess {
  whenOpen: () => Promise<Opened>;
  known: () => Opened | null;
  usage: ReturnType<typeof observeUsage>;
  whenMore: TokenBook['whenMore'];
}

function createBook(seat: Seat, { whenOpen, known, usage, whenMore }: LedgerAccess): TokenBook {
  const ledgerIn = ({ ledgers }: Opened): ReviewerLedger => {
    const ledger = ledgers.ledgerFor(seat.id);
    if (!ledger) throw new Error(`${seat.id} has no ledger.`);
    return ledger;
  };
  const grantedIn = (opened: Opened | null) => opened?.wholes.get(seat.id) ?? 0;
  return {
    whenMore,
    get granted() {
      return grantedIn(known());
    },
    ledger: async () => ledgerIn(await whenOpen()),
    known: () => {
      const opened = known();
      return opened && ledgerIn(opened);
    },
    async settle(call) {
      const { turn, answer, reserved, charged } = call;
      usage.add(call);
      const opened = await whenOpen();
      ledgerIn(opened).settle({
        // Who is sure to fit is asked before it is known what is set aside for it.
        reserved: reserved === 0 && turn.attempt === 1 ? grantedIn(opened) : reserved,
        cost: costOf({ turn, answer, charged }, opened.countFor(seat.id)),
      });
    },
    isolation: () => known()?.ledgers.isolation ?? 'shared',
  };
}

/**
 * As the provider reports it, less what was booked while the call went on; counted here when nobody does. A call that was never
 * made costs nothing.
 */
function costOf(
  { turn: { instructions, prompt }, answer, charged }: Omit<SettledCall, 'reserved'>,
  count: (text: string) => number,
) {
  const { calls, inputTokens, outputTokens, estimated } = answer.usage;
  if (calls === 0) return 0;
  const reported = inputTokens + outputTokens;
  return reported > 0 && !estimated
    ? Math.max(0, reported - charged)
    : count(instructions) +
        count(prompt) +
        count(answer.status === 'answered' ? answer.text : answer.transcript);
}

// Gathers what providers report of prompts that were sent, to learn how they count.

function observeUsage() {
  const seen: {
    family: string;
    texts: readonly string[];
    reported: number;
  }[] = [];
  return {
    add(call: SettledCall) {
      const {
        turn: { seat, instructions, prompt },
        answer: { usage },
      } = call;
      const family = familyOf(seat);
      if (family !== null && tellsOfPrompt(call))
        seen.push({ family, texts: [instructions, prompt], reported: usage.inputTokens });
    },
    /** Counts the prompts: they are on hand already where a question was set aside for. */
    counted: (count: (text: string) => number) =>
      seen
        .map(({ family, texts, reported }) => ({
          family,
          reported,
          counted: texts.reduce((total, text) => total + count(text), 0),
        }))
        .filter(({ counted }) => counted > 0),
  };
}

/**
 * Programs put prompts of their own around ours, recordings are of other prompts, and every result of a tool is one more: only a
 * plain request tells.
 */
function tellsOfPrompt({
  turn: { seat, attempt, tools },
  answer: { status, usage },
  charged,
}: SettledCall) {
  return (
    kindOf(seat.runner) === 'api' &&
    status === 'answered' &&
    attempt === 1 &&
    !(tools ?? null) &&
    charged === 0 &&
    usage.calls === 1 &&
    !usage.estimated &&
    usage.inputTokens > 0
  );
}

// Who of the panel is at work: whoever has no tokens left waits for what others leave, as long as somebody may leave any.

/** `onEnd` is told before anybody is woken. */
export function openAttendance(onEnd: (reviewer: string) => void) {
  const working = new Set<string>();
  const ended = new Set<string>();
  const waiting = new Map<string, (isMore: boolean) => void>();
  return {
    ended,
    begin: (reviewer: string) => void working.add(reviewer),
    end(reviewer: string) {
      working.delete(reviewer);
      ended.add(reviewer);
      onEnd(reviewer);
      const woken = [...waiting];
      waiting.clear();
      for (const [name, wake] of woken) {
        working.add(name);
        wake(true);
      }
    },
    whenMore(reviewer: string): Promise<boolean> {
      working.delete(reviewer);
      if (working.size === 0) {
        working.add(reviewer);
        return Promise.resolve(false);
      }
      return new Promise(resolve => waiting.set(reviewer, resolve));
    },
  };
}

/** With room for an answer: what a reviewer asked in one question is sure to fit. */
function isSureToFit(seat: Seat, bytes: number, least: number) {
  return bytes <= Math.min(least, promptRoom(windowOf(seat)) - firstAnswer(least));
}

/** How this reviewer's tokens are booked. */
export interface TokenBook {
  /** Tokens that were set aside for the only question; 0 when there are several. */
  readonly granted: number;
  ledger(): Promise<ReviewerLedger>;
  /** Null until the ledgers are open: nobody waits for them where a bound already decides. */
  known(): ReviewerLedger | null;
  /** Books what a call cost, as its provider reports it, otherwise counted here. */
  settle(call: SettledCall): Promise<void>;
  readonly isolation: () => 'shared' | 'branch';
  /** Waits for tokens that others leave. True: there may be more now; false: nobody is left who could leave any. */
  whenMore(): Promise<boolean>;
}

interface SettledCall {
  turn: Turn;
  answer: Answer;
  reserved: number;
  /** Tokens that its tools were charged for while it went on: a provider that reports counts them again. */
  charged: number;
}
