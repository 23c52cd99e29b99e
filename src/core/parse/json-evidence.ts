/** What a JSON answer says about its own completeness: declared counts, files read, and whether it calls itself partial. */
import type { Cause } from '../review.ts';
import { reject, type ReadingOptions, type Rejection } from './reading.ts';
import { isList, isObject, type Json, type JsonObject } from './scanner.ts';

interface JsonEvidence {
  readonly kind: 'evidence';
  readonly doubt: { readonly cause: Cause | null } | null;
  readonly filesReviewed: readonly string[] | null;
  readonly notes: readonly string[];
}

interface Counts {
  /** Members of the list of findings. */
  readonly stated: number;
  /** Those that became findings. */
  readonly kept: number;
  readonly options: ReadingOptions;
}

export function readEvidence(object: JsonObject, counts: Counts): JsonEvidence | Rejection {
  const declared = ['count', 'findings_count'].map(key => object.get(key)).find(value => typeof value === 'number');
  if (declared !== undefined && declared !== counts.stated) return reject('truncated', `${String(declared)} findings were declared, ${counts.stated} arrived.`);
  const summed = sumOfSummary(object);
  const isThinned = object.get('mode') === 'high_severity_only' || isObject(object.get('skipped'));
  if (summed > counts.stated && !isThinned) return reject('truncated', `The summary counts ${summed} findings, ${counts.stated} arrived.`);
  const notes = summed > 0 && summed < counts.stated ? ['The summary was counted again.'] : [];
  return readExtent(object, counts, notes);
}

function sumOfSummary(object: JsonObject): number {
  const summary = object.get('summary');
  if (!isObject(summary)) return 0;
  return ['critical', 'high', 'medium', 'low'].map(key => summary.get(key)).reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0);
}

function readExtent(object: JsonObject, { kept, options }: Counts, notes: readonly string[]): JsonEvidence | Rejection {
  const filesReviewed = readFiles(object, options);
  if (object.get('partial') === true) return { kind: 'evidence', doubt: { cause: causeOfCutoff(object.get('cutoff_reason')) }, filesReviewed, notes };
  if (filesReviewed === null) {
    if (!options.strict) return { kind: 'evidence', doubt: null, filesReviewed, notes };
    return kept === 0 ? reject('unread', 'Nothing was found, and nothing says what was read.') : { kind: 'evidence', doubt: { cause: 'unread' }, filesReviewed, notes };
  }
  const read = new Set(filesReviewed);
  const missing = options.units.filter(unit => !read.has(unit));
  if (missing.length === 0) return { kind: 'evidence', doubt: null, filesReviewed, notes };
  return { kind: 'evidence', doubt: { cause: 'unread' }, filesReviewed, notes: [...notes, `${missing.length} of ${options.units.length} files are not among those it says it read.`] };
}

/** Null when the answer has no list: a bare number of files proves nothing and is counted again by the host. */
function readFiles(object: JsonObject, { units }: ReadingOptions): string[] | null {
  const known = new Set(units);
  const listed = [object.get('units'), object.get('files_reviewed')].find(isList);
  if (listed !== undefined) return listed.filter(isText).map(path => unitNamed(path, known));
  const skipped = object.get('skipped_files');
  if (!isList(skipped) || skipped.length === 0) return null;
  const left = new Set(skipped.filter(isText));
  return units.filter(unit => !left.has(unit));
}

/** Patches and shells put `a/`, `b/` or `./` before a path. */
function unitNamed(path: string, units: ReadonlySet<string>): string {
  const bare = path.replace(/^(?:\.|[ab])\//, '');
  return !units.has(path) && units.has(bare) ? bare : path;
}

function isText(value: Json): value is string {
  return typeof value === 'string';
}

const cutoffCauses: ReadonlyMap<Json | undefined, Cause> = new Map([['budget', 'budget'], ['timeout', 'deadline'], ['error', 'provider']]);

function causeOfCutoff(reason: Json | undefined): Cause | null {
  return cutoffCauses.get(reason) ?? null;
}
