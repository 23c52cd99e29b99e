/**
 * Checks a recorded vote: its audit trail and its files against the hashes they hold, everything that follows from the answers
 * against the vote held again on them, and all of it against what is kept elsewhere. Nothing is written but a signature.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import {
  checkSignature,
  findSigningKey,
  isAsShipped,
  isFolder,
  longestResult,
  parseResult,
  readBytes,
  readGivenResult,
  readResult,
  signHead,
} from '../files/folders.ts';
import { sha256 } from '../../core/hash.ts';
import { ifUserError, inputError, userError } from '../../core/errors.ts';
import { namingTheHead, resultFiles } from '../artifacts.ts';
import {
  AuditEvent,
  RecordedInputs,
  canonicalJson,
  findBreak,
  fingerprintsIn,
  noPredecessor,
} from '../recorded-inputs.ts';
import { byCodePoint } from '../triage.ts';
import { checkElements } from '../../core/given-json.ts';
import { replayVote } from '../asking/replay.ts';
import type { VotePainter } from '../motions-run.ts';
import type { VerifiedAudit } from '../../core/printed/votes.ts';
import type { Call } from '../../library/call.ts';
import { stateOf } from '../../library/own-state.ts';
import { headsNoted } from './motions-run.ts';
import { Text } from '../../core/words/fields.ts';

export interface AuditOptions {
  /** Hash of the last event, as it was noted when the vote ended. */
  readonly head?: string | undefined;
  /** File of those whose signature counts, as `ssh-keygen` reads it. */
  readonly allowedSigners?: string | undefined;
}

/** What an audit needs beside the folder. */
interface AuditWorld {
  /** As the report of the vote was painted. */
  paint: VotePainter;
  call: Call;
}

/** `named`: a result folder, or an audit trail. Throws `UserError` (kind `input`) when there is none to check. */
export async function verifyAuditTrail(
  named: string,
  { head: wanted, allowedSigners }: AuditOptions,
  { paint, call }: AuditWorld,
): Promise<VerifiedAudit> {
  const place = path.resolve(call.cwd, named);
  const isWhole = await isFolder(place);
  const file = isWhole ? path.join(place, resultFiles.trail) : place;
  const folder = path.dirname(file);
  const events = await readEvents(file);
  const last = events.at(-1);
  const head = last ? sha256(canonicalJson(last)) : noPredecessor;
  // What cannot be read was changed: its hash tells.
  const [inputs, result] = await Promise.all(
    [resultFiles.inputs, resultFiles.result].map(name =>
      readResult(path.join(folder, name)).catch(ifUserError(undefined)),
    ),
  );
  const { rules, run_id: run } = Anchored.safeParse(inputs).data ?? nowhere;
  const noted = run === null ? null : await headsNoted(await stateOf(call), run);
  const allowed = allowedSigners === undefined ? null : path.resolve(call.cwd, allowedSigners);
  const anchors = {
    rules: rules && (await isAsShipped(rules)),
    journal: noted && noted.includes(head),
    superseded: noted?.includes(head) === true && noted.at(-1) !== head,
    head: wanted === undefined ? null : wanted.trim().toLowerCase() === head,
    signature: allowed === null ? null : await checkSignature(head, { folder, allowed }, call),
  };
  const headNamed = Headed.safeParse(result).data?.audit.head_sha256 ?? null;
  const firstBroken = findBreak(events, headNamed);
  const kept = isWhole ? await openKeptVote(folder, events, head) : null;
  const files = compareHashes(kept);
  const replayed = await compareReplay(kept, inputs, paint);
  const { signature } = anchors;
  const isSigned = signature && signature.problem === null;
  const isForged =
    firstBroken !== null ||
    files.results === 'changed' ||
    replayed.recount === 'different' ||
    [anchors.rules, anchors.journal, anchors.head, isSigned].includes(false);
  // A pass is of what was looked at: results that were not are none.
  const isKnown = files.results === 'intact' && replayed.recount === 'same' && !anchors.superseded;
  return {
    intact: isForged ? false : isKnown ? true : null,
    first_broken_seq: firstBroken,
    events: events.length,
    head_sha256: head,
    ...files,
    ...replayed,
    anchors,
  };
}

const Headed = z.object({ audit: z.object({ head_sha256: Text }) });
const Anchored = RecordedInputs.pick({ rules: true, run_id: true });
const nowhere = { rules: null, run_id: null };

