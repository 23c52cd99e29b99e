/**
 * What a program may load from around it, as far as its words tell: imports, sourced files, files it opens by name. A guess: it
 * says which files of a change a reviewer may be made of besides those that its seat names.
 */
import { folderOf } from '../text.ts';
const mostNames = 400;

const endings = [
  '',
  ...'.js .mjs .cjs .ts .mts .json .py .sh .rb .pl /index.js /index.mjs /index.ts /__init__.py /__main__.py'.split(
    ' ',
  ),
];

interface NamedAround {
  /** Paths of files, should they exist, relative to the top of the repository as `program` is. */
  readonly files: readonly string[];
  /** Folders of packages that would be loaded from, should they exist. */
  readonly packages: readonly string[];
}

export function namedAround(program: string, text: string): NamedAround {
  const folder = program.split('/').slice(0, -1);
  const names = [
    ...new Set([
      ...loadedNames(text),
      ...relativeNames(text),
      ...openedNames(text),
      ...pythonNames(text),
    ]),
  ].slice(0, mostNames);
  const bare = names.filter(name => !/^\.{0,2}\//.test(name));
  return {
    files: names
      .map(name => join(folder, name))
      .filter(path => path !== null)
      .flatMap(path => endings.map(ending => path + ending)),
    packages: [folder.length, ...folder.keys()].flatMap(depth =>
      bare.map(name => [...folder.slice(0, depth), 'node_modules', name].join('/')),
    ),
  };
}

/** Python loads what lies beside a program before what it came with itself. */
export function shadowsFor(program: string, path: string) {
  if (!program.endsWith('.py') || !/\.(?:py|pyc|so|pth)$/.test(path)) return false;
  const [folder, own] = [folderOf(program), folderOf(path)];
  return own === folder || (path.endsWith('/__init__.py') && folderOf(own) === folder);
}

/** Behind a word that loads: `from './a'`, `import('a')`, `new URL('a', …)`. */
function loadedNames(text: string) {
  return [
    ...text.matchAll(
      /\b(?:from|import|require|require_relative|load|source|include|URL)\b[\s(]*['"`]([^'"`\n]{1,200})['"`]/g,
    ),
  ].map(([, name = '']) => name);
}

/** `./a`, `../a`, and what follows a folder that the program works out: `$(dirname "$0")/a`, `${here}/a`. */
function relativeNames(text: string) {
  return [
    ...text.matchAll(
      /(?:^|[\s'"`;&|(=])(\.{1,2}\/[\w@./-]{1,200})|(?:[)}"]|\$\w{1,40})\/([\w@.-]{1,100}(?:\/[\w@.-]{1,100}){0,20})/gm,
    ),
  ].map(([, relative, behind]) => relative ?? behind ?? '');
}

/** `readFileSync(join(here, 'lib', 'a.md'))`. */
function openedNames(text: string) {
  return [...text.matchAll(/\b(?:join|resolve|readFile|readFileSync|open)\s*\(([^()\n]{1,300})\)/g)]
    .map(([, list = '']) =>
      [...list.matchAll(/['"`]([^'"`]{1,200})['"`]/g)].map(([, name = '']) => name).join('/'),
    )
    .filter(name => name !== '');
}

/** `import a.b, c`, `from .a import b, c`. */
function pythonNames(text: string) {
  return [
    ...text.matchAll(
      /^[ \t]*(?:import[ \t]+([\w., \t]{1,200})|from[ \t]+\.*([\w.]{0,200})[ \t]+import[ \t]+\(?([\w, \t]{1,200}))/gm,
    ),
  ].flatMap(([, modules = '', from = '', names = '']) => {
    const inner = words(names).map(name => (from === '' ? name : `${from}/${name}`));
    return [...words(modules), ...(from === '' ? [] : [from]), ...inner].map(name =>
      name.replaceAll('.', '/'),
    );
  });
}

function words(list: string) {
  return list
    .split(',')
    .map(name => name.trim().split(/\s/)[0] ?? '')
    .filter(name => name !== '');
}

/** Null for a path that leads out of the repository. */
function join(folder: readonly string[], name: string) {
  const path = [...folder];
  for (const part of name.split('/')) {
    if (part === '..' && path.pop() === undefined) return null;
    if (part !== '..' && part !== '.' && part !== '') path.push(part);
  }
  return path.length === 0 ? null : path.join('/');
}
