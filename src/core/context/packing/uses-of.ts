/** The uses of a name that mean one definition of it: by imports where the name alone does not tell. */
import { isSameFamily, vocabularyOf } from '../../languages/languages.ts';
import type { Reference } from '../../words/code-index.ts';
import type { CodeView } from './references.ts';
import { folderOf } from '../../text.ts';

interface NamedThing {
  readonly name: string;
  /** Of the file that defines it, or did: now, and before the change. */
  readonly paths: readonly string[];
  /** True when nobody outside of its file can name it. */
  readonly isOwnOnly: boolean;
}

/** Each line once, calls first, then by path and line. A name that something else has too counts only where an import leads to its file. */
export function usesOf({ name, paths, isOwnOnly }: NamedThing, view: CodeView): Reference[] {
  const language = paths.map(path => view.languageOf(path)).find(known => known !== null) ?? null;
  const vocabulary = vocabularyOf(language);
  const isOnlyOne = view
    .definitionsOf(name)
    .every(({ path, kind }) => paths.includes(path) || kind === 'test' || view.isTest(path));
  const isCommon =
    !isOnlyOne || vocabulary?.members.has(name) === true || vocabulary?.globals.has(name) === true;
  const known = new Map<string, boolean>();
  const means = (path: string): boolean => {
    if (paths.includes(path)) return true;
    if (isOwnOnly || (language !== null && !isSameFamily(view.languageOf(path), language)))
      return false;
    return (
      !isCommon ||
      (vocabulary?.importsNames === false && paths.some(one => sharesFolder(path, one))) ||
      leadsTo(path, paths, view)
    );
  };
  const seen = new Set<string>();
  const uses = view.referencesTo(name).filter(({ path, line }) => {
    const place = `${path}:${line}`;
    if (seen.has(place)) return false;
    seen.add(place);
    const isMeant = known.get(path) ?? means(path);
    known.set(path, isMeant);
    return isMeant;
  });
  // The import of a name that is used below it is no use of its own.
  const used = new Set(uses.filter(use => !isImport(use, view)).map(({ path }) => path));
  return uses.filter(use => !used.has(use.path) || !isImport(use, view));
}

function isImport({ path, line }: Reference, view: CodeView): boolean {
  return view
    .importsOf(path)
    .some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

/** Directly, or through one file that passes names on. */
function leadsTo(path: string, paths: readonly string[], view: CodeView): boolean {
  const imports = view.importsOf(path);
  if (
    imports.some(
      ({ targets, specifier }) =>
        targets.some(target => paths.includes(target)) ||
        (targets.length === 0 && paths.some(one => mayMean(specifier, one))),
    )
  )
    return true;
  return imports
    .flatMap(({ targets }) => targets.filter(target => passesOn.test(target)))
    .some(target =>
      view.importsOf(target).some(one => one.targets.some(each => paths.includes(each))),
    );
}

const passesOn = /(?:^|\/)(?:index|__init__|mod|lib|main)\.[a-z]+$/i;

/** An import of a file that is gone leads nowhere: its last word must do. */
function mayMean(specifier: string, path: string): boolean {
  const segments = path.replace(/\.[^./]+$/, '').split('/');
  const stem = segments.at(-1) ?? '';
  const word = /^(?:index|__init__|mod|main)$/.test(stem) ? (segments.at(-2) ?? stem) : stem;
  return (
    specifier
      .replace(/\.[cm]?[jt]sx?$/, '')
      .split(/[^\p{L}\p{N}_$-]+/u)
      .at(-1) === word
  );
}

function sharesFolder(one: string, other: string): boolean {
  return folderOf(one) === folderOf(other);
}
