/** The commands that end with the report of a run: one for each process, made of its row; `jury resume`; `jury report`. */
import { argument, flag, set, text } from '../core/flags.ts';
import {
  type Call,
  createJury,
  type Preview,
  type Process,
  Request,
  ReviewRequest,
  type Run,
  VerdictRequest,
} from '../index.ts';
import {
  afterReview,
  describeKnowledge,
  describeRecipient,
  renderPlan,
} from '../render/review-plan.ts';
import { defineCommand, type RunnableCommand, TrustFlags } from './command.ts';
import {
  answer,
  fitted,
  noteEvent,
  notedCallOf,
  type Output,
  type Terminal,
  writeReport,
} from './terminal.ts';
import { z } from 'zod';
import { processOf } from '../core/process.ts';
import { shellQuote } from '../core/text.ts';
import { Ceilings } from '../core/request.ts';
import { sayCarried } from '../core/pushes/same-patch.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import { formats, renderers } from '../render/formats.ts';
import { count, oneLine, pathText } from '../render/figures.ts';
import { createProgress } from './progress.ts';
import { Text } from '../core/words/fields.ts';
import { present } from '../core/groups.ts';

export const OutputFlags = z.strictObject({
  format: set(
    z.enum(formats),
    'FORMAT',
    'Form of the report; default: terminal, or brief where standard output is none',
  ),
  json: flag('The same as --format json'),
  out: text('FILE', 'Write the report to a file instead'),
});

const CommandFlags = OutputFlags.extend({
  ...TrustFlags.shape,
  dryRun: flag('Print what would be sent to whom, and ask nobody'),
});

const NamedRunFlags = z.strictObject({
  run: argument(Text.default('latest'), 'RUN', 'Run id, a unique beginning of one, or latest'),
  ...OutputFlags.shape,
});

export function commandOf({ name, request: fields, entry, subject }: Process) {
  return defineCommand({
    summary: entry?.summary ?? name,
    epilogue: entry?.epilogue ?? '',
    flags: z.strictObject({ ...fields.shape, ...CommandFlags.shape }),
    async run(input, terminal) {
      const { dryRun, trustConfig, ...output } = CommandFlags.strip().parse(input);
      const given = Object.entries(input).filter(([key]) => !(key in CommandFlags.shape));
      const request = Request.parse({ process: name, ...Object.fromEntries(given) });
      if (!dryRun)
        return runAndReport(
          call => createJury({ ...call, trustConfig }).run(request),
          { ...output, notesOnly: subject === 'collected' },
          terminal,
        );
      const shown = await createJury({ ...terminal, trustConfig }).preview(request);
      return answer(terminal, output.json, shown, () => renderPreview(shown, terminal));
    },
  });
}

/** `jury resume`: finishes a run that was killed, interrupted or could not be decided. */
export const resume = defineCommand({
  summary: 'Finish a run that was interrupted or incomplete',
  flags: NamedRunFlags.extend({ ...TrustFlags.shape, ...Ceilings.shape }),
  async run({ run: wanted, trustConfig, format, json, out, ...ceilings }, terminal) {
    const vote = await createJury(terminal).findVote(wanted);
    if (!vote)
      return runAndReport(
        call => createJury({ ...call, trustConfig }).resume(wanted, ceilings),
        { format, json, out },
        terminal,
      );
    const { resumeVote } = await import('./motions.ts');
    return resumeVote(vote, { format, json, trustConfig, ceilings }, terminal);
  },
});

/** `jury report`: prints the report of a run again, in any format, and ends as the run did; a file that was written is a success. */
export const report = defineCommand({
  summary: 'Print the report of a run again, in any format',
  flags: NamedRunFlags,
  async run({ run: wanted, ...output }, terminal) {
    const vote = await createJury(terminal).readVote(wanted);
    if (vote) return (await import('./motions.ts')).reportVote(vote, output, terminal);
    const run = await createJury(notedCallOf(terminal)).report(wanted);
    await printRun(run, output, terminal);
    return output.out === undefined ? exitCodeOf(run.record.outcome) : 0;
  },
});

