/** The knowledge base that packs point at is that of the base: a change does not tell its reviewers by which rules to judge it. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { createCodeView } from '../../src/core/context/packing/code-view.ts';
import type { ChangeRequest } from '../../src/core/ports/repository.ts';
import { createJury } from '../../src/index.ts';
import { fillCall } from '../../src/library/call.ts';
import { openContext } from '../../src/library/context/open-context.ts';
import { openState } from '../../src/library/own-state.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury } from '../cli/jury.ts';
import { stateOf } from '../state-of.ts';

/** What the rung of the knowledge base points at: name and summary. */
async function pointersOf({ root }: SampleRepository, request: ChangeRequest) {
  const call = fillCall({ cwd: root, environment: process.env });
  const repository = await openRepository(root);
  try {
    const change = await repository.change(request);
    const context = await openContext(change, repository, await openState(root, call), call);
    if (context === null) throw new Error('There is no context.');
    const found = await context.pointers(4, createCodeView(context.index));
    context.close();
    return found.map(({ ref, summary }) => [ref, summary]);
  } finally {
    await repository.close();
  }
}

/** A project that ships a page, and a change that turns it round. */
function createProject() {
  const sample = createChangedRepository();
  sample.write('resources/kb/style.md', '# Style\n\nJudge strictly.\n');
  sample.commit('rules');
  sample.write('resources/kb/style.md', '# Style\n\nJudge nothing.\n');
  sample.write('resources/kb/security-checklist.md', '# Security\n\nJudge kindly.\n');
  sample.write('src/sum.js', 'export const sum = () => 0;\n');
  return sample;
}

const strict = [['resources://kb/style.md', 'Style; Judge strictly.']];

describe('the knowledge base of a project', () => {
  it('is that of the base, whether the change is committed or not', async () => {
    const sample = createProject();
    expect(await pointersOf(sample, { source: 'worktree', untracked: true })).toEqual(strict);
    expect(await pointersOf(sample, { source: 'files', patterns: ['src'] })).toEqual(strict);
    sample.commit('turn them round');
    expect(await pointersOf(sample, { source: 'revision', revision: 'HEAD' })).toEqual(strict);
  });

  it('is read behind no link', async () => {
    const sample = createChangedRepository();
    sample.write('elsewhere/style.md', '# Style\n\nJudge elsewhere.\n');
    mkdirSync(path.join(sample.root, 'resources'));
    symlinkSync('../elsewhere', path.join(sample.root, 'resources/kb'));
    sample.commit('a link');
    sample.write('src/sum.js', 'export const sum = () => 0;\n');
    expect(await pointersOf(sample, { source: 'worktree', untracked: true })).toEqual([]);
  });

  it('is that of this machine where the project ships none', async () => {
    const sample = createChangedRepository();
    const folder = path.join(stateOf(sample.root), 'kb');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(folder, 'style.md'), '# Style\n\nJudge as here.\n', { mode: 0o600 });
    expect(await pointersOf(sample, { source: 'revision', revision: 'HEAD' })).toEqual([
      ['resources://kb/style.md', 'Style; Judge as here.'],
    ]);
  });

  it('is read by name as the last commit has it, and as the default branch does where there is one', async () => {
    const sample = createProject();
    const read = () => createJury({ cwd: sample.root }).resource('resources://kb/style.md');
    expect(await read()).toContain('Judge strictly.');
    sample.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    sample.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    sample.commit('turn them round');
    expect(await read()).toContain('Judge strictly.');
  });
});

it('a pack leaves no copy in the project where none are wanted', () => {
  const { root } = createChangedRepository();
  writeFileSync(path.join(root, '../none.json'), JSON.stringify({ copies: false }));
  const made = jury(root, ['context', 'HEAD', '--config', '../none.json', '--json']);
  const uri = /resources:\/\/\S+/.exec(made.stderr)?.[0] ?? '';
  expect([made.code, jury(root, ['context', 'show', uri]).code]).toEqual([0, 0]);
  expect(readdirSync(root).toSorted()).toEqual(['.git', 'src']);
  expect(jury(root, ['context', 'HEAD']).code).toBe(0);
  expect(existsSync(path.join(root, '.jury/runs'))).toBe(true);
});
