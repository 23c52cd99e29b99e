/** What a pack points at can be read by whoever got the pack, over the protocol; and packs of two commits are packs of two tasks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalPack } from '../../src/core/context/packing/local-pack.ts';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury } from '../cli/jury.ts';
import { connect, type Connected } from './connect.ts';

describe('a pack of a project with a knowledge base', () => {
  let sample: SampleRepository;
  let client: Connected;

  beforeAll(async () => {
    sample = createSampleRepository();
    sample.write('resources/kb/style.md', '# Style\n\nWhole words only.\n');
    sample.commit('one');
    for (const name of ['one', 'two', 'three'])
      sample.write(`src/${name}.js`, `export const ${name} = () => '${name}';\n`);
    sample.commit('two');
    client = await connect('2.x as of 2026', { cwd: sample.root });
  });
  afterAll(() => client.close());

  function packOf(revision: string) {
    const { code, stdout } = jury(sample.root, [
      'context',
      revision,
      '--agent',
      'Planner',
      '--json',
    ]);
    expect(code).toBe(0);
    return JSON.parse(stdout) as LocalPack;
  }

  it('points at pages that can be read over the protocol', async () => {
    const pages = packOf('HEAD').anchors.flatMap(({ kind, ref }) =>
      kind === 'kb' && ref !== undefined ? [ref] : [],
    );
    expect(pages).toEqual(['resources://kb/style.md']);
    expect(await client.read('resources://kb/style.md')).toContain('Whole words only.');
  });

  it.each([
    'resources://kb/../../src/one.js',
    'resources://kb/%2e%2e/x.md',
    'resources://kb//etc/passwd',
    'resources://kb/none.md',
  ])('reads nothing else by %s', uri =>
    expect(client.read(uri)).rejects.toThrow('There is no such resource.'),
  );

  it('has the commit as its task, so that two commits share no memory', () => {
    const [first, second] = [packOf('HEAD~1'), packOf('HEAD')].map(({ task_id }) => task_id);
    expect(second).toBe(sample.git('rev-parse', 'HEAD').slice(0, 12));
    expect(first).not.toBe(second);
  });
});
