/** What a review would take, before anybody is asked: panel, reasons, ledgers, packs, calls, money, ceiling. */
import picomatch from 'picomatch';
import { z } from 'zod';
import { numberedLines, renderPatch } from '../change/patch.ts';
import { by, remember, sumOf } from '../groups.ts';
import { isVendoredPath, type ScopeFile, globFor } from '../languages/languages.ts';
import type { TokenCounter } from '../ports/repository.ts';
import type { ReviewPlan } from '../printed/reports.ts';
import { bytesOf, splitLines } from '../text.ts';
import type { ChangedFile } from '../words/change.ts';
import type { RunRecord } from '../words/run.ts';
import { type BudgetFile, type GrantedBudget, type Limits, sharedLedger } from './budget.ts';
import table from './sensitive.json' with { type: 'json' };
import type { Triage, TriagedFile } from './scope.ts';
import { Text, Whole } from '../words/fields.ts';

export type PlannedReviewer = ReviewPlan['panel'][number];

/** One reviewer and what would be sent to it. */
export interface PlannedPack extends Omit<
  PlannedReviewer,
  'why' | 'budget' | 'fits' | 'calls' | 'cost'
> {
  /** Calls that one question takes at most. */
  readonly mostCalls: number;
  /** All that it would be asked it was asked by an earlier run, and nobody asks again. */
  readonly isKept?: boolean;
}

interface PlanMaterial extends Pick<
  ReviewPlan,
  | 'title'
  | 'usual'
  | 'complexity'
  | 'budget'
  | 'unread'
  | 'quorum'
  | 'knowledge'
  | 'judge'
  | 'deliberation'
  | 'month'
> {
  /** Null where nothing is kept of an earlier run. */
  readonly carried: NonNullable<RunRecord['carried']> | null;
  readonly scope: Scope;
  readonly triage: Triage;
  readonly packs: readonly PlannedPack[];
  readonly limits: Limits;
}

export function drawPlan({
  carried,
  scope: { triaged: _triaged, ...subject },
  triage,
  packs,
  limits,
  ...settled
}: PlanMaterial): ReviewPlan {
  const { budget, judge, deliberation } = settled;
  const why = new Map(triage.seated.map(({ id, why: reasons }) => [id, reasons]));
  const panel = packs.map(pack =>
    planReviewer(pack, why.get(pack.id) ?? [], budget.granted[pack.id] ?? null),
  );
  const calls = {
    expected: sumOf(panel, reviewer => reviewer.calls.expected),
    ceiling: sumOf(panel, reviewer => reviewer.calls.ceiling),
  };
  const cost = totalCost(panel);
  const isBounded = deliberation === null || deliberation.calls === 0;
  const ofPanel = {
    calls: calls.ceiling + (judge?.calls.ceiling ?? 0),
    tokens: sumOf(Object.values(budget.granted), Number) + (judge?.tokens ?? 0),
    cost: cost === null || judge?.cost === null ? null : cost.ceiling + (judge?.cost ?? 0),
  };
  const most = isBounded ? ofPanel : { calls: null, tokens: null, cost: null };
  return {
    schema: 'jury.review-plan/1',
    ...settled,
    ...(carried !== null && { carried }),
    subject,
    isolation: budget.mode,
    ledgers: ledgersOf(budget),
    panel,
    leftOut: triage.leftOut,
    gaps: triage.gaps,
    calls,
    cost,
    ceiling: {
      calls: smaller(limits.maxCalls, most.calls),
      tokens: smaller(limits.maxTokens, most.tokens),
      cost: smaller(limits.maxCost, most.cost),
    },
  };
}

function planReviewer(
  { mostCalls, isKept = false, ...pack }: PlannedPack,
  why: string[],
  budget: number | null,
): PlannedReviewer {
  const questions = isKept ? 0 : Math.max(1, pack.packs);
  return {
    ...pack,
    why,
    budget,
    fits: budget === null || pack.tokens <= budget,
    calls: { expected: questions, ceiling: questions * mostCalls },
    cost: budget === null || isKept ? { input: 0, ceiling: 0 } : costOf(pack, budget),
  };
}

