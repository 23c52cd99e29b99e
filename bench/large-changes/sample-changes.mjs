// Repositories of two commits whose second one is a large change: modules, documents, tests and manifests as a project has them.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gitIn, integersFrom } from '../program.mjs';

/** @typedef {ReturnType<typeof integersFrom>} Below */

const nouns = ['order', 'cart', 'parcel', 'route', 'ticket', 'shelf', 'report', 'invoice'];
const verbs = ['load', 'merge', 'split', 'price', 'sort', 'count', 'store', 'check'];

/** One function of about sixty tokens. */
function functionOf(/** @type {Below} */ below, /** @type {number} */ index) {
  const [noun, other] = [nouns[below(nouns.length)], nouns[below(nouns.length)]];
  const verb = verbs[below(verbs.length)];
  return [
    `export function ${verb}${index}(${noun}, ${other}s) {`,
    `  const rest = ${other}s.filter(each => each.weight > ${below(900)} && each.${noun} !== null);`,
    `  if (rest.length === 0) return { ${noun}, total: ${below(90)} };`,
    `  return rest.reduce((sum, each) => sum + each.weight * ${below(9) + 1}, ${noun}.start);`,
    '}',
    '',
  ].join('\n');
}

function textOf(/** @type {Below} */ below, /** @type {number} */ bytes) {
  let text = '';
  for (let index = 1; text.length < bytes; index++) text += `${functionOf(below, index)}\n`;
  return text;
}

/** Of ten files seven are modules, one is a test, one a document, one sensitive. */
function pathOf(/** @type {number} */ index) {
  const number = String(index).padStart(4, '0');
  const area = `area${index % 7}`;
  if (index % 10 === 3) return `test/${area}/module${number}.test.js`;
  if (index % 10 === 6) return `docs/${area}/page${number}.md`;
  if (index % 10 === 9) return `src/auth/${area}/session${number}.js`;
  return `src/${area}/module${number}.js`;
}

/**
 * Files whose sizes are spread by a third around their mean.
 * @param {string} root
 * @param {{ readonly files: number, readonly bytes: number }} change
 */
export function createChange(root, { files, bytes }) {
  const below = integersFrom(files + bytes);
  mkdirSync(root, { recursive: true });
  const git = gitIn(root);
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  git('init', '-b', 'main');
  write('README.md', '# Sample\n');
  git('add', '.');
  git('commit', '-m', 'one');
  const mean = bytes / files;
  for (let index = 1; index <= files; index++) {
    const size = mean * (2 / 3 + below(667) / 1000);
    write(pathOf(index), textOf(below, Math.max(60, size - 130)));
  }
  git('add', '.');
  git('commit', '-m', 'two');
}
