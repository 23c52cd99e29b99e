/**
 * The package as somebody gets it: packed, unpacked in an empty folder, and used from there. Its dependencies are links to those of
 * this repository, so that no registry is asked: which versions are installed is the lockfile's business, what is packed is tested here.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgeTarball } from '../../scripts/check-package.mjs';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { createChangedRepository } from '../cli/jury.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let tarball: string;

beforeAll(() => {
  folder = createFolder();
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  tarball = path.join(folder, filename);
  const installed = path.join(folder, 'node_modules', 'jury');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(path.join(installed, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(path.dirname(path.join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(
      path.join(root, 'node_modules', name),
      path.join(folder, 'node_modules', name),
      'dir',
    );
  }
  // What the types of a caller of TypeScript need besides.
  mkdirSync(path.join(folder, 'node_modules', '@types'));
  symlinkSync(
    path.join(root, 'node_modules', '@types', 'node'),
    path.join(folder, 'node_modules', '@types', 'node'),
    'dir',
  );
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
  cpSync(path.join(root, 'examples'), path.join(folder, 'examples'), { recursive: true });
});

const example = (name: string) => path.join(folder, 'examples', `${name}.mjs`);
const start = (name: string, cwd: string) =>
  spawnSync(process.execPath, [example(name)], { cwd, encoding: 'utf8' });

it('holds what a user needs and nothing else', () => expect(judgeTarball(tarball)).toEqual([]));

it('has the page behind every link between its pages', () => {
  const installed = path.join(folder, 'node_modules', 'jury');
  const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(file =>
    /^docs[\\/].*\.md$/.test(file),
  );
  const broken = pages.flatMap(page =>
    [...readFileSync(path.join(installed, page), 'utf8').matchAll(/\]\((?!\w+:)([^)#\s]+)/g)]
      .map(([, link = '']) => link)
      .filter(link => !existsSync(path.join(installed, path.dirname(page), link)))
      .map(link => `${page} → ${link}`),
  );
  expect(pages.length).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});

describe('an example runs on it:', () => {
  it('review', () =>
    expect(start('review', createChangedRepository().root)).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('PASS') as string,
    }));

  it('own-reviewer', () => {
    const sample = createChangedRepository();
    sample.write('src/late.js', 'export {};\n// TODO: write it\n');
    sample.commit('three');
    expect(start('own-reviewer', sample.root)).toMatchObject({
      status: 1,
      stdout: "FAIL [ 'src/late.js:2 A task is left behind' ]\n",
    });
    sample.write('src/late.js', 'export {};\n');
    sample.commit('four');
    expect(start('own-reviewer', sample.root)).toMatchObject({ status: 0, stdout: 'PASS []\n' });
  });

  it('own-matcher', () =>
    expect(start('own-matcher', createChangedRepository().root).stdout).toMatch(
      /^[^\n]+: one and other\n$/,
    ));

  it('stream-to-page', async () => {
    const child = spawn(process.execPath, [example('stream-to-page')], {
      cwd: createChangedRepository().root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise(resolve => child.once('close', resolve));
    const address = await new Promise<string>(resolve =>
      child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim())),
    );
    expect(await (await fetch(address)).text()).toContain('EventSource');
    const events = (await (await fetch(new URL('events', address))).text())
      .trim()
      .split('\n\n')
      .map(line => JSON.parse(line.replace(/^data: /, '')) as { type: string });
    expect([events[0]?.type, events.at(-1)?.type]).toEqual([
      expect.stringMatching(/run-start|note/),
      'result',
    ]);
    expect(await ended).toBe(0);
  });

  it('vote', () => {
    const { stdout, stderr } = start('vote', createFolder());
    expect(`${stdout}${stderr}`).toBe('Write it down: ratified\nAsk nobody: rejected\n');
  });

  it('consensus-of-sarif', () =>
    expect(start('consensus-of-sarif', createFolder()).stdout).toMatch(
      /^3 claims, matched by calibrated\n2 of 2: high src\/users\.js:14 /,
    ));
});

it('its types allow what is meant and refuse what is not, and the page about them compiles', () => {
  const text = readFileSync(path.join(root, 'test', 'types', 'library.ts'), 'utf8').replace(
    "'../../src/index.ts'",
    "'jury'",
  );
  writeFileSync(path.join(folder, 'library.ts'), text);
  const page = readFileSync(path.join(root, 'docs', 'library.md'), 'utf8');
  const snippets = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
    ([, snippet = '']) => snippet,
  );
  for (const [index, snippet] of snippets.entries())
    writeFileSync(path.join(folder, `page-${index}.ts`), `${snippet}\nexport {};\n`);
  expect(snippets.length).toBeGreaterThan(3);
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options =
    '--noEmit --strict --exactOptionalPropertyTypes --target es2023 --module nodenext --types node --lib es2023'.split(
      ' ',
    );
  const { stdout } = spawnSync(
    process.execPath,
    [compiler, ...options, 'library.ts', ...snippets.map((_, index) => `page-${index}.ts`)],
    { cwd: folder, encoding: 'utf8' },
  );
  // Types of dependencies are theirs; what this package declares is checked with nothing skipped.
  expect(
    stdout
      .split('\n')
      .filter(line => /^(?:library|page-)/.test(line) || line.includes('node_modules/jury/')),
  ).toEqual([]);
});
