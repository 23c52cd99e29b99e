/** What `multi-consensus` does once its arguments are read: standard output carries the report, everything else is standard error. */
import path from 'node:path';
import { modes, type ModeName } from '../core/words/mode.ts';
import { displayOf } from '../core/words/review.ts';
import { consensusExits, programExits } from '../core/verdict/outcome.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import type { ComparedCommits, ConsensusRequest, Run, RunEvent } from '../index.ts';
import {
  renderConsensusJson,
  renderConsensusReport,
  type ConsensusReport,
} from '../render/consensus-report.ts';
import { readConsensusArguments, usage, type ConsensusArguments } from './consensus-arguments.ts';
import type { Terminal } from './terminal.ts';

export type ConsensusTerminal = Pick<Terminal, 'write' | 'note' | 'cwd' | 'environment' | 'signal'>;

/** Resolves with the exit code. Throws `UserError` for what only the configuration or the repository can tell. */
export async function runMultiConsensus(
  argv: readonly string[],
  terminal: ConsensusTerminal,
): Promise<number> {
  const options = readConsensusArguments(argv, terminal.environment);
  if ('message' in options) {
    terminal.note(options.message);
    if (options.showsUsage) terminal.note(`\n${usage}`);
    return options.exitCode;
  }
  if (options.wantsHelp) {
    terminal.write(usage);
    return 0;
  }
  const compared = await compare(options, terminal);
  if (typeof compared === 'number') return compared;
  const request = await toRequest(options, compared, terminal);
  if (options.isDryRun) return printDryRun(request, terminal);
  if (request.commits?.isUnchanged) {
    print(emptyReport(options), options, terminal);
    return 0;
  }
  return ask(request, options, terminal);
}

type Resolved = Exclude<ComparedCommits, { readonly status: 'missing' }>;

/** An exit code when there is nothing to go on with; null when no commits were given. */
async function compare(
  { commits }: ConsensusArguments,
  terminal: ConsensusTerminal,
): Promise<Resolved | number | null> {
  if (commits === null) return null;
  const { createJury } = await import('../index.ts');
  const compared = await createJury(terminal).compareCommits(commits.base, commits.head);
  const [base, head] = [makeVisible(commits.base), makeVisible(commits.head)];
  if (compared.status === 'missing') {
    terminal.note(
      compared.side === 'base'
        ? `Error: BASE_SHA '${base}' not found in repository`
        : `Error: HEAD_SHA '${head}' not found in repository`,
    );
    return consensusExits.failed;
  }
  if (compared.status === 'same') {
    terminal.note(`Error: BASE_SHA and HEAD_SHA are the same (${base})\nNothing to review`);
    return consensusExits.failed;
  }
  if (compared.status === 'unchanged')
    terminal.note(`Warning: No changes between ${base} and ${head}`);
  return compared;
}

async function toRequest(
  options: ConsensusArguments,
  compared: Resolved | null,
  terminal: ConsensusTerminal,
): Promise<ConsensusRequest> {
  const { mode, description, prompt, context, scale, strategy, timeout } = options;
  return {
    mode,
    description,
    context,
    scale,
    strategy,
    timeout,
    prompt: mode === 'code-review' ? null : prompt,
    commits:
      compared === null
        ? null
        : {
            base: compared.base,
            head: compared.head,
            isUnchanged: compared.status === 'unchanged',
          },
    requirements: mode === 'code-review' ? await readPlan(options.planFile, terminal) : null,
  };
}

async function readPlan(file: string | null, terminal: ConsensusTerminal): Promise<string | null> {
  if (file === null) return null;
  try {
    const { readGivenFile } = await import('../index.ts');
    return await readGivenFile(path.resolve(terminal.cwd, file), terminal.signal);
  } catch {
    terminal.signal.throwIfAborted();
    // Missing, a folder or unreadable: in each case there is no plan to judge by, and the review goes on without.
    terminal.note(`Warning: plan file '${makeVisible(file)}' not found`);
    return null;
  }
}

/** Reviewers differ in what does not fit; the longest prompt is the whole one. */
async function printDryRun(
  request: ConsensusRequest,
  terminal: ConsensusTerminal,
): Promise<number> {
  const { createJury } = await import('../index.ts');
  const { reviewers } = await createJury(terminal).preview({
    process: 'multi-consensus',
    ...request,
  });
  const prompt = reviewers.reduce(
    (longest, reviewer) => (reviewer.prompt.length > longest.length ? reviewer.prompt : longest),
    '',
  );
  terminal.write(`DRY RUN MODE\n\n${prompt}`);
  return 0;
}

async function ask(
  request: ConsensusRequest,
  options: ConsensusArguments,
  terminal: ConsensusTerminal,
): Promise<number> {
  const { createJury } = await import('../index.ts');
  const { cwd, environment, signal } = terminal;
  const run = await createJury({
    cwd,
    environment,
    signal,
    onEvent: event => showEvent(event, options.mode, terminal),
  }).run({ process: 'multi-consensus', ...request, fresh: true });
  terminal.note(
    [
      'Reviewers complete:',
      ...run.reviews.map(review => `  - ${review.reviewer}: ${displayOf(review)}`),
    ].join('\n'),
  );
  if (signal.aborted) return programExits.interrupted;
  const failed = run.reviews.filter(review => review.required && review.status !== 'complete');
  for (const review of failed)
    terminal.note(`Error: ${review.reviewer} review failed ${displayOf(review)}`);
  if (failed.length > 0) return consensusExits.failed;
  print(toReport(run, options), options, terminal);
  return 0;
}

function showEvent(event: RunEvent, mode: ModeName, terminal: ConsensusTerminal): void {
  if (event.type === 'note') terminal.note(makeVisible(event.message));
  if (event.type !== 'run-start') return;
  const seats = event.reviewers.map(
    ({ id, required }) => `  - ${id} (${required ? 'required' : 'optional'})...`,
  );
  terminal.note(
    [`Context prepared for ${mode} mode`, 'Launching reviewers...', ...seats].join('\n'),
  );
}

function print(
  report: ConsensusReport,
  { wantsJson }: ConsensusArguments,
  terminal: ConsensusTerminal,
): void {
  terminal.write(wantsJson ? renderConsensusJson(report) : renderConsensusReport(report));
}

function toReport(
  { record, reviews, folder }: Run,
  { mode, scale, commits }: ConsensusArguments,
): ConsensusReport {
  const { strategy, quorum, claims, verification } = record;
  return {
    mode,
    commits,
    reviews,
    strategy,
    quorum,
    claims,
    verification,
    folder,
    scale: scale ?? modes[mode].scale,
  };
}

function emptyReport({ mode, scale, commits, strategy }: ConsensusArguments): ConsensusReport {
  return {
    mode,
    commits,
    scale: scale ?? modes[mode].scale,
    reviews: [],
    claims: [],
    folder: null,
    strategy: { name: strategy ?? 'none', threshold: null, version: '1' },
    quorum: { required: 1, completed: 0, met: false },
    verification: mode === 'verification' ? { result: 'undecided', criteria: [] } : null,
  };
}
