import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentName,
  agentNames,
  classifyScope,
  packCap,
  type ModelCapability,
  scopeClasses,
  forcedRoles,
  triage,
} from '../../../src/core/context/scope.ts';
import table from '../../../src/core/context/scope-class.json' with { type: 'json' };
import { Complexity } from '../../../src/core/context/budget.ts';
import { judgeSensitivity } from '../../../src/core/context/review-plan.ts';

const { plannerCaps } = table;

describe('the class of a scope', () => {
  it.each([
    [2, 80, 1, 'Tiny'],
    [2, 81, 1, 'Small'],
    [3, 10, 1, 'Small'],
    [6, 5000, 1, 'Small'],
    [7, 1, 1, 'Medium'],
    [12, 9999, 3, 'Medium'],
    [13, 1, 1, 'Large'],
    [4, 10, 2, 'Medium'],
    [4, 10, 4, 'Large'],
    [2, 80, 2, 'Tiny'],
    [3, 10, null, 'Small'],
  ] as const)(
    'of %i files, %i lines and %s modules is %s',
    (files, changed_lines, modules, name) => {
      expect(classifyScope({ files, changed_lines, modules })).toBe(name);
    },
  );
});

describe('the cap of a pack', () => {
  it.each<[ReturnType<typeof classifyScope>, AgentName, ModelCapability, number]>([
    ['Tiny', 'Planner', 'fast_code', 1200],
    ['Tiny', 'Planner', 'reasoning_high', 1500],
    ['Tiny', 'Planner', 'reasoning_ultra', 1800],
    ['Tiny', 'Planner', 'long_context', 2100],
    ['Tiny', 'Planner', 'cheap_batch', 1050],
    ['Tiny', 'Implementer', 'fast_code', 933],
    ['Tiny', 'Implementer', 'reasoning_high', 1166],
    ['Tiny', 'Implementer', 'reasoning_ultra', 1400],
    ['Small', 'Reviewer', 'reasoning_high', 1600],
    ['Medium', 'Reviewer', 'reasoning_ultra', 3456],
    ['Large', 'Supervisor', 'cheap_batch', 3150],
  ])('for %s, %s, %s is %i', (scope, role, capability, cap) => {
    expect(packCap(scope, role, capability)).toBe(cap);
  });

  it('grows from fast code over high to ultra reasoning, for every scope and role', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...scopeClasses),
        fc.constantFrom(...agentNames),
        (scope, role) => {
          expect(packCap(scope, role, 'fast_code')).toBeLessThan(
            packCap(scope, role, 'reasoning_high'),
          );
          expect(packCap(scope, role, 'reasoning_high')).toBeLessThan(
            packCap(scope, role, 'reasoning_ultra'),
          );
          expect(packCap(scope, role, 'reasoning_high')).toBeLessThanOrEqual(plannerCaps[scope]);
        },
      ),
    );
  });
});

type Candidate = Parameters<typeof triage>[0]['candidates'][number];

const candidate = (id: string, role: Candidate['role'], changes: Partial<Candidate> = {}) => ({
  id,
  role,
  files: [],
  isCheck: false,
  required: false,
  ...changes,
});
const six = [
  candidate('security', 'security'),
  candidate('vulnerability', 'vulnerability'),
  candidate('code-quality', 'code-quality'),
  candidate('documentation', 'documentation'),
  candidate('user-persona', 'user-persona'),
  candidate('go', 'language', { files: ['**/*.go'] }),
];
const scope = (paths: readonly string[]) =>
  paths.map(path => ({ path, changedLines: [], ...judgeSensitivity({ path, changedLines: [] }) }));

function seated(paths: readonly string[], complexity: Complexity | null, candidates = six) {
  return triage({ candidates, files: scope(paths), complexity, isNamed: false }).seated.map(
    ({ id }) => id,
  );
}

const ask = (candidates: readonly Candidate[]) =>
  triage({ candidates, files: scope(['a.ts']), complexity: null, isNamed: true });

const neutral = ['security', 'vulnerability', 'code-quality', 'documentation', 'user-persona'];

