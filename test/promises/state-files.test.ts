/** Of the state only what this user alone could have written is believed, whichever file of it is read. */
import { chmodSync, chownSync, existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createChangedRepository, jury, juryJson } from '../cli/jury.ts';
import { stateOf } from '../state-of.ts';

/** Files below a folder, relative. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

describe('a file of the state that others could have written', () => {
  it.each<readonly [string, readonly (readonly string[])[]]>([
    ['memory.sqlite', [['review', '--fresh'], ['stats'], ['dismiss', 'c-', '--reason', 'x']]],
    ['last-answer.json', [['report'], ['show'], ['stats']]],
    ['index.sqlite', [['search', 'sum']]],
    ['runs/RUN/plan.json', [['review'], ['runs'], ['resume', 'RUN']]],
    ['runs/RUN/report.json', [['report', 'RUN'], ['runs'], ['review'], ['gates', '--run', 'RUN']]],
    ['runs/RUN/subject.json', [['report', 'RUN'], ['review']]],
    ['runs/RUN/raw/diff.json', [['report', 'RUN'], ['review'], ['stats']]],
    ['runs/RUN/verdicts/diff.json', [['verdicts', '--run', 'RUN']]],
  ])('is refused in one sentence with the mend: %s', (name, commands) => {
    const { root } = createChangedRepository();
    jury(root, ['index']);
    const { run } = juryJson(root, ['review']).record;
    const file = path.join(stateOf(root), name.replace('RUN', run));
    chmodSync(file, 0o666);
    for (const args of commands) {
      const { code, stdout, stderr } = jury(
        root,
        args.map(word => word.replace('RUN', run)),
      );
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toBe(
        `jury: ${file} can be read or written by others (mode 666), and is not believed. Remove it, or ` +
          `take that from them with "chmod 600" if nobody has touched it.\n`,
      );
    }
  });

  it.runIf(process.getuid?.() === 0)(
    'is refused when it belongs to another user, tried by root',
    () => {
      const { root } = createChangedRepository();
      const { run } = juryJson(root, ['review']).record;
      for (const name of [`runs/${run}/report.json`, 'memory.sqlite']) {
        const file = path.join(stateOf(root), name);
        chownSync(file, 4242, statSync(file).gid);
        const { code, stdout, stderr } = jury(root, ['stats']);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain('belongs to another user, and is not believed');
        chownSync(file, process.getuid?.() ?? 0, statSync(file).gid);
      }
      expect(jury(root, ['stats']).code).toBe(0);
    },
  );
});

it('every file of the state is readable by its user alone', () => {
  const { root } = createChangedRepository();
  jury(root, ['index']);
  jury(root, ['review']);
  const files = filesOf(stateOf(root));
  expect(files).toEqual(expect.arrayContaining(['memory.sqlite', 'index.sqlite']));
  expect(existsSync(stateOf(root))).toBe(true);
  expect(
    files.filter(file => (statSync(path.join(stateOf(root), file)).mode & 0o077) !== 0),
  ).toEqual([]);
});
