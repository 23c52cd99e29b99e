import { describe, expect, it } from 'vitest';
import { readDefects } from '../../bench/planted/defects.mjs';
import { askAnalyser } from './ask-analyser.ts';

const analysers = ['patterns', 'javascript', 'secrets', 'diff'] as const;
const defects = readDefects();
const open = defects.filter(({ isAside }) => !isAside);
const languages = [...new Set(defects.map(({ language }) => language))];

interface Said {
  readonly place: string;
  readonly rule: string;
  readonly weakness: string;
}

/** Every finding of the panel, by the file it is about. */
async function askPanel(files: Readonly<Record<string, string>>) {
  const byPath = new Map<string, Said[]>();
  for (const analyser of analysers) {
    const { findings } = await askAnalyser({ analyser, files });
    for (const { file = '', line, evidence = '' } of findings) {
      const [, rule = '', weakness = ''] =
        /rule \w+\/(\S+?)(?: \((CWE-\d+)\))?\.$/.exec(evidence) ?? [];
      byPath.set(file, [...(byPath.get(file) ?? []), { place: `${file}:${line}`, rule, weakness }]);
    }
  }
  return byPath;
}

const textsOf = (side: 'text' | 'safe', list: typeof defects) =>
  Object.fromEntries(list.map(defect => [defect.path, defect[side]]));

describe('the planted defects', () => {
  it('are at least 120 in six languages or more, a third of them set aside', () => {
    expect(defects.length).toBeGreaterThanOrEqual(120);
    expect(languages.length).toBeGreaterThanOrEqual(6);
    expect(new Set(defects.map(({ id }) => id)).size).toBe(defects.length);
    expect((defects.length - open.length) / defects.length).toBeGreaterThan(0.25);
  });

  it.each(languages)(
    '%s: the open ones are found at their place under their weakness',
    async language => {
      const own = open.filter(defect => defect.language === language);
      const said = await askPanel(textsOf('text', own));
      const missed = own.filter(
        ({ path, lines, weakness }) =>
          !(said.get(path) ?? []).some(
            finding =>
              finding.weakness === weakness &&
              lines.some(line => finding.place === `${path}:${line}`),
          ),
      );
      expect(missed.map(({ id }) => id)).toEqual([]);
    },
  );

  it.each(languages)('%s: of the mended forms of the open ones nothing is said', async language => {
    const own = open.filter(defect => defect.language === language);
    expect([...(await askPanel(textsOf('safe', own))).values()].flat()).toEqual([]);
  });

  it('of those set aside at least 85 in 100 are found, and no more than a few mended ones are named', async () => {
    const counts = { planted: 0, found: 0, flagged: 0 };
    for (const language of languages) {
      const own = defects.filter(defect => defect.isAside && defect.language === language);
      const said = await askPanel(textsOf('text', own));
      const mended = await askPanel(textsOf('safe', own));
      counts.planted += own.length;
      counts.flagged += mended.size;
      counts.found += own.filter(({ path, lines }) =>
        (said.get(path) ?? []).some(({ place }) => lines.some(line => place === `${path}:${line}`)),
      ).length;
    }
    expect(counts.found / counts.planted).toBeGreaterThanOrEqual(0.85);
    expect(counts.flagged).toBeLessThanOrEqual(3);
  });
});
