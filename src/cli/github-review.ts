/** `jury github review` and `jury github pack`: what the jobs of a workflow do that hold no token that writes. */
import { flag, word } from '../core/flags.ts';
import { appendFile } from 'node:fs/promises';
import { z } from 'zod';
import { ReviewRequest } from '../core/request.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import { createJury, type ReviewedPull, UserError } from '../index.ts';
import { renderers } from '../render/formats.ts';
import { defineCommand, TrustFlags } from './command.ts';
import { OutputFlags, runAndReport } from './run-commands.ts';
import { callOf, type Terminal } from './terminal.ts';

const Out = (what: string) =>
  z
    .string({ error: `Say which folder ${what} goes to` })
    .min(1)
    .describe(`Folder for ${what}: not there yet, or empty`)
    .meta({ value: 'DIR' });

export const pack = defineCommand({
  summary: 'Pack the commits of a pull request as data, in a job without keys',
  flags: z.strictObject({ out: Out('the packed change') }),
  epilogue: `For the event pull_request of a fork. What it leaves is handed to a workflow for the event workflow_run, where
jury github review --packed DIR checks it. See docs/ci.md.`,
  async run({ out }, terminal) {
    const { pull, folder, bytes } = await createJury(callOf(terminal)).packPull(out);
    terminal.write(
      `Packed pull request ${pull.number} of ${pull.repository} at ${pull.head.slice(0, 7)}: ${bytes} bytes in ${folder}.`,
    );
    await tellWorkflow(terminal, { pull: pull.number, head: pull.head });
    return 0;
  },
});

/** Of a review, what a workflow may say of it: the change is that of the event. */
const ReviewFlags = ReviewRequest.pick({
  reviewers: true,
  require: true,
  quorum: true,
  strategy: true,
  act: true,
  config: true,
  timeout: true,
  maxCalls: true,
  maxTokens: true,
  maxCost: true,
  failOn: true,
  exclude: true,
  complexity: true,
  cover: true,
  readers: true,
});

const OwnFlags = z.strictObject({
  out: Out('the handover'),
  packed: word(
    'DIR',
    'Folder that jury github pack left: of the event workflow_run, shown to no program',
  ),
  exitZero: flag(
    'End with 0 once the handover is there, whatever the outcome: the job that publishes tells it',
  ),
  format: OutputFlags.shape.format,
  ...TrustFlags.shape,
});

export const review = defineCommand({
  summary: 'Review the pull request of the event, and leave a handover for the job that publishes',
  flags: z.strictObject({ ...OwnFlags.shape, ...ReviewFlags.shape }),
  epilogue: `Repository, number and commits come from the event of GitHub Actions (GITHUB_EVENT_PATH); the configuration from the base.
Nothing is checked out. The report is added to the summary of the job, and pull, head, outcome and run to its outputs.

Exit codes are those of jury review: 0 pass, 1 fail, 2 incomplete or unusable, 3 usage, 4 fault. With --exit-zero the first
three end with 0 where there is a handover.

Examples:
  jury github review --out handover --trust-config
  jury github review --packed packed --out handover --trust-config --exit-zero`,
  async run(input, terminal) {
    const { out, packed = null, exitZero, format, trustConfig } = OwnFlags.strip().parse(input);
    const settings = ReviewFlags.strip().parse(input);
    let reviewed: ReviewedPull | null = null;
    const code = await runAndReport(
      async call => {
        reviewed = await createJury({ ...call, trustConfig }).reviewPull({ out, packed, settings });
        return reviewed.run;
      },
      { format, json: false, out: undefined },
      terminal,
    );
    if (reviewed === null) return code;
    await summarise(reviewed, terminal);
    return exitZero && !terminal.signal.aborted ? 0 : code;
  },
});

async function summarise({ pull, run }: ReviewedPull, terminal: Terminal): Promise<void> {
  const { record } = run;
  await tellWorkflow(terminal, {
    pull: pull.number,
    head: pull.head,
    outcome: record.outcome,
    run: record.run,
  });
  const exitCode = exitCodeOf(record.outcome, terminal.signal.aborted);
  const text = renderers.markdown(run, { color: false, width: 100, exitCode });
  await append('GITHUB_STEP_SUMMARY', cutTo(text, mostSummary), terminal);
}

/** Numbers, ids and words of Jury's own: nothing that somebody else wrote may become an output of a job. */
function tellWorkflow(
  terminal: Terminal,
  outputs: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value ?? 'none'}\n`);
  return append('GITHUB_OUTPUT', lines.join(''), terminal);
}

/** GitHub shows no summary of more than 1 MiB. */
const mostSummary = 1_000_000;

function cutTo(text: string, most: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= most) return text;
  const end = bytes.lastIndexOf(0x0a, most - 200);
  return `${bytes.subarray(0, end).toString('utf8')}\n\nThe report is longer than a summary may be; the rest stands in the handover.\n`;
}

async function append(
  name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY',
  text: string,
  { environment }: Terminal,
): Promise<void> {
  const file = environment[name];
  if (file === undefined || file === '') return;
  await appendFile(file, text).catch((cause: unknown) => {
    throw new UserError(`${name}: ${file} cannot be written.`, { kind: 'machine', cause });
  });
}
