/** Messages are lines: one that is too long is answered and passed over, where the transport would close the connection without a word. */
import { Transform } from 'node:stream';

const longestEnd = 512;

/** Hands on whole lines of at most so many bytes. `onLong` gets the number of the message, as JSON; null where none was found. */
export function createLines(mostBytes: number, onLong: (id: string | null) => void): Transform {
  let [held, size, end]: [Buffer[], number, Buffer] = [[], 0, Buffer.alloc(0)];
  const take = (piece: Buffer): void => {
    size += piece.length;
    if (size <= mostBytes) held.push(piece);
    end = Buffer.concat([end, piece.subarray(-longestEnd)]).subarray(-longestEnd);
  };
  const finish = (): Buffer | null => {
    const line = size > mostBytes ? null : Buffer.concat(held);
    if (line === null) onLong(idIn(Buffer.concat(held).toString('latin1', 0, longestEnd), end));
    [held, size, end] = [[], 0, Buffer.alloc(0)];
    return line;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, at + 1));
        const line = finish();
        if (line !== null) this.push(line);
        from = at + 1;
      }
      take(chunk.subarray(from));
      done();
    },
    flush(done) {
      done(null, finish());
    },
  });
}

/** Clients write it first or last. */
function idIn(start: string, end: Buffer): string | null {
  const id = '"id"\\s*:\\s*(\\d{1,15}|"[^"\\\\]{1,200}")';
  const found = new RegExp(`${id}\\s*\\}\\s*$|^\\s*\\{[^{}[\\]]*?${id}`);
  const [, last, first] = found.exec(end.toString('latin1')) ?? found.exec(start) ?? [];
  return last ?? first ?? null;
}
