/** Asks a compiler's index, where the project has one, about the names of a change: once for each pack, before anything is resolved. */
import {
  definitionAt,
  linesOfName,
  meaningOf,
  placeOf,
  type PreciseNames,
  sharpened,
  withMeaning,
} from '../../core/context/packing/precise-names.ts';
import type { CodeView, SymbolUse } from '../../core/context/packing/references.ts';
import type { PreciseSymbols } from '../../core/ports/precise-symbols.ts';
import type { Definition, NamedLine } from '../../core/words/code-index.ts';
import type { ContextTexts } from './context-texts.ts';

interface Asked {
  readonly uses: readonly SymbolUse[];
  readonly changed: readonly Definition[];
}

interface Sources {
  readonly view: CodeView;
  readonly texts: Pick<ContextTexts, 'linesOf'>;
}

export interface PreciseAnswers extends PreciseNames {
  /** For the side file; null where there is no index. */
  readonly told: string | null;
}

const byWordsAlone: PreciseAnswers = {
  resolve: (_, byWords) => byWords,
  usesOf: (_, byWords) => byWords,
  told: null,
};

export async function askPrecise(
  { uses, changed }: Asked,
  { view, texts }: Sources,
  precise: PreciseSymbols | null,
): Promise<PreciseAnswers> {
  if (precise === null) return byWordsAlone;
  const { path, madeBy, files, problem } = await precise.describe();
  if (problem !== null) return { ...byWordsAlone, told: `not used: ${problem}` };
  const meanings = new Map<SymbolUse, NamedLine | null>();
  for (const use of uses) {
    const line = texts.linesOf(use.path)[use.line - 1] ?? '';
    const meaning = meaningOf(use, line, await precise.meaningsOf(use));
    if (meaning !== undefined) meanings.set(use, meaning);
  }
  const known = new Map<string, boolean>();
  const learn = async (one: string): Promise<boolean> => {
    const isKnown = known.get(one) ?? (await precise.knows(one));
    known.set(one, isKnown);
    return isKnown;
  };
  for (const one of view.paths) await learn(one);
  const sharp = new Map<Definition, Sharp>();
  for (const definition of changed) {
    const found = await sharpen(definition, { view, texts }, precise);
    if (found !== null) sharp.set(definition, found);
  }
  return {
    told:
      `${path}${madeBy === null ? '' : ` by ${madeBy}`}, ${files} files: ${meanings.size} of ` +
      `${uses.length} names, uses of ${sharp.size} of ${changed.length} definitions`,
    resolve(use, byWords) {
      const meaning = meanings.get(use);
      return meaning === undefined
        ? byWords
        : withMeaning(byWords, meaning, use, { view, isKnown: one => known.get(one) === true });
    },
    usesOf(definition, byWords) {
      const found = sharp.get(definition);
      return found === undefined
        ? byWords
        : sharpened(byWords, found, place => found.calls.has(place));
    },
  };
}

interface Sharp {
  readonly exact: readonly NamedLine[];
  readonly refuted: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
}

/** Uses by words that are asked about, for each definition. */
const mostAsked = 500;

/** Null: the index does not tell the uses of this definition. */
async function sharpen(
  definition: Definition,
  { view, texts }: Sources,
  precise: PreciseSymbols,
): Promise<Sharp | null> {
  let exact: readonly NamedLine[] | null = null;
  for (const named of linesOfName(definition, texts.linesOf(definition.path)))
    exact ??= await precise.usesOf(named);
  if (exact === null) return null;
  const shown = exact.filter(({ path }) => view.has(path));
  const meant = new Set(shown.map(placeOf));
  const refuted = new Set<string>();
  const byWords = view.referencesTo(definition.name);
  for (const use of byWords.filter(one => !meant.has(placeOf(one))).slice(0, mostAsked)) {
    const meanings = await precise.meaningsOf(use);
    const isOther = meanings.every(
      ({ definition: other }) => other === null || definitionAt(other, view) !== definition,
    );
    if (meanings.length > 0 && isOther) refuted.add(placeOf(use));
  }
  const calls = byWords.filter(({ kind }) => kind === 'call').map(placeOf);
  // The import of a name is no use of its own.
  const exactUses = shown.filter(
    ({ path, line }) =>
      !view.importsOf(path).some(one => one.startLine <= line && line <= one.endLine),
  );
  return { exact: exactUses, refuted, calls: new Set(calls) };
}
