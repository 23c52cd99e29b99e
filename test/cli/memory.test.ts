import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Claim } from '../../src/core/claim.ts';
import type { RunRecord } from '../../src/core/run.ts';
import { createSampleRepository, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { jury, juryJson, writePanel } from './jury.ts';

const cart = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}

export function find(db, name) {
  return db.query("SELECT * FROM item WHERE name = '" + name + "'");
}

export function save(cache, key, value) {
  cache.items[key] = value;
  cache.size += 1;
}
`;

/** A repository whose last commit adds `src/cart.js`, and a panel that says what the test writes into `said`. */
function createProject(): { sample: SampleRepository; config: string; say(reviewer: string, lines: readonly string[]): void } {
  const sample = createSampleRepository();
  sample.write('README.md', 'A shop.\n');
  sample.commit('start');
  sample.git('checkout', '-q', '-b', 'feature');
  sample.write('src/cart.js', cart);
  sample.commit('cart');
  const script = (id: string): string => `process.stdout.write(fs.readFileSync('${sample.root}/../said-${id}', 'utf8'));`;
  const config = writePanel(sample, ['alpha', 'beta', 'gamma'].map(id => ({ id, script: script(id) })));
  const say = (reviewer: string, lines: readonly string[]): void => sample.write(`../said-${reviewer}`, `${lines.length === 0 ? 'No issues found.' : lines.join('\n')}\n`);
  for (const id of ['alpha', 'beta', 'gamma']) say(id, []);
  return { sample, config, say };
}

const review = (sample: SampleRepository, config: string, ...flags: string[]): ReturnType<typeof juryJson> =>
  juryJson(sample.root, ['review', 'main..HEAD', '--config', config, '--fresh', '--fail-on', 'single:critical', ...flags]);

function claimAbout(record: RunRecord, words: string): Claim {
  const found = record.claims.find(claim => claim.text.includes(words));
  if (found === undefined) throw new Error(`no claim about ${words} in ${record.claims.map(({ text }) => text).join(' | ')}`);
  return found;
}

describe('a change and its rebased, reworded successor', () => {
  const { sample, config, say } = createProject();
  let first: RunRecord;
  let second: RunRecord;

  beforeAll(() => {
    say('alpha', ['CRITICAL|src/cart.js:10|SQL injection: the name is concatenated into the query', 'IMPORTANT|src/cart.js:4|Prices are multiplied as floating point numbers, so totals are off by cents']);
    say('beta', ['CRITICAL|src/cart.js:10|The query is built by concatenating name, which allows SQL injection', 'IMPORTANT|src/cart.js:14|save() overwrites an existing key and still increments size']);
    first = review(sample, config).record;
    jury(sample.root, ['dismiss', claimAbout(first, 'Prices').id, '--reason', 'prices are whole cents']);
    // Rebased onto a main that moved on, lines moved down, one thing mended, everything said in other words.
    sample.git('checkout', '-q', 'main');
    sample.write('README.md', 'A shop.\nWith a cart.\n');
    sample.commit('main moves on');
    sample.git('checkout', '-q', 'feature');
    sample.git('rebase', '-q', 'main');
    sample.write('src/cart.js', `// The cart of the shop.\nimport { log } from './log.js';\n\n${cart.replace('  cache.size += 1;\n', '  cache.size = Object.keys(cache.items).length;\n')}`);
    sample.commit('mend the size');
    say('alpha', ['CRITICAL|src/cart.js:13|The name of the item is concatenated into the SQL query unescaped (injection)', 'IMPORTANT|src/cart.js:7|Multiplying prices as floating point makes totals wrong by some cents']);
    say('beta', ['CRITICAL|src/cart.js:13|SQL injection through name in the find query']);
    second = review(sample, config).record;
  });

  it('keeps the ids', () => {
    expect(claimAbout(second, 'SQL').id).toBe(claimAbout(first, 'SQL').id);
    expect(claimAbout(second, 'prices').id).toBe(claimAbout(first, 'Prices').id);
    expect(first.claims.map(({ state }) => state)).toEqual(['new', 'new', 'new']);
  });

  it('calls what is still said persisting, and what was dismissed dismissed, with the reason', () => {
    expect(claimAbout(second, 'SQL').state).toBe('persisting');
    expect(claimAbout(second, 'prices').state).toBe('dismissed');
    expect(second.dismissed).toEqual([{ id: claimAbout(first, 'Prices').id, by: claimAbout(first, 'Prices').id, verdict: 'rejected', reason: 'prices are whole cents', scope: 'claim', until: null }]);
  });

  it('reports the mended one as fixed', () => {
    expect(second.fixed).toMatchObject([{ id: claimAbout(first, 'save()').id, location: { path: 'src/cart.js', line: 14 }, reason: 'beta read it again and does not repeat it.' }]);
  });

  it('reopens a fixed claim that is said again', () => {
    say('beta', ['IMPORTANT|src/cart.js:17|save() overwrites an existing key and still increments size']);
    const { record } = review(sample, config);
    expect(claimAbout(record, 'save()')).toMatchObject({ id: claimAbout(first, 'save()').id, state: 'reopened' });
  });

  it('returns a dismissed claim whose code has changed', () => {
    sample.write('src/cart.js', readFileSync(path.join(sample.root, 'src/cart.js'), 'utf8').replace('item.price * item.count', 'item.price * item.count * rate'));
    sample.commit('rates');
    const { record } = review(sample, config);
    expect(claimAbout(record, 'prices')).toMatchObject({ id: claimAbout(first, 'Prices').id, state: 'reopened' });
    expect(record.dismissed).toEqual([]);
  });
});
