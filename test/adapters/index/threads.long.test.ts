/** Contents taken apart in several threads: the same answers, failures reported, nothing half done, nothing left behind. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { openCodeIndex } from '../../../src/adapters/index/code-index.ts';
import { openExtractors } from '../../../src/adapters/index/extract.ts';
import { packageRoot } from '../../../src/adapters/system/package-root.ts';
import type { CodeIndex, Tree } from '../../../src/core/ports/repository.ts';
import { createFolder, createSampleRepository } from '../git/sample-repository.ts';
import { stateIn } from '../store/temporary.ts';
import { languageSamples } from './language-samples.ts';

/** As many files as make several portions, in every language, with some that are left out. */
function sampleTree(files: number): { readonly tree: Tree; readonly texts: Map<string, Buffer> } {
  const texts = new Map<string, Buffer>();
  const listed = Array.from({ length: files }, (_, number) => {
    const { path, text } = languageSamples[number % languageSamples.length] ?? {
      path: 'a.txt',
      text: '',
    };
    const bytes =
      number % 41 === 40
        ? Buffer.from([1, 0, number % 256])
        : Buffer.from(`${text}\n${'x'.repeat(number % 7)} word${number}\n`);
    const id = `id${number}`;
    texts.set(id, bytes);
    return {
      path: `folder${number % 9}/${number}-${path}`,
      mode: '100644',
      id,
      size: bytes.length,
    };
  });
  return { tree: { id: `tree of ${files}`, branch: 'main', files: listed }, texts };
}

function everyAnswer(index: CodeIndex): unknown {
  return {
    statistics: index.statistics(),
    files: index.files(),
    skipped: index.skipped(),
    definitions: index.files().map(({ path }) => index.definitionsIn(path)),
    uses: index.files().map(({ path }) => index.usesIn(path)),
    imports: index.files().map(({ path }) => index.importsOf(path)),
    found: ['word7 word8', 'parse', 'class name', 'run'].map(query => index.search(query, 20)),
  };
}

