/** `jury init`: writes a configuration that seats what this machine has. */
import { flag } from '../core/flags.ts';
import { existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { defaultFailOn } from '../core/words/config.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { createJury, type Machine } from '../index.ts';
import { usageError } from '../core/errors.ts';
import { count } from '../render/figures.ts';
import { escapeHidden } from '../render/json.ts';
import { defineCommand } from './command.ts';
import { packageFolder } from './help.ts';
import { fitted } from './terminal.ts';
import { present } from '../core/groups.ts';

export const init = defineCommand({
  summary: 'Write a configuration that seats the reviewers this machine has',
  flags: z.strictObject({
    offline: flag('Look for no model server: what is on PATH and in the environment is enough'),
    force: flag('Replace a configuration that exists'),
  }),
  epilogue: `Looks for coding agents on PATH, keys of model APIs in the environment, and model servers on the usual ports of this
machine, and seats two of what it finds at most. Nobody is asked anything and no key is written: a configuration names the variable
at most.`,
  async run({ offline, force }, terminal) {
    const file = path.join(terminal.cwd, 'jury.config.yaml');
    if (!force && existsSync(file)) throw existing(file);
    const jury = createJury(terminal);
    const machine = await jury.inspect({ servers: !offline });
    const seats = seatsOn(machine);
    await write(file, renderConfiguration(seats, terminal.cwd), force);
    // What was just written here is the person's own: it counts at once, committed or not.
    await jury.trust.grant(await jury.trust.examine({ file, at: null }));
    const lines = [...describeFound(machine, offline), ...describeWritten(file, seats)];
    terminal.write(fitted(terminal, lines.join('\n')));
    return 0;
  },
});

function describeFound({ clients, apiKeys, servers }: Machine, isOffline: boolean) {
  const agents = clients
    .filter(({ path: program }) => program !== null)
    .map(({ name, key }) => {
      if (key !== null) return name;
      return `${name} (no key${name === 'claude' ? '; of a subscription: claude setup-token' : ''})`;
    });
  const models = servers.map(
    ({ name, baseUrl, models: known }) => `${name} at ${baseUrl} (${count(known.length, 'model')})`,
  );
  return [
    'Found:',
    `  coding agents  ${agents.join(', ') || 'none on PATH'}`,
    `  keys           ${apiKeys.join(', ') || 'none in the environment'}`,
    `  local servers  ${models.join(', ') || (isOffline ? 'not looked for (--offline)' : 'none on the usual ports')}`,
  ];
}

interface FoundSeat {
  readonly id: string;
  readonly runner: string;
  readonly persona: string;
  readonly model?: string;
  readonly baseUrl?: string;
}

/** By vendor. Names of models age: `jury doctor` tells which a vendor still has. */
const vendors = {
  anthropic: { agents: ['claude'], model: 'claude-haiku-4-5', persona: 'security-reviewer' },
  openai: { agents: ['codex', 'opencode'], model: 'gpt-5-mini', persona: 'code-quality-reviewer' },
  google: { agents: ['gemini'], model: 'gemini-2.5-flash', persona: 'user-persona-reviewer' },
} as const satisfies Record<Machine['vendors'][number], object>;

/**
 * Two at most, of different vendors: a coding agent before the model API of its vendor, a server of this machine before a
 * second vendor.
 */
function seatsOn({ clients, vendors: keys, servers }: Machine) {
  const usable = clients.filter(({ path: program, key }) => program !== null && key !== null);
  const hosted = Object.entries(vendors).flatMap(([vendor, { agents, model, persona }]) => {
    const agent = usable.find(({ name }) => (agents as readonly string[]).includes(name))?.name;
    if (agent !== undefined) return [{ id: agent, runner: agent, persona }];
    return keys.some(key => key === vendor)
      ? [{ id: vendor, runner: 'api', model: `${vendor}/${model}`, persona }]
      : [];
  });
  const local = servers.flatMap(({ baseUrl, models: [model] }) =>
    model === undefined
      ? []
      : [
          {
            id: 'local',
            runner: 'api',
            model: `openai-compatible/${model}`,
            baseUrl,
            persona: 'code-quality-reviewer',
          },
        ],
  );
  return [...hosted.slice(0, 1), ...local.slice(0, 1), ...hosted.slice(1)].slice(0, 2);
}

function describeWritten(file: string, seats: readonly FoundSeat[]) {
  const names = seats.map(({ id, model }) =>
    makeVisible(model === undefined ? id : `${id} (${model})`),
  );
  return present(
    '',
    `Wrote ${file}: 4 built-in checks${names.length === 0 ? ', no model' : ` and ${names.join(', ')}`}.`,
    names.length === 0 &&
      'To seat a model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama, LM Studio or ' +
        'llama.cpp; then jury init --force',
    names.length === 0 ? 'Next: jury review' : 'Next: jury doctor',
  );
}

async function write(file: string, text: string, force: boolean) {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw existing(file);
    throw usageError(
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
      null,
      error,
    );
  }
}

function existing(file: string) {
  return usageError(`${file} exists already.`, 'Use --force to replace it.');
}

function renderConfiguration(seats: readonly FoundSeat[], folder: string) {
  return [
    `# yaml-language-server: $schema=${schemaFor(folder)}`,
    '# The panel of this repository. Every key is explained by: jury help configuration',
    '# Fail rules are tier:severity or worse; the quorum is more than half of the panel unless it is set here.',
    `failOn: [${defaultFailOn.join(', ')}]`,
    "exclude: ['**/*.png', '**/*.jpg', '**/*.ico', '**/*.woff2']",
    'reviewers:',
    '  - { id: secrets, runner: builtin, analyser: secrets, persona: security-reviewer }',
    '  - { id: javascript, runner: builtin, analyser: javascript }',
    '  - { id: patterns, runner: builtin, analyser: patterns, persona: security-reviewer }',
    '  - { id: diff, runner: builtin, analyser: diff }',
    ...seats.map(renderSeat),
    ...(seats.length === 0
      ? [
          '# A coding agent on PATH with its key in the environment:',
          '  # - { id: claude, runner: claude, persona: security-reviewer }',
        ]
      : [
          '# What a call costs is known where a reviewer states price: { input: 1, output: 5 }, in dollars for a million tokens.',
        ]),
    '# A model behind any OpenAI-compatible address:',
    '  # - { id: local, runner: api, model: openai-compatible/qwen3-coder, baseUrl: "http://127.0.0.1:8080/v1" }',
    '',
  ].join('\n');
}

function renderSeat({ id, runner, persona, model, baseUrl }: FoundSeat) {
  const keys = present(
    `id: ${id}`,
    `runner: ${runner}`,
    // Names come from servers: a JSON string is a YAML string, whatever is in it.
    model !== undefined && `model: ${escapeHidden(JSON.stringify(model))}`,
    baseUrl !== undefined && `baseUrl: ${escapeHidden(JSON.stringify(baseUrl))}`,
    `persona: ${persona}`,
  );
  return `  - { ${keys.join(', ')} }`;
}

/** Where Jury is a package of the project every checkout has the schema at one place; else it is where this Jury lies. */
function schemaFor(folder: string) {
  const own = path.join('schema', 'jury.config.schema.json');
  const installed = path.join(folder, 'node_modules', 'jury', own);
  return existsSync(installed) && realpathSync(installed).startsWith(realpathSync(folder))
    ? './node_modules/jury/schema/jury.config.schema.json'
    : pathToFileURL(path.join(packageFolder, own)).href;
}
