/** `jury doctor`: what this machine has for a panel, and whether every seat of it answers. */
import { flag, value } from '../core/flags.ts';
import { z } from 'zod';
import { makeVisible } from '../core/safety/visible-text.ts';
import { kindOf } from '../core/words/runner.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { createJury, type Machine } from '../index.ts';
import { count, money } from '../render/figures.ts';
import { defineCommand, TrustFlags } from './command.ts';
import { answer, fitted, notedCallOf } from './terminal.ts';
import { Amount } from '../core/words/fields.ts';
import { present } from '../core/groups.ts';

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
    return exitOf(machine);
  },
});

function exitOf({ git, configurationProblem, seats }: Machine) {
  if (configurationProblem !== null || seats.some(({ trial }) => trial?.status === 'untried'))
    return programExits.usage;
  return git === null || seats.some(isOut) ? programExits.unusableInput : 0;
}

/** Would a review go without it? */
function isOut({ isolation, trial }: Seat) {
  return isolation === null || trial?.status === 'fails';
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
    '✓ built-in reviewers: secrets, javascript, patterns, diff',
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
  const isPlain = ({ runner, isolation }: Seat): boolean =>
    kindOf(runner) === 'check' && isolation !== null;
  const plain = seats.filter(isPlain).map(({ id }) => id);
  return present(
    ...seats.filter(seat => !isPlain(seat)).flatMap(renderSeat),
    plain.length > 0 &&
      `✓ ${plain.join(', ')} (builtin): checks inside Jury, no process of their own`,
  );
}

function renderTelemetry(telemetry: Machine['telemetry']) {
  if (telemetry === null) return '  telemetry: none; no OTEL_EXPORTER_OTLP_ENDPOINT is set';
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
    `${trial === null ? mark : marks[trial.status]}${rest.join('')}`,
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
    price === null
      ? 'price unknown'
      : `$${price.input} in, $${price.output} out for a million tokens`,
  ).join(' · ');
}

function summaryOf(seats: readonly Seat[], spent: Machine['spent']) {
  if (spent === null)
    return `Nobody was asked (--offline); ${count(seats.length, 'seat is', 'seats are')} configured.`;
  const trials = seats.flatMap(({ trial }) => (trial === null ? [] : [trial]));
  const untried = trials.find(({ status }) => status === 'untried');
  if (untried !== undefined)
    return `✗ Nobody was asked: ${untried.why ?? ''} ${untried.mend ?? ''}`;
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
  const { configuration, configurationProblem, seats, spent } = machine;
  if (configurationProblem !== null) return [];
  if (configuration === null) return ['', 'Next: jury init'];
  if (seats.every(({ runner }) => kindOf(runner) === 'check') && hasModel(machine))
    return ['', 'Next: jury init --force, which seats what was found'];
  return spent === null || seats.some(seat => isOut(seat) || seat.trial?.status === 'untried')
    ? []
    : ['', 'Next: jury review'];
}

function hasModel({ clients, apiKeys, servers }: Machine) {
  return (
    apiKeys.length + servers.length > 0 ||
    clients.some(({ path, key }) => path !== null && key !== null)
  );
}

/** Mark and line of what encloses it. */
function renderIsolation({ id, runner, isolation, refused, refusedUntrusted }: Seat) {
  const who = `reviewer ${id} (${runner})`;
  if (isolation === null) return `✗ ${who}: not asked. ${refused ?? ''}`;
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
