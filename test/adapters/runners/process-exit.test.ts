import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { bundle, run } from '../store/bundled.ts';
import { freshFolder, processesWith, program } from './turns.ts';

it('processes that still run die with Jury', async () => {
  const folder = await freshFolder();
  const [file, script] = await program(
    "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up');",
  );
  const marker = randomUUID();
  const request = {
    file,
    args: [script],
    input: '',
    environment: { JURY_ATTEMPT: marker },
    cwd: folder,
    deadlines: { firstOutputMs: 9_000, idleMs: 9_000, totalMs: 9_000 },
  };
  const host = await bundle(
    `import { runProcess } from 'src/adapters/runners/process.ts'; runProcess({ ...${JSON.stringify(request)}, ` +
      'onOutput: () => process.exit(3) }, new AbortController().signal);',
  );
  const { code } = await run(process.execPath, [host]);
  expect(code).toBe(3);
  await expect.poll(() => processesWith(marker), { timeout: 2_000 }).toEqual([]);
});
