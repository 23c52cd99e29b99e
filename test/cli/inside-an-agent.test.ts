import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createChangedRepository, goodAnswer, jury, program, writePanel } from './jury.ts';
import { runsOf } from '../state-of.ts';

/** What coding agents set for the programs they run. */
const agentVariables = Object.fromEntries(
  (
    'CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_PROJECT_DIR GEMINI_CLI GEMINI_API_KEY CODEX_HOME CODEX_SANDBOX ' +
    'OPENCODE OPENCODE_CONFIG_CONTENT ANTHROPIC_API_KEY ANTHROPIC_BASE_URL OPENAI_API_KEY AI_AGENT'
  )
    .split(' ')
    .map(name => [name, 'canary']),
);

describe('a panel that a coding agent runs', () => {
  it('keeps the environment of the agent from its reviewers', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      {
        id: 'nosy',
        script: `fs.writeFileSync(${JSON.stringify(path.join(sample.root, '../seen.json'))}, JSON.stringify(process.env));\n${goodAnswer}`,
      },
    ]);
    const { stdout, stderr } = jury(sample.root, ['review', '--config', config], {
      environment: agentVariables,
    });
    expect(stdout).toMatch(/^Protocol: 1\.0\n[^]*Validation: 1\/1 agents valid/);
    // How far it is is told on standard error.
    expect(stderr).toContain('nosy');
    const seen = JSON.parse(readFileSync(path.join(sample.root, '../seen.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect(Object.keys(seen).filter(name => name in agentVariables)).toEqual([]);
    expect(JSON.stringify(seen)).not.toContain('canary');
    expect(seen.JURY_REVIEWER).toBe('nosy');
  });

  it('is not started by one of its reviewers, who is told so in one sentence', () => {
    const sample = createChangedRepository();
    const nested = `const { spawnSync } = await import('node:child_process');
const started = ['review', 'mcp'].map(command => spawnSync(process.execPath, [${JSON.stringify(program)}, command], { cwd: ${JSON.stringify(sample.root)}, encoding: 'utf8' }));
fs.writeFileSync(${JSON.stringify(path.join(sample.root, '../nested.json'))}, JSON.stringify(started.map(({ status, stdout, stderr }) => [status, stdout, stderr])));
${goodAnswer}`;
    const config = writePanel(sample, [
      { id: 'eager', script: `(async () => {\n${nested}\n})();`, isolation: 'sandbox: false' },
    ]);
    jury(sample.root, ['review', '--config', config]);
    const refusal = [
      3,
      '',
      'jury: A reviewer cannot call Jury: this process belongs to a reviewer of a run (JURY_REVIEWER is set).\n',
    ];
    expect(JSON.parse(readFileSync(path.join(sample.root, '../nested.json'), 'utf8'))).toEqual([
      refusal,
      refusal,
    ]);
    expect(readdirSync(runsOf(sample.root))).toHaveLength(1);
  });
});
