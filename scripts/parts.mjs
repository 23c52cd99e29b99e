// What all bundles have in common: modules without a circle must not come to stand in parts that load one another.

/** For the bundler: what it leaves out of the loads of a part otherwise makes circles of parts. */
export const loadsInOrder = { chunkOptimization: { avoidRedundantChunkLoads: false } };

/** Throws when a part would run before one that it is made of. Takes what the bundler says it has written. */
export function refuseCircles({ output }) {
  const imports = new Map(output.map(({ fileName, imports: names }) => [fileName, names ?? []]));
  const done = new Set();
  const visit = (file, way) => {
    if (way.includes(file)) throw new Error(`Parts in a circle: ${[...way, file].join(' → ')}`);
    if (done.has(file)) return;
    for (const name of imports.get(file) ?? []) visit(name, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
}
