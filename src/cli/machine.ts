/** What this machine has for a panel: `jury doctor` tells it, `jury init` writes a configuration that seats it. */
import { printJson } from '../render/json.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { createJury, type Machine, UserError } from '../index.ts';
import type { Terminal } from './terminal.ts';
import { defineCommand } from './command.ts';
import { callOf } from './terminal.ts';

export const doctor = defineCommand({
  summary: 'Tell what this machine has for a panel, and what stands in the way',
  flags: z.strictObject({ json: z.boolean().default(false).describe('Print it as JSON') }),
  async run({ json }, terminal) {
    const machine = await createJury(callOf(terminal)).inspect();
    terminal.write(json ? printJson(machine) : renderMachine(machine));
    return 0;
  },
});

function renderMachine({
  jury,
  node,
  git,
  gitProblem,
  configuration,
  configurationProblem,
  clients,
  apiKeys,
  isolation,
  seats,
  precise,
  sweepsProcesses,
}: Machine): string {
  return [
    `jury ${jury} on Node ${node}`,
    git === null ? `✗ git: ${gitProblem ?? ''}` : `✓ git: ${git}`,
    configuration === null
      ? '  configuration: none; the panel is the built-in one ("jury init" writes one)'
      : configurationProblem === null
        ? `✓ configuration: ${configuration}`
        : `✗ configuration: ${configuration}: ${configurationProblem}`,
    '✓ built-in reviewers: secrets, javascript, patterns, diff',
    ...clients.map(renderClient),
    apiKeys.length === 0
      ? '  model APIs: no key in the environment'
      : `✓ model APIs: keys in ${apiKeys.join(', ')}`,
    isolation.reason === null
      ? `✓ isolation of reviewer processes: ${isolation.level} by ${isolation.by ?? ''} (${isolation.reach})`
      : `! isolation of reviewer processes: ${isolation.level} (${isolation.reach}); no better one: ${isolation.reason}`,
    `  processes that can outlive a reviewer: ${isolation.survivors}`,
    ...seats.map(renderSeat),
    renderIndex(precise),
    sweepsProcesses
      ? '✓ processes that leave their group are found and ended'
      : '! no /proc: a process that leaves its group is not found',
  ].join('\n');
}

function renderIndex(precise: Machine['precise']): string {
  if (precise === null) return '  precise index: none; names are resolved by their words';
  const { path: place, madeBy, files, problem } = precise;
  if (problem !== null)
    return `! precise index: ${makeVisible(problem)} Names are resolved without it.`;
  const author = madeBy === null ? '' : ` by ${makeVisible(madeBy)}`;
  return `✓ precise index: ${makeVisible(place)}${author}, ${files} files`;
}

function renderSeat({
  id,
  runner,
  isolation,
  refused,
  refusedUntrusted,
}: Machine['seats'][number]): string {
  const who = `reviewer ${makeVisible(id)} (${runner})`;
  if (isolation === null) return `✗ ${who}: not asked. ${refused ?? ''}`;
  if (isolation.level === 'L3') return `✓ ${who}: L3, no process of its own`;
  const hosts = (isolation.hosts ?? []).map(host => host.replace(/:443$/, ''));
  const network = isolation.network
    ? 'with the network'
    : hosts.length > 0
      ? `network: ${makeVisible(hosts.join(', '))} only`
      : `without network${isolation.endpoint === undefined ? '' : ` but for ${makeVisible(isolation.endpoint)}`}`;
  const limit =
    refusedUntrusted === null ? '' : ' It is not asked about untrusted changes, which need L1.';
  return isolation.reason === null
    ? `✓ ${who}: ${isolation.level}, ${network}${limit}`
    : `! ${who}: ${isolation.level}, ${network}: ${isolation.reason}${limit}`;
}

function renderClient({ name, path, version, key, problem }: Machine['clients'][number]): string {
  if (path === null) return `  ${name}: not installed`;
  const parts = [version, path, key === null ? null : `key in ${key}`, problem].filter(
    part => part !== null,
  );
  return `${problem === null ? '✓' : '!'} ${name}: ${parts.join(' · ')}`;
}

/** `jury init`: writes a configuration that seats what this machine has. */
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
