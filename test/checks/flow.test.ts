import { describe, expect, it } from 'vitest';
import { askAnalyser } from './ask-analyser.ts';

const said = async (path: string, text: string) =>
  (await askAnalyser({ analyser: 'patterns', files: { [path]: text } })).said;

describe('a value from outside', () => {
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
