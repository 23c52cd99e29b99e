import { describe, expect, it } from 'vitest';
import { openGuidelines } from '../../../src/core/context/egress.ts';
import type { EgressPlan } from '../../../src/core/context/egress.ts';
import type { Seat } from '../../../src/core/words/config.ts';
import type { Guideline } from '../../../src/core/words/guideline.ts';

const guideline = (changes: Partial<Guideline> = {}) => ({
  name: 'guidelines[0]',
  paths: null,
  reviewers: null,
  file: null,
  text: 'Errors are wrapped.',
  ...changes,
});

const seat = (id: string, runner = 'command', persona = 'code-quality-reviewer') => ({
  id,
  runner,
  persona: { name: persona } as Seat['persona'],
});

const isTold = (
  changes: Partial<Guideline>,
  paths: readonly string[],
  to = seat('alpha'),
  egress?: EgressPlan,
) =>
  openGuidelines({
    guidelines: [guideline(changes)],
    mode: 'code-review',
    ...(egress && { egress }),
  })(to, paths).length > 0;

describe('a guideline', () => {
  it.each<[readonly string[] | null, string, boolean]>([
    [null, 'anything', true],
    [['src/api/**'], 'src/api/v1/users.ts', true],
    [['src/api/**'], 'src/ui/page.ts', false],
    [['src/api'], 'src/api/users.ts', true],
    [['*.sql'], 'db/one/two.sql', true],
    [['docs', '*.md'], 'README.md', true],
    [['.github/**'], '.github/workflows/ci.yml', true],
    [['src/api/**'], 'other/src/api/users.ts', false],
  ])('for %j is told who is shown %s: %s', (paths, path, told) => {
    expect(isTold({ paths: paths && [...paths] }, [path])).toBe(told);
  });

  it('is told nobody who is shown nothing', () => {
    expect(isTold({}, [])).toBe(false);
  });

  it('is told the reviewers it names, by id or persona, and no analyser', () => {
    const reviewers = ['beta', 'security-reviewer'];
    expect(isTold({ reviewers }, ['a'])).toBe(false);
    expect(isTold({ reviewers }, ['a'], seat('beta'))).toBe(true);
    expect(isTold({ reviewers }, ['a'], seat('gamma', 'api', 'security-reviewer'))).toBe(true);
    expect(isTold({}, ['a'], seat('alpha', 'builtin'))).toBe(false);
  });

  it('of a file is told nobody who may not see that file', () => {
    const egress: EgressPlan = {
      rules: [{ files: ['docs/**'], to: 'local' }],
      recipients: {
        alpha: { provider: 'anthropic', host: null, isLocal: false },
        beta: { provider: null, host: null, isLocal: true },
      },
    };
    const file = 'docs/rules.md';
    expect(isTold({ file }, ['a'], seat('alpha'), egress)).toBe(false);
    expect(isTold({ file }, ['a'], seat('beta'), egress)).toBe(true);
    expect(isTold({}, ['a'], seat('alpha'), egress)).toBe(true);
  });

  it('is told in reviews alone', () => {
    const guidelinesFor = openGuidelines({ guidelines: [guideline()], mode: 'general-prompt' });
    expect(guidelinesFor(seat('alpha'), ['a'])).toEqual([]);
  });
});
