/** What a pack says of the risks of its part of a change, and what to do next about them: few of each, the gravest first. */
import { computeRisks } from '../../core/context/risks.ts';
import { listNames, mostListed, type Risk } from '../../core/context/risk-lines.ts';
import { piecesOf } from '../../core/context/packing/line-range.ts';
import { groupBy } from '../../core/groups.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import type { ContextSources } from './context-texts.ts';

const mostNotes = 8;
const mostOfOneKind = 3;
const mostActions = 5;
/** Of a pack, for notes and for actions: what is told of the code must not push out the code. */
const shares = { notes: 1 / 8, actions: 1 / 16 };

/** The first note and the first action are always told. Secrets are taken out. */
export async function tellRisks(
  {
    files,
    own,
    budget,
  }: {
    /** Of the whole change. */
    readonly files: readonly ChangedFile[];
    /** Those that the pack is about. */
    readonly own: readonly ChangedFile[];
    /** Tokens of the whole pack. */
    readonly budget: number;
  },
  sources: ContextSources,
): Promise<{ readonly notes: readonly string[]; readonly actions: readonly string[] }> {
  const { texts, skipped, count } = sources;
  const paths = new Set(own.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const chosen: Risk[] = [];
  for (const risk of await risksOf(files, sources))
    if (
      paths.has(risk.path) &&
      chosen.length < mostNotes &&
      chosen.filter(({ kind }) => kind === risk.kind).length < mostOfOneKind
    )
      chosen.push(risk);
  const masked = (lines: string[]): Promise<string[]> => Promise.all(lines.map(texts.mask));
  const within = async (lines: string[], share: number): Promise<string[]> => {
    let left = budget * share;
    return (await masked(lines)).filter((line, index) => {
      const tokens = count(`- ${line}\n`);
      const isTold = index === 0 || tokens <= left;
      if (isTold) left -= tokens;
      return isTold;
    });
  };
  const actions = [...new Set(chosen.flatMap(({ action }) => action ?? []))];
  const notes = chosen.map(({ sentence }) => sentence);
  return {
    notes: [...(await within(notes, shares.notes)), ...(await masked(notShown(own, skipped)))],
    actions: await within(actions.slice(0, mostActions), shares.actions),
  };
}

const unread = {
  binary: 'binary',
  submodule: 'submodule',
  symlink: 'a link',
  'too-large': 'too large, split it or read it by hand',
} as const;

/** What the change holds of a file and the pack cannot quote, in a word for several and in a line; empty where it quotes all. */
function groupOf(file: ChangedFile, reason: string | undefined) {
  const { path, oldPath, oldMode, newMode, status, content, additions, deletions } = file;
  if (status === 'deleted') return ['are deleted', `${path} is deleted`];
  if (content !== 'text')
    return [`are not shown: ${unread[content]}`, `${path} is not shown: ${unread[content]}`];
  if (reason !== undefined)
    return [
      `are not shown: ${reason}`,
      `${path} is not shown: ${reason}, ${additions + deletions} changed lines`,
    ];
  // No line tells where it was before, and that it may be run now.
  if (oldPath !== null) return ['have other names than before', `${path} was ${oldPath}`];
  return oldMode === newMode || /^0+$/.test(oldMode) || /^0+$/.test(newMode)
    ? []
    : ['have another mode than before', `${path} has mode ${newMode} and had ${oldMode}`];
}

/** More files of one reason are counted. */
function notShown(files: readonly ChangedFile[], skipped: ReadonlyMap<string, string>) {
  const entries = files.flatMap(file => {
    const [group = '', line] = groupOf(file, skipped.get(file.path));
    return line === undefined ? [] : { group, line, path: file.path };
  });
  return [...groupBy(entries, ({ group }) => group)].flatMap(([group, own]) =>
    own.length <= mostListed
      ? own.map(({ line }) => line)
      : `${own.length} files ${group}: ${listNames(own.map(({ path }) => path))}`,
  );
}

const known = new WeakMap<ContextSources, Promise<readonly Risk[]>>();

/** Several packs of one change share them. */
function risksOf(files: readonly ChangedFile[], sources: ContextSources) {
  const risks = known.get(sources) ?? compute(files, sources);
  known.set(sources, risks);
  return risks;
}

/** Files whose lines tell whether a name of theirs is the one that changed. */
const mostUsers = 60;

async function compute(
  files: readonly ChangedFile[],
  { view, texts, skipped, before }: ContextSources,
) {
  const read = files.filter(
    ({ path, content, status }) => content === 'text' && status !== 'deleted' && !skipped.has(path),
  );
  const [{ names, linesOf: oldLinesOf }] = await Promise.all([
    before(files),
    texts.load(read.map(({ path }) => path)),
  ]);
  const users = new Set(names.flatMap(one => one.users.map(({ path }) => path)));
  await texts.load([...users].slice(0, mostUsers));
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
