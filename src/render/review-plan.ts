/** The plan of a review as a person wants to read it: sums first, then a line for each reviewer, then the reasons. */
import type { PlannedReviewer } from '../core/context/review-plan.ts';
import type { ReviewPlan } from '../core/printed/reports.ts';
import { sayCarried } from '../core/pushes/same-patch.ts';
import { describeMonth } from '../core/spending/month.ts';
import { nameFew } from '../core/verdict/coverage.ts';
import { count, money } from './figures.ts';
import { type Column, data, lines, literal, part, say, table, title } from './section.ts';
import { paintTerminal, type RenderOptions } from './to-terminal.ts';
import { present } from '../core/groups.ts';

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

const longest = 2_000;

export function renderPlan(plan: ReviewPlan, options: RenderOptions) {
  const sections = [
    title(1, ...say`Plan  ${data(plan.title, 200)}: nobody was asked`),
    ...lines(
      ...(plan.usual?.notes ?? []).map(note => [data(note)]),
      ...sumsOf(plan).map(([name, sum]) => say`${[`${name}:`.padEnd(11)]}${sum}`),
    ),
    ...part('Panel', table(columns, plan.panel.map(rowOf))),
    ...part('Reasons', lines(...reasonsOf(plan))),
  ];
  return paintTerminal(sections, options, longest);
}

function sumsOf(plan: ReviewPlan) {
  const { subject, budget, calls, carried, cost, unread, month, panel } = plan;
  const { counter, files, skipped, total_tokens: tokens } = subject;
  const run = plan.ledgers.find(({ name }) => !(name in budget.budgets));
  const uncounted = skipped.length > 0 ? `, ${count(skipped.length, 'file')} not counted` : '';
  const sums = [
    [
      'Subject',
      `${count(files.length, 'file')}, ${tokens} tokens${counter.estimated ? ' (estimated)' : ''} by ${counter.name}${uncounted}`,
    ],
    carried !== undefined && ['Second', sayCarried(carried).replace(/^[^:]*: /, '')],
    [
      'Isolation',
      `${plan.isolation}${run === undefined ? '' : `, one ledger of ${run.total} tokens`}`,
    ],
    [
      'Budgets',
      `scale ${Number(budget.scale.toFixed(4))}, multiplier ${budget.multiplier}${plan.complexity === null ? '' : ` (${plan.complexity})`}`,
    ],
    ['Cover', describeCover(budget)],
    unread.length > 0 && [
      'Unread',
      `${count(unread.length, 'file')} will be read by nobody: ${nameFew(unread, mostNamed)}`,
    ],
    ['Panel', `${count(panel.length, 'reviewer')}, quorum ${plan.quorum}`],
    ['Calls', `${calls.expected}, at most ${calls.ceiling} with repairs and repeats`],
    [
      'Money',
      cost === null
        ? 'not known: no price is configured for somebody on the panel'
        : `${money(cost.input)} for the prompts, at most ${money(cost.ceiling)} within the budgets`,
    ],
    ...afterReview(plan),
    ['Ceiling', describeCeiling(plan.ceiling)],
    month !== null &&
      (month.limit !== null || month.calls > 0) && ['Month', describeMonth(month, month.limit)],
  ];
  return sums.filter(sum => sum !== false);
}

/** More would hide what comes after them. */
const mostNamed = 12;

const coverWords = {
  all: 'all, each file by every reader in whose domain it is',
  dealt: 'dealt, since one question does not hold the change',
  once: 'once, each file by one reader',
  risk: 'risk, what matters most as far as the budgets reach',
} as const satisfies Record<ReviewPlan['budget']['cover'], string>;

function describeCover({ cover, budgets, granted }: ReviewPlan['budget']) {
  const raised = Object.keys(granted)
    .filter(id => (granted[id] ?? 0) > (budgets[id] ?? 0))
    .map(id => `${id} from ${budgets[id]} to ${granted[id]}`);
  return present(
    coverWords[cover],
    raised.length > 0 && `budgets raised: ${raised.join(', ')}`,
  ).join('; ');
}

const nobody = 'nobody to ask: it takes two reviewers that answer questions';

function spent({ tokens, cost }: { tokens: number; cost: number | null }) {
  return `${tokens} tokens and ${cost === null ? 'a cost not known' : money(cost)}`;
}

