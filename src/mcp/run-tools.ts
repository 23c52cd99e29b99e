/**
 * The tools that hold runs: `start` one, `wait` for one, `stop` one. What agents may start: the processes of the library, made of the rows
 * of their table, the vote on motions, and a run that goes on.
 */
import { once } from 'node:events';
import { z } from 'zod';
import { inputError, usageError } from '../core/errors.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import { countOutcomes, summariseTriage } from '../vote/index.ts';
import { describePanels, describeSecondPass } from '../core/spending/forecast.ts';
import { renderers } from '../render/formats.ts';
import { renderMotionsBrief } from '../render/motions.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { present } from '../core/groups.ts';
import {
  briefOfKept,
  endOfVote,
  plain,
  type Job,
  RootName,
  RunName,
  type ToolCall,
  defineTool,
  jobNamed,
  juryAt,
  rootNamed,
  type Done,
  pathIn,
} from './tool.ts';
import { Amount, Flag, Text, Whole, optional, preset } from '../core/words/fields.ts';
import {
  type Call,
  createJury,
  type MotionsOutcome,
  type VotePlan,
  MotionsRequest,
  type Process,
  Request,
  processes as rows,
  type Run,
  subjectKeyOf,
} from '../index.ts';
import { SampleRisk } from '../core/words/motions-settings.ts';

interface Begin {
  (call: Call): Promise<Done>;
  /** What is reviewed where no word names it, which may be another change a minute later. */
  title?: (call: Call) => Promise<string>;
}
type Root = ToolCall['roots'][number];

interface Startable {
  /** What the subject is, for the description of the tool. */
  told: string;
  /** Checks the subject before anything is begun, then runs. Throws `UserError`. */
  start: (request: StartRequest, root: Root) => Promise<Begin>;
}

const startable: ReadonlyMap<string, Startable> = new Map([
  ...rows.flatMap((row): [string, Startable][] => {
    const start: Startable['start'] = (request, root) => startProcess(row, request, root);
    return !row.entry ? [] : [[row.name, { told: row.entry.subject.told, start }]];
  }),
  ['motions', { told: 'file or folder below the root', start: startMotions }],
  ['resume', { told: 'a run that was killed or is INCOMPLETE', start: startResume }],
]);

/** Of a vote all that `jury motions` takes by these names, and whether its plan is agreed to. */
const VoteOptions = z.strictObject({
  rules: optional(Text.max(1_000), 'For motions: name or file of a rule set'),
  sample: optional(Whole.positive(), 'For motions: members asked on one of medium risk'),
  sampleRisk: optional(SampleRisk, 'For motions: decide by a sample at this risk, under 0.5'),
  secondPass: optional(z.enum(['ask', 'assume']), 'For motions: about amended texts; default: ask'),
  maxCalls: optional(Whole.positive(), 'Ceiling, as the next two: motions, resume'),
  maxTokens: Whole.positive().optional(),
  maxCost: optional(Amount.positive(), 'US dollars'),
  triageOnly: optional(Flag, 'For motions: ask nobody'),
  confirm: optional(Flag, 'For a vote: agree to its plan, which comes back without'),
});
const VoteInput = VoteOptions.strip();

/** What `start` takes. */
const StartRequest = z.strictObject({
  process: z.enum([...startable.keys()]),
  subject: optional(Text.max(204_800), describeSubjects()),
  context: optional(
    Text.max(204_800),
    'Background, what the change is meant to do, or what agents looked at',
  ),
  mode: optional(
    z.enum(['general', 'debugging', 'architecture', 'verification']),
    'For ask; default: general',
  ),
  reviewers: optional(
    z.array(Text.max(100)).min(1).max(50),
    'Default: the configured panel; collect: the agents that were sent',
  ),
  paths: optional(
    z.array(Text.max(1_000)).min(1).max(1_000),
    'For review and gates: only these files, folders or globs of the change',
  ),
  continue: optional(
    Text.max(100),
    'For review: go on with this run, or latest: what is unread, in a new budget',
  ),
  fresh: preset(Flag, false, 'Ask again though nothing changed'),
  ...VoteOptions.shape,
});
type StartRequest = z.output<typeof StartRequest>;

