/** Who calls what changed, as something to check. */
import { languageOf, vocabularyOf } from '../../languages/languages.ts';
import type { Definition } from '../../words/code-index.ts';
import type { CodeView } from '../packing/references.ts';
import { countOf, listPlaces } from './risk.ts';

const mostPlaces = 3;

/** Null where nobody calls it, or its name says too little about which one is called. */
export function callersAction(
  { name, path }: Pick<Definition, 'name' | 'path'>,
  view: CodeView,
): string | null {
  if (!isAlone({ name, path }, view)) return null;
  const calls = view
    .referencesTo(name)
    .filter(({ kind, path: user }) => kind === 'call' && !view.isTest(user));
  return calls.length === 0
    ? null
    : `Check the ${countOf(calls.length, 'caller')} of ${name}: ${listPlaces(calls, mostPlaces)}`;
}

/** The innermost function around a line. */
export function functionAround(path: string, line: number, view: CodeView): Definition | undefined {
  return view
    .enclosing(path, line)
    .findLast(({ kind }) => kind === 'function' || kind === 'method');
}

/** The only definition of that name outside of tests, and no name that is everywhere. */
export function isAlone(
  { name, path }: Pick<Definition, 'name' | 'path'>,
  view: CodeView,
): boolean {
  return (
    !isCommon(name, path, view) &&
    view.definitionsOf(name).filter(one => !view.isTest(one.path)).length === 1
  );
}

/** What is built in has a member or a global of that name. */
export function isCommon(name: string, path: string, view: CodeView): boolean {
  const vocabulary = vocabularyOf(view.languageOf(path) ?? languageOf(path));
  return vocabulary?.members.has(name) === true || vocabulary?.globals.has(name) === true;
}
