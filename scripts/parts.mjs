// What all bundles have in common: which packages stay outside, which came inside, and that modules without a circle do not come to
// stand in parts that load one another.
import path from 'node:path';
import { root } from './setup.mjs';

/**
 * Packages that a bundle cannot hold: programs, machine code, and what is read from the package's own folder. All others are built
 * in. Whoever installs Jury gets of each the part that runs, and no second copy, no install script and no warning with it.
 */
const outside = [
  'oxlint',
  'web-tree-sitter',
  '@repomix/tree-sitter-wasms',
  '@photostructure/sqlite',
  // Read only where the table of the build is missing, and huge.
  'ai-tokenizer/encoding',
];

/** For the bundler: what it leaves out of the loads of a part otherwise makes circles of parts. */
export const loadsInOrder = { chunkOptimization: { avoidRedundantChunkLoads: false } };

/**
 * Folders of the packages of which something stands in a bundle that this process has written.
 * @type {Set<string>}
 */
export const builtIn = new Set();

/**
 * `beside` names packages that stay outside of this bundle alone.
 * @param {{ readonly input: Record<string, string>, readonly output: import('rolldown').OutputOptions, readonly beside?: string[], readonly plugins?: import('rolldown').Plugin[] }} wanted
 */
export async function writeBundle({ input, output, beside = [], plugins = [] }) {
  // Not there yet when a fresh clone loads this file.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: id => [...outside, ...beside].some(name => id === name || id.startsWith(`${name}/`)),
    cwd: root,
    experimental: loadsInOrder,
    // Meant so: what is loaded later in the library's files may stand beside its caller in a part.
    checks: { ineffectiveDynamicImport: false },
    plugins,
  });
  const written = await bundle.write({ comments: false, ...output });
  await bundle.close();
  refuseCircles(written);
  for (const part of written.output)
    for (const [id, { renderedLength }] of Object.entries('modules' in part ? part.modules : {}))
      if (renderedLength > 0) noteFolder(id);
}

/** A package may lie in the folder of another one. */
function noteFolder(/** @type {string} */ id) {
  const folder = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id)?.[1];
  if (folder !== undefined) builtIn.add(path.normalize(folder));
}

/** Throws when a part would run before one that it is made of. Takes what the bundler says it has written. */
function refuseCircles(/** @type {import('rolldown').RolldownOutput} */ { output }) {
  const imports = new Map(
    output.map(part => [part.fileName, 'imports' in part ? part.imports : []]),
  );
  /** @type {Set<string>} */
  const done = new Set();
  const visit = (/** @type {string} */ file, /** @type {readonly string[]} */ way) => {
    if (way.includes(file)) throw new Error(`Parts in a circle: ${[...way, file].join(' → ')}`);
    if (done.has(file)) return;
    for (const name of imports.get(file) ?? []) visit(name, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
}
