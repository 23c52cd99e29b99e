/**
 * Decides who can be asked everything in one question, and opens the ledgers. Counting takes an encoding that takes longer
 * to load than a reviewer to start, so that whoever a bound lets in is asked at once and the rest of it happens beside.
 */
import { allotBudgets } from '../../core/context/budget.ts';
import { dealFiles, type Pack } from '../../core/context/pack.ts';
import { modeAt, type ProgressiveMode } from '../../core/context/progressive-mode.ts';
import {
  countWith,
  type Measure,
  type Measured,
  type TokenObservation,
} from '../../core/context/scope.ts';
import { familyOf } from '../../core/memory/reliability.ts';
import { bytesOf } from '../../core/text.ts';
import type { Seat } from '../../core/words/config.ts';
import type { OnEvent } from '../../core/words/events.ts';
import type { Plan, SpendingRules } from '../../core/words/plan.ts';
import type { Packs } from '../build-packs.ts';
import type { SettledCall, TokenBook } from './review-task.ts';
import { openSteps, type StepSource } from './step-source.ts';
import { openTokenLedgers, type ReviewerLedger, type TokenLedgers } from './token-ledgers.ts';

export interface RunTokens {
  /** How a reviewer is asked. Resolves at once when it is sure that one question fits. */
  waysOf(seat: Seat): Promise<Ways>;
  /** Opens the ledgers, so that a reviewer can be stopped while it writes. */
  open(): Promise<void>;
  /** The ledger of a reviewer; null when it spends no tokens. */
  ledgerOf(seat: Seat): Promise<ReviewerLedger | null>;
  /** What providers reported so far of prompts that can be counted; null when nothing can be learned. Loads no encoding. */
  observed(): ObservedTokens | null;
}

export interface ObservedTokens {
  /** Encoding the prompts were counted with. */
  readonly counter: string;
  readonly observations: readonly TokenObservation[];
}

interface Ways {
  readonly pack: (mode: ProgressiveMode) => Pack;
  readonly source?: StepSource;
  readonly tokens?: TokenBook;
}

interface TokenSettings {
  readonly plan: Pick<Plan, 'seats' | 'spending'>;
  readonly packs: Packs;
  /** Null when nobody has a budget. */
  readonly measure: Measure | null;
  readonly onEvent: OnEvent;
}

export function openTokens({
  plan: { seats, spending },
  packs,
  measure,
  onEvent,
}: TokenSettings): RunTokens {
  if (measure === null || spending === null)
    return {
      waysOf: seat => waysWithout(seat, packs),
      ledgerOf: () => Promise.resolve(null),
      open: () => Promise.resolve(),
      observed: () => null,
    };
  const spenders = seats.filter(({ runner }) => runner !== 'builtin');
  // However small the change turns out to be, nobody gets less.
  const { budgets: least } = allotBudgets({
    totalTokens: 0,
    complexity: spending.complexity,
    reviewers: spenders.map(({ id, persona }) => ({ id, base: persona.budget })),
  });
  const usage = observeUsage();
  let open: Opened | null = null;
  let opening: Promise<Opened> | undefined;
  const whenOpen = (): Promise<Opened> =>
    (opening ??= openAll({ spenders, packs, measure, spending, onEvent }).then(
      opened => (open = opened),
    ));
  return {
    async open() {
      await whenOpen();
    },
    async ledgerOf(seat) {
      return (await whenOpen()).ledgers.ledgerFor(seat.id);
    },
    observed() {
      const observations = open === null || open.isEstimated ? [] : usage.counted(open.count);
      return open === null || observations.length === 0
        ? null
        : { counter: open.counter, observations };
    },
    async waysOf(seat) {
      if (!(seat.id in least)) return waysWithout(seat, packs);
      const whole = packs.wholeFor(seat);
      const isSure =
        whole !== null &&
        bytesOf(whole.instructions) + bytesOf(whole.prompt) <= (least[seat.id] ?? 0);
      const book = createBook(seat, { whenOpen, known: () => open, usage });
      if (isSure) return { pack: packIn(seat, packs), tokens: book(null) };
      const opened = await whenOpen();
      const granted = opened.granted.get(seat.id);
      if (granted !== undefined) return { pack: packIn(seat, packs), tokens: book(granted) };
      return {
        pack: packIn(seat, packs),
        tokens: book(0),
        source: await openSteps({
          seat,
          packs,
          count: opened.countFor(seat.id),
          most: opened.most,
          order: opened.dealt.get(seat.id) ?? [],
        }),
      };
    },
  };
}

