import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClaimExplanation, Statistics } from '../../src/core/printed/checks.ts';
import type { RunRecord } from '../../src/core/words/run.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { jury, juryJson, startJury } from './jury.ts';
import { cart, openShop, type Shop } from '../cart.ts';
import { stateOf } from '../state-of.ts';

const review = (sample: SampleRepository, config: string, ...flags: string[]) =>
  juryJson(sample.root, [
    'review',
    'main..HEAD',
    '--config',
    config,
    '--fresh',
    '--fail-on',
    'single:critical',
    ...flags,
  ]);

function claimAbout(record: RunRecord, words: string) {
  const found = record.claims.find(claim => claim.text.includes(words));
  if (found === undefined)
    throw new Error(
      `no claim about ${words} in ${record.claims.map(({ text }) => text).join(' | ')}`,
    );
  return found;
}

describe('a change and its rebased, reworded successor', () => {
  const { sample, config, say } = openShop();
  let first: RunRecord;
  let second: RunRecord;

  beforeAll(() => {
    say('alpha', [
      'CRITICAL|src/cart.js:10|SQL injection: the name is concatenated into the query',
      'IMPORTANT|src/cart.js:4|Prices are multiplied as floating point numbers, so totals are off by cents',
    ]);
    say('beta', [
      'CRITICAL|src/cart.js:10|The query is built by concatenating name, which allows SQL injection',
      'IMPORTANT|src/cart.js:14|save() overwrites an existing key and still increments size',
    ]);
    first = review(sample, config).record;
    jury(sample.root, [
      'dismiss',
      claimAbout(first, 'Prices').id,
      '--reason',
      'prices are whole cents',
    ]);
    // Rebased onto a main that moved on, lines moved down, one thing mended, everything said in other words.
    sample.git('checkout', '-q', 'main');
    sample.write('README.md', 'A shop.\nWith a cart.\n');
    sample.commit('main moves on');
    sample.git('checkout', '-q', 'feature');
    sample.git('rebase', '-q', 'main');
    sample.write(
      'src/cart.js',
      `// The cart of the shop.\nimport { log } from './log.js';\n\n${cart.replace('  cache.size += 1;\n', '  cache.size = Object.keys(cache.items).length;\n')}`,
    );
    sample.commit('mend the size');
    say('alpha', [
      'CRITICAL|src/cart.js:13|The name of the item is concatenated into the SQL query unescaped (injection)',
      'IMPORTANT|src/cart.js:7|Multiplying prices as floating point makes totals wrong by some cents',
    ]);
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
    expect(second.dismissed).toEqual([
      {
        id: claimAbout(first, 'Prices').id,
        by: claimAbout(first, 'Prices').id,
        verdict: 'rejected',
        reason: 'prices are whole cents',
        scope: 'claim',
        until: null,
      },
    ]);
  });

  it('reports the mended one as fixed', () =>
    expect(second.fixed).toMatchObject([
      {
        id: claimAbout(first, 'save()').id,
        location: { path: 'src/cart.js', line: 14 },
        reason: 'beta read it again and does not repeat it.',
      },
    ]));

  it('reopens a fixed claim that is said again', () => {
    say('beta', [
      'IMPORTANT|src/cart.js:17|save() overwrites an existing key and still increments size',
    ]);
    const { record } = review(sample, config);
    expect(claimAbout(record, 'save()')).toMatchObject({
      id: claimAbout(first, 'save()').id,
      state: 'reopened',
    });
  });

  it('returns a dismissed claim whose code has changed', () => {
    sample.write(
      'src/cart.js',
      readFileSync(path.join(sample.root, 'src/cart.js'), 'utf8').replace(
        'item.price * item.count',
        'item.price * item.count * rate',
      ),
    );
    sample.commit('rates');
    const { record } = review(sample, config);
    expect(claimAbout(record, 'prices')).toMatchObject({
      id: claimAbout(first, 'Prices').id,
      state: 'reopened',
    });
    expect(record.dismissed).toEqual([]);
  });

  it('is explained in words and as JSON, from any run that is kept', () => {
    const { id } = claimAbout(first, 'SQL');
    const { code, stdout } = jury(sample.root, ['explain', id]);
    expect(code).toBe(0);
    for (const words of [
      /^c-[0-9a-f]{10} {2}critical {2}/,
      /^Only alpha says it, once: alpha\/1 “/m,
      /^(?:No other claim shares a word with it|The nearest other claim is c-)/m,
      /^That it is true is (?:likely|about even|unlikely)\s+\(too few judged claims/m,
      new RegExp(`First said in run ${first.run}`),
    ])
      expect(stdout).toMatch(words);
    const explained = JSON.parse(
      jury(sample.root, ['explain', id, '--run', first.run, '--json']).stdout,
    ) as ClaimExplanation;
    expect(explained).toMatchObject({
      schema: 'jury.explanation/1',
      run: first.run,
      claim: { id, state: 'new' },
      joined: [{ one: 'alpha/#1', other: 'beta/#1', same: true }],
    });
    expect(explained.confidence?.probability).toBeGreaterThan(0.3);
    expect(explained.remembered?.history.map(({ state }) => state)).toEqual([
      'new',
      'persisting',
      'persisting',
      'persisting',
    ]);
    expect(jury(sample.root, ['explain', 'c-ffffffffff'])).toMatchObject({ code: 2, stdout: '' });
    const again = JSON.parse(
      jury(sample.root, ['consensus', first.run, '--explain', id, '--json']).stdout,
    ) as ClaimExplanation;
    expect(pairsOf(again)).toEqual(pairsOf(explained));
    expect(again).toMatchObject({ run: null, claim: { id }, remembered: explained.remembered });
  });

  it('is explained by the dismissal first, where it is dismissed', () => {
    const { id } = claimAbout(first, 'Prices');
    const opening = (run: RunRecord) =>
      jury(sample.root, ['explain', id, '--run', run.run])
        .stdout.split('\n\n')[1]
        ?.replace(/\s+/g, ' ') ?? '';
    const said = /erson dismissed it as false on \d{4}-\d\d-\d\d: prices are whole cents\.$/;
    expect(opening(second)).toMatch(said);
    expect(opening(second)).toMatch(/^A person/);
    expect(opening(first)).toMatch(said);
    expect(opening(first)).toMatch(/^After this run/);
    // Its code has changed since, so that it is open again.
    expect(jury(sample.root, ['explain', id]).stdout).not.toContain('A person dismissed it');
  });

  it('feeds the statistics of the reviewers', () => {
    jury(sample.root, ['accept', claimAbout(first, 'SQL').id, '--reason', 'reproduced']);
    const { reviewers, runs } = JSON.parse(
      jury(sample.root, ['stats', '--json']).stdout,
    ) as Statistics;
    expect(runs).toBe(4);
    expect(
      reviewers.map(({ reviewer, reviews, claims, confirmed, rejected, alone }) => [
        reviewer,
        reviews,
        claims,
        confirmed,
        rejected,
        alone.claims,
      ]),
    ).toEqual([
      ['alpha', 4, 2, 1, 1, 1],
      ['beta', 4, 2, 1, 0, 1],
      ['gamma', 4, 0, 0, 0, 0],
    ]);
    expect(jury(sample.root, ['stats']).stdout).toMatch(/alpha .* 50 % \(9–91 %\) +1 \(0\)/);
  });
});

/** How each pair was judged, without who said what. */
function pairsOf({ joined, apart }: ClaimExplanation) {
  return [
    joined.map(({ score, reason }) => [score, reason]),
    apart.map(({ claim, nearest }) => [claim, nearest.score, nearest.reason]),
  ];
}

describe('a dismissal', () => {
  const injection =
    'CRITICAL|src/cart.js:10|SQL injection: the name is concatenated into the query';

  it('takes effect without asking anybody again', () => {
    const { sample, config } = openShop();
    sample.write(
      '../panel/alpha.sh',
      `cat >/dev/null\nprintf x >>'${sample.root}/../calls'\necho '${injection}'\n`,
    );
    const calls = () => readFileSync(path.join(sample.root, '../calls'), 'utf8').length;
    const look = () => juryJson(sample.root, ['review', 'main..HEAD', '--config', config]);
    const before = look();
    const { id } = claimAbout(before.record, 'SQL');
    const told = jury(sample.root, [
      'dismiss',
      id.slice(0, 6),
      '--reason',
      'the driver escapes it',
    ]);
    const after = look();
    expect([before.code, told.code, after.code, calls()]).toEqual([1, 0, 0, 1]);
    expect(told.stdout).toMatch(
      new RegExp(
        `^Run .*: ${id}, critical, src/cart.js:10\n  SQL injection[^]*^Dismissed ${id}\\.`,
        'm',
      ),
    );
    expect(after.record).toMatchObject({
      outcome: 'PASS',
      blocking: [],
      dismissed: [{ id, reason: 'the driver escapes it' }],
    });
    expect(after.record.claims.map(({ state }) => state)).toEqual(['dismissed']);
    expect(look().record).toMatchObject({ run: after.record.run, reused: true });
    expect(jury(sample.root, ['explain', id]).stdout).toMatch(
      /\n\nA person dismissed it as false on [\d-]+: the driver escapes it\.\s/,
    );
    jury(sample.root, ['accept', id]);
    expect([look().code, calls()]).toEqual([1, 1]);
  });

  it('reaches others through the baseline, which a change under review cannot write for itself', () => {
    const { sample, config, say } = openShop();
    say('alpha', [injection]);
    const { id } = claimAbout(review(sample, config).record, 'SQL');
    const { stdout } = jury(sample.root, [
      'dismiss',
      id,
      '--reason',
      'the driver escapes it',
      '--baseline',
    ]);
    expect(stdout).toContain('jury.baseline.json');
    const written = readFileSync(path.join(sample.root, 'jury.baseline.json'), 'utf8');
    expect(JSON.parse(written)).toMatchObject({
      schema: 'jury.baseline/1',
      dispositions: [
        { claim: id, path: 'src/cart.js', verdict: 'rejected', reason: 'the driver escapes it' },
      ],
    });
    const isSaid = (how: string) => {
      rmSync(stateOf(sample.root), { recursive: true });
      const { record, stderr } = review(sample, config);
      expect(record.claims.map(({ state }) => state)).toEqual(['new']);
      expect(stderr).toContain(how);
    };
    // Neither beside the change under review nor as a part of it is the file believed.
    isSaid('jury.baseline.json is here and not at the base: it is ignored.');
    sample.commit('baseline');
    isSaid('The change touches jury.baseline.json: it is ignored.');
    // Another machine: nothing is remembered, the words are others.
    sample.git('checkout', '-q', 'main');
    sample.git('checkout', 'feature', '--', 'jury.baseline.json');
    sample.commit('the decisions of the team');
    sample.git('checkout', '-q', 'feature');
    sample.git('rebase', '-q', 'main');
    rmSync(stateOf(sample.root), { recursive: true });
    say('alpha', [
      'CRITICAL|src/cart.js:10|The name is concatenated into the SQL query unescaped (injection)',
    ]);
    expect(review(sample, config).record.claims).toMatchObject([{ id, state: 'dismissed' }]);
    // What lies in the tree takes nothing away either, and adds nothing.
    sample.write('jury.baseline.json', '{ "schema": "jury.baseline/1", "dispositions": [] }\n');
    const edited = review(sample, config);
    expect(edited.record.claims).toMatchObject([{ id, state: 'dismissed' }]);
    expect(edited.stderr).toContain('here as at the base: its version at the base is used.');
  });

  it('of a claim that does not exist is one sentence with the nearest ids', () => {
    const { sample, config, say } = openShop();
    expect(jury(sample.root, ['dismiss', 'c-0123456789', '--reason', 'x'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'jury: There is no claim "c-0123456789" in the latest run or in the memory of this project.\n',
    });
    say('alpha', [injection]);
    const { id } = claimAbout(review(sample, config).record, 'SQL');
    const wrong = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    expect(jury(sample.root, ['dismiss', wrong, '--reason', 'x'])).toMatchObject({
      code: 2,
      stderr: `jury: There is no claim "${wrong}" in the latest run or in the memory of this project. Did you mean "${id}"?\n`,
    });
  });

  it.each([
    [['--until', '2020-01-01'], '--until: 2020-01-01 is past.'],
    [['--until', 'tomorrow'], '--until: Must be a day such as 2027-01-31.'],
    [['--until', '2027-02-30'], '--until: Must be a day'],
    [['--scope', 'everything'], '--scope: Must be one of claim, file, category.'],
    [['--scope', 'category'], 'names no category'],
  ])('with %j is refused', (flags, sentence) => {
    const { code, stderr } = jury(refused.sample.root, [
      'dismiss',
      refused.id,
      '--reason',
      'x',
      ...flags,
    ]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(sentence.startsWith('--') ? 3 : 2);
  });

  it('without a reason is refused', () =>
    expect(jury(refused.sample.root, ['dismiss', refused.id])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--reason: Say why, for whoever reads it later.') as string,
    }));

  const refused = openShop() as Shop & { id: string };
  beforeAll(() => {
    refused.say('alpha', [injection]);
    refused.id = claimAbout(review(refused.sample, refused.config).record, 'SQL').id;
  });
});

describe('a baseline that cannot be used', () => {
  const { sample, config } = openShop();

  it.each([
    [
      '{\n  "schema": "jury.baseline/1",\n  "dispositions": [\n',
      /^jury: jury\.baseline\.json:\d+:\d+: \S.*\n$/,
    ],
    [
      '{\n  "schema": "jury.baseline/1",\n  "dispositions": [\n    { "claim": "c-0123456789", "verdict": "wrong" }\n  ]\n}\n',
      /^jury: jury\.baseline\.json:4: dispositions\[0\]\.verdict: Must be one of accepted, rejected, tolerated\.\n$/,
    ],
    [
      '{\n  "schema": "jury.baseline/1",\n  "disposition": []\n}\n',
      /^jury: jury\.baseline\.json:3: disposition: Unknown key "disposition"\. Did you mean "dispositions"\?\n$/,
    ],
  ])('is a usage error that names file and line: %j', (text, sentence) => {
    sample.write('jury.baseline.json', text);
    const { code, stdout, stderr } = jury(sample.root, [
      'review',
      'main..HEAD',
      '--config',
      config,
    ]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(sentence);
  });
});

describe('the memory of a project', () => {
  it('is not closed by a run that could not be decided', () => {
    const { sample, config, say } = openShop();
    say('alpha', ['CRITICAL|src/cart.js:10|SQL injection']);
    review(sample, config);
    say('alpha', []);
    sample.write('../panel/beta.sh', 'exit 7\n');
    sample.write('../panel/gamma.sh', 'exit 7\n');
    expect(review(sample, config).record).toMatchObject({ outcome: 'INCOMPLETE', fixed: [] });
    expect(review(sample, config, '--reviewers', 'alpha').record.fixed).toHaveLength(1);
  });

  it('that is damaged costs the history and nothing else', () => {
    const { sample, config, say } = openShop();
    say('alpha', ['CRITICAL|src/cart.js:10|SQL injection']);
    review(sample, config);
    writeFileSync(
      path.join(stateOf(sample.root), 'memory.sqlite'),
      'no database at all '.repeat(500),
    );
    const { code, record, stderr } = review(sample, config);
    expect([code, record.claims.map(({ state }) => state)]).toEqual([1, ['new']]);
    expect(stderr).toContain('The memory of this project was damaged');
  });

  it('gives one id to what two runs at once find first', async () => {
    const { sample, config, say } = openShop();
    say('alpha', ['CRITICAL|src/cart.js:10|SQL injection through the name']);
    const words = ['review', 'main..HEAD', '--config', config, '--fresh', '--format', 'json'];
    const runs = await Promise.all(
      [
        startJury(sample.root, words),
        startJury(sample.root, words),
        startJury(sample.root, words),
      ].map(async child => {
        let text = '';
        child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
        const code = await new Promise(resolve => child.once('close', resolve));
        return { code, record: JSON.parse(text) as RunRecord };
      }),
    );
    expect(runs.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(new Set(runs.map(({ record }) => claimAbout(record, 'SQL').id)).size).toBe(1);
    expect(runs.map(({ record }) => claimAbout(record, 'SQL').state).sort()).toEqual([
      'new',
      'persisting',
      'persisting',
    ]);
  });
});
