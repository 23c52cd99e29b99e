// Makes of the compiled library what a package holds: `index.js` with its parts, the types that `index.d.ts` leads to, and the hash
// of the analysers' files, which it does not hold.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { loadsInOrder, refuseCircles } from './parts.mjs';
import { root } from './setup.mjs';

const dist = path.join(root, 'dist');
const library = path.join(dist, 'package');

export async function bundleLibrary() {
  const bundle = await rolldown({
    input: { index: path.join(root, 'src', 'index.ts') },
    platform: 'node',
    external: /^(?:node:|@?[a-z])/,
    cwd: root,
    experimental: loadsInOrder,
  });
  const written = await bundle.write({
    dir: library,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
  });
  await bundle.close();
  refuseCircles(written);
  const { hashSources, sourcesHashName } = await import(
    new URL('../dist/adapters/analysers/fingerprint.js', import.meta.url)
  );
  writeFileSync(path.join(dist, sourcesHashName), await hashSources());
  for (const file of typesBehind(path.join(dist, 'index.d.ts')))
    cpSync(file, path.join(library, 'types', path.relative(dist, file)));
}

/** The declaration file and all it imports, directly or not. */
function typesBehind(entry) {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { fileName } of ts
      .preProcessFile(readFileSync(file, 'utf8'), true, true)
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))) {
      const target = path.resolve(path.dirname(file), fileName).replace(/\.[jt]s$/, '.d.ts');
      if (!existsSync(target))
        throw new Error(`${file} imports ${fileName}, which was not compiled.`);
      found.add(target);
    }
  }
  return found;
}
