// What somebody is shown: lines with their text or pointers to them, and paths that are named.

export function createShown() {
  const lines = new Map();
  const paths = new Set();
  return {
    addLine(path, line) {
      const known = lines.get(path);
      if (known === undefined) lines.set(path, new Set([line]));
      else known.add(line);
      paths.add(path);
    },
    addPath: path => paths.add(path),
    hasLine: (path, line) => lines.get(path)?.has(line) ?? false,
    hasPath: path => paths.has(path),
    paths: () => [...paths],
  };
}
