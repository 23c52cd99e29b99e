import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createJury,
  UserError,
  type ConfigInput,
  type JurySettings,
  type ReviewerFunction,
  type Runner,
  type StreamEvent,
} from '../../src/index.ts';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository } from '../cli/jury.ts';
import { answered, failedAnswer } from '../../src/core/ports/runner.ts';
import { runsOf } from '../state-of.ts';
import { readResults } from './forged-results.ts';

const found = 'IMPORTANT|src/sum.js:2|An empty list throws\nVERDICT: needs-changes';
const nothing = 'None\nVERDICT: safe';
const says = (text: string) => () => ({ text });
const range = 'HEAD~1..HEAD';
const request = { process: 'review', range } as const;

let sample: SampleRepository;
beforeEach(() => {
  sample = createChangedRepository();
});

const reviewers = (...names: readonly string[]) => ({
  reviewers: names.map(name => ({ id: name, runner: name })),
});
const juryOf = (settings: JurySettings) =>
  createJury({
    cwd: sample.root,
    environment: {
      PATH: process.env.PATH,
      JURY_TMPDIR: process.env.TMPDIR,
      JURY_STATE: process.env.JURY_STATE,
    },
    ...settings,
  });

/** With this one reviewer. */
const juryBy = (mine: ReviewerFunction | Runner) =>
  juryOf({ config: reviewers('mine'), runners: { mine } });

const matcher = (version: string, same: boolean) => ({
  name: 'mine',
  version,
  threshold: null,
  prepare: () => Promise.resolve(),
  compare: () => ({ same, score: same ? 100 : 0, reason: 'as I say' }),
});

const take = async (events: AsyncIterable<StreamEvent>) => {
  const taken: StreamEvent[] = [];
  for await (const event of events) taken.push(event);
  return taken;
};

describe('a function as a reviewer', () => {
  it('is asked as any reviewer is, and what it finds is a claim', async () => {
    const run = await juryOf({
      config: reviewers('mine', 'yours'),
      runners: { mine: says(found), yours: says(found) },
    }).run(request);
    expect(run).toMatchObject({
      outcome: 'FAIL',
      claims: [
        {
          supporters: ['mine', 'yours'],
          agreement: 'all',
          location: { path: 'src/sum.js', line: 2 },
        },
      ],
    });
    expect(run.reviews).toMatchObject([
      { runner: 'mine', status: 'complete' },
      { runner: 'yours', status: 'complete' },
    ]);
  });

  it('passes what it has read and finds nothing in', async () => {
    const prompts: string[] = [];
    const mine: ReviewerFunction = turn => {
      prompts.push(turn.prompt);
      return { text: nothing, model: 'house/one', usage: { inputTokens: 12, outputTokens: 3 } };
    };
    const run = await juryBy(mine).run(request);
    expect(run).toMatchObject({
      outcome: 'PASS',
      reviews: [
        {
          model: 'house/one',
          usage: { calls: 1, inputTokens: 12, outputTokens: 3, estimated: false },
        },
      ],
    });
    expect(prompts[0]).toContain('return list.reduce((a, b) => a + b);');
  });

  const failures: readonly [
    title: string,
    mine: ReviewerFunction,
    cause: string,
    message: RegExp,
  ][] = [
    [
      'throws',
      () => {
        throw new Error('no quota left today');
      },
      'thrown',
      /no quota left today/,
    ],
    ['rejects', () => Promise.reject(new Error('the line is down')), 'thrown', /the line is down/],
    ['says nothing', says('  '), 'empty', /no text/],
    [
      'gives something else',
      (() => ({ texts: 'None' })) as unknown as ReviewerFunction,
      'thrown',
      /text/,
    ],
    ['never ends', () => new Promise(() => {}), 'deadline', /0\.5 s/],
  ];
  it.each(failures)('that %s is a failed review, and no pass', async (_, mine, cause, message) => {
    const config: ConfigInput = { reviewers: [{ id: 'mine', runner: 'mine', timeout: 0.5 }] };
    const run = await juryOf({ config, runners: { mine } }).run(request);
    expect(run.outcome).toBe('INCOMPLETE');
    expect(run.reviews).toMatchObject([
      { status: 'failed', failure: { cause, message: expect.stringMatching(message) as string } },
    ]);
  });

  it('that is cut off is no pass', async () => {
    const run = await juryBy(() => ({ text: 'None', stop: 'cut' })).run(request);
    expect(run).toMatchObject({
      outcome: 'INCOMPLETE',
      reviews: [{ status: 'partial', failure: { cause: 'truncated' } }],
    });
  });

  it('that is a whole runner may reject as well', async () => {
    const mine = {
      name: 'mine',
      ask: () => Promise.reject(new Error('broken')),
      fingerprint: () => Promise.resolve(null),
    };
    expect(await juryBy(mine).run(request)).toMatchObject({
      outcome: 'INCOMPLETE',
      reviews: [{ failure: { cause: 'thrown' } }],
    });
  });

  it('is gone on with by a jury that brings it, and by no other', async () => {
    const first = await juryBy(() => Promise.reject(new Error('busy'))).run(request);
    const resumed = await juryBy(says(nothing)).resume(first.record.run);
    expect(resumed).toMatchObject({ outcome: 'PASS', record: { run: first.record.run } });
    const second = await juryBy(() => Promise.reject(new Error('busy'))).run(request);
    await expect(juryOf({}).resume(second.record.run)).rejects.toThrow(UserError);
  });
});

