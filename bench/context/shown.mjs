// What somebody is shown: lines with their text or pointers to them, and paths that are named.

/** @typedef {ReturnType<typeof createShown>} Shown */

export function createShown() {
  /** @type {Map<string, Set<number>>} */
  const lines = new Map();
  /** @type {Set<string>} */
  const paths = new Set();
  return {
    addLine(/** @type {string} */ path, /** @type {number} */ line) {
      const known = lines.get(path);
      if (known === undefined) lines.set(path, new Set([line]));
      else known.add(line);
      paths.add(path);
    },
    addPath: (/** @type {string} */ path) => paths.add(path),
    hasLine: (/** @type {string} */ path, /** @type {number} */ line) =>
      lines.get(path)?.has(line) ?? false,
    hasPath: (/** @type {string} */ path) => paths.has(path),
    paths: () => [...paths],
  };
}
