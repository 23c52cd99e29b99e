/** Dependencies that a change brings in, takes out or moves to another version, and lockfiles that do not go with their manifest. */
import { isLockfile, isManifestOf } from '../../languages/lockfiles.ts';
import { isExamplePath } from '../../languages/path-kinds.ts';
import type { ChangedText, SideLine } from './changed-lines.ts';
import { type Entry, entryIn, type Reader, readerOf } from './manifests.ts';
import { countOf, listPlaces, type Risk, type RiskMaterial } from './risk.ts';
import { folderOf } from '../../text.ts';
import type { Place } from '../changed-names.ts';

export function findDependencies(texts: readonly ChangedText[], material: RiskMaterial): Risk[] {
  const paths = material.files.map(({ path }) => path);
  const own = new Set(material.files.flatMap(({ path }) => ownNames(material.linesOf(path), path)));
  const moves = texts.flatMap(text => {
    const reader = text.status === 'deleted' ? undefined : readerOf(text.path);
    return reader === undefined ? [] : movesIn(text, reader, material);
  });
  const weighty = moves.filter(({ name, isIndirect }) => !own.has(name) && !isIndirect);
  const product = weighty.filter(({ path }) => !isExamplePath(path));
  return [
    ...manifestRisk(product.length > 0 ? product : weighty, material),
    ...locksAlone(paths, material),
  ];
}

interface Move {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** As written; both null never. */
  readonly from: string | null;
  readonly to: string | null;
  readonly change: 'adds' | 'takes out' | 'moves';
  /** Asked for by a dependency, not by the project. */
  readonly isIndirect: boolean;
  readonly evidence: readonly string[];
}

function movesIn(text: ChangedText, reader: Reader, { linesOf, oldLinesOf }: RiskMaterial): Move[] {
  const { path } = text;
  const [now, old] = [linesOf(path), oldLinesOf(path)];
  const entries = (
    list: readonly SideLine[],
    lines: readonly string[],
  ): (Entry & { readonly of: SideLine })[] =>
    list
      .filter(line => line.text.trim() !== '' && reader(line, now))
      .map(line => ({ ...entryIn(line.text, path, lines, line.number), of: line }));
  const [added, removed] = [entries(text.added, now), entries(text.removed, old)];
  const come = added.flatMap((entry): Move[] => {
    const before = removed.find(({ name }) => name === entry.name);
    if (before !== undefined && (before.version === entry.version || entry.version === null))
      return [];
    return [
      {
        path,
        line: entry.of.newLine,
        name: entry.name,
        from: before?.version ?? null,
        to: entry.version,
        change: before === undefined ? 'adds' : 'moves',
        isIndirect: indirect.test(entry.of.text),
        evidence: [...(before === undefined ? [] : [before.of.text]), entry.of.text],
      },
    ];
  });
  const gone = removed
    .filter(({ name }) => !added.some(entry => entry.name === name))
    .map((entry): Move => ({
      path,
      line: entry.of.newLine,
      name: entry.name,
      from: entry.version,
      to: null,
      change: 'takes out',
      isIndirect: indirect.test(entry.of.text),
      evidence: [entry.of.text],
    }));
  return [...come, ...gone];
}

const indirect = /\/\/\s*indirect\b/;

/** Packages of a workspace move together: that is no dependency on others. */
function ownNames(lines: readonly string[], path: string): string[] {
  if (!/(?:^|\/)(?:package\.json|Cargo\.toml)$/.test(path)) return [];
  const name = lines.map(line => /^\s{0,4}"?name"?\s*[:=]\s*"([^"]+)"/.exec(line)?.[1]);
  return name.filter(one => one !== undefined).slice(0, 1);
}

const mostMoves = 3;

/** One for the whole change: what went or came with a new major version first, each move once. */
function manifestRisk(moves: readonly Move[], material: RiskMaterial): Risk[] {
  const told = new Map<string, Move[]>();
  for (const move of moves) {
    const key = [move.change, move.name, move.from, move.to].join('\0');
    told.set(key, [...(told.get(key) ?? []), move]);
  }
  const groups = [...told.values()].toSorted((one, other) => weightOf(other[0]) - weightOf(one[0]));
  const [first] = groups.flat();
  if (first === undefined) return [];
  const listed = groups
    .slice(0, mostMoves)
    .flatMap(([one]) => (one === undefined ? [] : [describe(one)]));
  const rest = groups.length - listed.length;
  const others = [...new Set(moves.map(({ path }) => path))].filter(path => path !== first.path);
  const stale = staleLock(first.path, material);
  const users = groups
    .flatMap(([one]) => (one !== undefined && weightOf(one) > 1 ? [one] : []))
    .map(move => ({ move, imports: importsOf(move, material) }))
    .filter(({ imports }) => imports.length > 0);
  const left = users.find(({ move }) => move.change === 'takes out');
  return [
    {
      kind: 'dependency',
      path: first.path,
      line: first.line,
      sentence:
        `${first.path}:${first.line} ` +
        `${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}${left === undefined ? '' : `; ${countOf(left.imports.length, 'file')} still ${left.imports.length === 1 ? 'imports' : 'import'} ${left.move.name}: ${listPlaces(left.imports, 2)}`}${others.length === 0 ? '' : `; other manifests too: ${others[0] ?? ''}${others.length > 1 ? ` and ${others.length - 1} more` : ''}`}${stale === undefined ? '' : `; ${stale} is not changed with it`}`,
      evidence: groups.flatMap(([one]) => one?.evidence ?? []),
      action:
        stale !== undefined
          ? `Check that ${stale} still holds what ${first.path} asks for`
          : (users.map(actionOf)[0] ?? null),
    },
  ];
}

