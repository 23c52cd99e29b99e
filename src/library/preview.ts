/**
 * What a prepared run would send to whom, and what it would take. The dry run equals what is sent; nobody is asked and nothing
 * is written.
 */
import { join } from 'node:path';
import { runsFolder } from '../adapters/store/run-folder.ts';
import { createSecretScanner } from '../checks/index.ts';
import { loadTokenCounter } from '../adapters/tokens/token-counter.ts';
import { isKeptFromAll, openGuidelines } from '../core/context/egress.ts';
import { type Limits, modeAt } from '../core/context/budget.ts';
import { type PlannedPack, countWith, drawPlan } from '../core/context/review-plan.ts';
import { unitsOf } from '../core/verdict/coverage.ts';
import type { Pack } from '../core/context/pack.ts';
import { forecastDeliberation } from '../vote/index.ts';
import { forecastJudge } from '../core/spending/forecast.ts';
import type { Preview } from '../core/printed/reports.ts';
import type { TokenCounter } from '../core/ports/repository.ts';
import type { Subject } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import type { Plan } from '../core/words/plan.ts';
import { isReader, kindOf } from '../core/words/runner.ts';
import { causes } from '../core/words/review.ts';
import { buildPacks } from '../engine/build-packs.ts';
import type { Packs } from '../engine/pack-change.ts';
import { openReviewContext } from '../engine/context/pack-review-context.ts';
import { openTokens, type RunTokens, waysWithout } from '../engine/review/open-tokens.ts';
import type { Call } from './call.ts';
import { askedByMatching, levelsOf, recipientAt, strategyRecipient } from './egress.ts';
import { previewPush, withPassingIndex } from './start-run.ts';
import { paidBy, plannedMonth } from './open-memory.ts';
import type { Prepared } from './prepare.ts';
import { isShown } from '../engine/review/review-task.ts';
import { stepRoom } from '../engine/review/allot-tokens.ts';

/** The way of a run up to the first answer: what would be asked of whom. */
type Rehearsal = Awaited<ReturnType<typeof rehearse>>;

type Asked = Rehearsal['asked'][number];

async function rehearse(prepared: Prepared, call: Call) {
  const { plan, subject, state, measure } = prepared;
  const earlier = await previewPush(prepared, call);
  const packs = await buildPacks(plan, subject, createSecretScanner(), {
    outputFolder: join(runsFolder(state), plan.run, 'reviews'),
    // What would stand around the change in the prompts, with nothing written to the project.
    around: await withPassingIndex(
      prepared,
      call,
      openContext =>
        openReviewContext(
          prepared,
          { store: { ...nowhere, runId: plan.run }, clock: call.clock, openContext },
          () => {},
        ).beforeAsking,
    ),
    ...earlier.packing,
  });
  const tokens = openTokens({ plan, packs, measure, onEvent: () => {} });
  const levels = await levelsOf(plan.seats, call);
  const measured = (await measure?.()) ?? null;
  const counter = measured?.counter ?? (await loadTokenCounter());
  const asked = await Promise.all(
    plan.seats.map(async seat => {
      const level = levels.get(seat.id);
      const notAsked =
        whyNotAsked(seat, packs, earlier) ?? (typeof level === 'string' ? level : null);
      // Of a document every part is one; of a change the steps decide.
      const questions =
        notAsked === null
          ? (packs.partsFor?.(seat) ?? (await previewQuestions(seat, packs, tokens)))
          : [];
      // An analyser reads the change itself, and is sent none of them.
      const sent = kindOf(seat.runner) === 'check' ? [] : questions;
      const files = [...new Set(questions.flatMap(pathsIn))];
      const notSent = skippedOf(seat, packs, new Set(files));
      const factor = measured?.factors[seat.id] ?? 1;
      const { id, runner, model = null, required, persona } = seat;
      const { provider, host, isLocal } = recipientAt(seat, level);
      const row = {
        id,
        runner,
        model,
        provider,
        host,
        persona: persona.name,
        required,
        files,
        skipped: notSent.map(({ path }) => path),
        ...sizeOf(sent, counter, factor),
      };
      return { seat, notAsked, questions, sent, isLocal, notSent, factor, row };
    }),
  );
  return { ...prepared, earlier, packs, tokens, measured, asked };
}

