/** The index as packs ask it: every question once, with what stands around a line worked out here. */
import { by, groupBy, groupsBy, remember } from '../../groups.ts';
import { parseJson } from '../../json.ts';
import {
  isExamplePath,
  isSameFamily,
  isTestPath,
  vocabularyOf,
} from '../../languages/languages.ts';
import type { CodeIndex } from '../../ports/repository.ts';
import { folderOf } from '../../text.ts';
import type { Binding, Definition, Reference } from '../../words/code-index.ts';
import type { LineRange } from './line-range.ts';

export type CodeView = ReturnType<typeof createCodeView>;

export function createCodeView(index: CodeIndex) {
  const files = new Map(index.files().map(file => [file.path, file]));
  const membersIn = index.definitionsIn;
  const definitionsIn = remember(path => membersIn(path).filter(({ kind }) => kind !== 'field'));
  const bindingsIn = remember(path => groupBy(index.bindingsIn(path), ({ name }) => name));
  const usesIn = remember(index.usesIn);
  const byLine = remember(path => groupBy(usesIn(path), ({ line }) => String(line)));
  /** Outermost first. */
  const enclosing = (path: string, line: number) =>
    definitionsIn(path).filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
  return {
    has: (path: string) => files.has(path),
    paths: [...files.keys()] as string[],
    /** Null for a file that is not indexed. */
    languageOf: (path: string) => files.get(path)?.language ?? null,
    linesOf: (path: string) => files.get(path)?.lines ?? 0,
    definitionsOf: remember(index.definitionsOf),
    /** What may hold changed lines: fields are `membersIn`. */
    definitionsIn,
    /** With the fields of its types. */
    membersIn,
    /** Empty where no grammar tells them. */
    bindingsOf: (path: string, name: string): Binding[] => bindingsIn(path).get(name) ?? [],
    enclosing,
    /** The innermost definition around a line that is no value. */
    around: (path: string, line: number) =>
      enclosing(path, line).findLast(({ kind }) => kind !== 'constant'),
    referencesTo: remember(index.referencesTo),
    usesIn,
    /** What a line uses, each name once. */
    usesOn: (path: string, line: number): Reference[] => byLine(path).get(String(line)) ?? [],
    importsOf: index.importsOf,
    /** Files that an import would lead to if this file had it. */
    leadsTo: index.leadsTo,
    importersOf: index.importersOf,
    isTest: remember(isTestPath),
  };
}

export function rangeOf({ startLine: start, endLine: end }: Definition): LineRange {
  return { start, end };
}

/** Those of the product go first. */
export function testsLast(view: CodeView) {
  return by<{ readonly path: string }>(({ path }) => view.isTest(path));
}

