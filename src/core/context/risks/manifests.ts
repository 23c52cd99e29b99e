/** The table of manifests: on which of their lines a dependency stands, what it is called and which version is asked for. */
import { indentOf, type SideLine } from './changed-lines.ts';

/** Tells whether a line of a manifest names a dependency. `lines`: the whole file on the new side. */
export type Reader = (line: SideLine, lines: readonly string[]) => boolean;

export function readerOf(path: string): Reader | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return readers.find(([pattern]) => pattern.test(name))?.[1];
}

export interface Entry {
  readonly name: string;
  /** As it is written, with its sign; null where none is. */
  readonly version: string | null;
}

/** What a line that names a dependency says. */
export function entryIn(text: string, path: string, lines: readonly string[], at: number): Entry {
  if (/\.(?:xml|\w+proj|props)$/.test(path)) return xmlEntry(text, lines, at);
  const line = text
    .replace(/\s(?:\/\/|#).*$/, '')
    .replace(
      /^\s*(?:require|replace|gem|pod|implementation|api|compileOnly|runtimeOnly|testImplementation|classpath|compile|kapt|annotationProcessor)\b|^.*\.add_(?:runtime_|development_)?dependency\b|^.*\.package\(\s*(?:url:)?/,
      '',
    );
  const name = /[\w@](?:[\w@./-]*[\w])?(?::[\w.-]+(?=:))?/.exec(line)?.[0] ?? text.trim();
  const rest = line.slice(line.indexOf(name) + name.length);
  const version =
    /(?:[~^<>=!]+\s*|\bv)?\d[\w.+*-]*(?:\s*,\s*[<>=!~]+\s*[\w.]+)*|["'](\*|latest|next|[\w+-]+:[^"']+)["']/.exec(
      rest,
    );
  return { name, version: version === null ? null : (version[1] ?? version[0]) };
}

/** Of the element around a version its name. */
function xmlEntry(text: string, lines: readonly string[], at: number): Entry {
  const include = /Include="([^"]+)"/.exec(text)?.[1];
  if (include !== undefined)
    return { name: include, version: /Version="([^"]+)"/.exec(text)?.[1] ?? null };
  const [, element, value] = /<([\w.-]+)>([^<]*)</.exec(text) ?? [];
  if (element === 'artifactId') return { name: value ?? text.trim(), version: null };
  if (element !== 'version') return { name: element ?? text.trim(), version: value ?? null };
  const near = lines.slice(Math.max(0, at - 4), at + 2);
  const artifact = near
    .map(line => /<artifactId>([^<]*)</.exec(line)?.[1])
    .find(found => found !== undefined);
  return { name: artifact ?? 'version', version: value ?? null };
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

/** The version of a dependency or plugin, itself or by a property that one of them uses: not that of the project. */
function inProject({ text, newLine }: SideLine, lines: readonly string[]): boolean {
  const property = /^\s*<([\w.-]+)>[^<]*<\/\1>\s*$/.exec(text)?.[1];
  if (property === undefined) return false;
  if (property !== 'version' && property !== 'artifactId')
    return lines.some(line => line.includes(`<version>\${${property}}</version>`));
  const opening = lines
    .slice(0, newLine - 1)
    .findLast(line => line.trim() !== '' && indentOf(line) < indentOf(text));
  return /<(?:dependency|plugin|extension|parent)>/.test(opening ?? '');
}

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
  [/^pom\.xml$/, inProject],
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