interface Use {
  readonly move: Move;
  readonly imports: readonly Place[];
}

function actionOf({ move, imports }: Use): string {
  return (
    `Check the ${countOf(imports.length, 'import')} of ${move.name}` +
    (move.to === null ? ': ' : ` against version ${bare(move.to)}: `) +
    listPlaces(imports, 3)
  );
}

function describe({ name, from, to, change }: Move): string {
  if (change === 'adds') return `adds ${name}${to === null ? '' : ` ${to}`}`;
  if (change === 'takes out') return `takes out ${name}${from === null ? '' : ` ${from}`}`;
  const step = stepOf(from, to);
  return `moves ${name} from ${from ?? 'any version'} to ${to ?? 'any version'}${step === 'other' ? '' : ` (${step})`}`;
}

/** What went first, then what may break, then what came, then the small steps. */
function weightOf(move: Move | undefined): number {
  if (move === undefined) return 0;
  if (move.change === 'takes out') return 3;
  if (move.change === 'adds') return 1;
  return stepOf(move.from, move.to) === 'other' ? 0 : 2;
}

type Step = 'another major version' | 'backwards' | 'no longer pinned' | 'other';

function stepOf(from: string | null, to: string | null): Step {
  if (from === null || to === null) return from !== null ? 'no longer pinned' : 'other';
  if (isExact(from) && !isExact(to) && /^(?:\*|latest|>=?)/.test(to)) return 'no longer pinned';
  const [old, now] = [numbersIn(from), numbersIn(to)];
  if (old === null || now === null) return 'other';
  const at = old.findIndex((number, index) => number !== (now[index] ?? 0));
  if (at === -1) return 'other';
  if ((now[at] ?? 0) < (old[at] ?? 0)) return 'backwards';
  return at === 0 ? 'another major version' : 'other';
}

function numbersIn(version: string): readonly number[] | null {
  const found = /\d+(?:\.\d+)*/.exec(version)?.[0];
  return found === undefined ? null : found.split('.').map(Number);
}

function isExact(version: string): boolean {
  return /^(?:={1,3}\s*)?v?\d+\.\d+/.test(version);
}

function bare(version: string): string {
  return version.replace(/^[~^<>=!v\s]+/, '');
}

const mostFilesAsked = 4_000;

/** Files of the new tree that import it by that name. */
function importsOf(
  { name, path: manifest, change }: Move,
  { view, linesOf }: RiskMaterial,
): Place[] {
  const names = new Set([name, name.toLowerCase().replaceAll('-', '_'), name.replaceAll('-', '/')]);
  // It may only have gone to another list of the same manifest.
  if (change === 'takes out' && linesOf(manifest).some(line => line.includes(`"${name}"`)))
    return [];
  const folder = folderOf(manifest);
  const within = view.paths.filter(
    path => (folder === '' || path.startsWith(`${folder}/`)) && !isExamplePath(path),
  );
  return within.slice(0, mostFilesAsked).flatMap(path => {
    const found = view
      .importsOf(path)
      .find(
        ({ specifier, targets }) =>
          targets.length === 0 &&
          [...names].some(
            one =>
              specifier === one ||
              (specifier.startsWith(one) && /^[/.:]/.test(specifier.slice(one.length))),
          ),
      );
    return found === undefined ? [] : [{ path, line: found.startLine }];
  });
}

function staleLock(path: string, material: RiskMaterial): string | undefined {
  const lock = besideIt(path, material, one => isManifestOf(path, one));
  return material.files.some(one => one.path === lock) ? undefined : lock;
}

function besideIt(
  path: string,
  { view, skipped }: RiskMaterial,
  isMeant: (other: string) => boolean,
): string | undefined {
  return [...view.paths, ...skipped.keys()].find(
    one => folderOf(one) === folderOf(path) && isMeant(one),
  );
}

/** A lockfile whose manifest, in its folder or anywhere for workspaces, says the same as before. */
function locksAlone(paths: readonly string[], material: RiskMaterial): Risk[] {
  return material.files.flatMap(({ path, status, additions, deletions }) => {
    if (!isLockfile(path) || status === 'added' || status === 'deleted') return [];
    if (paths.some(one => isManifestOf(one, path))) return [];
    const manifest = besideIt(path, material, one => isManifestOf(one, path));
    // Without one nobody can tell that it should have changed.
    if (manifest === undefined) return [];
    return [
      {
        kind: 'dependency' as const,
        path,
        line: null,
        sentence: `${path} changes (+${additions} −${deletions}) while ${manifest} does not: what is installed becomes another`,
        evidence: [path],
        action: `Check which packages ${path} moves, and from where they come`,
      },
    ];
  });
}
