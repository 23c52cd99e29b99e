/** `jury init`: writes a configuration that seats what this machine has. */
import { existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type Offer, offerNames, offerPanels, type OfferedSeat } from '../core/panel-offers.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { createJury, type Machine, UserError } from '../index.ts';
import { count } from '../render/figures.ts';
import { escapeHidden } from '../render/json.ts';
import { hang } from '../render/terminal-text.ts';
import { defineCommand } from './command.ts';
import { packageFolder } from './package-folder.ts';
import { ask, callOf, isAnswerable, type Terminal } from './terminal.ts';

export const init = defineCommand({
  summary: 'Write a configuration that seats the reviewers this machine has',
  flags: z.strictObject({
    panel: z
      .enum(offerNames)
      .optional()
      .describe(
        'Which of what was found: the cheapest model, one or two, or one of each vendor; default: you are asked',
      )
      .meta({ value: 'NAME' }),
    offline: z
      .boolean()
      .default(false)
      .describe('Look for no model server: what is on PATH and in the environment is enough'),
    force: z.boolean().default(false).describe('Replace a configuration that exists'),
  }),
  epilogue: `Looks for coding agents on PATH, keys of model APIs in the environment, and model servers on the usual ports of this
machine. Nobody is asked anything and no key is written: a configuration names the variable at most.`,
  async run({ panel, offline, force }, terminal) {
    const file = path.join(terminal.cwd, 'jury.config.yaml');
    if (!force && existsSync(file)) throw existing(file);
    const machine = await createJury(callOf(terminal)).inspect({ servers: !offline });
    const offers = offersOn(machine);
    terminal.write(fit(describeFound(machine, offline), terminal));
    const chosen = await choose(offers, panel, terminal);
    await write(file, renderConfiguration(chosen, terminal.cwd), force);
    await allow(file, terminal);
    terminal.write(fit(describeWritten(file, chosen), terminal));
    return 0;
  },
});

function offersOn({ clients, vendors, servers }: Machine): Offer[] {
  return offerPanels({
    clients: clients
      .filter(({ path: program, key }) => program !== null && key !== null)
      .map(({ name }) => name),
    vendors,
    servers,
  });
}

function describeFound({ clients, apiKeys, servers }: Machine, isOffline: boolean): string[] {
  const agents = clients.filter(({ path: program }) => program !== null);
  return [
    'Found:',
    `  coding agents  ${agents.map(({ name, key }) => (key === null ? `${name} (${name === 'claude' ? 'no key; of a subscription: claude setup-token' : 'no key'})` : name)).join(', ') || 'none on PATH'}`,
    `  keys           ${apiKeys.join(', ') || 'none in the environment'}`,
    `  local servers  ${servers.map(describeServer).join(', ') || (isOffline ? 'not looked for (--offline)' : 'none on the usual ports')}`,
  ];
}

function describeServer({ name, baseUrl, models }: Machine['servers'][number]): string {
  return `${name} at ${baseUrl} (${count(models.length, 'model')})`;
}

/** Null: there is nothing to seat but the built-in analysers. Throws `UserError` for a panel that cannot be had. */
async function choose(
  offers: readonly Offer[],
  wanted: Offer['name'] | undefined,
  terminal: Terminal,
): Promise<Offer | null> {
  if (wanted !== undefined) return offerNamed(wanted, offers);
  const [first] = offers;
  if (first === undefined || offers.length === 1) return first ?? null;
  const usual = Math.max(
    0,
    offers.findIndex(({ name }) => name === 'balanced'),
  );
  if (!isAnswerable(terminal)) {
    const taken = offers[usual] ?? first;
    terminal.write(
      fit(
        [
          '',
          `Nobody can be asked here, so the panel is "${taken.name}"; there ${offers.length === 2 ? 'is' : 'are'} also: ` +
            `${offers
              .filter(offer => offer !== taken)
              .map(({ name }) => `--panel ${name}`)
              .join(', ')}.`,
        ],
        terminal,
      ),
    );
    return taken;
  }
  terminal.write(
    fit(
      ['', 'Which panel, besides the built-in checks?', ...offers.flatMap(describeOffer)],
      terminal,
    ),
  );
  const answer = await ask(`Number [${usual + 1}] `, terminal);
  const index = answer === '' ? usual : Number(answer) - 1;
  const offer = offers[index];
  if (answer === null || offer === undefined)
    throw new UserError('Nothing was written.', {
      kind: 'usage',
      hint: `Answer with a number from 1 to ${offers.length}.`,
    });
  return offer;
}