/** One part for each kind of subject: `ask, research: the question`. */
function describeSubjects() {
  const kinds = new Map<string, string[]>();
  for (const [name, { told }] of startable) kinds.set(told, [...(kinds.get(told) ?? []), name]);
  return [...kinds].map(([told, names]) => `${names.join(', ')}: ${told}`).join('; ');
}

async function startProcess(row: Process, given: StartRequest, root: Root): Promise<Begin> {
  const { subject, context, mode, reviewers, paths, continue: run, fresh } = given;
  const own = ['mode', 'paths', 'continue'].filter(key => key in row.request.shape);
  refuseOthers(given, ['context', 'reviewers', 'fresh', ...own]);
  const request = parseRequest(Request, {
    process: row.name,
    fresh,
    ...(reviewers !== undefined && {
      [row.subject === 'collected' ? 'expect' : 'reviewers']: reviewers,
    }),
    ...(mode !== undefined && { mode }),
    ...('reader' in row.request.shape && run === undefined && { reader: 'needed' }),
    ...(await subjectOf(row, subject, root)),
    ...(paths !== undefined && limitedTo(row, subject, paths)),
    ...(run !== undefined && { continue: run }),
    ...(context !== undefined && contextOf(row, context)),
  });
  const begin: Begin = call => brief(createJury(call).run(request));
  if (request.process === 'review' && subject === undefined && run === undefined)
    begin.title = async call => (await createJury(call).plan(request)).title;
  return begin;
}

/** Whoever names paths and no change means paths of the one that is usual. */
function limitedTo(
  { usualChange }: Process,
  subject: string | undefined,
  paths: readonly string[],
): Record<string, unknown> {
  const isUsual = subject === undefined && usualChange === 'work';
  return { paths, separated: true, ...(isUsual && { usual: true }) };
}

function contextOf({ subject, request }: Process, context: string): Record<string, unknown> {
  if (subject === 'collected') return { subject: context.trim().split(/\s+/) };
  return { ['context' in request.shape ? 'context' : 'description']: context };
}

/** A path is checked against the root; two words stand for what is not committed; everything else is checked as a revision. */
async function subjectOf(
  row: Process,
  subject: string | undefined,
  root: Root,
): Promise<Record<string, unknown>> {
  const noun = row.entry?.subject.noun ?? null;
  const given = noun === null ? subject : required(subject, noun);
  if (given === undefined) return {};
  if (given === '--staged' && 'staged' in row.request.shape) return { staged: true };
  if (given === '--worktree' && 'worktree' in row.request.shape) return { worktree: true };
  return {
    [subjectKeyOf(row).key]:
      row.subject === 'document' || row.subject === 'collected' ? await pathIn(root, given) : given,
  };
}

/** Who takes what reviews and questions do not all take. */
const takers: Record<string, string> = {
  mode: 'questions (ask)',
  paths: 'reviews (review)',
  continue: 'reviews (review)',
};

/** What a process would pass over in silence. */
function refuseOthers(given: StartRequest, own: readonly string[]) {
  const allowed = new Set(['process', 'subject', ...own]);
  const isOther = ([key, value]: [string, unknown]) => value !== false && !allowed.has(key);
  const [other] = Object.entries(given).find(isOther) ?? [];
  if (other === undefined) return;
  const who =
    other in VoteOptions.shape ? 'votes (motions)' : (takers[other] ?? 'reviews and questions');
  throw usageError(`${other}: ${given.process} has none; ${who} do.`);
}

async function startMotions(given: StartRequest, root: Root): Promise<Begin> {
  const { subject, fresh } = given;
  refuseOthers(given, ['fresh', ...Object.keys(VoteOptions.shape)]);
  const dir = await pathIn(root, required(subject, 'the folder of the session'));
  const { confirm = false, rules, ...options } = VoteInput.parse(given);
  // A name of a rule set that comes with Jury, or a file below the root.
  const named = rules !== undefined && {
    rules: /^[a-z]+$/.test(rules) ? rules : await pathIn(root, rules),
  };
  const request: MotionsRequest = { dir, fresh, realAgent: true, ...named, ...options };
  return async call =>
    confirm || request.triageOnly === true
      ? holdVote(request, null, call)
      : { runId: null, answer: briefOfPlan(await createJury(call).planVote(request)) };
}

