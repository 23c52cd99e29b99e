/** Opens what the project remembers: the file of this machine and the committed baseline. */
import path from 'node:path';
import {
  createMemory,
  openMemoryFile,
  parseBaseline,
  readBaselineText,
} from '../adapters/memory/memory-file.ts';
import { openAnswerCache, openSpendingLedger, readSpending } from '../adapters/store/sqlite.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import {
  createMatcher,
  judgeAccuracyOf,
  mostCalls,
  mostPairs,
  standOf,
} from '../agreement/index.ts';
import { maskSecrets } from '../checks/index.ts';
import { UserError, ifUserError, inputError, sentenceOf, usageError } from '../core/errors.ts';
import { present } from '../core/groups.ts';
import type { JudgeSettings } from '../core/ports/matcher.ts';
import type { ReviewPlan } from '../core/printed/reports.ts';
import { learnFrom } from '../core/prompt/prompt.ts';
import {
  afterMonth,
  describeMonth,
  monthOf,
  nothingIn,
  refuseInMonth,
} from '../core/spending/month.ts';
import type { Subject } from '../core/words/change.ts';
import {
  type Config,
  type EmbeddingConfig,
  type JudgeConfig,
  type Seat,
  judgeOf,
} from '../core/words/config.ts';
import { type Strategy, pureStrategies } from '../core/settings.ts';
import { type ProjectMemory, baselineName } from '../core/words/run.ts';
import type { MatcherIdentity, Plan } from '../core/words/plan.ts';
import { addUsage, noUsage } from '../core/words/review.ts';
import { isFree } from '../core/words/runner.ts';
import { createMonthCeiling } from '../engine/asking/limits.ts';
import { type Call, noteTo } from './call.ts';
import { type OwnState, readRuns } from './own-state.ts';
import {
  type TrustedBase,
  isIgnored,
  isThatOfTheBase,
  noteTouched,
  readTrusted,
  sayUnused,
} from './trusted-base.ts';

interface MemoryPlace {
  state: StateFolder;
  subject: Subject;
  ground: TrustedBase;
}

/** Throws `UserError` for a baseline that cannot be used, before anybody is asked. */
export async function readDecisions(place: MemoryPlace, now: Date, call: Call) {
  const { state, subject } = place;
  if (subject.kind !== 'change') return { stand: '', learnt: [], notes: [] };
  const baseline = await readBaseline(place);
  const own = await decidedHere(state, call);
  const all = [...own, ...baseline.dispositions];
  const day = now.toISOString().slice(0, 10);
  const paths = subject.files.flatMap(({ path: name, oldPath }) => [name, oldPath ?? name]);
  return {
    stand: standOf(all, day),
    learnt: learnFrom(all, { paths, day }),
    notes: baseline.notes,
  };
}

/** Null for a question: only claims about files are remembered. `strategy` and `threshold`: those that form the claims. */
export async function openMemory(
  place: MemoryPlace,
  { strategy, threshold }: Pick<Matching, 'strategy' | 'threshold'>,
  call: Call,
) {
  const { state, subject } = place;
  if (subject.kind !== 'change') return null;
  const { dispositions } = await readBaseline(place);
  return createMemory({
    file: openOwnMemory(state, call),
    baseline: dispositions,
    // Claims are known again without asking any endpoint, whatever forms them.
    createMatcher: async () =>
      createMatcher(pureStrategies.find(name => name === strategy) ?? 'calibrated', threshold),
    known: await readOnce(state, call),
    onNote: noteTo(call),
  });
}

const read = new WeakMap<Call, Promise<ProjectMemory | null>>();

/** What people decided on this machine; nothing while another process holds the memory. */
async function decidedHere(state: StateFolder, call: Call) {
  return (await readOnce(state, call))?.dispositions ?? [];
}

