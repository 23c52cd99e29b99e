/** Files that used to change together with those of a change, by the history before it. */
import { kindsOf } from '../../languages/languages.ts';
import { compareTexts, folderOf } from '../../text.ts';

/** All files that a commit touched, one of the changed files among them. */
export interface PastChange {
  readonly files: readonly string[];
}

export interface CoChanged {
  readonly path: string;
  /** Commits that touched it and one of the changed files. */
  readonly times: number;
  /** Commits that touched one of the changed files. */
  readonly of: number;
}

const mostPaths = 10;
/** After so many commits a memory counts half. */
const halfLife = 60;

/** What is read by people or written by programs changes with everything. */
const worthOfOther = 0.1;
/** A test and what it tests, a file and its neighbours: where the history says little, the name says the rest. */
const namedAlike = 3;
const beside = 1.3;

/** `past`: latest first. A file that seldom changes says more by changing with another; a commit shares one voice among all its files. */
export function rankCoChanged(
  past: readonly PastChange[],
  changed: ReadonlySet<string>,
  isKnown: (path: string) => boolean,
): CoChanged[] {
  const touched = new Map<string, number>();
  for (const path of past.flatMap(({ files }) => files.filter(file => changed.has(file))))
    touched.set(path, (touched.get(path) ?? 0) + 1);
  const scores = new Map<string, { score: number; times: number }>();
  for (const [index, { files }] of past.entries()) {
    const own = files.filter(file => changed.has(file));
    const weight =
      (own.reduce((sum, file) => sum + 1 / Math.sqrt(touched.get(file) ?? 1), 0) *
        0.5 ** (index / halfLife)) /
      files.length;
    for (const path of files.filter(file => !changed.has(file) && isKnown(file))) {
      const known = scores.get(path) ?? { score: 0, times: 0 };
      scores.set(path, { score: known.score + weight, times: known.times + 1 });
    }
  }
  const stems = new Set([...changed].map(stemOf));
  const folders = new Set([...changed].map(folderOf));
  return [...scores]
    .map(([path, { score, times }]) => ({
      path,
      times,
      score:
        score *
        (kindsOf({ path }).has('code') ? 1 : worthOfOther) *
        (stems.has(stemOf(path)) ? namedAlike : 1) *
        (folders.has(folderOf(path)) ? beside : 1),
    }))
    .toSorted((one, other) => other.score - one.score || compareTexts(one.path, other.path))
    .slice(0, mostPaths)
    .map(({ path, times }) => ({ path, times, of: past.length }));
}

// What a file is called apart from being a test: `parse` for `parse.ts`, `parse.test.ts`, `test_parse.py` and `ParseTest.java`.

/** Without case and signs. The folder speaks for a file that is called like every other one. */
export function stemOf(path: string): string {
  const segments = path.split('/');
  const stem = (segments.at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .replace(/[._-](?:tests?|specs?)$|Tests?$|^Test(?=[A-Z])|^(?:tests?|specs?)[_-]/i, '')
    .replace(/\..*$/, '');
  const name = /^(?:|index|__init__|mod|lib|main|tests?|specs?)$/i.test(stem)
    ? (segments.at(-2) ?? stem)
    : stem;
  return name.toLowerCase().replace(/[-_]/g, '');
}

// The modules a change touches: the nearest folder with a manifest, or two segments below a source root, or the top folder.

const manifest = new RegExp(
  '(?:^|/)(?:package\\.json|go\\.mod|Cargo\\.toml|pyproject\\.toml|setup\\.(?:py|cfg)|pom\\.xml|' +
    'build\\.gradle(?:\\.kts)?|composer\\.json|Gemfile|mix\\.exs|pubspec\\.yaml|Package\\.swift|CMakeLists\\.txt)$',
);
const sourceRoots = ['src', 'lib', 'pkg', 'internal', 'packages', 'apps', 'services'];
const testFolder = /^(?:tests?|__tests__|specs?|testdata)$/;

type ModuleOf = (path: string) => string;

/** `paths`: every file of the repository, to know where manifests lie. */
export function createModules(paths: readonly string[]): ModuleOf {
  const folders = new Set(paths.filter(path => manifest.test(path)).map(folderOf));
  const roots = sourceRoots.filter(root => paths.some(path => path.startsWith(`${root}/`)));
  return path => {
    const place = withoutTests(path, roots);
    return nearestFolder(place, folders) ?? bySegments(place);
  };
}

/** Tests belong to what they test: their folder is not there, and a tree of tests mirrors the first source root. */
function withoutTests(path: string, roots: readonly string[]) {
  const segments = path.split('/');
  const kept = segments.filter(
    (segment, index) => index === segments.length - 1 || !testFolder.test(segment),
  );
  const isMirror =
    testFolder.test(segments[0] ?? '') &&
    segments.length > 1 &&
    !sourceRoots.includes(kept[0] ?? '');
  return isMirror && roots[0] !== undefined ? [roots[0], ...kept].join('/') : kept.join('/');
}

function nearestFolder(path: string, folders: ReadonlySet<string>) {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (folders.has(folder)) return folder;
    if (folder === '') return null;
  }
}

function bySegments(path: string) {
  const segments = path.split('/').slice(0, -1);
  const root = segments.findIndex(segment => sourceRoots.includes(segment));
  if (root === -1) return segments[0] ?? '';
  return segments.slice(0, root + 3).join('/');
}
