/** The modules a change touches: the nearest folder with a manifest, or two segments below a source root, or the top folder. */
import { folderOf } from '../../text.ts';

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
