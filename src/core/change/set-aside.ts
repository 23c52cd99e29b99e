/**
 * Files and claims that are set aside by their path, marked and never forgotten: files that their owner does not want reviewed,
 * and claims about protected files. Plans and solutions are records of what was decided, not work under review. What is
 * critical and what is a secret stays: it does its harm wherever it lies.
 */
import { globFor } from '../languages/languages.ts';
import type { ChangeRequest } from '../ports/repository.ts';
import { nameFew } from '../verdict/coverage.ts';
import type { Change } from '../words/change.ts';
import type { Claim } from '../words/claim.ts';
import type { RunRecord } from '../words/run.ts';
import { NullableText } from '../words/fields.ts';

interface Claims {
  readonly claims: readonly Claim[];
  readonly dismissed: readonly RunRecord['dismissed'][number][];
}

export function setAside({ claims, dismissed }: Claims, globs: readonly string[]): Claims {
  const globOf = (claim: Claim) => {
    const { location, state } = claim;
    return location === null || state === 'fixed' || state === 'dismissed' || countsAnywhere(claim)
      ? undefined
      : globFor(location.path, globs);
  };
  const set = claims.flatMap(claim => {
    const glob = globOf(claim);
    return glob === undefined
      ? []
      : {
          id: claim.id,
          by: claim.id,
          verdict: 'tolerated' as const,
          reason: `in a protected path (${glob})`,
          scope: 'file' as const,
          until: null,
          protectedBy: glob,
        };
  });
  const ids = new Set(set.map(({ id }) => id));
  return {
    claims: claims.map(claim => (ids.has(claim.id) ? { ...claim, state: 'dismissed' } : claim)),
    dismissed: [...dismissed, ...set],
  };
}

/** Whoever says it: a milder word of another reviewer takes nothing away. */
function countsAnywhere({ severity, findings }: Claim) {
  return (
    severity === 'critical' ||
    findings.some(finding => finding.severity === 'critical' || tellsOfSecret(finding))
  );
}

const secretWords = new RegExp(
  '\\b(?:secrets?|credentials?|passwords?|passphrases?|(?:api|access|private|signing|ssh|secret)[ _-]?keys?' +
    '|(?:access|api|auth|bearer|refresh|personal|session|web)[ _-]?tokens?|connection[ _-]?strings?)\\b',
  'i',
);
const exposureWords = new RegExp(
  'hard-?coded|hardcod|commit(?:s|ted)|checked in|leak|expos|plain ?text|clear ?text|in the clear|disclos' +
    '|embedded|(?:real|live|actual|valid|production) |\\b(?:stands?|contains?|holds?|includes?) ',
  'i',
);

/** Does a finding say that a secret lies open, in whatever category and under whatever label? In doubt it does. */
function tellsOfSecret({
  category,
  text,
}: {
  readonly category: string | null;
  readonly text: string;
}) {
  return (
    secretWords.test((category ?? '').replaceAll(/[_-]/g, ' ')) ||
    (secretWords.test(text) && exposureWords.test(text))
  );
}

// What a report file is called after: the scope as the caller named it.

/** As the journal keeps it; null: none could be taken. */
export const ReportName = NullableText;

/** Name of the file as the scope gives it, without its ending; null: it has none. */
export type ReportScope = string | null;

export function reportScopeOf(request: ChangeRequest, { head }: Pick<Change, 'head'>) {
  const named = request.source === 'files' ? request.patterns : (request.paths ?? []);
  if (named[0] !== undefined) return named.length > 1 ? null : scopeNamed('review', named[0]);
  if (request.source === 'pull') return `pr-${request.number}`;
  if (request.source !== 'revision' || request.revision.includes('..')) return null;
  const isCommit =
    /^(?:[0-9a-f]{7,64}|HEAD|@)(?:[~^].*)?$/.test(request.revision) ||
    /[~^]/.test(request.revision);
  return isCommit && head !== null
    ? `commit-${head.slice(0, 7)}`
    : scopeNamed('branch', request.revision);
}

/** Slashes become dashes, and so does whatever a file system may refuse; file systems cut at 255 bytes. */
function scopeNamed(kind: 'review' | 'branch', name: string) {
  const dashed = name
    .replace(/[^\p{L}\p{N}._-]/gu, '-')
    .slice(0, 60)
    .replace(/^[-.]+/, '')
    .replace(/-+$/, '');
  // `/` and `.` leave nothing over.
  return dashed === '' ? null : `${kind}-${dashed}`;
}

/** `review-src-auth.md`; a name in `taken` gets `-2`, `-3`. `now` in UTC, for scopes without a name. */
export function reportFileName(scope: ReportScope, taken: ReadonlySet<string>, now: Date) {
  const stem =
    scope ?? `review-${now.toISOString().slice(0, 16).replace('T', '-').replace(':', '')}`;
  if (!taken.has(`${stem}.md`)) return `${stem}.md`;
  let number = 2;
  while (taken.has(`${stem}-${number}.md`)) number++;
  return `${stem}-${number}.md`;
}

// Which files that git does not track belong to a person's uncommitted work, and which are named and not sent to anybody.

export interface Unsent {
  readonly path: string;
  /** Null: the caller wants none of them. */
  readonly why: string | null;
}

/** Null where the file is sent. `bytes` null: it is no plain file. `isText`: it holds no NUL. */
export function whyUnsent(
  path: string,
  { bytes, isText }: { readonly bytes: number | null; readonly isText: boolean },
) {
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
export function sayUnsent(unsent: readonly Unsent[]) {
  const named = unsent.map(({ path, why }) => (why === null ? path : `${path} (${why})`));
  return named.length === 0 ? [] : [`Untracked, so not reviewed: ${nameFew(named, mostNamed)}.`];
}

const mostNamed = 12;
