/** Names that nobody can guess. */
import { createHash, randomBytes } from 'node:crypto';
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
  return createHash('sha256').update(text).digest('hex');
}

/** SHA-256 in hex of a text that is too long to be held at once. */
export function sha256OfPieces(pieces: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** Names of votes, panels and answers: the same for the same thing on every machine. */
const namespace = Buffer.from('9d0b8a5c6f1e4c53a7c2f0b1d4e86a37', 'hex');

/** A name-based UUID (version 5). */
export function nameBasedUuid(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
