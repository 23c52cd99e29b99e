/**
 * Reads a run folder that somebody else may have made: a CI artifact, the `.jury` of version 0.1. Every file is data: no link is
 * followed, nothing but plain files of this user up to a size is opened, names are checked before they become paths, and what no
 * schema knows is left behind.
 */
import { join } from 'node:path';
import { parseJson } from '../../core/json.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { runIdPattern } from '../../core/run-files/plan-file.ts';
import { processes } from '../../core/process.ts';
import { Subject } from '../../core/words/change.ts';
import { ReviewerId } from '../../core/words/config.ts';
import { Review } from '../../core/words/review.ts';
import { RunRecord, type Run } from '../../core/words/run.ts';
import { whyShared } from '../system/state-folder.ts';
import { codeOf, withFile } from './atomic-write.ts';
import { whyNoName } from './file-names.ts';
import type { Storage } from './storage.ts';

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
  const record = await readChecked(from, join(folder, 'report.json'), {
    schema: RunRecord,
    most: mostBytes.record,
  });
  if ('why' in record) return record;
  const reviewers = record.value.reviewers.map(({ id }) => id);
  const unfit = whyUnfit(record.value, reviewers);
  if (unfit !== null) return { why: unfit };
  const subject = await readChecked(from, join(folder, 'subject.json'), {
    schema: Subject,
    most: mostBytes.subject,
  });
  if ('why' in subject) return subject;
  const reviews: Review[] = [];
  const written = new Map<string, string>();
  for (const id of reviewers) {
    const inside = (await whyNoFolder(from, join(folder, 'raw'))) !== null;
    if (inside) return { why: 'raw/ is no folder of this user' };
    const review = await readChecked(from, join(folder, 'raw', `${id}.json`), {
      schema: Review,
      most: mostBytes.review,
    });
    if ('why' in review) return review;
    if (review.value.reviewer !== id) return { why: `raw/${id}.json is the review of another` };
    reviews.push(review.value);
    const text = await readText(from, join(folder, 'reviews', `${id}.md`), mostBytes.written);
    if ('text' in text && (await whyNoFolder(from, join(folder, 'reviews'))) === null)
      written.set(id, text.text);
  }
  return { record: record.value, subject: subject.value, reviews, written };
}

/** Null for a folder of this user; a link is none. */
export async function whyNoFolder(
  { disk, processes: { user } }: Foreign,
  folder: string,
): Promise<string | null> {
  const found = await statusOf(disk, folder);
  if (found === null) return 'there is no such folder';
  if (found === 'unreadable') return 'it cannot be read';
  if (found.kind !== 'folder') return found.kind === 'link' ? 'it is a link' : 'it is no folder';
  return isForeign(found, user) ? 'it belongs to another user' : null;
}

function whyUnfit({ run, command }: RunRecord, reviewers: readonly string[]): string | null {
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

interface Reading<Value> {
  readonly schema: {
    safeParse(value: unknown): { readonly success: boolean; readonly data?: Value | undefined };
  };
  /** Bytes. */
  readonly most: number;
}

async function readChecked<Value>(
  from: Foreign,
  file: string,
  { schema, most }: Reading<Value>,
): Promise<{ readonly value: Value } | Refused> {
  const read = await readText(from, file, most);
  const name = file.slice(file.lastIndexOf('/', file.lastIndexOf('/') - 1) + 1);
  if ('why' in read) return { why: `${name} ${read.why}` };
  const { data } = schema.safeParse(parseJson(read.text));
  return data === undefined ? { why: `${name} is damaged, or no such record` } : { value: data };
}

async function readText(
  { disk, processes: { user } }: Foreign,
  file: string,
  most: number,
): Promise<{ readonly text: string } | Refused> {
  // Looked at before it is opened: opening a device may already do something.
  const named = await statusOf(disk, file);
  if (named === null) return { why: 'is missing' };
  if (named === 'unreadable' || named.kind !== 'file') return { why: 'is no plain file' };
  try {
    return await withFile(await disk.open(file, 'read'), async opened => {
      const found = await opened.status();
      if (found.kind !== 'file') return { why: 'is no plain file' };
      if (isForeign(found, user)) return { why: 'belongs to another user' };
      if (found.size > most) return { why: `is larger than ${most >> 20} MiB` };
      return { text: new TextDecoder().decode(await opened.read()) };
    });
  } catch (error) {
    return { why: `cannot be read (${codeOf(error) ?? 'no reason is known'})` };
  }
}

async function statusOf(
  disk: Disk,
  file: string,
): Promise<Awaited<ReturnType<Disk['status']>> | 'unreadable'> {
  return disk.status(file).catch(() => 'unreadable' as const);
}

/** That others can read it is how artifacts come. */
function isForeign(found: Parameters<typeof whyShared>[0], user: number | null): boolean {
  return whyShared(found, user)?.kind === 'foreign';
}
