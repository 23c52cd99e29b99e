/**
 * A real run that deserves to fail: four reviewers who take their time and note when they are asked, and what they must be found
 * to have said.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, program, writePanel } from '../cli/jury.ts';

const remarks = [
  'The sum of an empty list throws since the initial value is gone',
  'Overflow of large integers loses precision',
  'Callers in other modules were not updated',
  'Export is now hoisted and changes the load order',
];

export interface Lab {
  readonly sample: SampleRepository;
  readonly config: string;
  /** The state of this project alone. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
}

export function createLab(state = path.join(createFolder(), 'state')): Lab {
  const sample = createChangedRepository();
  const folder = path.dirname(sample.root);
  const log = path.join(folder, 'log');
  const temporary = path.join(folder, 'temporary');
  mkdirSync(temporary);
  const config = writePanel(
    sample,
    remarks.map((remark, index) => ({
      id: `r${index}`,
      isolation: 'sandbox: false',
      script: `fs.appendFileSync(${JSON.stringify(log)}, 'r${index}\\n');
setTimeout(() => console.log('CRITICAL|src/sum.js:2|${remark}\\nVERDICT: needs-changes'), ${20 + index * 100});`,
    })),
    'quorum: 4\nfailOn: [single:high]\n',
  );
  return {
    sample,
    config,
    state,
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      TMPDIR: temporary,
      JURY_STATE: state,
      JURY_TRUST_CONFIG: '1',
      XDG_CACHE_HOME: path.join(tmpdir(), 'jury-test-cache'),
    },
  };
}

export interface Ended {
  /** Null: a signal ended it, or it never ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const patienceMs = 60_000;

export interface Circumstances {
  /** Words of a shell around the program. */
  readonly before?: string;
  readonly more?: Readonly<Record<string, string>>;
}

export interface Started {
  readonly ended: Promise<Ended>;
  readonly kill: () => void;
}

export function start(
  { sample, environment }: Lab,
  words: readonly string[],
  { before = '', more = {} }: Circumstances = {},
): Started {
  const child = spawn(
    'sh',
    ['-c', `${before} exec "$@"`, 'sh', process.execPath, program, ...words],
    {
      cwd: sample.root,
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const kill = () => void child.kill('SIGKILL');
  const timer = setTimeout(kill, patienceMs);
  return {
    kill,
    ended: new Promise(resolve =>
      child.on('close', code => {
        clearTimeout(timer);
        resolve({ code, stdout, stderr });
      }),
    ),
  };
}

export function run(
  lab: Lab,
  words: readonly string[],
  circumstances: Circumstances = {},
): Promise<Ended> {
  return start(lab, words, circumstances).ended;
}

export const review = (lab: Lab): string[] => [
  'review',
  '--config',
  lab.config,
  '--format',
  'json',
];
export const resume = ['resume', '--format', 'json'];

/** How often each reviewer was asked. */
export function asked({ sample }: Lab): ReadonlyMap<string, number> {
  const log = path.join(sample.root, '../log');
  const counts = new Map<string, number>();
  for (const id of existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
    counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The folder of the run there is; null where none was begun. */
export function runFolder({ state }: Lab): string | null {
  const projects = existsSync(state) ? readdirSync(state).filter(name => name.length === 32) : [];
  const runs = path.join(state, projects[0] ?? 'none', 'runs');
  const [run] = existsSync(runs) ? readdirSync(runs).filter(name => /^\d{8}T/.test(name)) : [];
  return run === undefined ? null : path.join(runs, run);
}

/** Reviewers whose answers are in the journal, so that nobody needs to ask them again. */
export function recorded(lab: Lab): readonly string[] {
  const file = path.join(runFolder(lab) ?? 'none', 'journal.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.flatMap(line => {
    const [, id] = /\["(r\d)\/1\/call\/1\/1",\{"status":"answered"/.exec(line) ?? [];
    return id === undefined ? [] : [id];
  });
}

/** Begins a run and ends it when an answer is in its journal; who has answered by then. */
export async function killWhenRecorded(lab: Lab): Promise<readonly string[]> {
  const started = start(lab, review(lab));
  const over = started.ended.then(() => 'over');
  while (recorded(lab).length === 0 && (await Promise.race([over, wait(5)])) !== 'over');
  started.kill();
  await started.ended;
  return recorded(lab);
}

/** What a report says was found: nothing else of two runs needs to be the same. Null where there is no report. */
export function findingsOf({ stdout }: Ended): string | null {
  try {
    const { claims, outcome } = JSON.parse(stdout) as {
      outcome: string;
      claims: { severity: string; text: string; findings: { reviewer: string; text: string }[] }[];
    };
    const found = claims.flatMap(({ findings }) =>
      findings.map(({ reviewer, text }) => `${reviewer}: ${text}`),
    );
    return JSON.stringify([outcome, found.toSorted()]);
  } catch {
    return null;
  }
}

/** What faults did to runs; `told` once, when all of them have been tried. */
export interface Tally {
  /** Notes how a command ended after a fault: never with a pass, as everything here deserves to fail. */
  readonly add: (where: string, ended: Ended, wanted?: string | null) => void;
  readonly wrong: string[];
  readonly told: (what: string) => string;
}

export function createTally(): Tally {
  const codes = new Map<string, number>();
  const wrong: string[] = [];
  let [falsePasses, lost] = [0, 0];
  return {
    wrong,
    add(where, ended, wanted = null) {
      const code = String(ended.code);
      codes.set(code, (codes.get(code) ?? 0) + 1);
      const found = findingsOf(ended);
      if (ended.code === 0 || found?.startsWith('["PASS"') === true) {
        falsePasses += 1;
        wrong.push(`${where}: passes: ${ended.stderr.slice(-300)}`);
      } else if (ended.code === 1 && wanted !== null && found !== wanted) {
        lost += 1;
        wrong.push(`${where}: has lost findings: ${found ?? ended.stdout.slice(0, 300)}`);
      }
    },
    told(what) {
      const ended = [...codes]
        .map(([code, count]) => `${count} × ${code}`)
        .toSorted((one, other) => (one < other ? -1 : 1));
      return `${what}: ended by exit code ${ended.join(', ')}; ${falsePasses} false passes, ${lost} with findings lost`;
    },
  };
}
