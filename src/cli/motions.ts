/** `jury motions`: a vote on the motions of a session, with its two lesser commands. */
import { z } from 'zod';
import { judgeMotions } from '../core/verdict/judges.ts';
import { exitCodeOf, outcomeOf, programExits } from '../core/verdict/outcome.ts';
import {
  createJury,
  MotionsRequest,
  UserError,
  type Call,
  type ListedMotions,
  type MotionsOutcome,
} from '../index.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { renderMotions, renderMotionsJson } from '../render/motions.ts';
import { renderMotionsMarkdown } from '../render/motions-markdown.ts';
import { defineCommand, type RunnableCommand } from './command.ts';
import { ratify } from './ratify.ts';
import { callOf, TrustFlags } from './run-and-report.ts';
import type { Terminal } from './terminal.ts';
import { verifyAudit } from './verify-audit.ts';

const vote = defineCommand({
  summary: 'Vote on the motions of a session: triage, reviews, panels, ratification',
  flags: MotionsRequest.extend({
    format: z
      .enum(['terminal', 'markdown', 'json'])
      .default('terminal')
      .describe('Form of the report: terminal, markdown or json')
      .meta({ value: 'FORMAT' }),
    json: z
      .boolean()
      .default(false)
      .describe('One summary object instead of text; the same as --format json'),
    ...TrustFlags.shape,
    verbose: z.boolean().default(false).describe('Detail on standard error').meta({ short: 'v' }),
  }),
  epilogue: `Also:
  jury motions ratify --aggregations FILE --rules NAME   decide again from recorded counts
  jury motions verify-audit DIR                          check the audit trail of a vote`,
  run: ({ format, json, verbose, trustConfig, ...request }, terminal) =>
    holdVote(
      { format: json ? 'json' : format, verbose, trustConfig, request, resumes: null },
      terminal,
    ),
});

const renderers = {
  terminal: renderMotions,
  markdown: renderMotionsMarkdown,
  json: renderMotionsJson,
};
type MotionsFormat = keyof typeof renderers;

/** Goes on with a vote that was interrupted, from the folder it was begun in. One that has ended is named and left alone. */
export async function resumeVote(
  { plan, ended }: ListedMotions,
  { format, trustConfig }: Pick<Vote, 'format' | 'trustConfig'>,
  terminal: Terminal,
): Promise<number> {
  if (ended === null)
    return holdVote(
      {
        format,
        trustConfig,
        verbose: false,
        request: MotionsRequest.parse(plan.request),
        resumes: plan,
      },
      terminal,
    );
  terminal.note(`Run ${plan.run} has ended; its results are in ${makeVisible(ended.artifacts)}.`);
  return exitCodeOf(outcomeOf(judgeMotions(ended.counts.incomplete ?? 0, false)));
}

interface Vote {
  readonly format: MotionsFormat;
  readonly verbose: boolean;
  readonly trustConfig: boolean;
  readonly request: MotionsRequest;
  readonly resumes: ListedMotions['plan'] | null;
}

async function holdVote(
  { format, verbose, trustConfig, request, resumes }: Vote,
  terminal: Terminal,
): Promise<number> {
  const onEvent: Call['onEvent'] = event => {
    if (event.type === 'note') terminal.note(makeVisible(event.message));
  };
  const call = { ...callOf(terminal), trustConfig };
  const outcome = await createJury({ ...call, cwd: resumes?.cwd ?? call.cwd, onEvent }).vote(
    request,
    { resumes: resumes?.run ?? null },
  );
  if (outcome === null) {
    terminal.note(
      'jury: Interrupted; every answer so far is saved. To go on, run "jury resume", or give the same command again.',
    );
    return programExits.interrupted;
  }
  if (verbose) noteDetail(outcome, terminal);
  terminal.write(renderers[format](outcome));
  if (outcome.isUnanswered)
    throw new UserError('Error: no review could be collected', { kind: 'input' });
  return exitCodeOf(outcomeOf(outcome.reasons));
}

const lesser: Readonly<Record<string, RunnableCommand>> = { ratify, 'verify-audit': verifyAudit };

export const motions: RunnableCommand = {
  summary: vote.summary,
  read(name, args, terminal) {
    const { command, words } = choose(name, args);
    return command.read(words, argumentsOf(command, args), terminal);
  },
  execute(name, args, terminal) {
    const { command, words } = choose(name, args);
    return command.execute(words, argumentsOf(command, args), terminal);
  },
};

function choose(
  name: string,
  args: readonly string[],
): { readonly command: RunnableCommand; readonly words: string } {
  const [first = ''] = args;
  const command = Object.hasOwn(lesser, first) ? lesser[first] : undefined;
  if (command) return { command, words: `${name} ${first}` };
  // The parser lets the last of the two win; here they are a contradiction.
  if (args.includes('--simulate') && args.includes('--no-simulate'))
    throw new UserError('--simulate and --no-simulate exclude each other; give one of them.', {
      kind: 'usage',
    });
  return { command: vote, words: name };
}

function argumentsOf(command: RunnableCommand, args: readonly string[]): readonly string[] {
  return command === vote ? args : args.slice(1);
}

function noteDetail({ run }: MotionsOutcome, terminal: Terminal): void {
  for (const { motion, riskTier, support, conflicts } of run.triaged) {
    terminal.note(
      makeVisible(
        `${motion.id}: ${riskTier}, support ${(100 * support).toFixed(1)}%, ${conflicts.length} in conflict`,
      ),
    );
    for (const { memberName, own, against, source } of conflicts)
      terminal.note(
        makeVisible(
          `  ${memberName}: ${source}: "${own}"${against === null ? '' : ` against "${against}"`}`,
        ),
      );
  }
  for (const { member, assigned, alreadyEndorsed } of run.packets)
    terminal.note(
      makeVisible(
        `${member.id}: ${assigned.length} assigned, ${alreadyEndorsed.length} endorsed already`,
      ),
    );
  for (const response of run.responses)
    if (response.status === 'no_response')
      terminal.note(
        makeVisible(
          `${response.archon_id} on ${response.mega_motion_id}: no response: ${response.error ?? ''}`,
        ),
      );
  for (const { event_type, occurred_at } of run.audit.events)
    terminal.note(`${occurred_at} ${event_type}`);
}
