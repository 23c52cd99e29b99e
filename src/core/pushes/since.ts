/** What a reviewer is told who reads a later state of a change: what is new since, and what it said then of the files it is asked about. */
import { z } from 'zod';
import { Carried } from '../words/run.ts';
import type { Review } from '../words/review.ts';
import { type Finding, placeText } from '../words/finding.ts';
import { delimit } from '../prompt/material.ts';
import { cut, toOneLine } from '../text.ts';

/** As a journal keeps it. */
export const Since = z.object({
  /** Files that it is not asked about again. */
  kept: z.int(),
  /** Those it is asked about, and what is new in them. */
  files: z.array(z.object({ path: z.string(), what: z.string() })),
  /** What it said of them then. Untrusted. */
  said: z.array(
    z.object({
      label: z.string(),
      text: z.string(),
      path: z.string(),
      line: z.int().nullable(),
    }),
  ),
});
export type Since = z.infer<typeof Since>;

/** At most, so that a question stays about what it shows. */
const most = { files: 40, said: 20, text: 300 };

/** `paths`: the files of the question. */
export function renderSince(
  { kept, files, said }: Since,
  paths: ReadonlySet<string>,
  fence: string,
) {
  const shown = files.filter(({ path }) => paths.has(path));
  const own = said.filter(({ path }) => paths.has(path));
  return [
    `**Second Review:** you have read this change before. ${kept === 1 ? 'One of its files is' : `${kept} of its files are`} ` +
      'as you read them then and not shown again. Judge the files above as they stand now. New since then:\n' +
      delimit(
        listed(
          shown.map(({ path, what }) => `- ${toOneLine(path)}: ${what}`),
          most.files,
        ),
        fence,
      ),
    ...(own.length === 0
      ? []
      : [
          'What you said of these files then:\n' +
            delimit(listed(own.map(sayFinding), most.said), fence),
          'Say again, with the place where it stands now, what of it still holds. What is put right, leave out.',
        ]),
  ].join('\n\n');
}

function listed(lines: readonly string[], limit: number) {
  return [
    ...lines.slice(0, limit),
    ...(lines.length > limit ? [`and ${lines.length - limit} more`] : []),
  ].join('\n');
}

function sayFinding({ label, text, ...place }: Since['said'][number]) {
  return `- ${toOneLine(placeText(place))} (${toOneLine(label)}): ${cut(toOneLine(text), most.text)}`;
}

/** As a journal keeps it, from before anybody is asked. */
export const CarriedFrom = Carried.pick({ run: true, whole: true });
export type CarriedFrom = z.infer<typeof CarriedFrom>;

/** Null where nobody kept anything. */
export function describeCarried(
  { run, whole }: CarriedFrom,
  reviews: readonly Pick<Review, 'reviewer' | 'coverage'>[],
  since: ReadonlyMap<string, Since>,
): Carried | null {
  const own = reviews.flatMap(({ reviewer, coverage }) => {
    const told = since.get(reviewer);
    return told
      ? [
          {
            reviewer,
            asked: told.files.map(({ path }) => path),
            kept: coverage.filter(({ from }) => from !== undefined).map(({ path }) => path),
          },
        ]
      : [];
  });
  if (own.length === 0) return null;
  const asked = new Set(own.flatMap(each => each.asked));
  const files = new Set(own.flatMap(each => [...each.asked, ...each.kept]));
  return {
    run,
    files: files.size,
    asked: asked.size,
    kept: files.size - asked.size,
    reviewers: own.map(each => ({
      reviewer: each.reviewer,
      asked: each.asked.length,
      kept: each.kept.length,
    })),
    whole: [...whole],
  };
}

/** One line: how much of the change was asked about, and where the rest comes from. */
export function sayCarried({ run, files, asked, kept, whole }: Carried) {
  const others = whole.map(({ reviewer }) => reviewer);
  return (
    `Second review: ${asked === 0 ? 'none' : asked} of ${files} ${files === 1 ? 'file' : 'files'} asked, ` +
    `${kept} kept from run ${run}` +
    (others.length === 0 ? '' : `; asked about all of it: ${others.join(', ')}`)
  );
}

/** What was kept of files that have been read again since, and only of those, goes: it was said again, or it holds no more. */
export function withoutReadAgain(earlier: Review, { status, coverage }: Review): Review {
  const then = new Map(earlier.coverage.map(({ path, extent }) => [path, extent]));
  const again = new Set(
    coverage
      .filter(
        ({ path, extent }) =>
          then.get(path) === 'skipped' &&
          (extent === 'full' || (extent === 'partial' && status === 'complete')),
      )
      .map(({ path }) => path),
  );
  const isKept = ({ from, location }: Finding) =>
    from === undefined || !location || !again.has(location.path);
  return status === 'failed' ? earlier : { ...earlier, findings: earlier.findings.filter(isKept) };
}
