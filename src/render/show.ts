/** One claim, one finding or one review of a run, opened by its name, for reading in a terminal. */
import { claimOf, meantBy, printedIdsOf } from '../core/run-files/finding-names.ts';
import type { FixedClaim } from '../core/words/known-claim.ts';
import type { EngineFinding } from '../core/safety/engine-finding.ts';
import { type Claim, countSupport } from '../core/words/claim.ts';
import type { CodeFrame } from '../core/words/code-frame.ts';
import type { Finding, Location } from '../core/words/finding.ts';
import { displayOf, type Review } from '../core/words/review.ts';
import type { Run } from '../core/words/run.ts';
import {
  describeEngineFinding,
  describeFinding,
  describeWholeClaim,
  type Wording,
} from './describe-claims.ts';
import { describeRun } from './describe-run.ts';
import { count, duration, money, shortCount } from './figures.ts';
import type { RenderOptions } from './page.ts';
import { placeOf, placeText } from './place.ts';
import { data, list, literal, part, title, toned, type Line, type Section } from './section.ts';
import { paintTerminal } from './to-terminal.ts';

export interface ShowOptions extends RenderOptions {
  /** Adds the untouched words and everything else that is known. */
  readonly full: boolean;
  /** The lines of the place; absent: those of the report, if it holds them. */
  readonly frame?: CodeFrame | null;
  /** What the reviewer that is meant literally said. Shown with `full`. */
  readonly answer?: string | null;
  /** The latest run that still says a claim which is fixed. */
  readonly before?: Run | null;
}

/** What a person or an agent asked for: the whole report, or the one thing that is named. */
export function renderNamed(
  { run, id, ...found }: Shown,
  options: Pick<ShowOptions, 'full' | keyof RenderOptions>,
): string {
  if (id === null) return paintTerminal(describeRun(run, { detail: 'screen' }), options);
  const text = renderShown(run, id, { ...options, ...found });
  if (text === null) throw new Error(`${id} was found in run ${run.record.run} and is not there.`);
  return text;
}

/** A run and what of it; the other fields as in `ShowOptions`. */
interface Shown extends Required<Pick<ShowOptions, 'frame' | 'answer' | 'before'>> {
  readonly run: Run;
  /** Null: the run itself. */
  readonly id: string | null;
}

/** No person reads more of one saying. */
const longest = 20_000;

/**
 * `id` is a claim id, a prefix of only one or its number, a finding by any of its names (`<reviewer>/<id>`, or an id that
 * only one reviewer used), or a reviewer. Null when that names nothing, or more than one thing.
 */
export function renderShown(run: Run, id: string, options: ShowOptions): string | null {
  const sections = describeMeant(run, id, options);
  return sections === null ? null : paintTerminal(sections, options, longest);
}

function describeMeant(run: Run, id: string, options: ShowOptions): readonly Section[] | null {
  const meant = meantBy(id, run);
  switch (meant.kind) {
    case 'claim':
      return describeClaim(meant.claim, run, options);
    case 'review':
      return describeReview(meant.review, run, options);
    case 'finding':
      return describeSaid(meant.finding, run, options);
    case 'fixed':
      return describeFixed(meant.fixed, run, options);
    case 'engine':
      return describeEngine(meant.finding, run, options);
    case 'unclear':
    default:
      return null;
  }
}

/** Ids mean something in their run alone. */
function runLine({ record }: Run): Line {
  return ['run: ', literal(record.run)];
}

function wordingOf({ reviews }: Run, full: boolean): Wording {
  return { names: printedIdsOf(reviews), full };
}

function describeClaim(
  claim: Claim,
  run: Run,
  { full, frame = run.record.frames?.[claim.id] }: ShowOptions,
): readonly Section[] {
  const { severity, location, text } = claim;
  return [
    title(1, ...placeOf(location), '  ', toned(severity, severity)),
    ...list([[data(text)]], { bullets: false }),
    ...frameOf(frame, location),
    ...list([runLine(run)]),
    ...describeWholeClaim(full ? claim : inShort(claim), run.record, wordingOf(run, full)),
    ...restOf(claim, full),
  ];
}

