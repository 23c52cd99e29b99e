/** The plan of a review as a person wants to read it: sums first, then a line for each reviewer, then the reasons. */
import type { PlannedReviewer } from '../core/context/review-plan.ts';
import type { ReviewPlan } from '../core/printed/reports.ts';
import { sayCarried } from '../core/pushes/describe-carried.ts';
import { describeMonth } from '../core/spending/month.ts';
import { count, money } from './figures.ts';
import { layHeading, layTable, openPage, type Page, type RenderOptions } from './page.ts';
import type { Column } from './section.ts';
import { hang, oneLine, pathText } from './terminal-text.ts';

const columns: readonly Column[] = [
  { title: 'REVIEWER', least: 10, overflow: 'cut' },
  { title: 'PERSONA', least: 10, overflow: 'cut', leaves: 1 },
  { title: 'RUNNER', leaves: 3 },
  { title: 'FILES', align: 'right', leaves: 4 },
  { title: 'PACKS', align: 'right', leaves: 2 },
  { title: 'BYTES', align: 'right', leaves: 5 },
  { title: 'TOKENS', align: 'right' },
  { title: 'LEDGER', align: 'right' },
  { title: 'CALLS', align: 'right' },
  { title: 'COST', align: 'right', leaves: 6 },
];

export function renderPlan(plan: ReviewPlan, options: RenderOptions): string {
  const page = openPage(options);
  const lines = [
    ...layHeading(page, 'Plan', `${oneLine(plan.title, 200)}: nobody was asked`),
    ...(plan.usual?.notes ?? []).flatMap(note => hang('', oneLine(note), page.measure)),
    ...sumsOf(plan).flatMap(line => hang(line.slice(0, lead), line.slice(lead), page.measure)),
    '',
    ...layTable({ columns, rows: plan.panel.map(rowOf) }, page),
    '',
    ...layReasons(plan, page),
  ];
  return `${lines.join('\n')}\n`;
}

/** Columns before what a line of the sums says. */
const lead = 'Subject:   '.length;

function sumsOf({
  subject,
  isolation,
  budget,
  ledgers,
  complexity,
  quorum,
  panel,
  calls,
  carried,
  cost,
  ceiling,
  unread,
  judge,
  verify,
  deliberation,
  month,
}: ReviewPlan): string[] {
  const { counter, files, skipped, total_tokens: tokens } = subject;
  const run = ledgers.find(({ name }) => !(name in budget.budgets));
  return [
    `Subject:   ${count(files.length, 'file')}, ${tokens} tokens${counter.estimated ? ' (estimated)' : ''} by ${counter.name}${skipped.length > 0 ? `, ${count(skipped.length, 'file')} not counted` : ''}`,
    ...(carried === undefined
      ? []
      : [`Second:    ${oneLine(sayCarried(carried), 300).replace(/^[^:]*: /, '')}`]),
    `Isolation: ${isolation}${run === undefined ? '' : `, one ledger of ${run.total} tokens`}`,
    `Budgets:   scale ${Number(budget.scale.toFixed(4))}, multiplier ${budget.multiplier}${complexity === null ? '' : ` (${complexity})`}`,
    coverLine(budget),
    ...(unread.length === 0
      ? []
      : [
          `Unread:    ${count(unread.length, 'file')} will be read by nobody: ${nameFirst(unread)}`,
        ]),
    `Panel:     ${count(panel.length, 'reviewer')}, quorum ${quorum}`,
    `Calls:     ${calls.expected}, at most ${calls.ceiling} with repairs and repeats`,
    `Money:     ${costOf(cost)}`,
    ...afterReviewLines({ ...(judge && { judge }), verify, deliberation }),
    ceilingLine(ceiling),
    ...(month === null || (month.limit === null && month.calls === 0)
      ? []
      : [`Month:     ${describeMonth(month, month.limit)}`]),
  ];
}

const coverWords = {
  all: 'all, each file by every reader in whose domain it is',
  dealt: 'dealt, since one question does not hold the change',
  once: 'once, each file by one reader',
  risk: 'risk, what matters most as far as the budgets reach',
} as const satisfies Record<ReviewPlan['budget']['cover'], string>;

function coverLine({ cover, budgets, granted }: ReviewPlan['budget']): string {
  const grown = Object.keys(granted).filter(id => (granted[id] ?? 0) > (budgets[id] ?? 0));
  const raised = grown.map(id => `${oneLine(id, 60)} from ${budgets[id]} to ${granted[id]}`);
  return `Cover:     ${coverWords[cover]}${raised.length === 0 ? '' : `; budgets raised: ${raised.join(', ')}`}`;
}

/** What is asked about the claims when the reviews are in; no line for what is not wanted. */
export function afterReviewLines({
  judge,
  verify,
  deliberation,
}: Pick<ReviewPlan, 'judge' | 'verify' | 'deliberation'>): string[] {
  return [
    ...(judge === undefined ? [] : [judgeLine(judge)]),
    ...(verify === null ? [] : [verifyLine(verify)]),
    ...(deliberation === null ? [] : [voteLine(deliberation)]),
  ];
}

function judgeLine({
  model,
  pairs,
  calls,
  tokens,
  cost,
}: NonNullable<ReviewPlan['judge']>): string {
  if (calls.ceiling === 0)
    return 'Judge:     nobody to ask: it takes two reviewers that answer questions';
  return [
    `Judge:     ${model === null ? 'reviewers of the panel' : oneLine(model, 60)}, about at most ${count(pairs, 'open pair')} of findings`,
    `in ${count(calls.expected, 'call')} beside the reviews, ${calls.ceiling} with repeats,`,
    `${tokens} tokens and ${cost === null ? 'a cost not known' : money(cost)}`,
  ].join(' ');
}

