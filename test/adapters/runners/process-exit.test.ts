import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { expect, it } from 'vitest';
import { freshFolder, processesWith, program } from './turns.ts';

const source = new URL('../../../src/adapters/runners/', import.meta.url);

/** The process runner as plain JavaScript, so that another Node can load it and end. */
async function transpileRunner(): Promise<string> {
  const folder = await freshFolder();
  const compilerOptions = {
    module: ModuleKind.ESNext,
    target: ScriptTarget.ES2023,
    verbatimModuleSyntax: true,
  };
  const own = (await readdir(source)).filter(name => /^process.*\.ts$/.test(name));
  for (const name of [...own, '../sandbox/system-programs.ts']) {
    const { outputText } = transpileModule(await readFile(new URL(name, source), 'utf8'), {
      compilerOptions,
    });
    await writeFile(
      join(folder, basename(name, '.ts') + '.mjs'),
      outputText.replaceAll(/from '(?:\.\/|\.\.\/sandbox\/)([\w-]+)\.ts'/g, "from './$1.mjs'"),
    );
  }
  return folder;
}

it('processes that still run die with Jury', async () => {
  const folder = await transpileRunner();
  const [file, script] = await program(
    "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up');",
  );
  const marker = randomUUID();
  const host = join(folder, 'host.mjs');
  const request = {
    file,
    args: [script],
    input: '',
    environment: { JURY_ATTEMPT: marker },
    cwd: folder,
    deadlines: { firstOutputMs: 9_000, idleMs: 9_000, totalMs: 9_000 },
  };
  await writeFile(
    host,
    `import { runProcess } from './process.mjs'; runProcess({ ...${JSON.stringify(request)}, ` +
      'onOutput: () => process.exit(3) }, new AbortController().signal);',
  );
  const [code] = (await once(spawn(process.execPath, [host], { stdio: 'inherit' }), 'exit')) as [
    number,
  ];
  expect(code).toBe(3);
  await expect.poll(() => processesWith(marker), { timeout: 2_000 }).toEqual([]);
});
