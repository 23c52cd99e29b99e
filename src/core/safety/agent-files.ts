/**
 * Files that programs obey without being asked: what steers coding agents and tools, hooks, what CI runs, what an installation
 * runs. A change of one of them decides what happens on the machines of other people, whatever its reviewers think of it. Which
 * they are is data, `rules/agent-files.json`, with the page that says so.
 */
import picomatch from 'picomatch';
import { z } from 'zod';
import { textsOf } from '../change/patch.ts';
import { parseJson } from '../json.ts';
import { joinPath } from '../languages/script-imports.ts';
import { folderOf } from '../text.ts';
import type { Reason } from '../verdict/record.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import { Text, Texts } from '../words/fields.ts';
import { makeVisible } from './visible-text.ts';

/** In the order in which one of several is named. */
const describes = {
  jury: "is one of Jury's own files, of which the base decides meanwhile",
  agents: 'steers coding agents',
  tools: 'configures tools that obey it unasked',
  hooks: 'is run by git or names what is',
  ci: 'says what CI runs',
  installation: 'is run when this is built or installed',
};

type Kind = keyof typeof describes;

const kinds = Object.keys(describes) as [Kind, ...Kind[]];

/** By the page that says so: names, with a blank between two. */
const Names = z
  .record(Text, Text)
  .transform(pages => Object.values(pages).flatMap(names => names.split(' ')));

export const AgentFileRules = z.object({
  /** Globs. One with a slash before it holds at the top alone. */
  kinds: z.record(
    z.enum(kinds),
    Names.transform(globs =>
      picomatch(
        globs.map(glob => (glob.startsWith('/') ? glob.slice(1) : `**/${glob}`).toLowerCase()),
        { dot: true },
      ),
    ),
  ),
  /** By page: a name of files, and what a line that is added to one says of what an installation runs. */
  lines: z.record(Text, z.tuple([Text, Text.transform(pattern => new RegExp(pattern))])),
  /** Of a manifest: those that an installation runs. */
  scripts: Texts,
  /** Addresses of programs that raise versions. */
  updaters: Names,
  /** Variables that an agent or CI sets. */
  unattended: Names,
});
export type AgentFileRules = z.infer<typeof AgentFileRules>;

function kindOf(path: string, { kinds: matchers }: AgentFileRules) {
  return kinds.find(kind => matchers[kind](foldPath(path))) ?? null;
}

export function isManifestWithScripts(path: string) {
  return nameOf(path) === 'package.json';
}

function nameOf(path: string) {
  return foldPath(path).split('/').at(-1) ?? '';
}

/** Both sides of a manifest; null where a side is missing or cannot be read. */
interface ManifestTexts {
  readonly before: string | null;
  readonly after: string | null;
}

export interface Asked {
  readonly agentFiles: AgentFileRules;
  /** Paths that a person is asked about anyway, or that somebody has allowed as they stand. */
  readonly settled: ReadonlySet<string>;
  /** Of the files that `isManifestWithScripts` names, by path. */
  readonly manifests: ReadonlyMap<string, ManifestTexts>;
  /** Other names of changed files, through links; `many`: more than can be told. */
  readonly names: ReadonlyMap<string, readonly string[] | 'many'>;
  /** `own`: the person at the terminal made it; `update`: a program that raises versions did. */
  readonly by: 'own' | 'update' | 'others';
}

/**
 * What a person must look at whatever the reviewers say, and in sentences what one is told and not asked. Whole files to review
 * change nothing. In the order of the change.
 */
export function reasonsToAsk(change: Change, asked: Asked) {
  const [reasons, told]: [Reason[], string[]] = [[], []];
  for (const file of change.source === 'files' ? [] : change.files) {
    const found = asked.settled.has(file.path) ? null : whyAsked(file, asked);
    if (!found) continue;
    const sentence = `${makeVisible(file.path)} ${found.why}.`;
    if (isToldOnly(found.kind, file, asked)) told.push(sentence);
    else
      reasons.push({
        rule: 'require-human',
        effect: 'INCOMPLETE',
        subject: file.path,
        sentence: `require-human: ${sentence} A person must look at ${file.status === 'deleted' ? 'its removal' : 'its change'}.`,
      });
  }
  return { reasons, told };
}

/** Who writes a file himself knows of it, but for those that decide about the review. */
function isToldOnly(kind: Kind | null, file: ChangedFile, { by }: Asked) {
  return (
    (by === 'own' && kind !== 'jury' && kind !== null) ||
    (by !== 'others' && (kind === 'ci' || kind === 'hooks') && raisesVersions(file))
  );
}

