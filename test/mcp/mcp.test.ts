import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../../src/index.ts';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, goodAnswer, writePanel } from '../cli/jury.ts';
import { connect, generations, type Connected } from './connect.ts';

/** As agents have it: the configuration is found, not named. */
function createPanel(...reviewers: Parameters<typeof writePanel>[1]) {
  const sample = createChangedRepository();
  const config = writePanel(sample, reviewers);
  const [first] = reviewers;
  sample.write(
    '../jury.config.yaml',
    `${readFileSync(config, 'utf8').replaceAll('./', './panel/')}motions:\n  reviewer: { runner: ` +
      `command, command: [node, ./panel/${first?.id ?? ''}.mjs] }\n`,
  );
  return sample;
}

const talker =
  `for (let n = 1; n <= 40; n++) console.log('IMPORTANT|src/sum.js:' + (n % 3 + 1) + '|' + ` +
  `process.env.JURY_REVIEWER + ' found problem number ' + n + ' ' + 'of a long story '.repeat(10)); ` +
  `console.log('VERDICT: needs-changes');`;

describe.each(generations)('a client of generation %s', generation => {
  let sample: SampleRepository;
  let client: Connected;

  beforeAll(async () => {
    sample = createPanel(
      { id: 'good', script: goodAnswer },
      { id: 'talker', script: talker },
      { id: 'slow', script: `setTimeout(() => { ${goodAnswer} }, 2_500);` },
    );
    client = await connect(generation, { cwd: sample.root });
  });
  afterAll(() => client.close());

  it('lists tools that cost at most 1,500 tokens together', async () => {
    const tools = await client.listTools();
    const { count } = await loadTokenCounter();
    const tokens = count(JSON.stringify(tools));
    console.log(`tools/list for ${generation}: ${tokens} tokens (o200k)`);
    expect(tools.map(({ name }) => name)).toEqual([
      'start',
      'wait',
      'stop',
      'show',
      'search',
      'verdicts',
    ]);
    expect(tokens).toBeLessThanOrEqual(1_500);
  });

  it('is told early that a run goes on, sees it progress and gets the brief result', async () => {
    const messages: string[] = [];
    const figures: [number[], number[]] = [[], []];
    const watch =
      (seen: number[]) =>
      ({ progress, message = '' }: { progress: number; message?: string | undefined }) => {
        seen.push(progress);
        messages.push(message);
      };
    const begun = await client.call(
      'start',
      { process: 'review', seconds: 1 },
      { onprogress: watch(figures[0]) },
    );
    expect(begun.answer).toMatchObject({
      status: 'running',
      next: 'Still running: call wait with this run.',
    });
    expect((await client.call('show', { run: begun.answer.run })).text).toBe(
      'This run is still running. Call wait with it.',
    );
    const { answer, text } = await client.call(
      'wait',
      { run: begun.answer.run },
      { onprogress: watch(figures[1]) },
    );
    expect(answer).toMatchObject({
      run: begun.answer.run,
      status: 'ended',
      outcome: 'FAIL',
      exit_code: 1,
    });
    expect(String(answer.untrusted_text).split('\n').length).toBeLessThanOrEqual(15);
    expect((await loadTokenCounter()).count(text)).toBeLessThanOrEqual(1_000);
    expect(messages.some(message => /2 of 3 reviewers ended/.test(message))).toBe(true);
    for (const seen of figures) expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  });

  it('gets a capped answer that says so, and the rest by id', async () => {
    const { count } = await loadTokenCounter();
    const pieces: string[] = [];
    for (let part = 1; ; part += 1) {
      const { answer, text } = await client.call('show', { run: 'latest', id: 'talker', part });
      expect(count(text)).toBeLessThanOrEqual(1_000);
      pieces.push(String(answer.untrusted_text));
      if (answer.cut === undefined) break;
      expect(answer.cut).toBe(
        `Cut here. The rest: show with run ${String(answer.run)}, id talker, part ${part + 1}.`,
      );
    }
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toContain('problem number 40');
  });

  it('tells every claim in the parts of the whole report, and names no command of a terminal for them', async () => {
    const pieces: string[] = [];
    for (let part = 1, isCut = true; isCut; part += 1) {
      const { answer } = await client.call('show', { run: 'latest', part });
      pieces.push(String(answer.untrusted_text));
      isCut = answer.cut !== undefined;
    }
    const text = pieces.join('');
    for (let number = 1; number <= 40; number += 1)
      expect(text).toContain(`found problem number ${number} `);
    expect(text).not.toContain('jury report');
  });

  it('reads verdicts, passages and the files of the run, and nothing beside it', async () => {
    expect(
      (await client.call('verdicts', { run: 'latest', view: 'counts' })).answer.untrusted_text,
    ).toBe('3 NEEDS_ATTENTION\n');
    expect((await client.call('search', { query: 'reduce' })).answer.untrusted_text).toContain(
      'src/sum.js',
    );
    const uris = (await client.listResources()).map(({ uri }) => uri);
    const report = uris.find(uri => uri.endsWith('/report.md')) ?? '';
    expect(await client.read(report)).toContain('problem number');
    expect(uris.some(uri => uri.includes('journal.jsonl'))).toBe(false);
    const run = report.slice(0, -'/report.md'.length);
    expect(await client.read(`${run}/verdicts/talker.json`)).toContain('NEEDS_ATTENTION');
    for (const uri of ['resources://kb/notes.md', 'file:///etc/passwd', 'resources://runs/', ''])
      await expect(client.read(uri), uri).rejects.toThrow();
    for (const path of [
      'journal.jsonl',
      '../../../src/sum.js',
      '/etc/passwd',
      '%2e%2e/x',
      'none.md',
    ])
      await expect(client.read(`${run}/${path}`), path).rejects.toThrow(
        'There is no such resource',
      );
  });

  it.each([
    [
      'start',
      { process: 'review', subject: '--output=/tmp/x' },
      '"--output=/tmp/x" is no revision: it starts with a dash.',
    ],
    ['start', { process: 'review', subject: 7 }, 'subject: Must be text; this is a number.'],
    ['start', { process: 'nothing' }, 'process: Must be one of'],
    ['start', { process: 'ask', subject: '-' }, 'subject: the question is missing.'],
    [
      'start',
      { process: 'review', mode: 'debugging' },
      'mode: review has none; questions (ask) do.',
    ],
    [
      'start',
      { process: 'resume', subject: 'latest', context: 'Look at the sums.' },
      'context: resume has none; reviews and questions do.',
    ],
    [
      'start',
      { process: 'motions', subject: 'session', paths: ['src'] },
      'paths: motions has none; reviews (review) do.',
    ],
    ['start', { process: 'review', paths: [''] }, 'paths[0]: It is empty.'],
    ['start', { process: 'review', command: 'rm' }, 'command: Unknown key "command"; known are '],
    [
      'start',
      { process: 'review', root: '../elsewhere' },
      'root: there is no root of this name. Known: here.',
    ],
    [
      'start',
      { process: 'ask', subject: 'x'.repeat(10_000_000) },
      'The arguments have more than 1000000 characters.',
    ],
    ['wait', { run: '20200101T000000Z-000000' }, 'There is no run "20200101T000000Z-000000".'],
    ['wait', { run: '../../etc' }, 'There is no run "../../etc".'],
    ['show', { run: 'latest', id: 'nobody' }, 'has no claim, finding or reviewer "nobody".'],
    [
      'show',
      { run: 'latest', id: 'talker', part: 9_999 },
      'There is no part 9999; the last one is',
    ],
    ['stop', { run: 'latest' }, 'run: there is no such run under way here.'],
  ])('refuses a bad call of %s in a sentence (%#)', async (name, given, sentence) => {
    const { isError, text } = await client.call(name, given);
    expect(isError).toBe(true);
    expect(text).toContain(sentence);
    expect(text.length).toBeLessThanOrEqual(500);
  });

  it('is told in a protocol error that a tool does not exist', () =>
    expect(client.call('rm', {})).rejects.toThrow('There is no such tool'));
});