/** Shows progress, prints the report in the wanted format, turns the outcome into an exit code. */
export async function runAndReport(
  work: (call: Call) => Promise<Run>,
  output: Output,
  terminal: Terminal,
) {
  const progress = createProgress(terminal);
  const onEvent = output.notesOnly ? noteEvent(terminal, '') : progress.onEvent;
  const run = await work({ ...terminal, onEvent }).finally(() => progress.stop());
  const isInterrupted = terminal.signal.aborted;
  await printRun(run, output, terminal, isInterrupted);
  if (isInterrupted) {
    terminal.note(
      !run.demo
        ? `jury: Interrupted; everything so far is saved. To go on, run "jury resume ${run.record.run}".`
        : 'jury: Interrupted.',
    );
  }
  return exitCodeOf(run.record.outcome, isInterrupted);
}

/** What is printed names the code this process ends with; the saved run has that of its outcome. */
async function printRun(
  run: Run,
  { format, json, out }: Output,
  terminal: Terminal,
  isInterrupted = false,
) {
  const chosen = json
    ? 'json'
    : (format ?? (terminal.isTerminal && out === undefined ? 'terminal' : 'brief'));
  const exitCode = exitCodeOf(run.record.outcome, isInterrupted);
  const text = renderers[chosen](run, {
    color: terminal.color && out === undefined,
    width: out === undefined ? terminal.width : 100,
    exitCode,
  });
  return out === undefined
    ? terminal.write(text, chosen === 'github' ? 'commands' : undefined)
    : writeReport(text, out, run.record.run, terminal);
}

/** The dry run as a person wants to read it. The prompt stands there as it would be sent, whatever the width. */
function renderPreview(
  {
    title,
    usual,
    reviewers,
    excluded,
    quorum,
    masked,
    carried,
    matching,
    knowledge,
    ...after
  }: Preview,
  terminal: Terminal,
) {
  const told = present(
    'DRY RUN: nobody was asked.',
    `Subject: ${oneLine(title)}`,
    ...(usual?.notes ?? []).map(note => oneLine(note)),
    carried !== undefined && oneLine(sayCarried(carried)),
    `Panel: ${reviewers.length} reviewers, quorum ${quorum}`,
    ...reviewers.flatMap(reviewer => [
      `  ${reviewer.id}${reviewer.required ? ' (required)' : ''}: ${termsOf(reviewer)}`,
      `    ${makeVisible(destinationOf(reviewer))}`,
      ...reviewer.files.map(
        path => `    ${reviewer.bytes > 0 ? 'sent' : 'read'}: ${pathText(path)}`,
      ),
      ...reviewer.notSent.map(
        ({ path, why }) =>
          `    not sent: ${pathText(path)}${why === null ? '' : ` (${pathText(why)})`}`,
      ),
    ]),
    matching !== null &&
      makeVisible(
        `${matching.strategy === 'embedding' ? 'Strategy embedding' : 'The judge'} tells the findings to ` +
          `${matching.model} at ${matching.host ?? 'its endpoint'}.`,
      ),
    ...describeKnowledge(knowledge).map(line => oneLine(line, 1_000)),
    ...afterReview(after).map(([name, sum]) => oneLine(`${name}: ${sum}`, 1_000)),
    excluded.length > 0 && `Excluded: ${excluded.map(pathText).join(', ')}`,
    masked > 0 && `Secrets masked: ${masked}`,
  ).join('\n');
  return [fitted(terminal, told), ...promptOf(reviewers)].join('\n');
}

/** How it is asked, as whom, how much it is shown and how long it may take. */
function termsOf(reviewer: Preview['reviewers'][number]) {
  const asked = present(reviewer.runner, reviewer.model, reviewer.baseUrl).join(' ');
  return `${asked}, persona ${reviewer.persona}, ${describeSize(reviewer)}, timeout ${reviewer.timeoutSeconds}s`;
}

function describeSize({ files, bytes, tokens }: Preview['reviewers'][number]) {
  return `${count(files.length, 'file')}, ${bytes === 0 ? 'read on this machine' : `${bytes} bytes, ${tokens} tokens`}`;
}

