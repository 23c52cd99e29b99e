/**
 * Reads a run folder that somebody else may have made: a CI artifact, the `.jury` of version 0.1. Every file is data: no link is
 * followed, nothing but plain files of this user up to a size is opened, names are checked before they become paths, and what no
 * schema knows is left behind.
 */
import { join } from 'node:path';
import type { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import { runIdPattern } from '../../core/run-files/plan-file.ts';
import { processes } from '../../core/process.ts';
import { Subject } from '../../core/words/change.ts';
import { ReviewerId } from '../../core/words/config.ts';
import { Review } from '../../core/words/review.ts';
import { RunRecord, type Run } from '../../core/words/run.ts';
import { whyShared } from '../system/state-folder.ts';
import { readOrWhy } from './atomic-write.ts';
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
  const record = await readChecked(from, folder, 'report.json', RunRecord, mostBytes.record);
  if ('why' in record) return record;
  const reviewers = record.value.reviewers.map(({ id }) => id);
  const unfit = whyUnfit(record.value, reviewers);
  if (unfit !== null) return { why: unfit };
  const subject = await readChecked(from, folder, 'subject.json', Subject, mostBytes.subject);
  if ('why' in subject) return subject;
  const reviews: Review[] = [];
  const written = new Map<string, string>();
  for (const id of reviewers) {
    if ((await whyNoFolder(from, join(folder, 'raw'))) !== null)
      return { why: 'raw/ is no folder of this user' };
    const review = await readChecked(from, folder, `raw/${id}.json`, Review, mostBytes.review);
    if ('why' in review) return review;
    if (review.value.reviewer !== id) return { why: `raw/${id}.json is the review of another` };
    reviews.push(review.value);
    if ((await whyNoFolder(from, join(folder, 'reviews'))) !== null) continue;
    const file = join(folder, 'reviews', `${id}.md`);
    const text = await readOrWhy(from.disk, file, mostBytes.written, from.processes.user);
    if (typeof text !== 'string') written.set(id, new TextDecoder().decode(text));
  }
  return { record: record.value, subject: subject.value, reviews, written };
}

/** Null for a folder of this user; a link is none. */
export async function whyNoFolder(
  { disk, processes: { user } }: Foreign,
  folder: string,
): Promise<string | null> {
  const found = await disk.status(folder).catch(() => undefined);
  if (found === undefined) return 'it cannot be read';
  if (!found) return 'there is no such folder';
  if (found.kind !== 'folder') return found.kind === 'link' ? 'it is a link' : 'it is no folder';
  return whyShared(found, user)?.kind === 'foreign' ? 'it belongs to another user' : null;
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

/** As the schema has it, or why it is not there. That others can read it is how artifacts come. */
async function readChecked<Schema extends z.ZodType>(
  { disk, processes: { user } }: Foreign,
  folder: string,
  name: string,
  schema: Schema,
  most: number,
): Promise<{ readonly value: z.output<Schema> } | Refused> {
  const read = await readOrWhy(disk, join(folder, name), most, user);
  if (typeof read === 'string') return { why: `${name} ${read}` };
  const { data } = schema.safeParse(parseJson(new TextDecoder().decode(read)));
  return data === undefined ? { why: `${name} is damaged, or no such record` } : { value: data };
}
