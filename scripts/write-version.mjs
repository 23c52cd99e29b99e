// What `npm version` does besides: the changes under "Unreleased" get the number, and what carries the number is written anew.
// `node scripts/write-version.mjs --check v1.2.3` says instead whether everything carries the number of a tag.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './setup.mjs';

const page = path.join(root, 'CHANGELOG.md');
const heading = /^## Unreleased\n/m;

/** The changelog with a heading of `version` over what was unreleased. Throws when there is nothing to release. */
export function giveNumber(/** @type {string} */ changelog, /** @type {string} */ version) {
  if (!heading.test(changelog)) throw new Error('CHANGELOG.md has no heading "## Unreleased".');
  if (changelog.includes(`\n## ${version}\n`))
    throw new Error(`CHANGELOG.md has a heading "## ${version}" already.`);
  if (notesOf(changelog, 'Unreleased').trim() === '')
    throw new Error('CHANGELOG.md names nothing under "## Unreleased".');
  return changelog.replace(heading, `## Unreleased\n\n## ${version}\n`);
}

/** What stands under the heading of a version. Throws when there is none. */
export function notesOf(/** @type {string} */ changelog, /** @type {string} */ version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find(text => text.startsWith(`${version}\n`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version}".`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}

/** Sentences on what stands in the way of a release under `tag`; none when all is well. */
export function judgeVersion(/** @type {string} */ tag) {
  const { version, repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const changelog = readFileSync(page, 'utf8');
  return [
    ...(tag === `v${version}` ? [] : [`The tag ${tag} is not v${version}, as package.json says.`]),
    ...(lock.version === version ? [] : [`package-lock.json says ${lock.version}.`]),
    ...(changelog.includes(`\n## ${version}\n`)
      ? []
      : [`CHANGELOG.md has no heading "## ${version}".`]),
    ...(repository === undefined
      ? [
          'package.json names no repository, without which npm refuses to prove where a package is from.',
        ]
      : []),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === '--check') {
    const wrong = judgeVersion(process.argv[3] ?? '');
    for (const sentence of wrong) console.error(sentence);
    process.exitCode = wrong.length > 0 ? 1 : 0;
  } else {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    writeFileSync(page, giveNumber(readFileSync(page, 'utf8'), version));
    const { build } = await import('./build.mjs');
    await build();
    execFileSync('git', ['add', 'CHANGELOG.md', 'man', 'plugin', 'schema'], { cwd: root });
  }
}
