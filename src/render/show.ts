/** One claim, one finding or one review of a run, opened by its name, for reading in a terminal. */
import { claimOf, meantBy, printedIdsOf } from '../core/run-files/finding-names.ts';
import {
  type VerdictRow,
  countStatuses,
  needsAttention,
  sumTokens,
} from '../core/run-files/review-file.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { type Claim, countSupport } from '../core/words/claim.ts';
import type { CodeFrame, SearchHit } from '../core/words/code-index.ts';
import { type Finding, placeText } from '../core/words/finding.ts';
import type { FixedClaim, Run } from '../core/words/run.ts';
import { type Review, displayOf } from '../core/words/review.ts';
import { describeEngineFinding, describeFinding, describeWholeClaim } from './describe-claims.ts';
import { gapsIn } from './describe-panel.ts';
import { describeRun } from './describe-run.ts';
import { count, duration, money, shortCount, printJson, manyLines } from './figures.ts';
import {
  data,
  frameOf,
  lines,
  list,
  literal,
  part,
  placeOf,
  quoteOf,
  say,
  title,
  toned,
  type Section,
} from './section.ts';
import { type RenderOptions, paintTerminal } from './to-terminal.ts';
import { splitIdentifier } from '../core/text.ts';

/** A run and what of it. */
export interface Named {
  readonly run: Run;
  /**
   * A claim id, a prefix of only one or its number, a finding by any of its names (`<reviewer>/<id>`, or an id that only one
   * reviewer used), or a reviewer; null: the run itself.
   */
  readonly id: string | null;
  /** The lines it is about; null where no place was found. */
  readonly frame: CodeFrame | null;
  /** What the reviewer literally said, where one reviewer or one finding is meant; null where it was not asked for or not kept. */
  readonly answer: string | null;
  /** For a claim that is fixed: the latest run that still says it, if it is kept. */
  readonly before: Run | null;
}

interface ShowOptions extends RenderOptions {
  /** Adds the untouched words and everything else that is known. */
  readonly full: boolean;
  /** Findings of one claim; default: as many as a person reads at once. */
  readonly most?: number;
}

/** No person reads more of one saying. */
const longest = 20_000;

/** What a person or an agent asked for: the whole report, or the one thing that is named. Throws where an id names no one thing. */
export function renderNamed({ run, id, ...found }: Named, options: ShowOptions) {
  if (id === null) return paintTerminal(describeRun(run, 'screen'), options);
  return paintTerminal(describeMeant(run, id, { ...found, ...options }), options, longest);
}

type Telling = Pick<Named, 'frame' | 'answer' | 'before'> & Pick<ShowOptions, 'full' | 'most'>;

function describeMeant(run: Run, id: string, options: Telling) {
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
      return [
        describeEngineFinding(
          meant.finding,
          run.record.engineFindings?.indexOf(meant.finding) ?? 0,
        ),
        ...frameOf(options.frame),
        ...list([runLine(run), say`rule: ${literal(meant.finding.rule)}`]),
      ];
    case 'unclear':
    default:
      throw new Error(`${id} was found in run ${run.record.run} and is not there.`);
  }
}

/** Ids mean something in their run alone. */
function runLine({ record }: Run) {
  return say`run: ${literal(record.run)}`;
}

function wordingOf({ reviews }: Run, full: boolean) {
  return { names: printedIdsOf(reviews), full };
}

function describeClaim(claim: Claim, run: Run, { full, frame, most = 20 }: Telling) {
  const { severity, location, text, findings } = claim;
  const shown = full ? findings : findings.slice(0, most);
  const rest = findings.length - shown.length;
  return [
    title(1, ...placeOf(location), '  ', toned(severity, severity)),
    ...lines([data(text)]),
    ...frameOf(frame),
    ...list([runLine(run)]),
    ...describeWholeClaim({ ...claim, findings: shown }, run.record, wordingOf(run, full)),
    ...lines(
      rest > 0 &&
        say`${[`… and ${count(rest, 'more finding')}: `]}${literal(`jury show ${claim.id} --full`)}`,
    ),
  ];
}

