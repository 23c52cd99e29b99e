/** Names that are the same for the same thing on every machine: pure, though Node computes them. */
import { hash } from 'node:crypto';

/** SHA-256 in hex. */
export function sha256(text: string | Uint8Array) {
  return hash('sha256', text, 'hex');
}

/** Names of votes, panels and answers: the same for the same thing on every machine. */
const namespace = Buffer.from('9d0b8a5c6f1e4c53a7c2f0b1d4e86a37', 'hex');

const room = Buffer.concat([namespace, Buffer.alloc(1 << 10)]);

/** A name-based UUID (version 5). Called for each of a million answers: what is not long is put together in one room. */
export function nameBasedUuid(name: string) {
  const isShort = 3 * name.length < room.length - namespace.length;
  const named = isShort
    ? room.subarray(0, namespace.length + room.write(name, namespace.length))
    : Buffer.concat([namespace, Buffer.from(name)]);
  const hex = hash('sha1', named, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 0x3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
