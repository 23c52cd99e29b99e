import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Disposition } from '../../../src/core/words/run.ts';
import { reliabilityOf } from '../../../src/agreement/memory/decision.ts';
import { createProject, only, type Saying } from './sample-project.ts';
import { sampleHunk } from '../../core/sample.ts';

const code =
  'export function read(list) {\n  const first = list[0];\n  return first.name;\n}\n\nexport function write(list, item) {\n  list.push(item);\n  return list;\n}\n';
const nullName: Saying = {
  reviewer: 'alpha',
  text: 'read() throws when the list is empty because first is undefined',
  path: 'src/a.ts',
  line: 3,
};
const noCheck: Saying = {
  reviewer: 'beta',
  text: 'The item is pushed without validation',
  path: 'src/a.ts',
  line: 7,
};

async function knownProject(...sayings: readonly Saying[]) {
  const project = createProject({ 'src/a.ts': code });
  const { claims } = await project.hold(sayings.length === 0 ? [nullName] : sayings);
  return { project, id: claims[0]?.id ?? '' };
}

/** A run in which alpha is a built-in check, and all lines of the file begin with this sign. */
function checkedWith(sign: '+' | ' ') {
  const lines = code.split('\n').map(line => `${sign}${line}`);
  return {
    reviews: { alpha: { runner: 'builtin' } },
    files: [{ hunks: [sampleHunk([1, 0], [1, lines.length], lines)] }],
  };
}

describe('a claim that was known', () => {
  it('keeps its id in other words at a moved line', async () => {
    const { project, id } = await knownProject();
    project.texts.set('src/a.ts', `// header\n\n${code}`);
    const { claims } = await project.hold([
      { ...nullName, text: 'An empty list makes read() throw: first is undefined then', line: 5 },
    ]);
    expect(only(claims)).toMatchObject({ id, state: 'persisting' });
  });

  it('keeps its id when its file is renamed, in the change or between two', async () => {
    const { project, id } = await knownProject();
    project.texts.delete('src/a.ts');
    project.texts.set('src/b.ts', code);
    const renamed = await project.hold([{ ...nullName, path: 'src/b.ts' }], {
      files: [{ oldPath: 'src/a.ts', status: 'renamed' }],
    });
    project.texts.delete('src/b.ts');
    project.texts.set('src/c.ts', code);
    const added = await project.hold([{ ...nullName, path: 'src/c.ts' }], {
      files: [{ status: 'added' }],
    });
    expect([only(renamed.claims).id, only(added.claims).id]).toEqual([id, id]);
  });

  it('is another one in another file, at another far place, and when it says the opposite', async () => {
    const { project, id } = await knownProject();
    project.texts.set('src/z.ts', code);
    project.texts.set('src/a.ts', `${code}${'more();\n'.repeat(60)}`);
    const { claims } = await project.hold([
      { ...nullName, path: 'src/z.ts' },
      { ...nullName, reviewer: 'beta', line: 65 },
      {
        ...nullName,
        reviewer: 'gamma',
        text: 'read() does not throw when the list is empty because first is undefined',
      },
    ]);
    expect(claims.map(claim => claim.id)).not.toContain(id);
    expect(claims.map(({ state }) => state)).toEqual(['new', 'new', 'new']);
    expect(new Set(claims.map(claim => claim.id)).size).toBe(3);
  });

  it('is not taken by another claim about the same line', async () => {
    const { project, id } = await knownProject();
    const { claims } = await project.hold([
      nullName,
      {
        reviewer: 'alpha',
        text: 'Magic property name should be a constant',
        path: 'src/a.ts',
        line: 3,
        label: 'SUGGESTION',
      },
    ]);
    expect(claims.find(claim => claim.text === nullName.text)?.id).toBe(id);
    expect(claims.find(claim => claim.text !== nullName.text)?.state).toBe('new');
  });
});

