/**
 * Findings that were produced elsewhere, as their readers hand them over, one source a file or run; and all sources put together: every
 * finding gets its index, every reviewer its place on one panel.
 */
import type { Claim } from '../../core/words/claim.ts';
import { type Finding, type Severity, sayAs, severityOf } from '../../core/words/finding.ts';
import { groupBy } from '../../core/groups.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import { type Review, emptyReview, idsOf } from '../../core/words/review.ts';
import type { z } from 'zod';
import { inputError, UserError } from '../../core/errors.ts';
import { firstProblem, formatPath } from '../../core/schema-problem.ts';
import { scanJson, skipSpace } from '../scanner.ts';
import { impossibleLine, type Place, placeFrom, stateFinding } from '../../core/words/stated.ts';
import { cut, toLine } from '../../core/text.ts';

interface TakenFinding extends Omit<Entry, 'finding'> {
  /** Counted from 0 over all sources in the order they were given, left-out findings included. */
  readonly index: number;
  /** Name of the source. */
  readonly source: string;
  readonly finding: Finding;
  /** The check of a static analyser that found it; null for everybody else. */
  readonly check: Check | null;
}

export interface Intake {
  readonly findings: readonly TakenFinding[];
  /** Names of the reviewers, in the order of appearance. */
  readonly panel: readonly string[];
  readonly reviews: readonly Review[];
  readonly warnings: readonly string[];
}

export function gatherSources(sources: readonly Source[]): Intake {
  const named = sources.flatMap(({ name: source, entries }) =>
    entries.map(entry => ({ ...entry, source })),
  );
  const reviews = withKnownFiles(withoutOvertaken(sources.flatMap(source => source.reviews)));
  return {
    findings: withChecks(named).map((entry, index) => ({
      ...entry,
      index,
      // Two sources may use the same ids; the index tells them apart.
      finding: { ...entry.finding, id: `${entry.finding.reviewer}/#${index}` },
    })),
    panel: [...new Set(reviews.map(({ reviewer }) => reviewer))],
    reviews,
    warnings: sources.flatMap(({ warnings }) => warnings),
  };
}

/** A failed review does not count where another review of the same reviewer has something to say. */
function withoutOvertaken(reviews: readonly Review[]) {
  const heard = idsOf(reviews.filter(({ status }) => status !== 'failed'));
  return reviews.filter(({ status, reviewer }) => status !== 'failed' || !heard.has(reviewer));
}

/** Of a tool we only know that it ran: it counts for every file that a run beside it names. */
function withKnownFiles(reviews: readonly Review[]) {
  const paths = new Set(reviews.flatMap(({ coverage }) => coverage.map(({ path }) => path)));
  const coverage = [...paths].map(path => ({ path, extent: 'full' as const, why: null }));
  return reviews.map(review =>
    review.coverage.length === 0 && review.status === 'complete' ? { ...review, coverage } : review,
  );
}

/** What comes of findings that were produced elsewhere: what was taken in, and the claims it forms. */
export interface Consensus extends Intake {
  readonly strategy: Pick<Matcher, 'name' | 'threshold' | 'version'>;
  /** Every finding of the intake that is not left out is in exactly one. */
  readonly claims: readonly Claim[];
}

/**
 * Which check of a static analyser found what. Analysers call one check by one name more often than they describe it in
 * like words; a name that two of them know tells more than any wording.
 */
export interface Check {
  /** Without prefix, in one style of writing. */
  readonly name: string;
  /** Do several tools of the input know it? */
  readonly isShared: boolean;
}

/** Null for everything that was not found by a rule. A shared check is a category as well, unless one was stated. */
function withChecks<Named extends Entry>(entries: readonly Named[]) {
  const nameOf = ({ rule }: Named) => shortNameOf(rule ?? '');
  const users = groupBy(entries, nameOf);
  return entries.map(entry => {
    if (entry.rule === null) return { ...entry, check: null };
    const name = nameOf(entry);
    const isShared = new Set(users.get(name)?.map(({ finding }) => finding.reviewer)).size > 1;
    const category = entry.finding.category ?? (isShared ? name : null);
    return { ...entry, finding: { ...entry.finding, category }, check: { name, isShared } };
  });
}

/** `eslint(no-undef)`, `@typescript-eslint/no-undef` and `lint/suspicious/noUndef` are one name. */
function shortNameOf(rule: string) {
  const inside = /\(([^()]{1,200})\)$/.exec(rule)?.[1] ?? rule;
  return inside.replace(/^.*\/|[-_]/gs, '').toLowerCase();
}

export interface Source {
  /** As the person named it. */
  readonly name: string;
  readonly entries: readonly Entry[];
  /** Who could have said something, in the order of appearance; whoever said nothing is among them. */
  readonly reviews: readonly Review[];
  /** One sentence each. */
  readonly warnings: readonly string[];
}

export interface Entry {
  /** Its `id` is given when all sources are put together. */
  readonly finding: Omit<Finding, 'id'>;
  /** The rule a static analyser found it by; null for everybody else. */
  readonly rule: string | null;
  /** Does the source call it a matter of security? */
  readonly isSecurity?: boolean;
  /** All that it names; the finding lies at the first. */
  readonly places?: readonly Place[];
  /** Why it forms no claim, in words; null when it does. */
  readonly leftOut: string | null;
  /** What the source records of the claim that held it; null where nothing was looked up or asked about that. */
  readonly recorded: Pick<Claim, 'id' | 'confidence' | 'deliberation'> | null;
}