const known = (fingerprint: string | null) => ({
  name: 'mine',
  ask: () => Promise.resolve(answered(nothing)),
  fingerprint: () => Promise.resolve(fingerprint),
});
const down: ReviewerFunction = () => Promise.reject(new Error('down'));

describe('a run that goes on', () => {
  const juryOn = (
    mine: Runner,
    yours: ReviewerFunction,
    config: ConfigInput = reviewers('mine', 'yours'),
  ) => juryOf({ config, runners: { mine, yours, third: says(nothing) } });

  it.each(['another', null])('is refused where a reviewer is now %s', async now => {
    expect(await juryOn(known('one'), down).run(request)).toMatchObject({ outcome: 'INCOMPLETE' });
    const changed = juryOn(known(now), says(nothing));
    for (const goOn of ['resume', 'continue'] as const)
      await expect(changed[goOn]('latest')).rejects.toThrow('reviewer mine was another');
    const same = await juryOn(known('one'), says(nothing)).resume('latest');
    expect(same).toMatchObject({ outcome: 'PASS' });
  });

  it('holds a reviewer of which nothing was known to what it was when it answered', async () => {
    await juryOn({ ...known(null), ask: () => Promise.reject(new Error('gone')) }, down).run(
      request,
    );
    expect(await juryOn(known('one'), down).resume('latest')).toMatchObject({
      outcome: 'INCOMPLETE',
      reviews: [{ status: 'complete' }, { status: 'failed' }],
    });
    const changed = juryOn(known('another'), says(nothing)).resume('latest');
    await expect(changed).rejects.toThrow('reviewer mine was another');
  });

  it('keeps what a reviewer had named before it failed', async () => {
    const text = 'CRITICAL|src/a.js:1|a hole';
    const broken = failedAnswer('truncated', 'It broke off.', { text });
    await juryOn({ ...known('one'), ask: async () => broken }, down).run(request);
    expect(await juryOn(known('one'), says(nothing)).resume('latest')).toMatchObject({
      outcome: 'INCOMPLETE',
      reviews: [{ status: 'complete', unaccounted: 'critical' }, {}],
    });
  });

  const question = { process: 'ask', prompt: 'Why?', mode: 'debugging' } as const;
  const listed = (...names: string[]) => ({
    ...reviewers('mine', 'yours', 'third'),
    modes: { debugging: { reviewers: names } },
  });
  it.each([
    ['the configuration', reviewers, request],
    ['its list for the question', listed, question],
  ])('is refused where another reviewer is seated by %s', async (_, seating, asked) => {
    await juryOn(known('one'), down, seating('mine', 'yours')).run(asked);
    const more = juryOn(known('one'), says(nothing), seating('mine', 'yours', 'third'));
    await expect(more.resume('latest')).rejects.toThrow('reviewer third was not on the panel');
    await expect(
      juryOn(known('one'), says(nothing), seating('mine')).resume('latest'),
    ).rejects.toThrow('reviewer yours is not on the panel');
  });

  it('goes on without those that its caller did not choose', async () => {
    await juryOn(known('one'), down).run({ ...request, reviewers: ['mine', 'yours'] });
    const more = juryOn(known('one'), says(nothing), reviewers('mine', 'third', 'yours'));
    expect(await more.resume('latest')).toMatchObject({
      outcome: 'PASS',
      reviews: [{ reviewer: 'mine' }, { reviewer: 'yours' }],
    });
  });
});