/** Nobody counts: only the size of a prompt can make several questions of one. Analysers read the change itself. */
async function waysWithout(seat: Seat, packs: Packs): Promise<Ways> {
  const pack = packIn(seat, packs);
  if (seat.runner === 'builtin' || packs.wholeFor(seat) !== null) return { pack };
  return {
    pack,
    source: await openSteps({ seat, packs, count: null, most: Number.POSITIVE_INFINITY }),
  };
}

function packIn(seat: Seat, packs: Packs): Ways['pack'] {
  return mode => {
    const whole = packs.wholeFor(seat);
    return whole === null || mode === 'full'
      ? (whole ?? packs.stepFor(seat, { files: [], mode, isPart: false }))
      : packs.stepFor(seat, { files: packs.filesFor(seat), mode, isPart: false });
  };
}

interface Opened {
  readonly ledgers: TokenLedgers;
  /** Tokens set aside for the only question of a reviewer; those who are not in it are asked in several. */
  readonly granted: ReadonlyMap<string, number>;
  /** For nobody in particular. */
  readonly count: Count;
  /** As the family of the reviewer counts. */
  readonly countFor: (reviewer: string) => Count;
  readonly most: number;
  /** By reviewer that is asked in several questions: its files in the order in which it reads them. */
  readonly dealt: ReadonlyMap<string, readonly string[]>;
  readonly counter: string;
  readonly isEstimated: boolean;
}

type Count = (text: string) => number;

interface Opening {
  readonly spenders: readonly Seat[];
  readonly packs: Packs;
  readonly measure: Measure;
  readonly spending: SpendingRules;
  readonly onEvent: OnEvent;
}

async function openAll({ spenders, packs, measure, spending, onEvent }: Opening): Promise<Opened> {
  const measured = await measure();
  const count = remembering(measured.counter);
  const countFor = (reviewer: string): Count => countWith(count, measured.factors[reviewer] ?? 1);
  const wholes = spenders.map(seat => ({
    id: seat.id,
    tokens: tokensOf(packs.wholeFor(seat), countFor(seat.id)),
  }));
  const granted = grant(wholes, measured);
  const smallest = Math.min(...Object.values(measured.budget.budgets));
  const ledgers = openTokenLedgers(measured.budget, {
    thresholds: spending.thresholds,
    granted,
    onEvent,
  });
  const dealt = await deal({ spenders, packs, granted, count, budgets: measured.budget.budgets });
  return {
    granted,
    count,
    countFor,
    ledgers,
    dealt,
    most: Math.floor(smallest * shareOfStep),
    counter: measured.counter.name,
    isEstimated: measured.counter.estimated,
  };
}

interface Deal {
  readonly spenders: readonly Seat[];
  readonly packs: Packs;
  readonly granted: ReadonlyMap<string, number>;
  readonly count: Count;
  readonly budgets: Readonly<Record<string, number>>;
}

/**
 * Among those who are asked in several questions: whoever is asked in one reads everything. By counts that no later
 * observation moves, so that a run that was killed is dealt the same again.
 */
async function deal({ spenders, packs, granted, count, budgets }: Deal): Promise<Opened['dealt']> {
  const readers = spenders.filter(({ id }) => !granted.has(id));
  const materials = await Promise.all(readers.map(seat => packs.materialFor(seat)));
  const files = new Map(materials.flat().map(material => [material.path, material]));
  const ranked = [...files.values()].toSorted((one, other) => one.rank - other.rank);
  const readings = (path: string): number =>
    spenders.filter(
      seat =>
        packs.readBefore(seat).has(path) ||
        (granted.has(seat.id) && packs.filesFor(seat).some(file => file.path === path)),
    ).length;
  return dealFiles(
    ranked.map(({ path, patch, isSensitive }) => ({
      path,
      tokens: count(patch),
      isSensitive,
      readings: readings(path),
    })),
    readers.map(({ id, persona }, index) => ({
      id,
      budget: Math.floor((budgets[id] ?? 0) * 2 * shareOfStep),
      isSecurity: persona.role === 'security',
      files: new Set((materials[index] ?? []).map(({ path }) => path)),
    })),
  );
}

/** Two questions of this share leave a fifth for answers, or for a last question about grave things only. */
const shareOfStep = 0.4;

function tokensOf(pack: Pack | null, count: (text: string) => number): number | null {
  return pack === null ? null : count(pack.instructions) + count(pack.prompt);
}

