/** Hands a prompt to a child piece by piece, so that a hundred waiting prompts are not copied all at once. */
import type { Writable } from 'node:stream';

const pieceLength = 65_536;

/** Writes the text and always ends the stream. False when the child closed it before it had taken everything. Never rejects. */
export async function writeInput(stdin: Writable, text: string): Promise<boolean> {
  try {
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = pieceEnd(text, start);
      await writePiece(stdin, text.slice(start, end));
    }
    return true;
  } catch {
    return false;
  } finally {
    stdin.end();
  }
}

/** Resolves once the system has taken the bytes; that the child reads them is another matter. */
function writePiece(stdin: Writable, piece: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdin.write(piece, error => (error ? reject(error) : resolve()));
  });
}

/** Never between the halves of a character: each piece is encoded on its own. */
function pieceEnd(text: string, start: number): number {
  const end = Math.min(start + pieceLength, text.length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
