// Baseline: the change itself and a map of the repository: signatures of the files that matter most to the changed ones, ranked by
// random walks over who uses whose names and who imports whom, started at the change (Page et al., 1999).

const rounds = 20;
const damping = 0.85;

export function drawMap({ pieces, tokens, sources: { view, texts }, context }) {
  const changed = [...new Set(pieces.map(piece => piece.path))];
  const lines = new Map();
  const show = (path, line) => lines.set(path, (lines.get(path) ?? new Set()).add(line));
  let left = tokens;
  for (const { path, changed: ranges } of pieces) {
    for (const { start, end } of ranges) {
      left -= context.counter.count(
        texts
          .linesOf(path)
          .slice(start - 1, end)
          .join('\n'),
      );
      for (let line = start; line <= end; line += 1) show(path, line);
    }
  }
  for (const [path] of rankFiles(changed, view)) {
    if (left <= 0) break;
    left -= context.counter.count(`${path}:\n`);
    for (const { startLine, signature, kind } of view.definitionsIn(path)) {
      if (kind === 'test') continue;
      left -= context.counter.count(`${signature}\n`);
      if (left <= 0) break;
      show(path, startLine);
    }
  }
  return { shows: ({ path, line }) => lines.get(path)?.has(line) ?? false };
}

/** Best first. */
export function rankFiles(changed, view) {
  const edges = new Map(
    view.paths.map(path => [
      path,
      view
        .importsOf(path)
        .flatMap(({ targets }) => targets.map(target => [target, 1 / Math.max(1, targets.length)])),
    ]),
  );
  for (const path of changed) {
    for (const name of new Set(view.usesIn(path).map(use => use.name))) {
      const definitions = view.definitionsOf(name).filter(one => one.path !== path);
      for (const { path: target } of definitions.slice(0, 20))
        edges.get(path)?.push([target, 1 / definitions.length]);
    }
  }
  const start = new Map(changed.map(path => [path, 1 / changed.length]));
  let rank = new Map(start);
  for (let round = 0; round < rounds; round += 1) {
    const next = new Map([...start].map(([path, share]) => [path, share * (1 - damping)]));
    for (const [path, mass] of rank) {
      const out = edges.get(path) ?? [];
      const total = out.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [target, weight] of out)
        next.set(target, (next.get(target) ?? 0) + (damping * mass * weight) / total);
    }
    rank = next;
  }
  return [...rank].toSorted(([, one], [, other]) => other - one);
}
