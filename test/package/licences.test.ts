/** What a user gets with Jury, installed beside it or built into it, may be used by anybody for anything, and its notices come along. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');

/** Names and expressions of https://spdx.org/licenses that ask for no more than a notice. */
const permissive: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  '(Apache-2.0 AND BSD-3-Clause)',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

interface Component {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Record<string, Omit<Component, 'name'> & { readonly dev?: boolean }>;
};
/** Optional ones of every platform included. */
const installed: readonly Component[] = Object.entries(packages)
  .filter(([at, { dev = false }]) => at !== '' && !dev)
  .map(([at, entry]) => ({ name: at.replace(/^.*node_modules\//, ''), ...entry }));
const builtIn = JSON.parse(read('dist/built-in.json')) as readonly Component[];

it('every licence is a permissive one', () => {
  const others = [...installed, ...builtIn].filter(
    ({ license = 'none' }) => !permissive.has(license),
  );
  expect(installed.length).toBeGreaterThan(4);
  expect(builtIn.length).toBeGreaterThan(20);
  expect(others.map(({ name, license }) => `${name}: ${license ?? 'none'}`)).toEqual([]);
});

it('the notices name every package that is built in, with the text of its licence', () => {
  const notices = read('dist/THIRD-PARTY-NOTICES.txt').split(/^-{80}$/m);
  const textOf = (line: string) =>
    notices.find(notice => notice.includes(line))?.replace(/^.*\(.+\).*$/gm, '') ?? '';
  const without = builtIn.filter(
    ({ name, version, license = '' }) =>
      !/permission|licen[cs]e|redistribution/i.test(textOf(`${name} ${version} (${license})`)),
  );
  expect(without).toEqual([]);
});

it('the notices hold the whole licences that are otherwise only referred to', () =>
  expect(read('dist/THIRD-PARTY-NOTICES.txt')).toContain(
    'TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION',
  ));
