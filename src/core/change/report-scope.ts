/** What a report file is called after: the scope as the caller named it. */
import type { Change } from '../change.ts';
import type { ReportScope } from '../context/coverage-report.ts';
import type { ChangeRequest } from '../ports.ts';

export function reportScopeOf(request: ChangeRequest, { head }: Pick<Change, 'head'>): ReportScope {
  if (request.source === 'files') {
    const [only, ...others] = request.patterns;
    return only === undefined || others.length > 0 ? { kind: 'other' } : { kind: 'path', path: only };
  }
  if (request.source !== 'revision' || request.revision.includes('..')) return { kind: 'other' };
  const isCommit = /^(?:[0-9a-f]{7,64}|HEAD|@)(?:[~^].*)?$/.test(request.revision) || /[~^]/.test(request.revision);
  return isCommit && head !== null ? { kind: 'commit', id: head } : { kind: 'branch', name: request.revision };
}
