// Baseline: the changed files as they are, then the files they import, until the tokens are spent.

export async function packWholeFiles({ pieces, tokens, sources: { view, texts }, context }) {
  const shown = new Map();
  let left = tokens;
  for (const path of filesNear([...new Set(pieces.map(piece => piece.path))], view)) {
    if (left <= 0) break;
    await texts.load([path]);
    const lines = texts.linesOf(path);
    const whole = context.counter.count(lines.join('\n'));
    // The last one is cut where the tokens end.
    shown.set(
      path,
      whole <= left ? lines.length : Math.floor((lines.length * left) / Math.max(1, whole)),
    );
    left -= whole;
  }
  return { shows: ({ path, line }) => line <= (shown.get(path) ?? 0) };
}

/** Changed files, what they import, who imports them, their neighbours. */
export function filesNear(changed, view) {
  const imported = changed.flatMap(path => view.importsOf(path).flatMap(({ targets }) => targets));
  const importers = changed.flatMap(path => view.importersOf(path).map(one => one.path));
  const folders = new Set(changed.map(path => path.slice(0, path.lastIndexOf('/') + 1)));
  const beside = view.paths.filter(path => folders.has(path.slice(0, path.lastIndexOf('/') + 1)));
  return [...new Set([...changed, ...imported, ...importers, ...beside])];
}
