/** A change that no budget holds, before reviewers who note what they are asked about and say one thing about every third file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury, juryJson, startJury, type Ended } from '../cli/jury.ts';

export interface LargeChange {
  readonly sample: SampleRepository;
  readonly config: string;
  /** Paths of the change. */
  readonly files: readonly string[];
  readonly run: (...words: readonly string[]) => Ended;
  readonly json: (...words: readonly string[]) => ReturnType<typeof juryJson>;
  readonly start: (...words: readonly string[]) => ReturnType<typeof startJury>;
  /** Each question that was put, in order: by whom, about which files, and whether it was answered. */
  readonly questions: () => readonly Asked[];
}

export interface Asked {
  readonly reviewer: string;
  readonly files: readonly string[];
  readonly isAnswered: boolean;
}

export interface LargeSettings {
  /** By folder: its reviewer, which reads nothing else, and how many files it has. Default: one folder of 30. */
  readonly folders?: Readonly<Record<string, number>>;
  /** Of one file, about. */
  readonly tokens?: number;
  /** Statements of a reviewer, before it answers; `count` is how many questions it was put before this one. */
  readonly before?: string;
  readonly settings?: string;
  /** Tokens of the models; default: nobody knows. */
  readonly context?: number;
  /** One file in so many has something to be said about. Default: 3. */
  readonly every?: number;
}

export function createLargeChange({
  folders = { src: 30 },
  tokens = 1_000,
  before = '',
  settings = '',
  every = 3,
  context,
}: LargeSettings = {}): LargeChange {
  const sample = createSampleRepository();
  sample.write('README.md', 'one\n');
  sample.commit('one');
  const files = Object.entries(folders).flatMap(([folder, count]) =>
    Array.from(
      { length: count },
      (_, index) => `${folder}/part${String(index + 1).padStart(2, '0')}.js`,
    ),
  );
  for (const file of files) sample.write(file, sourceOf(file, tokens));
  sample.commit('two');
  const panel = path.join(sample.root, '../panel');
  const log = path.join(panel, 'log');
  for (const folder of Object.keys(folders)) {
    sample.write(
      `../panel/${folder}-reviewer.md`,
      `---\nname: ${folder}-reviewer\nrole: language\nfocus: ${folder}\nveto: false\nbudget: ` +
        `6144\ncapability: review\nfiles: ['${folder}/**']\n---\nYou review ${folder}.\n`,
    );
    sample.write(`../panel/${folder}.mjs`, reviewerOf(folder, log, { before, every }));
  }
  const config = path.join(panel, 'jury.config.yaml');
  writeFileSync(
    config,
    `${settings}failOn: [never]\nquorum: 1\nreviewers:\n${Object.keys(folders)
      .map(
        folder =>
          `  - { id: ${folder}, persona: ./${folder}-reviewer.md, runner: command, command: [node, ` +
          `./${folder}.mjs], isolation: { write: [.] ` +
          `}${context === undefined ? '' : `, context: ${context}`} }\n`,
      )
      .join('')}`,
  );
  return {
    sample,
    config,
    files,
    run: (...words) => jury(sample.root, words),
    json: (...words) => juryJson(sample.root, words),
    start: (...words) => startJury(sample.root, words),
    questions: () => readLog(log),
  };
}

function sourceOf(file: string, tokens: number): string {
  return `// ${file}\n`.concat(
    'const value = compute(first, second);\n'.repeat(Math.round(tokens / 8)),
  );
}

function reviewerOf(
  id: string,
  log: string,
  { before, every }: Required<Pick<LargeSettings, 'before' | 'every'>>,
): string {
  return `import fs from 'node:fs';
let prompt = '';
process.stdin.setEncoding('utf8').on('data', text => (prompt += text)).on('end', async () => {
  const files = [...new Set([...prompt.matchAll(/^\\+\\+\\+ b\\/(\\S+)/gm)].map(match => match[1]))];
  const log = ${JSON.stringify(log)};
  const note = kind => fs.appendFileSync(log, JSON.stringify([kind, '${id}', files]) + '\\n');
  const count = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\\n').filter(line => line.startsWith('["asked","${id}"')).length : 0;
  note('asked');
  ${before}
  const found = files.filter(file => Number(/(\\d+)/.exec(file)[1]) % ${every} === 0);
  console.log([...found.map(file => 'IMPORTANT|' + file + ':2|' + file + ' computes a value that nobody in ' + file + ' uses'), ...(found.length === 0 ? ['None'] : []), 'VERDICT: ' + (found.length === 0 ? 'safe' : 'needs-changes')].join('\\n'));
  note('answered');
});
`;
}

function readLog(log: string): readonly Asked[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  const notes = lines
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as [string, string, string[]]);
  const answered = notes.filter(([kind]) => kind === 'answered');
  return notes
    .filter(([kind]) => kind === 'asked')
    .map(([, reviewer, files]) => ({
      reviewer,
      files,
      isAnswered: answered.some(
        ([, by, about]) => by === reviewer && about.join() === files.join(),
      ),
    }));
}
