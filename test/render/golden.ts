/** Golden files: compared as bytes; `UPDATE_GOLDEN=1` rewrites them, and the diff is then for a person to read. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What the golden file says; `actual` is what a rewrite puts there. */
export function golden(name: string, actual: string): string {
  const file = path.join(import.meta.dirname, 'golden', name);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, actual);
  return readFileSync(file, 'utf8');
}
