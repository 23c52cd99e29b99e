/**
 * Files that a push leaves as they were and that are to be read again all the same: lines of theirs that reviewers are shown use what
 * is new since in another file of the change.
 */
import { reverseHunks } from '../change/patch.ts';
import type { CodeIndex } from '../ports/code-index.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import { differenceOf } from './same-patch.ts';

type Index = Pick<CodeIndex, 'definitionsIn' | 'definitionsOf' | 'importsOf' | 'referencesTo'>;

/** Each with the file that holds what it uses, or held it; `same` as of `samePaths`. */
export function dependantsOf(
  then: Change,
  now: Change,
  same: ReadonlySet<string>,
  index: Index,
): ReadonlyMap<string, string> {
  const quiet = new Map(
    now.files.filter(({ path }) => same.has(path)).map(file => [file.path, file]),
  );
  const dependants = new Map<string, string>();
  if (quiet.size === 0) return dependants;
  const [before, after] = [then, now].map(({ files }) => new Map(files.map(f => [f.path, f])));
  const others = [...new Set([...now.files, ...then.files].map(({ path }) => path))];
  for (const path of others.filter(each => !same.has(each))) {
    const [earlier, file] = [before?.get(path), after?.get(path)];
    const left = file ?? (earlier && takenBack(earlier));
    if (!left) continue;
    const { places, gone } = differenceOf(earlier, left);
    const names = [...namesAt(places, left, index), ...namesGone(gone, left, index)];
    const isThere = index.definitionsIn(path).length > 0;
    // A name that several files define means the one that is imported. An import of a file that is gone leads nowhere.
    const isMeant = (name: string, user: string) =>
      index.definitionsOf(name).every(definition => definition.path === path) ||
      index
        .importsOf(user)
        .some(({ targets }) => targets.includes(path) || (!isThere && targets.length === 0));
    for (const name of new Set(names.filter(each => each.length > 2)))
      for (const { path: user, line } of index.referencesTo(name)) {
        const isShown = quiet
          .get(user)
          ?.hunks.some(({ newStart, newLines }) => line >= newStart && line < newStart + newLines);
        if (isShown && isMeant(name, user)) dependants.set(user, path);
      }
  }
  return dependants;
}

/** A file that is no part of the change any more reads as its base does: what was added to it is gone, and what was removed is back. */
function takenBack(then: ChangedFile): ChangedFile {
  return {
    ...then,
    status: then.status === 'added' ? 'deleted' : 'modified',
    hunks: reverseHunks(then.hunks),
  };
}

/** What is defined around the places that are new since; who builds a thing is called by its owner's name. */
function namesAt(places: readonly number[], { path, content, status }: ChangedFile, index: Index) {
  if (content !== 'text' || status === 'deleted') return [];
  return places.flatMap(line => {
    const around = index
      .definitionsIn(path)
      .filter(one => one.kind !== 'field' && one.startLine <= line && line <= one.endLine)
      .map(({ name }) => name);
    const [owner, inner] = [around.at(-2), around.at(-1)];
    if (inner === undefined) return [];
    return owner !== undefined && builders.test(inner) ? [owner] : [inner];
  });
}

const builders = /^(?:constructor|__init__|__new__|initialize|__construct)$/;

/** What the file seems to have defined on lines that are gone since, and does not define any more: who uses it has nothing to use. */
function namesGone(gone: readonly string[], { path }: ChangedFile, index: Index) {
  const left = new Set(index.definitionsIn(path).map(({ name }) => name));
  return gone
    .filter(line => line.length <= longestLine)
    .flatMap(line =>
      [...line.matchAll(definitions)].map(([, word, called]) => word ?? called ?? ''),
    )
    .filter(name => !left.has(name));
}

/** Nobody defines by hand what stands on a longer line, and a text of one line must not take long to look through. */
const longestLine = 400;

/** A word that says what comes, and its name; or a name with what it takes, at the end of a line that opens a body. */
const definitions = new RegExp(
  String.raw`\b(?:function\*?|class|def|fun|fn|func(?:\s*\([^)]*\))?|const|let|var|val|interface|type|struct|enum|trait|module|record|` +
    String.raw`macro_rules!)\s+([\p{L}_$][\p{L}\p{N}_$]*)|([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^()]*\)[^()]*[{:]\s*$`,
  'gu',
);
