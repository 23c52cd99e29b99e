// Makes of the compiled library what a package holds: `index.js` with its parts, one file of its types, and the hash of the
// analysers' files, which it does not hold.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeBundle } from './parts.mjs';
import { root } from './setup.mjs';

const dist = path.join(root, 'dist');
const library = path.join(dist, 'package');

export async function bundleLibrary() {
  await writeBundle({
    input: { index: path.join(root, 'src', 'index.ts') },
    // Its schemas stand in the library's interface: a caller and the library must mean the same package.
    beside: ['zod'],
    output: {
      dir: library,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'parts/[name]-[hash].js',
    },
  });
  const { hashSources, sourcesHashName } = await import('../dist/checks/world/runner.js');
  writeFileSync(path.join(dist, sourcesHashName), await hashSources());
  await bundleTypes();
}

/** The compiler copies a table of JSON and writes no types of it. */
function declareTables() {
  const names = readdirSync(path.join(dist, 'core'), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter(each => each.endsWith('.json'))) {
    const file = path.join(dist, 'core', name);
    const table = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(
      `${file}.d.ts`,
      `declare const table: ${typeOf(table)};\nexport default table;\n`,
    );
  }
}

/** @returns {string} */
function typeOf(/** @type {unknown} */ value) {
  if (typeof value !== 'object' || value === null) return typeof value;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${typeOf(member)}`,
  );
  return `{ ${members.join('; ')} }`;
}

/** Only what `index.d.ts` leads to, with its comments; what stays outside is a dependency of the package. */
async function bundleTypes() {
  const { rolldown } = await import('rolldown');
  const { dts } = await import('rolldown-plugin-dts');
  declareTables();
  const bundle = await rolldown({
    input: { index: path.join(dist, 'index.d.ts') },
    external: ['zod'],
    cwd: root,
    // How long the one plug-in takes is no news.
    checks: { bundlerTimings: false },
    plugins: [dts({ dtsInput: true })],
  });
  await bundle.write({ dir: library, format: 'esm', entryFileNames: '[name].ts' });
  await bundle.close();
}
