/** Names that nobody can guess. */
import { randomBytes } from 'node:crypto';
import type { Ids } from '../../core/ports/runner.ts';

export const systemIds: Ids = {
  run: now =>
    `${now
      .toISOString()
      .replace(/[-:]/g, '')
      .replace(/\.\d+Z$/, 'Z')}-${randomBytes(3).toString('hex')}`,
  nonce: () => randomBytes(16).toString('hex'),
};
