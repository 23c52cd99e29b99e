/** Dependencies that a change brings in or moves to another version, and lockfiles that do not go with their manifest. */
import { isLockfile, isManifestOf } from '../../languages/lockfiles.ts';
import type { ChangedFile } from '../../words/change.ts';
import {
  addedLines,
  type ChangedText,
  indentOf,
  removedLines,
  type SideLine,
} from './changed-lines.ts';
import { quote, type Risk, type RiskMaterial } from './risk.ts';
import { folderOf } from '../../text.ts';

export function findDependencies(
  texts: readonly (readonly [ChangedFile, ChangedText])[],
  material: RiskMaterial,
): Risk[] {
  const paths = material.files.map(({ path }) => path);
  const manifests = texts.flatMap(([file, text]) => {
    const reader = file.status === 'deleted' ? undefined : readerOf(file.path);
    const found =
      reader === undefined ? null : changesIn(text, reader, material.linesOf(file.path));
    return found === null ? [] : [{ path: file.path, ...found }];
  });
  const told = new Map<string, Risk>();
  for (const manifest of manifests) {
    const risk = manifestRisk(manifest, paths, material);
    // The manifests of a workspace change as one.
    const key = risk.evidence.join('\n');
    if (!told.has(key)) told.set(key, risk);
  }
  return [...told.values(), ...locksAlone(paths, material)].toSorted(
    (one, other) => Number(one.action === null) - Number(other.action === null),
  );
}

const mostEntries = 3;

/** Without the comma behind it. */
function entryOf({ text }: SideLine): string {
  return text.trim().replace(/,$/, '');
}

/** What an entry is about: its first word. */
function nameIn(text: string): string {
  return (
    /[\w@][\w@./-]*/.exec(text.replace(/^\s*(?:require|gem|pod|implementation|api)\b/, ''))?.[0] ??
    text
  );
}

interface Manifest {
  readonly path: string;
  readonly added: readonly SideLine[];
  readonly removed: readonly SideLine[];
}

function manifestRisk(
  { path, added, removed }: Manifest,
  paths: readonly string[],
  { view, skipped }: RiskMaterial,
): Risk {
  const [first] = [...added, ...removed];
  const lock = [...view.paths, ...skipped.keys()].find(
    one => folderOf(one) === folderOf(path) && isManifestOf(path, one),
  );
  const isStale = lock !== undefined && !paths.includes(lock);
  const entries = new Set([
    ...added.map(line => {
      const old = removed.find(other => nameIn(other.text) === nameIn(line.text));
      return old === undefined
        ? `adds ${quote(entryOf(line))}`
        : `${quote(entryOf(old))} is now ${quote(entryOf(line))}`;
    }),
    ...removed
      .filter(line => !added.some(other => nameIn(other.text) === nameIn(line.text)))
      .map(line => `takes out ${quote(entryOf(line))}`),
  ]);
  const listed = [...entries].slice(0, mostEntries).join(', ');
  const more = entries.size - mostEntries;
  return {
    kind: 'dependency',
    path,
    line: first?.newLine ?? null,
    sentence: `${path}:${first?.newLine ?? 1} ${listed}${more > 0 ? ` and ${more} more` : ''}${isStale ? `; ${lock} is not changed with it` : ''}`,
    evidence: [...added, ...removed].map(({ text }) => text),
    action: isStale ? `Check that ${lock} still holds what ${path} asks for` : null,
  };
}

/** A lockfile whose manifest, in its folder or anywhere for workspaces, says the same as before. */
function locksAlone(paths: readonly string[], { files, view, skipped }: RiskMaterial): Risk[] {
  return files.flatMap(({ path, status, additions, deletions }) => {
    if (!isLockfile(path) || status === 'added' || status === 'deleted') return [];
    if (paths.some(one => isManifestOf(one, path))) return [];
    const manifest = [...view.paths, ...skipped.keys()].find(
      one => folderOf(one) === folderOf(path) && isManifestOf(one, path),
    );
    // Without one nobody can tell that it should have changed.
    if (manifest === undefined) return [];
    return [
      {
        kind: 'dependency' as const,
        path,
        line: null,
        sentence: `${path} changes (+${additions} −${deletions}) while ${manifest} does not: what is installed becomes another`,
        evidence: [path],
        action: `Check which packages ${path} moves, and from where they come`,
      },
    ];
  });
}

/** Tells whether a line of a manifest names a dependency. `lines`: the whole file on the new side. */
type Reader = (line: SideLine, lines: readonly string[]) => boolean;

