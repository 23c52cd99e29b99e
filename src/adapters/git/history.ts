/** What the history of a repository says of a change: who wrote it, who touched its lines last, what used to change together. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PastChange } from '../../core/context/packing/pointers.ts';
import type { Commit } from '../../core/context/packing/rungs.ts';
import { ifUserError, inputError, usageError } from '../../core/errors.ts';
import { compareTexts } from '../../core/text.ts';
import { type Change, type PullRequest, titleOfPull } from '../../core/words/change.ts';
import { readPlainFile, readPlainText } from '../system/given-file.ts';
import type { Shadow } from './git-folder.ts';
import { type GitPerson, askGit, firstLine, runGit } from './git-process.ts';
import type { OpenedGit } from './object-reader.ts';
import { type Endpoints, findCommit, partingOf, short, verify } from './revision.ts';

/** Null where the history cannot be followed, or not in a short time: it is a hint, no outcome depends on it. */
async function readLog({ shadow: { program } }: OpenedGit, words: readonly string[]) {
  const output = await runGit({ ...program, timeoutMs: 5_000 }, [
    '-c',
    'core.quotePath=false',
    'log',
    '--no-color',
    ...words,
  ]).catch(() => null);
  return output?.code === 0 ? output.stdout.toString('utf8') : null;
}

/** Of a change with more commits nothing is said. */
const mostAuthored = 1_000;

/** Addresses of those who wrote its commits, none where it has no commits yet; null where that is not known. */
export async function listAuthors(
  git: OpenedGit,
  { source, base, head }: Pick<Change, 'source' | 'base' | 'head'>,
) {
  if (source === 'staged' || source === 'worktree') return [];
  if (source !== 'range' || base === null || head === null) return null;
  const words = ['--format=%ae', `--max-count=${mostAuthored}`, head, `^${base}`, '--'];
  const authors = ((await readLog(git, words)) ?? '').split('\n').filter(Boolean);
  return authors.length === 0 || authors.length === mostAuthored ? null : [...new Set(authors)];
}

/** The address that commits of this person would carry; null where git knows none. */
export async function ownAddress({ shadow }: OpenedGit, person: GitPerson) {
  const { code, stdout } = await runGit(shadow.program, ['var', 'GIT_AUTHOR_IDENT'], {
    as: person,
  });
  return code === 0 ? (/<([^<>]+)>/.exec(stdout.toString('utf8'))?.[1] ?? null) : null;
}

/** How far back is looked, along the first parents: a long history is not walked to its end. */
const mostGenerations = 3_000;
const mostCommits = 200;
const mostPaths = 100;
/** Larger commits move things about: they say nothing of what belongs together. */
const mostFiles = 40;

