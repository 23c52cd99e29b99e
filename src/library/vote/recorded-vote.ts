/**
 * What was recorded of a vote: decided again by one rule set or by all that ship with Jury, and checked against its own
 * hashes. Nothing is written.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readRuleSet, shippedRules } from '../../adapters/motions/rule-files.ts';
import { readRegularFile, whyUnreadable } from '../../adapters/system/given-file.ts';
import { nameBasedUuid, sha256 } from '../../adapters/system/ids.ts';
import { UserError } from '../../core/errors.ts';
import { RatifyRequest } from '../../core/vote/requests.ts';
import { parseRequest } from '../../core/schema-problem.ts';
import { accountForCounts, type AccountRules } from '../../core/vote/account-for-motions.ts';
import {
  AuditEvent,
  canonicalJson,
  findBreak,
  fingerprintsIn,
  headIn,
  noPredecessor,
} from '../../core/vote/audit-trail.ts';
import { namingTheHead } from '../../core/vote/artifacts.ts';
import { countOutcomes } from '../../core/vote/motions-run.ts';
import type { MotionAccount } from '../../core/vote/motion-account.ts';
import { amendedTextOf } from '../../core/vote/amended-text.ts';
import { decideMotion, type Outcome, tallyOf } from '../../core/vote/ratification.ts';
import { type RatificationRow, toRows } from '../../core/vote/ratification-rows.ts';
import { readRecordedCounts, type RecordedCounts } from '../../core/vote/recorded-counts.ts';
import { labelOf, type RuleSet, withoutImplicit } from '../../core/vote/rule-set.ts';
import { checkElements, parseSessionJson } from '../../core/vote/session-input.ts';
import type { Call } from '../call.ts';

export interface RatifiedAgain {
  readonly rosterSize: number;
  /** One for each rule set that was asked for. */
  readonly sets: readonly {
    readonly rules: string;
    readonly votes: readonly RatificationRow[];
    /** Why each motion ends so, as far as counts tell it. */
    readonly accounts: readonly MotionAccount[];
    readonly counts: Readonly<Record<Outcome, number>>;
  }[];
}

/** Throws `UserError`: kind `input` for counts that cannot be read, `usage` for an unknown rule set. */
export async function ratifyAgain(asked: RatifyRequest, call: Call): Promise<RatifiedAgain> {
  const request = parseRequest(RatifyRequest, asked);
  const shipped = await readShippedRules(call);
  const rules =
    request.rules === 'all'
      ? shipped
      : [settleRules(await readRuleSet(request.rules, call.cwd), call)];
  const file = path.resolve(call.cwd, request.aggregations);
  const counts = readRecordedCounts(
    path.basename(file),
    await readNeededJson(file),
    await readJson(path.join(path.dirname(file), 'triage_results.json')),
  );
  const sessionId = counts.sessionId ?? path.basename(path.dirname(file));
  return {
    rosterSize: counts.rosterSize,
    sets: rules.map(set => decideAll(counts, { rules: set, shipped }, sessionId)),
  };
}

function decideAll(
  { motions, rosterSize }: RecordedCounts,
  { rules, shipped }: AccountRules,
  sessionId: string,
): RatifiedAgain['sets'][number] {
  const votes = motions.flatMap(motion => {
    const decisions = decideMotion({ ...motion, tally: tallyOf(motion, rules) }, rosterSize, rules);
    // Counts carry no names, no panels and no texts, and nothing is ratified by looking at it again.
    return toRows(decisions, {
      sample: null,
      motionId: motion.id,
      title: motion.title,
      rosterSize,
      cast: null,
      recommendation: null,
      missing: motion.missing,
      at: null,
      amended: () => amendedTextOf({ text: '', amendments: motion.amendmentTexts }, null),
      again: null,
      voteId: pass => nameBasedUuid(`${sessionId}|vote|${motion.id}|${pass}`),
    }).slice(-1);
  });
  const accounts = motions.flatMap((motion, index) => {
    const row = votes[index];
    return row === undefined
      ? []
      : accountForCounts({ ...motion, number: index + 1, row, rosterSize }, { rules, shipped });
  });
  return { rules: labelOf(rules), votes, accounts, counts: countOutcomes(votes) };
}

