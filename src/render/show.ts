/** One claim, one finding or one review of a run, opened by its name, for reading in a terminal. */
import type { Claim } from '../core/words/claim.ts';
import { meantBy } from '../core/run-files/finding-names.ts';
import { displayOf, type Review } from '../core/words/review.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import { describeFinding, describeWholeClaim, placeOf } from './describe-claims.ts';
import { count, duration, money, shortCount } from './figures.ts';
import type { RenderOptions } from './page.ts';
import { data, list, literal, part, title, toned, type Line, type Section } from './section.ts';
import { paintTerminal } from './to-terminal.ts';

export interface ShowOptions extends RenderOptions {
  /** Adds the untouched words and everything else that is known. */
  readonly full: boolean;
}

/** No person reads more of one saying. */
const longest = 20_000;

/**
 * `id` is a claim id, a prefix of only one or its number, a finding by any of its names (`<reviewer>/<id>`, or an id that
 * only one reviewer used), or a reviewer. Null when that names nothing, or more than one thing.
 */
export function renderShown(run: Run, id: string, options: ShowOptions): string | null {
  const sections = describeMeant(run, id, options.full);
  return sections === null ? null : paintTerminal(sections, options, longest);
}

function describeMeant(run: Run, id: string, full: boolean): readonly Section[] | null {
  const meant = meantBy(id, run);
  if (meant.kind === 'claim') return describeClaim(meant.claim, run.record, full);
  if (meant.kind === 'review') return describeReview(meant.review, full);
  return meant.kind === 'finding'
    ? [describeFinding(meant.finding, full), ...claimOf(meant.finding.id, run.record)]
    : null;
}

function describeClaim(claim: Claim, record: RunRecord, full: boolean): readonly Section[] {
  const { id, severity, location, text } = claim;
  const frame = record.frames?.[id];
  return [
    title(1, ...placeOf(location), '  ', toned(severity, severity)),
    ...list([[data(text)]], { bullets: false }),
    ...(frame === undefined ? [] : [{ kind: 'frame', path: location?.path ?? '', frame } as const]),
    ...describeWholeClaim(claim, record, full),
  ];
}

function claimOf(finding: string, { claims }: RunRecord): readonly Section[] {
  const claim = claims.find(({ findings }) => findings.some(({ id }) => id === finding));
  return claim === undefined
    ? []
    : list([
        [
          'claim: ',
          literal(claim.id),
          `, said by ${claim.supporters.length} of ${claim.electorate}`,
        ],
      ]);
}

function describeReview(review: Review, full: boolean): readonly Section[] {
  const { usage, coverage, failure, persona, runner, model, statedVerdict } = review;
  const read = coverage.filter(({ extent }) => extent === 'full').length;
  const tokens = `${usage.estimated ? '~' : ''}${shortCount(usage.inputTokens + usage.outputTokens)} tokens`;
  return [
    title(1, data(review.reviewer, 100), '  ', data(displayOf(review), 120)),
    ...list([
      ['persona: ', data(persona)],
      ['runner: ', data(model === null ? runner : `${runner}, ${model}`)],
      ...(failure === null ? [] : [['message: ', data(failure.message)]]),
      ...(statedVerdict === null ? [] : [['verdict it states: ', data(statedVerdict)]]),
      [`read: ${read} of ${count(coverage.length, 'file')} in full`],
      [
        `usage: ${count(usage.calls, 'call')}, ${tokens}, ${money(usage.cost)}, ${duration(review.durationMs)}`,
      ],
    ]),
    ...part(
      `Findings (${review.findings.length})`,
      review.findings.map(finding => describeFinding(finding, full)),
    ),
    ...(full ? describeRest(review) : []),
  ];
}

function describeRest({ coverage, unparsed, repairs, notes }: Review): readonly Section[] {
  const gaps = coverage
    .filter(({ extent }) => extent !== 'full')
    .map(({ path, extent, why }): Line => [
      literal(path),
      `: ${extent}`,
      ...(why === null ? [] : [', ', data(why, 200)]),
    ]);
  return [
    ...part('Not read in full', list(gaps)),
    ...part(
      'Lines that could not be read',
      unparsed.length === 0 ? [] : [{ kind: 'quote', text: unparsed.join('\n') }],
    ),
    ...part('Repairs', list(repairs.map(repair => [data(repair)]))),
    ...part('Notes', list(notes.map(note => [data(note)]))),
  ];
}
