/** What the packs of a change are made from: the index, and the files they quote, each read and scanned once. */
import { maskLines, scrub } from '../../core/safety/redaction.ts';
import {
  type ChangedPiece,
  type LineRange,
  type LinesOf,
  overlaps,
  piecesOf,
  type SourceText,
} from '../../core/context/packing/line-range.ts';
import { computeRisks } from '../../core/context/risks.ts';
import { remember } from '../../core/groups.ts';
import { splitLines } from '../../core/text.ts';
import type { PastChange } from '../../core/context/packing/pointers.ts';
import { readableText } from '../../core/languages/embedded-code.ts';
import { UserError } from '../../core/errors.ts';
import { createCodeView, type CodeView } from '../../core/context/packing/code-view.ts';
import {
  type ChangedName,
  findChangedNames,
  hasOldSide,
} from '../../core/context/changed-names.ts';
import type { CodeIndex, SecretScanner, TokenCounter } from '../../core/ports/repository.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import type { Candidate } from '../../core/context/packing/fit.ts';
import type { Commit } from '../../core/context/packing/rungs.ts';
import type { AgentName } from '../../core/context/scope.ts';

/** What the old side of a change tells. */
interface Before {
  /** Names that are gone or have another signature; empty where nobody knows the old side. */
  readonly names: readonly ChangedName[];
  /** Lines of a file as they were, secrets taken out, by the path it had; empty for one that lost none. */
  readonly linesOf: LinesOf;
}

/** Where it is read from. */
interface SourceWorld {
  readonly index: CodeIndex;
  readonly counter: TokenCounter;
  readonly secrets: SecretScanner;
  /** Text of a file on the new side of the change; null when there is none. */
  readonly read: (path: string) => Promise<string | null>;
  /** What changed together with any of these paths before the change, latest first. */
  readonly pastChanges: (paths: readonly string[]) => Promise<readonly PastChange[]>;
  /** These files before the change; null where that cannot be read. Asked only for files that lost lines. */
  readonly oldSide: (files: readonly ChangedFile[]) => Promise<OldFiles | null>;
}

interface OldFiles {
  readonly index: Pick<CodeIndex, 'definitionsIn'>;
  /** By the path before the change. */
  readonly read: (path: string) => Promise<string | null>;
}

/** The same as if these files were not there. */
export function withoutHidden<Sources extends Pick<SourceWorld, 'index' | 'read'>>(
  world: Sources,
  isHidden: (file: { readonly path: string }) => boolean,
): Sources {
  return {
    ...world,
    index: world.index.hiding(path => isHidden({ path })),
    read: async path => (isHidden({ path }) ? null : world.read(path)),
  };
}

export type ContextSources = ReturnType<typeof openSources>;

/** What several packs of one change have in common: every question is asked and every file read once. */
export function openSources(world: SourceWorld) {
  const { index, read, secrets, counter } = world;
  const view = createCodeView(index);
  const texts = openTexts(read, secrets);
  const skipped = new Map<string, string>();
  for (const { path, reason } of index.skipped()) skipped.set(path, reason);
  const before = remember((files: readonly ChangedFile[]) =>
    lookBack(files, { world, view, texts }),
  );
  return {
    /** Counts a text once. */
    count: remember(counter.count),
    view,
    texts,
    /** Why a file is not quoted, by path. */
    skipped,
    /** What these files were before the change. */
    before,
    risks: remember(async (files: readonly ChangedFile[]) =>
      lookForRisks(files, await before(files), { view, texts, skipped }),
    ),
    /** What changed together with these files before. */
    past: remember((files: readonly ChangedFile[]) =>
      world.pastChanges(files.map(({ path, oldPath }) => oldPath ?? path)),
    ),
  };
}

async function lookBack(
  files: readonly ChangedFile[],
  { world, view, texts }: { world: SourceWorld; view: CodeView; texts: ContextTexts },
): Promise<Before> {
  const shortened = files.filter(hasOldSide);
  const old = shortened.length === 0 ? null : await world.oldSide(shortened);
  if (old === null) return { names: [], linesOf: () => [] };
  const oldTexts = openTexts(old.read, world.secrets);
  await Promise.all([
    oldTexts.load(shortened.map(({ path, oldPath }) => oldPath ?? path)),
    texts.load(shortened.filter(({ status }) => status !== 'deleted').map(({ path }) => path)),
  ]);
  const linesOf = oldTexts.shownOf;
  return {
    linesOf,
    names: findChangedNames(
      files,
      { definitionsIn: old.index.definitionsIn, linesOf },
      { view, linesOf: texts.shownOf },
    ),
  };
}

