import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { pathIn, rootNamed } from '../../src/mcp/tool.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'jury-roots-')));
const folder = path.join(base, 'root');
mkdirSync(path.join(folder, 'docs'), { recursive: true });
mkdirSync(path.join(base, 'root-beside'));
writeFileSync(path.join(folder, 'docs/plan.md'), '# Plan\n');
writeFileSync(path.join(base, 'secret.md'), 'secret\n');
symlinkSync(path.join(base, 'secret.md'), path.join(folder, 'docs/link.md'));
symlinkSync(path.join(base, 'root-beside'), path.join(folder, 'beside'));
afterAll(() => rmSync(base, { recursive: true }));

it.each([
  ['docs/plan.md', 'docs/plan.md'],
  ['docs', 'docs'],
  ['.', '.'],
  ['docs/./plan.md', 'docs/plan.md'],
])('%s is below the root as %s', async (given, expected) =>
  expect(await pathIn({ name: 'here', folder }, given)).toBe(expected),
);

it.each(
  (
    '/etc/passwd ../secret.md ./docs/../docs/plan.md docs/../../secret.md docs\\..\\..\\secret.md C:\\x \\\\host\\share ' +
    'docs/link.md beside none.md docs/plan.md\0'
  ).split(' '),
)('%j does not lead out of the root', given =>
  expect(pathIn({ name: 'here', folder }, given)).rejects.toThrow('subject: '),
);

it('a root is chosen by its name only', () => {
  const roots = [
    { name: 'here', folder },
    { name: 'there', folder: base },
  ] as const;
  expect([rootNamed([...roots], undefined).name, rootNamed([...roots], 'there').name]).toEqual([
    'here',
    'there',
  ]);
  expect(() => rootNamed([...roots], folder)).toThrow('root: there is no root of this name.');
});