describe('a claim that nobody repeats', () => {
  it('is fixed when everybody who said it read the file again, and comes back as reopened', async () => {
    const { project, id } = await knownProject(nullName, { ...nullName, reviewer: 'beta' });
    const { fixed } = await project.hold([]);
    expect(fixed).toMatchObject([
      {
        id,
        location: { path: 'src/a.ts', line: 3 },
        reason: 'alpha, beta read it again and do not repeat it.',
      },
    ]);
    expect((await project.hold([])).fixed).toEqual([]);
    expect(only((await project.hold([nullName])).claims)).toMatchObject({ id, state: 'reopened' });
    expect(only((await project.hold([nullName])).claims).state).toBe('persisting');
  });

  it.each([
    ['failed', { status: 'failed', coverage: [] }],
    ['is partial', { status: 'partial' }],
    ['skipped the file', { coverage: [{ path: 'src/a.ts', extent: 'skipped', why: 'too large' }] }],
    ['read a part', { coverage: [{ path: 'src/a.ts', extent: 'partial', why: 'cut' }] }],
    [
      'does not care about such files',
      { coverage: [{ path: 'src/a.ts', extent: 'outside', why: 'not asked' }] },
    ],
  ] as const)('is not fixed when one of them %s', async (_, part) => {
    const { project } = await knownProject(nullName, { ...nullName, reviewer: 'beta' });
    expect((await project.hold([], { reviews: { beta: part as never } })).fixed).toEqual([]);
  });

  it('is not fixed by a run that was not decided, nor by one about other files', async () => {
    const { project } = await knownProject();
    expect((await project.hold([], { isDecided: false })).fixed).toEqual([]);
    project.texts.clear();
    project.texts.set('src/other.ts', 'x();\n');
    expect((await project.hold([])).fixed).toEqual([]);
  });

  it('is not fixed while its code stands outside of what was shown', async () => {
    const { project, id } = await knownProject();
    const elsewhere = [{ hunks: [sampleHunk([6, 3], [6, 3])] }];
    expect((await project.hold([], { files: elsewhere })).fixed).toEqual([]);
    project.texts.set('src/a.ts', code.replace('first.name', 'first?.name'));
    expect((await project.hold([], { files: elsewhere })).fixed).toEqual([]);
    expect((await project.hold([])).fixed).toMatchObject([{ id }]);
  });

  it('of a built-in check is not fixed where its line stands from before: it looks at added lines alone', async () => {
    const { project, id } = await knownProject();
    expect((await project.hold([], checkedWith(' '))).fixed).toEqual([]);
    expect((await project.hold([], checkedWith('+'))).fixed).toMatchObject([{ id }]);
  });

  it('is fixed when its code or its file is gone, whoever read it', async () => {
    const gone = { reviews: { alpha: { status: 'failed' as const, coverage: [] } } };
    const { project, id } = await knownProject();
    project.texts.set('src/a.ts', 'export const nothing = 1;\n');
    expect((await project.hold([], gone)).fixed).toMatchObject([
      { id, reason: 'Its code is gone.' },
    ]);
    const other = await knownProject();
    expect(
      (await other.project.hold([], { ...gone, files: [{ status: 'deleted' }] })).fixed,
    ).toMatchObject([{ id: other.id, reason: 'Its file is gone.' }]);
  });

  it('about lines that the change takes away does not end with the file', async () => {
    const { project, id } = await knownProject({
      ...nullName,
      text: 'The check that went with this file is missing now',
      side: 'old',
    });
    const gone = { files: [{ status: 'deleted' as const }] };
    expect(
      (await project.hold([], { ...gone, reviews: { alpha: { status: 'failed', coverage: [] } } }))
        .fixed,
    ).toEqual([]);
    expect((await project.hold([], gone)).fixed).toMatchObject([
      { id, reason: 'alpha read it again and does not repeat it.' },
    ]);
  });

  it('without a place is fixed when all files of its change were read again', async () => {
    const project = createProject({ 'src/a.ts': code, 'src/b.ts': code });
    const { claims } = await project.hold([
      { reviewer: 'alpha', text: 'Nothing of this change is tested' },
    ]);
    project.texts.delete('src/b.ts');
    expect((await project.hold([])).fixed).toEqual([]);
    project.texts.set('src/b.ts', code);
    expect((await project.hold([])).fixed.map(({ id }) => id)).toEqual([only(claims).id]);
  });
});

