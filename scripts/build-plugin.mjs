// Writes the plugin for Claude Code and its counterparts for Codex and Gemini from one source: `plugin/source/`, `personas/` and
// the output contract in the code that was just built.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

const { renderOutputContract } = await import('../dist/core/prompt/prompt.js');
const { processes } = await import('../dist/core/process.js');

/**
 * A file with front matter.
 * @typedef {ReturnType<typeof readAll>[number]} Page
 * @typedef {{ readonly manifest: { readonly name: string, readonly version: string, readonly description: string },
 *   readonly server: object, readonly keys: Readonly<Record<string, string>>, readonly commands: readonly Page[],
 *   readonly skills: readonly Page[], readonly personas: readonly Page[] }} House
 * @typedef {Generator<readonly [file: string, content: string | object]>} MadeFiles
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const source = path.join(root, 'plugin', 'source');
const what =
  'Panels of independent reviewers for code, documents and decisions: short, counted answers, everything else by id.';

/** Every file that is made, by its path from the top of the repository. */
export function makePlugin() {
  const { keys, ...server } = JSON.parse(readFileSync(path.join(source, 'server.json'), 'utf8'));
  const { version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const manifest = { name: 'jury', version, description: what, author: { name: 'Jury' }, license };
  const house = {
    manifest,
    server,
    keys,
    commands: readAll(path.join(source, 'commands')),
    skills: readAll(path.join(source, 'skills')),
    personas: readAll(path.join(root, 'personas')),
  };
  return new Map(
    [...claudeFiles(house), ...codexFiles(house), ...geminiFiles(house)].map(([file, content]) => [
      file,
      typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
    ]),
  );
}

export function writePlugin() {
  for (const file of listMade()) rmSync(path.join(root, file));
  for (const [file, text] of makePlugin()) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

/** What stands where made files stand. */
export function listMade() {
  return readdirSync(path.join(root, 'plugin'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
    )
    .filter(file => !file.startsWith('plugin/source/'))
    .concat('.claude-plugin/marketplace.json', '.agents/plugins/marketplace.json')
    .filter(file => readOrNull(file) !== null)
    .toSorted();
}

function readOrNull(/** @type {string} */ file) {
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch {
    return null;
  }
}

function readAll(/** @type {string} */ folder) {
  return readdirSync(folder)
    .filter(file => file.endsWith('.md'))
    .toSorted()
    .map(file => ({ name: file.slice(0, -'.md'.length), ...readPage(path.join(folder, file)) }));
}

function readPage(/** @type {string} */ file) {
  const [, head, body = ''] =
    /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? [];
  if (head === undefined) throw new Error(`${file}: no front matter`);
  /** @type {Readonly<Record<string, string>>} */
  const fields = parse(head);
  return { head: fields, body: body.trim() };
}

function fill(/** @type {string} */ text, /** @type {Readonly<Record<string, string>>} */ values) {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, key) => values[key] ?? whole);
}

function page(/** @type {object} */ head, /** @type {string} */ body) {
  return `---\n${stringify(head, { lineWidth: 0 })}---\n\n${body}\n`;
}

function fragment(/** @type {string} */ name) {
  return readFileSync(path.join(source, name), 'utf8').trim();
}

function commandText(/** @type {Page} */ { body }, /** @type {string} */ placeholder) {
  return fill(fill(body, { answer: fragment('answer.md') }), { arguments: placeholder });
}

/** @returns {MadeFiles} */
function* skillFiles(/** @type {string} */ folder, /** @type {House} */ { skills }) {
  for (const { head, body } of skills)
    yield [`${folder}/skills/${head.name}/SKILL.md`, page(head, body)];
}

/** A persona as an agent of the client itself: its own words, then what it must leave behind. */
function agentText(/** @type {Page} */ { head, body }) {
  const contract = contractOf(head.name);
  const outputContract = renderOutputContract({
    contract,
    agent: head.name,
    outputFolder: null,
    writesFiles: true,
  });
  // What has an index can be collected, whatever else it holds.
  const index = contract === 'index' ? [] : [fragment('agent-index.md')];
  return [body, outputContract, ...index, fragment('agent-task.md')].join('\n\n');
}

/** What the process that hands the persona out asks for; of those that no process hands out, a findings index. */
function contractOf(/** @type {string} */ persona) {
  const process = processes.find(({ personas }) => personas.includes(persona));
  return process === undefined || process.contract === 'lines' ? 'index' : process.contract;
}

/**
 * @param {Page} persona
 * @param {readonly string[]} reading
 * @param {readonly string[]} searching
 */
function toolsFor({ head }, reading, searching) {
  return head.capability === 'research' ? [...reading, ...searching] : reading;
}

function describeAgent(/** @type {Page} */ { head }) {
  return (
    `${head.capability === 'research' ? 'Researches' : 'Reviews'} for Jury: ${head.focus}. Give it ` +
    'the matter and an OUTPUT_DIR; it writes what it finds there and returns one line.'
  );
}

/**
 * https://docs.claude.com/en/docs/claude-code/plugins-reference
 * @returns {MadeFiles}
 */
function* claudeFiles(/** @type {House} */ house) {
  const { manifest, server, commands, personas } = house;
  const tools = ['start', 'wait', 'show', 'verdicts', 'search'].map(
    name => `mcp__plugin_jury_jury__${name}`,
  );
  yield [
    '.claude-plugin/marketplace.json',
    {
      name: 'jury',
      description: what,
      owner: { name: 'Jury' },
      plugins: [{ name: 'jury', source: './plugin', description: what }],
    },
  ];
  yield ['plugin/.claude-plugin/plugin.json', manifest];
  yield ['plugin/.mcp.json', { mcpServers: { jury: server } }];
  for (const command of commands) {
    const head = {
      description: command.head.description,
      'argument-hint': `[${command.head.arguments}]`,
      'allowed-tools': [
        ...tools,
        ...[command.name, 'show', 'verdicts'].map(name => `Bash(jury ${name}:*)`),
      ].join(', '),
    };
    yield [`plugin/commands/${command.name}.md`, page(head, commandText(command, '$ARGUMENTS'))];
  }
  yield* skillFiles('plugin', house);
  for (const persona of personas)
    yield [
      `plugin/agents/${persona.name}.md`,
      page(
        {
          name: persona.name,
          description: describeAgent(persona),
          tools: toolsFor(
            persona,
            ['Read', 'Grep', 'Glob', 'Write'],
            ['WebSearch', 'WebFetch'],
          ).join(', '),
        },
        agentText(persona),
      ),
    ];
}

/**
 * Codex has no commands in its plugins: each one is a skill; and it keeps its environment from servers but for what is named.
 * https://developers.openai.com/codex/plugins
 * @returns {MadeFiles}
 */
function* codexFiles(/** @type {House} */ house) {
  const { manifest, server, keys, commands } = house;
  yield [
    '.agents/plugins/marketplace.json',
    {
      name: 'jury',
      plugins: [
        {
          name: 'jury',
          source: { source: 'local', path: './plugin/codex' },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Developer Tools',
        },
      ],
    },
  ];
  yield [
    'plugin/codex/.codex-plugin/plugin.json',
    { ...manifest, skills: './skills/', mcpServers: './.mcp.json' },
  ];
  yield [
    'plugin/codex/.mcp.json',
    { mcpServers: { jury: { ...server, env_vars: Object.keys(keys) } } },
  ];
  for (const command of commands) {
    const name = `jury-${command.name}`;
    yield [
      `plugin/codex/skills/${name}/SKILL.md`,
      page(
        {
          name,
          description: `${command.head.description}. Use when the person asks for it, or names ${name}.`,
        },
        commandText(command, `what the person named (${command.head.arguments})`),
      ),
    ];
  }
  yield* skillFiles('plugin/codex', house);
}

/**
 * A key reaches the server of an extension only as a setting. https://geminicli.com/docs/extensions/reference
 * @returns {MadeFiles}
 */
function* geminiFiles(/** @type {House} */ house) {
  const {
    manifest: { name, version, description },
    server,
    keys,
    commands,
    personas,
  } = house;
  const settings = Object.entries(keys).map(([envVar, label]) => ({
    name: label,
    description: `For reviewers that need ${envVar}; may stay empty.`,
    envVar,
    sensitive: true,
  }));
  yield [
    'plugin/gemini/gemini-extension.json',
    { name, version, description, mcpServers: { jury: server }, settings },
  ];
  for (const command of commands)
    yield [
      `plugin/gemini/commands/jury/${command.name}.toml`,
      toToml(command.head.description, commandText(command, '{{args}}')),
    ];
  yield* skillFiles('plugin/gemini', house);
  for (const persona of personas)
    yield [
      `plugin/gemini/agents/${persona.name}.md`,
      page(
        {
          name: persona.name,
          description: describeAgent(persona),
          kind: 'local',
          tools: toolsFor(
            persona,
            ['read_file', 'grep_search', 'glob', 'write_file'],
            ['google_web_search', 'web_fetch'],
          ),
        },
        agentText(persona),
      ),
    ];
}

/** Between three single quotes TOML takes everything as it stands. */
function toToml(/** @type {string} */ description, /** @type {string} */ prompt) {
  if (prompt.includes("'''")) throw new Error('A command cannot hold three single quotes.');
  return `description = ${JSON.stringify(description)}\nprompt = '''\n${prompt}\n'''\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePlugin();
