/** Ends a run of this server with its state saved. */
import { z } from 'zod';
import { UserError } from '../../index.ts';
import { RootName, RunName } from '../inputs.ts';
import { rootNamed } from '../roots.ts';
import { defineTool } from '../tool.ts';
import { waitFor } from '../wait.ts';

/** A reviewer that is told to end has three seconds, and the run is written after it. */
const graceSeconds = 20;

export const stop = defineTool({
  name: 'stop',
  description: 'End a running run. What was said is kept; the outcome is INCOMPLETE.',
  readOnly: false,
  input: z.strictObject({ run: RunName, root: RootName }),
  async answer({ run: wanted, root: rootName }, call) {
    const job = call.queue.find(rootNamed(call.roots, rootName).name, wanted);
    if (job === null)
      throw new UserError('run: there is no such run under way here.', { kind: 'input' });
    job.stop();
    return waitFor(job, graceSeconds, call);
  },
});