function costOf({ price, tokens }: Pick<PlannedPack, 'price' | 'tokens'>, budget: number) {
  if (price === null) return null;
  const input = (tokens * price.input) / 1e6;
  return {
    input,
    ceiling: input + (Math.max(0, budget - tokens) * Math.max(price.input, price.output)) / 1e6,
  };
}

function totalCost(panel: readonly PlannedReviewer[]) {
  const costs = panel.flatMap(({ cost }) => cost ?? []);
  return costs.length < panel.length
    ? null
    : {
        input: sumOf(costs, ({ input }) => input),
        ceiling: sumOf(costs, ({ ceiling }) => ceiling),
      };
}

function ledgersOf({ mode, granted }: GrantedBudget) {
  const own = Object.entries(granted).map(([name, total]) => ({ name, total }));
  return mode === 'branch' || own.length === 0
    ? own
    : [{ name: sharedLedger, total: sumOf(own, ({ total }) => total) }];
}

function smaller(one: number | null, other: number | null) {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

// How large a change is: the tokens of its files as they stand afterwards, which of them are sensitive, what was not counted and
// why, and the factor that providers' reports add.

type Scope = ReviewPlan['subject'] & {
  /** Every file, counted or not: whoever must read it must be asked. */
  readonly triaged: readonly TriagedFile[];
};

interface ReadFile {
  readonly file: ChangedFile;
  /** Text of the new side; null when there is none or it cannot be read: then the patch is what is read of the file. */
  readonly text: string | null;
}

const largest = 1_000_000;

/** `further`: globs of files that the configuration calls sensitive. */
export function measureScope(
  read: readonly ReadFile[],
  counter: TokenCounter,
  further: readonly string[],
): Scope {
  const triaged = triageFiles(
    read.map(({ file }) => file),
    further,
  );
  const files: Scope['files'][number][] = [];
  const skipped: Scope['skipped'][number][] = [];
  for (const [index, { file, text }] of read.entries()) {
    const shown = text ?? (file.hunks.length > 0 ? renderPatch(file) : '');
    const bytes = bytesOf(shown);
    const reason = whySkipped(file, bytes);
    if (reason !== null) skipped.push({ path: file.path, reason });
    else
      files.push({
        path: file.path,
        bytes,
        lines: splitLines(shown).length,
        changed_lines: file.additions + file.deletions,
        tokens: counter.count(shown),
        sensitive: triaged[index]?.sensitive === true,
        reason: triaged[index]?.reason ?? null,
      });
  }
  const { name, version, estimated } = counter;
  return {
    total_tokens: sumOf(files, ({ tokens }) => tokens),
    counter: { name, version, estimated },
    files,
    skipped,
    triaged,
  };
}

/** Every file with its changed lines and whether it is sensitive; `further` as for `measureScope`. */
export function triageFiles(
  files: readonly ChangedFile[],
  further: readonly string[],
): TriagedFile[] {
  return files.map(triagedBy(JSON.stringify(further)));
}

/** A run asks at four places; reading every line of a large file takes its time. */
const triagedBy = remember(rules =>
  remember((file: ChangedFile) => triageFile(file, JSON.parse(rules)), new WeakMap()),
);

function triageFile(file: ChangedFile, further: readonly string[]): TriagedFile {
  const { path } = file;
  const changedLines = file.hunks
    .flatMap(numberedLines)
    .flatMap(({ mark, text }) => (mark === ' ' ? [] : text));
  return { path, changedLines, ...judgeSensitivity({ path, changedLines }, further) };
}

function whySkipped({ path, content }: ChangedFile, bytes: number) {
  if (content === 'binary') return 'binary or not UTF-8';
  if (content === 'submodule') return 'submodule';
  if (content === 'too-large' || bytes > largest) return 'over 1 MB';
  if (isVendoredPath(path)) return 'vendored folder';
  return bytes === 0 ? 'empty' : null;
}

const anyCase = { dot: true, nocase: true };
const builtinGlobs = table.globs.map(glob => ({ glob, matches: picomatch(glob, anyCase) }));
export const isWorkflow = picomatch(table.workflows, anyCase);
const lineRules = table.lines.map(({ does, flags, patterns }) => ({
  does,
  patterns: patterns.map(pattern => new RegExp(pattern, flags)),
}));

/** `reason` names the rule, the first that matches; null: not sensitive. `further`: globs of the configuration. */
export function judgeSensitivity(
  { path, changedLines = [] }: ScopeFile,
  further: readonly string[] = [],
) {
  const reason =
    byWord(path) ?? byGlob(path) ?? byConfiguration(path, further) ?? byLine(changedLines);
  return { sensitive: reason !== null, reason };
}

function byWord(path: string) {
  for (const segment of path.split('/')) {
    const word = table.words.find(candidate => segment.toLowerCase().includes(candidate));
    if (word !== undefined) return `path segment "${segment}" contains "${word}"`;
  }
  return null;
}

function byGlob(path: string) {
  const hit = builtinGlobs.find(({ matches }) => matches(path));
  if (hit) return `path matches ${hit.glob.replace(/^\*\*\//, '')}`;
  return isWorkflow(path) ? 'path is a CI workflow' : null;
}

function byConfiguration(path: string, further: readonly string[]) {
  const glob = globFor(path, further);
  return glob === undefined ? null : `path matches ${glob} of the configuration`;
}

function byLine(lines: readonly string[]) {
  const hit = lineRules.find(({ patterns }) =>
    lines.some(line => patterns.every(pattern => pattern.test(line))),
  );
  return hit === undefined ? null : `a changed line ${hit.does}`;
}

// Tokens of a change: a bound before anybody answers, the exact figures, and the factor that providers' reports add.

/** The exact figures. Loading an encoding takes longer than starting a panel, so that they are worked out beside it. */
export interface Measured {
  readonly scope: Scope;
  readonly budget: BudgetFile;
  /** Counts for nobody in particular: the subject and its budgets. */
  readonly counter: TokenCounter;
  /** By reviewer: tokens of its family for each that `counter` counts. */
  readonly factors: Readonly<Record<string, number>>;
}

/** Works the figures out when it is first called; later calls give the same promise. */
export type Measure = () => Promise<Measured>;

// How many tokens of a vendor family a counted token stands for: known beforehand, and learned from what providers report.

/** One prompt that was counted here and whose input tokens its provider reported. */
export const TokenObservation = z.object({
  family: Text.min(1),
  counted: Whole.positive(),
  reported: Whole.positive(),
});
export type TokenObservation = z.infer<typeof TokenObservation>;

/** Fewer say nothing yet. */
const leastObservations = 3;

/** More than this of one family are not kept: the last ones tell. */
const mostObservations = 50;

/** No tokenizer in use is further from another; a report beyond that is about something else than the prompt. */
const factorRange = { least: 0.5, most: 2 } as const;

/** On the count of `o200k_base`. Vendors without a tokenizer of their own that can be had count like it until they are observed. */
const priors = new Map([['anthropic', 1.1]]);

/**
 * The median of reported ÷ counted within `factorRange`, to four places; with fewer than `leastObservations`, what is known
 * beforehand. Null, a family nobody knows: 1.
 */
export function learnFactor(family: string | null, observations: readonly TokenObservation[]) {
  const ratios = observations
    .filter(observation => observation.family === family)
    .map(({ counted, reported }) => reported / counted);
  if (ratios.length < leastObservations) return priors.get(family ?? '') ?? 1;
  return (
    Math.round(Math.min(factorRange.most, Math.max(factorRange.least, medianOf(ratios))) * 10_000) /
    10_000
  );
}

/** The later ones last; of each family the last `mostObservations`. */
export function addObservations(
  known: readonly TokenObservation[],
  further: readonly TokenObservation[],
) {
  const counts = new Map<string, number>();
  return [...known, ...further]
    .toReversed()
    .filter(({ family }) => {
      const count = (counts.get(family) ?? 0) + 1;
      counts.set(family, count);
      return count <= mostObservations;
    })
    .toReversed();
}

/**
 * Counts for a family. Never more than the bytes of the text: whoever was let in by `bytesOf` is let in by this count
 * too. The bound itself takes no factor, since it holds for every tokenizer that spends at least a byte on a token.
 */
export function countWith(count: TokenCounter['count'], factor: number): TokenCounter['count'] {
  return factor === 1 ? count : text => Math.min(Math.ceil(count(text) * factor), bytesOf(text));
}

function medianOf(numbers: readonly number[]) {
  const sorted = numbers.toSorted(by(Number));
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}
