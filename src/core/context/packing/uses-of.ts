/** The uses of a name that mean one definition of it: by imports where the name alone does not tell. */
import { isSameFamily, vocabularyOf } from '../../languages/languages.ts';
import { isExamplePath } from '../../languages/path-kinds.ts';
import type { Definition, Reference } from '../../words/code-index.ts';
import { type CodeView, isImportLine } from './references.ts';
import { folderOf } from '../../text.ts';

interface NamedThing {
  readonly name: string;
  /** Of the file that defines it, or did: now, and before the change. */
  readonly paths: readonly string[];
  /** True when nobody outside of its file can name it. */
  readonly isOwnOnly: boolean;
}

/** Each line once, calls first, then by path and line. A name that something else has too counts only where an import leads to its file. */
function usesOf(thing: NamedThing, view: CodeView): Reference[] {
  return splitUses(thing, view).uses;
}

interface SplitUses {
  readonly uses: Reference[];
  /** Where a file imports what it uses below. */
  readonly imports: Reference[];
}

/** The import of a name that is used below it is no use of its own. */
export function splitUses(thing: NamedThing, view: CodeView): SplitUses {
  const { name, paths, isOwnOnly } = thing;
  return rememberIn(used, view, [name, paths, isOwnOnly], () => splitAnew(thing, view));
}

/** What was found of a name, by the code it was looked for in: a file may define one name ten thousand times. */
type Findings<Found> = WeakMap<CodeView, Map<string, Found>>;

const used: Findings<SplitUses> = new WeakMap();
const common: Findings<boolean> = new WeakMap();

function rememberIn<Found>(
  findings: Findings<Found>,
  view: CodeView,
  asked: readonly unknown[],
  find: () => Found,
): Found {
  const known = findings.get(view) ?? new Map<string, Found>();
  findings.set(view, known);
  const key = JSON.stringify(asked);
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

function splitAnew({ name, paths, isOwnOnly }: NamedThing, view: CodeView): SplitUses {
  const language = languageOf(paths, view);
  const vocabulary = vocabularyOf(language);
  const isCommon = isCommonName(name, paths, view);
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
  const all = view.referencesTo(name).filter(({ path, line }) => {
    const place = `${path}:${line}`;
    if (seen.has(place)) return false;
    seen.add(place);
    const isMeant = known.get(path) ?? means(path);
    known.set(path, isMeant);
    return isMeant;
  });
  const isImport = ({ path, line }: Reference): boolean => isImportLine(path, line, view);
  const used = new Set(all.filter(use => !isImport(use)).map(({ path }) => path));
  const isMere = (use: Reference): boolean => used.has(use.path) && isImport(use);
  return { uses: all.filter(use => !isMere(use)), imports: all.filter(isMere) };
}

/** More calls than these tell nothing of one of them. */
const mostPossible = 30;

/** Calls that nothing leads to the definition from, of a name that everybody's objects have and nothing else in the repository. */
export function possibleCalls({ name, paths, isOwnOnly }: NamedThing, view: CodeView): Reference[] {
  const isOnlyOne = view
    .definitionsOf(name)
    .every(({ path }) => paths.includes(path) || view.isTest(path));
  if (isOwnOnly || !isOnlyOne) return [];
  const language = languageOf(paths, view);
  const meant = new Set(
    usesOf({ name, paths, isOwnOnly }, view).map(({ path, line }) => `${path}:${line}`),
  );
  const calls = view
    .referencesTo(name)
    .filter(
      ({ path, line, kind }) =>
        kind === 'call' &&
        !view.isTest(path) &&
        !meant.has(`${path}:${line}`) &&
        (language === null || isSameFamily(view.languageOf(path), language)),
    );
  return calls.length > mostPossible ? [] : calls;
}

/**
 * True when the name alone does not tell what is meant: something else has it too, or everybody's objects do. `paths`: of the
 * file that defines it.
 */
export function isCommonName(name: string, paths: readonly string[], view: CodeView): boolean {
  const vocabulary = vocabularyOf(languageOf(paths, view));
  return rememberIn(
    common,
    view,
    [name, paths],
    () =>
      vocabulary?.members.has(name) === true ||
      vocabulary?.globals.has(name) === true ||
      !view
        .definitionsOf(name)
        .every(({ path, kind }) => paths.includes(path) || kind === 'test' || view.isTest(path)),
  );
}

function languageOf(paths: readonly string[], view: CodeView): string | null {
  return paths.map(path => view.languageOf(path)).find(known => known !== null) ?? null;
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

export interface Place {
  readonly path: string;
  readonly line: number;
}

/** Places of a definition, those of its own file and folder first, then where it calls itself, examples last. */
export function usesOfDefinition(
  definition: Definition,
  view: CodeView,
): readonly { readonly path: string; readonly line: number; readonly kind: 'call' | 'use' }[] {
  const { path, startLine, endLine } = definition;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const isOwn = (use: Place): boolean =>
    use.path === path && startLine <= use.line && use.line <= endLine;
  const farness = (use: Place): number =>
    use.path === path
      ? isOwn(use)
        ? 3
        : 0
      : isExamplePath(use.path)
        ? 4
        : use.path.startsWith(folder)
          ? 1
          : 2;
  const thing = { name: calledName(definition, view), paths: [path], isOwnOnly: false };
  return usesOf(thing, view)
    .filter(use => !isOwn(use) || (use.kind === 'call' && use.line > startLine))
    .toSorted((one, other) => farness(one) - farness(other));
}

/** Whoever makes an object calls its class. */
export function calledName({ name, path, startLine }: Definition, view: CodeView): string {
  if (!/^(?:constructor|__init__|__new__|initialize|__construct)$/.test(name)) return name;
  return view.enclosing(path, startLine).findLast(({ kind }) => kind === 'class')?.name ?? name;
}

/** True when its name alone does not tell it from others. */
export function isCommon(definition: Definition, view: CodeView): boolean {
  return isCommonName(calledName(definition, view), [definition.path], view);
}