/** An import brings a name from elsewhere: that is no declaration of it. */
export function isImportLine(path: string, line: number, view: CodeView) {
  return view
    .importsOf(path)
    .some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

/** What makes an object is called by the name of its class. */
export const makesObject = /^(?:constructor|__init__|__new__|initialize|__construct)$/;

/** Longer lines were not written by hand; their end tells nothing. */
const longestLine = 500;

/** Lines of the header of a definition: up to where its body opens, at most twelve. */
export function headerEnd(lines: readonly string[], startLine: number, endLine: number) {
  const last = Math.min(endLine, startLine + 11, lines.length);
  let depth = 0;
  for (let line = startLine; line <= last; line += 1) {
    const text = (lines[line - 1] ?? '').slice(0, longestLine);
    for (const character of text) depth += Number(character === '(') - Number(character === ')');
    if (
      depth <= 0 &&
      /[{:;=>)\w\]]\s*(?:(?:\/\/|#).*)?$|=>|\{/.test(text) &&
      !/^\s*(?:@|#\[)/.test(text)
    )
      return line;
  }
  return Math.min(startLine, last);
}

// The uses of a name that mean one definition of it: by imports where the name alone does not tell.

interface NamedThing {
  readonly name: string;
  /** Of the file that defines it, or did: now, and before the change. */
  readonly paths: readonly string[];
  /** True when nobody outside of its file can name it. */
  readonly isOwnOnly: boolean;
}

/** By the code it was looked for in: a file may define one name ten thousand times. */
const used = remember(
  (view: CodeView) => remember(thing => splitAnew(parseJson(thing) as NamedThing, view)),
  new WeakMap(),
);

/**
 * Each line once, calls first, then by path and line. A name that something else has too counts only where an import leads to its
 * file. The import of a name that is used below it is no use of its own.
 */
export function splitUses(thing: NamedThing, view: CodeView) {
  return used(view)(JSON.stringify(thing));
}

function splitAnew({ name, paths, isOwnOnly }: NamedThing, view: CodeView) {
  const language = languageOf(paths, view);
  const reach = vocabularyOf(language)?.reach ?? 'import';
  const isCommon = isCommonName(name, paths, view);
  const means = remember(
    path =>
      paths.includes(path) ||
      (!isOwnOnly &&
        (language === null || isSameFamily(view.languageOf(path), language)) &&
        (!isCommon ||
          (reach !== 'import' && paths.some(one => folderOf(one) === folderOf(path))) ||
          leadsTo(path, paths, view))),
  );
  const all = groupsBy(view.referencesTo(name), ({ path, line }) => `${path}:${line}`)
    .map(([first]) => first)
    .filter(({ path }) => means(path));
  const isImport = ({ path, line }: Reference) => isImportLine(path, line, view);
  const using = new Set(all.filter(use => !isImport(use)).map(({ path }) => path));
  const isMere = (use: Reference) => using.has(use.path) && isImport(use);
  return { uses: all.filter(use => !isMere(use)), imports: all.filter(isMere) };
}

/** True when the name alone does not tell what is meant: something else has it too, or everybody's objects do. */
export function isCommonName(name: string, paths: readonly string[], view: CodeView) {
  const vocabulary = vocabularyOf(languageOf(paths, view));
  return (
    vocabulary?.members.has(name) === true ||
    vocabulary?.globals.has(name) === true ||
    !view
      .definitionsOf(name)
      .every(({ path, kind }) => paths.includes(path) || kind === 'test' || view.isTest(path))
  );
}

function languageOf(paths: readonly string[], view: CodeView) {
  return paths.map(view.languageOf).find(known => known !== null) ?? null;
}

/** Directly, or through one file that passes names on. */
function leadsTo(path: string, paths: readonly string[], view: CodeView) {
  const imports = view.importsOf(path);
  return (
    imports.some(
      ({ targets, specifier }) =>
        targets.some(target => paths.includes(target)) ||
        (targets.length === 0 && paths.some(one => mayMean(specifier, one))),
    ) ||
    imports
      .flatMap(({ targets }) => targets.filter(target => passesOn.test(target)))
      .flatMap(target => view.importsOf(target).flatMap(({ targets }) => targets))
      .some(target => paths.includes(target))
  );
}

const passesOn = /(?:^|\/)(?:index|__init__|mod|lib|main)\.[a-z]+$/i;

/** An import of a file that is gone leads nowhere: its last word must do. */
function mayMean(specifier: string, path: string) {
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

/** Places of a definition that stand in none of its own lines: those of its file and folder first, examples last. */
export function usesOfDefinition(definition: Definition, view: CodeView): readonly Reference[] {
  const { path, startLine, endLine } = definition;
  const farness = (use: Reference) => {
    if (use.path === path) return 0;
    if (isExamplePath(use.path)) return 3;
    return folderOf(use.path).startsWith(folderOf(path)) ? 1 : 2;
  };
  return splitUses({ name: calledName(definition, view), paths: [path], isOwnOnly: false }, view)
    .uses.filter(use => use.path !== path || use.line < startLine || use.line > endLine)
    .toSorted(by(farness));
}

/** Its calls by the product, and who takes a class in any way: tests tell of themselves. */
export function callsOf(definition: Definition, view: CodeView): readonly Reference[] {
  return usesOfDefinition(definition, view).filter(
    ({ kind, path }) => (kind === 'call' || definition.kind === 'class') && !view.isTest(path),
  );
}

export function callOf(definition: Definition, view: CodeView) {
  return `${definition.kind === 'class' ? 'uses' : 'calls'} ${calledName(definition, view)}`;
}

/** Whoever makes an object calls its class. */
export function calledName({ name, path, startLine }: Definition, view: CodeView) {
  if (!makesObject.test(name)) return name;
  return view.enclosing(path, startLine).findLast(({ kind }) => kind === 'class')?.name ?? name;
}