describe('a dismissed claim', () => {
  it('stays away in other words and at a moved line, until its code changes', async () => {
    const { project, id } = await knownProject();
    project.decide(id);
    project.texts.set('src/a.ts', `// header\n${code}`);
    const moved = await project.hold([
      { ...nullName, line: 4, text: 'With an empty list first is undefined and read() throws' },
    ]);
    expect([only(moved.claims).state, moved.dismissed]).toMatchObject([
      'dismissed',
      [{ id, by: id, reason: 'it is not so' }],
    ]);
    project.texts.set('src/a.ts', code.replace('first.name', 'first.name.trim()'));
    expect(only((await project.hold([nullName])).claims)).toMatchObject({ id, state: 'reopened' });
  });

  it('takes no further with it by the words of one that it took', async () => {
    const { project, id } = await knownProject({ ...nullName, text: 'Division by zero in div' });
    project.decide(id);
    for (const [text, state] of [
      ['Division by zero in div. The result is passed to exec: remote code execution', 'dismissed'],
      ['The result is passed to exec: remote code execution', 'new'],
    ] as const)
      expect(only((await project.hold([{ ...nullName, text }])).claims).state).toBe(state);
  });

  it('comes back after its day, and when it is accepted', async () => {
    const { project, id } = await knownProject();
    project.decide(id, { until: '2026-11-30' });
    expect(only((await project.hold([nullName], { day: '2026-11-30' })).claims).state).toBe(
      'dismissed',
    );
    expect(only((await project.hold([nullName], { day: '2026-12-01' })).claims).state).toBe(
      'reopened',
    );
    project.decide(id);
    expect(only((await project.hold([nullName])).claims).state).toBe('dismissed');
    project.decide(id, { verdict: 'accepted' });
    expect(only((await project.hold([nullName])).claims).state).toBe('reopened');
  });

  it('comes back when somebody says it to be worse than it was, or of code elsewhere', async () => {
    const { project, id } = await knownProject({ ...nullName, label: 'MEDIUM' });
    project.decide(id);
    const stateOf = async (said: Partial<Saying>) =>
      only((await project.hold([{ ...nullName, ...said }])).claims).state;
    expect(await stateOf({ label: 'LOW' })).toBe('dismissed');
    expect(await stateOf({ label: 'LOW', line: 8 })).toBe('reopened');
    expect(await stateOf({ label: 'CRITICAL' })).toBe('persisting');
  });

  it('does not take a new claim with it, even at the same line', async () => {
    const { project, id } = await knownProject();
    project.decide(id);
    const { claims } = await project.hold([
      {
        reviewer: 'alpha',
        text: 'The name leaks personal data into the log',
        path: 'src/a.ts',
        line: 3,
      },
    ]);
    expect(only(claims).state).toBe('new');
  });

  it('takes its file or category with it where that was wanted, but nothing more severe', async () => {
    const { project, id } = await knownProject({
      ...nullName,
      label: 'IMPORTANT',
      category: 'style',
    });
    project.decide(id, { scope: 'file' });
    const sayings = [
      { ...noCheck, label: 'SUGGESTION' },
      {
        ...noCheck,
        reviewer: 'gamma',
        text: 'Anybody can write: the caller is not authenticated',
        label: 'CRITICAL',
      },
    ];
    const byFile = await project.hold(sayings);
    expect(Object.fromEntries(byFile.claims.map(({ text, state }) => [text, state]))).toEqual({
      [noCheck.text]: 'dismissed',
      'Anybody can write: the caller is not authenticated': 'new',
    });
    project.decide(id, { scope: 'category' });
    project.texts.set('src/c.ts', code);
    const byCategory = await project.hold([
      { ...noCheck, path: 'src/c.ts', label: 'SUGGESTION', category: 'Style' },
      {
        ...noCheck,
        reviewer: 'gamma',
        path: 'src/c.ts',
        line: 2,
        text: 'Another thing altogether',
        label: 'SUGGESTION',
        category: 'bugs',
      },
    ]);
    expect(byCategory.claims.map(({ state }) => state).sort()).toEqual(['dismissed', 'new']);
  });

  it.each<[string, Partial<Disposition>, number]>([
    ['itself', {}, 0],
    ['its file', { scope: 'file', claim: 'c-0123456789' }, 0],
    ['its category', { scope: 'category', claim: 'c-0123456789', category: 'Style' }, 0],
    ['another category', { scope: 'category', claim: 'c-0123456789', category: 'bugs' }, 1],
    ['its file as far as it is mild', { scope: 'file', claim: 'c-0123456789', severity: 'low' }, 1],
    ['itself until yesterday', { until: '2000-01-01' }, 1],
    ['itself, before it was accepted', { verdict: 'accepted' }, 1],
  ])('is not fixed by silence: a decision about %s', async (_, decision, fixed) => {
    const { project, id } = await knownProject({ ...nullName, category: 'style' });
    project.memory = { ...project.memory, dispositions: [{ ...project.decide(id), ...decision }] };
    expect((await project.hold([])).fixed).toHaveLength(fixed);
  });

  it('is known on a machine that never saw it, by the decision alone', async () => {
    const { project, id } = await knownProject();
    const other = createProject({ 'src/a.ts': code });
    other.memory = { claims: [], dispositions: [project.decide(id)] };
    const { claims } = await other.hold([
      { ...nullName, text: 'first is undefined for an empty list, so read() throws' },
    ]);
    expect(only(claims)).toMatchObject({ id, state: 'dismissed' });
  });
});