function changesIn(
  text: ChangedText,
  reader: Reader,
  lines: readonly string[],
): Omit<Manifest, 'path'> | null {
  const names = (list: readonly SideLine[]): SideLine[] =>
    list.filter(line => line.text.trim() !== '' && reader(line, lines));
  const [added, removed] = [names(addedLines(text)), names(removedLines(text))];
  const before = new Set(removed.map(({ text: line }) => bare(line)));
  const after = new Set(added.map(({ text: line }) => bare(line)));
  const changed = {
    added: added.filter(({ text: line }) => !before.has(bare(line))),
    removed: removed.filter(({ text: line }) => !after.has(bare(line))),
  };
  return changed.added.length + changed.removed.length === 0 ? null : changed;
}

/** A comma more at its end makes no other dependency. */
function bare(line: string): string {
  return line.replace(/\s+/g, '').replace(/,$/, '');
}

/** An entry of an object that is called so: the nearest line above that is indented less opens it. */
const inObject =
  (pattern: RegExp): Reader =>
  ({ text, newLine }, lines) => {
    if (!/^\s*"[^"]+"\s*:\s*"[^"]*"/.test(text)) return false;
    const opening = lines
      .slice(0, newLine - 1)
      .findLast(line => line.trim() !== '' && indentOf(line) < indentOf(text));
    return pattern.test(/^\s*"([^"]+)"\s*:\s*\{\s*$/.exec(opening ?? '')?.[1] ?? '');
  };

/** Below a heading `[…]`, or in a list that is open. */
const inTable =
  (pattern: RegExp, entry: RegExp): Reader =>
  ({ text, newLine }, lines) => {
    if (!entry.test(text) || /\bpath\s*=|\bworkspace\s*=\s*true/.test(text)) return false;
    const opening = lines
      .slice(0, newLine - 1)
      .findLast(line => /^\s*\[+[^\]]+\]+\s*$|^[\w-]+\s*=\s*\[\s*$|^\s*\]\s*$/.test(line));
    return pattern.test(/[\w.-]+/.exec(opening ?? '')?.[0] ?? '');
  };

const eachLine =
  (pattern: RegExp): Reader =>
  ({ text }) =>
    pattern.test(text);

const readers: readonly (readonly [name: RegExp, reader: Reader])[] = [
  [
    /^package\.json$/,
    inObject(/^(?:dev|peer|optional|bundled?)?dependencies$|^overrides$|^resolutions$/i),
  ],
  [/^composer\.json$/, inObject(/^require(?:-dev)?$/)],
  [/^Cargo\.toml$/, inTable(/dependencies/, /^\s*[\w-]+(?:\.workspace)?\s*=\s*\S/)],
  [
    /^pyproject\.toml$/,
    inTable(
      /dependenc|^build-system|requires|optional-dependencies|dependency-groups/,
      /^\s*(?:["'][\w.[\]-]+\s*(?:[<>=~!;@]|["'])|[\w-]+\s*=\s*["'{])/,
    ),
  ],
  [
    /^(?:[\w-]*requirements[\w-]*\.(?:txt|in)|constraints\.txt)$/,
    eachLine(/^[A-Za-z][\w.[\]-]*\s*(?:[<>=~!@;]|$)|^-e |^git\+/),
  ],
  [/^go\.mod$/, eachLine(/^\s*(?:require\s+|replace\s+)?[\w.-]+\.[\w./~-]+(?: =>|\s+v\d)/)],
  [/^(?:Gemfile|gems\.rb)$/, eachLine(/^\s*gem\s+["']/)],
  [/\.gemspec$/, eachLine(/\.add_(?:runtime_|development_)?dependency\b/)],
  [/^pom\.xml$/, eachLine(/<(?:artifactId|groupId)>|<version>.*<\/version>|<[\w.-]+\.version>/)],
  [
    /^build\.gradle(?:\.kts)?$/,
    eachLine(
      /^\s*(?:implementation|api|compileOnly|runtimeOnly|testImplementation|classpath|compile|kapt|annotationProcessor)\b/,
    ),
  ],
  [/\.(?:cs|fs|vb)proj$|^Directory\.Packages\.props$/, eachLine(/<Package(?:Reference|Version)\b/)],
  [/^mix\.exs$/, eachLine(/^\s*\{:\w+,\s*["'~]/)],
  [/^pubspec\.ya?ml$/, eachLine(/^\s{2}[\w-]+:\s*[\^~<>=\d]/)],
  [/^Package\.swift$/, eachLine(/\.package\(/)],
  [/^Podfile$/, eachLine(/^\s*pod\s+["']/)],
];

function readerOf(path: string): Reader | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return readers.find(([pattern]) => pattern.test(name))?.[1];
}