export async function previewOf(prepared: Prepared, call: Call): Promise<Preview> {
  const rehearsal = await rehearse(prepared, call);
  const { plan, subject, excluded, earlier, packs, asked } = rehearsal;
  return {
    title: subject.title,
    usual: usualIn(subject),
    reviewers: asked.map(({ seat, notAsked, questions, sent, isLocal, notSent, row }) => ({
      ...row,
      baseUrl: seat.baseUrl ?? null,
      isLocal,
      notAsked,
      notSent: notSent.map(({ path, why }) => ({ path, why })),
      questions: sent.length,
      timeoutSeconds: seat.timeout,
      prompt: questions.map(({ prompt }) => prompt).join('\n'),
    })),
    knowledge: knowledgeTold(plan, asked),
    excluded: excluded.map(({ path }) => path),
    quorum: plan.policy.quorum,
    masked: packs.masked,
    matching: matchingOf(plan, call),
    ...(earlier.carried !== null && { carried: earlier.carried }),
    ...forecastsOf(rehearsal),
  };
}

function knowledgeTold(plan: Plan, asked: readonly Asked[]) {
  const guidelinesFor = openGuidelines(plan);
  const told = asked.map(({ seat, questions }) => ({
    id: seat.id,
    names: new Set(guidelinesFor(seat, questions.flatMap(pathsIn)).map(({ name }) => name)),
  }));
  return {
    guidelines: plan.guidelines.map(({ name, paths }) => ({
      name,
      paths,
      reviewers: told.filter(({ names }) => names.has(name)).map(({ id }) => id),
    })),
    learnt: [...plan.learnt],
  };
}

function usualIn(subject: Subject) {
  return subject.kind === 'change' ? (subject.usual ?? null) : null;
}

function whyNotAsked(
  seat: Seat,
  packs: Packs,
  { whole, carried }: Awaited<ReturnType<typeof previewPush>>,
) {
  if (seat.withheld !== undefined) return seat.withheld;
  if (isKeptFromAll(packs.readingsFor(seat))) return causes.egress.sentence;
  return whole.has(seat.id) ? `nothing it reads has changed since run ${carried?.run ?? ''}` : null;
}

/** What is not shown to it, of what it would read. */
function skippedOf(seat: Seat, packs: Packs, shown: ReadonlySet<string>) {
  const before = packs.readBefore(seat);
  return packs
    .readingsFor(seat)
    .filter(({ path, extent }) => extent !== 'outside' && !shown.has(path) && !before.has(path));
}

function sizeOf(questions: readonly Pack[], counter: TokenCounter, factor: number) {
  const texts = questions.flatMap(({ instructions, prompt }) => [instructions, prompt]);
  const count = countWith(text => counter.count(text), factor);
  return {
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    tokens: texts.reduce((sum, text) => sum + count(text), 0),
  };
}

function matchingOf(plan: Plan, { matcher }: Call) {
  const asked = matcher ? null : askedByMatching(plan);
  if (!asked) return null;
  return {
    strategy: plan.strategy,
    model: asked.model,
    host: strategyRecipient(plan)?.host ?? null,
  };
}

