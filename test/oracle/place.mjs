/**
 * Where cases are played. A case leaves behind texts in canonical form by the path of their file: what was written, changed or taken away, with
 * `step-N.exit`, `.stdout` and `.stderr` of each command, and in `asked.txt` what models were asked.
 */
import { execFileSync, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canonicalForm, sortedJson } from './canonical.mjs';
import { speak } from './mcp-client.mjs';
import { startModelServer } from './model-server.mjs';

const mostMs = 120_000;
const mostBytes = 600e6;
const beginMs = Date.parse('2030-01-01T00:00:00Z');
const ownFolder = path.join(tmpdir(), 'jury-oracle');
const digestOf = text => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** What only Jury reads, and what git keeps. */
const leftOut =
  /^(?:home|tmp)\/|^repository\/.*\.git\/(?!hooks\/)|\.sqlite(?:-\w+)?$|\/journal\.jsonl$|\.lock$/;

export function openBuild(checkout) {
  const folder = path.resolve(checkout);
  const dist = path.join(folder, 'dist', 'comparison');
  const read = name => readFileSync(path.join(dist, name), 'utf8');
  const commit = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  // Parts are named by their hashes.
  const bundle = digestOf(
    [
      read('program-main.js'),
      read('program-multi-consensus.js'),
      ...readdirSync(path.join(dist, 'parts')),
    ].join(),
  );
  const results = path.join(ownFolder, 'results', `${commit.trim()}-${bundle}`);
  mkdirSync(results, { recursive: true });
  return {
    folder,
    program: name => path.join(dist, `program-${name}.js`),
    kept(one) {
      const file = path.join(results, `${digestOf(player + JSON.stringify(one))}.json`);
      return {
        read: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null),
        write: tree => writeFileSync(file, JSON.stringify(tree)),
      };
    },
  };
}

/** How cases are played is part of what was done. */
const player = ['place', 'host', 'canonical', 'model-server', 'mcp-client']
  .map(name => readFileSync(new URL(`${name}.mjs`, import.meta.url), 'utf8'))
  .join('');

