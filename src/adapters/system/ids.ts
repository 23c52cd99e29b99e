/** Names that nobody can guess. */
import { createHash, hash, randomBytes } from 'node:crypto';
import type { Ids } from '../../core/ports/ids.ts';

export const systemIds: Ids = {
  run: now =>
    `${now
      .toISOString()
      .replace(/[-:]/g, '')
      .replace(/\.\d+Z$/, 'Z')}-${randomBytes(3).toString('hex')}`,
  nonce: () => randomBytes(16).toString('hex'),
};

/** SHA-256 in hex. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

/** SHA-256 in hex of a text that is too long to be held at once. */
export function sha256OfPieces(pieces: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** Names of votes, panels and answers: the same for the same thing on every machine. */
const namespace = Buffer.from('9d0b8a5c6f1e4c53a7c2f0b1d4e86a37', 'hex');

/** A name-based UUID (version 5). Called for each of a million answers: no object that outlives the call is made. */
export function nameBasedUuid(name: string): string {
  const digest = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const hex = `${digest.slice(0, 12)}5${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`;
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
