/** Whether paths of a repository can reach the same file, on whatever disk it is checked out. */

/** Finds those of many paths that are the same as one, lie in it or hold it. Relative to one folder, with slashes. */
export function indexPaths(paths: Iterable<string>): (path: string) => readonly string[] {
  const [same, within] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const path of paths) {
    add(same, foldPath(path), path);
    for (const folder of foldersOf(foldPath(path))) add(within, folder, path);
  }
  return path =>
    [path, ...foldersOf(path)]
      .map(foldPath)
      .flatMap((name, index) => [
        ...(same.get(name) ?? []),
        ...(index === 0 ? (within.get(name) ?? []) : []),
      ]);
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key) ?? [];
  values.push(value);
  map.set(key, values);
}

/** Every folder the path lies in but the top, the nearest first. */
function foldersOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, names.length - 1 - index).join('/'));
}

/** Some disks do not tell A from a, some ignore invisible characters, and some a dot or a space at the end of a name. */
export function foldPath(path: string): string {
  const visible = path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
  return visible
    .split('/')
    .map(name => name.replace(/(?<=[^. ])[. ]+$/, ''))
    .join('/');
}
