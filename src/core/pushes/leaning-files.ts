/**
 * Files that a push leaves as they were and that are to be read again all the same: lines of theirs that reviewers are shown use what
 * is new since in another file of the change.
 */
import type { CodeIndex } from '../ports/code-index.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import { placesSince, samePaths } from './same-patch.ts';

type Index = Pick<CodeIndex, 'definitionsOf' | 'enclosing' | 'importsOf' | 'referencesTo'>;

/** Names that are looked up, at most: more of them are a rewrite. */
const mostNames = 200;

/** Each with the file that holds what it uses. */
export function leaningFiles(then: Change, now: Change, index: Index): ReadonlyMap<string, string> {
  const before = new Map(then.files.map(file => [file.path, file]));
  const same = samePaths(then, now);
  const quiet = new Map(
    now.files.filter(({ path }) => same.has(path)).map(file => [file.path, file]),
  );
  const leaning = new Map<string, string>();
  if (quiet.size === 0) return leaning;
  const names = now.files
    .filter(({ path }) => !same.has(path))
    .flatMap(file => namesSince(before.get(file.path), file, index))
    .slice(0, mostNames);
  for (const { name, path } of names)
    for (const { path: user, line } of index.referencesTo(name)) {
      const file = quiet.get(user);
      if (file !== undefined && isShown(file, line) && means(name, path, user, index))
        leaning.set(user, path);
    }
  return leaning;
}

interface NewName {
  readonly name: string;
  readonly path: string;
}

/** What is defined around the places that are new since; who builds a thing is called by its owner's name. */
function namesSince(then: ChangedFile | undefined, now: ChangedFile, index: Index): NewName[] {
  if (now.content !== 'text' || now.status === 'deleted') return [];
  const empty: ChangedFile = { ...now, hunks: [] };
  const names = new Set(
    placesSince(then ?? empty, now).flatMap(line => {
      const around = index.enclosing(now.path, line).map(({ name }) => name);
      const [owner, inner] = [around.at(-2), around.at(-1)];
      if (inner === undefined) return [];
      return owner !== undefined && builders.test(inner) ? [owner] : [inner];
    }),
  );
  return [...names].filter(name => name.length > 2).map(name => ({ name, path: now.path }));
}

const builders = /^(?:constructor|__init__|__new__|initialize|__construct)$/;

function isShown({ hunks }: ChangedFile, line: number): boolean {
  return hunks.some(({ newStart, newLines }) => line >= newStart && line < newStart + newLines);
}

/** A name that several files define means the one that is imported. */
function means(name: string, path: string, user: string, index: Index): boolean {
  return (
    index.definitionsOf(name).every(definition => definition.path === path) ||
    index.importsOf(user).some(({ targets }) => targets.includes(path))
  );
}
