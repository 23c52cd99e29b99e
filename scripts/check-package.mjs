// Says what is wrong with a tarball of the package: `node scripts/check-package.mjs jury-1.2.3.tgz`. Exit code 1 when anything is.
// Every file must be of a kind that a user needs; a kind has limits, so that what grows is seen.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {{ readonly path: string, readonly bytes: number }} PackedFile */

/** `most` files of the kind; bytes of `each` and of all `together`. Twice what they are today is room enough for a year. */
const kinds = [
  kind('programs', /^dist\/(?:(?:cli|package|mcp|chunks)\/[^.]+|[a-z-]+)[\w.$-]*\.js$/, {
    most: 800,
    each: 1_600_000,
    together: 22_000_000,
  }),
  kind('marks of a folder', /^dist\/cli\/package\.json$|^dist\/analysers\.sha256$/, {
    most: 2,
    each: 100,
  }),
  kind('types', /^dist\/package\/index\.d\.ts$/, { most: 1, each: 500_000 }),
  kind('grammars', /^dist\/grammars\/tree-sitter-\w+\.wasm$/, { most: 2, each: 5_000_000 }),
  kind('ranks of tokens', /^dist\/tokens\/\w+\.ranks$/, { most: 1, each: 6_000_000 }),
  kind('notices', /^dist\/THIRD-PARTY-NOTICES\.txt$/, { most: 1, each: 200_000 }),
  kind('action', /^action\/(?:action\.yml|main\.mjs|workflows\/[a-z-]+\.yml)$/, {
    most: 8,
    each: 10_000,
  }),
  kind('demonstration', /^demo\/[\w./-]+\.(?:md|txt|json|yaml)$/, { most: 40, each: 10_000 }),
  kind('personas', /^personas\/[a-z-]+\.md$/, { most: 40, each: 10_000 }),
  kind('rules and rosters', /^(?:rules|rosters)\/[a-z/-]+\.json$/, { most: 40, each: 10_000 }),
  kind('rules of checks', /^rules\/checks\/[a-z]+\.yaml$/, { most: 30, each: 100_000 }),
  kind('queries of languages', /^rules\/queries\/[a-z_]+\.scm$/, { most: 20, each: 10_000 }),
  kind('schemas', /^schema\/jury\.[\w-]+\.schema\.json$/, { most: 60, each: 160_000 }),
  kind('plugin', /^plugin\/(?!source\/).+\.(?:md|json|toml)$/, { most: 160, each: 30_000 }),
  kind('manual', /^man\/jury\.1$/, { most: 1, each: 100_000 }),
  kind('pages', /^docs\/(?:decisions\/)?[\w-]+\.md$/, { most: 90, each: 60_000 }),
  kind('front', /^(?:README\.md|CHANGELOG\.md|LICENSE|package\.json)$/, { most: 4, each: 80_000 }),
];

/** Bytes of the tarball, and of all it holds. */
const largest = { packed: 9_000_000, unpacked: 36_000_000 };

/**
 * @param {string} name
 * @param {RegExp} of
 * @param {{ readonly most: number, readonly each: number, readonly together?: number }} limits
 */
function kind(name, of, { most, each, together = most * each }) {
  return { name, of, most, each, together };
}

/** Sentences; none when all is well. `packed`: the bytes of the tarball. */
export function judgePackage(
  /** @type {readonly PackedFile[]} */ files,
  /** @type {number} */ packed,
) {
  const named = files.map(file => ({ ...file, kind: kinds.find(({ of }) => of.test(file.path)) }));
  return [
    ...named
      .filter(({ kind: found }) => found === undefined)
      .map(({ path }) => `${path} is of no kind that a user needs.`),
    ...kinds.flatMap(one =>
      judgeKind(
        one,
        named.filter(({ kind: found }) => found === one),
      ),
    ),
    ...tooMuch('The tarball', packed, largest.packed),
    ...tooMuch('All it holds', sumOf(files), largest.unpacked),
  ];
}

function judgeKind(
  /** @type {ReturnType<typeof kind>} */ { name, most, each, together },
  /** @type {readonly PackedFile[]} */ files,
) {
  return [
    ...(files.length === 0 ? [`No file is of the kind "${name}".`] : []),
    ...(files.length > most ? [`There are ${files.length} files of ${name}, above ${most}.`] : []),
    ...files.flatMap(({ path, bytes }) => tooMuch(path, bytes, each)),
    ...tooMuch(`All of ${name}`, sumOf(files), together),
  ];
}

function tooMuch(
  /** @type {string} */ what,
  /** @type {number} */ bytes,
  /** @type {number} */ most,
) {
  return bytes > most
    ? [`${what} has ${bytes.toLocaleString('en')} bytes, above ${most.toLocaleString('en')}.`]
    : [];
}

function sumOf(/** @type {readonly PackedFile[]} */ files) {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Sentences; none when all is well. */
export function judgeTarball(/** @type {string} */ tarball) {
  const programs = execFileSync('tar', ['-xzOf', tarball, 'package/dist'], { maxBuffer: 64e6 });
  return [
    ...judgePackage(listFiles(tarball), statSync(tarball).size),
    ...(programs.includes('JURY_COMPARISON_')
      ? ['A program takes its clock or its ids from the environment: it was built for comparison.']
      : []),
  ];
}

/** The files of a tarball, without the folder that npm puts around them. */
export function listFiles(/** @type {string} */ tarball) {
  return execFileSync('tar', ['-tvzf', tarball], { encoding: 'utf8', maxBuffer: 64e6 })
    .trimEnd()
    .split('\n')
    .flatMap(line => {
      const [, bytes, path] =
        /^\S+\s+(?:\d+\s+)?\S+\s+(?:\S+\s+)?(\d+)\s.*?\bpackage\/(.+)$/.exec(line) ?? [];
      if (path === undefined) throw new Error(`tar says what nobody can read: ${line}`);
      return { path, bytes: Number(bytes) };
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tarball] = process.argv.slice(2);
  if (tarball === undefined) {
    console.error('Say which tarball: node scripts/check-package.mjs jury-1.2.3.tgz');
    process.exit(3);
  }
  const files = listFiles(tarball);
  const packed = statSync(tarball).size;
  const wrong = judgeTarball(tarball);
  for (const sentence of wrong) console.error(sentence);
  console.error(
    `${tarball}: ${files.length} files, ${packed.toLocaleString('en')} bytes packed, ${sumOf(files).toLocaleString('en')} unpacked, ${wrong.length} faults`,
  );
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
