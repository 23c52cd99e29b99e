/** Runs the built program in a real repository, as a person would. `npm test` builds it first. */
import { runsOf, stateOf } from '../state-of.ts';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import {
  copySample,
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { type Ended, runProgram, runProgramBeside } from '../beside.ts';
import { atFileEnd } from '../file-end.ts';

/** The program that was built; `JURY_PROGRAM` names another one, such as an earlier version that a test must be red for. */
export const program =
  process.env['JURY_PROGRAM'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export type { Ended };

export interface Surroundings {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly program?: string;
  /** Of the test, in place of standard input and output. */
  readonly socket?: string;
}

/** No service that builds: these tests run in one as well. */
export const byHand = {
  CI: '',
  GITHUB_ACTIONS: '',
  GITLAB_CI: '',
  TF_BUILD: '',
  JENKINS_URL: '',
  TEAMCITY_VERSION: '',
};

/** In a thread of this process; an earlier version, which has no other way, in a process of its own. */
export function jury(cwd: string, args: readonly string[], surroundings: Surroundings = {}): Ended {
  return process.env['JURY_PROGRAM'] === undefined
    ? runProgram(callOf(cwd, args, surroundings))
    : juryProcess(cwd, args, surroundings);
}

/** The same while this process answers what the program asks of it. */
export function juryBeside(
  cwd: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Ended> {
  return runProgramBeside(callOf(cwd, args, surroundings));
}

/** In a process of its own. */
export function juryProcess(
  cwd: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Ended {
  const { program: file, environment: env, input } = callOf(cwd, args, surroundings);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd,
    input,
    encoding: 'utf8',
    env,
    maxBuffer: 64 << 20,
  });
  return { code: status, stdout, stderr };
}

function callOf(
  cwd: string,
  args: readonly string[],
  { environment = {}, ...surroundings }: Surroundings,
) {
  const settings = { program, input: '', ...surroundings };
  return { ...settings, args, cwd, environment: { ...process.env, ...environment } };
}

/** Starts the program and does not wait. */
export function startJury(
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  file = program,
): ReturnType<typeof spawn> {
  return spawn(process.execPath, [file, ...args], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** What a process that was started prints until it ends. */
export function endOf(child: ReturnType<typeof spawn>): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })));
}

export function juryJson(
  cwd: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): { readonly code: number | null; readonly record: PrintedRecord; readonly stderr: string } {
  const { code, stdout, stderr } = jury(cwd, [...args, '--format', 'json'], surroundings);
  return { code, record: JSON.parse(stdout) as PrintedRecord, stderr };
}

/** The folder of the run that answered last. Names tell no order: those of one second differ by chance. */
export function lastRun({ root }: SampleRepository): string {
  const { run } = JSON.parse(
    readFileSync(path.join(stateOf(root), 'last-answer.json'), 'utf8'),
  ) as {
    run: string;
  };
  return path.join(runsOf(root), run);
}

/** A repository of two commits; the second changes `src/sum.js`. */
export function createChangedRepository(): SampleRepository {
  changed ??= makeChangedRepository();
  return copySample(changed);
}

let changed: SampleRepository | undefined;

function makeChangedRepository() {
  const sample = createSampleRepository();
  atFileEnd(() => (changed = undefined));
  sample.write('src/sum.js', 'export const sum = list => list.reduce((a, b) => a + b, 0);\n');
  sample.commit('one');
  sample.write(
    'src/sum.js',
    'export function sum(list) {\n  return list.reduce((a, b) => a + b);\n}\n',
  );
  sample.commit('two');
  return sample;
}

export interface ScriptedReviewer {
  readonly id: string;
  /** Body of a Node program; `prompt` holds all of standard input. */
  readonly script: string;
  readonly settings?: string;
  /** Default: it may write in the folder that holds the repository, where tests look for what it did. */
  readonly isolation?: string;
}

/** Writes one program per reviewer and a configuration that seats them; returns the path of the configuration. */
export function writePanel(
  sample: SampleRepository,
  reviewers: readonly ScriptedReviewer[],
  settings = '',
): string {
  const commands = reviewers.map(({ id, script }) => {
    const shell = shellOf(script);
    const name = `./${id}.${shell === null ? 'mjs' : 'sh'}`;
    sample.write(
      `../panel/${name}`,
      shell === null
        ? `import fs from 'node:fs';\nlet prompt = '';\nprocess.stdin.setEncoding('utf8').on('data', text => (prompt += text)).on('end', () => {\n${script}\n});\n`
        : `cat >/dev/null\n${shell}`,
    );
    return `[${shell === null ? 'node' : 'sh'}, ${name}]`;
  });
  const lines = reviewers.map(
    ({ id, settings: own = '', isolation = 'write: [..]' }, index) =>
      `  - { id: ${id}, runner: command, command: ${commands[index]}, isolation: { ${isolation} }${own === '' ? '' : `, ${own}`} }`,
  );
  const file = path.join(sample.root, '../panel/jury.config.yaml');
  writeFileSync(file, `${settings}reviewers:\n${lines.join('\n')}\n`);
  return file;
}

const text = String.raw`('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")`;
const fixed: readonly (readonly [RegExp, string])[] = [
  [RegExp(String.raw`^console\.log\(${text}\);?$`), String.raw`printf '%s\n'`],
  [RegExp(String.raw`^process\.stdout\.write\(fs\.readFileSync\(${text}, 'utf8'\)\);$`), 'cat'],
  [/^process\.exit\((\d+)\);?$/, 'exit'],
];

/** A script that does the same whatever it is asked, for a shell, which starts ten times as fast as Node. Null for any other. */
function shellOf(script: string) {
  for (const [form, command] of fixed) {
    const [, word] = form.exec(script.trim()) ?? [];
    if (word === undefined) continue;
    return `${command} '${String(runInNewContext(word)).replaceAll("'", `'\\''`)}'\n`;
  }
  return null;
}

/** What a reviewer begins with that leaves a line for each time it is asked: `callsOf` reads them. */
export function noting({ root }: SampleRepository, id: string): string {
  return `fs.appendFileSync(${JSON.stringify(path.join(root, '../calls'))}, '${id}\\n');\n`;
}

/** Who was asked, in order. */
export function callsOf({ root }: SampleRepository): string[] {
  const file = path.join(root, '../calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** What a good reviewer says about the change of `createChangedRepository`. */
export const goodAnswer = `console.log('IMPORTANT|src/sum.js:2|The sum of an empty list throws since the initial value is gone\\nVERDICT: needs-changes');`;
