/** Starts a process and waits a little: short ones are answered at once, long ones by their id. */
import { z } from 'zod';
import { RootName } from '../inputs.ts';
import { describeSubjects, startable } from '../processes.ts';
import { rootNamed } from '../roots.ts';
import { defineTool } from '../tool.ts';
import { mostSeconds, waitFor } from '../wait.ts';

export const start = defineTool({
  name: 'start',
  description:
    'Put something before a panel of independent reviewers. Answers with the brief result, or with a run id to wait for; the run goes on either way.',
  readOnly: false,
  input: z.strictObject({
    process: z.enum([...startable.keys()]),
    subject: z.string().max(204_800).optional().describe(describeSubjects()),
    context: z
      .string()
      .max(204_800)
      .optional()
      .describe('Background, or what the change is meant to do'),
    reviewers: z
      .array(z.string().max(100))
      .min(1)
      .max(50)
      .optional()
      .describe('Default: the configured panel'),
    fresh: z.boolean().default(false).describe('Ask again though nothing changed'),
    seconds: z.number().min(0).max(mostSeconds).default(mostSeconds).describe('Longest wait'),
    root: RootName,
  }),
  async answer({ seconds, root: rootName, ...request }, call) {
    const root = rootNamed(call.roots, rootName);
    const begin = await startable.get(request.process)?.start(request, root);
    if (begin === undefined) throw new Error(`Nothing is called ${request.process}.`);
    const job = call.queue.start({
      root: root.name,
      key: JSON.stringify(request),
      work: part => begin({ cwd: root.folder, environment: call.environment, ...part }),
    });
    return waitFor(job, seconds, call);
  },
});
