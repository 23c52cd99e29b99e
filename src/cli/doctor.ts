/** `jury doctor`: what this machine has for a panel, and whether every seat of it answers. */
import { existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { flag, value } from '../core/flags.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { analyserNames, kindOf, vendorOf } from '../core/words/runner.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { createJury, type Machine } from '../index.ts';
import { count, money, escapeHidden } from '../render/figures.ts';
import { defineCommand, TrustFlags } from './command.ts';
import { answer, fitted, notedCallOf } from './terminal.ts';
import { Amount } from '../core/words/fields.ts';
import { present } from '../core/groups.ts';
import { defaultFailOn } from '../core/words/config.ts';
import { messageOf, usageError } from '../core/errors.ts';
import { packageFolder } from './help.ts';

export const doctor = defineCommand({
  summary: 'Try every seat, and tell what this machine has for a panel',
  flags: z.strictObject({
    offline: flag('Ask nobody: look at what is here'),
    timeout: value(
      Amount.positive().max(3_600).default(30),
      'SECONDS',
      'Seconds that each seat has to answer',
    ),
    ...TrustFlags.shape,
    json: flag('Print it as JSON'),
  }),
  epilogue: `Each configured reviewer is asked for one word, all at once. Nothing of the project is shown to anybody.

Ends with 0 when every seat answers (with --offline: could be asked), 2 when one does not or git is missing, 3 when the
configuration cannot be used or is not allowed.`,
  async run({ offline, timeout, trustConfig, json }, terminal) {
    const jury = createJury({ ...notedCallOf(terminal), trustConfig });
    const machine = await jury.inspect({ ask: !offline, timeout });
    answer(terminal, json, machine, () =>
      fitted(terminal, renderMachine(machine).map(makeVisible).join('\n')),
    );
    if (
      machine.configurationProblem !== null ||
      machine.seats.some(({ trial }) => trial?.status === 'untried')
    )
      return programExits.usage;
    return machine.git === null || machine.seats.some(isOut) ? programExits.unusableInput : 0;
  },
});

/** Would a review go without it? */
function isOut({ isolation, trial }: Seat) {
  return !isolation || trial?.status === 'fails';
}

type Seat = Machine['seats'][number];

/** First what became of the seats, then each of them, then the machine. */
function renderMachine(machine: Machine) {
  const {
    jury,
    node,
    git,
    gitProblem,
    configuration,
    configurationProblem,
    clients,
    apiKeys,
    servers,
    isolation,
    seats,
    telemetry,
    sweepsProcesses,
    spent,
  } = machine;
  return [
    ...(configurationProblem !== null
      ? [`✗ Nobody was asked: ${configurationProblem}`, '']
      : seats.length === 0
        ? [
            'No seat is configured: built-in checks look at changes; questions and documents go to claude, codex and gemini.',
            '',
          ]
        : [summaryOf(seats, spent), '', ...renderSeats(seats), '']),
    'This machine:',
    `✓ jury ${jury} on Node ${node}`,
    git === null ? `✗ git: ${gitProblem ?? ''}` : `✓ git: ${git}`,
    configuration === null
      ? '  configuration: none; the panel is the built-in one ("jury init" writes one)'
      : configurationProblem === null
        ? `✓ configuration: ${configuration}`
        : `✗ configuration: ${configuration}`,
    `✓ built-in reviewers: ${analyserNames.join(', ')}`,
    ...renderClients(clients),
    apiKeys.length === 0
      ? '  model APIs: no key in the environment'
      : `✓ model APIs: keys in ${apiKeys.join(', ')}`,
    servers.length === 0
      ? '  local model servers: none on the usual ports'
      : `✓ local model servers: ${servers.map(({ name, baseUrl }) => `${name} at ${baseUrl}`).join(', ')}`,
    isolation.reason === null
      ? `✓ isolation of reviewer processes: ${isolation.level} by ${isolation.by ?? ''} (${isolation.reach})`
      : `! isolation of reviewer processes: ${isolation.level} (${isolation.reach}); no better one: ${isolation.reason}`,
    `  processes that can outlive a reviewer: ${isolation.survivors}`,
    renderTelemetry(telemetry),
    sweepsProcesses
      ? '✓ processes that leave their group are found and ended'
      : '! no /proc: a process that leaves its group is not found',
    ...nextStep(machine),
  ];
}

/** The built-in ones are alike, and stand in one line where nothing is to be said about any. */
function renderSeats(seats: readonly Seat[]) {
  const isPlain = ({ runner, isolation }: Seat) => kindOf(runner) === 'check' && isolation !== null;
  const plain = seats.filter(isPlain).map(({ id }) => id);
  return present(
    ...seats.filter(seat => !isPlain(seat)).flatMap(renderSeat),
    plain.length > 0 &&
      `✓ ${plain.join(', ')} (builtin): checks inside Jury, no process of their own`,
  );
}

function renderTelemetry(telemetry: Machine['telemetry']) {
  if (!telemetry) return '  telemetry: none; no OTEL_EXPORTER_OTLP_ENDPOINT is set';
  const { hosts, problem } = telemetry;
  return problem === null
    ? `✓ telemetry: spans and metrics of runs go to ${hosts.join(' and ')}`
    : `! telemetry: ${problem}`;
}

function renderSeat(seat: Seat) {
  const { runner, trial } = seat;
  const [mark, ...rest] = renderIsolation(seat);
  const marks = { works: mark, fails: '✗', untried: '!' };
  const terms = present(answerOf(trial), kindOf(runner) !== 'check' && termsOf(seat));
  return [
    `${!trial ? mark : marks[trial.status]}${rest.join('')}`,
    ...terms.map(term => `    ${term}`),
    ...(trial?.status === 'fails'
      ? present(`    fails: ${trial.why ?? ''}`, trial.mend !== null && `    → ${trial.mend}`)
      : []),
  ];
}

function answerOf(trial: Seat['trial']) {
  if (trial?.status !== 'works') return null;
  const by = trial.model === null ? '' : ` by ${trial.model}`;
  return `answers in ${(trial.durationMs / 1_000).toFixed(1)} s${by}`;
}

function termsOf({ model, window, price }: Seat) {
  return present(
    model === null ? null : `model ${model}`,
    `window ${window === null ? 'unknown' : `${window.toLocaleString('en')} tokens`}`,
    !price ? 'price unknown' : `$${price.input} in, $${price.output} out for a million tokens`,
  ).join(' · ');
}

function summaryOf(seats: readonly Seat[], spent: Machine['spent']) {
  if (!spent)
    return `Nobody was asked (--offline); ${count(seats.length, 'seat is', 'seats are')} configured.`;
  const trials = seats.flatMap(({ trial }) => (!trial ? [] : [trial]));
  const untried = trials.find(({ status }) => status === 'untried');
  if (untried) return `✗ Nobody was asked: ${untried.why ?? ''} ${untried.mend ?? ''}`;
  if (trials.length === 0)
    return '✓ Built-in checks alone are seated: there is nobody to ask, and nobody who reads the logic.';
  const works = trials.filter(({ status }) => status === 'works').length;
  const { calls, tokens, cost } = spent;
  const bill =
    calls === 0
      ? 'nothing'
      : `${count(calls, 'call')}, ${tokens.toLocaleString('en')} tokens, ${money(cost)}`;
  const mark = works === trials.length ? '✓' : '✗';
  return `${mark} ${works} of ${trials.length} answer. The try took ${bill}.`;
}

function nextStep(machine: Machine) {
  const { configuration, configurationProblem, seats, spent, clients, apiKeys, servers } = machine;
  if (configurationProblem !== null) return [];
  if (configuration === null) return ['', 'Next: jury init'];
  const hasModel =
    apiKeys.length + servers.length > 0 ||
    clients.some(({ path, key }) => path !== null && key !== null);
  if (hasModel && seats.every(({ runner }) => kindOf(runner) === 'check'))
    return ['', 'Next: jury init --force, which seats what was found'];
  return !spent || seats.some(seat => isOut(seat) || seat.trial?.status === 'untried')
    ? []
    : ['', 'Next: jury review'];
}

/** Mark and line of what encloses it. */
function renderIsolation({ id, runner, isolation, refused, refusedUntrusted }: Seat) {
  const who = `reviewer ${id} (${runner})`;
  if (!isolation) return `✗ ${who}: not asked. ${refused ?? ''}`;
  if (isolation.level === 'L3') return `✓ ${who}: L3, no process of its own`;
  const hosts = (isolation.hosts ?? []).map(host => host.replace(/:443$/, ''));
  const network = isolation.network
    ? 'with the network'
    : hosts.length > 0
      ? `network: ${hosts.join(', ')} only`
      : `without network${isolation.endpoint === undefined ? '' : ` but for ${isolation.endpoint}`}`;
  const limit =
    refusedUntrusted === null ? '' : ' It is not asked about untrusted changes, which need L1.';
  return isolation.reason === null
    ? `✓ ${who}: ${isolation.level}, ${network}${limit}`
    : `! ${who}: ${isolation.level}, ${network}: ${isolation.reason}${limit}`;
}

function renderClients(clients: Machine['clients']) {
  const there = clients.filter(({ path }) => path !== null);
  const names = clients.filter(({ path }) => path === null).map(({ name }) => name);
  return present(
    ...there.map(renderClient),
    names.length > 0 && `  not installed: ${names.join(', ')}`,
  );
}

function renderClient({ name, path, version, key, problem }: Machine['clients'][number]) {
  const parts = present(version, path, key === null ? null : `key in ${key}`, problem);
  return `${problem === null ? '✓' : '!'} ${name}: ${parts.join(' · ')}`;
}

// `jury init`: writes a configuration that seats what this machine has.

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
  id: string;
  runner: string;
  persona: string;
  model?: string;
  baseUrl?: string;
}

/** By vendor. Names of models age: `jury doctor` tells which a vendor still has. */
const vendors = {
  anthropic: { model: 'claude-haiku-4-5', persona: 'security-reviewer' },
  openai: { model: 'gpt-5-mini', persona: 'code-quality-reviewer' },
  google: { model: 'gemini-2.5-flash', persona: 'user-persona-reviewer' },
} as const satisfies Record<Machine['vendors'][number], object>;

/**
 * Two at most, of different vendors: a coding agent before the model API of its vendor, a server of this machine before a
 * second vendor.
 */
function seatsOn({ clients, vendors: keys, servers }: Machine) {
  const usable = clients.filter(({ path: program, key }) => program !== null && key !== null);
  const hosted = Object.entries(vendors).flatMap(([vendor, { model, persona }]) => {
    const agent = usable.find(({ name }) => vendorOf({ runner: name }) === vendor)?.name;
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
    throw usageError(`${file} cannot be written: ${messageOf(error)}.`, null, error);
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
    ...seats.map(entryOf),
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

function entryOf({ id, runner, persona, model, baseUrl }: FoundSeat) {
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
