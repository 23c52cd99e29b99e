/** Names as git prints them: bytes between NULs, which need be no UTF-8. */
import { isUtf8 } from 'node:buffer';

/** Pieces between NULs; the last one is ended by a NUL too. */
export function splitZero(output: Buffer) {
  const pieces: Buffer[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0, at);
    pieces.push(output.subarray(at, end === -1 ? output.length : end));
    at = end === -1 ? output.length : end + 1;
  }
  return pieces;
}

/** Bytes that are no UTF-8 become `\xNN`, so that names stay apart. */
export function decodeName(bytes: Buffer | undefined) {
  if (!bytes) throw new Error('git ended in the middle of a list.');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find(
      size => at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)),
    );
    text +=
      length === undefined
        ? `\\x${bytes.toString('hex', at, at + 1)}`
        : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return text;
}

/** Of a name whose bytes are kept as latin1, so that any survives being written back. */
export function utf8(name: string) {
  return Buffer.from(name, 'latin1').toString('utf8');
}
