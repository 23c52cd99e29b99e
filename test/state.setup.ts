/** Tests keep the state of their projects in a folder of their own, never in that of whoever runs them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function setup() {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-state-'));
  process.env['JURY_STATE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
