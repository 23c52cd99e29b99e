import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSampleRepository, type SampleRepository } from './sample-repository.ts';

const edits: readonly ((sample: SampleRepository) => void)[] = [
  () => {},
  ({ root, write }) => {
    for (const name of ['a', 'b.c', 'b/x', 'b-d', 'é/ü', 'd/e/f.js', 'n\nl', '.github/w.yml'])
      write(name, `${name}\n`);
    write('run.sh', 'exit\n');
    chmodSync(join(root, 'run.sh'), 0o755);
    symlinkSync('../out', join(root, 'd/link'));
    write(`long/${'x'.repeat(250)}`, Buffer.from([0, 255, 10]));
  },
  ({ remove, write }) => {
    remove('b');
    write('b', 'a file now\n');
    write('a/x', 'a folder now\n');
  },
  // Git has these.
  ({ write }) => write('.gitignore', 'out/\n'),
  ({ write }) => write('out/x', 'left out\n'),
];

it('makes what git makes, and leaves nothing for it to do', () => {
  const [one, other] = [createSampleRepository(), createSampleRepository()];
  for (const [at, edit] of edits.entries()) {
    for (const sample of [one, other]) {
      if (at === 2) sample.remove('a');
      edit(sample);
    }
    one.commit(`edit ${at}`);
    other.git('add', '-A');
    other.git('commit', '-q', '--allow-empty', '-m', `edit ${at}`);
    if (at === 2) expect(one.git('status', '--porcelain')).toBe('');
  }
  for (const words of [['reflog'], ['ls-files', '--stage']])
    expect(one.git(...words)).toBe(other.git(...words));
  expect(one.git('fsck', '--strict', '--full')).toBe('');
});

it('leaves to git what only git knows', () => {
  const sample = createSampleRepository();
  sample.write('a', 'a\n');
  sample.write('b', 'b\n');
  sample.commit('one');
  sample.git('update-index', '--assume-unchanged', 'a');
  sample.write('a', 'other\n');
  sample.commit('two');
  expect(sample.git('ls-tree', '--name-only', '-r', 'HEAD')).toBe('a\nb');
  expect(sample.git('diff', '--name-only', 'HEAD~1', 'HEAD')).toBe('');
});
