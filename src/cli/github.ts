/** `jury github`: what a workflow does with a pull request, one subcommand for each job of it. */
import { flag, value, word } from '../core/flags.ts';
import { z } from 'zod';
import { CommitId, PullNumber, RepositoryName } from '../core/words/change.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { exitCodeOf, programExits, sayOutcome } from '../core/verdict/outcome.ts';
import { createJury, type Published, type ReviewedPull, UserError } from '../index.ts';
import { defineCommand, groupCommands, TrustFlags } from './command.ts';
import type { Terminal } from './terminal.ts';
import { appendFile } from 'node:fs/promises';
import { PanelRequest, ReviewRequest } from '../core/request.ts';
import { renderers } from '../render/formats.ts';
import { OutputFlags, runAndReport } from './run-commands.ts';
import { present } from '../core/groups.ts';

const publish = defineCommand({
  summary: 'Write what was reviewed into its pull request: a check, a summary, comments at lines',
  flags: z.strictObject({
    handover: value(
      z.string({ error: 'Say which folder the review left' }).min(1),
      'DIR',
      'Folder that jury github review left',
    ),
    repository: value(RepositoryName, 'OWNER/NAME', 'Repository of the pull request'),
    pull: value(PullNumber, 'N', 'Number of the pull request'),
    sha: value(CommitId, 'SHA', 'Full id of its head, as the event of the host tells it'),
    sarif: flag('Upload the SARIF file to code scanning as well'),
    decisions: word(
      'FILE',
      'Write what people decided in replies to this file, in the form of jury.baseline.json',
    ),
    dryRun: flag('Look, and tell what would be done'),
  }),
  epilogue: `The token is read from GITHUB_TOKEN or GH_TOKEN: checks: write and pull-requests: write; contents: write to resolve threads,
security-events: write for --sarif. Of a run that is published already nothing is written twice.

Exits with 0 when all is published or the pull request is closed, and with 2 when nothing is, or only a part.`,
  async run({ sha, dryRun, decisions, ...request }, terminal) {
    const published = await createJury(terminal).publish({
      ...request,
      head: sha,
      dryRun,
      decisions: decisions ?? null,
    });
    terminal.write(describePublished(published));
    const { status, why } = published;
    const isDone = status === 'published' || status === 'planned' || why === 'closed';
    return isDone ? 0 : programExits.unusableInput;
  },
});

function describePublished(published: Published) {
  const { sentence, record, posted, updated, resolved, reopened, removed, kept } = published;
  const { beyond, deleted, decisions, calls, notes, troubles } = published;
  const counts = present(
    `posted ${posted}`,
    `updated ${updated}`,
    `resolved ${resolved}`,
    reopened > 0 && `opened again ${reopened}`,
    `kept ${kept}`,
    `repeated ${removed}`,
    `calls ${calls}`,
  );
  return present(
    `${!record ? '' : `${sayOutcome(record)}. `}${sentence}`,
    counts.join(', '),
    beyond > 0 && `${beyond} more would have a line; they stand in the summary.`,
    deleted > 0 && `${deleted} whose comment somebody deleted: not posted again.`,
    decisions.length > 0 && `${decisions.length} decided in replies.`,
    ...[...troubles, ...notes].slice(0, 9),
  )
    .map(makeVisible)
    .join('\n');
}

const Out = (what: string) =>
  value(
    z.string({ error: `Say which folder ${what} goes to` }).min(1),
    'DIR',
    `Folder for ${what}: not there yet, or empty`,
  );

const pack = defineCommand({
  summary: 'Pack the commits of a pull request as data, in a job without keys',
  flags: z.strictObject({ out: Out('the packed change') }),
  epilogue: `For the event pull_request of a fork. What it leaves is handed to a workflow for the event workflow_run, where
jury github review --packed DIR checks it. See docs/ci.md.`,
  async run({ out }, terminal) {
    const { pull, folder, bytes } = await createJury(terminal).packPull(out);
    terminal.write(
      `Packed pull request ${pull.number} of ${pull.repository} at ${pull.head.slice(0, 7)}: ${bytes} bytes in ${folder}.`,
    );
    await tellWorkflow(terminal, { pull: pull.number, head: pull.head });
    return 0;
  },
});

/** Of a review, what a workflow may say of it: the change is that of the event. */
const ReviewFlags = PanelRequest.omit({ maxCostPerMonth: true, fresh: true }).extend(
  ReviewRequest.pick({ exclude: true, complexity: true, cover: true, readers: true }).shape,
);

const review = defineCommand({
  summary: 'Review the pull request of the event, and leave a handover for the job that publishes',
  flags: z.strictObject({
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
    ...ReviewFlags.shape,
  }),
  epilogue: `Repository, number and commits come from the event of GitHub Actions (GITHUB_EVENT_PATH); the configuration from the base.
Nothing is checked out. The report is added to the summary of the job, and pull, head, outcome and run to its outputs.

Exit codes are those of jury review: 0 pass, 1 fail, 2 incomplete or unusable, 3 usage, 4 fault. With --exit-zero the first
three end with 0 where there is a handover.

Examples:
  jury github review --out handover --trust-config
  jury github review --packed packed --out handover --trust-config --exit-zero`,
  async run({ out, packed = null, exitZero, format, trustConfig, ...settings }, terminal) {
    let reviewed: ReviewedPull | null = null;
    const code = await runAndReport(
      async call => {
        reviewed = await createJury({ ...call, trustConfig }).reviewPull({ out, packed, settings });
        return reviewed.run;
      },
      { format },
      terminal,
    );
    if (reviewed === null) return code;
    await summarise(reviewed, terminal);
    return exitZero && !terminal.signal.aborted ? 0 : code;
  },
});

async function summarise({ pull, run }: ReviewedPull, terminal: Terminal) {
  const { record } = run;
  await tellWorkflow(terminal, {
    pull: pull.number,
    head: pull.head,
    outcome: record.outcome,
    run: record.run,
  });
  const text = renderers.markdown(run, {
    color: false,
    width: 100,
    exitCode: exitCodeOf(record.outcome, terminal.signal.aborted),
  });
  await append('GITHUB_STEP_SUMMARY', cutTo(text, mostSummary), terminal);
}

/** Numbers, ids and words of Jury's own: nothing that somebody else wrote may become an output of a job. */
function tellWorkflow(terminal: Terminal, outputs: Record<string, string | number | null>) {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value ?? 'none'}\n`);
  return append('GITHUB_OUTPUT', lines.join(''), terminal);
}

/** GitHub shows no summary of more than 1 MiB. */
const mostSummary = 1_000_000;

function cutTo(text: string, most: number) {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= most) return text;
  const end = bytes.lastIndexOf(0x0a, most - 200);
  return `${bytes.subarray(0, end).toString('utf8')}\n\nThe report is longer than a summary may be; the rest stands in the handover.\n`;
}

async function append(
  name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY',
  text: string,
  { environment }: Terminal,
) {
  const file = environment[name];
  if (file === undefined || file === '') return;
  await appendFile(file, text).catch((cause: unknown) => {
    throw new UserError(`${name}: ${file} cannot be written.`, { kind: 'machine', cause });
  });
}

const subcommands = { pack, review, publish };

export const github = groupCommands(
  'Pack, review and publish a pull request in the workflows of GitHub',
  `Subcommands:
${Object.entries(subcommands)
  .map(([word, command]) => `  jury github ${word.padEnd(10)}${command.summary}`)
  .join('\n')}`,
  subcommands,
);
