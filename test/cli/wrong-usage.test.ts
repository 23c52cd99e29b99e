/** What people type by mistake, or as another tool would have it, ends with a sentence that tells what to type. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, writePanel } from './jury.ts';

const sample = createChangedRepository();

it.each([
  [['review', 'HEAD~1', 'HEAD'], 3, 'HEAD~1..HEAD'],
  [['review', '--watch'], 3, 'There is no watch mode'],
  [['review', '--fail-on', 'hihg'], 3, 'critical, high, medium, low'],
  [['review', '--quorum', '9'], 3, 'the panel has 4 reviewers, so that it can never be met'],
  [['review', '--require', 'claude'], 3, 'Unknown reviewer "claude"'],
  [['review', '--reviewers', 'diff', '--fail-on', 'majority:high'], 3, 'takes two reviewers'],
  [['ask'], 3, 'Say what to ask, in quotes'],
  [['research'], 3, 'Say what to find out'],
  [['brainstorm'], 3, 'Say what it is about'],
  [['document'], 3, 'Name the document'],
  [['view'], 3, '--format html'],
  [['export'], 3, 'jury report latest --format'],
  [['config'], 3, 'jury init'],
] as const)('jury %j', (args, code, sentence) => {
  const ended = jury(sample.root, args);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr.replace(/\s+/g, ' ')).toContain(sentence);
});

it('nobody is asked where the configuration wants what its panel cannot give', () => {
  const asked = path.join(createFolder(), 'asked');
  const panel = [{ id: 'one', script: `fs.writeFileSync('${asked}', '');` }];
  for (const [settings, sentence] of [
    ['quorum: 2\n', 'The quorum is 2 and the panel has 1 reviewer'],
    ['failOn: [all:high, all:low]\n', 'all:high takes two reviewers'],
  ] as const)
    for (const words of [['review'], ['plan'], ['review', '--dry-run']]) {
      const config = writePanel(sample, panel, settings);
      const ended = jury(sample.root, [...words, '--config', config]);
      expect([ended.code, ended.stdout]).toEqual([3, '']);
      expect(ended.stderr.replace(/\s+/g, ' ')).toContain(sentence);
    }
  expect(existsSync(asked)).toBe(false);
});

it('show takes a claim, and verdicts a run, as other commands do', () => {
  const environment = { JURY_STATE: createFolder() };
  sample.write('src/run.js', 'eval(process.argv[2]);\n');
  sample.commit('three');
  const { record } = juryJson(sample.root, ['review'], { environment });
  const [claim] = record.claims;
  expect(jury(sample.root, ['show', claim?.id ?? ''], { environment }).stdout).toContain(claim?.id);
  const byRun = jury(sample.root, ['verdicts', record.run], { environment });
  expect(byRun.code).toBe(0);
  expect(jury(sample.root, ['verdicts', 'latest'], { environment })).toEqual(byRun);
  expect(jury(sample.root, ['verdicts', '--run', 'latest'], { environment })).toEqual(byRun);
  expect(jury(sample.root, ['verdicts', 'latest', '--dir', '.'], { environment }).code).toBe(3);
});
