import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Config } from '../src/core/words/config.ts';
import { jury } from './cli/jury.ts';
import { filesBelow } from './files-below.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const helps = new Map<string, string>();

/** What the built program says of a command, and the old name of a flag where it takes that without saying so. */
function helpOf(command: string, page: string) {
  const known = helps.get(command);
  if (known !== undefined) return known;
  const { code, stdout } = jury(root, [...command.split(' '), '--help']);
  expect(code, `jury ${command} in ${page}`).toBe(0);
  const help = `${stdout}\n--help${stdout.includes('--reviewers') ? ' --agents' : ''}`;
  helps.set(command, help);
  return help;
}

describe.each(pages)('%s', page => {
  const text = read(page);

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)]
      .map(match => match[1] ?? '')
      .filter(link => !link.startsWith('http'));
    expect(links.filter(link => !existsSync(path.join(root, path.dirname(page), link)))).toEqual(
      [],
    );
  });

  it('names paths of the repository that exist', () => {
    const named = [
      ...text.matchAll(/`((?:src|test|docs|personas|schema|scripts|bench|\.ci)\/[\w./-]*)`/g),
    ].map(match => match[1] ?? '');
    expect(named.filter(name => !existsSync(path.join(root, name)))).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm (?:run ([a-z][a-z:]*)|(start|test)\b)/g)].map(
      ([, script, own]) => script ?? own ?? '',
    );
    expect(named.filter(name => !(name in scripts))).toEqual([]);
  });

  it('names commands and flags of jury that exist', () => {
    for (const [, command = '', rest = ''] of text.matchAll(
      /(?:^|`)jury ((?!COMMAND)[a-z]+)([^`\n#]*)/gm,
    )) {
      const own = helpOf(command, page);
      const [word = ''] = rest.trim().split(/\s/);
      const isSubcommand = /^[a-z-]+$/.test(word) && own.includes(`jury ${command} ${word}  `);
      const help = isSubcommand ? helpOf(`${command} ${word}`, page) : own;
      for (const [flag] of rest.matchAll(/--[a-z][a-z-]*/g))
        expect(help, `jury ${command} ${flag} in ${page}`).toContain(flag);
    }
  });
});

it('AGENTS.md fits in a hundred lines and README.md on one screen', () => {
  expect(read('AGENTS.md').split('\n').length).toBeLessThanOrEqual(101);
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(60);
});

it('every configuration in the documents is one', async () => {
  const { parse } = await import('yaml');
  for (const page of pages) {
    for (const [, block] of read(page).matchAll(/```yaml\n([\s\S]*?)```/g))
      expect(Config.safeParse(parse(block ?? '')).error, page).toBeUndefined();
  }
});

it('the JSON Schema of the configuration is the one the code makes', () => {
  const made = z.toJSONSchema(Config, { io: 'input' });
  expect(JSON.parse(read('schema/jury.config.schema.json'))).toMatchObject(
    JSON.parse(JSON.stringify(made)) as object,
  );
});

it('names no machine and no registry anywhere', () => {
  const tracked = 'src test docs scripts bench personas .ci'
    .split(' ')
    .flatMap(folder => filesBelow(path.join(root, folder)));
  // Written so that this line is not its own finding.
  const forbidden = /registry[.]npmjs|[/]work[/](?:main|shared)/;
  expect(tracked.filter(file => forbidden.test(readFileSync(file, 'utf8')))).toEqual([]);
});
