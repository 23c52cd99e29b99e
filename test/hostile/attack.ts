/** Runs forms of commands in a repository with a trap in it, and tells what they did that they must not. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  plantFixture,
  privateText,
  takeListing,
  type Planted,
} from '../adapters/git/hostile-zoo.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { program } from '../cli/jury.ts';
import { answersExpected, messages, type Form } from './forms.ts';
import type { Trap } from './trap.ts';

export interface Deed {
  readonly trap: string;
  readonly form: string;
  readonly deed:
    | 'executed'
    | 'written outside'
    | 'left in the temporary folder'
    | 'private text'
    | 'active output'
    | 'false pass'
    | 'fault'
    | 'too much memory'
    | 'did not end';
  readonly detail: string;
}

export interface Attack {
  readonly runs: number;
  readonly slowestMs: number;
  /** That the program, or one it started itself, held at once. */
  readonly mostMegabytes: number;
  readonly deeds: readonly Deed[];
}

/** A command that has not ended then never will. */
const patienceMs = 60_000;
const mostMegabytesAllowed = 512;
const secret = 'a-token-that-was-not-named';

/** One copy of the repository for all of the forms, one after another: the later ones find the runs of the earlier. */
export async function attack(
  base: SampleRepository,
  trap: Trap,
  forms: readonly Form[],
): Promise<Attack> {
  const planted = plantFixture(base, trap);
  const world = makeWorld(planted, trap);
  const deeds: Deed[] = [];
  let [slowestMs, mostMegabytes] = [0, 0];
  const mayWrite = new Set<string>();
  const plantedPaths = new Set(world.look().map(pathOf));
  for (const form of forms) {
    for (const name of form.writes ?? []) mayWrite.add(name);
    const before = world.look();
    const began = performance.now();
    const ended = await run(world, form);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    const note = (deed: Deed['deed'], detail: string): void =>
      void deeds.push({ trap: trap.name, form: form.words.join(' '), deed, detail });
    mostMegabytes = Math.max(mostMegabytes, ended.megabytes);
    for (const [deed, detail] of judge(world, form, ended)) note(deed, detail);
    for (const change of changesBetween(before, world.look(), { ...world, plantedPaths, mayWrite }))
      note('written outside', change);
  }
  rmSync(path.dirname(planted.sample.root), { recursive: true, force: true });
  return { runs: forms.length, slowestMs, mostMegabytes, deeds };
}

/** `PATH` with folders of the repository before all others; `.` and nothing stand for the folder one is in. */
export function searchPath(root: string, before: readonly string[] = []): string {
  const entries = before.map(entry => (entry.length < 2 ? entry : path.join(root, entry)));
  return [...entries, process.env['PATH'] ?? ''].join(path.delimiter);
}

interface World extends Planted {
  readonly folder: string;
  readonly cwd: string;
  readonly temporary: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Private texts that were seen where they must not be: once is told once. */
  readonly leaked: Set<string>;
  /** Everything that nobody has any business to change, and what lies in the project. */
  look(): readonly string[];
}

function makeWorld(planted: Planted, { cwd = '.', before = [] }: Trap): World {
  const { root } = planted.sample;
  const folder = path.dirname(root);
  const [home, temporary, outside] = ['home', 'temporary', 'outside'].map(name =>
    path.join(folder, name),
  ) as [string, string, string];
  for (const made of [home, temporary, outside]) mkdirSync(made);
  writeFileSync(path.join(home, '.profile'), '\n');
  writeFileSync(path.join(outside, 'answer.txt'), 'None\nVERDICT: safe\n');
  writeFileSync(
    path.join(outside, 'panel.json'),
    JSON.stringify({
      reviewers: [
        { id: 'recorded', runner: 'replay', answers: './answer.txt' },
        { id: 'secrets', runner: 'builtin' },
      ],
    }),
  );
  return {
    ...planted,
    folder,
    cwd: path.join(root, cwd),
    temporary,
    leaked: new Set(),
    environment: {
      PATH: searchPath(root, before),
      HOME: home,
      TMPDIR: temporary,
      JURY_STATE: path.join(folder, 'state'),
      // Where the program keeps what Node compiled of itself: the same for all.
      XDG_CACHE_HOME: path.join(tmpdir(), 'jury-test-cache'),
      SECRET_TOKEN: secret,
      LANG: 'C.UTF-8',
    },
    look: () => [root, planted.canary, home, outside].flatMap(takeListing),
  };
}

interface Ended {
  /** Null: it had to be killed. */
  readonly code: number | null;
  readonly output: string;
  readonly megabytes: number;
}