export type SignedAudit = Awaited<ReturnType<typeof signAudit>>;

/**
 * Resolves with the head and the files of key and signature. `key`: by default the one that git signs with. Throws `UserError`: kind
 * `input` for results that are not as they were written.
 */
export async function signAudit(
  named: string,
  { key }: { readonly key?: string | undefined },
  world: AuditWorld,
) {
  const { intact, head_sha256: head } = await verifyAuditTrail(named, {}, world);
  const { call } = world;
  if (intact !== true)
    throw inputError(
      `Error: ${named} is not signed: it is no folder of results as they were written`,
      `"jury motions verify-audit ${named}" tells what is not.`,
    );
  const used = key === undefined ? await findSigningKey(call) : path.resolve(call.cwd, key);
  const folder = path.resolve(call.cwd, named);
  return { head, key: used, signature: await signHead(head, { folder, key: used }, call) };
}

/** As they stand: what a schema would leave out is hashed, too. */
async function readEvents(file: string) {
  const value = await readGivenResult(file);
  checkElements(path.basename(file), value, AuditEvent);
  return value as AuditEvent[];
}

type KeptVote = Awaited<ReturnType<typeof openKeptVote>>;

/** The trail holds the hashes of all others; the head and its signature are put beside it. */
const unhashed: ReadonlySet<string> = new Set([
  resultFiles.trail,
  resultFiles.head,
  resultFiles.signature,
]);

async function openKeptVote(folder: string, events: readonly AuditEvent[], head: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // A link can lead to another content tomorrow: it is no file.
  const all = entries
    .filter(entry => !entry.isDirectory())
    .map((entry): [name: string, isFile: boolean] => [
      path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
      entry.isFile(),
    ])
    .filter(([name]) => !unhashed.has(name));
  const files = new Map(all.toSorted(([one], [other]) => byCodePoint(one, other)));
  const text = async (name: string) => {
    if (files.get(name) !== true)
      throw inputError(`${name}: is ${files.has(name) ? 'no file' : 'missing'}`);
    const file = path.join(folder, name);
    const found = String(await readBytes(file, file, longestResult));
    // What names the head was hashed when there was none yet.
    return namingTheHead.has(name) ? found.replace(head, noPredecessor) : found;
  };
  const hashes = new Map<string, string | null>();
  let tooLarge: string | null = null;
  for (const [name, isFile] of files) {
    const file = path.join(folder, name);
    if (isFile && (await stat(file)).size > longestResult) tooLarge ??= name;
    // What is no file is not opened: a pipe never ends.
    const pieces = () => (namingTheHead.has(name) ? [text(name)] : createReadStream(file));
    hashes.set(name, isFile ? await hashPieces(pieces()) : null);
  }
  return {
    events,
    /** Of each file by its name, but for the trail and its signature; null: it is no file. */
    hashes,
    /** A file that is too large to be read; null: there is none. */
    tooLarge,
    text,
    json: async (name: string) => parseResult(name, await text(name)),
  };
}

