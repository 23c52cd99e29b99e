import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalPack, SideFile } from '../../src/core/context/packing/local-pack.ts';
import { createHistory, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { jury, juryJson, writePanel } from './jury.ts';
import { runsOf, stateOf } from '../state-of.ts';

const price = (line: string) =>
  `import { rateOf } from './rates.js';\n\nexport function priceOf(net) {\n  const rate = 2;\n${line}  return net * rate;\n}\n`;
const text = (word: string) =>
  Array.from(
    { length: 60 },
    (_, index) => `export const ${word}${index} = 'a text of some length for number ${index}';\n`,
  ).join('');
/** Says whether the packs were there when it was asked, and what it was shown of the definition. */
const witness = (folder: string) => `
const runs = fs.existsSync(${JSON.stringify(folder)}) ? fs.readdirSync(${JSON.stringify(folder)}).filter(name => /^\\d/.test(name)) : [];
const packs = runs.flatMap(run => fs.readdirSync(${JSON.stringify(folder)} + '/' + run + '/context')).filter(name => name.endsWith('.lcp.json'));
console.log('IMPORTANT|src/price.js:5|packs: ' + packs.join() + '; sees: ' + prompt.includes('export function rateOf(country) {') + '\\nVERDICT: safe');`;

function createSample() {
  return createHistory(
    {
      'src/rates.js':
        '/** Rates by country. */\nexport function rateOf(country) {\n  return country === "de" ? 19 : 20;\n}\n',
      'src/price.js': price(''),
    },
    { 'src/price.js': price('  console.log(rateOf("de"));\n') },
  );
}

function runFolder(sample: SampleRepository) {
  const runs = runsOf(sample.root);
  return path.join(runs, readdirSync(runs).find(name => /^\d/.test(name)) ?? '');
}

function readPack(folder: string) {
  const read = (name: string) =>
    JSON.parse(readFileSync(path.join(folder, 'context', name), 'utf8'));
  return {
    pack: LocalPack.parse(read('Reviewer.lcp.json')),
    side: SideFile.parse(read('Reviewer.meta.json')),
  };
}

describe('the packs of a review', () => {
  it('are written before the reviewers are asked, and all of them read what stands around the change', () => {
    const sample = createSample();
    const script = witness(runsOf(sample.root));
    const isolation = `read: [${JSON.stringify(stateOf(sample.root))}]`;
    mkdirSync(stateOf(sample.root), { recursive: true, mode: 0o700 });
    const config = writePanel(
      sample,
      [
        { id: 'one', script, isolation },
        { id: 'two', script, isolation },
      ],
      'packs:\n  programs: true\n',
    );
    const { record } = juryJson(sample.root, ['review', '--config', config, '--fail-on', 'never']);
    expect(record.claims.map(({ text }) => text)).toEqual(['packs: Reviewer.lcp.json; sees: true']);
    const folder = runFolder(sample);
    const { pack, side } = readPack(folder);
    expect(pack).toMatchObject({
      agent: 'Reviewer',
      scope_class: 'Tiny',
      model_capability: 'reasoning_high',
    });
    expect(side).toMatchObject({
      run_id: path.basename(folder),
      pack_uri: `resources://runs/${path.basename(folder)}/context/Reviewer.lcp.json`,
      stop_reason: 'satisfied',
    });
    const prompts = ['one', 'two'].map(id =>
      readFileSync(path.join(folder, 'context', `${id}.md`), 'utf8'),
    );
    expect(prompts[0]).toBe(prompts[1]);
    expect(prompts[0]).toContain('**Around The Change:**');
    expect(jury(sample.root, ['context', 'check', side.pack_uri]).code).toBe(0);
  });

  it('are made beside the reviewers when these are programs that nobody has to wait for', () => {
    const sample = createSample();
    const config = writePanel(sample, [{ id: 'one', script: witness(runsOf(sample.root)) }]);
    const { record } = juryJson(sample.root, ['review', '--config', config, '--fail-on', 'never']);
    expect(record.claims.map(({ text }) => text)).toEqual(['packs: ; sees: false']);
    expect(readPack(runFolder(sample)).side.stop_reason).toBe('satisfied');
  });

  it('are several when one cannot hold the change, and together they show all of it', () => {
    const names = Array.from({ length: 13 }, (_, index) => `src/part${index}.js`);
    const sample = createHistory(
      Object.fromEntries(names.map(name => [name, text('old')])),
      Object.fromEntries(names.map(name => [name, text('new')])),
    );
    const config = writePanel(sample, [
      { id: 'one', script: "console.log('None\\nVERDICT: safe');" },
    ]);
    juryJson(sample.root, ['review', '--config', config]);
    const folder = path.join(runFolder(sample), 'context');
    const packs = readdirSync(folder)
      .filter(name => name.endsWith('.lcp.json'))
      .map(name => LocalPack.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))));
    expect(packs.length).toBeGreaterThan(2);
    for (const pack of packs) expect(pack.token_estimate).toBeLessThanOrEqual(5400);
    const lines = packs
      .flatMap(({ anchors }) =>
        anchors.map(({ lines: range = '1-0' }) => range.split('-').map(Number)),
      )
      .reduce((sum, [start = 1, end = 0]) => sum + end - start + 1, 0);
    expect(lines).toBe(13 * 60);
  });

  it('are not made for analysers, and an index neither', () => {
    const sample = createSample();
    juryJson(sample.root, ['review', '--reviewers', 'secrets', '--fail-on', 'never']);
    expect(existsSync(path.join(stateOf(sample.root), 'index.sqlite'))).toBe(false);
  });

  it('are not made of a patch: the review goes on and says so', () => {
    const sample = createSample();
    const config = writePanel(
      sample,
      [{ id: 'one', script: "console.log('None\\nVERDICT: safe');" }],
      'packs:\n  programs: true\n',
    );
    const { code, stderr } = jury(sample.root, ['review', '--patch', '-', '--config', config], {
      input: sample.git('show', 'HEAD'),
    });
    expect([code, stderr.includes('There is no code index for this subject')]).toEqual([0, true]);
  });
});