/** Null while another process holds it: a review does not wait for that, and says at its end what it did without. */
function readOnce(state: StateFolder, call: Call) {
  const known =
    read.get(call) ?? openOwnMemory(state, call).read().catch(ifUserError(null, 'held'));
  read.set(call, known);
  return known;
}

/** Where decisions are kept on this machine. */
export function openOwnMemory(state: StateFolder, call: Call) {
  return openMemoryFile(state, noteTo(call));
}

/** That of the base: neither a change nor what lies beside it dismisses claims. What here cannot be used is told all the same. */
async function readBaseline({ ground }: MemoryPlace) {
  const { root } = ground;
  if (root === null) return { dispositions: [], notes: [] };
  const file = path.join(root, baselineName);
  const touched = await ground.touchedOf(file);
  const text = await readTrusted(file, await ground.baseFileOf(file));
  const here = touched ? null : await readBaselineText(root);
  await parseBaseline(here);
  const note = touched
    ? noteTouched(ground, touched, text === null ? isIgnored : isThatOfTheBase)
    : sayUnused(baselineName, here, text);
  return { dispositions: await parseBaseline(text), notes: present(note) };
}

// Opens the matcher of a strategy with what it needs of the world. A strategy that cannot run is never replaced by another.

interface Matching {
  strategy: Strategy;
  /** Percent, for strategy `overlap`. */
  threshold: number;
  /** Needed by the strategy of that name. */
  embedding: EmbeddingConfig | null;
  judge: Config['judge'] | null;
  /** The caller's own matcher, which stood in for the strategy; absent where there was none. */
  matcher?: MatcherIdentity | undefined;
}

/** Throws `UserError` (kind `usage`) for a strategy that is not configured. */
export async function openMatcher(
  { strategy, threshold, embedding, matcher }: Omit<Matching, 'judge'>,
  state: StateFolder,
  call: Call,
) {
  if (matcher) return ownMatcher(matcher, call);
  if (strategy === 'embedding')
    return openEmbeddingMatcher(needed(embedding, strategy, 'embedding'), state, call);
  if (strategy === 'llm') {
    noteTo(call)('Strategy llm is strategy calibrated with the judge of the configuration.');
    return createMatcher('calibrated');
  }
  return createMatcher(strategy, threshold);
}

/** As plans name it; undefined where the caller brings none. */
export function matcherIdentity({ matcher }: Call): MatcherIdentity | undefined {
  return matcher && { name: matcher.name, version: matcher.version };
}

/** Claims are formed again, and explained, by the matcher that formed them. */
function ownMatcher({ name, version }: MatcherIdentity, { matcher }: Call) {
  if (matcher?.name === name && matcher.version === version) return matcher;
  throw usageError(
    `The claims of this run were matched by "${name}", version ${version}, which is none of Jury's own.`,
    'Give that matcher to createJury.',
  );
}

/** Is there what the strategy needs? Asked before anybody is paid. Throws like `openMatcher`. */
export function checkStrategy(
  { strategy, embedding, judge }: Pick<Config, 'strategy' | 'embedding' | 'judge'>,
  { matcher }: Pick<Call, 'matcher'>,
) {
  if (matcher) return;
  if (strategy === 'embedding') needed(embedding ?? null, strategy, 'embedding');
  if (strategy === 'llm') needed(judge ?? null, strategy, 'judge');
}

function needed<Settings>(
  settings: Settings | null,
  strategy: Strategy,
  key: keyof Config,
): Settings {
  if (settings !== null) return settings;
  throw usageError(
    `Strategy ${strategy} cannot run: the configuration has no key "${key}".`,
    'See docs/consensus.md.',
  );
}

