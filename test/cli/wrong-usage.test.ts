/** What people type by mistake, or as another tool would have it, ends with a sentence that tells what to type. */
import { expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson } from './jury.ts';

const sample = createChangedRepository();

it.each([
  [['review', 'HEAD~1', 'HEAD'], 3, 'HEAD~1..HEAD'],
  [['review', '--watch'], 3, 'There is no watch mode'],
  [['review', '--fail-on', 'hihg'], 3, 'critical, high, medium, low'],
  [['ask'], 3, 'Say what to ask, in quotes'],
  [['research'], 3, 'Say what to find out'],
  [['brainstorm'], 3, 'Say what it is about'],
  [['document'], 3, 'Name the document'],
  [['view'], 3, '--format html'],
  [['export'], 3, 'jury report latest --format'],
  [['config'], 3, 'jury init'],
  [['reveiw'], 3, 'Did you mean "review"?'],
] as const)('jury %j', (args, code, sentence) => {
  const ended = jury(sample.root, args);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr.replace(/\s+/g, ' ')).toContain(sentence);
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
