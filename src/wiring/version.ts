/** The version in package.json, which lies beside `src` and beside `dist`. */
import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export const version: string = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0.0.0';