describe('a run that is concluded again', () => {
  it('comes to the same ids and states, and is remembered once', async () => {
    const { project } = await knownProject(nullName, noCheck);
    const first = await project.hold([nullName], { run: 'again' });
    const memory = structuredClone(project.memory);
    const second = await project.hold([nullName], { run: 'again' });
    expect(second).toEqual(first);
    expect(project.memory).toEqual(memory);
  });

  it('does not take its own new claims for known ones', async () => {
    const project = createProject({ 'src/a.ts': code });
    await project.hold([nullName], { run: 'first' });
    expect(only((await project.hold([nullName], { run: 'first' })).claims).state).toBe('new');
  });
});

describe('any run', () => {
  const texts = [
    'The list is empty',
    'first is undefined',
    'item is not checked',
    'no lock is held',
    'name leaks to the log',
    'off by one in the loop',
  ];
  const anySaying = fc.record({
    reviewer: fc.constantFrom('alpha', 'beta', 'gamma'),
    text: fc.constantFrom(...texts),
    path: fc.constantFrom('src/a.ts', 'src/b.ts'),
    line: fc.integer({ min: 1, max: 9 }),
  });
  const anySayings = fc.array(anySaying, { maxLength: 12 });

  it('gives each id once, keeps every claim, and does not mind the order of anything', () =>
    fc.assert(
      fc.asyncProperty(anySayings, anySayings, fc.nat(), async (before, after, turn) => {
        const project = createProject({ 'src/a.ts': code, 'src/b.ts': code });
        await project.hold(before);
        const turned = createProject({ 'src/b.ts': code, 'src/a.ts': code });
        turned.memory = {
          ...project.memory,
          claims: rotate(project.memory.claims, turn).toReversed(),
        };
        const [one, other] = [
          await project.hold(after, { run: 'x' }),
          await turned.hold(after, { run: 'x' }),
        ];
        expect(new Set(one.claims.map(({ id }) => id)).size).toBe(one.claims.length);
        expect(one.claims.flatMap(({ findings }) => findings)).toHaveLength(after.length);
        expect(other.claims.map(({ id, state }) => [id, state])).toEqual(
          one.claims.map(({ id, state }) => [id, state]),
        );
        expect(other.fixed).toEqual(one.fixed);
        const said = new Set(one.claims.map(({ id }) => id));
        expect(one.fixed.some(({ id }) => said.has(id))).toBe(false);
      }),
      { numRuns: 60 },
    ));

  it('keeps two claims of the same words apart whose code is on one line', async () => {
    const project = createProject({ 'src/a.ts': code });
    const sayings = [5, 6].map(line => ({
      reviewer: 'alpha',
      text: 'item is not checked',
      path: 'src/a.ts',
      line,
    }));
    const first = await project.hold(sayings);
    expect(
      (await project.hold(sayings)).claims.map(({ id, location }) => [id, location?.line]),
    ).toEqual(first.claims.map(({ id, location }) => [id, location?.line]));
  });

  it('that repeats the one before finds every claim again and fixes none', () =>
    fc.assert(
      fc.asyncProperty(anySayings, async sayings => {
        const project = createProject({ 'src/a.ts': code, 'src/b.ts': code });
        const first = await project.hold(sayings);
        const second = await project.hold(sayings);
        expect(second.claims.map(({ id }) => id)).toEqual(first.claims.map(({ id }) => id));
        expect(second.claims.every(({ state }) => state === 'persisting')).toBe(true);
        expect(second.fixed).toEqual([]);
      }),
      { numRuns: 60 },
    ));
});

describe('the reliability of a reviewer', () => {
  it('counts what people confirmed and rejected of what it said', async () => {
    const project = createProject({ 'src/a.ts': code });
    const { claims } = await project.hold([nullName, { ...nullName, reviewer: 'beta' }, noCheck]);
    project.decide(claims.find(({ text }) => text === nullName.text)?.id ?? '', {
      verdict: 'accepted',
    });
    project.decide(claims.find(({ text }) => text === noCheck.text)?.id ?? '');
    expect(reliabilityOf(project.memory)).toEqual([
      { reviewer: 'alpha', family: null, confirmed: 1, rejected: 0, fixed: 0 },
      { reviewer: 'beta', family: null, confirmed: 1, rejected: 1, fixed: 0 },
    ]);
    project.decide(claims.find(({ text }) => text === noCheck.text)?.id ?? '', {
      verdict: 'tolerated',
    });
    expect(reliabilityOf(project.memory)[1]).toEqual({
      reviewer: 'beta',
      family: null,
      confirmed: 2,
      rejected: 0,
      fixed: 0,
    });
  });
});

function rotate<Item>(items: readonly Item[], by: number) {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
