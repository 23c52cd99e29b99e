import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  orderFiles,
  selectFiles,
  type StepCandidate,
  takeStep,
  shownOf,
} from '../../../src/core/context/pack.ts';
import { kindsOf } from '../../../src/core/languages/languages.ts';
import type { Change, ChangedFile } from '../../../src/core/words/change.ts';
import type { Persona } from '../../../src/core/words/persona.ts';
import { sampleFile, sampleChange } from '../sample.ts';
import { renderPatch } from '../../../src/core/change/patch.ts';
import { makeVisible } from '../../../src/core/safety/visible-text.ts';

function fileOf(path: string, changes: Partial<ChangedFile> = {}): ChangedFile {
  return sampleFile({ path, ...changes });
}

const changeOf = (...files: ChangedFile[]): Change => ({
  kind: 'change',
  source: 'range',
  base: null,
  head: null,
  title: 'x',
  files,
  warnings: [],
});

function persona(globs: string[] = []): Persona {
  return {
    name: 'go-reviewer',
    role: 'language',
    focus: 'x',
    veto: false,
    budget: 1,
    capability: 'review',
    files: globs,
    instructions: '',
  };
}

describe('choosing what a reviewer is to read', () => {
  it('takes everything that has a text, in the order of the change', () => {
    const { readable, readings } = selectFiles(changeOf(fileOf('b'), fileOf('a')), persona());
    expect(readable.map(({ path }) => path)).toEqual(['b', 'a']);
    expect(readings.map(({ extent }) => extent)).toEqual(['full', 'full']);
  });

  it('leaves out what is not in the domain of the persona, without calling it skipped', () => {
    const { readable, readings } = selectFiles(
      changeOf(fileOf('a.go'), fileOf('deep/b.go'), fileOf('c.ts')),
      persona(['**/*.go']),
    );
    expect(readable.map(({ path }) => path)).toEqual(['a.go', 'deep/b.go']);
    expect(readings[2]).toMatchObject({ extent: 'outside' });
  });
});

const scopeFile = (path: string, sensitive = false) => ({ path, sensitive, changedLines: [] });
const kinds = (path: string, ...changedLines: string[]) => [...kindsOf({ path, changedLines })];

describe('the order of files', () => {
  it('is sensitive, entry points, logic, utilities, tests, and by path within each', () => {
    const wanted =
      'lib/vault.ts src/a/main.go src/routes/x.ts src/order.ts src/price.ts src/utils/text.ts src/order.test.ts test/main.ts'.split(
        ' ',
      );
    const files = wanted.map(path => scopeFile(path, path === 'lib/vault.ts'));
    expect(orderFiles(files.toReversed()).map(({ path }) => path)).toEqual(wanted);
  });

  it('loses no file and depends on no order', () => {
    const paths = fc.uniqueArray(
      fc.constantFrom(
        'a.ts',
        'main.ts',
        'utils/a.ts',
        'test/a.ts',
        'handlers/b.ts',
        'z.go',
        'b.md',
      ),
    );
    fc.assert(
      fc.property(paths, chosen => {
        const ordered = orderFiles(chosen.map(path => scopeFile(path))).map(({ path }) => path);
        expect(ordered.toSorted()).toEqual(chosen.toSorted());
        expect(
          orderFiles(chosen.toReversed().map(path => scopeFile(path))).map(({ path }) => path),
        ).toEqual(ordered);
      }),
    );
  });
});

describe('kinds of files', () => {
  it.each([
    ['README.md', ['documentation']],
    ['docs/logo.svg', ['documentation']],
    ['go.sum', ['manifest']],
    ['deep/yarn.lock', ['manifest']],
    ['package.json', ['manifest', 'configuration']],
    ['src/cli/run.ts', ['code', 'command-line']],
    ['src/index.ts', ['code', 'public-api']],
    ['cmd/main.go', ['code', 'entry-point', 'command-line']],
    ['test/index.ts', ['test', 'code']],
    ['logo.png', []],
  ])('%s: %j', (path, wanted) => {
    expect(kinds(path)).toEqual(wanted);
  });

  it('are told by changed lines as well, but not in tests', () => {
    expect(kinds('src/a.ts', 'export function sum() {')).toEqual(['code', 'public-api']);
    expect(kinds('a.py', '    parser.add_argument("--all")')).toEqual(['code', 'command-line']);
    expect(kinds('a.go', 'func (s *Server) Close() {')).toContain('public-api');
    expect(kinds('a.go', 'func close() {')).toEqual(['code']);
    expect(kinds('a.test.ts', 'export function sum() {')).toEqual(['test', 'code']);
  });
});

function candidate(
  path: string,
  tokens: number,
  reduced: number | null = null,
  turn = 0,
): StepCandidate {
  return {
    path,
    turn,
    tokens,
    bytes: tokens * 4,
    reduced: reduced === null ? null : { tokens: reduced, bytes: reduced * 4 },
  };
}

const room = { tokens: 100, left: 150, bytes: 10_000, isCut: false };

