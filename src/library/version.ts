/** The version in package.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../adapters/system/package-root.ts';

const manifest: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

export const version: string =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
