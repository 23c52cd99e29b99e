/** What goes into reading an answer and what comes out: the contract of this folder, and the draft its formats share. */
import type { LabelScale, Severity, StatedFinding } from '../core/words/finding.ts';
import type { Cause, Review, ReviewVerdict } from '../core/words/review.ts';

/** A label of severity, as it was written. */
export interface Label {
  readonly label: string;
  readonly severity: Severity;
}

/** One in the middle of a line. */
export interface Mention extends Label {
  readonly line: string;
  /** So many findings are told of: with as many read it is none. */
  readonly count?: number;
}

export interface ReadingOptions {
  /** Labels of the mode. Every known label is understood besides. */
  readonly scale: LabelScale;
  /** What the reviewer was sent, to recognise echoes. */
  readonly sent: { readonly instructions: string; readonly prompt: string };
  /** How the adapter says the answer ended. */
  readonly stop: 'end' | 'cut' | 'unknown';
  /** Untrusted subject: nonce, file list and verdict are demanded; otherwise they are optional, but checked when present. */
  readonly strict: boolean;
  /** What a line `WORD|text` with an unknown word does: reject the answer, or stay in `unparsed`. */
  readonly undeclaredLabel: 'reject' | 'keep';
  readonly nonce: string | null;
  /** Names of everything the reviewer was sent to read. */
  readonly units: readonly string[];
  /** Verification: `PASS|n` and `FAIL|n reason` are votes, and a FAIL is a critical finding too. */
  readonly voting: boolean;
}

/** What is never a finding: a statement of none, a piece of the template, or of what was sent. */
export type Chaff = keyof Dropped;

/** `text` is what would be the finding's wording; `line` the whole line it stands in, when it stands in one. */
export type Sieve = (text: string, line?: string) => Chaff | null;

/** The options of one answer that is being read. */
export interface Question extends ReadingOptions {
  readonly sieve: Sieve;
}

type Format = NonNullable<Review['format']>;
export type Vote = Review['votes'][number];
/** What looked like findings and was none, by kind. */
type Dropped = Review['dropped'];

/** What every reading of an answer holds. */
interface Said {
  format: Format;
  /** In order of the answer. `originalId` is empty where the reviewer gave none. */
  findings: StatedFinding[];
  /** Index entries of the kinds IMP, INFO, NOTE. */
  improvements: StatedFinding[];
  /** Lines that look like findings and could not be read as one. */
  unparsed: string[];
  dropped: Dropped;
  notes: string[];
  /** Files the reviewer says it read; null when it does not say. */
  filesReviewed: string[] | null;
  votes: Vote[];
  /** Keys of the answer that are the reviewer's own, such as `metrics`; absent when there are none. */
  extra?: StatedFinding['extra'];
  vetoReasons?: string[];
}

export interface Read
  extends Said, Pick<Review, 'statedVerdict' | 'milderVerdict' | 'repairs' | 'research' | 'said'> {
  readonly ok: true;
  readonly status: 'complete' | 'partial';
  /** Why it is partial; null when complete, or when the reviewer gave no reason. */
  readonly partialCause: Cause | null;
  /** Lines that name a severity worse than anything that was read, or in a quotation that is none of the question. */
  readonly leftOver: readonly string[];
  /** What it thought aloud before it answered; a plain "none" to the question about it settles that. */
  readonly thoughts?: string;
}

/** No answer, or one that breaks the rules of its format. */
export interface Unread {
  readonly ok: false;
  readonly cause: Cause;
  /** For people; may quote the answer. */
  readonly detail: string;
  readonly unparsed: string[];
  readonly dropped: Dropped;
  /** Lines that name a severity. */
  readonly leftOver: readonly string[];
}

export type Reading = Read | Unread;

/** A stated verdict: the words used, and what they stand for (null: a word nobody declared). */
export interface StatedVerdict {
  readonly words: string;
  readonly verdict: ReviewVerdict | null;
}

/** What one format made of a text, before ids, caps and evidence are looked at. */
export interface Draft extends Said {
  readonly ok: true;
  readonly verdict: StatedVerdict | null;
  /** The answer says in so many words that there is nothing to report. */
  readonly isZeroStated: boolean;
  /** The answer carries the mark that its format ends with. */
  readonly hasEndMark: boolean;
  /**
   * An index carries its verdict on top, which proves that it has one; whether the prose behind it is whole, only the line that
   * was asked for tells.
   */
  readonly isMarked?: true;
  /** Why the answer itself is less than complete; null when it is not. */
  readonly doubt: { readonly cause: Cause | null } | null;
  /** Lines that would begin a finding if they were not quoted or fenced, and labels in the middle of lines. */
  readonly left: string[];
  readonly mentions: Mention[];
  /** Items without a label that name a line of the code. */
  readonly placed?: readonly StatedFinding[];
  /** Codes of what was taken off, and of the ways in which the text is bent. */
  readonly deviations: readonly string[];
}

/** A text whose answer stands inside something: what is inside, and the code of the repair that takes it out. */
export interface Wrapping {
  readonly texts: readonly string[];
  readonly repair: string;
  /** Why what is wrapped may not be all. */
  readonly doubt?: Cause | null;
}

/** Null: the text is not of this format. */
export type Attempt = Draft | Unread | null;

export function reject(cause: Cause, detail: string, seen: Partial<Unread> = {}): Unread {
  return {
    ok: false,
    cause,
    detail,
    unparsed: [],
    dropped: nothingDropped(),
    leftOver: [],
    ...seen,
  };
}

/** A draft that says nothing yet. */
export function emptyDraft(format: Format): Draft {
  return {
    ...nothingSaid(format),
    ok: true,
    verdict: null,
    isZeroStated: false,
    hasEndMark: false,
    doubt: null,
    left: [],
    mentions: [],
    deviations: [],
  };
}

export function isAnswer({ findings, improvements, votes, isZeroStated }: Draft) {
  return findings.length + improvements.length + votes.length > 0 || isZeroStated;
}

/** The reading of an answer that is whole and says nothing. */
export function emptyReading(format: Format): Read {
  return {
    ...nothingSaid(format),
    ok: true,
    status: 'complete',
    partialCause: null,
    statedVerdict: null,
    leftOver: [],
    repairs: [],
  };
}

function nothingSaid(format: Format): Said {
  return {
    format,
    findings: [],
    improvements: [],
    unparsed: [],
    dropped: nothingDropped(),
    notes: [],
    filesReviewed: null,
    votes: [],
  };
}

function nothingDropped(): Dropped {
  return { placeholder: 0, template: 0, prompt: 0 };
}

export function sumOfDropped(counts: readonly Readonly<Dropped>[]): Dropped {
  const sum = nothingDropped();
  for (const kind of ['placeholder', 'template', 'prompt'] as const)
    for (const each of counts) sum[kind] += each[kind];
  return sum;
}

/** The lists of several parts, one behind the other. */
export function listsOf<Part, Key extends keyof Part>(
  parts: readonly Part[],
  keys: readonly Key[],
): Pick<Part, Key> {
  const lists = keys.map(key => [key, parts.flatMap(part => part[key])]);
  return Object.fromEntries(lists) as Pick<Part, Key>;
}