async function openEmbeddingMatcher(
  { baseUrl, model, apiKeyEnv, cut }: EmbeddingConfig,
  state: StateFolder,
  call: Call,
) {
  const { createEmbeddingMatcher } = await import('../adapters/matchers/embedding.ts');
  const apiKey = apiKeyEnv === undefined ? null : (call.environment[apiKeyEnv] ?? '');
  if (apiKey === '')
    throw usageError(`Strategy embedding cannot run: no key in ${apiKeyEnv ?? ''}.`);
  return createEmbeddingMatcher({
    endpoint: { baseUrl, model, apiKey, fetch: globalThis.fetch, signal: call.signal },
    cut,
    openCache: cacheIn(state, 'embeddings', call),
    mask,
  });
}

/** Null where no model is asked. */
export async function openJudge(
  { strategy, judge, matcher }: Pick<Matching, 'strategy' | 'judge' | 'matcher'>,
  state: StateFolder,
  call: Call,
): Promise<JudgeSettings | null> {
  const asked = matcher ? null : judgeOf({ strategy, judge });
  if (asked === null) return null;
  const own = asked === 'auto' ? null : asked;
  return {
    seat: own && seatOf(own, call),
    accuracy: judgeAccuracyOf(await decidedHere(state, call)),
    maxPairs: own?.maxPairs ?? mostPairs,
    maxCalls: own?.maxCalls ?? mostCalls,
    openAnswers: cacheIn(state, 'judgements', call),
  };
}

/** The judge sits on no panel; it borrows a seat because that is how runners are asked. */
function seatOf({ model, baseUrl, apiKeyEnv, timeout, price }: JudgeConfig, { cwd }: Call): Seat {
  return {
    id: 'judge',
    runner: 'api',
    model,
    timeout,
    required: false,
    environment: [],
    home: cwd,
    persona: {
      name: 'judge',
      role: 'general',
      focus: 'whether two findings say the same',
      veto: false,
      budget: 6144,
      capability: 'deliberation',
      files: [],
      instructions: '',
    },
    baseUrl,
    apiKeyEnv,
    price,
  };
}

function cacheIn({ root, disk }: StateFolder, name: string, call: Call) {
  return () => openAnswerCache(disk, path.join(root, `${name}.sqlite`), noteTo(call));
}

/** One scan for all of them: each text is one line, and a placeholder never breaks a line. */
async function mask(texts: readonly string[]) {
  if (texts.length === 0) return [];
  const whole = texts.map(text => text.replace(/[\r\n]+/g, ' ')).join('\n');
  return (await maskSecrets(whole, 'findings.txt')).split('\n');
}

// What a project has spent in the month: opened for a run or a vote, asked before one, and told to whoever wants to know.

export interface MonthRequest {
  readonly state: OwnState;
  /** US dollars; null: nobody set a ceiling, and what is spent is counted all the same. */
  readonly limit: number | null;
  /** Ceiling of the run or the vote itself; null and absent: none. */
  readonly maxCost?: number | null;
  /** Whoever is asked. */
  readonly asked: readonly (Pick<Seat, 'runner' | 'price'> & { readonly id?: string })[];
}

/** Of a run: its reviewers, and a judge that sits on no panel. */
export function paidBy(
  { seats, judge, limits, maxCostPerMonth }: Plan,
  state: OwnState,
): MonthRequest {
  const others: MonthRequest['asked'] =
    judge === null || judge === 'auto'
      ? []
      : [{ id: 'the judge', runner: 'api', ...(judge.price && { price: judge.price }) }];
  return {
    state,
    limit: maxCostPerMonth ?? null,
    maxCost: limits.maxCost,
    asked: [...seats, ...others],
  };
}

/**
 * Null where nobody who is asked costs anything, and where nobody set a ceiling and nothing can be counted, which is said. Throws
 * `UserError` where somebody did: what cannot be counted must not be spent.
 */
