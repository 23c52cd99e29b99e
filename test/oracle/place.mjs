/**
 * Where cases are played: a folder that no other process has, whose path is as long as that of any other. Resolves to what a case left
 * behind: texts in canonical form by the path of their file, with `step-N.exit`, `.stdout`, `.stderr` of each command, and in
 * `asked.txt` what models were asked.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { digestOf, ownFolder } from './build.mjs';
import { canonicalForm, sortedJson } from './canonical.mjs';
import { speak } from './mcp-client.mjs';
import { startModelServer } from './model-server.mjs';

const mostMs = 120_000;
const beginMs = Date.parse('2030-01-01T00:00:00Z');

export async function openPlace() {
  const slot = takeSlot();
  const server = await startModelServer();
  return {
    play: (one, build) => play(one, build, { slot, server }),
    async close() {
      await server.close();
      rmSync(slot, { recursive: true, force: true });
    },
  };
}

function takeSlot(number = 10) {
  const slot = path.join(ownFolder, `slot-${number}`);
  mkdirSync(ownFolder, { recursive: true });
  try {
    mkdirSync(slot);
  } catch {
    if (isInUse(slot)) return takeSlot(number + 1);
    rmSync(slot, { recursive: true, force: true });
    return takeSlot(number);
  }
  writeFileSync(path.join(slot, 'pid'), String(process.pid));
  return realpathSync(slot);
}

function isInUse(slot) {
  try {
    process.kill(Number(readFileSync(path.join(slot, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function play(one, build, { slot, server }) {
  const folder = path.join(slot, 'play');
  rmSync(folder, { recursive: true, force: true });
  for (const name of ['home', 'tmp', 'state'])
    mkdirSync(path.join(folder, name), { recursive: true });
  const repository = path.join(folder, 'repository');
  cpSync(templateOf(one.repository ?? [], slot), repository, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
  const port = new URL(server.url).port;
  const put = files => write(folder, files, text => text.replaceAll('$port', port));
  put(one.files ?? {});
  server.forget();

  const form = canonicalForm([
    [build.folder, '<jury>'],
    [folder, '<play>'],
    [digestOf(repository).slice(0, 32), '<state>'],
  ]);
  const before = contentsOf(folder);
  const tree = {};
  const said = [];
  for (const [index, step] of one.steps.entries()) {
    if (step.edit !== undefined) put(step.edit);
    else if (step.git !== undefined) git(repository, step.git);
    else if (step.replace !== undefined) replace(folder, step);
    else {
      const environment = environmentOf(folder, index);
      const ended = await run(step, { build, folder, repository, environment, said });
      said.push(ended.stdout);
      for (const part of ['exit', 'stdout', 'stderr'])
        tree[`step-${String(index + 1).padStart(2, '0')}.${part}`] = form.text(
          part,
          sortedJson(ended[part]) ?? ended[part],
        );
    }
  }
  // In no order: several are asked at once.
  tree['asked.txt'] = server.asked().map(form.mask).sort().join('\n\n=====\n');
  return { ...tree, ...left(before, contentsOf(folder), form) };
}

function environmentOf(folder, index) {
  return {
    PATH: process.env.PATH,
    HOME: path.join(folder, 'home'),
    TMPDIR: path.join(folder, 'tmp'),
    JURY_STATE: path.join(folder, 'state'),
    // Holds nothing but code that V8 made of the bundles.
    XDG_CACHE_HOME: path.join(ownFolder, 'code'),
    JURY_COMPARISON_CLOCK: new Date(beginMs + index * 60_000).toISOString(),
    JURY_COMPARISON_IDS: `step ${index}`,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ORACLE_KEY: 'key-of-nobody',
    ...gitEnvironment,
  };
}

/** Words of a step: `$claim1` is the first claim that was printed before, `$run` the latest run. */
async function run(step, { build, folder, repository, environment, said }) {
  const { words, program = 'main', input = '', cwd = '.', env = {} } = step;
  const found = pattern => [...new Set(said.join('\n').match(pattern) ?? [])];
  const args = words.map(word =>
    word
      .replace(/\$claim(\d)/, (_, number) => found(/\bc-[0-9a-f]{10}\b/g)[number - 1] ?? 'c-none')
      .replace('$run', () => found(/\d{8}T\d{6}Z-[0-9a-f]{6}/g).at(-1) ?? 'none')
      .replace('$play', folder),
  );
  const child = spawn(process.execPath, [build.program(program), ...args], {
    cwd: path.join(repository, cwd),
    env: { ...environment, ...env },
    timeout: mostMs,
  });
  const ended = { exit: '', stdout: '', stderr: '' };
  for (const part of ['stdout', 'stderr'])
    child[part].setEncoding('utf8').on('data', text => (ended[part] += text));
  child.stdin.on('error', () => {});
  if (step.calls === undefined) child.stdin.end(input);
  else speak(child, step.calls);
  const [code, signal] = await new Promise(resolve => child.on('close', (...end) => resolve(end)));
  return { ...ended, exit: String(code ?? signal) };
}

