// Repositories of two commits whose second one is a large change: modules, documents, tests and manifests as a project has them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Numbers that look random and are the same in every run. */
function numbers(seed) {
  let state = seed;
  return bound => (state = (state * 48_271) % 2_147_483_647) % bound;
}

const nouns = ['order', 'cart', 'parcel', 'route', 'ticket', 'shelf', 'report', 'invoice'];
const verbs = ['load', 'merge', 'split', 'price', 'sort', 'count', 'store', 'check'];

/** One function of about sixty tokens. */
function functionOf(below, index) {
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

function textOf(below, bytes) {
  let text = '';
  for (let index = 1; text.length < bytes; index++) text += `${functionOf(below, index)}\n`;
  return text;
}

/** Of ten files seven are modules, one is a test, one a document, one sensitive. */
function pathOf(index) {
  const number = String(index).padStart(4, '0');
  const area = `area${index % 7}`;
  if (index % 10 === 3) return `test/${area}/module${number}.test.js`;
  if (index % 10 === 6) return `docs/${area}/page${number}.md`;
  if (index % 10 === 9) return `src/auth/${area}/session${number}.js`;
  return `src/${area}/module${number}.js`;
}

/** `sizes`: bytes of each file, spread by a third around their mean. */
export function createChange(root, { files, bytes }) {
  const below = numbers(files + bytes);
  mkdirSync(root, { recursive: true });
  const git = (...args) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  const write = (name, text) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  git('init', '-b', 'main');
  git('config', 'user.email', 'bench@example.org');
  git('config', 'user.name', 'Bench');
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
