/** The knowledge base that packs point at is that of the base: a change does not tell its reviewers by which rules to judge it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury } from '../cli/jury.ts';
import { stateOf } from '../state-of.ts';
import { existsSync, readdirSync } from 'node:fs';

interface Pack {
  readonly pack: { readonly anchors: readonly { readonly ref?: string; readonly rev: string }[] };
  readonly rendered: string;
  readonly side: { readonly pack_uri: string };
}

function packOf({ root }: SampleRepository, ...args: string[]): Pack {
  const { code, stdout, stderr } = jury(root, [
    'context',
    ...args,
    '--agent',
    'Reviewer',
    '--json',
  ]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Pack;
}

function knowledgeIn({ pack, rendered }: Pack): unknown {
  return [
    pack.anchors.flatMap(({ ref }) => (ref?.startsWith('resources://kb/') === true ? [ref] : [])),
    /Judge .*\./.exec(rendered)?.[0] ?? null,
  ];
}

/** A project that ships a page, and a change that turns it round. */
function createProject(): SampleRepository {
  const sample = createChangedRepository();
  sample.write('resources/kb/style.md', '# Style\n\nJudge strictly.\n');
  sample.commit('rules');
  sample.write('resources/kb/style.md', '# Style\n\nJudge nothing.\n');
  sample.write('resources/kb/security-checklist.md', '# Security\n\nJudge kindly.\n');
  sample.write('src/sum.js', 'export const sum = () => 0;\n');
  return sample;
}

describe('the knowledge base of a project', () => {
  it('is that of the base, whether the change is committed or not', () => {
    const sample = createProject();
    const expected = [['resources://kb/style.md'], 'Judge strictly.'];
    expect(knowledgeIn(packOf(sample, '--worktree'))).toEqual(expected);
    sample.commit('turn them round');
    const made = packOf(sample, 'HEAD');
    expect(knowledgeIn(made)).toEqual(expected);
    const checked = jury(sample.root, ['context', 'check', made.side.pack_uri]);
    expect([checked.code, checked.stdout]).toEqual([0, expect.any(String)]);
    const shown = jury(sample.root, ['context', 'show', made.side.pack_uri]).stdout;
    expect(shown).toContain('Judge strictly.');
    expect(shown).not.toMatch(/Judge (?:nothing|kindly)/);
  });

  it('is read behind no link', () => {
    const sample = createChangedRepository();
    sample.write('elsewhere/style.md', '# Style\n\nJudge elsewhere.\n');
    mkdirSync(path.join(sample.root, 'resources'));
    symlinkSync('../elsewhere', path.join(sample.root, 'resources/kb'));
    sample.commit('a link');
    sample.write('src/sum.js', 'export const sum = () => 0;\n');
    expect(knowledgeIn(packOf(sample, '--worktree'))).toEqual([[], null]);
  });

  it('is that of this machine where the project ships none', () => {
    const sample = createChangedRepository();
    const folder = path.join(stateOf(sample.root), 'kb');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(folder, 'style.md'), '# Style\n\nJudge as here.\n', { mode: 0o600 });
    expect(knowledgeIn(packOf(sample, 'HEAD'))).toEqual([
      ['resources://kb/style.md'],
      'Judge as here.',
    ]);
  });
});

it('a pack leaves no copy in the project where none are wanted', () => {
  const sample = createChangedRepository();
  writeFileSync(path.join(sample.root, '../none.json'), JSON.stringify({ copies: false }));
  const { side } = packOf(sample, 'HEAD', '--config', '../none.json');
  expect(jury(sample.root, ['context', 'show', side.pack_uri]).code).toBe(0);
  expect(readdirSync(sample.root).toSorted()).toEqual(['.git', 'src']);
  packOf(sample, 'HEAD');
  expect(existsSync(path.join(sample.root, '.jury/runs'))).toBe(true);
});