describe('a configuration that is an object', () => {
  it.each<[string, unknown, RegExp]>([
    ['a key nobody knows', { reviewer: [] }, /config: reviewer: /],
    [
      'a runner nobody brought',
      { reviewers: [{ id: 'mine', runner: 'mien' }] },
      /config: reviewers\[0\]\.runner: /,
    ],
    [
      'two reviewers of one name',
      {
        reviewers: [
          { id: 'a', runner: 'mine' },
          { id: 'A', runner: 'mine' },
        ],
      },
      /called "A"/,
    ],
  ])('is refused for %s', async (_, config, message) => {
    await expect(
      juryOf({ config: config as ConfigInput, runners: { mine: says(nothing) } }).run(request),
    ).rejects.toThrow(message);
    expect(existsSync(runsOf(sample.root))).toBe(false);
  });

  it('stands in place of a file that would be found, and gives way to one that the request names', async () => {
    sample.write(
      '../jury.config.yaml',
      'failOn: [never]\nreviewers: [{ id: from-file, runner: builtin, analyser: diff }]\n',
    );
    const jury = juryBy(says(nothing));
    const named = (more: { readonly config?: string }) => jury.preview({ ...request, ...more });
    expect((await named({})).reviewers.map(({ id }) => id)).toEqual(['mine']);
    expect((await named({ config: '../jury.config.yaml' })).reviewers.map(({ id }) => id)).toEqual([
      'from-file',
    ]);
  });

  it('may be a path', async () => {
    sample.write('../own.yaml', 'reviewers: [{ id: mine, runner: mine }]\n');
    expect(
      await juryOf({ config: '../own.yaml', runners: { mine: says(nothing) } }).run(request),
    ).toMatchObject({ outcome: 'PASS' });
  });

  it('seats nobody under the name of a built-in runner', () =>
    expect(juryOf({ runners: { builtin: says(nothing) } }).run(request)).rejects.toThrow(
      '"builtin" is a built-in runner',
    ));
});

describe('a matcher of the caller', () => {
  const settings: JurySettings = {
    config: { ...reviewers('one', 'other'), failOn: ['never'] },
    runners: {
      one: says('LOW|src/sum.js:2|Wrong name\nVERDICT: safe'),
      other: says('LOW|src/sum.js:3|Missing comment\nVERDICT: safe'),
    },
  };

  it('decides in place of every strategy, in a run and in a consensus', async () => {
    const joined = await juryOf({ ...settings, matcher: matcher('1', true) }).run(request);
    expect(joined).toMatchObject({
      claims: [{ supporters: ['one', 'other'] }],
      record: { strategy: { name: 'mine', version: '1' } },
    });
    expect(
      (
        await juryOf({ ...settings, matcher: matcher('1', false) }).run({
          process: 'review',
          range,
          fresh: true,
        })
      ).claims,
    ).toHaveLength(2);
    sample.write(
      'found.json',
      JSON.stringify({
        findings: ['no lock', 'a leak'].map((text, index) => ({ reviewer: `R${index}`, text })),
      }),
    );
    expect(
      await juryOf({ matcher: matcher('1', true) }).consensus({ files: ['found.json'] }),
    ).toMatchObject({ strategy: { name: 'mine' }, claims: [{ supporters: ['R0', 'R1'] }] });
  });

  it('is asked again when its claims are explained, and no other passes for it', async () => {
    const {
      claims: [claim],
    } = await juryOf({ ...settings, matcher: matcher('1', true) }).run(request);
    const question = { claim: claim?.id ?? '', run: null };
    expect(
      JSON.stringify(await juryOf({ matcher: matcher('1', true) }).explain(question)),
    ).toContain('as I say');
    await expect(juryOf({ matcher: matcher('2', true) }).explain(question)).rejects.toThrow(
      '"mine", version 1',
    );
    await expect(juryOf({}).explain(question)).rejects.toThrow(UserError);
  });
});

describe('a stream', () => {
  it('gives the events in order and the run last', async () => {
    const events = await take(juryBy(says(nothing)).stream(request));
    expect(events.map(({ type }) => type).filter(type => type !== 'note')).toEqual([
      'run-start',
      'review-start',
      'review-end',
      'claim-form',
      'run-end',
      'result',
    ]);
    expect(events.at(-1)).toMatchObject({ run: { outcome: 'PASS' } });
  });

  it('rejects where the run does', () =>
    expect(take(juryOf({}).stream({ process: 'review', range: 'nowhere' }))).rejects.toThrow(
      UserError,
    ));

  it('that is left early cancels the run, which can be resumed', async () => {
    const jury = juryBy(() => new Promise(() => {}));
    for await (const event of jury.stream(request)) if (event.type === 'review-start') break;
    const [ended] = (await jury.list()).ended;
    expect(ended).toMatchObject({ outcome: 'INCOMPLETE', reviewers: [{ cause: 'cancelled' }] });
    expect(await juryBy(says(nothing)).resume('latest')).toMatchObject({
      outcome: 'PASS',
      record: { run: ended?.run },
    });
  });
});

