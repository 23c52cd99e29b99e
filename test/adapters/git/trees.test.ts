import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { readChange, refusal } from './reading.ts';
import { createSampleRepository, type SampleRepository } from './sample-repository.ts';

function mktree({ root }: SampleRepository, entries: readonly string[]) {
  return execFileSync('git', ['mktree', '--missing'], {
    cwd: root,
    input: `${entries.join('\n')}\n`,
  })
    .toString()
    .trim();
}

/** Two commits, of which the latter has an entry more. */
function withEntry(entryOf: (sample: SampleRepository) => string) {
  const sample = createSampleRepository();
  sample.write('a.js', 'one\n');
  sample.commit('first');
  const tree = mktree(sample, [sample.git('ls-tree', 'HEAD'), entryOf(sample)]);
  const commit = sample.git('commit-tree', '-p', 'HEAD', '-m', 'second', tree);
  sample.git('update-ref', 'refs/heads/main', commit);
  return sample;
}

/** Folders of ten, in one another. */
function grow(sample: SampleRepository, levels: number) {
  let entry = `100644 blob ${sample.git('rev-parse', 'HEAD:a.js')}`;
  for (let level = 0; level < levels; level += 1)
    entry = `040000 tree ${mktree(
      sample,
      Array.from({ length: 10 }, (_, at) => `${entry}\t${at}`),
    )}`;
  return `${entry}\tz`;
}

/** Bytes of a tree that git itself would not write. */
function writeTree({ root }: SampleRepository, names: readonly string[], blob: string) {
  const bytes = Buffer.concat(
    names.map(name => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')])),
  );
  const id = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
    cwd: root,
    input: bytes,
  });
  return id.toString().trim();
}

const revision = { source: 'revision', revision: 'HEAD' } as const;

describe('how much a change names', () => {
  it('is counted before it is listed: ten thousand files are read, a hundred thousand refused', async () => {
    expect(
      (await readChange(withEntry(sample => grow(sample, 4)).root, revision)).files,
    ).toHaveLength(10_000);
    const many = withEntry(sample => grow(sample, 5));
    expect((await refusal(many.root, revision)).message).toMatch(/more than 20000 files.* below z/);
  });

  it('ends at once where ten levels of ten name ten thousand million files', async () => {
    const sample = withEntry(bomb => grow(bomb, 10));
    expect((await refusal(sample.root, revision)).message).toMatch(
      /more than 20000 files.* below z/,
    );
    const repository = await openRepository(sample.root);
    await expect(repository.tree('HEAD')).rejects.toThrow(/more than 500000 files.* below z/);
    await expect(repository.links(sample.git('rev-parse', 'HEAD'))).resolves.toEqual([]);
    await repository.close();
  });

  it('counts only what differs', async () => {
    const sample = withEntry(bomb => grow(bomb, 10));
    const whole = sample
      .git('ls-tree', 'HEAD')
      .replace(/^.*\ta\.js$/m, '')
      .trim();
    const other = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: sample.root,
      input: 'two\n',
    });
    const tree = mktree(sample, [`100644 blob ${other.toString().trim()}\ta.js`, whole]);
    const commit = sample.git('commit-tree', '-p', 'HEAD', '-m', 'third', tree);
    sample.git('update-ref', 'refs/heads/main', commit);
    const { files } = await readChange(sample.root, revision);
    expect(files.map(({ path }) => path)).toEqual(['a.js']);
  });

  it('refuses folders that are nested deeper than git follows', async () => {
    const sample = withEntry(deep => {
      let id = deep.git('rev-parse', 'HEAD^{tree}');
      const entries: string[] = [];
      for (let level = 0; level < 2_100; level += 1) {
        entries.push(`040000 tree ${id}\td\n\n`);
        const bytes = Buffer.concat([Buffer.from('40000 d\0'), Buffer.from(id, 'hex')]);
        id = createHash('sha1').update(`tree ${bytes.length}\0`).update(bytes).digest('hex');
      }
      execFileSync('git', ['mktree', '--batch', '--missing'], {
        cwd: deep.root,
        input: entries.join(''),
      });
      return `040000 tree ${id}\tz`;
    });
    expect((await refusal(sample.root, revision)).message).toMatch(/nested more than 2048 deep/);
  });

  it.each([
    ['twice', ['b', 'b']],
    ['in another order', ['c', 'b']],
  ])('is not told of a folder that names files %s', async (_, names) => {
    const sample = withEntry(odd => {
      const blob = odd.git('rev-parse', 'HEAD:a.js');
      return `040000 tree ${writeTree(odd, names, blob)}\tz`;
    });
    expect((await refusal(sample.root, revision)).message).toMatch(/git-object: .*order/);
  });
});

describe('links', () => {
  it('are listed wherever they lie, with where they lead', async () => {
    const sample = createSampleRepository();
    sample.write('a/b/file', 'text\n');
    sample.write('a/c/file', 'text\n');
    symlinkSync('../b/file', join(sample.root, 'a/c/link'));
    symlinkSync('a', join(sample.root, 'folder'));
    sample.commit('first');
    const repository = await openRepository(sample.root);
    const links = await repository.links(sample.git('rev-parse', 'HEAD'));
    expect(new Set(links)).toEqual(
      new Set([
        { path: 'a/c/link', target: '../b/file' },
        { path: 'folder', target: 'a' },
      ]),
    );
    await repository.close();
  });
});
