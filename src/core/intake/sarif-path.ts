/** Turns the location of a SARIF artifact into a path as this repository would write it: relative, decoded, with slashes. */
import type { ArtifactLocation, SarifRun } from './sarif-log.ts';

export type PathOf = (location: ArtifactLocation | undefined) => string | null;

/** Chains of base ids are followed so far; a longer one is a circle. */
const longestChain = 20;

/** `roots`: absolute folders that paths are made relative to, first choice first. */
export function createPathOf(run: Pick<SarifRun, 'originalUriBaseIds' | 'artifacts' | 'invocations'>, roots: readonly string[]): PathOf {
  const bases = new Map(Object.entries(run.originalUriBaseIds ?? {}));
  const stated = [...bases.values(), ...(run.invocations ?? []).map(({ workingDirectory }) => workingDirectory)];
  const ownRoots = stated.map(base => toFolder(base?.uri)).filter(root => root !== null).toSorted((one, other) => other.length - one.length);
  const callers = roots.map(root => toFolder(root)).filter(root => root !== null);
  return location => {
    const named = location?.uri === undefined && location?.index !== undefined ? run.artifacts?.[location.index]?.location : location;
    if (named?.uri === undefined || named.uri.trim() === '') return null;
    const { path, base } = resolveBases(named, bases);
    return relativeTo([...callers, ...(base === null ? [] : [base]), ...ownRoots], base === null ? path : `${base}${path}`);
  };
}

/** The path below the first absolute base, or as it is when there is none. `base` ends in a slash. */
function resolveBases({ uri = '', uriBaseId }: ArtifactLocation, bases: ReadonlyMap<string, ArtifactLocation>): { readonly path: string; readonly base: string | null } {
  let path = toPath(uri);
  let id = uriBaseId;
  for (let links = 0; links < longestChain && id !== undefined && !isAbsolute(path); links += 1) {
    const base = bases.get(id);
    const folder = toFolder(base?.uri);
    if (folder !== null) return { path, base: folder };
    if (base?.uri !== undefined) path = `${toPath(base.uri).replace(/(?<!\/)$/, '/')}${path}`;
    id = base?.uriBaseId;
  }
  return { path, base: null };
}

function relativeTo(roots: readonly string[], path: string): string {
  const clean = normalise(path);
  const root = roots.find(candidate => clean.startsWith(candidate) && clean.length > candidate.length);
  return root === undefined ? clean : clean.slice(root.length);
}

/** An absolute folder with a slash at its end; null for what is none. */
function toFolder(uri: string | undefined): string | null {
  const path = uri === undefined ? '' : normalise(toPath(uri));
  return isAbsolute(path) ? `${path}/`.replace(/\/{2,}$/, '/') : null;
}

/** `file:///C:/a%20b` is `C:/a b`; another scheme stays as it is. Backslashes are slashes where a path of Windows has them. */
function toPath(uri: string): string {
  const bare = uri.trim().replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '');
  const decoded = bare.split('/').map(decode).join('/');
  const slashed = /^[A-Za-z]:\\|^[^/]*\\/.test(decoded) ? decoded.replaceAll('\\', '/') : decoded;
  return slashed.replace(/^\/(?=[A-Za-z]:\/)/, '');
}

/** Not every tool encodes, so a lone `%` is a percent sign. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/|[a-z][a-z0-9+.-]+:)/i.test(path);
}

function normalise(path: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return path;
  const kept: string[] = [];
  for (const [index, segment] of path.split('/').entries()) {
    if (segment === '.' || (segment === '' && index > 0)) continue;
    if (segment === '..' && kept.length > 0 && kept.at(-1) !== '..' && kept.at(-1) !== '') kept.pop();
    else kept.push(segment);
  }
  return kept.length === 1 && kept[0] === '' ? '/' : kept.join('/');
}
