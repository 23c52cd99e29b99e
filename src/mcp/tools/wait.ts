/** The brief result of a run, under way or long ended. */
import { z } from 'zod';
import { createJury } from '../../index.ts';
import { briefOf } from '../brief.ts';
import { RootName, RunName } from '../inputs.ts';
import { rootNamed } from '../roots.ts';
import { defineTool } from '../tool.ts';
import { mostSeconds, waitFor } from '../wait.ts';

export const wait = defineTool({
  name: 'wait',
  description:
    'Brief result of a run (at most 15 lines), or that it is still running. Works for runs of earlier days too.',
  readOnly: true,
  input: z.strictObject({
    run: RunName,
    seconds: z
      .number()
      .min(0)
      .max(mostSeconds)
      .default(mostSeconds)
      .describe('Longest wait; 0 polls'),
    root: RootName,
  }),
  async answer({ run: wanted, seconds, root: rootName }, call) {
    const root = rootNamed(call.roots, rootName);
    const job = call.queue.find(root.name, wanted);
    return job === null
      ? briefOf(
          await createJury({ cwd: root.folder, environment: call.environment }).report(wanted),
        )
      : waitFor(job, seconds, call);
  },
});