describe("a world of one's own", () => {
  const at = new Date('2026-03-01T12:00:00.000Z');
  const simulated = (state: string) => {
    let count = 0;
    const next = (digits: number) => String((count += 1)).padStart(digits, '0');
    return {
      // One after the other: of two at once, the one that ends first would be the first to spend.
      config: { ...reviewers('mine', 'broken'), failOn: ['never'], concurrency: 1, copies: false },
      runners: { mine: says(found), broken: () => Promise.reject(new Error('down')) },
      clock: { now: () => at, monotonicMs: () => 0, sleep: () => Promise.resolve() },
      ids: { run: () => `20260301T120000Z-${next(6)}`, nonce: () => next(32) },
      state,
    };
  };
  it('is played twice alike: every file of the run is equal to the byte', async () => {
    const state = createFolder();
    const played = [];
    for (const settings of [simulated(state), simulated(state)]) {
      const { folder, record } = await juryOf(settings).run(request);
      expect(folder.startsWith(state)).toBe(true);
      played.push({ record, files: readResults(folder) });
      rmSync(path.join(state, 'runs'), { recursive: true });
      rmSync(path.join(state, 'memory.sqlite'), { force: true });
    }
    expect(played[0]?.record).toMatchObject({
      run: '20260301T120000Z-000001',
      startedAt: at.toISOString(),
      completedAt: at.toISOString(),
    });
    expect(played[0]?.files.has('events.jsonl')).toBe(true);
    expect(played[1]).toEqual(played[0]);
  });

  it('keeps nothing in the project when nobody wants copies, and finds it again there', async () => {
    const settings = simulated(createFolder());
    const {
      record,
      claims: [claim],
    } = await juryOf(settings).run(request);
    expect(sample.git('status', '--porcelain', '--ignored')).toBe('');
    const jury = juryOf({ state: settings.state });
    expect((await jury.list()).ended.map(({ run }) => run)).toEqual([record.run]);
    expect((await jury.show(claim?.id ?? '')).run.record.run).toBe(record.run);
    expect((await jury.clean({})).removed).toEqual([record.run]);
    expect((await juryOf({}).list()).ended).toEqual([]);
  });
});

it('a run is rendered by the object that made it', async () => {
  const jury = juryBy(says(nothing));
  const run = await jury.run(request);
  expect(jury.render(run, 'markdown')).toContain('PASS');
  expect(JSON.parse(jury.render(run, 'json'))).toMatchObject({
    schema: 'jury.run/1',
    outcome: 'PASS',
  });
});

it.each([undefined, null, 'review'])('a request that is no object is refused: %s', async given => {
  const jury = juryOf({});
  for (const call of ['run', 'plan', 'preview'] as const)
    await expect(jury[call](given as never)).rejects.toThrow(UserError);
});

it('a process or a hook that nobody knows is refused', async () => {
  const { run, hooks } = juryOf({});
  await expect(run({ process: 'reveiw', range } as never)).rejects.toThrow('no process "reveiw"');
  await expect(hooks.run({ name: 'pre-comit' } as never)).rejects.toThrow('Must be one of');
});

describe('what a configuration that is found may do', () => {
  const found = 'reviewers:\n  - { id: mine, runner: mine }\n';
  it('has to be allowed, and is taken back', async () => {
    sample.write('jury.config.yaml', found);
    const jury = juryOf({
      runners: { mine: says(nothing) },
      environment: { PATH: process.env.PATH, JURY_STATE: createFolder() },
    });
    const run = async () => (await jury.run(request)).outcome;
    await expect(run()).rejects.toThrow(/jury\.config\.yaml .*wants to start mine/);
    const examined = await jury.trust.examine({ file: null, at: null });
    expect(examined).toMatchObject({
      isGranted: false,
      files: [],
      demands: [{ kind: 'start', what: 'mine', by: 'reviewer mine' }],
    });
    await jury.trust.grant(examined);
    expect(await run()).toBe('PASS');
    expect(await jury.trust.list()).toMatchObject([{ hash: examined.hash }]);
    await jury.trust.revoke(examined.hash);
    await expect(run()).rejects.toBeInstanceOf(UserError);
  });

  it('is not asked about one that is given', async () => {
    sample.write('jury.config.yaml', found);
    const given = { config: reviewers('mine'), runners: { mine: says(nothing) } };
    expect((await juryOf(given).run(request)).outcome).toBe('PASS');
  });
});
