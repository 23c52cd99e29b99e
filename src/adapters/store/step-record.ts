/** One finished step as it stands in the journal. */
import { createHash } from 'node:crypto';

export interface StepRecord {
  readonly key: string;
  /** JSON of the result; empty for undefined, which JSON cannot say. */
  readonly result: string;
  readonly checksum: string;
}

export function checksumOf(key: string, result: string): string {
  return createHash('sha256').update(`${key.length}:${key}${result}`).digest('hex');
}

/** False when a bit of the key, the result or the checksum has changed since it was written. */
export function isIntact(record: StepRecord): boolean {
  return record.checksum === checksumOf(record.key, record.result);
}
