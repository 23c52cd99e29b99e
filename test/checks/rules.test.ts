/** The examples of the rules are their tests: `wrong` raises the rule, on the line that says HIT where one does; `right` does not. */
import { describe, expect, it } from 'vitest';
import { languages, readLanguage } from '../../src/checks/world/rule-files.ts';
import { askAnalyser } from './ask-analyser.ts';

const said = async (path: string, text: string) =>
  (await askAnalyser({ analyser: 'patterns', files: { [path]: text } })).said;

describe.each(languages)('the rules of %s', async language => {
  const file = await readLanguage(language);
  const examples = [...Object.entries(file.rules), ...Object.entries(file.flow.examples)];
  const placed = (example: string | { readonly path: string; readonly text: string }) =>
    typeof example === 'string' ? { path: file.path, text: example } : example;

  it.each(examples)('%s', async (id, { wrong, right }) => {
    for (const { path, text } of wrong.map(placed)) {
      const found = await said(path, text);
      const hit = text.split('\n').findIndex(line => line.includes('HIT')) + 1;
      // The way of a value says the same and more: it stands instead of the rule.
      const places = found
        .filter(entry => entry.startsWith(`patterns/${id}:`) || entry.includes('-flow-'))
        .map(entry => Number(entry.replace(/^.*:/, '')));
      expect(places, text).toContain(hit > 0 ? hit : (places[0] ?? 'a line'));
    }
    for (const { path, text } of right.map(placed))
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
