/** What a report file is called after: the scope as the caller named it. */
import { z } from 'zod';
import type { Change } from '../words/change.ts';
import type { ChangeRequest } from '../ports/repository.ts';

/** As the journal keeps it; null: none could be taken. */
export const ReportName = z.string().nullable();

export function reportScopeOf(request: ChangeRequest, { head }: Pick<Change, 'head'>): ReportScope {
  if (request.source === 'files') {
    const [only, ...others] = request.patterns;
    return only === undefined || others.length > 0
      ? { kind: 'other' }
      : { kind: 'path', path: only };
  }
  const [named, ...more] = request.paths ?? [];
  if (named !== undefined)
    return more.length > 0 ? { kind: 'other' } : { kind: 'path', path: named };
  if (request.source !== 'revision' || request.revision.includes('..')) return { kind: 'other' };
  const isCommit =
    /^(?:[0-9a-f]{7,64}|HEAD|@)(?:[~^].*)?$/.test(request.revision) ||
    /[~^]/.test(request.revision);
  return isCommit && head !== null
    ? { kind: 'commit', id: head }
    : { kind: 'branch', name: request.revision };
}

export type ReportScope =
  | { readonly kind: 'pull-request'; readonly number: number }
  /** Full or short id. */
  | { readonly kind: 'commit'; readonly id: string }
  | { readonly kind: 'branch'; readonly name: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'other' };

/** `review-src-auth.md`; a name in `taken` gets `-2`, `-3`. `now` in UTC, for scopes without a name. */
export function reportFileName(scope: ReportScope, taken: ReadonlySet<string>, now: Date): string {
  const stem = stemOf(scope, now);
  if (!taken.has(`${stem}.md`)) return `${stem}.md`;
  let number = 2;
  while (taken.has(`${stem}-${number}.md`)) number++;
  return `${stem}-${number}.md`;
}

function stemOf(scope: ReportScope, now: Date): string {
  const dated = `review-${now.toISOString().slice(0, 16).replace('T', '-').replace(':', '')}`;
  if (scope.kind === 'pull-request') return `pr-${scope.number}`;
  if (scope.kind === 'commit') return `commit-${scope.id.slice(0, 7)}`;
  if (scope.kind === 'other') return dated;
  const name = dashed(scope.kind === 'branch' ? scope.name : scope.path);
  // `/` and `.` leave nothing over.
  return name === '' ? dated : `${scope.kind === 'branch' ? 'branch' : 'review'}-${name}`;
}

/** Slashes become dashes, and so does whatever a file system may refuse; file systems cut at 255 bytes. */
function dashed(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}._-]/gu, '-')
    .slice(0, 60)
    .replace(/^[-.]+/, '')
    .replace(/-+$/, '');
}