async function holdVote(
  request: MotionsRequest,
  resumes: string | null,
  call: Call,
): Promise<Done> {
  const outcome = await createJury(call).vote(request, { resumes });
  if (!outcome) throw inputError('The vote was interrupted; the same start goes on with it.');
  const answer =
    outcome.run.mode === 'triage' ? briefOfTriage(outcome) : briefOfMotions(outcome, outcome.runId);
  return { runId: outcome.runId, answer };
}

/** A vote that goes on asks real reviewers: its plan comes first, as when it was begun. */
function startResume(given: StartRequest): Promise<Begin> {
  const wanted = required(given.subject, 'the run');
  refuseOthers(given, ['maxCalls', 'maxTokens', 'maxCost', 'confirm']);
  const { confirm = false, ...ceilings } = VoteInput.parse(given);
  return Promise.resolve(async call => {
    const vote = await createJury(call).findVote(wanted);
    if (!vote) return brief(createJury(call).resume(wanted, ceilings));
    const { plan } = vote;
    const request = MotionsRequest.parse({ ...Object(plan.request), ...ceilings });
    const there = { ...call, cwd: plan.cwd };
    return confirm
      ? holdVote(request, plan.run, there)
      : {
          runId: plan.run,
          answer: briefOfPlan(await createJury(there).planVote(request, { resumes: plan.run })),
        };
  });
}

async function brief(running: Promise<Run>): Promise<Done> {
  const ended = await running;
  return { runId: ended.record.run, answer: briefOf(ended) };
}

/** A lone dash would mean standard input, which belongs to the protocol. */
function required(subject: string | undefined, what: string) {
  if (subject === undefined || subject.trim() === '' || subject.trim() === '-')
    throw usageError(`subject: ${what} is missing.`);
  return subject;
}

/** Clients give a request sixty seconds, and most do not say so. */
const mostSeconds = 45;
const Seconds = Amount.min(0).max(mostSeconds).default(mostSeconds);

/** Starts a process and waits a little: short ones are answered at once, long ones by their id. */
export const start = defineTool({
  name: 'start',
  description:
    'Put something before a panel of independent reviewers. Answers with the brief result, or with a ' +
    'run id to wait for; the run goes on either way.',
  readOnly: false,
  input: StartRequest.extend({
    seconds: Seconds.describe('Longest wait'),
    root: RootName,
  }),
  async answer({ seconds, root: rootName, ...request }, call) {
    const root = rootNamed(call.roots, rootName);
    const begin = await startable.get(request.process)?.start(request, root);
    if (!begin) throw new Error(`Nothing is called ${request.process}.`);
    const place = { cwd: root.folder, environment: call.environment };
    const job = call.queue.start({
      root: root.name,
      key: JSON.stringify([request, await begin.title?.(place)]),
      work: part => begin({ ...place, ...part }),
    });
    return waitFor(job, seconds, call);
  },
});

/** The brief result of a run, under way or long ended. */
export const wait = defineTool({
  name: 'wait',
  description:
    'Brief result of a run (at most 15 lines), or that it is still running. Works for runs of earlier days too.',
  readOnly: true,
  input: z.strictObject({
    run: RunName,
    seconds: Seconds.describe('Longest wait; 0 polls'),
    root: RootName,
  }),
  async answer({ run: wanted, seconds, root }, call) {
    const job = jobNamed(call, root, wanted);
    const ended = job?.end && 'answer' in job.end && job.runId !== null ? job.end.answer : null;
    if (job && !ended) return waitFor(job, seconds, call);
    // Others may have gone on with it meanwhile; nothing turns a vote that came to a decision.
    const jury = juryAt(call, root);
    const vote = await jury.readVote(wanted);
    if (!vote) return briefOf(await jury.report(wanted));
    return ended?.facts.outcome === null ? ended : briefOfKept(vote);
  },
});

/** A reviewer that is told to end has three seconds, and the run is written after it. */
const graceSeconds = 20;

/** Ends a run of this server with its state saved. */
export const stop = defineTool({
  name: 'stop',
  description: 'End a running run. What was said is kept; the outcome is INCOMPLETE.',
  readOnly: false,
  input: z.strictObject({ run: RunName, root: RootName }),
  async answer({ run: wanted, root }, call) {
    const job = jobNamed(call, root, wanted);
    if (!job) throw inputError('run: there is no such run under way here.');
    job.stop();
    return waitFor(job, graceSeconds, call);
  },
});

