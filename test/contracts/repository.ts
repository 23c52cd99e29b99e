/** What every implementation of `Repository` keeps to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Change } from '../../src/core/words/change.ts';
import { UserError } from '../../src/core/errors.ts';
import type { Repository } from '../../src/core/ports/repository.ts';

/**
 * Opens a repository whose commit `head` makes `a.txt` say `new` instead of `old` (each with a line end), adds
 * `b.txt` and removes `c.txt`.
 */
export function describeRepository(name: string, open: () => Promise<Repository>): void {
  describe(`${name} keeps the contract of a repository`, () => {
    let repository: Repository;
    let change: Change;
    beforeAll(async () => {
      repository = await open();
      change = await repository.change({ source: 'revision', revision: 'head' });
    });
    afterAll(() => repository.close());

    it('gives a change that is plain data and holds to its schema', () => {
      expect(Change.parse(JSON.parse(JSON.stringify(change)))).toEqual(change);
      expect(change.files.map(file => [file.path, file.status])).toEqual([
        ['a.txt', 'modified'],
        ['b.txt', 'added'],
        ['c.txt', 'deleted'],
      ]);
    });

    it('counts the lines it shows', () => {
      for (const file of change.files) {
        const lines = file.hunks.flatMap(hunk => hunk.lines);
        expect([file.additions, file.deletions]).toEqual(
          ['+', '-'].map(sign => lines.filter(line => line.startsWith(sign)).length),
        );
      }
    });

    it('reads both sides, and nothing where a side has no file', async () => {
      const texts = await Promise.all(
        change.files.map(file =>
          Promise.all([repository.read(file, 'old'), repository.read(file, 'new')]),
        ),
      );
      expect(texts.map(([old, now]) => [old === null, now === null])).toEqual([
        [false, false],
        [true, false],
        [false, true],
      ]);
      expect(texts[0]).toEqual(['old\n', 'new\n']);
    });

    it('reads a path at the base, as it was before the change', async () => {
      expect(await repository.readAt(change.base ?? '', 'a.txt')).toBe('old\n');
      expect(await repository.readAt(change.base ?? '', 'b.txt')).toBeNull();
    });

    it('gives the same change twice', async () =>
      expect(await repository.change({ source: 'revision', revision: 'head' })).toEqual(change));

    it('refuses an unknown revision and an empty change as something the person can put right', async () => {
      await expect(
        repository.change({ source: 'revision', revision: 'nowhere' }),
      ).rejects.toBeInstanceOf(UserError);
      await expect(
        repository.change({ source: 'range', base: 'head', head: 'head', title: 'x' }),
      ).rejects.toThrow('Nothing to review');
    });
  });
}
