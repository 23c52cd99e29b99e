/**
 * What of a changed file no text can show. It is unread whoever is asked, until a person approves it by path and hash or the
 * configuration at the base accepts its kind or its path.
 */
import { familyOf, hintsOf, kindsOf, globFor } from '../languages/languages.ts';
import type { Change, ChangedFile, Subject, UnshownKind } from '../words/change.ts';
import { numberedLines, renderPatch, withLines } from './patch.ts';
import type { Coverage } from '../verdict/record.ts';
import type { Plan } from '../words/plan.ts';
import { countOf } from '../text.ts';

/** A text that has to be read and is not at hand. */
type UnshownText = 'too-large' | 'moved';

/** Why a reviewer has not read it, in words. */
export const unshownWords: Readonly<Record<UnshownKind | UnshownText, string>> = {
  binary: 'binary: only its name, mode and size were shown',
  encoding: 'not UTF-8: bytes that are not were shown as U+FFFD',
  pointer: 'a pointer: what it stands for is kept elsewhere',
  'link-out': 'a link out of the repository: what it leads to was not shown',
  submodule: 'a submodule: only the name of its commit was shown',
  repository: 'the head of a repository inside of this one, which git obeys when it is entered',
  'notebook-output': 'outputs of a notebook were not shown',
  'too-large': 'too large to show; split it, or leave it out with --exclude',
  moved: 'its name or mode makes it something else, and its lines are not at hand',
};

/** Null where the lines of its patch are all there is. A removal brings nothing. */
export function unshownKindOf(file: ChangedFile): UnshownKind | UnshownText | null {
  const { path, status, content, oldId, newId } = file;
  if (status === 'deleted') return null;
  if (file.damaged && file.hunks.some(({ lines }) => lines.some(line => foreign.test(line))))
    return 'encoding';
  // As far as the patch shows them.
  const numbered = file.hunks.flatMap(numberedLines);
  const lines = numbered.flatMap(({ mark, text }) => (mark === '-' ? [] : text));
  if (content === 'symlink') return leadsOut(path, lines.join('\n')) ? 'link-out' : null;
  // Zeros mean that nobody knows the ids, as in a patch from elsewhere.
  if (content !== 'text')
    return oldId === newId && /[^0]/.test(oldId) && !isElsewhere(file) ? null : content;
  const outputs = numbersIn(file.notebook?.new.outputs ?? []);
  if (numbered.some(line => line.mark === '+' && outputs.has(line.new))) return 'notebook-output';
  if (isElsewhere(file) && !isWhole(file)) return 'moved';
  const [first = ''] = file.hunks.every(({ newStart }) => newStart <= 1) ? lines : [];
  if (pointer.test(first)) return 'pointer';
  return /(?:^|\/)HEAD$/.test(path) && headOfGit.test(first) ? 'repository' : null;
}

/** Which character it is, nobody can tell. */
const foreign = /^\+.*\P{ASCII}/su;
/** Of large file storage, and of git-annex. */
const pointer = /^(?:version https:\/\/[\w.-]+\/spec\/v\d|\/annex\/objects\/)/;
const headOfGit = /^(?:ref: refs\/|[0-9a-f]{40,64}$)/;

/** Is it something else by its new name or mode, so that its lines are new where it is now? */
export function isElsewhere({
  path,
  oldPath,
  oldMode,
  newMode,
}: Pick<ChangedFile, 'path' | 'oldPath' | 'oldMode' | 'newMode'>) {
  return (
    (oldMode === '100644' && newMode === '100755') ||
    (oldPath !== null && roleOf(oldPath) !== roleOf(path))
  );
}

/**
 * All that is made of a path here, as one text: a file that has the same by its old name was merely moved. What configures something
 * does so for the folder it lies in, and so does what lies in a folder of a tool.
 */
function roleOf(path: string) {
  const kinds = kindsOf({ path });
  const folder =
    kinds.has('manifest') || kinds.has('configuration') ? /^.*\// : /^(?:.*\/)?\.[^/]+\//;
  return JSON.stringify([
    /\.[^./]*$/.exec(path)?.[0].toLowerCase(),
    folder.exec(path)?.[0],
    familyOf(path),
    [...kinds],
    hintsOf(path),
  ]);
}

function isWhole({ hunks, newId }: ChangedFile) {
  return hunks.length > 0 ? hunks.every(({ oldLines }) => oldLines === 0) : empty.test(newId);
}

/** The blob without a byte, by either hash of git. */
const empty =
  /^(?:e69de29bb2d1d6434b8b29ae775ad8c2e48c5391|473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813)$/;

