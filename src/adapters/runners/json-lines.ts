/** Cuts a stream into lines and reads each as JSON, whatever its length; lines that are not JSON are not for us. */

import { parseJson } from '../../core/json.ts';

interface JsonLines {
  add(chunk: string): void;
  /** The last line need not end with a newline. */
  end(): void;
}

/** Linear also when one line comes in many chunks: the pieces are joined once, at its end. */
export function readJsonLines(onRecord: (record: unknown) => void): JsonLines {
  let pieces: string[] = [];
  const finishLine = (): void => {
    const record = parseLine(pieces.join(''));
    pieces = [];
    if (record !== undefined) onRecord(record);
  };
  return {
    add(chunk) {
      let from = 0;
      for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
        pieces.push(chunk.slice(from, at));
        finishLine();
        from = at + 1;
      }
      if (from < chunk.length) pieces.push(chunk.slice(from));
    },
    end: finishLine,
  };
}

/** Undefined for everything that is not a JSON object or array: warnings and progress share the stream. */
function parseLine(line: string): unknown {
  const text = line.trim();
  return /^[{[]/.test(text) ? parseJson(text) : undefined;
}

/** The `type` of a record; empty when it has none. */
export function recordType(record: unknown): string {
  if (typeof record !== 'object' || record === null || !('type' in record)) return '';
  return typeof record.type === 'string' ? record.type : '';
}
