/** The subject of a review when it is a git change: files with their hunks, read once, named by git alone. */
import { z } from 'zod';
import { present } from '../groups.ts';
import { delimit, makeVisible } from '../safety/visible-text.ts';
import { bytesOf, toOneLine } from '../text.ts';
import { Count, Flag, NullableText, Text, Texts, Whole } from './fields.ts';

// The subject of a review when it is a text: a design, a plan or a specification, its sections being the places; and the slices of
// it that fit one prompt each.

const Section = z.object({
  title: Text,
  /** 1-based line of the heading. */
  line: Whole.positive(),
});
type Section = z.infer<typeof Section>;

const DocumentFile = z.object({
  /** As the caller would name it from where it stands: `docs/plan.md`; slashes. */
  path: Text,
  text: Text,
  bytes: Count,
  /** In order. Empty where there is no heading: then the lines alone are places. */
  sections: z.array(Section),
});
export type DocumentFile = z.infer<typeof DocumentFile>;

const Document = z.object({
  kind: z.literal('document'),
  source: z.enum(['file', 'directory']),
  /** As the caller named it. */
  title: Text,
  /** What every path begins with: the folder as the caller named it. Absent where the caller stood in it. */
  folder: Text.exactOptional(),
  files: z.array(DocumentFile),
  warnings: Texts,
});
export type Document = z.infer<typeof Document>;

// Finds the headings of a Markdown text with their lines. Block structure only: what stands inside a line is not parsed.

/** More headings than this are no structure that anybody could name; such a text has lines only. */
const mostHeadings = 20_000;

/** Linear in the text. Headings in code, quotations and front matter are none. Null: there are too many of them. */
export async function readSections(text: string) {
  if (countHeadingLines(text) > mostHeadings) return null;
  const { default: MarkdownIt } = await import('markdown-it');
  const parser = new MarkdownIt('commonmark');
  parser.core.ruler.enableOnly(['normalize', 'block']);
  // References and quotations hold no section of the document; leaving them out keeps hostile nesting cheap.
  parser.block.ruler.enableOnly('code fence list html_block heading lheading paragraph'.split(' '));
  const tokens = parser.parse(blankFrontMatter(text), {});
  return tokens.flatMap((token, index) => {
    const title = tokens[index + 1]?.content.trim() ?? '';
    if (token.type !== 'heading_open' || token.level !== 0 || token.map === null || title === '')
      return [];
    return [
      {
        title: title.replace(/\s+/g, ' ').slice(0, titleLimit),
        line: token.map[0] + 1,
      },
    ];
  });
}

const titleLimit = 300;

function countHeadingLines(text: string) {
  let count = 0;
  for (const _ of text.matchAll(/^ {0,3}(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/gm)) count += 1;
  return count;
}

/** A line of dashes below text would make a heading of the last key. Lines keep their numbers. */
function blankFrontMatter(text: string) {
  const front = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?=\r?\n|$)/.exec(text.slice(0, 100_000));
  return front === null ? text : front[0].replace(/[^\n]/g, '') + text.slice(front[0].length);
}

interface SlicePart {
  readonly path: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** True when the part is the whole file. */
  readonly isWhole: boolean;
}

// Cuts documents into slices that fit one prompt each: at sections where it can, at lines where it must, and in the
// middle of a line only when that alone is too long.

/** In order, together every character exactly once. `limit` is in bytes of UTF-8 and at least 4. */
export function sliceDocument({ files }: Pick<Document, 'files'>, limit: number) {
  const slices: { parts: SlicePart[]; bytes: number }[] = [];
  for (const file of files) {
    let line = 1;
    for (const block of blocksOf(file, limit)) {
      const bytes = bytesOf(block);
      let slice = slices.at(-1);
      if (slice === undefined || slice.bytes + bytes > limit)
        slices.push((slice = { parts: [], bytes: 0 }));
      const before = slice.parts.at(-1)?.path === file.path ? slice.parts.pop() : undefined;
      const text = (before?.text ?? '') + block;
      const breaks = block.split('\n').length - 1;
      slice.bytes += bytes;
      slice.parts.push({
        path: file.path,
        startLine: before?.startLine ?? line,
        endLine: line + breaks - (block.endsWith('\n') ? 1 : 0),
        text,
        isWhole: text.length === file.text.length,
      });
      line += breaks;
    }
  }
  return slices;
}

/** The file, else a section each; one that does not fit is several. */
function blocksOf({ text, bytes, sections }: DocumentFile, limit: number) {
  if (bytes <= limit) return [text];
  const starts = new Set(sections.map(({ line }) => line));
  // A character is at most four bytes.
  const longest = new RegExp(`.{1,${Math.floor(limit / 4)}}`, 'gsu');
  const blocks: string[] = [];
  let room = 0;
  for (const [index, line] of text.split(/(?<=\n)/).entries()) {
    if (starts.has(index + 1)) room = 0;
    for (const piece of bytesOf(line) <= limit ? [line] : (line.match(longest) ?? [])) {
      const size = bytesOf(piece);
      const open = size <= room ? (blocks.pop() ?? '') : '';
      room = (open === '' ? limit : room) - size;
      blocks.push(open + piece);
    }
  }
  return blocks;
}

/** One slice of a document as reviewers see it, with what it is a part of. */
interface SlicePrompt {
  readonly document: Pick<Document, 'title' | 'files'>;
  /** With their secrets masked. */
  readonly parts: readonly SlicePart[];
  /** 1-based. */
  readonly number: number;
  readonly total: number;
  /** What the document is for; null when nobody said. */
  readonly description: string | null;
  readonly fence: string;
}

