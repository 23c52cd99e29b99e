/** `jury init`: writes a configuration that seats what this machine has. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { createJury, UserError, type Machine } from '../index.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';
import type { Terminal } from './terminal.ts';

export const init = defineCommand({
  summary: 'Write a configuration that seats the reviewers this machine has',
  flags: z.strictObject({
    force: z.boolean().default(false).describe('Replace a configuration that exists'),
  }),
  async run({ force }, terminal) {
    const file = path.join(terminal.cwd, 'jury.config.yaml');
    const text = renderConfiguration(await createJury(callOf(terminal)).inspect());
    try {
      await writeFile(file, text, { flag: force ? 'w' : 'wx' });
    } catch (error) {
      const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      throw new UserError(
        exists
          ? `${file} exists already.`
          : `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
        { kind: 'usage', hint: exists ? 'Use --force to replace it.' : null, cause: error },
      );
    }
    await allow(file, terminal);
    terminal.write(`Wrote ${file}.\nNext: jury review --dry-run`);
    return 0;
  },
});

/** What was just written here is the person's own: it counts at once, committed or not. */
async function allow(file: string, terminal: Terminal): Promise<void> {
  const { trust } = createJury(callOf(terminal));
  await trust.grant(await trust.examine({ file, at: null }));
}

const personas: Readonly<Record<string, string>> = {
  claude: 'security-reviewer',
  codex: 'code-quality-reviewer',
  gemini: 'user-persona-reviewer',
  opencode: 'code-quality-reviewer',
};

function renderConfiguration({ clients }: Machine): string {
  const ready = clients.filter(({ path: program, key }) => program !== null && key !== null);
  return [
    '# The panel of this repository. Every key is explained in docs/configuration.md of Jury.',
    '# Fail rules are tier:severity or worse; the quorum is more than half of the panel unless it is set here.',
    'failOn: [single:critical, majority:high, analyser:high]',
    "exclude: ['**/*.png', '**/*.jpg', '**/*.ico', '**/*.woff2']",
    'reviewers:',
    '  - { id: secrets, runner: builtin, analyser: secrets, persona: security-reviewer }',
    '  - { id: javascript, runner: builtin, analyser: javascript }',
    '  - { id: patterns, runner: builtin, analyser: patterns, persona: security-reviewer }',
    '  - { id: diff, runner: builtin, analyser: diff }',
    ...ready.map(({ name }) => seat(name)),
    ...(ready.length === 0
      ? [
          '# A coding agent on PATH with its key in the environment:',
          `  # ${seat('claude').trim()}`,
        ]
      : []),
    '# A model behind any OpenAI-compatible address:',
    '  # - { id: local, runner: api, model: openai-compatible/qwen3-coder, baseUrl: "http://127.0.0.1:8080/v1" }',
    '',
  ].join('\n');
}

function seat(name: string): string {
  return `  - { id: ${name}, runner: ${name}, persona: ${personas[name] ?? 'code-quality-reviewer'} }`;
}