/** What was written, changed or taken away. What Jury alone reads is left out, and so are copies of what stands in the state. */
function left(before, after, form) {
  const inState = new Set();
  const tree = {};
  const names = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => (a < b ? 1 : -1));
  for (const name of names) {
    const content = after.get(name);
    if (content === before.get(name)) continue;
    const text = content === undefined ? '(taken away)' : form.text(name, content);
    if (name.startsWith('state/')) inState.add(text);
    const isCopy = name.startsWith('repository/.jury/') && inState.has(text);
    tree[form.mask(name)] = isCopy ? '(a copy of what is in the state)' : text;
  }
  return tree;
}

const leftOut =
  /^(?:home|tmp)\/|^repository\/\.git\/(?!hooks\/)|\.sqlite(?:-\w+)?$|\/journal\.jsonl$|\.lock$/;

function contentsOf(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name));
  return new Map(
    found
      .map(file => [path.relative(folder, file), file])
      .filter(([name]) => !leftOut.test(name))
      .map(([name, file]) => [name, readFileSync(file, 'utf8')]),
  );
}

function write(folder, files, fill) {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    rmSync(file, { force: true });
    if (content === null) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    if (typeof content === 'string')
      writeFileSync(file, fill(content), { mode: content.startsWith('#!') ? 0o755 : 0o644 });
    else if ('linkTo' in content) symlinkSync(content.linkTo, file);
    else writeFileSync(file, Buffer.from(content.base64, 'base64'));
  }
}

/** A recipe is a list of steps: files to write, then the words of git, or a message to commit all with. */
function templateOf(recipe, slot) {
  const folder = path.join(slot, `template-${digestOf(JSON.stringify(recipe)).slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  git(folder, ['init', '-q', '-b', 'main']);
  rmSync(path.join(folder, '.git', 'hooks'), { recursive: true });
  for (const { files = {}, commit, git: words } of recipe) {
    write(folder, files, text => text);
    if (words !== undefined) git(folder, words);
    if (commit === undefined) continue;
    git(folder, ['add', '-A']);
    git(folder, ['commit', '-q', '--allow-empty', '-m', commit]);
  }
  return folder;
}

const who = { NAME: 'Ada', EMAIL: 'ada@example.org', DATE: '2024-01-02T03:04:05Z' };
const gitEnvironment = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  ...Object.fromEntries(
    Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  ),
};

function git(folder, words) {
  const settings = ['-c', 'protocol.file.allow=always', '-c', 'maintenance.auto=false'];
  execFileSync('git', [...settings, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...gitEnvironment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** In every file that is there; a case may not say which a build writes. */
function replace(folder, { replace: name, from, by }) {
  const file = path.join(folder, name);
  if (existsSync(file)) writeFileSync(file, readFileSync(file, 'utf8').replace(from, by));
}