/** `path`: of the link. Into the folder of git is out as well. */
export function leadsOut(path: string, target: string) {
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(target)) return true;
  let depth = path.split('/').length - 1;
  for (const part of target.split(/[/\\]/)) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0 || part.toLowerCase() === '.git') return true;
  }
  return false;
}

function isText(kind: UnshownKind | UnshownText): kind is UnshownText {
  return kind === 'too-large' || kind === 'moved';
}

/** The same subject with the rule of the configuration beside each file of which something cannot be shown and need not be read. */
function acceptUnshown(subject: Subject, rules: Plan['accept']): Subject {
  if (subject.kind !== 'change' || rules.length === 0) return subject;
  const ruleFor = (file: ChangedFile) => {
    const kind = unshownKindOf(file);
    if (kind === null || isText(kind)) return undefined;
    return rules.find(rule =>
      'kind' in rule ? rule.kind === kind : globFor(file.path, [rule.glob]) !== undefined,
    );
  };
  return {
    ...subject,
    files: subject.files.map(file => {
      const rule = ruleFor(file);
      return rule === undefined
        ? file
        : { ...file, accepted: 'kind' in rule ? rule.kind : rule.glob };
    }),
  };
}

export function acceptedIn(subject: Subject) {
  if (subject.kind !== 'change') return [];
  return subject.files.flatMap(({ path, accepted }) =>
    accepted === undefined ? [] : { path, rule: accepted },
  );
}

/** By path: why it is unread, and the git id by which a person may approve it; null where it is a text, or its id is not known. */
type Unshown = ReadonlyMap<string, { readonly why: string; readonly object: string | null }>;

export function unshownIn(subject: Subject): Unshown {
  if (subject.kind !== 'change') return new Map();
  return new Map(
    subject.files.flatMap(file => {
      const kind = file.accepted === undefined ? unshownKindOf(file) : null;
      if (kind === null) return [];
      const object = isText(kind) || !/[^0]/.test(file.newId) ? null : file.newId;
      return [[file.path, { why: unshownWords[kind], object }] as const];
    }),
  );
}

// What a reviewer is shown of a changed notebook: its lines as they stand in the file, but for those that lie wholly inside of an
// output or an attachment. Programs make them, they are many times as long as the rest, and how many there are is said.

/** The patch of a file as reviewers are shown it. Ends with a line feed. */
export function renderShown(file: ChangedFile) {
  const shown = withoutOutputs(file);
  const left = file.additions + file.deletions - shown.additions - shown.deletions;
  return left === 0
    ? renderPatch(file)
    : `${renderPatch(shown)}Not shown: ${countOf(left, 'changed line')} of outputs of ` +
        `this notebook.\n`;
}

export function withoutOutputs(file: ChangedFile) {
  return file.notebook === undefined ? file : without('outputs', file, file.notebook);
}

/** The same change with the lines of its notebooks that people wrote, and no other of theirs. */
export function withCellsOnly<Changed extends Pick<Change, 'files'>>(change: Changed): Changed {
  return {
    ...change,
    files: change.files.map(file =>
      file.notebook === undefined ? file : without('rest', file, file.notebook),
    ),
  };
}

type NotebookLines = NonNullable<ChangedFile['notebook']>;

function without(what: 'outputs' | 'rest', file: ChangedFile, { old, new: now }: NotebookLines) {
  const within = (side: NotebookLines['old']) =>
    numbersIn(
      what === 'rest' ? side.cells : side.outputs.map(([first, last]) => [first + 1, last - 1]),
    );
  const sides = { old: within(old), new: within(now) };
  return withLines(file, line => {
    const side = line.mark === '-' ? 'old' : 'new';
    return sides[side].has(line[side]) === (what === 'rest');
  });
}

function numbersIn(ranges: NotebookLines['old']['cells']) {
  const numbers = new Set<number>();
  for (const [first, last] of ranges)
    for (let number = first; number <= last; number += 1) numbers.add(number);
  return numbers;
}

/**
 * What of a change is under review: the files that were named, less those that are left out, and beside each the rule by which
 * what cannot be shown of it is accepted. Of other subjects there is nothing to take out.
 */
export function excludeFrom(
  subject: Subject,
  { exclude, accept = [] }: Pick<Plan, 'exclude'> & Partial<Pick<Plan, 'accept'>>,
) {
  if (subject.kind !== 'change') return { subject, excluded: [] };

  const excluded: Coverage['excluded'] = [];
  const { chosen, ...change } = subject;
  const meant = chosen === undefined ? null : new Set(chosen);
  const files = subject.files.filter(({ path }) => {
    if (meant?.has(path) === false) return false;
    const pattern = globFor(path, exclude);
    if (pattern !== undefined) excluded.push({ path, pattern });
    return pattern === undefined;
  });
  return { subject: acceptUnshown({ ...change, files }, accept), excluded };
}
