/** What decides the answers of the analysers besides the change: their own source and the libraries behind them. */
import { createHash, type Hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { codeRoot, packageRoot } from '../../adapters/system/package-root.ts';

/** Code, of which the bundle holds the same as the files it was made of, and rules. */
const folders = [
  join(codeRoot, 'checks'),
  join(codeRoot, 'adapters/syntax'),
  join(packageRoot, 'rules/checks'),
];
/** Built into the programs, so that a package holds them but not their manifests. */
const libraries = ['@secretlint/core', '@secretlint/secretlint-rule-preset-recommend'];
/** Installed beside the package. */
const installed = ['oxlint', '@repomix/tree-sitter-wasms', 'web-tree-sitter'];

let known: Promise<string> | undefined;

/** Hex digest; computed once for a process. */
export function fingerprintAnalysers(): Promise<string> {
  return (known ??= compute());
}

/** Name of the file, at the root of the built code, that holds what `hashSources` came to: a package has the bundles and not the files. */
export const sourcesHashName = 'analysers.sha256';

/** Of the analysers' own source and of what is built into it, in hex. */
export async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const top of folders) {
    const names = (await readdir(top, { recursive: true }))
      .filter(name => /\.(?:[jt]s|yaml)$/.test(name))
      .sort();
    for (const name of names) hash.update(`${name}\n`).update(await readFile(join(top, name)));
  }
  await addVersions(hash, libraries);
  return hash.digest('hex');
}

async function compute(): Promise<string> {
  const hash = createHash('sha256').update(
    await readFile(join(codeRoot, sourcesHashName), 'utf8').catch(hashSources),
  );
  await addVersions(hash, installed);
  return hash.digest('hex').slice(0, 32);
}

async function addVersions(hash: Hash, names: readonly string[]): Promise<void> {
  const require = createRequire(import.meta.url);
  for (const name of names) hash.update(`${name} ${await versionOf(require, name)}\n`);
}

async function versionOf(require: NodeJS.Require, library: string): Promise<string> {
  try {
    const manifest: unknown = JSON.parse(
      await readFile(require.resolve(`${library}/package.json`), 'utf8'),
    );
    return String((manifest as { readonly version?: unknown }).version);
  } catch (error) {
    // Some packages do not export their manifest; their name alone stands for them.
    if ((error as { readonly code?: unknown }).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      return 'unknown';
    throw error;
  }
}
