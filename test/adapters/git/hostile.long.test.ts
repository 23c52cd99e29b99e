import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GitRepository } from '../../../src/adapters/git/repository.ts';
import { UserError } from '../../../src/core/errors.ts';
import type { ChangeRequest } from '../../../src/core/ports/repository.ts';
import { createBase, plantFixture, springs, takeListing, zoo } from './hostile-zoo.ts';
import { withRepository } from './reading.ts';
import { createFolder, type SampleRepository } from './sample-repository.ts';

let base: SampleRepository;

beforeAll(() => {
  base = createBase();
});

const requests: readonly ChangeRequest[] = [
  { source: 'revision', revision: 'HEAD' },
  { source: 'staged' },
  { source: 'worktree', untracked: true },
  { source: 'files', patterns: ['a.js', '**/*.js'] },
  { source: 'patch', text: '--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-one\n+two\n', title: 'p' },
];

/** Asks everything there is to ask; returns the sources that answered. A refusal is fine, any other error is not. */
async function askEverything(repository: GitRepository) {
  const answered: string[] = [];
  for (const request of requests) {
    const change = await repository.change(request).catch(ignoreRefusal);
    for (const file of change?.files ?? [])
      for (const side of ['old', 'new'] as const)
        await repository.read(file, side).catch(ignoreRefusal);
    if (change?.files.some(file => file.path === 'a.js' && file.hunks.length === 1) === true)
      answered.push(request.source);
  }
  await repository.readAt('HEAD', '.claude/settings.json').catch(ignoreRefusal);
  await repository.sameTree('HEAD', 'HEAD~1').catch(ignoreRefusal);
  return answered;
}

function ignoreRefusal(error: unknown) {
  if (error instanceof UserError) return null;
  throw error;
}

describe('a hostile repository', () => {
  it('comes in more than forty kinds', () => {
    expect(zoo.length).toBeGreaterThanOrEqual(40);
    expect(new Set(zoo.map(fixture => fixture.name)).size).toBe(zoo.length);
  });

  it.each(zoo)(
    'with $name runs nothing, is not written to, and cannot hide the change',
    async fixture => {
      const { sample, marker } = plantFixture(base, fixture);
      const before = takeListing(sample.root);
      const answered = await withRepository(sample.root, askEverything, {
        timeoutMs: 20_000,
        temporaryFolder: createFolder(),
      });
      expect(existsSync(marker)).toBe(false);
      expect(takeListing(sample.root)).toEqual(before);
      expect(answered).toEqual(fixture.answers ?? requests.map(request => request.source));
    },
  );

  it.each(zoo.filter(({ control }) => control !== undefined))(
    'with $name would have done its harm under plain tools',
    fixture => expect(springs(plantFixture(base, fixture), fixture.control ?? '')).toBe(true),
  );
});
