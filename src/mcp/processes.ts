/** What agents may start: the processes of the library, made of the rows of their table, the vote on motions, and a run that goes on. */
import { z } from 'zod';
import {
  type Call,
  createJury,
  MotionsRequest,
  type Process,
  Request,
  processes as rows,
  type Run,
  subjectKeyOf,
} from '../index.ts';
import { inputError, usageError } from '../core/errors.ts';
import { SampleRisk } from '../core/words/motions-settings.ts';
import { briefOf, briefOfMotions, briefOfPlan, briefOfTriage } from './answer.ts';
import { type Done, type Root, pathIn } from './tool.ts';
import { Amount, Flag, Text, Whole, optional, preset } from '../core/words/fields.ts';

type Begin = (call: Call) => Promise<Done>;

interface Startable {
  /** What the subject is, for the description of the tool. */
  readonly told: string;
  /** Checks the subject before anything is begun, then runs. Throws `UserError`. */
  readonly start: (request: StartRequest, root: Root) => Promise<Begin>;
}

const others = {
  motions: { told: 'file or folder below the root', start: startMotions },
  resume: { told: 'a run that was killed or is INCOMPLETE', start: startResume },
} satisfies Readonly<Record<string, Startable>>;

export const startable: ReadonlyMap<string, Startable> = new Map([
  ...rows.flatMap(startableOf),
  ...Object.entries(others),
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
export const StartRequest = z.strictObject({
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
function describeSubjects(): string {
  const kinds = new Map<string, string[]>();
  for (const [name, { told }] of startable) kinds.set(told, [...(kinds.get(told) ?? []), name]);
  return [...kinds].map(([told, names]) => `${names.join(', ')}: ${told}`).join('; ');
}

function startableOf(row: Process): [string, Startable][] {
  return row.entry === null
    ? []
    : [
        [
          row.name,
          {
            told: row.entry.subject.told,
            start: (request, root) => startProcess(row, request, root),
          },
        ],
      ];
}

async function startProcess(row: Process, given: StartRequest, root: Root): Promise<Begin> {
  const { subject, context, mode, reviewers, paths, continue: run, fresh } = given;
  for (const [key, value] of Object.entries({ mode, paths, continue: run }))
    if (value !== undefined && !(key in row.request.shape))
      throw usageError(
        `${key}: ${row.name} has none; ${key === 'mode' ? 'questions (ask)' : 'reviews (review)'} do.`,
      );
  refuseVoteKeys(row.name, given);
  const request = Request.parse({
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
  return call => brief(createJury(call).run(request));
}

/** Whoever names paths and no change means paths of the one that is usual. */
function limitedTo(
  { usualChange }: Process,
  subject: string | undefined,
  paths: readonly string[],
): Readonly<Record<string, unknown>> {
  const isUsual = subject === undefined && usualChange === 'work';
  return { paths, separated: true, ...(isUsual && { usual: true }) };
}

function contextOf(
  { subject, request }: Process,
  context: string,
): Readonly<Record<string, unknown>> {
  if (subject === 'collected') return { subject: context.trim().split(/\s+/) };
  return { ['context' in request.shape ? 'context' : 'description']: context };
}

/** A path is checked against the root; two words stand for what is not committed; everything else is checked as a revision. */
async function subjectOf(
  row: Process,
  subject: string | undefined,
  root: Root,
): Promise<Readonly<Record<string, unknown>>> {
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

function refuseVoteKeys(process: string, given: object, allowed: readonly string[] = []): void {
  const other = Object.keys(given).find(key => key in VoteOptions.shape && !allowed.includes(key));
  if (other !== undefined) throw usageError(`${other}: ${process} has none; votes (motions) do.`);
}

async function startMotions(
  { subject, fresh, ...given }: StartRequest,
  root: Root,
): Promise<Begin> {
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
  if (outcome === null)
    throw inputError('The vote was interrupted; the same start goes on with it.');
  const answer =
    outcome.run.mode === 'triage' ? briefOfTriage(outcome) : briefOfMotions(outcome, outcome.runId);
  return { runId: outcome.runId, answer };
}

/** A vote that goes on asks real reviewers: its plan comes first, as when it was begun. */
function startResume({ subject, ...given }: StartRequest): Promise<Begin> {
  const wanted = required(subject, 'the run');
  refuseVoteKeys('resume', given, ['maxCalls', 'maxTokens', 'maxCost', 'confirm']);
  const { confirm = false, ...ceilings } = VoteInput.parse(given);
  return Promise.resolve(async call => {
    const vote = await createJury(call).findVote(wanted);
    if (vote === null) return brief(createJury(call).resume(wanted, ceilings));
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
function required(subject: string | undefined, what: string): string {
  if (subject === undefined || subject.trim() === '' || subject.trim() === '-')
    throw usageError(`subject: ${what} is missing.`);
  return subject;
}
