/** The runs of a root: listing them, finding one by what a person typed, and removing those that are old. */
import { join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import pLimit from 'p-limit';
import { z } from 'zod';
import { TokenObservation, addObservations } from '../../core/context/review-plan.ts';
import { UserError, didYouMean, inputError } from '../../core/errors.ts';
import { parseJson, toJsonText } from '../../core/json.ts';
import type { Disk } from '../../core/ports/runner.ts';
import {
  RunMemoryEntry,
  isAlive,
  runIdPattern,
  runMemoryKey,
} from '../../core/run-files/run-record.ts';
import { compareTexts } from '../../core/text.ts';
import { shortRunId } from '../../core/verdict/coverage.ts';
import { explained, makeFolders, readPlainText, writeAtomically } from './atomic-write.ts';
import { removeCopies } from './resources.ts';
import { type RunsKind, namesIn, namesOf, runsFolder } from './run-folder.ts';
import { journalName, journalsOf, readJournal } from './journal.ts';
import type { StateFolder } from './storage.ts';

const dayMs = 86_400_000;

/** Run ids, newest first; runs of one second by the birth of their folder. Empty when there is no folder of runs. */
export async function listRuns(state: StateFolder, kind: RunsKind = 'runs') {
  const folder = runsFolder(state, kind);
  const ids = (await namesIn(state.disk, folder)).filter(name => runIdPattern.test(name));
  const sorted = ids.map(secondOf).toSorted();
  const shared = new Set(sorted.filter((second, index) => second === sorted[index - 1]));
  const aged = await Promise.all(
    ids.map(async id => {
      // Of thousands of runs few began in one second.
      const status = shared.has(secondOf(id)) ? await state.disk.status(join(folder, id)) : null;
      return { id, second: secondOf(id), born: status?.bornMs ?? 0 };
    }),
  );
  return aged
    .sort(
      (one, other) =>
        compareTexts(other.second, one.second) ||
        other.born - one.born ||
        compareTexts(other.id, one.id),
    )
    .map(({ id }) => id);
}

function secondOf(id: string) {
  return id.slice(0, 16);
}

/** A minute: clocks of two machines that share a home are not quite the same. */
const skewMs = 60_000;

/** The same ids, those that began after `now` behind all others: a clock that was wrong must not make a run the latest one. */
export function withFutureLast(ids: readonly string[], now: Date) {
  const isFuture = (id: string) => startOf(id) > now.getTime() + skewMs;
  return [...ids.filter(id => !isFuture(id)), ...ids.filter(isFuture)];
}

/**
 * The run a person means: its whole id, the beginning of exactly one id, or `latest` for the one that began last. Throws
 * `UserError` (kind `input`) with the nearest ids when there is no such run, or with the candidates when there are several.
 * `among`: the runs that may be meant, newest first; default: all.
 */
export async function findRun(state: StateFolder, wanted: string, among?: readonly string[]) {
  const ids = among ?? (await listRuns(state));
  if (ids.includes(wanted)) return wanted;
  if (ids[0] === undefined)
    throw inputError(
      `There is no run under ${runsFolder(state)}.`,
      'Start one with "jury review".',
    );
  if (wanted === 'latest') return ids[0];
  const matches =
    wanted === ''
      ? []
      : ids.filter(
          id =>
            id.startsWith(wanted.toUpperCase().slice(0, 16) + wanted.slice(16).toLowerCase()) ||
            shortRunId(id) === wanted.toLowerCase(),
        );
  if (matches.length === 1 && matches[0] !== undefined) return matches[0];
  if (matches.length > 1)
    throw inputError(
      `${quote(wanted)} is the beginning of ${matches.length} runs.`,
      didYouMean(matches.slice(0, 5)),
    );
  throw inputError(
    `There is no run ${quote(wanted)}.`,
    // Of another kind of word the nearest ids are no nearer than any.
    `${/^\d{4}|^[0-9a-f]{4,6}$/i.test(wanted) ? `${didYouMean(nearest(wanted, ids)) ?? ''} ` : ''}"jury runs" lists them.`,
  );
}

/** The run whose answer a person means: as `findRun`, but `latest` is the one that answered last, which may have begun before others. */
export async function findAnsweredRun(
  state: StateFolder,
  wanted: string,
  among: readonly string[],
) {
  const answered = wanted === 'latest' ? await readLastAnswer(state) : null;
  return answered !== null && among.includes(answered) ? answered : findRun(state, wanted, among);
}

/** Removes runs that started more than `days` days before `now`; one that a process works on stays. Returns the removed ids. */
export async function removeOldRuns(state: StateFolder, days: number, now: Date) {
  const old = new Set(runsBefore(await listRuns(state), days, now));
  const imported = await importedBefore(state, days, now);
  await removeRuns(state, id => imported.includes(id), 'imported');
  return [...(await removeRuns(state, id => old.has(id))), ...imported];
}

/** Ids of the runs that were imported more than `days` days before `now`: how old they are themselves does not matter. */
export async function importedBefore(state: StateFolder, days: number, now: Date) {
  const ids = await listRuns(state, 'imported');
  const limit = now.getTime() - days * dayMs;
  const times = await Promise.all(ids.map(id => importedAt(state, id)));
  return ids.filter((_, index) => (times[index] ?? 0) < limit);
}

const ImportedRecord = z.object({ imported: z.object({ at: z.iso.datetime() }) });

/** Milliseconds since 1970; null where the import did not come to its end. */
async function importedAt(state: StateFolder, id: string) {
  const file = join(runsFolder(state, 'imported'), id, 'report.json');
  const record = await readRecord(state.disk, file, ImportedRecord, Infinity);
  return record && Date.parse(record.imported.at);
}

/** Those of the ids whose run began more than `days` days before `now`, in their order. */
export function runsBefore(ids: readonly string[], days: number, now: Date) {
  const limit = now.getTime() - days * dayMs;
  return ids.filter(id => startOf(id) < limit);
}

/** Removes every run no process works on. Returns the removed ids. */
export async function removeAllRuns(state: StateFolder) {
  const imported = await removeRuns(state, () => true, 'imported');
  return [...(await removeRuns(state, () => true)), ...imported];
}

/** Removes one that was imported, or the rest of an import that was cut off. */
export async function removeImport(state: StateFolder, id: string) {
  await removeRuns(state, each => each === id, 'imported');
}

async function removeRuns(
  state: StateFolder,
  isOld: (id: string) => boolean,
  kind: RunsKind = 'runs',
) {
  const folder = runsFolder(state, kind);
  const removed: string[] = [];
  for (const id of (await listRuns(state, kind)).filter(isOld)) {
    if (kind === 'runs' && (await journalsOf(state).isHeld(id))) continue;
    // Out of sight first: a kill in the middle must not leave half a run that still looks like one.
    await explained({ what: 'The folder of the runs', path: folder }, () =>
      state.disk.rename(join(folder, id), join(folder, `.removed-${id}-${state.processes.pid}`)),
    );
    removed.push(id);
  }
  const unseen = (await namesIn(state.disk, folder)).filter(name => name.startsWith('.removed-'));
  // The copies first: a kill in the middle must not leave any that nobody knows.
  if (kind === 'runs') {
    const copied = await Promise.all(unseen.map(name => copiedRunIn(state, name)));
    await removeCopies(state, copied.flat());
  }
  await Promise.all(unseen.map(name => state.disk.remove(join(folder, name))));
  return removed;
}

const ReportRecord = z.object({ consensusReview: z.object({ report: z.string() }) });

/** `name`: of the folder of a run that is being removed. */
async function copiedRunIn(state: StateFolder, name: string) {
  const run = name.slice('.removed-'.length).replace(/-\d+$/, '');
  if (!runIdPattern.test(run)) return [];
  return [{ run, report: await reportIn(state, join(runsFolder(state), name)).catch(() => null) }];
}

/** Of a run that was killed only the journal knows. */
async function reportIn(state: StateFolder, folder: string) {
  const ended = await readRecord(state.disk, join(folder, 'report.json'), ReportRecord, Infinity);
  if (ended) return ended.consensusReview.report;
  const journal = await readJournal(state, join(folder, journalName));
  return (await journal.recall('report-name', z.string())) ?? null;
}

/** Milliseconds since 1970 of the time in a run id. */
function startOf(id: string) {
  return Date.parse(
    id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*/s, '$1-$2-$3T$4:$5:$6Z'),
  );
}

