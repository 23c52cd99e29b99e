/** Which files of a change some paths mean: files, folders and patterns as git understands them, from where the caller stands. */
import { realpath } from 'node:fs/promises';
import { posix, relative, sep } from 'node:path';
import { inputError, usageError } from '../../core/errors.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import { firstLine, runGit } from './git-process.ts';
import { showName } from './revision.ts';
import type { Session } from './session.ts';
import { decodeName, splitZero } from './names.ts';

interface Limited {
  /** Commits or trees by full id; null each for a patch. */
  readonly base: string | null;
  readonly head: string | null;
  readonly files: readonly ChangedFile[];
}

/** Paths of the files that are meant, in the order of the change; a renamed file by either name. Throws `UserError` for a path outside. */
export async function choosePaths(
  session: Session,
  paths: readonly string[],
  { base, head, files }: Limited,
) {
  const prefix = await prefixOf(session);
  const places = paths.map(path => placeOf(path, prefix));
  const isMeant =
    base === null || head === null
      ? await matchPlaces(places)
      : await matchByGit(session, places, { base, head });
  return files
    .filter(({ path, oldPath }) => isMeant(path) || (oldPath !== null && isMeant(oldPath)))
    .map(({ path }) => path);
}

/** One word for git, whatever the path holds. */
interface PathPlace {
  /** Relative to the top; empty: everything. */
  readonly place: string;
  /** What git calls magic: `exclude`, `icase`, … */
  readonly magic: readonly string[];
}

async function prefixOf({ here, folder }: Session) {
  if (folder?.root === undefined || folder.root === null) return '';
  return relative(folder.root, await realpath(here))
    .split(sep)
    .join('/');
}

/** `:(exclude)x`, `:!x` and `:/x` are git's own words for paths. */
function placeOf(path: string, prefix: string): PathPlace {
  const [, long, short = '', rest = ''] =
    /^:(?:\(([^)]*)\)|([!^/]*):?)(.*)$/s.exec(path) ?? ([null, undefined, '', path] as const);
  const words = [
    ...(long ?? '').split(',').filter(word => word !== ''),
    ...(/[!^]/.test(short) ? ['exclude'] : []),
  ];
  const isFromTop = words.includes('top') || short.includes('/');
  const place = posix.join(isFromTop ? '' : prefix, rest.split(sep).join('/'));
  if (place === '..' || place.startsWith('../') || place.startsWith('/'))
    throw inputError(`${showName(path)} is outside of the repository.`);
  return {
    place: place === '.' || place === './' ? '' : place,
    magic: words.filter(word => word !== 'top'),
  };
}

type IsMeant = (path: string) => boolean;

async function matchByGit(
  session: Session,
  places: readonly PathPlace[],
  { base, head }: { readonly base: string; readonly head: string },
): Promise<IsMeant> {
  const { shadow } = await session.open();
  const words = [
    ...'diff-tree -r -z --name-only --no-renames --end-of-options'.split(' '),
    base,
    head,
    '--',
    ...places.map(({ place, magic }) => `:(${['top', ...magic].join(',')})${place}`),
  ];
  const { code, stdout, stderr } = await runGit(shadow.program, words, { patterns: true });
  if (code !== 0) throw usageError(`The paths cannot be read: ${firstLine(stderr)}.`);
  const names = new Set(splitZero(stdout).map(decodeName));
  return path => names.has(path);
}

/** Of a patch there are no trees that git could look into. */
async function matchPlaces(places: readonly PathPlace[]): Promise<IsMeant> {
  const { default: picomatch } = await import('picomatch');
  const matchers = places.map(({ place, magic }) => {
    const folder = place === '' ? '' : `${place.replace(/\/$/, '')}/`;
    const isGlob = picomatch(place === '' ? '**' : place, { dot: true, bash: true });
    return {
      isExcluded: magic.includes('exclude'),
      matches: (path: string) => path === place || path.startsWith(folder) || isGlob(path),
    };
  });
  const wanted = matchers.filter(({ isExcluded }) => !isExcluded);
  const unwanted = matchers.filter(({ isExcluded }) => isExcluded);
  return path =>
    (wanted.length === 0 || wanted.some(({ matches }) => matches(path))) &&
    !unwanted.some(({ matches }) => matches(path));
}
