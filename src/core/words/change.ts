/** The subject of a review when it is a git change: files with their hunks, read once, named by git alone. */
import { z } from 'zod';
import { Document } from './document.ts';
import { Count, NullableText, Text, Texts, Whole } from './fields.ts';

export const FileStatus = z.enum([
  'added',
  'modified',
  'deleted',
  'renamed',
  'copied',
  'type-changed',
  'mode-changed',
]);
export type FileStatus = z.infer<typeof FileStatus>;

export const Hunk = z.object({
  oldStart: Count,
  oldLines: Count,
  newStart: Count,
  newLines: Count,
  /** What git prints behind the second `@@`; empty when nothing. */
  heading: Text,
  /** Each with its leading `+`, `-` or space; `\ No newline at end of file` stands as git prints it. */
  lines: Texts,
});
export type Hunk = z.infer<typeof Hunk>;

/** Kinds of what no text can show. */
export const UnshownKind = z.enum([
  'binary',
  'pointer',
  'link-out',
  'submodule',
  'repository',
  'notebook-output',
]);
export type UnshownKind = z.infer<typeof UnshownKind>;

/** First and last of each run, 1-based. */
const NumberedLines = z.array(z.tuple([Whole, Whole]));
export type NumberedLines = z.infer<typeof NumberedLines>;

const NotebookSide = z.object({
  /** That lie wholly inside of what a person wrote into a cell. */
  cells: NumberedLines,
  /** That lie wholly inside of what a program put there: an output or an attachment. */
  outputs: NumberedLines,
});

/** What the lines of a notebook are, on both sides. */
export const NotebookLines = z.object({ old: NotebookSide, new: NotebookSide });
export type NotebookLines = z.infer<typeof NotebookLines>;

export const ChangedFile = z.object({
  /** Path on the new side, or on the old side of a deletion. Slashes, no leading `./`; any characters git allows. */
  path: Text,
  /** Set for renames and copies only. */
  oldPath: NullableText,
  status: FileStatus,
  /** Octal as git prints it (`100644`, `120000`, `160000`); `000000` where the side has no file. */
  oldMode: Text,
  newMode: Text,
  /** Object ids, all zeros where the side has no file. */
  oldId: Text,
  newId: Text,
  /** `text` is shown as hunks, and so is a `symlink`: its text is its target. The others have no hunks and are described in words. */
  content: z.enum(['text', 'binary', 'submodule', 'symlink', 'too-large']),
  additions: Count,
  deletions: Count,
  hunks: z.array(Hunk),
  /** Of a notebook that parses. */
  notebook: NotebookLines.exactOptional(),
  /** The rule of the configuration by which what cannot be shown of it may pass unread. */
  accepted: Text.exactOptional(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** The change that is meant where a caller names none, or a range whose other side has moved on. */
export const UsualChange = z.object({
  is: z.enum(['uncommitted', 'branch', 'last-commit', 'merge-base']),
  /** What lies there besides and is no part of it. One sentence each. */
  notes: Texts,
});
export type UsualChange = z.infer<typeof UsualChange>;

export const Change = z.object({
  kind: z.literal('change'),
  source: z.enum(['range', 'staged', 'worktree', 'patch', 'files']),
  /** Full ids; null for a patch. `head` is a tree id for staged and worktree. `base` of a root commit is the empty tree. */
  base: NullableText,
  head: NullableText,
  /** How a person would name it: `HEAD~1..HEAD`, `--staged`, `fix.patch`. */
  title: Text,
  files: z.array(ChangedFile),
  /** Paths of the files that are meant, where the caller named some; the others are read to know what the change touches. */
  chosen: Texts.exactOptional(),
  /** Set where the name of the change does not say all. */
  usual: UsualChange.exactOptional(),
  /** What the reader of the change noticed: shallow history, attributes that hide content, odd names. One sentence each. */
  warnings: Texts,
});
export type Change = z.infer<typeof Change>;

/** What is asked where nothing is there to be read but the question and its background. */
export const Question = z.object({
  kind: z.literal('question'),
  title: Text,
  prompt: Text,
  context: NullableText,
  /** Commits or trees, by full id, in which the places of the answers are looked up; `base` null: only as it is now. */
  about: z.object({ base: NullableText, head: Text }).exactOptional(),
});
export type Question = z.infer<typeof Question>;

export const Subject = z.discriminatedUnion('kind', [Change, Document, Question]);
export type Subject = z.infer<typeof Subject>;