function nearest(wanted: string, ids: readonly string[]) {
  const typed = wanted.slice(0, 40);
  return ids
    .map(id => ({ id, steps: distance(typed, id) }))
    .sort((one, other) => one.steps - other.steps)
    .slice(0, 3)
    .map(({ id }) => id);
}

function quote(text: string) {
  return JSON.stringify(text.slice(0, 60));
}

// `last-answer.json`: the run that answered last, which is what a person means by `latest` after an answer from an earlier run.

const File = z.object({
  schema: z.literal('jury.last-answer/1'),
  run: z.string().regex(runIdPattern),
});

const lastAnswer = 'last-answer.json';

/**
 * Id of the run; null when nobody noted one or what lies there is damaged. Whether that run is still there is not looked up.
 * Throws `UserError` for a note of somebody else.
 */
export async function readLastAnswer({ disk, root }: StateFolder) {
  return (await readRecord(disk, join(root, lastAnswer), File, 4_096))?.run ?? null;
}

/** Of two runs at once the one that answers last stands there. Never rejects: no answer is lost over a note about it. */
export async function noteLastAnswer(state: StateFolder, run: string) {
  const note: z.infer<typeof File> = { schema: 'jury.last-answer/1', run };
  // Without it `latest` is what it was before.
  await writeRecord(state, [lastAnswer], note).catch(() => undefined);
}

