/**
 * Checks a recorded vote: its audit trail and its files against the hashes they hold, everything that follows from the answers
 * against the vote held again on them, and all of it against what is kept elsewhere. Nothing is written but a signature.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import {
  hashPieces,
  listFiles,
  longestResult,
  parseResult,
  readResultJson,
  readResultText,
} from '../files/recorded-files.ts';
import { isAsShipped } from '../files/rule-files.ts';
import { checkSignature, findSigningKey, signHead } from '../files/signature.ts';
import { nameBasedUuid, sha256 } from '../../adapters/system/ids.ts';
import { ifUserError, inputError, userError } from '../../core/errors.ts';
import {
  type ArtifactOptions,
  artifactsOf,
  headName,
  inputsName,
  namingTheHead,
  reportName,
  resultName,
  signatureName,
  trailName,
} from '../artifacts.ts';
import {
  AuditEvent,
  canonicalJson,
  findBreak,
  fingerprintsIn,
  headIn,
  noPredecessor,
} from '../audit-trail.ts';
import { findDifference } from '../compare-results.ts';
import { RecordedInputs } from '../recorded-inputs.ts';
import { checkElements } from '../../core/given-json.ts';
import { readRecord, replayVote } from '../asking/replay.ts';
import type { VotePainter } from '../motions-run.ts';
import type { VerifiedAudit } from '../../core/printed/votes.ts';
import type { Call } from '../../library/call.ts';
import { stateOf } from '../../library/own-state.ts';
import { findNotedHead } from './motions-run.ts';

export interface AuditOptions {
  /** Hash of the last event, as it was noted when the vote ended. */
  readonly head?: string | undefined;
  /** File of those whose signature counts, as `ssh-keygen` reads it. */
  readonly allowedSigners?: string | undefined;
}

/** What an audit needs beside the folder. */
export interface AuditWorld {
  /** As the report of the vote was painted. */
  readonly paint: VotePainter;
  readonly call: Call;
}

/** `named`: a result folder, or an audit trail. Throws `UserError` (kind `input`) when there is none to check. */
export async function verifyAuditTrail(
  named: string,
  { head: wanted, allowedSigners }: AuditOptions,
  { paint, call }: AuditWorld,
): Promise<VerifiedAudit> {
  const place = path.resolve(call.cwd, named);
  const isFolder = await stat(place).then(
    found => found.isDirectory(),
    () => false,
  );
  const file = isFolder ? path.join(place, trailName) : place;
  const folder = path.dirname(file);
  const events = await readEvents(file);
  const last = events.at(-1);
  const head = last ? sha256(canonicalJson(last)) : noPredecessor;
  // What cannot be read was changed: its hash tells.
  const [result, inputs] = await Promise.all(
    [resultName, inputsName].map(name =>
      readResultJson(path.join(folder, name)).catch(ifUserError(undefined)),
    ),
  );
  const { rules, run_id: run } = Anchored.safeParse(inputs).data ?? { rules: null, run_id: null };
  const noted = run === null ? null : await findNotedHead(await stateOf(call), run, head);
  const anchors = {
    rules: rules && (await isAsShipped(rules)),
    journal: noted && noted.isNoted,
    superseded: noted?.isSuperseded ?? false,
    head: wanted === undefined ? null : wanted.trim().toLowerCase() === head,
    signature:
      allowedSigners === undefined
        ? null
        : await checkSignature(
            head,
            { folder, allowed: path.resolve(call.cwd, allowedSigners) },
            call,
          ),
  };
  const firstBroken = findBreak(events, headIn(result), sha256);
  const kept = isFolder ? await openKeptVote(folder, events, head) : null;
  const files = compareHashes(kept);
  const replayed = await replay(kept, paint);
  const isSigned = anchors.signature && anchors.signature.problem === null;
  const isForged =
    firstBroken !== null ||
    files.results === 'changed' ||
    replayed.recount === 'different' ||
    [anchors.rules, anchors.journal, anchors.head, isSigned].includes(false);
  // A pass is of what was looked at: results that were not are none.
  const isKnown = files.results === 'intact' && replayed.recount === 'same';
  return {
    intact: isForged ? false : isKnown && !anchors.superseded ? true : null,
    first_broken_seq: firstBroken,
    events: events.length,
    head_sha256: head,
    ...files,
    ...replayed,
    anchors,
  };
}

const Anchored = RecordedInputs.pick({ rules: true, run_id: true });
const Sized = RecordedInputs.pick({ session: true, roster: true });

type ComparedFiles = Pick<VerifiedAudit, 'results' | 'changed' | 'missing' | 'added' | 'unchanged'>;

function noFiles(results: VerifiedAudit['results']): ComparedFiles {
  return { results, changed: [], missing: [], added: [], unchanged: 0 };
}

export interface SignedAudit {
  readonly head: string;
  /** File of the key. */
  readonly key: string;
  /** File of the signature. */
  readonly signature: string;
}

/** `key`: by default the one that git signs with. Throws `UserError`: kind `input` for results that are not as they were written. */
export async function signAudit(
  named: string,
  { key }: { readonly key?: string | undefined },
  world: AuditWorld,
): Promise<SignedAudit> {
  const { intact, recount, head_sha256: head } = await verifyAuditTrail(named, {}, world);
  const { call } = world;
  if (intact !== true || recount !== 'same')
    throw inputError(
      `Error: ${named} is not signed: it is no folder of results as they were written`,
      `"jury motions verify-audit ${named}" tells what is not.`,
    );
  const used = key === undefined ? await findSigningKey(call) : path.resolve(call.cwd, key);
  const folder = path.resolve(call.cwd, named);
  return { head, key: used, signature: await signHead(head, { folder, key: used }, call) };
}