/** One finding; then the claim it is part of, with what the others say about it. */
function describeSaid(finding: Finding, run: Run, { full, frame, answer }: Telling) {
  const wording = wordingOf(run, full);
  const claim = claimOf(finding.id, run.record.claims);
  const others = claim?.findings.filter(({ id }) => id !== finding.id) ?? [];
  return [
    describeFinding(finding, wording),
    ...frameOf(frame),
    ...list([
      runLine(run),
      claim !== null &&
        say`claim: ${literal(claim.id)}, said by ${countSupport(claim)} of ${claim.electorate}`,
    ]),
    ...part(
      `In other words (${others.length})`,
      others.map(other => describeFinding(other, wording)),
    ),
    ...(full ? part('The whole answer', quoteOf(answer)) : []),
  ];
}

/** What shows that it is fixed, and how it was said last. */
function describeFixed(
  { id, severity, text, location, reason }: FixedClaim,
  run: Run,
  { before, ...options }: Telling,
) {
  const said = before?.record.claims.find(claim => claim.id === id);
  const place = location !== null && say`${literal(placeText(location))}  `;
  return [
    title(1, ...say`${place}${toned(severity, severity)}  ${toned('good', 'fixed')}`),
    ...lines([data(text)]),
    ...list([runLine(run), say`id: ${literal(id)}`, say`fixed: ${reason}`]),
    ...(before === null || said === undefined
      ? []
      : part(
          'As it was said last',
          describeClaim(said, before, { ...options, before, frame: null }),
        )),
  ];
}

function describeReview(review: Review, run: Run, { full, answer }: Telling) {
  const { usage, coverage, failure, persona, runner, model, statedVerdict, unparsed } = review;
  const read = coverage.filter(({ extent }) => extent === 'full').length;
  const tokens = `${usage.estimated ? '~' : ''}${shortCount(usage.inputTokens + usage.outputTokens)} tokens`;
  return [
    title(1, data(review.reviewer, 100), '  ', data(displayOf(review), 120)),
    ...list([
      runLine(run),
      say`persona: ${persona}`,
      say`runner: ${model === null ? runner : `${runner}, ${model}`}`,
      failure !== null && say`message: ${failure.message}`,
      statedVerdict !== null && say`verdict it states: ${statedVerdict}`,
      [`read: ${read} of ${count(coverage.length, 'file')} in full`],
      [
        `usage: ${count(usage.calls, 'call')}, ${tokens}, ${money(usage.cost)}, ${duration(review.durationMs)}`,
      ],
    ]),
    ...part(
      `Findings (${review.findings.length})`,
      review.findings.map(finding => describeFinding(finding, wordingOf(run, full))),
    ),
    ...(full
      ? [
          ...part('Not read in full', list(gapsIn(coverage))),
          ...part('Lines that could not be read', quoteOf(unparsed.join('\n'))),
          ...part('Repairs', list(review.repairs.map(repair => [data(repair)]))),
          ...part('Notes', list(review.notes.map(note => [data(note)]))),
          ...part('The whole answer', quoteOf(answer)),
        ]
      : []),
  ];
}

// Verdict files as lines for scripts: tabs between fields, one record a line, whatever the files hold.

interface VerdictListing {
  dir: string;
  rows: readonly VerdictRow[];
  /** Agents whose detail file does not exist. */
  lost: ReadonlySet<string>;
}

export const verdictViews = ['table', 'counts', 'attention', 'tokens', 'json'] as const;

type VerdictView = (typeof verdictViews)[number];

