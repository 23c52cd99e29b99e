import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  listKnowledge,
  listRunResources,
  readResource,
} from '../../../src/adapters/store/resources.ts';
import { createRunFolder } from '../../../src/adapters/store/run-folder.ts';
import { runResourceUri } from '../../../src/core/run-files/run-page.ts';
import { createFolder } from '../git/sample-repository.ts';
import { stateIn } from './temporary.ts';

const run = '20261121T101500Z-0a1b2c';

describe('the resources of a run', () => {
  let root: string;
  let folder: string;
  beforeEach(async () => {
    root = createFolder();
    const store = await createRunFolder(stateIn(root), run);
    folder = store.folder;
    await store.write('report.md', '# Report\n');
    await store.write('handoff/Planner→Reviewer.json', '{}\n');
  });

  it('are listed by name and read by name', async () => {
    for (const name of ['journal.jsonl', 'journal.sqlite'])
      await writeFile(join(folder, name), 'whole answers');
    expect(await listRunResources(stateIn(root), run)).toEqual([
      runResourceUri(run, 'handoff/Planner→Reviewer.json'),
      runResourceUri(run, 'report.md'),
    ]);
    expect(await readResource(stateIn(root), runResourceUri(run, 'report.md'))).toBe('# Report\n');
    expect(
      await readResource(stateIn(root), runResourceUri(run, 'handoff/Planner→Reviewer.json')),
    ).toBe('{}\n');
  });

  it('do not reach what lies outside, is the journal, is no text or is not there', async () => {
    await writeFile(join(root, 'secret.txt'), 'secret');
    await symlink(join(root, 'secret.txt'), join(folder, 'link.txt'));
    await symlink(root, join(folder, 'way'));
    for (const name of ['journal.jsonl', 'journal.sqlite'])
      await writeFile(join(folder, name), 'whole answers');
    await writeFile(join(folder, 'bytes.bin'), new Uint8Array([0xff, 0xfe, 0xfd]));
    for (const path of 'link.txt way/secret.txt journal.jsonl journal.sqlite bytes.bin missing.md handoff'.split(
      ' ',
    ))
      expect(await readResource(stateIn(root), runResourceUri(run, path)), path).toBeNull();
    expect(
      await readResource(stateIn(root), `resources://runs/${run}/../../../secret.txt`),
    ).toBeNull();
    expect(await listRunResources(stateIn(root), 'no-such-run')).toEqual([]);
  });

  it('hold the knowledge base: what the project ships before that of this machine, and nothing of its folder', async () => {
    await mkdir(join(root, 'resources', 'kb'), { recursive: true });
    await mkdir(join(root, 'kb'), { recursive: true });
    await writeFile(join(root, 'resources', 'kb', 'style.md'), 'of the change');
    await writeFile(join(root, 'kb', 'done.md'), 'done', { mode: 0o600 });
    await writeFile(join(root, 'kb', 'style.md'), 'ours', { mode: 0o600 });
    const shipped = new Map([['style.md', 'theirs']]);
    const knowledge = {
      names: () => Promise.resolve([...shipped.keys()]),
      read: (file: string) => Promise.resolve(bytesOf(shipped.get(file))),
    };
    expect(await readResource(stateIn(root), 'resources://kb/style.md', knowledge)).toBe('theirs');
    expect(await readResource(stateIn(root), 'resources://kb/style.md')).toBe('ours');
    expect(await readResource(stateIn(root), 'resources://kb/done.md', knowledge)).toBe('done');
    expect(await readResource(stateIn(root), 'resources://kb/none.md', knowledge)).toBeNull();
    expect((await listKnowledge(stateIn(root), knowledge)).toSorted()).toEqual([
      'done.md',
      'style.md',
    ]);
  });
});

function bytesOf(text: string | undefined) {
  return text === undefined ? null : Buffer.from(text);
}
