/** Precise symbols of marked texts alone, for tests of those who ask: as plain as the contract allows. */
import type { PreciseSymbols } from '../../src/core/ports/precise-symbols.ts';
import type { Meaning, NamedLine } from '../../src/core/words/code-index.ts';
import { marked } from '../adapters/precise/encode-scip.ts';
import type { Files } from './precise-symbols.ts';

interface Place extends NamedLine {
  readonly column: number;
  readonly symbol: string;
  readonly defines: boolean;
}

export function scriptedSymbols(compiled: Files, reviewed: Files): PreciseSymbols {
  const places = Object.entries(compiled)
    .filter(([path]) => reviewed[path] !== undefined)
    .flatMap(([path, text]) =>
      marked(path, text)
        .document.names.filter(
          ({ line }) => lineOf(compiled, path, line) === lineOf(reviewed, path, line),
        )
        .map(({ line, start, end, symbol, defines = false }): Place => ({
          path,
          line: line + 1,
          column: start,
          name: (lineOf(compiled, path, line) ?? '').slice(start, end),
          symbol: symbol.startsWith('local ') ? `${symbol} ${path}` : symbol,
          defines,
        })),
    );
  const isDefined = (symbol: string): boolean =>
    Object.entries(compiled).some(([path, text]) =>
      marked(path, text).document.names.some(
        one =>
          one.defines === true && (one.symbol === symbol || `${one.symbol} ${path}` === symbol),
      ),
    );
  const on = (asked: NamedLine): Place[] =>
    places.filter(
      one => one.path === asked.path && one.line === asked.line && one.name === asked.name,
    );
  return {
    meaningsOf: asked =>
      Promise.resolve(
        on(asked)
          .filter(({ defines }) => !defines)
          .flatMap(({ column, symbol }): Meaning[] => {
            const found = places.find(one => one.defines && one.symbol === symbol);
            if (found !== undefined) return [{ column, definition: bare(found) }];
            return isDefined(symbol) ? [] : [{ column, definition: null }];
          }),
      ),
    usesOf(asked) {
      const own = on(asked).find(({ defines }) => defines);
      return Promise.resolve(
        own === undefined
          ? null
          : places.filter(one => !one.defines && one.symbol === own.symbol).map(bare),
      );
    },
    knows: path => Promise.resolve(Object.hasOwn(compiled, path) && Object.hasOwn(reviewed, path)),
    describe: () =>
      Promise.resolve({
        path: 'marked texts',
        madeBy: null,
        files: Object.keys(reviewed).length,
        problem: null,
      }),
  };
}

function bare({ path, line, name }: Place): NamedLine {
  return { path, line, name };
}

function lineOf(files: Files, path: string, line: number): string | undefined {
  return files[path] === undefined ? undefined : marked(path, files[path]).text.split('\n')[line];
}