/** For standard output; empty when there is nothing to print. */
export const renderVerdicts: Readonly<Record<VerdictView, (listing: VerdictListing) => string>> = {
  table: ({ rows }) =>
    rows.map(({ status, agent, summary }) => lineOf([status, agent, summary])).join(''),
  counts: ({ rows }) =>
    `${[...countStatuses(rows)].map(([status, count]) => `${count} ${status}`).join(', ') || '0 verdicts'}\n`,
  attention: ({ rows }) =>
    rows
      .filter(needsAttention)
      .map(({ agent, findingsCount, detailPath }) =>
        lineOf([agent, findingsCount === null ? '-' : String(findingsCount), detailPath ?? '-']),
      )
      .join(''),
  tokens: ({ rows }) => `${sumTokens(rows)}\n`,
  json: listing => printJson(toJson(listing)),
};

/** For standard error, one sentence each. */
export function verdictWarnings(view: VerdictView, listing: VerdictListing) {
  if (view === 'attention') return detailWarnings(listing);
  return view === 'tokens' ? tokenWarnings(listing.rows) : [];
}

function lineOf(fields: readonly string[]) {
  return `${fields.map(escapeField).join('\t')}\n`;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escapeField(text: string) {
  return makeVisible(text.replace(/[\\\t\n\r]/g, character => escapes[character] ?? character));
}

function detailWarnings({ rows, lost }: VerdictListing) {
  return rows
    .filter(row => needsAttention(row) && lost.has(row.agent))
    .map(({ agent, detailPath }) =>
      detailPath === null
        ? `${escapeField(agent)} names no detail file.`
        : `${escapeField(agent)}: the detail file does not exist: ${escapeField(detailPath)}`,
    );
}

function tokenWarnings(rows: readonly VerdictRow[]) {
  return rows
    .filter(({ tokensWarning }) => tokensWarning !== null)
    .map(({ agent, tokensWarning }) => `${escapeField(agent)}: ${tokensWarning ?? ''}.`);
}

function toJson(listing: VerdictListing) {
  const { dir, rows } = listing;
  return {
    dir,
    verdicts: rows.map(({ verdict }) => verdict).filter(verdict => verdict !== null),
    counts: Object.fromEntries(countStatuses(rows)),
    attention: rows.filter(needsAttention).map(({ agent, status, findingsCount, detailPath }) => ({
      agent,
      status,
      findings_count: findingsCount,
      detail_path: detailPath,
    })),
    tokens_total: Number(sumTokens(rows)),
    malformed: rows
      .filter(({ verdict }) => verdict === null)
      .map(({ detailPath, summary }) => ({ file: detailPath, error: summary })),
    warnings: [...detailWarnings(listing), ...tokenWarnings(rows)],
  };
}

// Passages that a search found.

const linesPerHit = 4;

export function renderHits(hits: readonly SearchHit[], query: string, options: RenderOptions) {
  const words = splitIdentifier(query);
  return paintTerminal(
    hits.length === 0
      ? lines(say`Nothing matches ${query}.`)
      : hits.flatMap(hit => describeHit(hit, words)),
    options,
  );
}

/** The lines with the most of the words, in the order of the file; the first ones where only parts of words matched. */
function describeHit(
  { path, startLine, endLine, text }: SearchHit,
  words: readonly string[],
): readonly Section[] {
  const matchesIn = (line: string) =>
    words.filter(word => line.toLowerCase().includes(word)).length;
  const best = manyLines(text)
    .map((line, index) => ({ line: line.trimEnd(), number: startLine + index }))
    .filter(({ line }) => line !== '')
    .toSorted(
      (one, other) => matchesIn(other.line) - matchesIn(one.line) || one.number - other.number,
    )
    .slice(0, linesPerHit)
    .toSorted((one, other) => one.number - other.number);
  return [
    title(2, literal(`${path}:${startLine}-${endLine}`)),
    {
      kind: 'quote',
      text: best.map(({ line, number }) => `${String(number).padStart(5)}  ${line}`).join('\n'),
    },
  ];
}
