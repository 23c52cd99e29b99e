/** Looks up the places reviewers name, reading only the files that somebody named. */
import {
  type AnchorFile,
  createDocumentLocator,
  resolveLocation,
} from '../../core/change/anchor.ts';
import type { Change, ChangedFile, Subject } from '../../core/words/change.ts';
import type { Location, StatedFinding } from '../../core/words/finding.ts';
import type { Repository } from '../../core/ports.ts';

/** Places in the order of the findings; null where a finding names none. */
export type Locate = (findings: readonly StatedFinding[]) => Promise<readonly (Location | null)[]>;

export function createLocatorFor(subject: Subject, repository: Repository | null): Locate {
  if (subject.kind !== 'document')
    return createLocator(subject.kind === 'change' ? subject : null, repository);
  const locate = createDocumentLocator(subject);
  return findings => Promise.resolve(findings.map(locate));
}

export function createLocator(change: Change | null, repository: Repository | null): Locate {
  const files = new Map<string, AnchorFile>(
    (change?.files ?? []).map(file => [file.path, unread(file)]),
  );
  const byName = groupByName(change?.files ?? []);
  const loading = new Map<string, Promise<void>>();
  const load = (file: ChangedFile): Promise<void> => {
    const known =
      loading.get(file.path) ??
      readSides(file, repository).then(anchor => void files.set(file.path, anchor));
    loading.set(file.path, known);
    return known;
  };
  return async findings => {
    const names = new Set(findings.flatMap(({ path }) => (path === null ? [] : [nameOf(path)])));
    for (const name of names) await Promise.all((byName.get(name) ?? []).map(load));
    return findings.map(finding => resolveLocation(finding, { files }));
  };
}

function unread({ path, oldPath, status }: ChangedFile): AnchorFile {
  return { path, oldPath, status, newText: null, oldText: null };
}

async function readSides(file: ChangedFile, repository: Repository | null): Promise<AnchorFile> {
  const [newText, oldText] = await Promise.all([
    repository?.read(file, 'new') ?? null,
    repository?.read(file, 'old') ?? null,
  ]);
  return { ...unread(file), newText, oldText };
}

/** Files by the last part of their new and old names: whatever a reviewer writes before it, that part must be right. */
function groupByName(files: readonly ChangedFile[]): Map<string, ChangedFile[]> {
  const groups = new Map<string, ChangedFile[]>();
  for (const file of files) {
    for (const name of new Set([nameOf(file.path), nameOf(file.oldPath ?? file.path)]))
      groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return groups;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