function destinationOf({ isLocal, notAsked, provider, host }: Preview['reviewers'][number]) {
  if (notAsked !== null) return `not asked: ${notAsked}`;
  if (isLocal) return `stays on this machine${host === null ? '' : ` (${host})`}`;
  return provider === null && host === null
    ? 'goes to nobody knows whom: it has the network and declares no provider'
    : `goes to ${describeRecipient({ provider, host })}`;
}

/** One prompt stands for all: they differ in what does not fit, which is listed above. */
function promptOf(reviewers: Preview['reviewers']) {
  const asked = reviewers.find(({ bytes }) => bytes > 0) ?? reviewers[0];
  return asked ? ['', `Prompt of ${asked.id}:`, '', asked.prompt] : [];
}

export const plan = defineCommand({
  summary:
    'Tell what a review would take: who is asked and why, tokens, budgets, calls, money, ceiling',
  flags: ReviewRequest.extend({
    ...TrustFlags.shape,
    json: flag('Print the plan as JSON'),
  }),
  epilogue: `Examples:
  jury plan                            what is not committed, else the branch, else the last commit
  jury plan main..HEAD --complexity SIMPLE
  jury plan --staged --json`,
  async run({ json, trustConfig, ...request }, terminal) {
    const drawn = await createJury({ ...terminal, trustConfig }).plan({
      process: 'review',
      ...request,
    });
    return answer(terminal, json, drawn, () => renderPlan(drawn, terminal));
  },
});

export const demo = defineCommand({
  summary: 'Show a review of a bad commit, with recorded answers: no key, no network',
  flags: OutputFlags.extend({
    keep: flag('Keep the project and the run, so that jury show 1 can be tried there'),
  }),
  epilogue: `A small project with a bad commit is made in the temporary folder, and reviewed as any other is: what the checks
find, what agrees, the veto and the gate are computed. The answers are recordings that were written for it; no model is asked.
Neither your project nor its memory is touched. Ends with the exit code of the review, which is 1. What --keep leaves can
be removed with the folder that is named, and jury clean in it before.

Examples:
  jury demo
  jury demo --keep
  jury demo --format html --out demo.html`,
  run: ({ keep, ...output }, terminal) =>
    runAndReport(call => createJury(call).demonstrate({ keep }), output, terminal),
});

const collecting = commandOf(processOf('collect'));

const preparing = defineCommand({
  summary: collecting.summary,
  flags: z.strictObject({
    dir: argument(Text.optional(), 'NAME', 'Name of the folder'),
    prepare: flag('Make the folder, and print what to tell the agents'),
    json: flag('The result as JSON'),
  }),
  async run({ dir, json }, terminal) {
    const inbox = await createJury(terminal).prepareInbox(dir ?? null);
    return answer(
      terminal,
      json,
      { schema: 'jury.inbox/1', ...inbox },
      () =>
        `${inbox.contract}\n\nWhen they have ended: jury collect ${shellQuote(inbox.folder)} --expect NAME,NAME\n`,
    );
  },
});

export const collect: RunnableCommand = {
  ...collecting,
  execute: (name, args, terminal) =>
    (args.includes('--prepare') ? preparing : collecting).execute(name, args, terminal),
};

export const verdict = defineCommand({
  summary: 'Write the verdict file of one agent',
  flags: z.strictObject({
    action: argument(
      z.literal('write', { error: 'Say write, which is all it does' }),
      'write',
      'The only word: write',
      { usual: ['write'] },
    ),
    ...VerdictRequest.shape,
    json: flag('The result as JSON'),
  }),
  epilogue: `Examples:
  jury verdict write --agent fd-safety --status CLEAN --summary "nothing found"
  jury verdicts --dir .jury/verdicts --table`,
  async run({ action: _action, json, ...request }, terminal) {
    const written = await createJury(terminal).writeVerdict(request);
    return answer(
      terminal,
      json,
      { schema: 'jury.verdict-file/1', ...written },
      () => written.file,
    );
  },
});