/** All rule sets that ship with Jury, as they apply to this call. */
export async function readShippedRules(call: Call): Promise<RuleSet[]> {
  return Promise.all(
    shippedRules.map(async name => settleRules(await readRuleSet(name, call.cwd), call)),
  );
}

/**
 * Checks the audit trail of a vote against its own hashes, its last event against the result that names it, and the other
 * results against the hashes it holds.
 */
export interface VerifiedAudit {
  readonly events: number;
  /** Null: every event follows from the one before it. */
  readonly firstBroken: number | null;
  /** Hash of the last event. */
  readonly head: string;
  readonly results: VerifiedResults;
}

export interface VerifiedResults {
  /** `not_recorded`: the trail holds no hashes, as those of earlier versions; `not_checked`: a trail was named, and no folder. */
  readonly status: 'intact' | 'changed' | 'not_recorded' | 'not_checked';
  /** Files that are as they were written. */
  readonly intact: number;
  /** Names below the folder. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

const trailName = 'audit_trail.json';
const resultName = 'pipeline_result.json';

/** `named`: a result folder, or an audit trail. Throws `UserError` (kind `input`) when there is none to check. */
export async function verifyAuditTrail(named: string, { cwd }: Call): Promise<VerifiedAudit> {
  const place = path.resolve(cwd, named);
  const isFolder = await stat(place).then(
    found => found.isDirectory(),
    () => false,
  );
  const file = isFolder ? path.join(place, trailName) : place;
  const events = checkElements(path.basename(file), await readNeededJson(file), AuditEvent);
  const last = events.at(-1);
  const result = await readJson(path.join(path.dirname(file), resultName));
  const recordedHead = result === undefined ? null : headIn(result);
  return {
    events: events.length,
    firstBroken: findBreak(events, recordedHead, sha256),
    head: last ? sha256(canonicalJson(last)) : noPredecessor,
    results: isFolder
      ? await verifyResults(place, fingerprintsIn(events), recordedHead)
      : untold('not_checked'),
  };
}

async function verifyResults(
  folder: string,
  recorded: Readonly<Record<string, string>> | null,
  head: string | null,
): Promise<VerifiedResults> {
  if (recorded === null) return untold('not_recorded');
  const found = new Map(await fingerprintsBelow(folder, head));
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

/** Of everything but the trail. Null for what is no file: a link can lead to another content tomorrow. */
async function fingerprintsBelow(
  folder: string,
  head: string | null,
): Promise<[string, string | null][]> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    entry => !entry.isDirectory(),
  );
  const fingerprints: [string, string | null][] = [];
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (name === trailName) continue;
    fingerprints.push([
      name,
      entry.isFile()
        ? await (namingTheHead.has(name) ? draftFingerprint(file, head) : fileFingerprint(file))
        : null,
    ]);
  }
  return fingerprints.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

async function fileFingerprint(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** It was hashed before the trail had its head. */
async function draftFingerprint(file: string, head: string | null): Promise<string> {
  const text = (await readText(file)) ?? '';
  return sha256(head === null ? text : text.replace(head, noPredecessor));
}

/** Throws `UserError` (kind `input`) when there is no such file. */
async function readNeededJson(file: string): Promise<unknown> {
  const value = await readJson(file);
  if (value === undefined)
    throw new UserError(`Error: ${file} cannot be read: there is no such file`, { kind: 'input' });
  return value;
}

/** Undefined when there is no such file. */
async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  return text === null ? undefined : parseSessionJson(path.basename(file), text);
}

async function readText(file: string): Promise<string | null> {
  return readRegularFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new UserError(`Error: ${file} cannot be read: ${whyUnreadable(error)}`, {
      kind: 'input',
      cause: error,
    });
  });
}

/** `REVIEW_IMPLICIT_ENDORSEMENTS=false`: only those who said so endorse. */
export function settleRules(rules: RuleSet, { environment }: Pick<Call, 'environment'>): RuleSet {
  return environment.REVIEW_IMPLICIT_ENDORSEMENTS?.trim().toLowerCase() === 'false'
    ? withoutImplicit(rules)
    : rules;
}