/** Files whose lines tell whether a name of theirs is the one that changed. */
const mostUsers = 60;

async function lookForRisks(
  files: readonly ChangedFile[],
  { names, linesOf: oldLinesOf }: Before,
  {
    view,
    texts,
    skipped,
  }: { view: CodeView; texts: ContextTexts; skipped: ReadonlyMap<string, string> },
) {
  const read = files.filter(
    ({ path, content, status }) => content === 'text' && status !== 'deleted' && !skipped.has(path),
  );
  const users = new Set(names.flatMap(one => one.users.map(({ path }) => path)));
  await texts.load([...read.map(({ path }) => path), ...[...users].slice(0, mostUsers)]);
  return computeRisks({
    files,
    names,
    secrets: read.flatMap(file =>
      // Added lines of which something was taken out, the first of each that follow one another.
      piecesOf(file)
        .flatMap(({ added }) => added)
        .filter(line => texts.secretsIn(file.path, { start: line, end: line }) > 0)
        .filter((line, index, lines) => lines[index - 1] !== line - 1)
        .map(line => ({ path: file.path, line })),
    ),
    view,
    skipped,
    linesOf: texts.linesOf,
    oldLinesOf,
  });
}

type ContextTexts = ReturnType<typeof openTexts>;

interface Loaded extends SourceText {
  places: ReturnType<typeof maskLines>['places'];
}

/**
 * The files a pack quotes. `read` gives the text of a file on the new side, null when there is none. Throws `UserError` when a text
 * cannot be scanned.
 */
export function openTexts(read: (path: string) => Promise<string | null>, secrets: SecretScanner) {
  const known = new Map<string, Loaded | null>();
  const loadOne = async (path: string) => {
    if (known.has(path)) return;
    known.set(path, null);
    const whole = await read(path);
    if (whole === null) return;
    const text = readableText(path, whole);
    const original = splitLines(text);
    const { lines, places } = maskLines(text, await scanned(secrets, text, path));
    known.set(path, { original, shown: lines, places });
  };
  return {
    /** Reads what has not been read yet. */
    async load(paths: Iterable<string>) {
      await Promise.all([...new Set(paths)].map(loadOne));
    },
    /** Null for what was not loaded or has no text. */
    of: (path: string): SourceText | null => known.get(path) ?? null,
    /** Secrets taken out; empty for a file that was not read. */
    shownOf: (path: string) => known.get(path)?.shown ?? [],
    linesOf: (path: string) => known.get(path)?.original ?? [],
    /** Secrets that stood in these lines. */
    secretsIn: (path: string, range: LineRange) =>
      (known.get(path)?.places ?? []).filter(place => overlaps(place, range)).length,
    mask: async (text: string) => scrub(text, await scanned(secrets, text, 'text')),
  };
}

async function scanned(secrets: SecretScanner, text: string, path: string) {
  try {
    return await secrets.scan(text, path);
  } catch (cause) {
    throw new UserError('The scanner for secrets could not run: no pack was written.', {
      kind: 'input',
      cause,
    });
  }
}

export interface ContextWorld extends SourceWorld {
  /** The last commits that touched these lines, latest first. */
  readonly history: (pieces: readonly ChangedPiece[]) => Promise<readonly Commit[]>;
  /** Which packs the roles of a task were given, in this run and in earlier ones. */
  readonly taskMemory: {
    ofOthers(
      task: string,
      agent: AgentName,
    ): Promise<readonly { readonly agent: string; readonly uri: string }[]>;
    keep(task: string, agent: AgentName, uri: string): Promise<void>;
  };
  /** Commit or tree at which the knowledge base of the project is read; null where it has none. */
  readonly knowledge: string | null;
  /** Pointers of the rungs 4, 5 and 6. */
  readonly pointers: (rung: 4 | 5 | 6, view: CodeView) => Promise<readonly Candidate[]>;
}