/** A folder of its own, whose path is as long as that of any other place. */
export async function openPlace() {
  const root = realpathSync(mkdtempSync(path.join(ownFolder, 'place-')));
  const folder = path.join(root, 'play');
  const server = await startModelServer(path.join(folder, 'panel'));
  const hosts = openHosts();
  const repository = path.join(folder, 'repository');
  const surroundings = { root, folder, repository, server, hosts };
  return {
    play: (one, build) => play(one, build, surroundings),
    async close() {
      hosts.close();
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function play(one, build, surroundings) {
  const { root, folder, repository, server } = surroundings;
  rmSync(folder, { recursive: true, force: true });
  for (const name of ['home', 'tmp', 'state'])
    mkdirSync(path.join(folder, name), { recursive: true });
  const template = templateOf(one.repository ?? [], root);
  cpSync(template, repository, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
  const prepare = step => apply(step, folder, surroundings);
  prepare(one);
  server.forget();
  const before = contentsOf(folder);
  const form = canonicalForm({
    [build.folder]: '<jury>',
    [root]: '<place>',
    [digestOf(repository)]: '<state>',
  });
  const tree = {};
  let said = '';
  for (const [index, step] of one.steps.entries()) {
    if (step.words === undefined) {
      prepare(step);
      continue;
    }
    const { exit, stdout, stderr } = await run(step, { index, said, build, ...surroundings });
    said += `\n${stdout}`;
    const name = `step-${String(index + 1).padStart(2, '0')}`;
    tree[`${name}.exit`] = exit;
    tree[`${name}.stdout`] = form.mask(sortedJson(stdout) ?? stdout);
    tree[`${name}.stderr`] = form.progress(stderr);
  }
  // In no order: several are asked at once.
  tree['asked.txt'] = server.asked().map(form.mask).sort().join('\n\n=====\n');
  return { ...tree, ...changesOf(before, contentsOf(folder), form) };
}

/** A recipe is a list of files and commands of a shell, as they come. */
function templateOf(recipe, root) {
  const folder = path.join(root, `template-${digestOf(JSON.stringify(recipe))}`);
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  for (const step of [{ shell: 'git init -q -b main --template=' }, ...recipe])
    apply(step, folder, { root, repository: folder });
  return folder;
}

/** Of a file: its text, null for none, `{ linkTo }`, `{ base64 }`, or else what it holds as JSON. */
function apply({ files = {}, shell }, base, { root, repository, server }) {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(base, name);
    rmSync(file, { force: true });
    if (content === null) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    if (content.linkTo !== undefined) symlinkSync(content.linkTo, file);
    else if (content.base64 !== undefined)
      writeFileSync(file, Buffer.from(content.base64, 'base64'));
    else
      writeFileSync(
        file,
        text.replaceAll('$server', () => server.url),
      );
  }
  if (shell === undefined) return;
  execFileSync('sh', ['-ec', shell], {
    cwd: repository,
    env: { PATH: process.env.PATH, ...gitIn(root) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Words: `$claim1` is the first claim that was printed before, `$run` the latest run. */
function run({ words, program = 'main', calls, cwd = '.', env }, surroundings) {
  const { index, said, build, root, folder, repository, hosts } = surroundings;
  const found = pattern => [...new Set(said.match(pattern))];
  const args = words.map(word =>
    word
      .replace(/\$claim(\d)/, (_, number) => found(/\bc-[0-9a-f]{10}\b/g)[number - 1] ?? 'c-none')
      .replace('$run', () => found(/\d{8}T\d{6}Z-[0-9a-f]{6}/g).at(-1) ?? 'none'),
  );
  const options = {
    cwd: path.join(repository, cwd),
    env: {
      PATH: process.env.PATH,
      HOME: path.join(folder, 'home'),
      TMPDIR: path.join(folder, 'tmp'),
      JURY_STATE: path.join(folder, 'state'),
      JURY_COMPARISON_CLOCK: new Date(beginMs + index * 60_000).toISOString(),
      JURY_COMPARISON_IDS: `step ${index}`,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      ORACLE_KEY: 'key-of-nobody',
      ...gitIn(root),
      ...env,
    },
  };
  return calls === undefined
    ? hosts.run(build.folder, { program: build.program(program), args, ...options })
    : speak([build.program(program).replace('program-', ''), ...args], options, calls);
}

/** A process for each build, and another one where it hangs or grows large. */
function openHosts() {
  const children = new Map();
  const end = folder => {
    children.get(folder)?.kill('SIGKILL');
    children.delete(folder);
  };
  return {
    async run(folder, command) {
      if (!children.has(folder)) children.set(folder, fork(new URL('host.mjs', import.meta.url)));
      const child = children.get(folder);
      let timer;
      const ended = await new Promise(resolve => {
        child.once('message', resolve).once('exit', () => resolve({ exit: 'died' }));
        timer = setTimeout(resolve, mostMs, { exit: 'hung' });
        child.send(command);
      });
      clearTimeout(timer);
      child.removeAllListeners();
      const { exit, stdout = '', stderr = '', bytes = Infinity } = ended;
      if (bytes > mostBytes) end(folder);
      return { exit, stdout, stderr };
    },
    close: () => [...children.keys()].forEach(end),
  };
}

/** The settings of nobody, and one time for all commits. */
function gitIn(root) {
  const file = path.join(root, 'gitconfig');
  if (!existsSync(file))
    writeFileSync(
      file,
      '[user]\nname = Ada\nemail = ada@example.org\n[protocol "file"]\nallow = always\n[maintenance]\nauto = false\n',
    );
  const date = '2024-01-02T03:04:05Z';
  return {
    GIT_CONFIG_GLOBAL: file,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
}

function contentsOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(path.relative(folder, entry.parentPath), entry.name))
    .filter(name => !leftOut.test(name));
  return new Map(files.map(name => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

/** Copies of what is in the state are only named. */
function changesOf(before, after, form) {
  const inState = new Set();
  const names = Object.keys(Object.fromEntries([...before, ...after]))
    .sort()
    .reverse();
  const changed = names.filter(name => before.get(name) !== after.get(name));
  return Object.fromEntries(
    changed.map(name => {
      const text = form.text(name, after.get(name) ?? '(taken away)');
      if (name.startsWith('state/')) inState.add(text);
      const isCopy = name.startsWith('repository/.jury/') && inState.has(text);
      return [form.mask(name), isCopy ? '(a copy of what is in the state)' : text];
    }),
  );
}
