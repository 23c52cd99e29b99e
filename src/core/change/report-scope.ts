/** What a report file is called after: the scope as the caller named it. */
import { z } from 'zod';
import type { Change } from '../words/change.ts';
import type { ChangeRequest } from '../ports/repository.ts';

/** As the journal keeps it; null: none could be taken. */
export const ReportName = z.string().nullable();

/** Name of the file as the scope gives it, without its ending; null: it has none. */
export type ReportScope = string | null;

export function reportScopeOf(request: ChangeRequest, { head }: Pick<Change, 'head'>): ReportScope {
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
function scopeNamed(kind: 'review' | 'branch', name: string): ReportScope {
  const dashed = name
    .replace(/[^\p{L}\p{N}._-]/gu, '-')
    .slice(0, 60)
    .replace(/^[-.]+/, '')
    .replace(/-+$/, '');
  // `/` and `.` leave nothing over.
  return dashed === '' ? null : `${kind}-${dashed}`;
}

/** `review-src-auth.md`; a name in `taken` gets `-2`, `-3`. `now` in UTC, for scopes without a name. */
export function reportFileName(scope: ReportScope, taken: ReadonlySet<string>, now: Date): string {
  const stem =
    scope ?? `review-${now.toISOString().slice(0, 16).replace('T', '-').replace(':', '')}`;
  if (!taken.has(`${stem}.md`)) return `${stem}.md`;
  let number = 2;
  while (taken.has(`${stem}-${number}.md`)) number++;
  return `${stem}-${number}.md`;
}
