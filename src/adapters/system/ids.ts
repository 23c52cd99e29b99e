/** Names that nobody can guess. */
import { createHash, randomBytes } from 'node:crypto';
import type { Ids } from '../../core/ports.ts';

export const systemIds: Ids = {
  run: now => `${now.toISOString().replace(/[-:]/g, '').replace(/\.\d+Z$/, 'Z')}-${randomBytes(3).toString('hex')}`,
  nonce: () => randomBytes(16).toString('hex'),
};

/** SHA-256 in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
