import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, it } from 'vitest';
import { makeRelease, reduceBill } from '../../scripts/make-release.mjs';
import { giveNumber, judgeVersion, notesOf } from '../../scripts/write-version.mjs';
import { createFolder } from '../adapters/git/sample-repository.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Bill {
  readonly metadata: { readonly component: { readonly hashes: readonly { content: string }[] } };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

it('the same commit makes the same bytes, with a sound bill of materials of that very tarball', async () => {
  const [one, other] = [path.join(createFolder(), 'release'), path.join(createFolder(), 'again')];
  makeRelease(one);
  makeRelease(other);
  const [bill = '', tarball = '', ...rest] = readdirSync(one)
    .filter(name => /\.json$|\.tgz$/.test(name))
    .toSorted();
  expect(rest).toEqual([]);
  const sums = readFileSync(path.join(one, 'SHA256SUMS'), 'utf8');
  expect(readFileSync(path.join(other, 'SHA256SUMS'), 'utf8')).toBe(sums);
  const digest = createHash('sha256')
    .update(readFileSync(path.join(one, tarball)))
    .digest('hex');
  expect(sums).toContain(`${digest}  ${tarball}\n`);
  const text = readFileSync(path.join(one, bill), 'utf8');
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text)).toBeNull();
  const { metadata, components } = JSON.parse(text) as Bill;
  expect(metadata.component.hashes.map(({ content }) => content)).toEqual([digest]);
  const names = components.map(({ 'bom-ref': ref }) => ref.replace(/@[^@]+$/, ''));
  // Installed beside, and built in.
  expect(names).toEqual(expect.arrayContaining(['oxlint', 'zod', 'yaml', 'ai', 'commander']));
  expect(names.filter(name => /^(?:vitest|typescript|oxlint-tsgolint)$/.test(name))).toEqual([]);
}, 240_000);

/** A component as npm describes it. */
function part(ref: string) {
  return {
    'bom-ref': ref,
    name: ref.replace(/@.*/, ''),
    scope: 'optional',
    properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
  };
}

it('a bill names what is installed and what is built in, and no part that only developers have', () => {
  const bill = reduceBill(
    {
      metadata: { component: { 'bom-ref': 'jury@1.0.0', name: 'folder', type: 'library' } },
      components: ['beside@1', 'deep@1', 'inside@1', 'tool@1', 'peer@1'].map(part),
      dependencies: [
        { ref: 'jury@1.0.0', dependsOn: ['beside@1', 'inside@1', 'tool@1', 'peer@1'] },
        { ref: 'beside@1', dependsOn: ['deep@1', 'peer@1'] },
        { ref: 'deep@1', dependsOn: [] },
        { ref: 'inside@1', dependsOn: ['tool@1'] },
        { ref: 'tool@1', dependsOn: [] },
        { ref: 'peer@1', dependsOn: [] },
      ],
    },
    {
      name: 'jury',
      dependencies: { beside: '1' },
      optionalDependencies: {},
      devDependencies: { inside: '1', tool: '1', peer: '1' },
    },
    [{ name: 'inside', version: '1' }],
  );
  expect(bill.components.map(({ 'bom-ref': ref }) => ref)).toEqual([
    'beside@1',
    'deep@1',
    'inside@1',
  ]);
  expect(bill.components[2]).toMatchObject({
    scope: 'required',
    properties: [{ name: 'jury:built-in', value: 'true' }],
  });
  expect(bill.dependencies).toEqual([
    { ref: 'jury@1.0.0', dependsOn: ['beside@1', 'inside@1'] },
    { ref: 'beside@1', dependsOn: ['deep@1'] },
    { ref: 'deep@1', dependsOn: [] },
    { ref: 'inside@1', dependsOn: [] },
  ]);
});

const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n- One.\n\n## 0.1.0\n\nThe first.\n';

it('a version takes what was unreleased, and leaves room for what comes', () => {
  const numbered = giveNumber(changelog, '0.2.0');
  expect(numbered).toContain('\n## Unreleased\n\n## 0.2.0\n\n### Added\n- One.\n');
  expect(notesOf(numbered, '0.2.0')).toBe('### Added\n- One.\n');
  expect(() => giveNumber(numbered, '0.3.0')).toThrow('names nothing under "## Unreleased"');
  expect(() => giveNumber(changelog, '0.1.0')).toThrow('has a heading "## 0.1.0" already');
  expect(() => notesOf(changelog, '0.2')).toThrow('no heading "## 0.2"');
});

it('the changelog of this repository has room for what comes, and the notes of what is released', () => {
  const text = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  expect(() => notesOf(text, 'Unreleased')).not.toThrow();
  expect(notesOf(text, version).length).toBeGreaterThan(20);
});

it('a tag that is not the number of the package is refused', () =>
  expect(judgeVersion('v99.0.0').join('\n')).toContain('The tag v99.0.0 is not v'));
