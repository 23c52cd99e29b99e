/** Assembles a pack for the last commit of a real repository, as the library does. */
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { openState } from '../../../src/library/own-state.ts';
import { openContext } from '../../../src/library/context/open-context.ts';
import {
  assembleContext,
  type AssembledContext,
} from '../../../src/engine/context/assemble-context.ts';
import type { ContextRequest, ContextWorld } from '../../../src/engine/context/climb.ts';
import type { SampleRepository } from '../../adapters/git/sample-repository.ts';

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

export async function packLastCommit(
  sample: SampleRepository,
  { budget, ...request }: Partial<ContextRequest> & { readonly budget?: number } = {},
  world: Partial<ContextWorld> = {},
): Promise<AssembledContext> {
  const repository = await openRepository(sample.root);
  try {
    const change = await repository.change({ source: 'revision', revision: 'HEAD' });
    const call = { cwd: sample.root, environment: { JURY_STATE: process.env.JURY_STATE } };
    const state = await openState(sample.root, call);
    const context = await openContext(change, repository, state, call);
    if (context === null) throw new Error('A commit has a tree.');
    try {
      return await assembleContext(
        {
          ...sampleRequest,
          ...(budget !== undefined && { sizes: [{ scope_class: 'Small', budget }] }),
          files: change.files,
          ...request,
        },
        { ...context, ...world },
      );
    } finally {
      context.close();
    }
  } finally {
    await repository.close();
  }
}