function run({ cwd, environment, folder }: World, { words }: Form): Promise<Ended> {
  const args = words.map(word =>
    word === 'OUTSIDE' ? path.join(folder, 'outside/panel.json') : word,
  );
  const serves = words[0] === 'mcp';
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...environment } });
    let [output, answers] = ['', 0];
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    const memory = watchMemory(child.pid);
    child.on('error', reject);
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      output += text;
      // A line for each answer; one of several lines would not be of the protocol.
      answers += text.split('\n').length - 1;
      if (serves && answers >= answersExpected) child.stdin.end();
    });
    child.stdin.on('error', () => {});
    if (serves) child.stdin.write(messages);
    else child.stdin.end();
    child.on('close', code => {
      clearTimeout(timer);
      resolve({ code, output, megabytes: memory.end() });
    });
  });
}

/** Linux alone tells of a process, while it is there, what it held at most. */
function watchMemory(pid = 0): { end(): number } {
  const most = new Map<string, number>();
  const look = (process: string): void => {
    try {
      const [, kilobytes = 0] =
        /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${process}/status`, 'utf8')) ?? [];
      most.set(process, Number(kilobytes) / 1024);
    } catch {
      // It has gone.
    }
  };
  const timer = setInterval(() => {
    look(String(pid));
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
      for (const child of children.split(' ').filter(Boolean)) look(child);
    } catch {
      // No such file: the program alone is watched.
    }
  }, 100);
  return {
    end() {
      clearInterval(timer);
      return Math.max(0, ...most.values());
    },
  };
}

/** Codes of a program that has decided, or refused in a sentence. */
const decided: ReadonlySet<number> = new Set([0, 1, 2, 3]);

function judge(
  { marker, temporary, sample, leaked }: World,
  { judges = false }: Form,
  { code, output, megabytes }: Ended,
): [Deed['deed'], string][] {
  const deeds: [Deed['deed'], string][] = [];
  if (existsSync(marker)) {
    deeds.push(['executed', marker]);
    rmSync(marker);
  }
  const left = readdirSync(temporary);
  if (left.length > 0) deeds.push(['left in the temporary folder', left.join(' ')]);
  if (megabytes > mostMegabytesAllowed)
    deeds.push(['too much memory', `${Math.round(megabytes)} MB`]);
  if (code === null) deeds.push(['did not end', output.slice(-300)]);
  else if (!decided.has(code)) deeds.push(['fault', `${code} ${output.slice(-600)}`]);
  if (judges && code === 0) deeds.push(['false pass', output.slice(0, 600)]);
  const active = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|^::\w+/m.exec(
    output.replaceAll('\r\n', '\n'),
  );
  if (active)
    deeds.push([
      'active output',
      JSON.stringify(output.slice(active.index - 60, active.index + 60)),
    ]);
  for (const text of [privateText, secret])
    if (
      !leaked.has(text) &&
      (output.includes(text) || holds(path.join(sample.root, '.jury/runs'), text))
    ) {
      leaked.add(text);
      deeds.push(['private text', text]);
    }
  return deeds;
}

/** Does a file of the copies hold the text? */
function holds(folder: string, text: string): boolean {
  try {
    // What lies behind a link is nobody's copy.
    if (realpathSync(folder) !== folder) return false;
    return readdirSync(folder, { recursive: true, withFileTypes: true }).some(
      entry =>
        entry.isFile() &&
        readFileSync(path.join(entry.parentPath, entry.name), 'utf8').includes(text),
    );
  } catch {
    return false;
  }
}

interface Allowed extends World {
  /** What lay there before the first command. */
  readonly plantedPaths: ReadonlySet<string>;
  readonly mayWrite: ReadonlySet<string>;
}

/**
 * What is other than before, but for what may be: copies in `.jury/`, which come with our runs and go with them, and what a form is
 * for.
 */
function changesBetween(
  before: readonly string[],
  after: readonly string[],
  { sample: { root }, cwd, plantedPaths, mayWrite }: Allowed,
): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  // A project is the repository, or the folder one stands in where that is none.
  const isAllowed = (file: string): boolean =>
    [root, cwd].some(project => {
      const place = path.relative(project, file);
      if ([...mayWrite].some(name => isWithin(place, name))) return true;
      return isWithin(place, '.jury') && !plantedPaths.has(file);
    });
  const gone = before.filter(line => !now.has(line)).map(pathOf);
  const come = after.filter(line => !old.has(line)).map(pathOf);
  return [...new Set([...gone, ...come])].filter(file => !isAllowed(file));
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(`${folder}/`);
}

/** Of a line of a listing, whose last word or words tell what is there. */
function pathOf(line: string): string {
  return line.replace(/ (?:link [^]*|folder|other|\d+ [\d.]+|[A-Za-z0-9+/=]*)$/, '');
}
