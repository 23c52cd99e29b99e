/** What nobody has read of a change yet, in one line, and the short command that goes on with it. Nothing is decided here. */
import { isWithheld } from '../context/egress.ts';
import { groupsBy } from '../groups.ts';
import { neverShown } from '../context/pack.ts';
import { isReader } from '../words/runner.ts';
import type { Cause, FileReading, Review } from '../words/review.ts';
import { toOneLine } from '../text.ts';
import { questionUnit } from './coverage.ts';
import type { Coverage } from './record.ts';

/** `a1b2c3` of `20261121T221400Z-a1b2c3`: names a run wherever its whole id does. */
export function shortRunId(run: string) {
  return run.slice(run.lastIndexOf('-') + 1);
}

/** Opens a new budget for what is unread of the same change. */
export function continueCommand(run: string) {
  return `jury review --continue ${shortRunId(run)}`;
}

/** In the order of the subject. */
export function unreadIn({ files }: Pick<Coverage, 'files'>) {
  return files.filter(({ by }) => by.length === 0).map(({ path }) => path);
}

/** `Unread: 12 of 50 files (src/a.ts, src/b.ts and 10 more)`; null where somebody read every file. */
export function unreadLine(coverage: Pick<Coverage, 'files'>, noun = 'file') {
  const unread = unreadIn(coverage);
  const total = coverage.files.length;
  if (unread.length === 0) return null;
  // A question is read whole or not at all, and its name is in brackets already.
  if (unread[0] === questionUnit) return 'Unread: the question';
  return `Unread: ${unread.length} of ${total} ${noun}${total === 1 ? '' : 's'} (${nameFew(unread)})`;
}

/** `src/a.ts, src/b.ts and 10 more`: as many as one line holds. */
export function nameFew(names: readonly string[], most = 2) {
  if (names.length <= most + 1) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

/** What checks had to look at and did not, or not in full: what they say of the rest is no word about it. */
export function leftOutBy(checks: readonly string[], { files }: Pick<Coverage, 'files'>) {
  const left = files.flatMap(({ path, partiallyBy, skippedBy, lacking = 'read in part' }) =>
    [...skippedBy, ...partiallyBy.map(reviewer => ({ reviewer, why: lacking }))]
      .filter(({ reviewer }) => checks.includes(reviewer))
      .map(({ reviewer: check, why }) => ({ path, check, why })),
  );
  return groupsBy(left, ({ check, why }) => `${check}\0${why}`).map(those => {
    const [{ check, why }] = those;
    return { check, why, paths: those.map(({ path }) => path) };
  });
}

/** The same in one line: their silence is not to be taken for more than it is. None where nothing was left out. */
export function leftOutLines({
  reviewers,
  coverage,
}: {
  readonly reviewers: readonly {
    readonly id: string;
    readonly runner: string;
    readonly role?: 'check';
  }[];
  readonly coverage: Pick<Coverage, 'files'>;
}) {
  const checks = reviewers.filter(reviewer => !isReader(reviewer)).map(({ id }) => id);
  const [first, ...others] = leftOutBy(checks, coverage);
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, +${others.length} more`;
  return [`Not checked: ${first.check}: ${nameFew(first.paths)} (${first.why})${more}`];
}

/** Longer lists of a report for people are cut; the whole of them stands in its table of files. */
const mostLines = 3;

/** The first lines of a kind, and how many more there are. */
export function firstLines(lines: readonly string[]) {
  return lines.length <= mostLines
    ? [...lines]
    : [...lines.slice(0, mostLines), `… and ${lines.length - mostLines} more`];
}

/** Whoever fails so is asked in no round of this run. */
export const unaskable: ReadonlySet<Cause> = new Set<Cause>(['outside', 'withheld', 'egress']);

/** Whoever fails so fails again until somebody has changed something on the machine; `jury doctor` tells what. */
const lacking = new Set<Cause>(['not-found', 'version', 'unsafe-cli', 'auth', 'isolation']);

/**
 * What helps where reviewers did not complete: a command, and what goes on behind it (`asks again who did not complete`). Nothing
 * where asking again would end as it did.
 */
export function stepsToAsk({
  run,
  reviewers,
}: {
  readonly run: string;
  readonly reviewers: readonly (Pick<Review, 'status'> & {
    readonly id: string;
    readonly cause: Cause | null;
  })[];
}) {
  const incomplete = reviewers.filter(({ status }) => status !== 'complete');
  const missing = incomplete.filter(({ cause }) => cause === null || !unaskable.has(cause));
  const resume = `jury resume ${run}`;
  if (incomplete.length > 0 && missing.length === 0) return [];
  const failAll = (isSo: (cause: Cause) => boolean) =>
    missing.length > 0 && missing.every(({ cause }) => cause !== null && isSo(cause));
  if (failAll(cause => lacking.has(cause))) {
    const [first, ...others] = missing.map(({ id }) => toOneLine(id));
    const who = others.length === 0 ? `${first ?? ''} lacks` : `these ${missing.length} lack`;
    return [
      { command: 'jury doctor', does: `tells what ${who}; jury init seats what is here` },
      { command: resume, does: `asks ${others.length === 0 ? 'it' : 'them'} once that is there` },
    ];
  }
  return [
    {
      command: resume,
      does: failAll(cause => cause === 'month')
        ? 'when the next month (UTC) has begun, or with a higher --max-cost-per-month, asks again who did not complete'
        : failAll(cause => cause === 'budget')
          ? 'with a higher --max-calls, --max-tokens or --max-cost asks again who did not complete'
          : 'asks again who did not complete',
    },
  ];
}

/** Could this reviewer be asked about the file in a later round? Not where it has read all there is to show of it, or may not see it. */
export function isReadable({ status }: Pick<Review, 'status'>, reading: FileReading) {
  const { extent, why } = reading;
  if (status === 'complete' || extent === 'full' || extent === 'outside') return false;
  return !isWithheld(why) && !neverShown.has(why ?? '');
}

/**
 * Why a round in which nobody was asked anything came to nothing, and what would help: one sentence. Null where nothing was left
 * to ask.
 */
export function describeStandstill(
  coverage: Pick<Coverage, 'files'>,
  reviews: readonly Pick<Review, 'reviewer' | 'status' | 'failure'>[],
  ceiling: string | null,
) {
  if (ceiling !== null)
    return `Nobody was asked: ${withoutStop(ceiling)}; a higher one goes on (--max-calls, --max-tokens, --max-cost).`;
  const unread = coverage.files.filter(({ by }) => by.length === 0);
  if (unread.length > 0) {
    const why = unread.flatMap(({ skippedBy }) => skippedBy.map(skipped => skipped.why))[0];
    return (
      `Nobody was asked: ${nameFew(unread.map(({ path }) => path))} cannot be read in any round ` +
      `(${why ?? 'in the domain of no reviewer'}); split what is too large, seat somebody who can read ` +
      'the rest, or leave it out with --exclude.'
    );
  }
  const waiting = reviews.filter(
    ({ status, failure }) =>
      status !== 'complete' && !(failure !== null && unaskable.has(failure.cause)),
  );
  return waiting.length === 0
    ? null
    : 'Nobody was asked: somebody has read every file, and ' +
        `${nameFew(waiting.map(({ reviewer }) => reviewer))} can read no more ` +
        `(${withoutStop(waiting[0]?.failure?.message ?? 'nothing is left that fits')}).`;
}

function withoutStop(sentence: string) {
  return sentence.replace(/\.$/, '');
}
