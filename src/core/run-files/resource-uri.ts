/** Names for what runs leave behind: `resources://runs/<id>/<path>` and `resources://kb/<file>`. A name never leads out of its folder. */

export type Resource =
  | { readonly kind: 'run'; readonly run: string; readonly path: string }
  | { readonly kind: 'knowledge'; readonly file: string };

/** Names of runs and of most files. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** The arrow separates the two agents of a handoff. */
const fileNamePattern = /^[A-Za-z0-9][A-Za-z0-9._→-]{0,219}$/;

/** Null for anything else: another scheme, `..`, an absolute part, an empty name, an escape that is none. */
export function parseResourceUri(uri: string): Resource | null {
  if (uri.length > 1000) return null;
  const [, realm, rest] = /^resources:\/\/(runs|kb)\/(.+)$/u.exec(uri) ?? [];
  const names = decoded(rest)?.split('/') ?? [];
  const [first, ...path] = names;
  if (realm === undefined || first === undefined) return null;
  if (realm === 'kb')
    return path.length === 0 && isFileName(first) ? { kind: 'knowledge', file: first } : null;
  return namePattern.test(first) && path.length > 0 && path.every(isFileName)
    ? { kind: 'run', run: first, path: path.join('/') }
    : null;
}

export function runResourceUri(run: string, path: string) {
  return `resources://runs/${run}/${path}`;
}

function isFileName(name: string) {
  return fileNamePattern.test(name) && !name.endsWith('.');
}

/** The arrow may come escaped. Decoded once only: what is escaped twice is no name. */
function decoded(text: string | undefined) {
  if (text === undefined) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
