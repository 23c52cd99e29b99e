import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The measure of the code prints every circle of imports, type imports included, and ends with 1 where there is one. */
function findCircles(folder: string) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [path.join(root, 'scripts/measure.mjs'), folder, '--circles'],
    { cwd: root, encoding: 'utf8' },
  );
  return {
    status,
    circles: stdout
      .split('\n')
      .filter(line => line.includes('circle: '))
      .map(line => line.trim()),
  };
}

function plant(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'circles-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

describe('circles of imports', () => {
  it('are nowhere in the code, type imports included', () =>
    expect(findCircles(path.join(root, 'src'))).toEqual({ status: 0, circles: [] }));

  it('are caught when only types close them, over any number of files', () => {
    const folder = plant({
      'claim.ts': "import type { Gate } from './gate.ts';\nexport interface Claim { gate: Gate }\n",
      'gate.ts':
        "import { runOf, type Run } from './run.ts';\nexport interface Gate { run: Run }\nvoid runOf;\n",
      'run.ts':
        "export type { Claim } from './claim.ts';\nexport type Run = string;\nexport const runOf = 1;\n",
      'alone.ts': "import type { Claim } from './claim.ts';\nexport type Alone = Claim;\n",
    });
    const { status, circles } = findCircles(folder);
    expect(status).toBe(1);
    expect(circles).toHaveLength(1);
    for (const name of ['claim.ts', 'gate.ts', 'run.ts']) expect(circles[0]).toContain(name);
    expect(circles[0]).not.toContain('alone.ts');
  });
});
