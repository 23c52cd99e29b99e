/** The examples of the rules are their tests: `wrong` raises the rule, on the line that says HIT where one does; `right` does not. */
import { describe, expect, it } from 'vitest';
import { parseLines } from '../../src/checks/rule.ts';
import { languages, readData, readLanguage } from '../../src/checks/world/rule-files.ts';
import { askAnalyser, rulesSaid } from './ask-analyser.ts';

type Example = string | { readonly path: string; readonly text: string };
const placed = (examples: readonly Example[], path: string) =>
  examples.map(example => (typeof example === 'string' ? { path, text: example } : example));

const said = async (path: string, text: string) =>
  (await askAnalyser({ analyser: 'patterns', files: { [path]: text } })).said;

describe.each(languages)('the rules of %s', async language => {
  const file = await readLanguage(language);
  const examples = [...Object.entries(file.rules), ...Object.entries(file.flow.examples)];

  it.each(examples)('%s', async (id, { wrong, right }) => {
    for (const { path, text } of placed(wrong, file.path)) {
      const found = await said(path, text);
      const hit = text.split('\n').findIndex(line => line.includes('HIT')) + 1;
      // The way of a value says the same and more: it stands instead of the rule.
      const places = found
        .filter(entry => entry.startsWith(`patterns/${id}:`) || entry.includes('-flow-'))
        .map(entry => Number(entry.replace(/^.*:/, '')));
      expect(places, text).toContain(hit > 0 ? hit : (places[0] ?? 'a line'));
    }
    for (const { path, text } of placed(right, file.path))
      expect(
        (await said(path, text)).map(entry => entry.replace(/:.*$/, '')),
        text,
      ).not.toContain(`patterns/${id}`);
  });

  it('have an example for each way of a value', () => {
    const { sinks } = file.flow;
    const ids = sinks.flatMap(({ kind, built }) =>
      [`${language}-flow-${kind}`, built ?? []].flat(),
    );
    expect(Object.keys(file.flow.examples).toSorted()).toEqual([...new Set(ids)].toSorted());
  });
});

describe('the rules about lines', async () => {
  const rules = parseLines(await readData('lines'));

  it.each(rules)('$id in $path', async ({ id, path: usual, wrong, right }) => {
    for (const { path, text } of placed(wrong, usual))
      expect(await rulesSaid('diff', { [path]: text }), text).toEqual([`diff/${id}`]);
    for (const { path, text } of placed(right, usual))
      expect(await rulesSaid('diff', { [path]: text }), text).toEqual([]);
  });
});
