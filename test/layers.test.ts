import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findViolations, violationsOf } from './layers.ts';

const source = fileURLToPath(new URL('../src', import.meta.url));

describe('the import table', () => {
  it('holds for every file of the house', () => expect(findViolations(source)).toEqual([]));

  const planted: readonly (readonly [what: string, file: string, text: string])[] = [
    [
      'a value import from render in core',
      'core/gate.ts',
      `import { renderers } from '../render/formats.ts';`,
    ],
    [
      'a type import from engine in core',
      'core/claim.ts',
      `import type { Plan } from '../engine/plan.ts';`,
    ],
    ['a bare side-effect import in core', 'core/run.ts', `import '../adapters/git/repository.ts';`],
    [
      'a dynamic import in engine',
      'engine/run-panel.ts',
      `const git = await import('../adapters/git/repository.ts');`,
    ],
    ['node:fs in core', 'core/config.ts', `import { readFileSync } from 'node:fs';`],
    ['a bare built-in in core', 'core/config.ts', `import fs from 'fs';`],
    [
      'a re-export of an adapter from cli',
      'cli/review.ts',
      `export { openRepository } from '../adapters/git/repository.ts';`,
    ],
    [
      'render from adapters',
      'adapters/store/run-folder.ts',
      `import { renderers } from "../../render/formats.ts";`,
    ],
    [
      'one room of the adapters from another',
      'adapters/git/repository.ts',
      `import { openJournal } from '../store/journal.ts';`,
    ],
    [
      'a room past its door',
      'engine/run-panel.ts',
      `import { startWalk } from '../answers/walk.ts';`,
    ],
    [
      'a room past its door, from what paints',
      'render/motions.ts',
      `import type { MotionsRun } from '../vote/motions-run.ts';`,
    ],
    [
      'what asks, from what decides in a room',
      'vote/triage.ts',
      `import { askUntil } from './asking/collect-stances.ts';`,
    ],
    [
      'the world, from what orders in a room',
      'vote/asking/run-motions.ts',
      `import { readFile } from 'node:fs/promises';`,
    ],
    [
      'the door of a room that reaches the world, from core',
      'core/claim.ts',
      `import { planVote } from '../vote/index.ts';`,
    ],
    [
      'checks past their door, from the composition root',
      'library/open-world.ts',
      `import { createBuiltinRunner } from '../checks/world/runner.ts';`,
    ],
    [
      'checks from another room than the composition root',
      'engine/run-panel.ts',
      `import { createSecretScanner } from '../checks/index.ts';`,
    ],
    [
      'the world, from what decides in the checks',
      'checks/diff.ts',
      `import { readFile } from 'node:fs/promises';`,
    ],
    ['the engine from cli', 'cli/review.ts', `import type { Plan } from '../engine/plan.ts';`],
    [
      'a package that is not on the table of core',
      'core/finding.ts',
      `import { parse } from 'yaml';`,
    ],
    [
      'an import across lines',
      'core/gate.ts',
      `import {\n  renderers,\n} from\n  '../render/formats.ts';`,
    ],
    [
      'an import type in the middle of a type',
      'core/plan.ts',
      `export type Plan = import('../engine/plan.ts').Plan;`,
    ],
    ['a file of no rank', 'helpers/strings.ts', ''],
    ['code outside src', 'cli/review.ts', `import { setUp } from '../../scripts/setup.mjs';`],
  ];

  it.each(planted)('catches %s', (_what, file, text) =>
    expect(violationsOf(file, text)).toHaveLength(1),
  );

  it('lets the allowed ones pass', () => {
    expect(
      violationsOf(
        'cli/review.ts',
        `import { review } from '../index.ts';\nimport { Run } from '../core/run.ts';`,
      ),
    ).toEqual([]);
    expect(
      violationsOf(
        'adapters/store/journal.ts',
        `import { DatabaseSync } from 'node:sqlite';\nimport { lockRun } from './run-lock.ts';`,
      ),
    ).toEqual([]);
  });
});
