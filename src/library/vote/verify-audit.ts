/**
 * Checks a recorded vote: its audit trail and its files against the hashes they hold, and everything that follows from the
 * answers against a recount. Nothing is written.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  hashFile,
  listFiles,
  readResultJson,
  readResultText,
} from '../../adapters/motions/recorded-files.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { inputError, UserError } from '../../core/errors.ts';
import { isAsShipped } from '../../adapters/motions/rule-files.ts';
import { inputsName, namingTheHead, resultName, trailName } from '../../core/vote/artifacts.ts';
import { RecordedInputs } from '../../core/vote/recorded-inputs.ts';
import {
  AuditEvent,
  canonicalJson,
  findBreak,
  fingerprintsIn,
  headIn,
  noPredecessor,
} from '../../core/vote/audit-trail.ts';
import { checkElements } from '../../core/vote/session-input.ts';
import type { Call } from '../call.ts';
import { openState } from '../own-state.ts';
import { repositoryRootOf } from '../root.ts';
import { hasNotedHead } from './motions-run.ts';
import { countAgain, type Recounted, type ResultFiles } from './recount-vote.ts';

export interface VerifiedAudit {
  readonly events: number;
  /** Null: every event follows from the one before it. */
  readonly firstBroken: number | null;
  /** Hash of the last event. */
  readonly head: string;
  readonly results: VerifiedResults;
  readonly recount: Recounted;
  readonly anchors: AuditAnchors;
}

/** What stands outside of the folder and was held against it: who writes all of its files anew cannot change these. */
export interface AuditAnchors {
  /** Is the rule set the one that ships under its name and version? Null: none ships so, or it is not recorded. */
  readonly rules: boolean | null;
  /** Did the run end with this head, as its journal notes? Null: no journal of it is here. */
  readonly journal: boolean | null;
  /** Is the head the one that was given? Null: none was. */
  readonly head: boolean | null;
}

export interface AuditOptions {
  /** Hash of the last event, as it was noted when the vote ended. */
  readonly head?: string | undefined;
}

interface VerifiedResults {
  /** `not_recorded`: the trail holds no hashes, as those of earlier versions; `not_checked`: a trail was named, and no folder. */
  readonly status: 'intact' | 'changed' | 'not_recorded' | 'not_checked';
  /** Files that are as they were written. */
  readonly intact: number;
  /** Names below the folder. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/** `named`: a result folder, or an audit trail. Throws `UserError` (kind `input`) when there is none to check. */
export async function verifyAuditTrail(
  named: string,
  { head: wanted }: AuditOptions,
  call: Call,
): Promise<VerifiedAudit> {
  const place = path.resolve(call.cwd, named);
  const isFolder = await stat(place).then(
    found => found.isDirectory(),
    () => false,
  );
  const file = isFolder ? path.join(place, trailName) : place;
  const events = await readEvents(file);
  const last = events.at(-1);
  const result = await readResultJson(path.join(path.dirname(file), resultName)).catch(
    refuseUnless(isFolder),
  );
  const recordedHead = result === undefined ? null : headIn(result);
  const head = last ? sha256(canonicalJson(last)) : noPredecessor;
  const verified = {
    events: events.length,
    firstBroken: findBreak(events, recordedHead, sha256),
    head,
    anchors: {
      ...(isFolder ? await holdAgainst(place, head, call) : { rules: null, journal: null }),
      head: wanted === undefined ? null : wanted.trim().toLowerCase() === head,
    },
  };
  if (!isFolder)
    return {
      ...verified,
      results: untold('not_checked'),
      recount: { status: 'not_checked', difference: null },
    };
  const files = await listFiles(place);
  return {
    ...verified,
    results: await verifyResults(
      { folder: place, files },
      fingerprintsIn(events),
      recordedHead ?? head,
    ),
    recount: await countAgain({ folder: place, files }, events, head),
  };
}

async function holdAgainst(
  folder: string,
  head: string,
  call: Call,
): Promise<Pick<AuditAnchors, 'rules' | 'journal'>> {
  const recorded = await readResultJson(path.join(folder, inputsName)).catch(refuseUnless(true));
  const { rules, run_id: run } = Anchored.safeParse(recorded).data ?? { rules: null, run_id: null };
  const state = await openState(await repositoryRootOf(call), call);
  return {
    rules: rules === null ? null : await isAsShipped(rules),
    journal: run === null ? null : await hasNotedHead(state, run, head),
  };
}

const Anchored = RecordedInputs.pick({ rules: true, run_id: true });

/** As they stand: what a schema would leave out is hashed, too. */
async function readEvents(file: string): Promise<AuditEvent[]> {
  const value = await readResultJson(file);
  if (value === undefined) throw inputError(`Error: ${file} cannot be read: there is no such file`);
  checkElements(path.basename(file), value, AuditEvent);
  return value as AuditEvent[];
}

/** In a folder, what cannot be read was changed: its hash tells. */
function refuseUnless(isFolder: boolean): (error: unknown) => undefined {
  return error => {
    if (isFolder && error instanceof UserError) return undefined;
    throw error;
  };
}

async function verifyResults(
  { folder, files }: ResultFiles,
  recorded: Readonly<Record<string, string>> | null,
  head: string,
): Promise<VerifiedResults> {
  if (recorded === null) return untold('not_recorded');
  const found = new Map<string, string | null>();
  for (const [name, isFile] of files) {
    if (name === trailName) continue;
    const file = path.join(folder, name);
    if (!isFile) found.set(name, null);
    else
      found.set(
        name,
        await (namingTheHead.has(name) ? draftFingerprint(file, head) : hashFile(file)),
      );
  }
  const names = Object.keys(recorded);
  const changed = names.filter(name => found.has(name) && found.get(name) !== recorded[name]);
  const missing = names.filter(name => !found.has(name));
  const added = [...found.keys()].filter(name => !Object.hasOwn(recorded, name));
  const isIntact = changed.length + missing.length + added.length === 0;
  return {
    status: isIntact ? 'intact' : 'changed',
    intact: names.length - changed.length - missing.length,
    changed,
    missing,
    added,
  };
}

function untold(status: VerifiedResults['status']): VerifiedResults {
  return { status, intact: 0, changed: [], missing: [], added: [] };
}

/** It was hashed before the trail had its head. */
async function draftFingerprint(file: string, head: string): Promise<string> {
  const text = (await readResultText(file)) ?? '';
  return sha256(text.replace(head, noPredecessor));
}
