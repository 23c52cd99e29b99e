/** Texts that grow: the walk looks at more of them in proportion, and ends in every one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDefects } from '../../bench/planted/defects.mjs';
import { followValues } from '../../src/checks/flow.ts';
import { compileRules } from '../../src/checks/world/rule-files.ts';
import { withTree } from '../../src/adapters/syntax/grammars.ts';
import { grammarOf } from '../../src/core/languages/languages.ts';
import { superlinear } from '../growth.ts';

/** Nodes that the walk looks at. */
async function visitsOf(path: string, text: string) {
  const grammar = grammarOf(path) ?? 'javascript';
  const compiled = await compileRules(grammar);
  if (compiled === null) throw new Error(`no rules for ${path}`);
  let visits = 0;
  const isOver = () => {
    visits += 1;
    return false;
  };
  await withTree(
    grammar,
    text,
    () => false,
    tree =>
      followValues(tree.rootNode, {
        ...compiled,
        isOver,
        isWanted: () => true,
      }),
  );
  return visits;
}

describe('the walk', () => {
  const texts = readDefects().map(({ path, text, safe }) => ({ path, text: `${text}\n${safe}` }));

  it('looks at ten times as many nodes in ten times the text', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...new Set(texts.map(({ path }) => ending(path)))),
        fc.array(fc.nat(), { minLength: 2, maxLength: 8 }),
        async (wanted, picks) => {
          const own = texts.filter(({ path }) => ending(path) === wanted);
          const one = picks.map(pick => own[pick % own.length]?.text ?? '').join('\n');
          const [small, large] = [
            await visitsOf(`a.${wanted}`, one),
            await visitsOf(`a.${wanted}`, `${one}\n`.repeat(10)),
          ];
          expect(large).toBeLessThanOrEqual(12 * small);
        },
      ),
      { numRuns: 15 },
    );
  });

  it.each([
    [
      'conditions in one function',
      (n: number) =>
        `function f(req) {\n${'const a = req.query.a; if (ok(a)) { g(a); }\n'.repeat(n)}}\n`,
    ],
    [
      'choices in one function',
      (n: number) =>
        `function f(req) {\n${'x = ok(req.query.a) ? req.query.a : 1;\n'.repeat(n)}}\n`,
    ],
    [
      'functions that hand on',
      (n: number) =>
        Array.from(
          { length: n },
          (_, k) => `function f${k}(a) { exec("ls " + a); }\nf${k}(req.query.a);\n`,
        ).join(''),
    ],
    ['one long text', (n: number) => `exec(${'req.query.a + "b" + '.repeat(n)}"c");\n`],
    [
      'names of one pattern',
      (n: number) =>
        `const { ${Array.from({ length: n }, (_, k) => `a${k}`).join(', ')} } = req.query;\n`,
    ],
  ])('grows with %s no faster than they do', async (_, write) =>
    expect(await superlinear(25, size => visitsOf('a.js', write(size)))).toEqual([]),
  );

  it('ends in nesting that nobody wrote by hand', async () => {
    for (const [open, close] of [
      ['f(', ')'],
      ['[', ']'],
      ['(a ? ', ' : 1)'],
      ['{ a: ', '}'],
    ] as const)
      expect(
        await visitsOf('a.js', `x = ${open.repeat(3_000)}1${close.repeat(3_000)};\n`),
      ).toBeGreaterThan(0);
  });
});

function ending(path: string) {
  return path.replace(/^.*\./, '');
}