/** What is asked about the claims when the reviews are in; nothing of what is not wanted. */
export function afterReview({
  judge,
  deliberation: vote,
}: Pick<ReviewPlan, 'judge' | 'deliberation'>): readonly (readonly [name: string, sum: string])[] {
  return present(
    judge !== undefined && [
      'Judge',
      judge.calls.ceiling === 0
        ? nobody
        : `${judge.model ?? 'reviewers of the panel'}, about at most ${count(judge.pairs, 'open pair')} of findings in ` +
          `${count(judge.calls.expected, 'call')} beside the reviews, ${judge.calls.ceiling} with repeats, ${spent(judge)}`,
    ],
    vote !== null && [
      'Vote',
      vote.calls === 0
        ? nobody
        : `each claim that few support is put to those of the ${vote.reviewers} reviewers who did not raise it, ` +
          `${vote.batch} in a call: ${vote.claims} such claims take about ${count(vote.calls, 'call')} beside the reviews, ` +
          `${spent(vote)}; ` +
          (vote.panelCalls === 0
            ? 'no panel, as it takes three'
            : `each one that stays contested up to ${vote.panelCalls} calls more`),
    ],
  );
}

function describeCeiling({ calls, tokens, cost }: ReviewPlan['ceiling']) {
  const isBounded = calls !== null && tokens !== null;
  const known = present(
    calls !== null && count(calls, 'call'),
    tokens !== null && `${tokens} tokens`,
    (cost !== null || isBounded) && money(cost),
  );
  return (
    known.join(', ') ||
    'none, as nobody knows how many claims are put to the vote; set --max-calls, --max-tokens or --max-cost'
  );
}

/** Which guidelines whom is told, and what was decided before. */
export function describeKnowledge({ guidelines, learnt }: ReviewPlan['knowledge']) {
  return [
    ...guidelines.map(
      ({ name, paths, reviewers }) =>
        `Guideline: ${name} (${paths === null ? 'every file' : paths.join(', ')}) is told ` +
        (reviewers.join(', ') || 'nobody, as nobody is shown such a file'),
    ),
    ...learnt.map(line => `Decided before: ${line}`),
  ];
}

function rowOf({ id, persona, runner, model, files, packs, cost, ...figures }: PlannedReviewer) {
  const sent = (amount: number) => (packs === 0 ? '–' : String(amount));
  return [
    data(id, 100),
    data(persona, 60),
    data(model === null ? runner : `${runner} ${model}`, 60),
    files.length,
    sent(packs),
    sent(figures.bytes),
    sent(figures.tokens),
    figures.budget ?? '–',
    `${figures.calls.expected}–${figures.calls.ceiling}`,
    cost === null ? '–' : money(cost.ceiling),
  ];
}

/** `anthropic at api.anthropic.com`; a host that is its own provider stands once. */
export function describeRecipient({ provider, host }: Pick<PlannedReviewer, 'provider' | 'host'>) {
  if (provider === null || provider === host) return host ?? 'nobody knows whom';
  return host === null ? provider : `${provider} at ${host}`;
}

function reasonsOf({ panel, leftOut, gaps, knowledge, subject }: ReviewPlan) {
  return [
    ...panel.flatMap(({ id, why, required, fits, skipped, provider, host }) => [
      say`${data(id, 100)}: ${present(...why, required && !why.includes('required') && 'required').join('; ')}`,
      (provider !== null || host !== null) &&
        say`  goes to: ${describeRecipient({ provider, host })}`,
      !fits && ['  its prompt alone is more than its budget'],
      ...skipped.map(path => say`  not sent: ${literal(path)}`),
    ]),
    ...describeKnowledge(knowledge).map(line => [data(line, 1_000)]),
    ...leftOut.map(({ id, why }) => say`${data(id, 100)} is left out: ${why}`),
    ...gaps.map(gap => say`Gap: ${gap}`),
    ...subject.files
      .filter(({ sensitive }) => sensitive)
      .map(({ path, reason }) => say`Sensitive: ${literal(path)} (${reason})`),
    ...subject.skipped.map(({ path, reason }) => say`Not counted: ${literal(path)} (${reason})`),
  ];
}