export function renderSlice({ document, parts, number, total, description, fence }: SlicePrompt) {
  const lines = present(
    '# Document Review Context',
    `**Document:** ${toOneLine(document.title)}`,
    `**Purpose:** ${description === null || description.trim() === '' ? 'None provided' : makeVisible(description)}`,
    document.files.length > 1 && `**Files:** ${document.files.length}`,
    total > 1 &&
      `**Part:** ${number} of ${total}. The document is too long for one reading; you get its parts one ` +
        'after the other. What is missing here may stand in another part: do not report it as missing.',
  );
  return [...lines, ...parts.map(part => `**${nameOf(part)}**\n${delimit(part.text, fence)}`)].join(
    '\n\n',
  );
}

function nameOf({ path, startLine, endLine, isWhole }: SlicePart) {
  return isWhole ? toOneLine(path) : `${toOneLine(path)}, lines ${startLine}–${endLine}`;
}

const FileStatus = z.enum([
  'added',
  'modified',
  'deleted',
  'renamed',
  'copied',
  'type-changed',
  'mode-changed',
]);
export type FileStatus = z.infer<typeof FileStatus>;

const Hunk = z.object({
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
  'encoding',
  'pointer',
  'link-out',
  'submodule',
  'repository',
  'notebook-output',
]);
export type UnshownKind = z.infer<typeof UnshownKind>;

/** First and last of each run, 1-based. */
const NumberedLines = z.array(z.tuple([Whole, Whole]));
type NumberedLines = z.infer<typeof NumberedLines>;

const NotebookSide = z.object({
  /** That lie wholly inside of what a person wrote into a cell. */
  cells: NumberedLines,
  /** That hold what a program put there, an output or an attachment; the first and the last of a run may hold more. */
  outputs: NumberedLines,
});

/** What the lines of a notebook are, on both sides. */
const NotebookLines = z.object({ old: NotebookSide, new: NotebookSide });
type NotebookLines = z.infer<typeof NotebookLines>;

const ChangedFile = z.object({
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
  /** What there is now holds bytes that are no UTF-8: U+FFFD stands for them. */
  damaged: z.literal(true).exactOptional(),
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
const Question = z.object({
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

// What Jury knows of a pull request, and how its repository is named. All of it comes from outside and is read by these schemas.

/** Git's own id of a commit, by SHA-1 or SHA-256. */
export const CommitId = Text.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'must be a full commit id');

/** `owner/name` as GitHub allows it; no part of it can climb out of an address. */
export const RepositoryName = Text.max(140).regex(
  /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/,
  'must be OWNER/NAME',
);

/** Where commits go on; a text of anybody. */
export const BranchName = Text.min(1).max(255);

export const PullNumber = Whole.positive().max(2_147_483_647);

/** As the API of GitHub tells it: the keys that are read, and no words of its author. */
export const ToldPull = z.object({
  number: PullNumber,
  state: z.enum(['open', 'closed']),
  head: z.object({
    sha: CommitId,
    /** Null where the fork is gone. */
    repo: z.object({ full_name: RepositoryName }).nullable(),
  }),
  base: z.object({ sha: CommitId, ref: BranchName, repo: z.object({ full_name: RepositoryName }) }),
});
type ToldPull = z.infer<typeof ToldPull>;

/** From where a pull request left its base to its head. Commits that are not here are fetched, into no repository of anybody. */
export const PullRequest = z.object({
  source: z.literal('pull'),
  /** Of the repository that it asks to be merged into. */
  repository: RepositoryName,
  number: PullNumber,
  /** Where its commits are fetched from. */
  url: Text,
  /** The tip of the base branch. */
  base: CommitId,
  head: CommitId,
  /** Absolute path of a file that holds the commits (`jury github pack`), which are not fetched then; null: they are. */
  pack: NullableText,
  /** Set where a machine reviews what anybody may have written: it is shown to no program. */
  isStranger: Flag,
});
export type PullRequest = z.infer<typeof PullRequest>;

export type PullFacts = Readonly<ReturnType<typeof factsOfPull>>;

/** As a person would name it. */
export function titleOfPull({ number, repository }: Pick<PullFacts, 'number' | 'repository'>) {
  return `pull request ${number} of ${repository}`;
}

export function factsOfPull({ number, state, head, base }: ToldPull) {
  const repository = base.repo.full_name;
  return {
    /** `owner/name` of the base. */
    repository,
    number,
    /** The branch that it asks to be merged into. Untrusted text. */
    branch: base.ref,
    base: base.sha,
    head: head.sha,
    isOpen: state === 'open',
    // GitHub names a repository in the letters of its owner, whatever the address says.
    /** `owner/name` of the head; null where that repository is gone. */
    from: head.repo?.full_name ?? null,
    isFork: head.repo?.full_name.toLowerCase() !== repository.toLowerCase(),
  };
}

/** The address of a remote as git takes it; null where it names no repository on a server. Nothing in it is obeyed but the names. */
export function readRemote(address: string) {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/\s]*@)?([A-Za-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?\/(\S+)$/.exec(
      address,
    ) ??
    /^(?:[\w.-]+@)([A-Za-z0-9.-]+):(?!\/)(\S+)$/.exec(address) ??
    [];
  if (host === undefined || path === undefined) return null;
  const repository = RepositoryName.safeParse(path.replace(/\/$/, '').replace(/\.git$/, ''));
  return repository.success ? { host: host.toLowerCase(), repository: repository.data } : null;
}
