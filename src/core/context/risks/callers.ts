/** Who calls what changed, as something to check. */
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

/** The only definition of that name outside of tests. */
export function isAlone({ name }: Pick<Definition, 'name' | 'path'>, view: CodeView): boolean {
  return view.definitionsOf(name).filter(({ path }) => !view.isTest(path)).length === 1;
}
