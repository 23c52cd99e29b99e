import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDefects } from '../../../bench/planted/defects.mjs';
import { flowTableOf } from '../../../src/adapters/analysers/flow/tables.ts';
import { followFlows } from '../../../src/adapters/analysers/flow/walk.ts';
import { withTree } from '../../../src/adapters/syntax/grammars.ts';
import { grammarOf } from '../../../src/core/languages/languages.ts';
import { growthOfAsync, linearAtMost } from '../../growth.ts';
import { askAnalyser } from './ask-analyser.ts';
import { flowSamples, wholeSample } from './flow-samples.ts';

const said = async (path: string, text: string): Promise<readonly string[]> =>
  (await askAnalyser({ analyser: 'patterns', files: { [path]: text } })).said;

/** Nodes that the walk looks at. */
async function visitsOf(path: string, text: string): Promise<number> {
  const grammar = grammarOf(path) ?? 'javascript';
  const table = flowTableOf(grammar);
  if (table === null) throw new Error(`no table for ${path}`);
  let visits = 0;
  const count = (): boolean => {
    visits += 1;
    return false;
  };
  await withTree(
    grammar,
    text,
    () => false,
    tree => followFlows(tree.rootNode, table, () => true, count),
  );
  return visits;
}

describe('a value from outside', () => {
  it.each(Object.keys(flowSamples))('%s is told where it does harm', async id => {
    const { path, text, line } = wholeSample(id);
    expect(await said(path, text)).toContain(`patterns/${id}:${line}`);
  });

  it.each(Object.keys(flowSamples))('%s: of a fixed value nothing is said', async id => {
    const { path, text } = wholeSample(id);
    const fixed = text
      .replace(/given(\s*:?=\s*)[^;\n]+/, 'given$1"fixed"')
      .replace('wanted): Query<Wanted>', 'wanted): State<Wanted>');
    expect((await said(path, fixed)).filter(entry => entry.includes('-flow-'))).toEqual([]);
  });

  it('is followed into a function of the same file, and told with the line of the call', async () => {
    const text = [
      'function list(order) {',
      '  return db.query(`SELECT id FROM books ORDER BY ${order}`);',
      '}',
      'router.get("/", (req, res) => list(req.query.order));',
    ].join('\n');
    const { findings } = await askAnalyser({
      analyser: 'patterns',
      files: { 'src/a.js': `${text}\n` },
    });
    const flow = findings.find(({ evidence = '' }) => evidence.includes('javascript-flow-sql'));
    expect(flow?.line).toBe(2);
    expect(flow?.issue).toContain('`req.query.order`, line 4, handed on in line 4');
  });

  it.each([
    ['checked before', 'if (!allowed.has(given)) return;\n', 'given'],
    ['chosen from a table', '', 'columns[given]'],
    ['made a number', '', 'Number(given)'],
    ['set anew', 'given = "date";\n', 'given'],
    ['chosen under a condition', '', 'known.includes(given) ? given : "date"'],
  ])('%s does no harm', async (_, before, value) => {
    const text = `r.get("/", (req, res) => {\nlet given = req.query.a;\n${before}db.query("SELECT a FROM b ORDER BY " + (${value}));\n});\n`;
    expect((await said('src/a.js', text)).filter(entry => entry.includes('-flow-'))).toEqual([]);
  });

  it.each([
    ['is asked for', 'if (!given) return;\n'],
    ['has a default', 'if (given === undefined) given = "date";\n'],
    ['another is checked', 'if (!allowed.has(other)) return;\n'],
  ])('that %s still does', async (_, before) => {
    const text = `r.get("/", (req, res) => {\nlet given = req.query.a;\n${before}db.query("SELECT a FROM b ORDER BY " + given);\n});\n`;
    expect(await said('src/a.js', text)).toContain('patterns/javascript-flow-sql:4');
  });

  it('whose name is made to break out of the sentence is shown as plain text', async () => {
    const text = 'db.query("SELECT a FROM b WHERE c = " + req.query["`\\u202e<b>`"]);\n';
    const { findings } = await askAnalyser({ analyser: 'patterns', files: { 'src/a.js': text } });
    expect(findings[0]?.issue.split('`')).toHaveLength(3);
  });
});

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
  ])('grows with %s no faster than they do', { timeout: 120_000 }, async (_, write) => {
    const growth = await growthOfAsync(150, size => visitsOf('a.js', write(size)), 1);
    expect(growth).toBeLessThan(linearAtMost);
  });

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

function ending(path: string): string {
  return path.replace(/^.*\./, '');
}