// Small records of the state: one JSON file each, written whole or not at all. What is damaged is as if it had never been
// written.

/** Far more than Jury writes. */
const mostBytes = 1_048_576;

/** Null where it is missing, too large, damaged or cannot be read. Throws `UserError` for one of somebody else. */
export async function readRecord<Schema extends z.ZodType>(
  disk: Disk,
  path: string,
  schema: Schema,
  most = mostBytes,
): Promise<z.output<Schema> | null> {
  const text = await readPlainText(disk, path, most).catch((error: unknown) => {
    if (error instanceof UserError) throw error;
    return null;
  });
  return schema.safeParse(parseJson(text)).data ?? null;
}

/** Makes its folder where there is none. `names`: below the state. */
async function writeRecord(state: StateFolder, names: readonly string[], record: unknown) {
  await makeFolders(state.disk, state.root, ['.', ...names.slice(0, -1)]);
  await writeAtomically(state, join(state.root, ...names), toJsonText(record));
}

// `token-counts.json`: what providers reported of prompts that were counted here. A file that is damaged, too large or of another
// encoding starts anew.

const CountsFile = z.object({
  schema: z.literal('jury.token-counts/1'),
  counter: z.string(),
  observations: z.array(TokenObservation),
});

const name = 'token-counts.json';

/** Of the encoding `counter`, the latest last; empty when there are none to be read. Throws `UserError` for those of somebody else. */
export async function readTokenObservations({ disk, root }: StateFolder, counter: string) {
  const file = await readRecord(disk, join(root, name), CountsFile);
  return file?.counter === counter ? file.observations : [];
}

/** Of two runs that end at the same moment one may be forgotten: nothing but a sample is lost. */
export async function keepTokenObservations(
  state: StateFolder,
  counter: string,
  further: readonly TokenObservation[],
) {
  const observations = addObservations(await readTokenObservations(state, counter), further);
  const file: z.infer<typeof CountsFile> = { schema: 'jury.token-counts/1', counter, observations };
  await writeRecord(state, [name], file);
}

// `run-memory/<task>.json`: the packs that the roles of a task share, a file per task so that tasks do not meet.

const Entries = z.record(z.string(), RunMemoryEntry);
type Entries = z.infer<typeof Entries>;

const folderName = 'run-memory';

/** Several roles may be given their packs at once. */
const inTurn = pLimit(1);

/** Remembers the pack of a role. What abandoned tasks left is forgotten with it. */
export async function keepPack(
  state: StateFolder,
  task: string,
  { agent, uri, now }: { readonly agent: string; readonly uri: string; readonly now: Date },
) {
  const usedAt = now.getTime();
  return inTurn(async () => {
    const known = await entriesOf(state, fileOf(task));
    await write(state, task, { ...known, [runMemoryKey(task, agent)]: { uri, usedAt } });
    const folder = join(state.root, folderName);
    for (const name of (await namesIn(state.disk, folder)).filter(each => each.endsWith('.json'))) {
      const entries = Object.values(await entriesOf(state, name));
      if (entries.every(entry => !isAlive(entry, usedAt)))
        await state.disk.remove(join(folder, name));
    }
  });
}

/** The packs of the other roles, by their names in lower case. A look-up counts as use. */
export async function packsOfOthers(
  state: StateFolder,
  task: string,
  { agent, now }: { readonly agent: string; readonly now: Date },
) {
  const usedAt = now.getTime();
  return inTurn(async () => {
    const known = await entriesOf(state, fileOf(task));
    const others = Object.entries(known)
      .map(([key, entry]) => ({ key, agent: key.split('/').at(-2) ?? '', ...entry }))
      .filter(other => other.agent !== agent.toLowerCase() && isAlive(other, usedAt))
      .toSorted((one, other) => (one.agent < other.agent ? -1 : 1));
    const used = others.map(({ key, uri }) => [key, { uri, usedAt }] as const);
    if (used.length > 0) await write(state, task, { ...known, ...Object.fromEntries(used) });
    return others.map(({ agent: other, uri }) => ({ agent: other, uri }));
  });
}

function fileOf(task: string) {
  return namesOf(`${task}.json`)[0] ?? '';
}

async function write(state: StateFolder, task: string, entries: Entries) {
  const path = join(state.root, folderName, fileOf(task));
  await explained({ what: 'The memory of a task', path }, () =>
    writeRecord(state, [folderName, fileOf(task)], entries),
  );
}

/** A damaged file remembers nothing: the packs are built again. */
async function entriesOf({ disk, root }: StateFolder, name: string) {
  return (await readRecord(disk, join(root, folderName, name), Entries)) ?? {};
}
