import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findWriters, writer, writersIn } from './outcome.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));

describe('the outcome of a run and the exit code of the program', () => {
  it(`are written in src/${writer} and nowhere else`, () =>
    expect(findWriters(source)).toEqual([]));

  it.each([
    [
      'a rewritten record',
      'engine/ground-findings.ts',
      `export const f = run => ({ ...run, record: { ...run.record, outcome: 'INCOMPLETE' } });`,
    ],
    [
      'an outcome chosen by hand',
      'library/judge-run.ts',
      `export const f = gate => ({ outcome: gate.closed ? 'INCOMPLETE' : 'PASS' });`,
    ],
    [
      'an outcome that is assigned',
      'core/run-record.ts',
      `export function f(record) { record.outcome = 'PASS'; }`,
    ],
    [
      'an exit code beside an outcome',
      'core/run-record.ts',
      `export const f = outcome => ({ outcome, exitCode: exitCodes[outcome] });`,
    ],
    ['an exit code as a number', 'mcp/brief.ts', `export const f = () => ({ exit_code: 2 });`],
    [
      'a patch at the door',
      'cli/run-and-report.ts',
      `export const f = record => ({ ...record, exitCode: record.verification?.result === 'fail' ? 1 : 0 });`,
    ],
    [
      'a literal at the end of a command',
      'cli/review.ts',
      `export const review = { async run(flags, terminal) { if (flags.x) return 2; return 0; } };`,
    ],
    ['a literal for the process', 'cli/main.ts', `process.exit(3);`],
    ['a literal that is set', 'cli/main.ts', `process.exitCode = 1;`],
    ['a table of codes', 'cli/consensus.ts', `const interruptedExit = 130;`],
    ['another table of codes', 'core/gate.ts', `export const exitCodes = { PASS: 0, FAIL: 1 };`],
  ])('are caught as %s', (_what, file, text) => expect(writersIn(file, text)).toHaveLength(1));

  it('may be handed on, typed and described', () => {
    for (const text of [
      'const record = { outcome: run.outcome, exitCode: exitCodeOf(run.outcome) };',
      'const schema = { outcome: z.enum(outcomes), exitCode: Whole.nullable() };',
      'const answer = { exit_code: exitCodeOf(outcomeOf(reasons)) };',
      'process.exit(0);',
    ]) {
      expect(writersIn('cli/main.ts', text)).toEqual([]);
    }
  });
});