function offerNamed(wanted: Offer['name'], offers: readonly Offer[]): Offer {
  // Panels that are the same are offered once, under the cheapest of their names.
  const offer =
    offers.find(({ name }) => name === wanted) ??
    offers.findLast(({ name }) => offerNames.indexOf(name) < offerNames.indexOf(wanted));
  if (offer === undefined)
    throw new UserError(
      'There is no model to seat: no coding agent with a key, no key, no server.',
      {
        kind: 'usage',
        hint: 'Without --panel the built-in checks alone are seated.',
      },
    );
  return offer;
}

const meanings: Readonly<Record<Offer['name'], string>> = {
  cheapest: 'the cheapest model',
  balanced: 'two models',
  different: 'one model of each vendor',
};

function describeOffer({ name, seats }: Offer, index: number): string[] {
  return [
    `  ${index + 1}  ${name}: ${meanings[name]}`,
    ...seats.map(seat => `       ${makeVisible(titleOf(seat))}, ${seat.cost}`),
  ];
}

function titleOf({ id, model }: OfferedSeat): string {
  return model === null ? id : `${id} (${model})`;
}

function describeWritten(file: string, offer: Offer | null): string[] {
  const seats = offer?.seats ?? [];
  return [
    '',
    `Wrote ${file}: 4 built-in checks${seats.length === 0 ? ', no model' : ` and ${seats.map(seat => makeVisible(titleOf(seat))).join(', ')}`}.`,
    ...(seats.length === 0
      ? [
          'To seat a model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama, LM Studio or llama.cpp; then jury init --force',
        ]
      : []),
    seats.length === 0 ? 'Next: jury review' : 'Next: jury doctor',
  ];
}

function fit(lines: readonly string[], { width, isTerminal }: Terminal): string {
  if (!isTerminal) return lines.join('\n');
  return lines
    .flatMap(line => {
      const [lead = ''] = /^ *(?:\d |coding agents|keys|local servers)? */.exec(line) ?? [];
      return hang(lead, line.slice(lead.length), width);
    })
    .join('\n');
}

async function write(file: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw existing(file);
    throw new UserError(
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
      { kind: 'usage', cause: error },
    );
  }
}

function existing(file: string): UserError {
  return new UserError(`${file} exists already.`, {
    kind: 'usage',
    hint: 'Use --force to replace it.',
  });
}

/** What was just written here is the person's own: it counts at once, committed or not. */
async function allow(file: string, terminal: Terminal): Promise<void> {
  const { trust } = createJury(callOf(terminal));
  await trust.grant(await trust.examine({ file, at: null }));
}

function renderConfiguration(offer: Offer | null, folder: string): string {
  return [
    `# yaml-language-server: $schema=${schemaFor(folder)}`,
    '# The panel of this repository. Every key is explained by: jury help configuration',
    '# Fail rules are tier:severity or worse; the quorum is more than half of the panel unless it is set here.',
    'failOn: [single:critical, majority:high, check:high]',
    "exclude: ['**/*.png', '**/*.jpg', '**/*.ico', '**/*.woff2']",
    'reviewers:',
    '  - { id: secrets, runner: builtin, analyser: secrets, persona: security-reviewer }',
    '  - { id: javascript, runner: builtin, analyser: javascript }',
    '  - { id: patterns, runner: builtin, analyser: patterns, persona: security-reviewer }',
    '  - { id: diff, runner: builtin, analyser: diff }',
    ...(offer?.seats ?? []).map(renderSeat),
    ...(offer === null
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

function renderSeat({ id, runner, persona, model, baseUrl }: OfferedSeat): string {
  const keys = [
    `id: ${id}`,
    `runner: ${runner}`,
    // Names come from servers: a JSON string is a YAML string, whatever is in it.
    ...(model === null ? [] : [`model: ${escapeHidden(JSON.stringify(model))}`]),
    ...(baseUrl === null ? [] : [`baseUrl: ${escapeHidden(JSON.stringify(baseUrl))}`]),
    `persona: ${persona}`,
  ];
  return `  - { ${keys.join(', ')} }`;
}

/** Where Jury is a package of the project every checkout has the schema at one place; else it is where this Jury lies. */
function schemaFor(folder: string): string {
  const own = path.join('schema', 'jury.config.schema.json');
  const installed = path.join(folder, 'node_modules', 'jury', own);
  return existsSync(installed) && realpathSync(installed).startsWith(realpathSync(folder))
    ? './node_modules/jury/schema/jury.config.schema.json'
    : pathToFileURL(path.join(packageFolder, own)).href;
}
