// Makes what a release publishes from the built tree: `node scripts/make-release.mjs FOLDER`. The tarball, its bill of materials, the
// notes and the checksums of all. The same commit gives the same bytes. Exit code 1 when the tarball is not as it should be.
import { execFileSync, execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeTarball } from './check-package.mjs';
import { root } from './setup.mjs';
import { notesOf } from './write-version.mjs';

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(path.join(root, name), 'utf8'));

/** On Windows npm is a script for a shell. No word here needs quotes but the folder. */
function runNpm(/** @type {readonly string[]} */ words) {
  return execSync(`npm ${words.map(word => (/\s/.test(word) ? `"${word}"` : word)).join(' ')}`, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export function makeRelease(/** @type {string} */ folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [{ filename }] = JSON.parse(
    runNpm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder]),
  );
  const tarball = path.join(folder, filename);
  const faults = judgeTarball(tarball);
  if (faults.length > 0)
    throw new Error(`${filename} must not be published:\n${faults.join('\n')}`);
  const manifest = read('package.json');
  const sbom = reduceBill(
    JSON.parse(runNpm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'])),
    manifest,
    read('dist/built-in.json'),
  );
  const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex');
  const bound = bindBill(sbom, digest, lastCommitTime());
  const made = {
    [`jury-${manifest.version}.cdx.json`]: `${JSON.stringify(bound, null, 2)}\n`,
    'NOTES.md': notesOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), manifest.version),
  };
  for (const [name, text] of Object.entries(made)) writeFileSync(path.join(folder, name), text);
  writeFileSync(
    path.join(folder, 'SHA256SUMS'),
    [filename, ...Object.keys(made)]
      .map(name => `${digestOf(path.join(folder, name))}  ${name}\n`)
      .join(''),
  );
  return tarball;
}

function lastCommitTime() {
  return execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: root, encoding: 'utf8' }).trim();
}

function digestOf(/** @type {string} */ file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/**
 * Of a bill of materials in the form of CycloneDX what is read here.
 * @typedef {{ readonly 'bom-ref': string, readonly name: string, readonly type?: string }} Component
 * @typedef {{ readonly metadata: { readonly component: Component }, readonly components: readonly Component[],
 *   readonly dependencies: readonly { readonly ref: string, readonly dependsOn: readonly string[] }[] }} Bill
 */

/**
 * What npm says of the whole lockfile, less what only developers have. What is built into the programs is a development dependency
 * to npm and a part of the package to everybody else.
 * @param {Bill} bill
 * @param {{ readonly name: string, readonly dependencies: object, readonly optionalDependencies?: object,
 *   readonly devDependencies: object }} manifest
 * @param {readonly { readonly name: string, readonly version: string }[]} builtIn
 */
export function reduceBill(
  bill,
  { name, dependencies, optionalDependencies, devDependencies },
  builtIn,
) {
  const top = bill.metadata.component;
  const known = new Map(bill.components.map(component => [component['bom-ref'], component]));
  const inside = new Set(builtIn.map(refOf));
  const missing = [...inside].filter(ref => !known.has(ref));
  if (missing.length > 0) throw new Error(`The lockfile does not know ${missing.join(', ')}.`);
  const edges = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const beside = new Set();
  const reach = (/** @type {string} */ ref) => {
    if (beside.has(ref) || (known.get(ref)?.name ?? '') in devDependencies) return;
    beside.add(ref);
    for (const next of edges.get(ref) ?? []) reach(next);
  };
  for (const [part, version] of Object.entries({ ...dependencies, ...optionalDependencies }))
    reach(`${part}@${version}`);
  const isPart = (/** @type {string} */ ref) => beside.has(ref) || inside.has(ref);
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...top, type: 'application', name } },
    components: bill.components
      .filter(({ 'bom-ref': ref }) => isPart(ref))
      .map(component =>
        inside.has(component['bom-ref'])
          ? {
              ...component,
              scope: 'required',
              properties: [{ name: 'jury:built-in', value: 'true' }],
            }
          : component,
      ),
    dependencies: bill.dependencies
      .filter(({ ref }) => ref === top['bom-ref'] || isPart(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isPart) })),
  };
}

function refOf(
  /** @type {{ readonly name: string, readonly version: string }} */ { name, version },
) {
  return `${name}@${version}`;
}

/** Says which tarball it is of, and nothing of the hour in which it was written. */
function bindBill(
  /** @type {Bill} */ bill,
  /** @type {string} */ digest,
  /** @type {string} */ time,
) {
  const [a, b, c, d, e] = [0, 8, 13, 17, 20].map(at => digest.slice(at));
  return {
    ...bill,
    serialNumber: `urn:uuid:${a.slice(0, 8)}-${b.slice(0, 4)}-8${c.slice(0, 3)}-a${d.slice(0, 3)}-${e.slice(0, 12)}`,
    metadata: {
      ...bill.metadata,
      timestamp: new Date(time).toISOString(),
      component: { ...bill.metadata.component, hashes: [{ alg: 'SHA-256', content: digest }] },
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(makeRelease(path.resolve(process.argv[2] ?? 'release')));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
