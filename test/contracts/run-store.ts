/** What every implementation of `RunStore` keeps to. `open` opens the same run again. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import type { RunStore } from '../../src/core/ports/steps.ts';

export interface RunStoreFixture {
  readonly open: () => Promise<RunStore>;
  readonly remove: () => Promise<void>;
}

export function describeRunStore(name: string, create: () => Promise<RunStoreFixture>): void {
  describe(`the run store of ${name}`, () => {
    let fixture: RunStoreFixture;
    let store: RunStore;
    beforeEach(async () => {
      fixture = await create();
      store = await fixture.open();
    });
    afterEach(() => fixture.remove());

    it('reads back what was written, also when opened again', async () => {
      const text = 'first line\r\n\u0000 漢字 \u{1F9D1}\n';
      await store.write('reviews/alpha.md', text);
      expect(await (await fixture.open()).read('reviews/alpha.md')).toBe(text);
    });

    it('replaces a file by a second write', async () => {
      await store.write('run.json', 'a long first version');
      await store.write('run.json', 'second');
      expect(await store.read('run.json')).toBe('second');
    });

    it('reads null and lists nothing where nothing was written', async () => {
      expect(await store.read('reviews/alpha.md')).toBeNull();
      expect(await store.list('reviews')).toEqual([]);
    });

    it('lists the files of a folder by name, and nothing else', async () => {
      for (const name of ['verdicts/b.json', 'verdicts/a.json', 'verdicts/deep/c.json', 'run.json'])
        await store.write(name, '{}');
      expect(await store.list('verdicts')).toEqual(['a.json', 'b.json']);
    });

    it('appends lines in the order of the calls', async () => {
      const lines = Array.from({ length: 50 }, (_, index) => `{"event":${index}}`);
      await Promise.all(lines.map(line => store.append('events.jsonl', line)));
      await (await fixture.open()).append('events.jsonl', 'last');
      expect(await store.read('events.jsonl')).toBe([...lines, 'last', ''].join('\n'));
    });

    it('shows a reader whole versions only while a file is being replaced', async () => {
      const versions = ['a', 'b', 'c'].map(letter => letter.repeat(100_000));
      await store.write('report.md', versions[0] ?? '');
      const seen = new Set<string | null>();
      const writing = { isDone: false };
      const reading = (async () => {
        while (!writing.isDone) seen.add(await store.read('report.md'));
      })();
      for (let round = 0; round < 10; round += 1)
        for (const version of versions) await store.write('report.md', version);
      writing.isDone = true;
      await reading;
      expect([...seen].filter(text => !versions.includes(text ?? ''))).toEqual([]);
    });

    it.each([
      '../escape',
      'reviews/../../escape',
      '/etc/passwd',
      'C:\\x',
      'a//b',
      '',
      '.',
      '..',
      '.hidden',
      'a/',
      'con.md',
      'NUL',
      'reviews/lpt1.md',
      'a\u0000b',
      'a\nb',
      'a b',
      'x'.repeat(300),
      'a.',
      '%2e%2e/x',
    ])('refuses the name %j before anything is written', async path => {
      await expect(store.write(path, 'x')).rejects.toThrow(UserError);
      await expect(store.append(path, 'x')).rejects.toThrow(UserError);
      await expect(store.read(path)).rejects.toThrow(UserError);
      expect(await store.list('')).toEqual([]);
    });

    it('refuses a name that differs from an earlier one in upper and lower case only', async () => {
      await store.write('reviews/Alpha.md', 'the first');
      await expect(store.write('reviews/alpha.md', 'the second')).rejects.toThrow(
        /"reviews\/Alpha.md" exists/,
      );
      await expect((await fixture.open()).write('reviews/ALPHA.md', 'the third')).rejects.toThrow(
        /"reviews\/Alpha.md" exists/,
      );
      await expect(store.write('Reviews/beta.md', 'the fourth')).rejects.toThrow(
        /"reviews" exists/,
      );
      expect(await store.read('reviews/Alpha.md')).toBe('the first');
    });
  });
}