/** Draws the plan of a prepared review. Nobody is asked and nothing is written. */
export async function planOf(prepared: Prepared, call: Call) {
  const rehearsal = await rehearse(prepared, call);
  const { plan, subject, sizing, earlier, packs, tokens, measured, asked } = rehearsal;
  if (!sizing || !measured || !tokens) throw new Error('Only changes are sized up.');
  const within = questionsWithin(asked, plan.limits, text => measured.counter.count(text));
  const readings = [
    ...within.flatMap(({ readings: own }) => own),
    ...(plan.seats.some(isReader) ? [] : plan.seats).flatMap(seat => packs.readingsFor(seat)),
  ];
  const read = new Set([
    ...readings.filter(({ extent }) => extent === 'full').map(({ path }) => path),
    ...plan.seats.flatMap(seat => [...packs.readBefore(seat)]),
  ]);
  const { triage, complexity } = sizing;
  return drawPlan({
    scope: measured.scope,
    budget: await tokens.budget(),
    unread: unitsOf(subject).filter(path => !read.has(path)),
    triage,
    complexity,
    title: subject.title,
    usual: usualIn(subject),
    packs: await Promise.all(asked.map(each => planPack(each, rehearsal))),
    carried: earlier.carried,
    knowledge: knowledgeTold(plan, asked),
    quorum: plan.policy.quorum,
    limits: plan.limits,
    month: await plannedMonth(paidBy(plan, prepared.state), call),
    ...forecastsOf(rehearsal),
  });
}

/** Of everybody who is asked, as if nobody failed. */
function forecastsOf({ plan, asked }: Rehearsal) {
  const { judge, deliberation } = plan;
  const prices = asked.filter(({ sent }) => sent.length > 0).map(({ seat }) => seat.price ?? null);
  return {
    ...(judge !== null && { judge: forecastJudge(judge, prices) }),
    deliberation: deliberation && forecastDeliberation(deliberation, prices),
  };
}

/** Reviewers are asked side by side: of each the first question, then of each the second, as far as the limits reach. */
function questionsWithin(
  asked: readonly Asked[],
  { maxCalls, maxTokens, maxCost }: Limits,
  count: (text: string) => number,
) {
  const most = Math.max(0, ...asked.map(({ sent }) => sent.length));
  const kept = [];
  let [tokens, cost] = [0, 0];
  for (let turn = 0; turn < most; turn++)
    for (const { seat, sent } of asked) {
      const question = sent[turn];
      if (!question) continue;
      const own = count(question.instructions) + count(question.prompt);
      if (maxCalls !== null && kept.length >= maxCalls) return kept;
      if (maxCost !== null && cost >= maxCost) return kept;
      if (maxTokens !== null && tokens + own > maxTokens) continue;
      kept.push(question);
      tokens += own;
      cost += (own * (seat.price?.input ?? 0)) / 1e6;
    }
  return kept;
}

function pathsIn({ readings }: Pick<Pack, 'readings'>) {
  return readings.filter(isShown).map(({ path }) => path);
}

async function planPack(
  { seat, sent, factor, row }: Asked,
  { earlier, runnerFor }: Rehearsal,
): Promise<PlannedPack> {
  const { transportRetries = 0, takesSchema } = await runnerFor(seat);
  return {
    ...row,
    role: seat.persona.role,
    price: seat.price ?? null,
    mostCalls: (2 + Number(takesSchema ?? 0)) * (1 + transportRetries),
    isKept: earlier.whole.has(seat.id),
    packs: sent.length,
    factor,
  };
}

/** Takes everything and keeps nothing. */
const nowhere = {
  folder: '',
  copies: null,
  write: async () => {},
  append: async () => {},
  read: async () => null,
  list: async () => [],
};

/** The questions a reviewer would be asked if its answers cost nothing: what a plan counts and a dry run shows. */
async function previewQuestions(seat: Seat, packs: Packs, tokens: RunTokens | null) {
  const { pack, source } = await (tokens?.waysOf(seat) ?? waysWithout(seat, packs));
  if (!source) return [pack('full')];
  const ledger = (await tokens?.ledgerOf(seat)) ?? null;
  const questions = [];
  const { used, total } = ledger?.standing() ?? { used: 0, total: Number.MAX_SAFE_INTEGER };
  for (let spent = 0; ;) {
    const mode = modeAt({ used: used + spent, total });
    const { left, aim } = stepRoom(ledger, mode);
    const room = { left: left - spent, aim: aim - spent };
    const next = mode === 'force_return' ? null : source.propose(mode, room);
    if (!next) return questions;
    questions.push(source.take(next));
    spent += next.tokens;
  }
}