/** Whoever fits the own budget is in; in shared mode the rest may use what the others leave over. */
function grant(
  wholes: readonly { readonly id: string; readonly tokens: number | null }[],
  { budget }: Measured,
): Map<string, number> {
  const granted = new Map<string, number>();
  for (const { id, tokens } of wholes)
    if (tokens !== null && tokens <= (budget.budgets[id] ?? 0)) granted.set(id, tokens);
  if (budget.mode === 'branch') return granted;
  const total = sum(Object.values(budget.budgets));
  for (const { id, tokens } of wholes)
    if (tokens !== null && !granted.has(id) && sum(granted.values()) + tokens <= total)
      granted.set(id, tokens);
  return granted;
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

/** Reviewers of one selection share their prompts but for a few lines. */
function remembering({ count }: Measured['counter']): (text: string) => number {
  const known = new Map<string, number>();
  return text => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
}

interface LedgerAccess {
  readonly whenOpen: () => Promise<Opened>;
  readonly known: () => Opened | null;
  readonly usage: ObservedUsage;
}

/** `granted` null: sure to fit; what was set aside for it is known once the ledgers are open. */
function createBook(
  seat: Seat,
  { whenOpen, known, usage }: LedgerAccess,
): (granted: number | null) => TokenBook {
  const ledgerIn = ({ ledgers }: Opened): ReviewerLedger => {
    const ledger = ledgers.ledgerFor(seat.id);
    if (ledger === null) throw new Error(`${seat.id} has no ledger.`);
    return ledger;
  };
  return granted => ({
    get granted() {
      return granted ?? known()?.granted.get(seat.id) ?? 0;
    },
    ledger: async () => ledgerIn(await whenOpen()),
    known: () => {
      const opened = known();
      return opened === null ? null : ledgerIn(opened);
    },
    async settle(call) {
      const { turn, answer, reserved, charged } = call;
      usage.add(call);
      const opened = await whenOpen();
      const isFirst = turn.attempt === 1;
      ledgerIn(opened).settle({
        reserved: granted === null && isFirst ? (opened.granted.get(seat.id) ?? 0) : reserved,
        cost: costOf({ turn, answer, charged }, opened.countFor(seat.id)),
      });
    },
    isolation: () => known()?.ledgers.isolation ?? 'shared',
  });
}

/** As the provider reports it, less what was booked while the call went on; counted here when nobody does. A call that was never made costs nothing. */
function costOf(
  { turn: { instructions, prompt }, answer, charged }: Omit<SettledCall, 'reserved'>,
  count: (text: string) => number,
): number {
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

interface ObservedUsage {
  add(call: SettledCall): void;
  /** Counts the prompts: they are on hand already where a question was set aside for. */
  counted(count: (text: string) => number): readonly TokenObservation[];
}

function observeUsage(): ObservedUsage {
  const seen: {
    readonly family: string;
    readonly texts: readonly string[];
    readonly reported: number;
  }[] = [];
  return {
    add(call) {
      const {
        turn: { seat, instructions, prompt },
        answer: { usage },
      } = call;
      const family = familyOf(seat);
      if (family !== null && tellsOfPrompt(call))
        seen.push({ family, texts: [instructions, prompt], reported: usage.inputTokens });
    },
    counted: count =>
      seen
        .map(({ family, texts, reported }) => ({
          family,
          reported,
          counted: texts.reduce((total, text) => total + count(text), 0),
        }))
        .filter(({ counted }) => counted > 0),
  };
}

/** Programs put prompts of their own around ours, recordings are of other prompts, and every result of a tool is one more: only a plain request tells. */
function tellsOfPrompt({
  turn: { seat, attempt, tools },
  answer: { status, usage },
  charged,
}: SettledCall): boolean {
  return (
    seat.runner === 'api' &&
    status === 'answered' &&
    attempt === 1 &&
    (tools ?? null) === null &&
    charged === 0 &&
    usage.calls === 1 &&
    !usage.estimated &&
    usage.inputTokens > 0
  );
}

/** The questions a reviewer would be asked if its answers cost nothing: what a plan counts and a dry run shows. */
export async function previewQuestions(seat: Seat, tokens: RunTokens): Promise<readonly Pack[]> {
  const { pack, source } = await tokens.waysOf(seat);
  if (source === undefined) return [pack('full')];
  const ledger = await tokens.ledgerOf(seat);
  const questions: Pack[] = [];
  const { used, total } = ledger?.standing() ?? { used: 0, total: Number.MAX_SAFE_INTEGER };
  for (let spent = 0; ;) {
    const mode = modeAt({ used: used + spent, total });
    const next =
      mode === 'force_return'
        ? null
        : source.propose(mode, ledger === null ? Number.POSITIVE_INFINITY : ledger.room() - spent);
    if (next === null) return questions;
    questions.push(source.take(next));
    spent += next.tokens;
  }
}
