/** What help prints fits the terminal, no word is broken by its edge, and the first page is one screen. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands, groups } from '../../src/cli/commands.ts';
import { describeCommands } from '../../src/cli/help.ts';
import { withSubcommands } from '../../src/render/completion.ts';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { jury } from './jury.ts';
import { execute } from './memory-terminal.ts';
import { renderManual } from '../../scripts/manual.mjs';

/** What a command writes on a terminal of so many columns. */
async function written(words: readonly string[], width: number) {
  const [name = 'help', ...args] = words;
  const command = await commands[name]?.();
  const { code, stdout } = await execute(command, [name, ...args], { cwd: '.', width });
  expect(code).toBe(0);
  return stdout.split('\n');
}

const names = withSubcommands(
  (await describeCommands(groups)).flatMap(group => group.commands),
).map(({ name }) => name.split(' '));
const pages = readdirSync(new URL('../../docs', import.meta.url)).filter(name =>
  name.endsWith('.md'),
);

describe.each([60, 80])('at %i columns', width => {
  it.each(names)('help of %s %s', async (...words) => {
    const lines = await written([...words.filter(Boolean), '--help'], width);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter(line => line.length > width)).toEqual([]);
  });

  it.each([[[]], [['--all']], [['pages']], ...pages.map(page => [[page]])])(
    'help %s',
    async words => {
      const lines = await written(['help', ...words], width);
      expect(lines.filter(line => line.length > width)).toEqual([]);
    },
  );
});

it('the first page is one screen, and leads to everything', () => {
  const { code, stdout } = jury(createFolder(), ['--help']);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
  for (const name of Object.keys(commands)) expect(stdout).toContain(name);
  expect(jury(createFolder(), []).stdout).toBe(stdout);
});

it.each(['review', 'gates', 'document', 'ask', 'research', 'brainstorm'])(
  'the many flags of jury %s stand under titles, all of them',
  async name => {
    const lines = await written([name, '--help'], 80);
    expect(lines.filter(line => /^[A-Z].*:$/.test(line)).slice(1, -1)).toEqual(
      expect.arrayContaining(['Who is asked:', 'What it may cost:', 'What decides:', 'Options:']),
    );
    const rest = lines.slice(lines.indexOf('Options:') + 1);
    expect(rest.slice(0, rest.indexOf('')).map(line => line.trim())).toEqual([
      expect.stringMatching(/^-h, --help/),
    ]);
  },
);

it('a summary goes on below itself', () =>
  expect(jury(createFolder(), ['--help', '--all']).stdout).toMatch(
    /\n {2}verify {6}Check what needs no opinion: .+\n {14}[a-z]/,
  ));

describe('jury help TOPIC', () => {
  it('lists all pages by their titles', () => {
    const { code, stdout } = jury(createFolder(), ['help', 'pages']);
    expect(code).toBe(0);
    for (const page of pages)
      expect(stdout).toMatch(new RegExp(`^  ${page.slice(0, -3)} +\\S`, 'm'));
    expect(stdout).toMatch(/^ {2}memory +What a project remembers$/m);
  });

  it('is the help of a command, which names its page', () => {
    const { code, stdout } = jury(createFolder(), ['help', 'review']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('--fail-on')]);
    expect(stdout).toContain('jury help review.md');
    expect(jury(createFolder(), ['help', 'motions', 'show']).stdout).toContain('jury motions show');
  });

  it('is a page as it is written', () => {
    const { code, stdout } = jury(createFolder(), ['help', 'memory']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('# What a project remembers')]);
  });

  it('suggests what is near', () =>
    expect(jury(createFolder(), ['help', 'memry'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Did you mean "memory"?') as string,
    }));
});

it.each(['-v', '-V', '--version'])('%s is the version', flag =>
  expect(jury(createFolder(), [flag]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/),
);

/** The manual page that ships says what the commands say today. */
const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

it('is the one that the commands make', async () => {
  const { version, man, files } = JSON.parse(read('package.json')) as {
    version: string;
    man: string;
    files: string[];
  };
  const pages = readdirSync(new URL('docs', root))
    .filter(name => name.endsWith('.md'))
    .map(name => name.slice(0, -'.md'.length))
    .toSorted();
  expect([man, files.includes('man')]).toEqual(['./man/jury.1', true]);
  expect(read(man)).toBe(renderManual(await describeCommands(groups), { version, pages }));
});

it('names every command, every subcommand and every flag', async () => {
  const page = read('man/jury.1').replaceAll('\\-', '-');
  const all = withSubcommands((await describeCommands(groups)).flatMap(({ commands }) => commands));
  expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['review', 'motions show']));
  for (const { name, flags } of all) {
    expect(page).toContain(`.B jury ${name}`);
    for (const flag of flags) expect(page).toContain(`\\fB${flag.name}\\fR`);
  }
});

it('has no line that roff would take for a request of its own', () => {
  const requests = /^\.(?:TH|SH|SS|TP|B|I|RI|RS|RE|PP|nf|fi)\b/;
  const lines = read('man/jury.1').split('\n');
  expect(lines.filter(line => /^[.']/.test(line) && !requests.test(line))).toEqual([]);
});