/** SHA-256 in hex of a text or a file that is too long to be held at once. */
async function hashPieces(
  pieces: Iterable<string | Uint8Array | Promise<string>> | AsyncIterable<Uint8Array>,
) {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** `kept` null: there is a trail alone. */
function compareHashes(
  kept: KeptVote | null,
): Pick<VerifiedAudit, 'results' | 'changed' | 'missing' | 'added' | 'unchanged'> {
  const recorded = kept && fingerprintsIn(kept.events);
  if (kept === null || recorded === null) {
    const results = kept === null ? 'not_checked' : 'not_recorded';
    return { results, changed: [], missing: [], added: [], unchanged: 0 };
  }
  const { hashes } = kept;
  const names = Object.keys(recorded);
  const there = names.filter(name => hashes.has(name));
  const changed = there.filter(name => hashes.get(name) !== recorded[name]);
  const missing = names.filter(name => !hashes.has(name));
  const added = [...hashes.keys()].filter(name => !Object.hasOwn(recorded, name));
  return {
    results: changed.length + missing.length + added.length === 0 ? 'intact' : 'changed',
    changed,
    missing,
    added,
    unchanged: there.length - changed.length,
  };
}

/** As an earlier or a later version of Jury records it. */
const OtherInputs = z.object({ schema: Text.regex(/^jury\.vote-inputs\/(?!2$)\d+$/) });

/** What keeps the vote from being held again was changed, like what differs. */
async function compareReplay(
  kept: KeptVote | null,
  inputs: unknown,
  paint: VotePainter,
): Promise<Pick<VerifiedAudit, 'recount' | 'first_difference'>> {
  if (kept === null) return { recount: 'not_checked', first_difference: null };
  // A vote that kept what it was held on says so.
  const isTold = Object.hasOwn(kept.events[0]?.details ?? {}, 'settings_sha256');
  const isRecorded = isTold || kept.hashes.has(resultFiles.inputs);
  if (!isRecorded || OtherInputs.safeParse(inputs).success)
    return { recount: 'not_recorded', first_difference: null };
  const beyond = whyTooLarge(kept, inputs);
  if (beyond !== null) return { recount: 'not_checked', first_difference: beyond };
  const difference = await findFirstDifference(kept, paint).catch((error: unknown) =>
    userError(error).message.replace(/^Error: /, ''),
  );
  return { recount: difference === null ? 'same' : 'different', first_difference: difference };
}

/** Questions of a vote, at most: three times those of ten thousand motions before a hundred members. */
const mostQuestions = 3_000_000;

const Sized = RecordedInputs.pick({ session: true, roster: true });

function whyTooLarge({ tooLarge }: KeptVote, inputs: unknown) {
  if (tooLarge !== null)
    return `${tooLarge} cannot be read: it is larger than ${longestResult >> 20} MiB`;
  const sized = Sized.safeParse(inputs).data;
  if (sized === undefined) return null;
  const { roster, session } = sized;
  const motions = session.mega_motions.length + session.novel_proposals.length;
  return roster.length * motions > mostQuestions
    ? `${motions} motions before ${roster.length} members are more than are counted again`
    : null;
}

async function findFirstDifference(kept: KeptVote, paint: VotePainter) {
  const replayed = await replayVote(kept, paint);
  const strangers = new Set(kept.hashes.keys());
  for (const { name, pieces } of replayed.artifacts) {
    strangers.delete(name);
    if (name === resultFiles.trail || kept.hashes.get(name) === (await hashPieces(pieces())))
      continue;
    const given = [...pieces()].join('');
    const difference = name.endsWith('.json')
      ? findDifference(await kept.json(name), JSON.parse(given))
      : findDifference(linesOf(await kept.text(name)), linesOf(given));
    if (difference !== null) return `${name}: ${difference}`;
  }
  for (const name of strangers) return `${name}: the answers give no such file`;
  const difference = findDifference(kept.events, replayed.events);
  return difference && `${resultFiles.trail}: ${difference}`;
}

function linesOf(text: string): object {
  return Object.fromEntries(text.split('\n').map((line, index) => [`line ${index + 1}`, line]));
}

// Compares what is recorded of a vote with what its answers give.

/** Where the two differ first: `motion M, key: says X, the answers give Y`; null: nowhere. */
function findDifference(recorded: unknown, given: unknown, place = ''): string | null {
  if (!isTree(recorded) || !isTree(given) || Array.isArray(recorded) !== Array.isArray(given))
    return recorded === given
      ? null
      : `${place}${place === '' ? '' : ': '}says ${shorten(recorded)}, the answers give ${shorten(given)}`;
  const [own, other] = [new Map(Object.entries(recorded)), new Map(Object.entries(given))];
  for (const key of new Set([...other.keys(), ...own.keys()])) {
    const [one, another] = [own.get(key), other.get(key)];
    const name = describeRow(another ?? one) || (Array.isArray(given) ? `[${key}]` : key);
    const found = findDifference(one, another, place === '' ? name : `${place}, ${name}`);
    if (found !== null) return found;
  }
  return null;
}

/** A row is named by what it is about, not by its number. Empty: it is no such row. */
function describeRow(row: unknown) {
  const { archon_name: member, mega_motion_id: motion } = isTree(row) ? row : {};
  return Object.entries({ member, motion })
    .flatMap(([what, name]) => (typeof name === 'string' ? `${what} ${name}` : []))
    .join(', ');
}

const mostShown = 160;

/** What is recorded may be of any size: lists and objects are not written out. */
function shorten(value: unknown) {
  if (value === undefined) return 'nothing';
  const text = isTree(value) ? `${Object.keys(value).length} entries` : JSON.stringify(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
