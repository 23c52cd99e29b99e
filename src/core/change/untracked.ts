/** Which files that git does not track belong to a person's uncommitted work, and which are named and not sent to anybody. */
import { nameFew } from '../verdict/onward.ts';

export interface Unsent {
  readonly path: string;
  /** Null: the caller wants none of them. */
  readonly why: string | null;
}

/** Null where the file is sent. `bytes` null: it is no plain file. `isText`: it holds no NUL. */
export function whyUnsent(
  path: string,
  { bytes, isText }: { readonly bytes: number | null; readonly isText: boolean },
): string | null {
  if (ownName.test(path)) return 'of Jury';
  if (secretName.test(path)) return 'its name looks secret';
  if (bytes === 0) return 'empty';
  if ((bytes ?? 0) > mostBytes) return `over ${mostBytes / 1024} kB`;
  return isText && !dataName.test(path) ? null : 'data';
}

/** What Jury is told is no work under review, and must not be taken for the change because nobody has committed it yet. */
const ownName = /(?:^|\/)(?:jury\.config\.(?:ya?ml|json)|jury\.baseline\.json)$/;

export const mostBytes = 256 * 1024;

const secretName = new RegExp(
  '(?:^|/)(?:\\.env[^/]*|[^/]+\\.env|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*|\\.netrc|\\.pgpass|[^/]*(?:secret|' +
    'credential)s?[^/]*\\.(?:json|ya?ml|toml|ini|txt)|[^/]+\\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc))$',
  'i',
);
const dataName = /\.(?:csv|tsv|jsonl|ndjson|log|dump|bak)$/i;

/** One sentence; none where all are sent. */
export function sayUnsent(unsent: readonly Unsent[]): string[] {
  const named = unsent.map(({ path, why }) => (why === null ? path : `${path} (${why})`));
  return named.length === 0 ? [] : [`Untracked, so not reviewed: ${nameFew(named, mostNamed)}.`];
}

const mostNamed = 12;
