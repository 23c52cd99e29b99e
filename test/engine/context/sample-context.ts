/** Assembles a pack for the last commit of a real repository, as the library does. */
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { fillCall } from '../../../src/library/call.ts';
import { openState } from '../../../src/library/own-state.ts';
import { openContext } from '../../../src/library/context/open-context.ts';
import type { Change } from '../../../src/core/words/change.ts';
import {
  assembleContext,
  type AssembledContext,
} from '../../../src/engine/context/assemble-context.ts';
import type { ContextRequest } from '../../../src/engine/context/climb.ts';
import type { SampleRepository } from '../../adapters/git/sample-repository.ts';
import type { ContextWorld } from '../../../src/engine/context/context-texts.ts';

export const sampleRequest: Omit<ContextRequest, 'files'> = {
  agent: 'Reviewer',
  taskId: 'task-1',
  goal: 'Review the change',
  acceptanceCriteria: [],
  constraints: [],
  capability: 'reasoning_high',
  scope: { files: 1, changed_lines: 1, modules: 1 },
  sizes: [{ scope_class: 'Small', budget: 1600 }],
};

/** Of the last commit of a repository. */
export async function withContext<Result>(
  sample: SampleRepository,
  use: (
    context: NonNullable<Awaited<ReturnType<typeof openContext>>>,
    change: Change,
  ) => Promise<Result>,
): Promise<Result> {
  const repository = await openRepository(sample.root);
  try {
    const change = await repository.change({ source: 'revision', revision: 'HEAD' });
    const call = fillCall({
      cwd: sample.root,
      environment: process.env,
    });
    const context = await openContext(change, repository, await openState(sample.root, call), call);
    if (context === null) throw new Error('A commit has a tree.');
    try {
      return await use(context, change);
    } finally {
      context.close();
    }
  } finally {
    await repository.close();
  }
}

/** Puts what lies in the working tree, without what is gone, into the last commit. */
export function amend(sample: SampleRepository, ...gone: readonly string[]): SampleRepository {
  for (const path of gone) sample.remove(path);
  sample.git('add', '-A');
  sample.git('commit', '-q', '--amend', '-m', 'after');
  return sample;
}

export function packLastCommit(
  sample: SampleRepository,
  { budget, ...request }: Partial<ContextRequest> & { readonly budget?: number } = {},
  world: Partial<ContextWorld> = {},
): Promise<AssembledContext> {
  return withContext(sample, (context, change) =>
    assembleContext(
      {
        ...sampleRequest,
        ...(budget !== undefined && { sizes: [{ scope_class: 'Small', budget }] }),
        files: change.files,
        ...request,
      },
      { ...context, ...world },
    ),
  );
}

/** As many lines as that, each made of its number. */
export function lines(count: number, make: (number: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${make(index + 1)}\n`).join('');
}