/** Latest first, merges left out; empty when the history cannot be read. `before`: a commit; null: the current one. */
export async function listPastChanges(
  git: OpenedGit,
  before: string | null,
  paths: readonly string[],
): Promise<readonly PastChange[]> {
  const named = before ?? git.shadow.references.head;
  const commit = named === null ? null : await findCommit(git, named);
  if (commit === null || paths.length === 0) return [];
  const text = await readLog(git, [
    `--max-count=${mostCommits}`,
    '--min-parents=1',
    '--max-parents=1',
    '--no-renames',
    '--name-only',
    '--full-diff',
    '--format=%x01',
    // A shorter history has no such commit.
    '--ignore-missing',
    commit,
    `^${commit}~${mostGenerations}`,
    '--',
    ...paths.slice(0, mostPaths),
  ]);
  // Git puts a name with a line break or a quote into quotes: nobody points at those.
  return (text ?? '')
    .split('\u0001')
    .slice(1)
    .map(record => ({ files: record.split('\n').filter(line => /^[^"]/.test(line)) }))
    .filter(({ files }) => files.length > 0 && files.length <= mostFiles);
}

/** Following lines through a long history takes its time: only so many places are followed. */
const mostPlaces = 3;

/** Who touched some lines last. Empty when the history cannot be followed. The commit itself is left out. */
export async function listLastCommits(
  git: OpenedGit,
  commit: string,
  ranges: readonly { path: string; start: number; end: number }[],
  most: number,
) {
  const found = new Map<string, Commit>();
  for (const { path, start, end } of ranges.slice(0, mostPlaces)) {
    // A path with a colon or a line break cannot be written in this option.
    if (/[:\n]/.test(path)) continue;
    const text = await readLog(git, [
      `--max-count=${most + 1}`,
      '-s',
      '--date=short',
      '--format=%x01%H%x00%cd%x00%s%x00%b%x02',
      `-L${start},${end}:${path}`,
      commit,
    ]);
    for (const past of parseCommits(text ?? '')) if (past.id !== commit) found.set(past.id, past);
  }
  return [...found.values()]
    .toSorted((one, other) => compareTexts(other.date, one.date))
    .slice(0, most);
}

function parseCommits(text: string) {
  // oxlint-disable-next-line no-control-regex -- what git puts around records here cannot stand in a message
  return [...text.matchAll(/\u0001([0-9a-f]+)\0([^\0]*)\0([^\0]*)\0([^\u0002]*)\u0002/g)].map(
    ([, id = '', date = '', title = '', body = '']) => {
      const start = body.trim().replace(/\s+/g, ' ').slice(0, 300);
      const sentence = (/^.*?[.!?](?=\s|$)/s.exec(start)?.[0] ?? '').slice(0, 120);
      return { id, date, title: title.slice(0, 120), sentence };
    },
  );
}

/** Merges hold what their sides hold, and what a person made of both is seen where the end is looked at. */
export async function commitsSince(
  { shadow }: OpenedGit,
  base: string | null,
  head: string,
  most: number,
) {
  const behind = base === null ? [] : [`^${base}`];
  const listed = await askGit(
    shadow.program,
    ['rev-list', '--no-merges', `--max-count=${most}`, '--end-of-options', head, ...behind],
    `The commits before ${short(head)} cannot be read`,
  );
  return listed.toString('utf8').split('\n').filter(Boolean);
}

// Brings the commits of a pull request into the engine's own git directory, from a server or from a file. The repository of the
// user is neither written nor asked: no hook, no configuration, no helper for passwords, no submodule takes part.

/** A file of commits that is longer is refused before it is read. */
const mostPackBytes = 64 * 1024 * 1024;

/** How much history is asked for, in turn, where the clone is shallow. */
const depths = [50, 1_000, 20_000] as const;

/** What fetching may take; the time of a command that stays on this machine is shorter. */
const fetchMs = 600_000;

/** From where the pull request left its base. Throws `UserError` for what cannot be had. */
export async function resolvePull(
  git: OpenedGit,
  pull: PullRequest,
  token: string | null,
): Promise<Endpoints> {
  const { shadow } = git;
  const { base, head } = pull;
  if (pull.pack !== null) return resolvePacked(git, pull, pull.pack, token);
  if (!shadow.format.shallow) {
    await fetchMissing(shadow, pull, [base, head], token);
    return endpointsOf(git, pull);
  }
  await copyShallow(shadow);
  const hasBoth = (await missingOf(shadow, [base, head])).length === 0;
  for (const depth of hasBoth ? [null, ...depths] : depths) {
    if (depth !== null) await fetchInto(shadow, { pull, wanted: [base, head], token, depth });
    const found = await endpointsOf(git, pull).catch(ifUserError(null));
    if (found) return found;
  }
  throw inputError(
    `Where ${titleOfPull(pull)} left its base is not within its last ${depths.at(-1)} commits, and this clone is shallow.`,
    'Fetch the whole history: git fetch --unshallow, or fetch-depth: 0 of actions/checkout.',
  );
}

function endpointsOf(git: OpenedGit, pull: PullRequest) {
  const { base: from, head } = pull;
  return partingOf(git, { from, head, names: ['its base', titleOfPull(pull)] });
}

/** What was packed as data stays data: nothing of its author is fetched besides. */
async function resolvePacked(
  git: OpenedGit,
  pull: PullRequest,
  file: string,
  token: string | null,
) {
  const { shadow } = git;
  if (shadow.format.shallow)
    throw inputError(
      'This clone is shallow, and the packed commits stand on its history.',
      'Check out with fetch-depth: 0.',
    );
  await fetchMissing(shadow, pull, [pull.base], token);
  if (!(await isHere(shadow, pull.head))) await unpack(shadow, pull, file);
  return endpointsOf(git, pull);
}

/** A pack of all objects that lie behind the head and not behind the base. Throws `UserError` for one that would be too large. */
export async function packPull(git: OpenedGit, pull: PullRequest, token: string | null) {
  const ends = await resolvePull(git, pull, token);
  return askGit(
    git.shadow.program,
    'pack-objects --revs --stdout --quiet --delta-base-offset'.split(' '),
    `The commits of ${titleOfPull(pull)} cannot be packed`,
    { input: `${ends.head}\n^${ends.base}\n`, maxBytes: mostPackBytes },
  );
}

async function isHere(shadow: Shadow, id: string) {
  return (await verify(shadow, `${id}^{commit}`)) !== null;
}

async function missingOf(shadow: Shadow, ids: readonly string[]) {
  const here = await Promise.all(ids.map(id => isHere(shadow, id)));
  return ids.filter((_, index) => !here[index]);
}

/** Where history ends here, so that git neither misses what lies behind it nor believes that it is there. */
async function copyShallow({ source, program }: Shadow) {
  const ends = await readPlainText(join(source.common, 'shallow'), 67_108_864);
  await writeFile(join(program.folder, 'shadow', 'shallow'), ends ?? '', { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
}

async function fetchMissing(
  shadow: Shadow,
  pull: PullRequest,
  ids: readonly string[],
  token: string | null,
) {
  const wanted = await missingOf(shadow, ids);
  if (wanted.length > 0) await fetchInto(shadow, { pull, wanted, token, depth: null });
}

interface Fetching {
  pull: PullRequest;
  wanted: readonly string[];
  token: string | null;
  /** Null: with all its history. */
  depth: number | null;
}

async function fetchInto(shadow: Shadow, { pull, wanted, token, depth }: Fetching) {
  const output = await runGit(
    { ...shadow.program, timeoutMs: fetchMs },
    [
      ...careful,
      ...'fetch --quiet --no-tags --no-recurse-submodules --no-write-fetch-head --no-auto-maintenance'.split(
        ' ',
      ),
      ...(depth === null ? [] : [`--depth=${depth}`]),
      '--end-of-options',
      pull.url,
      ...wanted.map((id, index) => `+${id}:refs/jury/${index}`),
    ],
    { server: serverOf(pull.url, token) },
  );
  if (output.code !== 0) throw explainFetch(output.stderr, pull, token);
  const missing = await missingOf(shadow, wanted);
  if (missing.length > 0) throw movedOn(pull, missing);
}

/** Words before the command. What a server sends is looked through before it is kept. */
const careful = [
  // By default git asks the repository that objects are borrowed from, with its configuration, what it has.
  'core.alternateRefsCommand=:',
  'transfer.fsckObjects=true',
  // Harmless, and in the history of many a project.
  'fetch.fsck.zeroPaddedFilemode=ignore',
  'fetch.fsck.badTimezone=ignore',
  'fetch.fsck.missingSpaceBeforeDate=ignore',
  'fetch.fsck.missingNameBeforeEmail=ignore',
  'fetch.unpackLimit=1',
  'credential.helper=',
  'http.followRedirects=false',
].flatMap(setting => ['-c', setting]);

/** Only the addresses that the engine makes itself: by https, and on this very machine for a server that is tried out. */
function serverOf(url: string, token: string | null) {
  const { protocol, hostname } = new URL(url);
  const isHere = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere))
    throw usageError(`Commits are fetched by https only, not from ${url}.`);
  return {
    protocol: protocol === 'https:' ? 'https' : 'http',
    authorization:
      token === null
        ? null
        : `Basic ${Buffer.from(`x-access-token:${token}`, 'utf8').toString('base64')}`,
  } as const;
}

function explainFetch(stderr: string, pull: PullRequest, token: string | null) {
  const title = titleOfPull(pull);
  if (/not our ref|couldn't find remote ref|no such ref/i.test(stderr))
    return movedOn(pull, [pull.head]);
  if (/Authentication failed|could not read (?:Username|Password)|error: 40[13]/i.test(stderr))
    return inputError(
      `${new URL(pull.url).host} does not let the commits of ${title} be fetched.`,
      token === null
        ? 'Set GITHUB_TOKEN (or GH_TOKEN) to a token that may read its contents.'
        : 'The token in GITHUB_TOKEN (or GH_TOKEN) must be allowed to read its contents.',
    );
  const fatal = stderr.split('\n').find(line => /^(?:fatal|error):/.test(line)) ?? stderr;
  return inputError(
    `The commits of ${title} cannot be fetched: ${firstLine(fatal)}.`,
    'If the server cannot be reached now, try again later.',
  );
}

function movedOn(pull: PullRequest, missing: readonly string[]) {
  return inputError(
    `${missing.map(short).join(' and ')} of ${titleOfPull(pull)} is no longer on the server: it was pushed anew.`,
    'Review it again, as it is now.',
  );
}

/** Every object is hashed by git and looked through; what it does not hold is missing later, and said so. */
async function unpack(shadow: Shadow, pull: PullRequest, file: string) {
  const bytes = await readPlainFile(file, mostPackBytes);
  if (!bytes)
    throw inputError(
      `The packed commits of ${titleOfPull(pull)} cannot be read, or are longer than ${mostPackBytes / 1_048_576} MiB.`,
    );
  await askGit(
    shadow.program,
    ['index-pack', '--stdin', '--strict', `--max-input-size=${mostPackBytes}`],
    `What was packed for ${titleOfPull(pull)} is no sound pack of git`,
    { input: bytes },
  );
  if (!(await isHere(shadow, pull.head)))
    throw inputError(
      `What was packed for ${titleOfPull(pull)} does not hold its head ${short(pull.head)}.`,
    );
}