const versionLine = /^(\s*(?:-\s+)?(?:uses:\s*['"]?[\w.-]+\/[\w./-]+@|rev:\s*['"]?))[\w.+-]+/;

/** The versions of actions and hooks, the comments behind them, and nothing besides. */
function raisesVersions({ status, hunks }: ChangedFile) {
  const [old, now] = (['-', '+'] as const).map(sign => textsOf(hunks, sign));
  return (
    status === 'modified' &&
    hunks.length > 0 &&
    withoutVersions(old) === withoutVersions(now) &&
    [...(old ?? []), ...(now ?? [])].every(line => versionLine.test(line))
  );
}

function withoutVersions(lines: readonly string[] = []) {
  return lines
    .map(line =>
      line
        .replace(versionLine, '$1')
        .replace(/\s+#.*$/, '')
        .trimEnd(),
    )
    .join('\n');
}

interface Why {
  readonly kind: Kind | null;
  /** To stand behind the path. */
  readonly why: string;
}

function whyAsked(file: ChangedFile, { agentFiles, manifests, names }: Asked): Why | null {
  const isGone = file.status === 'deleted';
  const others = names.get(file.path) ?? [];
  const sides = file.oldPath === null || file.status === 'copied' ? [] : [file.oldPath];
  for (const place of [file.path, ...sides, ...(others === 'many' ? [] : others)]) {
    const kind = kindOf(place, agentFiles);
    const through =
      sides.includes(place) || place === file.path
        ? ''
        : `is ${makeVisible(place)} through a link and `;
    if (kind !== null && !(isGone && kind === 'installation'))
      return { kind, why: `${through}${describes[kind]}` };
    if (isGone || sides.includes(place)) continue;
    const scripts = newInstallScripts(file, place, agentFiles, manifests.get(file.path) ?? null);
    if (scripts.length > 0)
      return {
        kind: 'installation',
        why: `${through}has a new or changed install script (${scripts.join(', ')})`,
      };
  }
  return others === 'many'
    ? { kind: null, why: 'has more names through links than can be followed' }
    : null;
}

/** Without the whole text of a manifest the added lines must do, and whatever looks like such a script is one. */
function newInstallScripts(
  file: ChangedFile,
  place: string,
  { lines, scripts }: AgentFileRules,
  manifest: ManifestTexts | null,
) {
  const added = textsOf(file.hunks, '+');
  const said = Object.values(lines)
    .filter(([name]) => name === nameOf(place))
    .flatMap(([, pattern]) => added.flatMap(line => pattern.exec(line)?.[0] ?? []));
  if (!isManifestWithScripts(place)) return [...new Set(said)];
  const after = scriptsIn(manifest?.after ?? null);
  const before = scriptsIn(manifest?.before ?? null) ?? {};
  return [
    ...new Set(said),
    ...scripts.filter(name =>
      after
        ? after[name] !== undefined && after[name] !== before[name]
        : added.some(line => line.includes(`"${name}"`)),
    ),
  ];
}

const Manifest = z.object({ scripts: z.record(Text, z.unknown()).catch({}) });

/** Null for what is no manifest. Values are compared as text: one that is no string runs nothing. */
function scriptsIn(text: string | null) {
  const checked = Manifest.safeParse(parseJson(text?.replace(/^\uFEFF/, '') ?? null));
  if (!checked.success) return null;
  return Object.fromEntries(
    Object.entries(checked.data.scripts).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

// Whether paths of a repository can reach the same file, on whatever disk it is checked out.

/** Finds those of many paths that are the same as one, lie in it or hold it. Relative to one folder, with slashes. */
export function indexPaths(paths: Iterable<string>): (path: string) => readonly string[] {
  const [same, within] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const path of paths) {
    add(same, foldPath(path), path);
    for (const folder of foldersOf(foldPath(path))) add(within, folder, path);
  }
  return path =>
    [path, ...foldersOf(path)]
      .map(foldPath)
      .flatMap((name, index) => [
        ...(same.get(name) ?? []),
        ...(index === 0 ? (within.get(name) ?? []) : []),
      ]);
}

function add(map: Map<string, string[]>, key: string, value: string) {
  const values = map.get(key) ?? [];
  values.push(value);
  map.set(key, values);
}

/** Every folder the path lies in but the top, the nearest first. */
function foldersOf(path: string) {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, names.length - 1 - index).join('/'));
}

/** Some disks do not tell A from a, some ignore invisible characters, and some a dot or a space at the end of a name. */
function foldPath(path: string) {
  const visible = path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
  return visible
    .split('/')
    .map(name => name.replace(/(?<=[^. ])[. ]+$/, ''))
    .join('/');
}

// What a program may load from around it, as far as its words tell: imports, sourced files, files it opens by name. A guess: it
// says which files of a change a reviewer may be made of besides those that its seat names.

const mostNames = 400;

const endings = [
  '',
  ...'.js .mjs .cjs .ts .mts .json .py .sh .rb .pl /index.js /index.mjs /index.ts /__init__.py /__main__.py'.split(
    ' ',
  ),
];

export function namedAround(program: string, text: string) {
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
    /** Paths of files, should they exist, relative to the top of the repository as `program` is. */
    files: names
      .map(name => joinPath(...folder, name))
      .filter(path => !/^(?:\.\.(?:\/|$)|$)/.test(path))
      .flatMap(path => endings.map(ending => path + ending)),
    /** Folders of packages that would be loaded from, should they exist. */
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