describe('the next step of a review', () => {
  it('takes files in their order until the next does not fit', () => {
    const step = takeStep([candidate('a', 60), candidate('b', 40), candidate('c', 1)], room);
    expect(step.files.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(step.pending.map(({ path }) => path)).toEqual(['c']);
  });

  it('gives a large file all that is left, alone', () => {
    expect(takeStep([candidate('large', 150), candidate('b', 1)], room)).toMatchObject({
      files: [{ path: 'large', isReduced: false }],
      pending: [{ path: 'b' }],
    });
  });

  it('offers a file that is larger than what is left as its changed lines', () => {
    expect(takeStep([candidate('large', 151, 149)], room)).toMatchObject({
      files: [{ path: 'large', isReduced: true }],
      skipped: [],
    });
  });

  it('skips what fits in no way, says why, and goes on', () => {
    const step = takeStep(
      [candidate('huge', 200, 160), candidate('wide', 3_000), candidate('b', 5)],
      { ...room, bytes: 2_000 },
    );
    expect(step.skipped).toEqual([
      { path: 'huge', why: 'does not fit what is left of the budget' },
      { path: 'wide', why: 'does not fit the prompt' },
    ]);
    expect(step.files).toEqual([{ path: 'b', isReduced: false }]);
  });

  it('that is cut to size fills up with files of the same turn, and with no others', () => {
    const cut = { ...room, isCut: true };
    const pending = [
      candidate('a', 60),
      candidate('b', 50),
      candidate('c', 45),
      candidate('d', 35),
      candidate('e', 38),
      candidate('f', 4, null, 1),
    ];
    const step = takeStep(pending, cut);
    expect(step.files.map(({ path }) => path)).toEqual(['a', 'e']);
    expect(step.pending.map(({ path }) => path)).toEqual(['b', 'c', 'd', 'f']);
  });

  it('that is cut to size is filled with what adds up to it, however many files that takes', () => {
    const cut = { ...room, tokens: 100, isCut: true };
    const sizes = [70, 60, 33, 32, 31, 4];
    const step = takeStep(
      sizes.map(tokens => candidate(`f${tokens}`, tokens)),
      cut,
    );
    expect(step.files.map(({ path }) => path)).toEqual(['f33', 'f32', 'f31', 'f4']);
    // Where the first files fill it as well, they stay.
    expect(
      takeStep([candidate('a', 60), candidate('b', 40), candidate('c', 100)], cut).files,
    ).toMatchObject([{ path: 'a' }, { path: 'b' }]);
  });

  it('that should have ended by now goes as little beyond as it can', () => {
    const cut = { ...room, tokens: 5, isCut: true };
    expect(
      takeStep([candidate('a', 60), candidate('b', 20), candidate('c', 9, null, 1)], cut),
    ).toMatchObject({
      files: [{ path: 'b', isReduced: false }],
      pending: [{ path: 'a' }, { path: 'c' }],
    });
  });

  it('accounts for every file, one way or the other, and never takes more than is left', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(200), fc.nat(2))), fc.boolean(), (made, isCut) => {
        const sizes = made.map(([tokens]) => tokens);
        const candidates = made
          .map(([tokens, turn], index) => candidate(`f${index}`, tokens, null, turn))
          .toSorted((one, other) => one.turn - other.turn);
        const { files, skipped, pending } = takeStep(candidates, { ...room, isCut });
        if (candidates.some(({ tokens }) => tokens <= room.left)) expect(files).not.toEqual([]);
        expect(new Set([...files, ...skipped, ...pending].map(({ path }) => path)).size).toBe(
          sizes.length,
        );
        expect(files.length + skipped.length + pending.length).toBe(sizes.length);
        expect(
          files.reduce((sum, { path }) => sum + (sizes[Number(path.slice(1))] ?? 0), 0),
        ).toBeLessThanOrEqual(room.left);
      }),
    );
  });
});

const lines = [' a', '-old = 1', '+new = 1\r', '+key = "secret"', '+let x; // \u202e', ' }'];
const file = sampleFile({
  additions: 3,
  deletions: 1,
  hunks: [{ oldStart: 7, oldLines: 3, newStart: 7, newLines: 5, heading: '', lines }],
});
const change = sampleChange({ files: [file, sampleFile({ path: 'src/b.ts' })] });
const patch = makeVisible(renderPatch(file));

describe('what a question shows of a change', () => {
  it.each<[string, string, string | undefined]>([
    ['all of it', `Look:\n${patch}\nAnswer.`, 'full'],
    ['a secret as masked', patch.replace('"secret"', '"⟦SECRET:api-key:1⟧"'), 'full'],
    ['a path alone', 'Look at src/a.ts', undefined],
    ['a name alone', 'diff --git a/src/a.ts b/src/a.ts\n', 'partial'],
    ['one line less', patch.replace('+key = "secret"\n', ''), 'partial'],
    ['another line', patch.replace('+key', '+kex'), 'partial'],
    ['a line as context', patch.replace('+key', ' key'), 'partial'],
    ['lines with other numbers', patch.replace('+7,5', '+8,5'), 'partial'],
    ['lines below another name', patch.replaceAll('a.ts', 'b.ts'), undefined],
    ['no removed line', patch.replace('-old = 1\n', '').replace('-7,3', '-7,2'), 'partial'],
    ['a mask for everything', patch.replace(/\+new.*\r/, '+x⟦SECRET:x:1⟧'), 'partial'],
  ])('%s', (_, question, extent) => {
    expect(shownOf(question, change).get('src/a.ts')?.extent).toBe(extent);
  });

  it('and each line of a head, which is all that a new name has', () => {
    const moved = sampleFile({ oldPath: 'src/old.ts', status: 'renamed', hunks: [] });
    const extentIn = (question: string) =>
      shownOf(question, { files: [moved] }).get('src/a.ts')?.extent;
    const head = renderPatch(moved);
    expect(extentIn(head)).toBe('full');
    for (const line of head.trim().split('\n').slice(1))
      expect(extentIn(head.replace(`${line}\n`, ''))).toBe('partial');
  });
});