/** As they stand: what a schema would leave out is hashed, too. */
async function readEvents(file: string): Promise<AuditEvent[]> {
  const value = await readResultJson(file);
  if (value === undefined) throw inputError(`Error: ${file} cannot be read: there is no such file`);
  checkElements(path.basename(file), value, AuditEvent);
  return value as AuditEvent[];
}

type KeptVote = Awaited<ReturnType<typeof openKeptVote>>;

async function openKeptVote(folder: string, events: readonly AuditEvent[], head: string) {
  // What names the head was hashed when there was none yet.
  const readDraft = async (name: string): Promise<string> => {
    const text = (await readResultText(path.join(folder, name))) ?? '';
    return namingTheHead.has(name) ? text.replace(head, noPredecessor) : text;
  };
  const hash = async (name: string): Promise<string> =>
    namingTheHead.has(name)
      ? sha256(await readDraft(name))
      : hashPieces(createReadStream(path.join(folder, name)));
  const hashes = new Map<string, string | null>();
  for (const [name, isFile] of await listFiles(folder))
    if (![trailName, headName, signatureName].includes(name))
      hashes.set(name, isFile ? await hash(name) : null);
  const text = async (name: string): Promise<string> => {
    if (typeof hashes.get(name) === 'string') return readDraft(name);
    throw inputError(`${name}: is ${hashes.has(name) ? 'no file' : 'missing'}`);
  };
  const json = async (name: string): Promise<unknown> => parseResult(name, await text(name));
  /** `hashes`: of each file by its name, but for the trail and its signature; null: it is no file. */
  return { folder, events, hashes, text, json };
}

/** `kept` null: there is a trail alone. */
function compareHashes(kept: KeptVote | null): ComparedFiles {
  if (kept === null) return noFiles('not_checked');
  const { events, hashes } = kept;
  const recorded = fingerprintsIn(events);
  if (recorded === null) return noFiles('not_recorded');
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

/** What keeps the vote from being held again was changed, like what differs. */
async function replay(
  kept: KeptVote | null,
  paint: VotePainter,
): Promise<Pick<VerifiedAudit, 'recount' | 'first_difference'>> {
  if (kept === null) return { recount: 'not_checked', first_difference: null };
  // A vote that kept what it was held on says so.
  const isTold = Object.hasOwn(kept.events[0]?.details ?? {}, 'settings_sha256');
  if (!kept.hashes.has(inputsName) && !isTold)
    return { recount: 'not_recorded', first_difference: null };
  const { data: named } = Versioned.safeParse(await kept.json(inputsName).catch(ifUserError(null)));
  if (named !== undefined) return { recount: 'not_recorded', first_difference: null };
  const beyond = await whyTooLarge(kept);
  if (beyond !== null) return { recount: 'not_checked', first_difference: beyond };
  const difference = await findFirstDifference(kept, paint).catch((error: unknown) =>
    userError(error).message.replace(/^Error: /, ''),
  );
  return { recount: difference === null ? 'same' : 'different', first_difference: difference };
}

/** As an earlier or a later version of Jury records it. */
const Versioned = z.object({ schema: z.string().regex(/^jury\.vote-inputs\/(?!2$)\d+$/) });

/** Questions of a vote, at most: three times those of ten thousand motions before a hundred members. */
const mostQuestions = 3_000_000;

async function whyTooLarge({ folder, hashes, json }: KeptVote): Promise<string | null> {
  for (const [name, hash] of hashes)
    if (hash !== null && (await stat(path.join(folder, name))).size > longestResult)
      return `${name} cannot be read: it is larger than ${longestResult >> 20} MiB`;
  const sized = Sized.safeParse(await json(inputsName).catch(ifUserError(undefined))).data;
  if (sized === undefined) return null;
  const { roster, session } = sized;
  const motions = session.mega_motions.length + session.novel_proposals.length;
  return roster.length * motions > mostQuestions
    ? `${motions} motions before ${roster.length} members are more than are counted again`
    : null;
}

async function findFirstDifference(kept: KeptVote, paint: VotePainter): Promise<string | null> {
  const record = await readRecord(kept.events, kept.json);
  const { inputs, source } = record;
  const report = await kept.text(reportName);
  const options: ArtifactOptions = {
    savesPackets: inputs.settings.save_packets,
    compact: !(await kept.text(inputsName)).startsWith('{\n'),
    uuid: nameBasedUuid,
    runId: inputs.run_id,
    report: run => {
      const text = paint({ run, source, isDetected: false, folder: '.' });
      // A folder can be moved: where it was written follows from nothing.
      return text.replace(resultsLine, line => resultsLine.exec(report)?.[0] ?? line);
    },
  };
  const run = await replayVote(record, options, { hash: sha256, uuid: nameBasedUuid });
  const expected = new Set<string>();
  const draft = { ...run, audit: { ...run.audit, head: noPredecessor } };
  for (const { name, pieces } of artifactsOf(draft, options)) {
    expected.add(name);
    if (name === trailName || kept.hashes.get(name) === (await hashPieces(pieces()))) continue;
    const given = [...pieces()].join('');
    const difference = name.endsWith('.json')
      ? findDifference(await kept.json(name), JSON.parse(given))
      : findDifference(linesOf(await kept.text(name)), linesOf(given));
    if (difference !== null) return `${name}: ${difference}`;
  }
  const stranger = [...kept.hashes.keys()].find(name => !expected.has(name));
  if (stranger !== undefined) return `${stranger}: the answers give no such file`;
  const difference = findDifference(kept.events, run.audit.events);
  return difference && `${trailName}: ${difference}`;
}

const resultsLine = /^- Results: .*$/m;

function linesOf(text: string): object {
  return Object.fromEntries(text.split('\n').map((line, index) => [`line ${index + 1}`, line]));
}