export async function openMonth(request: MonthRequest, call: Call) {
  const { state, limit, asked } = request;
  const paid = asked.filter(({ runner }) => !isFree(runner));
  if (paid.length === 0) return null;
  const clock = call.clock;
  const onNote = noteTo(call);
  try {
    const ledger = await openSpendingLedger(state, () => spentBefore(state, call));
    const unpriced = unpricedOf(paid);
    if (limit !== null && unpriced !== null)
      onNote(
        'The ceiling of the month counts what a reviewer without a price costs only where its provider says so: ' +
          `${unpriced}.`,
      );
    return {
      ...createMonthCeiling({ ledger, limit, clock, onNote }),
      close: () => ledger.close(),
    };
  } catch (error) {
    if (limit !== null || !(error instanceof UserError)) throw error;
    onNote(`What this run costs is not counted in its month: ${error.message}`);
    return null;
  }
}

/** Throws `UserError`: a ceiling of money that cannot hold (kind `usage`), nothing left of the month (kind `input`). */
export async function refuseUnaffordable(
  { state, limit, maxCost = null, asked }: MonthRequest,
  call: Call,
) {
  const paid = asked.filter(({ runner }) => !isFree(runner));
  const unpriced = unpricedOf(paid);
  if (maxCost !== null && unpriced !== null)
    throw usageError(
      `Nobody was asked: a ceiling of $${maxCost} cannot hold where nobody knows what a call costs (${unpriced}).`,
      'State price: { input: 1, output: 5 } for each of them, in US dollars for a million tokens, or set a ceiling of calls ' +
        'and tokens in its place (maxCalls, maxTokens; --max-calls, --max-tokens).',
    );
  if (limit === null || paid.length === 0) return;
  const spending = await spentThisMonth(state, call);
  if (refuseInMonth(spending, 0, limit) === null) return;
  throw inputError(
    `Nobody was asked: ${describeMonth(spending, limit)}.`,
    `It begins anew on ${afterMonth(spending.month)} (UTC). Until then raise maxCostPerMonth, or --max-cost-per-month for this ` +
      'call, or ask the built-in checks alone: --reviewers secrets,javascript,patterns,diff.',
  );
}

/** Names of those whose calls cost nobody knows what; null where there are none. */
function unpricedOf(paid: MonthRequest['asked']) {
  const unpriced = paid.filter(({ price }) => !price);
  const names = unpriced.map(({ id }) => id ?? '').filter(Boolean);
  return unpriced.length === 0 ? null : names.join(', ') || 'the reviewer of the vote';
}

/** For a plan; null where nobody who is asked costs anything, and where nobody set a ceiling and nothing can be read, which is said. */
export async function plannedMonth(
  { state, limit, asked }: MonthRequest,
  call: Call,
): Promise<ReviewPlan['month']> {
  if (asked.every(({ runner }) => isFree(runner))) return null;
  try {
    return { ...(await spentThisMonth(state, call)), limit };
  } catch (error) {
    if (limit !== null || !(error instanceof UserError)) throw error;
    noteTo(call)(sentenceOf(error));
    return null;
  }
}

export async function spentThisMonth(state: OwnState, call: Call) {
  const month = monthOf(call.clock.now());
  const booked = await readSpending(state, month);
  return booked ?? (await spentBefore(state, call)) ?? nothingIn(month);
}

/** What the runs that are kept have spent in this month, where nobody has written it down yet. */
async function spentBefore(state: OwnState, call: Call) {
  const month = monthOf(call.clock.now());
  const reviews = (await readRuns(state))
    .filter(({ record }) => record.startedAt.startsWith(month))
    .flatMap(({ reviews }) => reviews)
    .filter(({ runner }) => !isFree(runner));
  if (reviews.length === 0) return null;
  // What a later run took over was paid for once.
  const usages = [
    ...new Map(reviews.map(each => [`${each.reviewer} ${each.startedAt}`, each.usage])).values(),
  ];
  const { calls, cost } = usages.reduce(addUsage, noUsage);
  const unpriced = usages.filter(usage => usage.cost === null).reduce(addUsage, noUsage).calls;
  return { month, calls, unpriced, cost: cost ?? 0, underWay: 0 };
}