describe('every process', () => {
  const blocks = [
    '### Sources',
    '- [official] https://example.org/manual',
    '### Findings',
    '- Lazy loading is safe for all of them',
    '### Confidence',
    'high',
    '### Gaps',
    'none',
  ].join('\\n');
  const index = [
    '### Findings Index',
    '- P1 | F1 | \\"Plan\\" | The plan names no way back',
    'Verdict: needs-changes',
    '### Summary',
    'One gap.',
    '<!-- jury:complete -->',
  ].join('\\n');
  let sample: SampleRepository;
  let client: Connected;

  beforeAll(async () => {
    sample = createPanel({
      id: 'talker',
      script:
        `console.log(/Findings Index/.test(prompt) ? "${index}" : /### Sources/.test(prompt) ? ` +
        `"${blocks}" : 'SUGGESTION|Use a queue\\nVERDICT: safe');`,
    });
    sample.write('docs/plan.md', '# Plan\n\nMove everything at once.\n');
    client = await connect('1.x', { cwd: sample.root });
  });
  afterAll(() => client.close());

  it.each([
    ['document', 'docs/plan.md'],
    ['research', 'May they be loaded lazily?'],
    ['brainstorm', 'A cache'],
    ['ask', 'What could go wrong?'],
    ['gates', 'HEAD~1..HEAD'],
    ['review', undefined],
  ])('%s is answered with a brief result', async (process, subject) => {
    const { answer, text, isError } = await client.call('start', {
      process,
      ...(subject !== undefined && { subject }),
    });
    expect([isError, answer.status], text).toEqual([false, 'ended']);
    expect(String(answer.untrusted_text).split('\n').length).toBeLessThanOrEqual(15);
    expect(String(answer.untrusted_text)).toContain(String(answer.run));
  });

  it('motions are counted, and come back with a line for each', async () => {
    const members = JSON.parse(
      readFileSync(new URL('../../rosters/archons.json', import.meta.url), 'utf8'),
    ) as string[];
    const supporters = members.slice(0, 48);
    sample.write(
      'session/mega-motions.json',
      JSON.stringify([
        {
          mega_motion_id: 'm1',
          title: 'Keep the journal',
          consolidated_text: 'A journal is kept.',
          source_motion_ids: ['x'],
          all_supporting_archons: supporters,
          unique_archon_count: supporters.length,
          consensus_tier: 'high',
        },
      ]),
    );
    const voting = { process: 'motions', subject: 'session', rules: 'guarded', maxCalls: 40 };
    const planned = await client.call('start', voting);
    expect(planned.answer, planned.text).toMatchObject({
      run: null,
      status: 'plan',
      max_calls: 40,
      next: expect.stringContaining('confirm: true') as string,
    });
    expect(planned.answer.untrusted_text).toMatch(
      /^Plan: 0 reviews in 0 calls.* Ceiling: 40 calls/,
    );
    const sorted = await client.call('start', { ...voting, triageOnly: true });
    expect(sorted.answer).toMatchObject({ status: 'ended', low_risk: 1, high_risk: 0 });
    const { answer, text } = await client.call('start', { ...voting, confirm: true });
    expect(answer, text).toMatchObject({
      status: 'ended',
      outcome: null,
      ratified: 1,
      rejected: 0,
      deferred: 0,
      run: expect.stringMatching(/^\d{8}T\d{6}Z-/),
    });
    expect(answer.untrusted_text).toMatch(
      /^ratified: Keep the journal \(.* yea, .* nay, .* abstain; \d+ of the yeas implicit\) m1\nResults: /,
    );
    const run = String(answer.run);
    const shown = await client.call('show', { run });
    expect(shown.answer).toMatchObject({ run, status: 'ended' });
    expect(shown.answer.untrusted_text).toMatch(/^# Vote on motions: 1 ratified/);
    const one = await client.call('show', { run, id: '1' });
    expect(one.answer).toMatchObject({ motion: 1, outcome: 'ratified' });
    expect(one.answer.untrusted_text).toMatch(/^1\. .*: ratified\nIt passed: /);
    expect((await client.call('show', { run, id: 'nothing' })).text).toContain(
      'This vote has no motion',
    );
    const { text: refused } = await client.call('start', { process: 'review', confirm: true });
    expect(refused).toContain('confirm: review has none');
  });

  it('motions of a folder that holds no session are refused', async () => {
    const { isError, text } = await client.call('start', { process: 'motions', subject: 'docs' });
    expect([isError, text]).toEqual([true, expect.stringContaining('docs')]);
  });

  it.each(['../jury.config.yaml', '/etc/passwd', 'docs/none.md', '.jury/../../panel'])(
    'a document %s out of the root is refused',
    async subject => {
      const { isError, text } = await client.call('start', { process: 'document', subject });
      expect([isError, text.startsWith('subject: ')]).toEqual([true, true]);
    },
  );
});

it('starts nothing that a configuration names and nobody has allowed', async () => {
  const sample = createPanel({ id: 'good', script: `fs.writeFileSync('../asked', '');` });
  const client = await connect('2.x as of 2026', {
    cwd: sample.root,
    environment: { JURY_TRUST_CONFIG: '', JURY_STATE: createFolder() },
  });
  const text = expect.stringMatching(/wants to start node .* jury trust /) as string;
  for (const given of [{ process: 'review' }, { process: 'ask', subject: 'Why?' }])
    expect(await client.call('start', given)).toMatchObject({ isError: true, text });
  expect(
    (await client.call('start', { process: 'review', reviewers: ['secrets', 'diff'] })).answer,
    // Checks alone are no review for an agent.
  ).toMatchObject({ outcome: 'INCOMPLETE' });
  await client.close();
});

it('works in the folders it was given by name, the first one unless another is named', async () => {
  const [one, two] = [
    createPanel({ id: 'good', script: goodAnswer }),
    createPanel({ id: 'good', script: goodAnswer }),
  ];
  two.write('src/only-there.js', 'export const onlyThere = 1;\n');
  const client = await connect('2.x as of 2026', {
    cwd: one.root,
    args: ['--root', 'one=.', '--root', `two=${two.root}`],
  });
  const hits = async (root?: string) =>
    (await client.call('search', { query: 'onlyThere', ...(root !== undefined && { root }) }))
      .answer.hits;
  expect([await hits(), await hits('one'), await hits('two')]).toEqual([0, 0, 1]);
  expect((await client.call('search', { query: 'x', root: two.root })).text).toBe(
    'root: there is no root of this name. Known: one, two.',
  );
  await client.close();
});