describe('several threads', () => {
  it('come to the same answers as one', async () => {
    const { tree, texts } = sampleTree(400);
    const answers = [];
    for (const threads of [0, 2, 3]) {
      const notes: string[] = [];
      const { index, refreshed } = await openCodeIndex(stateIn(createFolder()), {
        tree,
        read: async id => texts.get(id) ?? null,
        threads,
        onNote: note => notes.push(note),
      });
      onTestFinished(() => index.close());
      expect({ refreshed, notes }).toEqual({ refreshed: { indexed: 400, reused: 0 }, notes: [] });
      answers.push(everyAnswer(index));
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('that fail are reported once, and what they had in hand is done without them', async () => {
    const notes: string[] = [];
    // Another counter than that of the threads: an index must not be filled by two.
    const counter = { name: 'letters', version: '1', estimated: true, count: () => 7 };
    const extractors = openExtractors({
      counter,
      bytes: 0,
      threads: 2,
      onNote: note => notes.push(note),
    });
    onTestFinished(() => extractors.close());
    const content = { path: 'a.ts', language: 'typescript', bytes: Buffer.from('let a = 1;\n') };
    const extracts = await Promise.all(
      Array.from({ length: 8 }, () => extractors.extract([content, content])),
    );
    expect(extracts.flat()).toHaveLength(16);
    expect(extracts.flat()).toMatchObject(
      Array.from({ length: 16 }, () => ({ reason: null, tokens: 7 })),
    );
    expect(notes).toEqual([
      'A thread of the code index failed and its files are read without it: it counts tokens in another way.',
    ]);
  });

  it('end with the work, when it is interrupted too, and what was finished is kept', async () => {
    const { tree, texts } = sampleTree(1_400);
    const folder = createFolder();
    const controller = new AbortController();
    const { signal } = controller;
    let reads = 0;
    const read = async (id: string) => {
      if ((reads += 1) === 1_300) controller.abort();
      return texts.get(id) ?? null;
    };
    const open = (further: { readonly signal?: AbortSignal }) =>
      openCodeIndex(stateIn(folder), { tree, read, threads: 2, ...further });
    await expect(open({ signal })).rejects.toMatchObject({ name: 'AbortError' });
    const { index, refreshed } = await open({});
    onTestFinished(() => index.close());
    expect(refreshed.indexed).toBeGreaterThan(0);
    expect(refreshed.indexed).toBeLessThan(1_400);
    expect(index.statistics().files + index.skipped().length).toBe(1_400);
  });

  it('do not hold up a process that is killed, and leave an index that the next one completes', async () => {
    const { tree, texts } = sampleTree(300);
    const folder = createFolder();
    mkdirSync(join(folder, 'state'));
    // Reads for ever once it has read a part: a process in the midst of its work.
    const program = `
      const { openCodeIndex } = await import(${dist('adapters/index/code-index.js')});
      const { systemStorage } = await import(${dist('adapters/store/storage.js')});
      const root = ${JSON.stringify(join(folder, 'state'))};
      const files = JSON.parse(process.argv[1]);
      let reads = 0;
      const read = async id => {
        if ((reads += 1) === 200) process.stdout.write('working');
        return reads > 200 ? new Promise(() => setInterval(() => {}, 1000)) : Buffer.from('let ' + id + ' = 1;');
      };
      const tree = { id: 'tree', branch: 'main', files };
      await openCodeIndex({ root, project: root, ...systemStorage }, { tree, read, threads: 2 });`;
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', program, JSON.stringify(tree.files)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const { index } = await openCodeIndex(stateIn(join(folder, 'state')), {
      tree,
      read: async id => texts.get(id) ?? null,
      threads: 2,
    });
    onTestFinished(() => index.close());
    expect(index.statistics().files + index.skipped().length).toBe(300);
  });

  it('of two processes at once fill one index', async () => {
    const { tree, texts } = sampleTree(300);
    const folder = createFolder();
    const read = async (id: string) => texts.get(id) ?? null;
    const both = await Promise.all(
      [0, 1].map(() => openCodeIndex(stateIn(folder), { tree, read, threads: 2 })),
    );
    onTestFinished(() => both.forEach(({ index }) => index.close()));
    const [one, other] = both.map(({ index }) => everyAnswer(index));
    expect(one).toEqual(other);
    expect(both[0]?.index.statistics().files).toBe(300 - Math.floor(300 / 41));
  });
});

describe('an index that is built', () => {
  const ways = {
    'ends well': { expected: null, spoil: () => {} },
    fails: {
      expected: /the disk is gone/,
      spoil: () => {
        throw new Error('the disk is gone');
      },
    },
    'is aborted': {
      expected: /abort/i,
      spoil: (controller: AbortController) => controller.abort(),
    },
  } as const;

  it.each(Object.entries(ways))(
    'and %s leaves no thread and no process behind',
    async (_, { expected, spoil }) => {
      const sample = createSampleRepository();
      for (let number = 0; number < 300; number += 1)
        sample.write(`src/part${number}.ts`, `export const part${number} = ${number};\n`);
      sample.commit('parts');
      // The thread that speaks with the process beside the tests is announced by then.
      const before = await childrenOf(process.pid);
      const threads = watchThreads();
      const repository = await openRepository(sample.root);
      const controller = new AbortController();
      let reads = 0;
      const failure = await openCodeIndex(stateIn(createFolder()), {
        tree: await repository.tree('HEAD'),
        read(id) {
          if ((reads += 1) === 250) spoil(controller);
          return repository.content(id, 1 << 20);
        },
        signal: controller.signal,
        threads: 2,
      }).then(({ index }) => void index.close(), String);
      await repository.close();
      if (expected === null) expect(failure).toBeUndefined();
      else expect(failure).toMatch(expected);
      // A thread that has ended has no number any more.
      expect(threads.map(({ threadId }) => threadId)).toEqual([-1, -1]);
      await expect.poll(() => childrenOf(process.pid), { timeout: 10_000 }).toEqual(before);
    },
  );
});

/** Every thread that is started from now on until the test ends. */
function watchThreads(): readonly Worker[] {
  const threads: Worker[] = [];
  const watch = (thread: Worker): void => void threads.push(thread);
  process.on('worker', watch);
  onTestFinished(() => void process.off('worker', watch));
  return threads;
}

/** Processes that a process has started and that still run; `ps` itself is not among them. */
async function childrenOf(parent: number): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, ppid, program]) => ppid === String(parent) && program !== 'ps')
    .map(([pid = '']) => pid);
}

function dist(path: string): string {
  return JSON.stringify(pathToFileURL(join(packageRoot, 'dist', path)).href);
}
