// Writes the notices of what is built into the programs: licences ask that their text goes where the code goes. What stands in a
// bundle is known from the bundler, not from a list that somebody keeps.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const dist = path.join(root, 'dist');

/** @typedef {ReturnType<typeof describePackage>} Package */

/** Takes the folders of the packages. Beside the notices it writes their names for the bill of materials. */
export function writeNotices(/** @type {Iterable<string>} */ folders) {
  const packages = [...folders].map(describePackage).toSorted(byName);
  writeFileSync(path.join(dist, 'THIRD-PARTY-NOTICES.txt'), renderNotices(packages));
  writeFileSync(
    path.join(dist, 'built-in.json'),
    `${JSON.stringify(
      packages.map(({ name, version, license, at }) => ({ name, version, license, at })),
      null,
      2,
    )}\n`,
  );
}

function byName(/** @type {Package} */ one, /** @type {Package} */ other) {
  return one.name.localeCompare(other.name, 'en') || one.version.localeCompare(other.version, 'en');
}

function describePackage(/** @type {string} */ folder) {
  /** @type {{ name: string, version: string, license: string, author?: string | { name: string } }} */
  const { name, version, license, author } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const texts = readdirSync(folder)
    .filter(file => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .toSorted()
    .map(file => readFileSync(path.join(folder, file), 'utf8').trim());
  return {
    name,
    version,
    license,
    author: typeof author === 'string' ? author : author?.name,
    at: path.relative(root, folder).split(path.sep).join('/'),
    text: (texts.length > 0 ? texts : kept(name)).join('\n\n'),
  };
}

/** Of packages that are published without the text of their licence it is kept here. */
function kept(/** @type {string} */ name) {
  const folder = path.join(root, 'scripts', 'licences');
  const file = `${name.replace('@', '').replaceAll('/', '-')}.txt`;
  if (!readdirSync(folder).includes(file))
    throw new Error(
      `${name} is built into the programs and holds no text of its licence: put it into scripts/licences/${file}.`,
    );
  return [readFileSync(path.join(folder, file), 'utf8').trim()];
}

/** Each text once, under all the packages it is of. */
function renderNotices(/** @type {readonly Package[]} */ packages) {
  /** @type {Map<string, Package[]>} */
  const owners = new Map();
  for (const owner of packages) owners.set(owner.text, [...(owners.get(owner.text) ?? []), owner]);
  const notices = [...owners].map(([text, named]) => [...named.map(line), '', text, ''].join('\n'));
  return [
    'The programs of this package have the following packages built in, whole or in part.\n',
    ...notices,
  ].join(`\n${'-'.repeat(80)}\n\n`);
}

function line(/** @type {Package} */ { name, version, license, author }) {
  return `${name} ${version} (${license})${author === undefined ? '' : `, by ${author}`}`;
}