/** Findings of one claim that a person reads at once. */
const mostFindings = 20;

function inShort(claim: Claim): Claim {
  return { ...claim, findings: claim.findings.slice(0, mostFindings) };
}

function restOf({ id, findings }: Claim, full: boolean): readonly Section[] {
  const rest = findings.length - mostFindings;
  return full || rest <= 0
    ? []
    : list([[`… and ${count(rest, 'more finding')}: `, literal(`jury show ${id} --full`)]], {
        bullets: false,
      });
}

function frameOf(
  frame: CodeFrame | null | undefined,
  location: Pick<Location, 'path'> | null,
): readonly Section[] {
  return frame === null || frame === undefined
    ? []
    : [{ kind: 'frame', path: location?.path ?? '', frame }];
}

/** One finding; then the claim it is part of, with what the others say about it. */
function describeSaid(
  finding: Finding,
  run: Run,
  { full, frame, answer }: ShowOptions,
): readonly Section[] {
  const wording = wordingOf(run, full);
  const claim = claimOf(finding.id, run.record.claims);
  const others = claim?.findings.filter(({ id }) => id !== finding.id) ?? [];
  return [
    describeFinding(finding, wording),
    ...frameOf(frame, finding.location),
    ...list([
      runLine(run),
      ...(claim === null
        ? []
        : [
            [
              'claim: ',
              literal(claim.id),
              `, said by ${countSupport(claim)} of ${claim.electorate}`,
            ],
          ]),
    ]),
    ...part(
      `In other words (${others.length})`,
      others.map(other => describeFinding(other, wording)),
    ),
    ...(full ? describeAnswer(answer) : []),
  ];
}

function describeAnswer(answer: string | null | undefined): readonly Section[] {
  return answer === null || answer === undefined || answer.trim() === ''
    ? []
    : part('The whole answer', [{ kind: 'quote', text: answer.trimEnd() }]);
}

/** What shows that it is fixed, and how it was said last. */
function describeFixed(
  { id, severity, text, location, reason }: FixedClaim,
  run: Run,
  options: ShowOptions,
): readonly Section[] {
  const { before = null } = options;
  const said = before?.record.claims.find(claim => claim.id === id);
  const place: Line = location === null ? [] : [literal(placeText(location)), '  '];
  return [
    title(1, ...place, toned(severity, severity), '  ', toned('good', 'fixed')),
    ...list([[data(text)]], { bullets: false }),
    ...list([runLine(run), ['id: ', literal(id)], ['fixed: ', data(reason)]]),
    ...(before === null || said === undefined
      ? []
      : part('As it was said last', describeClaim(said, before, { ...options, frame: null }))),
  ];
}

function describeEngine(
  finding: EngineFinding,
  run: Run,
  { frame }: ShowOptions,
): readonly Section[] {
  const index = run.record.engineFindings?.indexOf(finding) ?? 0;
  return [
    describeEngineFinding(finding, index),
    ...frameOf(frame, finding),
    ...list([runLine(run), ['rule: ', literal(finding.rule)]]),
  ];
}

function describeReview(
  review: Review,
  run: Run,
  { full, answer }: ShowOptions,
): readonly Section[] {
  const { usage, coverage, failure, persona, runner, model, statedVerdict } = review;
  const read = coverage.filter(({ extent }) => extent === 'full').length;
  const tokens = `${usage.estimated ? '~' : ''}${shortCount(usage.inputTokens + usage.outputTokens)} tokens`;
  return [
    title(1, data(review.reviewer, 100), '  ', data(displayOf(review), 120)),
    ...list([
      runLine(run),
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
      review.findings.map(finding => describeFinding(finding, wordingOf(run, full))),
    ),
    ...(full ? [...describeRest(review), ...describeAnswer(answer)] : []),
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
