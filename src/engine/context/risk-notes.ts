/** What a pack says of the risks of its part of a change, and what to do next about them: few of each, the gravest first. */
import { computeRisks } from '../../core/context/risks.ts';
import type { Risk } from '../../core/context/risk-lines.ts';
import { type ChangedPiece, piecesOf } from '../../core/context/packing/line-range.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import type { Before, ContextSources } from './context-texts.ts';

interface RiskNotes {
  readonly notes: readonly string[];
  readonly actions: readonly string[];
}

interface Part {
  readonly files: readonly ChangedFile[];
  /** Undefined: all of the change. */
  readonly pieces?: readonly ChangedPiece[];
  /** Tokens of the whole pack. */
  readonly budget: number;
}

const mostNotes = 8;
const mostOfOneKind = 3;
const mostActions = 5;
/** Of a pack, for notes and for actions: what is told of the code must not push out the code. */
const shares = { notes: 1 / 8, actions: 1 / 16 };

/** The first note and the first action are always told. Secrets are taken out. */
export async function tellRisks(part: Part, sources: ContextSources): Promise<RiskNotes> {
  const risks = ofPart(await risksOf(part.files, sources), part);
  const chosen: Risk[] = [];
  for (const risk of risks)
    if (
      chosen.length < mostNotes &&
      chosen.filter(({ kind }) => kind === risk.kind).length < mostOfOneKind
    )
      chosen.push(risk);
  const { texts, skipped } = sources;
  const within = (lines: readonly string[], share: number): string[] => {
    let left = part.budget * share;
    return lines.filter((line, index) => {
      const tokens = sources.count(`- ${line}\n`);
      const isTold = index === 0 || tokens <= left;
      if (isTold) left -= tokens;
      return isTold;
    });
  };
  const masked = (lines: readonly string[]): Promise<string[]> =>
    Promise.all(lines.map(texts.mask));
  const notes = within(await masked(chosen.map(({ sentence }) => sentence)), shares.notes);
  const actions = within(
    await masked(
      [...new Set(chosen.flatMap(({ action }) => (action === null ? [] : [action])))].slice(
        0,
        mostActions,
      ),
    ),
    shares.actions,
  );
  return { notes: [...notes, ...(await masked(notShown(part, skipped)))], actions };
}

const unread = {
  binary: 'binary',
  submodule: 'submodule',
  symlink: 'a link',
  'too-large': 'too large, split it or read it by hand',
} as const;
/** What no line of a file tells: where it was before, and that it may be run now. */
function headerOf({ path, oldPath, oldMode, newMode }: ChangedFile): readonly string[] {
  if (oldPath !== null) return ['have other names than before', `${path} was ${oldPath}`];
  const isChanged = oldMode !== newMode && !/^0+$/.test(oldMode) && !/^0+$/.test(newMode);
  return isChanged
    ? ['have another mode than before', `${path} has mode ${newMode} and had ${oldMode}`]
    : [];
}

/** More files of one reason are counted. */
const mostNamed = 3;

/** What the change holds and the pack cannot quote. */
function notShown({ files, pieces }: Part, skipped: ReadonlyMap<string, string>): string[] {
  const own = new Set(pieces?.map(({ path }) => path));
  const isFirst = pieces === undefined || startsWithFirst(files, own);
  const groups = new Map<string, { readonly path: string; readonly line: string }[]>();
  for (const file of files) {
    const { path, status, content, additions, deletions } = file;
    const reason = skipped.get(path);
    const isOther = !isFirst && !own.has(path);
    const [group, line] =
      isOther ||
      (pieces !== undefined &&
        content === 'text' &&
        file.hunks.length > 0 &&
        status !== 'deleted' &&
        !own.has(path) &&
        reason === undefined)
        ? []
        : status === 'deleted'
          ? ['are deleted', `${path} is deleted`]
          : content !== 'text'
            ? [`are not shown: ${unread[content]}`, `${path} is not shown: ${unread[content]}`]
            : reason === undefined
              ? headerOf(file)
              : [
                  `are not shown: ${reason}`,
                  `${path} is not shown: ${reason}, ${additions + deletions} changed lines`,
                ];
    if (group !== undefined && line !== undefined)
      groups.set(group, [...(groups.get(group) ?? []), { path, line }]);
  }
  return [...groups].flatMap(([group, entries]) =>
    entries.length <= mostNamed
      ? entries.map(({ line }) => line)
      : [
          `${entries.length} files ${group}: ${entries
            .slice(0, mostNamed)
            .map(({ path }) => path)
            .join(', ')} and ${entries.length - mostNamed} more`,
        ],
  );
}

const known = new WeakMap<ContextSources, Map<readonly ChangedFile[], Promise<readonly Risk[]>>>();

/** Several packs of one change share them. */
function risksOf(files: readonly ChangedFile[], sources: ContextSources): Promise<readonly Risk[]> {
  const asked = known.get(sources) ?? new Map<readonly ChangedFile[], Promise<readonly Risk[]>>();
  known.set(sources, asked);
  const risks = asked.get(files) ?? compute(files, sources);
  asked.set(files, risks);
  return risks;
}

async function compute(
  files: readonly ChangedFile[],
  { view, texts, skipped, before }: ContextSources,
): Promise<readonly Risk[]> {
  const read = files.filter(
    ({ path, content, status }) => content === 'text' && status !== 'deleted' && !skipped.has(path),
  );
  const [{ names, linesOf: oldLinesOf }] = await Promise.all([
    before(files),
    texts.load(read.map(({ path }) => path)),
  ]);
  await texts.load(usersOf(names));
  return computeRisks({
    files,
    names,
    secrets: read.flatMap(file => secretsIn(file, texts)),
    view,
    skipped,
    linesOf: texts.linesOf,
    oldLinesOf,
  });
}

/** Files whose lines tell whether a name of theirs is the one that changed. */
const mostUsers = 60;

function usersOf(names: Before['names']): readonly string[] {
  return [...new Set(names.flatMap(({ users }) => users.map(({ path }) => path)))].slice(
    0,
    mostUsers,
  );
}

/** Added lines of which something was taken out, the first of each that follow one another. */
function secretsIn(file: ChangedFile, texts: ContextSources['texts']) {
  return piecesOf(file)
    .flatMap(({ added }) => added)
    .filter(line => texts.secretsIn(file.path, { start: line, end: line }) > 0)
    .filter((line, index, lines) => lines[index - 1] !== line - 1)
    .map(line => ({ path: file.path, line }));
}

/** Those of its files; what no part shows goes with the first one. */
function ofPart(risks: readonly Risk[], { files, pieces }: Part): readonly Risk[] {
  if (pieces === undefined) return risks;
  const own = new Set(pieces.map(({ path }) => path));
  const isFirst = startsWithFirst(files, own);
  const shown = new Set(files.flatMap(piecesOf).map(({ path }) => path));
  const oldPaths = new Map(files.map(({ path, oldPath }) => [oldPath ?? path, path]));
  return risks.filter(({ path }) => {
    const now = oldPaths.get(path) ?? path;
    return own.has(now) || (isFirst && !shown.has(now));
  });
}

/** Is this the part that begins with the first file of the change that has lines to show? */
function startsWithFirst(files: readonly ChangedFile[], own: ReadonlySet<string>): boolean {
  const first = files.find(file => piecesOf(file).length > 0);
  return first === undefined || own.has(first.path) || own.size === 0;
}