function voteLine({
  reviewers,
  batch,
  claims,
  calls,
  panelCalls,
  tokens,
  cost,
}: NonNullable<ReviewPlan['deliberation']>): string {
  if (calls === 0) return 'Vote:      nobody to ask: it takes two reviewers that answer questions';
  return [
    `Vote:      each claim that few support is put to those of the ${reviewers} reviewers who did not raise it,`,
    `${batch} in a call: ${claims} such claims take about ${count(calls, 'call')} beside the reviews,`,
    `${tokens} tokens and ${cost === null ? 'a cost not known' : money(cost)};`,
    panelCalls === 0
      ? 'no panel, as it takes three'
      : `each one that stays contested up to ${panelCalls} calls more`,
  ].join(' ');
}

function ceilingLine({ calls, tokens, cost }: ReviewPlan['ceiling']): string {
  const isBounded = calls !== null && tokens !== null;
  const known = [
    ...(calls === null ? [] : [count(calls, 'call')]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
    ...(cost === null && !isBounded ? [] : [money(cost)]),
  ];
  const unknown =
    'none, as nobody knows how many claims are put to the vote; set --max-calls, --max-tokens or --max-cost';
  return `Ceiling:   ${known.length > 0 ? known.join(', ') : unknown}`;
}

function verifyLine({ level, calls, tokens, cost }: NonNullable<ReviewPlan['verify']>): string {
  if (level === 'checks') return 'Verify:    checks, nobody is asked';
  if (calls.ceiling === 0)
    return 'Verify:    band, and nobody to ask: it takes two reviewers that answer questions';
  return [
    `Verify:    band, usually ${count(calls.expected, 'call')} beside the reviews, at most ${calls.ceiling},`,
    `${tokens} tokens and ${cost === null ? 'a cost not known' : money(cost)}`,
  ].join(' ');
}

/** Which guidelines whom is told, and what was decided before. */
export function knowledgeLines({ guidelines, learnt }: ReviewPlan['knowledge']): string[] {
  return [
    ...guidelines.map(({ name, paths, reviewers }) =>
      oneLine(
        `Guideline: ${name} (${paths === null ? 'every file' : paths.join(', ')}) is told ` +
          (reviewers.length === 0
            ? 'nobody, as nobody is shown such a file'
            : reviewers.join(', ')),
        1_000,
      ),
    ),
    ...learnt.map(line => oneLine(`Decided before: ${line}`, 1_000)),
  ];
}

/** More would hide what comes after them. */
const mostNamed = 12;

function nameFirst(paths: readonly string[]): string {
  const named = paths.slice(0, mostNamed).map(path => pathText(path));
  return `${named.join(', ')}${paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : ''}`;
}

function rowOf({
  id,
  persona,
  runner,
  model,
  files,
  packs,
  bytes,
  tokens,
  budget,
  calls,
  cost,
}: PlannedReviewer): string[] {
  return [
    oneLine(id, 100),
    oneLine(persona, 60),
    oneLine(model === null ? runner : `${runner} ${model}`, 60),
    String(files.length),
    packs === 0 ? '–' : String(packs),
    packs === 0 ? '–' : String(bytes),
    packs === 0 ? '–' : String(tokens),
    budget === null ? '–' : String(budget),
    `${calls.expected}–${calls.ceiling}`,
    cost === null ? '–' : money(cost.ceiling),
  ];
}

/** `anthropic at api.anthropic.com`; a host that is its own provider stands once. */
export function describeRecipient({
  provider,
  host,
}: Pick<PlannedReviewer, 'provider' | 'host'>): string {
  if (provider === null || provider === host) return host ?? 'nobody knows whom';
  return host === null ? provider : `${provider} at ${host}`;
}

function costOf(cost: ReviewPlan['cost']): string {
  return cost === null
    ? 'not known: no price is configured for somebody on the panel'
    : `${money(cost.input)} for the prompts, at most ${money(cost.ceiling)} within the budgets`;
}

function layReasons(
  { panel, leftOut, gaps, knowledge, subject }: ReviewPlan,
  page: Page,
): string[] {
  const sensitive = subject.files.filter(file => file.sensitive);
  return [
    ...panel.flatMap(({ id, why, required, fits, skipped, provider, host }) => [
      ...hang(
        `${oneLine(id, 100)}: `,
        oneLine(
          [...why, ...(required && !why.includes('required') ? ['required'] : [])].join('; '),
          2_000,
        ),
        page.measure,
      ),
      ...(provider === null && host === null
        ? []
        : hang('  goes to: ', oneLine(describeRecipient({ provider, host })), page.measure)),
      ...(fits ? [] : hang('  ', 'its prompt alone is more than its budget', page.measure)),
      ...skipped.flatMap(path => hang('  not sent: ', pathText(path), page.measure)),
    ]),
    ...knowledgeLines(knowledge).flatMap(line => hang('', line, page.measure)),
    ...leftOut.flatMap(({ id, why }) =>
      hang(`${oneLine(id, 100)} is left out: `, oneLine(why), page.measure),
    ),
    ...gaps.flatMap(gap => hang('Gap: ', oneLine(gap, 2_000), page.measure)),
    ...sensitive.flatMap(({ path, reason }) =>
      hang('Sensitive: ', `${pathText(path)} (${oneLine(reason ?? '')})`, page.measure),
    ),
    ...subject.skipped.flatMap(({ path, reason }) =>
      hang('Not counted: ', `${pathText(path)} (${reason})`, page.measure),
    ),
  ];
}
