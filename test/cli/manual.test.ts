/** The manual page that ships says what the commands say today. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { groups } from '../../src/cli/commands.ts';
import { describeCommands } from '../../src/cli/help.ts';
import { renderManual } from '../../scripts/manual.mjs';
import { withSubcommands } from '../../src/render/completion.ts';

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
