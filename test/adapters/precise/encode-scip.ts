/** Writes a SCIP index as an indexer does: by the field numbers of its schema, from places of names. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

export interface IndexedDocument {
  readonly path: string;
  /** Number of `PositionEncoding`; default: it does not say. */
  readonly encoding?: number;
  readonly names: readonly IndexedName[];
}

/** From 0. */
export interface IndexedName {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly symbol: string;
  readonly defines?: boolean;
}

export function encodeScip(
  documents: readonly IndexedDocument[],
  madeBy: readonly [name: string, version: string] = ['test-indexer', '1.2.3'],
): Uint8Array {
  const index = new BinaryWriter();
  index.tag(1, WireType.LengthDelimited).fork();
  index.tag(2, WireType.LengthDelimited).fork();
  for (const [at, word] of madeBy.entries())
    index.tag(at + 1, WireType.LengthDelimited).string(word);
  index.join().tag(3, WireType.LengthDelimited).string('file:///project').join();
  for (const { path, encoding, names } of documents) {
    index.tag(2, WireType.LengthDelimited).fork();
    index.tag(4, WireType.LengthDelimited).string('typescript');
    index.tag(1, WireType.LengthDelimited).string(path);
    if (encoding !== undefined) index.tag(6, WireType.Varint).int32(encoding);
    for (const { line, start, end, symbol, defines = false } of names) {
      index.tag(2, WireType.LengthDelimited).fork();
      index.tag(1, WireType.LengthDelimited).fork().int32(line).int32(start).int32(end).join();
      index.tag(2, WireType.LengthDelimited).string(symbol);
      if (defines) index.tag(3, WireType.Varint).int32(1);
      index.join();
    }
    index.join();
  }
  return index.finish();
}

/** The names that a text marks: `«name:symbol»` uses it, `«name=symbol»` defines it. */
export function marked(
  path: string,
  text: string,
): { readonly text: string; readonly document: IndexedDocument } {
  const names: IndexedName[] = [];
  const lines = text.split('\n').map((markedLine, line) => {
    let plain = markedLine;
    for (let found = mark.exec(plain); found !== null; found = mark.exec(plain)) {
      const [whole, name = '', sign, symbol = ''] = found;
      names.push({
        line,
        start: found.index,
        end: found.index + name.length,
        symbol: symbol.startsWith('local ') ? symbol : `test npm project 1.0.0 ${symbol}`,
        defines: sign === '=',
      });
      plain = plain.replace(whole, name);
    }
    return plain;
  });
  return { text: lines.join('\n'), document: { path, names } };
}

const mark = /«([^:=»]+)([:=])([^»]+)»/u;