describe('the panel for a scope', () => {
  it('is the five language-neutral reviewers, and Go when there is Go', () => {
    expect(seated(['src/sum.ts'], null)).toEqual(neutral);
    expect(seated(['src/sum.go'], null)).toEqual([...neutral, 'go']);
  });

  it.each([
    ['SIMPLE', 'src/sum.ts', ['code-quality']],
    ['STANDARD', 'src/sum.ts', ['security', 'code-quality']],
    ['STANDARD', 'src/sum.go', ['security', 'code-quality', 'go']],
    ['COMPLEX', 'src/sum.go', [...neutral, 'go']],
    ['SIMPLE', 'src/auth/x.ts', ['security', 'code-quality']],
    ['SIMPLE', 'x.go', ['code-quality', 'go']],
    ['SIMPLE', 'src/cli/x.ts', ['code-quality', 'user-persona']],
    ['SIMPLE', 'README.md', ['code-quality', 'documentation']],
    ['SIMPLE', 'deep/requirements-dev.txt', ['vulnerability', 'code-quality']],
  ] as const)('at complexity %s with %s is %j', (complexity, path, ids) => {
    expect(seated([path], complexity)).toEqual(ids);
  });

  it('says why each is on it and why the others are not', () => {
    const {
      seated: chosen,
      leftOut,
      gaps,
    } = triage({
      candidates: six,
      files: scope(['src/auth/x.ts']),
      complexity: 'SIMPLE',
      isNamed: false,
    });
    expect(chosen).toEqual([
      {
        id: 'security',
        why: ['src/auth/x.ts is security-sensitive (path segment "auth" contains "auth")'],
      },
      { id: 'code-quality', why: ['asked at complexity SIMPLE'] },
    ]);
    expect(leftOut).toContainEqual({
      id: 'vulnerability',
      why: 'not asked at complexity SIMPLE',
      isOutside: false,
    });
    expect(
      triage({ candidates: six, files: scope(['a.ts']), complexity: null, isNamed: false }).leftOut,
    ).toEqual([{ id: 'go', why: 'no file of its language', isOutside: true }]);
    expect(gaps).toEqual([]);
  });

  it('is the named one when reviewers are named, and what is missing then is a gap', () => {
    const {
      seated: chosen,
      leftOut,
      gaps,
    } = triage({
      candidates: [candidate('code-quality', 'code-quality')],
      files: scope(['src/auth/x.go']),
      complexity: 'SIMPLE',
      isNamed: true,
    });
    expect([chosen.map(({ id }) => id), leftOut]).toEqual([['code-quality'], []]);
    expect(gaps).toEqual([
      'No security reviewer is on the panel, and src/auth/x.go is security-sensitive (path segment "auth" contains "auth").',
      'No Go reviewer is on the panel, and src/auth/x.go is Go.',
    ]);
  });

  it('keeps who is required, who costs nothing, and never ends up empty', () => {
    const candidates = [
      candidate('docs', 'documentation', { required: true }),
      candidate('secrets', 'security', { isCheck: true }),
      candidate('other', 'general'),
    ];
    expect(seated(['a.ts'], 'SIMPLE', candidates)).toEqual(['docs', 'secrets']);
    expect(seated(['a.ts'], 'SIMPLE', [candidate('other', 'general')])).toEqual(['other']);
  });

  it('leaves out whoever has nothing to read, also when named or required, unless nobody has', () => {
    const go = candidate('go', 'language', { files: ['**/*.go'], required: true });
    const styles = candidate('styles', 'general', { files: ['**/*.css'] });
    expect(ask([go, styles, candidate('all', 'general')])).toMatchObject({
      seated: [{ id: 'all' }],
      leftOut: [
        { id: 'go', why: 'no file of its language', isOutside: true },
        { id: 'styles', why: 'no file in its domain', isOutside: true },
      ],
    });
    expect(ask([go, styles])).toMatchObject({
      seated: [{ id: 'go' }, { id: 'styles' }],
      leftOut: [],
    });
  });

  it('accounts for every candidate once, and a force-include always wins', () => {
    const paths = fc.uniqueArray(
      fc.constantFrom(
        'src/auth/a.ts',
        'b.go',
        'README.md',
        'package.json',
        'src/cli/c.ts',
        'x.css',
      ),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(paths, fc.constantFrom(null, ...Complexity.options), (chosen, complexity) => {
        const files = scope(chosen);
        const {
          seated: in_,
          leftOut,
          gaps,
        } = triage({ candidates: six, files, complexity, isNamed: false });
        expect([...in_, ...leftOut].map(({ id }) => id).toSorted()).toEqual(
          six.map(({ id }) => id).toSorted(),
        );
        for (const { role } of forcedRoles(files))
          expect(in_.map(({ id }) => six.find(one => one.id === id)?.role)).toContain(role);
        expect(gaps).toEqual([]);
      }),
    );
  });
});
