/**
 * What the job that reviews hands to the job that publishes: the run as `--format json` prints it and as SARIF. The one who reads it
 * has a token that writes and trusts nothing in it: the outcome must be the one that its reasons come to.
 */
import { z } from 'zod';
import {
  type ExpectedParcel,
  type FoundParcel,
  openParcel,
  type Parcel,
  parcels,
  refuseParcel,
} from '../github/parcel.ts';
import { parseJson } from '../json.ts';
import { PrintedRun } from '../printed/reports.ts';
import { exitCodeOf, outcomeOf } from '../verdict/outcome.ts';
import type { PrintedRecord } from '../words/run.ts';

export interface Handover {
  readonly parcel: Parcel;
  /** Every text in it is untrusted. */
  readonly record: PrintedRecord;
  readonly sarif: string | null;
}

const kind = parcels.handover;

/** Throws `UserError` (kind `input`) for what is no handover of this commit of this pull request. */
export function openHandover(
  found: FoundParcel,
  expected: ExpectedParcel & { readonly pull: number },
  hash: (bytes: Uint8Array) => string,
): Handover {
  const parcel = openParcel(kind, found, expected, hash);
  const { pull, head } = parcel;
  if (pull !== expected.pull)
    throw refuseParcel(kind, `it is of pull request ${pull}, not of ${expected.pull}`);
  const [report = '', sarif = null] = kind.files.map(name => {
    const bytes = found.files.get(name);
    return bytes && new TextDecoder().decode(bytes);
  });
  const record = PrintedRun.safeParse(parseJson(report)).data;
  if (!record) throw refuseParcel(kind, 'its report is none that this version of Jury prints');
  if (![null, head].includes(record.subject.head))
    throw refuseParcel(kind, 'its report is of another commit');
  const { outcome, reasons, exitCode } = record;
  const isPlain = outcome === null && reasons.length === 0;
  // 130: it was interrupted, which no outcome has.
  if (
    (!isPlain && outcome !== outcomeOf(reasons)) ||
    (exitCode !== exitCodeOf(outcome) && exitCode !== 130)
  )
    throw refuseParcel(kind, 'the outcome of its report is not what its reasons come to');
  return { parcel, record, sarif };
}

const OwnSarif = z.object({
  version: z.literal('2.1.0'),
  runs: z
    .array(z.object({ tool: z.object({ driver: z.object({ name: z.literal('Jury') }) }) }))
    .length(1),
});

/** Under the name of another tool it would close the alerts of that one. */
export function isOwnSarif(text: string) {
  return OwnSarif.safeParse(parseJson(text)).success;
}