/** Throws `UserError` (kind `input`) naming what cannot be read. */
export function check<Schema extends z.ZodType>(name: string, schema: Schema, value: unknown) {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const { path, sentence } = firstProblem(schema, checked.error);
  throw inputError(
    `${name}: ${formatPath(path)} cannot be used: ${sentence}`,
    'See docs/consensus.md.',
  );
}

/** The text of a file, or of standard input. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** What stands under a key. Names are untrusted: no prototype is looked at. */
export function own(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

/** The same under keys with dots between them. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce(own, value);
}

// Reads JSON that a person handed over. What is not well-formed is named with its line and column.

/** Throws `UserError` (kind `input`). A byte order mark is no part of the text. */
export function parseJsonText({ name, text: whole }: NamedText): unknown {
  const text = whole.startsWith('\uFEFF') ? whole.slice(1) : whole;
  if (text.trim() === '') throw new UserError(`${name} is empty.`, { kind: 'input' });
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column, reason } = locateFault(text);
    throw new UserError(`${name}:${line}:${column}: ${reason}`, {
      kind: 'input',
      hint: text.includes('\0') ? 'It looks like UTF-16; save it as UTF-8.' : null,
      cause: error,
    });
  }
}

/** What a text that is JSON holds and nobody can have meant, one sentence each. */
export function textWarnings({ name, text }: NamedText): string[] {
  const where = (at: number) => {
    const { line, column } = placeOf(text, at);
    return `${name}:${line}:${column}`;
  };
  const repeated: { readonly key: string; readonly at: number }[] = [];
  scanJson(text.replace(/^\uFEFF/, ' '), 0, { repeated });
  const [twice, ...others] = repeated;
  const warnings = [];
  if (twice)
    warnings.push(
      `${where(twice.at)}: The key ${JSON.stringify(cut(twice.key, nameLimit))} stands in one object twice, ` +
        'and what comes last was taken; leave one of them out.' +
        (others.length === 0
          ? ''
          : ` Keys stand again in ${others.length === 1 ? 'one more place' : `${others.length} more places`}.`),
    );
  const lost = text.indexOf('\uFFFD');
  if (lost !== -1)
    warnings.push(
      `${where(lost)}: "\uFFFD" stands for bytes that were no UTF-8, here or where the text was written; write it as UTF-8.`,
    );
  return warnings;
}

function placeOf(text: string, at: number) {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return { line: text.slice(0, start).split('\n').length, column: at - start + 1 };
}

/** Where a text stops being JSON. The built-in reader does not say reliably where it stopped; the strict one of answers does. */
export function locateFault(text: string) {
  const scanned = scanJson(text);
  const at = scanned.ok ? skipSpace(text, scanned.end) : scanned.at;
  const number = /^-?(?:NaN|Infinity)\b/.exec(text.slice(at, at + 20))?.[0];
  const reason =
    number !== undefined
      ? `JSON knows no ${number}; write null, or leave the key out.`
      : !scanned.ok && scanned.cause === 'truncated'
        ? 'The JSON ends in the middle of a value.'
        : !scanned.ok && scanned.cause === 'depth'
          ? 'This is no JSON, and nests too deep to tell where it breaks.'
          : 'This is no JSON.';
  return { ...placeOf(text, at), reason };
}

/** Names are shown in columns and used as keys. */
export const nameLimit = 100;

/** Nobody looked the place up here, so nothing speaks against it. */
export function toForeignFinding({
  reviewer,
  place,
  label,
  ...stated
}: Omit<Parameters<typeof stateFinding>[0], 'raw'> & {
  reviewer: string;
  place: Place | null;
}): Finding {
  const pieces = { ...stated, label: toName(label), raw: stated.text };
  const checks = { side: 'new', anchoring: 'exact', checked: false, note: null } as const;
  const { path = '', line = null, endLine = null } = place ?? {};
  const location = place && { path, line, endLine, ...checks };
  return sayAs(stateFinding(pieces, place), { reviewer, location, isImprovement: false });
}

/** Of a reviewer, or a label. */
export function toName(name: string) {
  return cut(toLine(name), nameLimit);
}

/** A place as two fields of a record. A line that cannot be one is left out, with a note. */
export function toPlace(path: string, line: unknown, endLine: unknown): Place {
  const place = placeFrom(path.replace(/^(?:\.\/)+(?=.)/, ''), line, endLine);
  return place.line === impossibleLine ? { ...place, line: null, endLine: null } : place;
}

/** The record of a reviewer that was not asked by us. `isComplete: false`: its silence says nothing. */
export function foreignReview(reviewer: string, isComplete: boolean): Review {
  return emptyReview({
    reviewer,
    persona: 'elsewhere',
    runner: 'elsewhere',
    required: false,
    timeoutSeconds: 1,
    status: isComplete ? 'complete' : 'partial',
  });
}

/** What was corrected in reading, in one sentence; none when nothing was. */
export function correctionWarnings(findings: readonly Pick<Finding, 'notes'>[]): string[] {
  const first = findings.findIndex(({ notes }) => notes.length > 0);
  const count = findings.filter(({ notes }) => notes.length > 0).length;
  return first === -1
    ? []
    : [
        `${count === 1 ? 'A finding was' : `${count} findings were`} corrected in reading; ` +
          `number ${first + 1}: ${findings[first]?.notes[0]}`,
      ];
}

// The severities of other tools: their words and the levels of SARIF.

/** The labels that answers use too, and the level of SARIF that is none; null for a word nobody declared. */
export function foreignSeverityOf(label: string): Severity | null {
  const word = label.trim().toUpperCase();
  return severityOf(word) ?? (word === 'NONE' ? 'low' : null);
}