/** A caller that polls still wants an id; a large change takes some seconds before the run has one. */
const mostSecondsWithoutId = 50;
const remindMs = 5_000;

/** The brief result when the run ends in time, else that it goes on and what to call. Throws what the run threw. */
async function waitFor(
  job: Job,
  seconds: number,
  { signal, onProgress }: Pick<ToolCall, 'signal' | 'onProgress'>,
) {
  const began = performance.now();
  const left = () =>
    began + 1_000 * (job.runId === null ? mostSecondsWithoutId : seconds) - performance.now();
  const show = () => onProgress(describe(job));
  const reminder = setInterval(show, remindMs);
  job.changes.addEventListener('change', show);
  try {
    show();
    while (!job.end && left() > 0 && !signal.aborted) {
      const out = AbortSignal.timeout(Math.max(0, Math.ceil(left())));
      // Whoever waited long enough, or is gone, is told how things stand.
      await once(job.changes, 'change', { signal: AbortSignal.any([signal, out]) }).catch(() => {});
    }
  } finally {
    clearInterval(reminder);
    job.changes.removeEventListener('change', show);
  }
  if (!job.end) return underWay(job);
  if ('error' in job.end) throw job.end.error;
  return job.end.answer;
}

function underWay(job: Job) {
  const next =
    job.runId === null
      ? 'The run is still being prepared: call start again with the same arguments.'
      : 'Still running: call wait with this run.';
  return {
    facts: {
      run: job.runId,
      status: 'running',
      reviewers_ended: `${job.reviewers.ended} of ${job.reviewers.total}`,
      next,
    },
  };
}

function describe({ runId, reviewers, startedAtMs }: Job) {
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  return runId === null
    ? `preparing, ${seconds} s`
    : `${runId}: ${reviewers.ended} of ${reviewers.total} reviewers ended, ${seconds} s`;
}

/** What a caller gets of a process that has ended: the outcome as facts, and a text of at most fifteen lines. */
function briefOf(run: Run) {
  const { record } = run;
  return {
    facts: {
      run: record.run,
      status: 'ended',
      outcome: record.outcome,
      exit_code: exitCodeOf(record.outcome),
      more: 'show with this run and an id (c-…, REVIEWER or REVIEWER/ID) tells one thing in full',
    },
    text: renderers.brief(run, plain).trimEnd(),
  };
}

export function briefOfMotions(vote: MotionsOutcome, runId: string | null) {
  const counts = countOutcomes(vote.run.accounts);
  return {
    facts: { run: runId, ...endOfVote(vote.reasons), ...counts },
    text: renderMotionsBrief(vote),
  };
}

/** How risky each motion is, and nothing else: nobody was asked. */
function briefOfTriage(vote: MotionsOutcome) {
  const { low_risk, medium_risk, high_risk, total_conflicts } = summariseTriage(vote.run);
  return {
    facts: { status: 'ended', low_risk, medium_risk, high_risk, conflicts: total_conflicts },
    text: renderMotionsBrief(vote),
  };
}

/** What a vote would take: nobody was asked, and nobody is before the caller agrees. */
function briefOfPlan(plan: VotePlan) {
  const { run, isComplete, answered, expected, time, panels, secondPass, limits, spent } = plan;
  return {
    facts: {
      run,
      status: 'plan',
      reviews: expected.reviews,
      answered,
      calls: expected.calls,
      panel_calls: `up to ${panels.callsEach} for each of at most ${panels.most} contested motions`,
      second_pass_reviews: !secondPass ? null : `up to ${secondPass.reviews}`,
      tokens_in: expected.inputTokens,
      tokens_out: expected.outputTokens,
      cost: expected.cost === null ? null : Number(expected.cost.toFixed(4)),
      calls_without_price: expected.unpriced,
      seconds: Math.ceil(time.seconds),
      seconds_basis: time.measured > 0 ? 'calls before' : 'assumed',
      max_calls: limits.maxCalls,
      max_tokens: limits.maxTokens,
      max_cost: limits.maxCost,
      spent_calls: spent.calls,
      next: isComplete
        ? 'Nothing is missing: start with the same arguments and confirm: true answers from the journal.'
        : 'Nobody was asked. To ask, call start with the same arguments and confirm: true.',
    },
    text: present(
      plan.sentence,
      describePanels(panels),
      secondPass !== null && describeSecondPass(secondPass),
    ).join('\n'),
  };
}
