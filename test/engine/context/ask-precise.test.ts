import { describe, expect, it } from 'vitest';
import { promisesOfPreciseSymbols, type Files } from '../../contracts/precise-symbols.ts';
import { scriptedSymbols } from '../../contracts/scripted-symbols.ts';
import { marked } from '../../adapters/precise/encode-scip.ts';
import { createHistory, packLastCommit } from './sample-context.ts';

promisesOfPreciseSymbols('a scripted compiler', {
  open: (compiled, reviewed) => Promise.resolve(scriptedSymbols(compiled, reviewed)),
});

const stores: Files = {
  'src/files.ts':
    'export const files = {\n  «load=files.load().»: (name: string) => name.trim(),\n};\n',
  'src/cache.ts':
    'export const cache = {\n  «load=cache.load().»: (name: string) => name.length,\n};\n',
};
const page = (line: string): string =>
  `import type { Source } from './source.ts';\n\nexport function «open=open().»(sources: readonly ` +
  `Source[]): unknown {\n  const [«one=local 1»] = sources;\n  ${line}\n}\n`;
const before: Files = {
  ...stores,
  'src/source.ts': 'export interface Source {\n  readonly kind: string;\n}\n',
  'src/menu.ts': 'import { open } from "./page.ts";\nexport const menu = «open:open().»([]);\n',
  'src/door.ts':
    'const door = { «open=door.open().»: () => 1 };\nexport const way = door.«open:door.open().»();\n',
};
const after = page('return «one:local 1».«load:cache.load().»("a");');
const plain = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, marked(path, text).text]));

function pack(compiled: Files | null): ReturnType<typeof packLastCommit> {
  return packLastCommit(
    createHistory(plain({ ...before, 'src/page.ts': page('return one;') }), {
      'src/page.ts': marked('src/page.ts', after).text,
    }),
    {},
    compiled === null
      ? {}
      : { precise: scriptedSymbols(compiled, { ...before, 'src/page.ts': after }) },
  );
}

/** Which definitions of `load` it shows or points at. */
const loaded = ({ pack: { anchors } }: Awaited<ReturnType<typeof pack>>): string[] =>
  [...new Set(anchors.flatMap(({ path = '' }) => (path in stores ? [path] : [])))].toSorted();

describe('a pack with what a compiler knows', () => {
  const whole: Files = { ...before, 'src/page.ts': after };

  it('shows the definition that is meant where words leave two', async () => {
    const byWords = await pack(null);
    expect(loaded(byWords)).toEqual(['src/cache.ts', 'src/files.ts']);
    expect(byWords.side).not.toHaveProperty('precise');
    const precise = await pack(whole);
    expect(precise.side.unresolved).toEqual([]);
    expect(loaded(precise)).toEqual(['src/cache.ts']);
    expect(precise.side.precise).toMatch(/^marked texts, 6 files: \d of \d names/);
  });

  it('names who calls what changed, and not who calls something else of that name', async () => {
    const callers = ({ pack: { anchors } }: Awaited<ReturnType<typeof pack>>): string[] =>
      anchors.flatMap(({ path }) =>
        path === 'src/menu.ts' || path === 'src/door.ts' ? [path] : [],
      );
    expect(callers(await pack(null))).toContain('src/door.ts');
    expect(callers(await pack(whole))).toContain('src/menu.ts');
    expect(callers(await pack(whole))).not.toContain('src/door.ts');
  });

  it('goes on by words where the compiler saw something else', async () => {
    const old = await pack({ ...whole, 'src/page.ts': `// once\n${after}` });
    expect(loaded(old)).toEqual(['src/cache.ts', 'src/files.ts']);
    expect(old.side.precise).toMatch(/: 0 of \d names, uses of 0 of 1 definitions$/);
  });
});
