/** The run folder, `runs/<id>/` in the state of a project: every file of a run, private to the user, each write whole or not at all. */
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { inputError, usageError } from '../../core/errors.ts';
import { remember } from '../../core/groups.ts';
import { parseJson } from '../../core/json.ts';
import type { Disk } from '../../core/ports/runner.ts';
import type { RunStore } from '../../core/ports/steps.ts';
import { processes } from '../../core/process.ts';
import { runIdPattern } from '../../core/run-files/run-record.ts';
import { type VerdictRow, listVerdict } from '../../core/run-files/review-file.ts';
import { Subject } from '../../core/words/change.ts';
import { ReviewerId } from '../../core/settings.ts';
import { Review } from '../../core/words/review.ts';
import { type Run, RunRecord } from '../../core/words/run.ts';
import { isMissing, whyShared } from '../system/disk.ts';
import {
  codeOf,
  explained,
  isTemporary,
  makeFolders,
  pardon,
  readOrWhy,
  withFile,
  writeAtomically,
  readMended,
  appendDurably,
} from './atomic-write.ts';
import type { StateFolder, Storage } from './storage.ts';
import pLimit from 'p-limit';

/** Where runs lie: this machine's own, and those that were brought from elsewhere, which nothing is decided by. */
export type RunsKind = 'runs' | 'imported';

/** Folder that holds the runs. */
export function runsFolder({ root }: Pick<StateFolder, 'root'>, kind: RunsKind = 'runs') {
  return join(root, kind);
}

/** Creates the folder of a new run. Throws `UserError` (kind `input`) when the disk refuses, or the run exists already. */
export async function createRunFolder(
  state: StateFolder,
  runId: string,
  kind: RunsKind = 'runs',
): Promise<RunStore> {
  checkRunId(runId);
  const path = join(runsFolder(state, kind), runId);
  await explained({ path }, async () => {
    const isNew = await makeFolders(state.disk, state.root, [kind, runId]);
    if (!isNew)
      throw inputError(
        `Run ${runId} exists already.`,
        `To go on with it, run "jury resume ${runId}".`,
      );
  });
  return createStore(state, path, runId);
}

/** Opens the folder of an earlier run by its whole id; `findRun` turns what a person typed into one. */
export async function openRunFolder(
  state: StateFolder,
  runId: string,
  kind: RunsKind = 'runs',
): Promise<RunStore> {
  checkRunId(runId);
  const folder = join(runsFolder(state, kind), runId);
  if ((await state.disk.status(folder))?.kind !== 'folder')
    throw inputError(`There is no run ${runId}.`, 'List the runs with "jury runs".');
  return createStore(state, folder, runId);
}

function checkRunId(runId: string) {
  if (!runIdPattern.test(runId))
    throw inputError(
      `${JSON.stringify(runId)} is not the id of a run.`,
      'List the runs with "jury runs".',
    );
}

/** Every path is checked by name before the disk is touched. Throws `UserError` when the disk refuses. */
function createStore(state: StateFolder, folder: string, runId: string): RunStore {
  const place = { path: folder, again: `run "jury resume ${runId}"` };

  const prepare = async (path: string) => {
    const names = namesOf(path);
    // Refuses a path of which a name differs from one on the disk in upper and lower case only: on
    // many disks the two are one file.
    for (const [index, name] of names.entries()) {
      const above = names.slice(0, index);
      const twin = (await namesIn(state.disk, join(folder, ...above))).find(
        other => other !== name && other.toLowerCase() === name.toLowerCase(),
      );
      if (twin !== undefined)
        throw refuse(
          names.join('/'),
          `"${[...above, twin].join('/')}" exists and differs in upper and lower case only`,
        );
    }
    await makeFolders(state.disk, folder, names.slice(0, -1));
    return join(folder, ...names);
  };
  const appenderOf = remember((path: string) => createAppender(state, () => prepare(path)));
  return {
    runId,
    folder,
    copies: null,
    write: (path, text) =>
      explained(place, async () => writeAtomically(state, await prepare(path), text)),
    append: (path, line) => explained(place, () => appenderOf(path)(line)),
    read: path => explained(place, () => readText(state, join(folder, ...namesOf(path)))),
    list: path =>
      explained(place, () =>
        listFiles(
          state.disk,
          path === '' || path === '.' ? folder : join(folder, ...namesOf(path)),
        ),
      ),
  };
}

