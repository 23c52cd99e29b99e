/** What a reviewer says is printed into the log of a workflow, which its runner reads: no word of it may command anything there. */
import { beforeAll, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, writePanel, type Ended } from './jury.ts';

const commands = ['::set-output name=pull::99', '##[set-output name=pull;]99'];
const words = `${commands[1]} The sum of ${'an empty list '.repeat(9)} ${`${commands.join(' ')} `.repeat(9)}`;

const environment = { GITHUB_ACTIONS: 'true' };
let sample: SampleRepository;
let reviewed: Ended;

beforeAll(() => {
  sample = createChangedRepository();
  const said = JSON.stringify(`CRITICAL|src/sum.js:2|${words}\n`);
  const config = writePanel(sample, [
    { id: 'says', script: `console.log(${said});` },
    {
      id: 'fails',
      script: `console.error(${JSON.stringify(commands.join('\n'))}); process.exit(1);`,
    },
  ]);
  const review = ['review', 'HEAD~1..HEAD', '--config', config, '--quorum', '1'];
  reviewed = jury(sample.root, [...review, '--format', 'github'], { environment });
});

/** As the runner looks for them: at the first letter of a line, or by the old sign anywhere. */
function commandsIn(log: string) {
  return log
    .split(/\r?\n/)
    .filter(line => /^\s*::[\w-]+[^\n]*?::/.test(line) || /##\[[\w-]+[^\]]*\]/.test(line));
}

const formats = 'terminal brief markdown json sarif junit gitlab html'.split(' ');

it.each(formats)('holds no command in %s', format => {
  const { stdout, stderr } = jury(sample.root, ['report', 'latest', '--format', format], {
    environment,
  });
  expect(stdout).toContain('set-output');
  expect(commandsIn(stdout + stderr)).toEqual([]);
  if (format === 'json') expect(JSON.stringify(JSON.parse(stdout))).toContain('##[set-output');
});

it('holds those of Jury alone in github', () => {
  expect(commandsIn(reviewed.stderr)).toEqual([]);
  const lines = commandsIn(reviewed.stdout);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) /);
});
