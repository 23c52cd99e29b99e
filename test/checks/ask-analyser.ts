/** Asks one analyser through the runner, as the engine does, and reads its answer. */
import { tmpdir } from 'node:os';
import { z } from 'zod';
import { openChecks } from '../../src/checks/index.ts';
import type { Answered } from '../../src/core/ports/runner.ts';
import { buildTurn, type Files, type Question } from './build-change.ts';

const Reply = z.strictObject({
  findings: z.array(
    z.strictObject({
      id: z.string(),
      severity: z.enum(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']),
      category: z.string(),
      file: z.string().optional(),
      line: z.int().positive().optional(),
      quote: z.string().optional(),
      issue: z.string(),
      evidence: z.string().optional(),
      rule: z.string().default('?'),
      cwe: z.string().optional(),
      recommendation: z.string(),
    }),
  ),
  files_reviewed: z.array(z.string()),
  verdict: z.enum(['safe', 'needs-changes', 'risky']),
});
export type Reply = z.infer<typeof Reply>;

export const world = { environment: { PATH: process.env['PATH'] }, temporaryFolder: tmpdir() };

export interface Heard extends Reply {
  readonly answer: Answered;
  /** `rule:line` of every finding, in order. */
  readonly said: readonly string[];
}

export async function askAnalyser(question: Question): Promise<Heard> {
  const answer = await (
    await openChecks(world)
  ).ask(buildTurn(question), new AbortController().signal);
  if (answer.status !== 'answered') throw new Error(`not answered: ${answer.failure.message}`);
  const reply = Reply.parse(JSON.parse(answer.text));
  const said = reply.findings.map(({ rule, line }) => `${rule}:${line ?? '-'}`);
  return { ...reply, answer, said };
}

export async function rulesSaid(
  analyser: Question['analyser'],
  files: Files,
): Promise<readonly string[]> {
  return (await askAnalyser({ analyser, files })).said.map(entry => entry.replace(/:[^:]*$/, ''));
}