/** Null for what is not there; a link is a fault. */
async function readText({ disk }: StateFolder, path: string) {
  const file = await disk.open(path, 'read').catch(pardon(isMissing, null));
  if (!file) return null;
  const bytes = await withFile(file, opened => opened.read());
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

async function listFiles(disk: Disk, folder: string) {
  return (await entriesIn(disk, folder))
    .filter(({ name, kind }) => kind === 'file' && !isTemporary(name))
    .map(({ name }) => name)
    .sort();
}

// Reads the verdict files of any folder, Jury's own or that of another tool.

/** No verdict file is larger; what is, is none. */
const mostBytesOfVerdict = 1_048_576;

export interface VerdictFolder {
  readonly dir: string;
  readonly isMissing: boolean;
  /** In byte order of the file names. */
  readonly rows: readonly VerdictRow[];
  /** Agents whose detail file does not exist. */
  readonly lost: ReadonlySet<string>;
}

/** Throws `UserError` (kind `input`) for a folder that cannot be read; one that is missing is empty. */
export async function readVerdicts(disk: Disk, dir: string): Promise<VerdictFolder> {
  const isMissing = (await disk.status(dir).catch(() => undefined)) === null;
  const names = isMissing ? [] : await listNamed(disk, dir, 'the verdict files');
  const files = names
    .filter(name => name.endsWith('.json') && !name.startsWith('.'))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const rows: VerdictRow[] = [];
  const lost = new Set<string>();
  for (const file of files) {
    const read = await readOrWhy(disk, join(dir, file), mostBytesOfVerdict);
    const row = listVerdict(
      typeof read === 'string'
        ? { file, problem: read.replace(/^is /, '') }
        : { file, text: new TextDecoder().decode(read) },
    );
    rows.push(row);
    if (!(await hasDetail(disk, dir, row))) lost.add(row.agent);
  }
  return { dir, isMissing, rows, lost };
}

/** A relative path may be meant from the folder or from where the caller stands; an agent may have written what no file can be called. */
async function hasDetail(disk: Disk, dir: string, { detailPath, verdict }: VerdictRow) {
  if (detailPath === null || !verdict) return detailPath !== null;
  const places = [resolve(dir, detailPath), resolve(detailPath)];
  const found = await Promise.all(places.map(place => disk.status(place).catch(() => null)));
  return found.some(status => status !== null);
}

// Reads a run folder that somebody else may have made: a CI artifact, the `.jury` of version 0.1. Every file is data: no link is
// followed, nothing but plain files of this user up to a size is opened, names are checked before they become paths, and what no
// schema knows is left behind.

type Foreign = Pick<Storage, 'disk' | 'processes'>;

export type ForeignRun = Pick<Run, 'record' | 'reviews' | 'subject'> & {
  /** What reviewers wrote, by their ids. */
  readonly written: ReadonlyMap<string, string>;
};

/** Why there is no such run to be had: a sentence without its end. */
export type Refused = { readonly why: string };

/** Far more than Jury writes. */
const mostBytes = { record: 32 << 20, subject: 128 << 20, review: 32 << 20, written: 16 << 20 };
const mostReviewers = 200;

/** One folder with `report.json`, `subject.json`, `raw/<reviewer>.json` and, as far as they are there, `reviews/<reviewer>.md`. */
export async function readForeignRun(from: Foreign, folder: string): Promise<ForeignRun | Refused> {
  const problem = await whyNoFolder(from, folder);
  if (problem !== null) return { why: problem };
  const record = await readChecked(from, folder, 'report.json', RunRecord, mostBytes.record);
  if ('why' in record) return record;
  const reviewers = record.value.reviewers.map(({ id }) => id);
  const unfit = whyUnfit(record.value, reviewers);
  if (unfit !== null) return { why: unfit };
  const subject = await readChecked(from, folder, 'subject.json', Subject, mostBytes.subject);
  if ('why' in subject) return subject;
  const reviews: Review[] = [];
  const written = new Map<string, string>();
  for (const id of reviewers) {
    if ((await whyNoFolder(from, join(folder, 'raw'))) !== null)
      return { why: 'raw/ is no folder of this user' };
    const review = await readChecked(from, folder, `raw/${id}.json`, Review, mostBytes.review);
    if ('why' in review) return review;
    if (review.value.reviewer !== id) return { why: `raw/${id}.json is the review of another` };
    reviews.push(review.value);
    if ((await whyNoFolder(from, join(folder, 'reviews'))) !== null) continue;
    const file = join(folder, 'reviews', `${id}.md`);
    const text = await readOrWhy(from.disk, file, mostBytes.written, from.processes.user);
    if (typeof text !== 'string') written.set(id, new TextDecoder().decode(text));
  }
  return { record: record.value, subject: subject.value, reviews, written };
}

/** Null for a folder of this user; a link is none. */
export async function whyNoFolder(
  { disk, processes: { user } }: Foreign,
  folder: string,
): Promise<string | null> {
  const found = await disk.status(folder).catch(() => undefined);
  if (found === undefined) return 'it cannot be read';
  if (!found) return 'there is no such folder';
  if (found.kind !== 'folder') return found.kind === 'link' ? 'it is a link' : 'it is no folder';
  return whyShared(found, user)?.kind === 'foreign' ? 'it belongs to another user' : null;
}

function whyUnfit({ run, command }: RunRecord, reviewers: readonly string[]) {
  if (!runIdPattern.test(run)) return 'report.json does not name a run';
  if (!processes.some(({ name }) => name === command)) return 'it is of a process nobody knows';
  if (reviewers.length > mostReviewers) return `it has more than ${mostReviewers} reviewers`;
  if (new Set(reviewers.map(id => id.toLowerCase())).size < reviewers.length)
    return 'two of its reviewers have one name';
  const fits = reviewers.every(
    id => ReviewerId.safeParse(id).success && whyNoName(`${id}.json`) === null,
  );
  return fits ? null : 'the id of a reviewer is no name of a file';
}

/** As the schema has it, or why it is not there. That others can read it is how artifacts come. */
async function readChecked<Schema extends z.ZodType>(
  { disk, processes: { user } }: Foreign,
  folder: string,
  name: string,
  schema: Schema,
  most: number,
): Promise<{ value: z.output<Schema> } | Refused> {
  const read = await readOrWhy(disk, join(folder, name), most, user);
  if (typeof read === 'string') return { why: `${name} ${read}` };
  const { data } = schema.safeParse(parseJson(new TextDecoder().decode(read)));
  return data === undefined ? { why: `${name} is damaged, or no such record` } : { value: data };
}

// Which names may become files of a run. Anything else is refused before anything is written.

/** The arrow separates the two agents of a handoff. 220 leaves room for two agent names and for temporary names. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._→-]{0,219}$/;

/** Names Windows keeps for devices, with any extension. */
const devicePattern = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Splits a relative path with slashes into its names. Throws `UserError` for one that may not be written. */
export function namesOf(path: string) {
  const names = path.split('/');
  for (const name of names) {
    const why = whyNoName(name);
    if (why !== null) throw refuse(path, why);
  }
  return names;
}

/** Why one name may not be that of a file or a folder; null where it may. */
function whyNoName(name: string) {
  if (!namePattern.test(name))
    return 'a name must start with a letter or digit and hold only letters, digits, ".", "_" and "-"';
  if (name.endsWith('.')) return 'a name must not end with a dot';
  if (devicePattern.test(name)) return `"${name}" is a name that Windows keeps for a device`;
  return null;
}

function refuse(path: string, why: string) {
  return usageError(
    `${JSON.stringify(path)} cannot be a file of the run: ${why}.`,
    'Choose another name for the reviewer.',
  );
}

// The names in a folder; none where there is no folder.

export async function namesIn(disk: Disk, folder: string) {
  return (await entriesIn(disk, folder)).map(({ name }) => name);
}

export async function entriesIn(disk: Disk, folder: string) {
  return disk.list(folder).catch(pardon(isMissing, []));
}

/**
 * Names in a folder that a person has named; `holds`: what it is to hold. Throws `UserError` (kind `input`) for one that cannot be
 * read.
 */
export async function listNamed(disk: Disk, folder: string, holds: string) {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such folder',
    ENOTDIR: 'it is a file',
    EACCES: 'permission denied',
  };
  const entries = await disk.list(folder).catch((error: unknown) => {
    const code = String(codeOf(error));
    throw inputError(
      `The folder ${folder} cannot be read: ${reasons[code] ?? code}.`,
      `Name the folder that holds ${holds}.`,
      error,
    );
  });
  return entries.map(({ name }) => name).toSorted();
}

// Appends lines to a file one after another, each durable before the promise resolves, and mends a tail torn by a crash.

/**
 * One appender for a file and process; lines land in the order of the calls. `prepare` yields the path and is asked before
 * the first line. A torn last line, left by a crash, is then copied to `quarantine/` beside the file and cut; a line that
 * cannot be written whole is cut again.
 */
function createAppender(
  storage: Storage,
  prepare: () => Promise<string>,
): (line: string) => Promise<void> {
  let path: string | null = null;
  // Goes on after a failure; who appended that line has been told.
  const inTurn = pLimit(1);
  const append = async (line: string) => {
    if (path === null) {
      const prepared = await prepare();
      await readMended(storage, prepared);
      path = prepared;
    }
    await appendDurably(storage.disk, path, `${line}\n`);
  };
  return line => {
    if (line.includes('\n')) throw new Error('A line to append must not hold a line break.');
    return inTurn(append, line);
  };
}
