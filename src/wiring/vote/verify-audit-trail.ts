/** Checks the audit trail of a vote against its own hashes, and its last event against the result that names it. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile, whyUnreadable } from '../../adapters/system/given-file.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { AuditEvent, canonicalJson, findBreak, headIn, noPredecessor } from '../../core/deliberation/audit-trail.ts';
import { checkElements, parseSessionJson } from '../../core/deliberation/session-json.ts';
import { UserError } from '../../core/errors.ts';
import type { Call } from '../call.ts';

export interface VerifiedAudit {
  readonly events: number;
  /** Null: every event follows from the one before it. */
  readonly firstBroken: number | null;
  /** Hash of the last event. */
  readonly head: string;
}

/** `named`: a result folder, or an audit trail. Throws `UserError` (kind `input`) when there is none to check. */
export async function verifyAuditTrail(named: string, { cwd }: Call): Promise<VerifiedAudit> {
  const place = path.resolve(cwd, named);
  const isFolder = await stat(place).then(found => found.isDirectory(), () => false);
  const file = isFolder ? path.join(place, 'audit_trail.json') : place;
  const text = await readText(file);
  if (text === null) throw new UserError(`Error: ${file} cannot be read: there is no such file`, { kind: 'input' });
  const events = checkElements(path.basename(file), parseSessionJson(path.basename(file), text), AuditEvent);
  const last = events.at(-1);
  return { events: events.length, firstBroken: findBreak(events, await recordedHead(path.dirname(file)), sha256), head: last ? sha256(canonicalJson(last)) : noPredecessor };
}

/** Null when no result stands beside the trail. */
async function recordedHead(folder: string): Promise<string | null> {
  const text = await readText(path.join(folder, 'pipeline_result.json'));
  return text === null ? null : headIn(parseSessionJson('pipeline_result.json', text));
}

async function readText(file: string): Promise<string | null> {
  return readRegularFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new UserError(`Error: ${file} cannot be read: ${whyUnreadable(error)}`, { kind: 'input', cause: error });
  });
}
