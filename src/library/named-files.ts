/** The files that settings of a reviewer name, and what the programs among them load from around them. */
import path from 'node:path';
import { explicitPath } from '../adapters/runners/executable.ts';
import { namedAround, shadowsFor } from '../core/safety/program-names.ts';
import { folderOf } from '../core/text.ts';
import type { ReviewerConfig } from '../core/words/config.ts';
import type { TreeView } from './tree-view.ts';

/** A piece of the reviewer's settings that names a file. */
export interface Part {
  readonly key: 'command' | 'answers' | 'executable';
  /** Word of the command; 0 otherwise. */
  readonly index: number;
  /** As it is written there. */
  readonly written: string;
  readonly file: string;
}

/** `root`: top of the repository, which a word may name anywhere in it. */
export function partsOf(
  { command = [], answers, executable }: Pick<ReviewerConfig, Part['key']>,
  home: string,
  root: string,
): Part[] {
  const named = (key: Part['key'], word: string | undefined, index = 0): Part[] => {
    const file =
      word === undefined
        ? null
        : key === 'answers'
          ? path.resolve(home, word)
          : explicitPath(word, home);
    return word === undefined || file === null ? [] : [{ key, index, written: word, file }];
  };
  const inside = (word: string, index: number): Part[] =>
    namesInside(word, root).map(file => ({
      key: 'command',
      index,
      written: file,
      file,
    }));
  return [
    ...command.flatMap((word, index) =>
      explicitPath(word, home) === null ? inside(word, index) : named('command', word, index),
    ),
    ...named('answers', answers),
    ...named('executable', executable),
  ];
}

/** Absolute paths of the repository in the middle of a word, as in `--rules=/project/rules` or a line for a shell. */
function namesInside(word: string, root: string): string[] {
  const found: string[] = [];
  for (
    let at = word.indexOf(root + path.sep);
    at !== -1;
    at = word.indexOf(root + path.sep, at + 1)
  )
    found.push(/^[^\s'"`;|&<>()$]+/.exec(word.slice(at))?.[0] ?? '');
  return found.filter(file => file !== '');
}

interface NamedFile {
  /** Absolute. */
  readonly file: string;
  /** Is it run, and may load more? */
  readonly isProgram: boolean;
}

interface Gathered {
  /** Absolute, as it was named. */
  readonly file: string;
  readonly found: Awaited<ReturnType<TreeView['find']>>;
}

export const mostNamedFiles = 1_000;
const longestProgram = 262_144;

/**
 * What some names lead to, and what the programs among it load, and so on, by place; of a folder all that is below it. What lies
 * outside of the view is not among it. `touchedAt`: paths that a change touches at a place; then what it touches of packages counts
 * too. Ends when more than 1,000 have been found.
 */
export async function gatherFiles(
  named: readonly NamedFile[],
  view: TreeView,
  touchedAt: (place: string) => readonly string[] = () => [],
): Promise<ReadonlyMap<string, Gathered>> {
  const gathered = new Map<string, Gathered>();
  const pending = [...named];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { file, isProgram } = next;
    const place = await view.placeOf(file);
    // The top of the project is what a program works on, no part of it.
    if (place === null || place === '' || gathered.has(place)) continue;
    const found = await view.find(place);
    gathered.set(place, { file, found });
    if (gathered.size > mostNamedFiles) break;
    const inside = found.kind === 'folder' ? await found.files() : [];
    pending.push(
      ...inside.map(name => ({ file: path.join(view.root, place, name), isProgram: false })),
    );
    const bytes = isProgram && found.kind === 'file' ? await found.read() : null;
    if (bytes === null || bytes.length > longestProgram || bytes.includes(0)) continue;
    const loaded = await loadedBy(place, bytes.toString('utf8'), { view, touchedAt });
    pending.push(...loaded.map(name => ({ file: path.join(view.root, name), isProgram: true })));
  }
  return gathered;
}

/** As far as its text tells: what is there, and what a change touches. Packages that somebody installs beside a project are not looked through. */
async function loadedBy(
  place: string,
  text: string,
  {
    view,
    touchedAt,
  }: { readonly view: TreeView; readonly touchedAt: (place: string) => readonly string[] },
): Promise<string[]> {
  const folder = folderOf(place);
  const { files, packages } = namedAround(place, text);
  const beside = (await view.namesIn(folder))
    .flatMap(name => [name, `${name}/__init__.py`])
    .map(name => path.posix.join(folder, name))
    .filter(name => shadowsFor(place, name));
  const there = packages.flatMap(touchedAt);
  for (const name of new Set([...files, ...beside])) {
    const isTouched = touchedAt(name).some(each => depthOf(each) <= depthOf(name));
    if (isTouched || ['file', 'outside'].includes((await view.find(name)).kind)) there.push(name);
  }
  return there;
}

function depthOf(place: string): number {
  return place.split('/').length;
}
