/** Looks up the places reviewers name, reading only the files that somebody named. */
import {
  type AnchorFile,
  createDocumentLocator,
  resolveLocation,
} from '../../core/change/anchor.ts';
import { remember } from '../../core/groups.ts';
import type { Repository, TreeFile } from '../../core/ports/repository.ts';
import type { ChangedFile, Question, Subject } from '../../core/words/change.ts';
import type { Location, StatedFinding } from '../../core/words/finding.ts';

/** Places in the order of the findings; null where a finding names none. */
type Locate = (findings: readonly StatedFinding[]) => Promise<readonly (Location | null)[]>;

/** Of a question the files it is about are listed when the first place is looked up. */
export function createLocatorFor(subject: Subject, repository: Repository | null): Locate {
  if (subject.kind === 'change') return createLocator(subject.files, repository);
  if (subject.kind === 'question') {
    let opened: Promise<Locate> | undefined;
    const open = async () => createLocator(await filesAbout(subject, repository), repository);
    return async findings => (await (opened ??= open()))(findings);
  }
  const locate = createDocumentLocator(subject);
  return async findings => findings.map(locate);
}

/** Every file of what a question is about, those that a range changes with both sides. */
async function filesAbout(
  { about }: Question,
  repository: Repository | null,
): Promise<readonly ChangedFile[]> {
  if (!about || !repository?.tree) return [];
  const { base, head } = about;
  const { files } = await repository.tree(head);
  const range = base === null ? null : ({ source: 'range', base, head, title: head } as const);
  const changed = range ? (await repository.change(range)).files : [];
  return [
    ...new Map([...files.map(unchanged), ...changed].map(file => [file.path, file])).values(),
  ];
}

/** What it holds is known when it is read. */
function unchanged({ path, mode, id }: TreeFile): ChangedFile {
  return {
    path,
    oldPath: null,
    status: 'modified',
    oldMode: '000000',
    newMode: mode,
    oldId: '0'.repeat(id.length),
    newId: id,
    content: 'binary',
    additions: 0,
    deletions: 0,
    hunks: [],
  };
}

function createLocator(changed: readonly ChangedFile[], repository: Repository | null): Locate {
  const files = new Map<string, AnchorFile>(changed.map(file => [file.path, unread(file)]));
  const byName = groupByName(changed);
  const load = remember(async (file: ChangedFile) => {
    const [newText = null, oldText = null] = await Promise.all([
      repository?.read(file, 'new'),
      repository?.read(file, 'old'),
    ]);
    files.set(file.path, { ...unread(file), newText, oldText });
  });
  return async findings => {
    const names = new Set(findings.flatMap(({ path }) => (path === null ? [] : [nameOf(path)])));
    for (const name of names) await Promise.all((byName.get(name) ?? []).map(load));
    return findings.map(finding => resolveLocation(finding, { files }));
  };
}

function unread({ path, oldPath, status }: ChangedFile): AnchorFile {
  return { path, oldPath, status, newText: null, oldText: null };
}

/** Files by the last part of their new and old names: whatever a reviewer writes before it, that part must be right. */
function groupByName(files: readonly ChangedFile[]) {
  const groups = new Map<string, ChangedFile[]>();
  for (const file of files) {
    for (const name of new Set([nameOf(file.path), nameOf(file.oldPath ?? file.path)]))
      groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return groups;
}

function nameOf(path: string) {
  return path.slice(path.lastIndexOf('/') + 1);
}
