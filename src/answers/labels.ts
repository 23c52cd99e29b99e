/** The words reviewers put in front of what they say: severities on lines and headings, labels nobody declared, and verdicts. */
import { ReviewVerdict } from '../core/words/review.ts';
import {
  bySeverity,
  ownSeverityOf,
  severityOf,
  unstatedSeverity,
  type LabelScale,
  type Severity,
} from '../core/words/finding.ts';
import { trimOff } from '../core/text.ts';
import phrases from './phrases.json' with { type: 'json' };
import type { Label, StatedVerdict } from './reading.ts';
import { splitPlace } from './place-in-text.ts';
import { placeOf, type Place } from '../core/words/stated.ts';

export interface LabelledLine {
  readonly label: string;
  /** Null when no field is a place and none stands in the text. */
  readonly place: Place | null;
  readonly text: string;
  /** No code or bracket opens before the bar and closes behind it. */
  readonly isExact: boolean;
}

/** In front of the label may stand the word for it, its number, or the marks of a chat; behind it a score or its other name. */
const labelledLine = new RegExp(
  String.raw`^\s*(?:[-*+](?![-*+])|\d{1,3}[.)])?\s*(?:\[[ xX]?\]\s*)?` +
    String.raw`(?:.{0,400}\|>|\[\/?INST\]|severity\s?[|｜:=](?!\s?(?:path|text|message|description|issue|finding|id)\b)|\d\s[–-]\s|very\s)?\s?([*_\x60[(]{0,4})` +
    String.raw`(must fix|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_./+-]{0,38}[\p{L}\p{M}\p{N}+])?)([*_\x60\])]{0,4})(?:\s\([\p{L}\p{N}.]{1,12}\)|[.!])?\s{0,8}[|｜]`,
  'iu',
);

/** Null when the line does not begin with one word and a bar. Whether anybody declared the word is not asked here. */
export function readLabelledLine(line: string, units?: ReadonlySet<string>): LabelledLine | null {
  const [head = '', opener = '', label, closer] = labelledLine.exec(line.slice(0, 600)) ?? [];
  if (label === undefined) return null;
  const isExact = opener.length === closer?.length;
  const rest = closed(line.slice(head.length).trimEnd(), opener).trim();
  const bar = rest.search(/[|｜]/);
  const place = bar === -1 ? null : placeOf(rest.slice(0, bar), units);
  if (!place) return { label, ...splitPlace(rest), isExact };
  const text = rest.slice(bar + 1).trim();
  // `LABEL|path|line|text|more`: what stands behind the text stays with it.
  const [columns = '', number] =
    /^(\d{1,9}(?:\s?[-–]\s?\d{1,9})?)\s*[|｜]\s*(?=\S)/.exec(text) ?? [];
  const column = place.line === null && number !== undefined;
  return column
    ? {
        label,
        place: placeOf(`${place.path}:${number.replaceAll(/\s/g, '')}`) ?? place,
        text: trimOff(text.slice(columns.length), ' |'),
        isExact,
      }
    : { label, place, text, isExact };
}

/** Emphasis that opened before the label and closes at the end of the line is dress, not text. */
export function closed(text: string, opened: string) {
  const mark = /\*\*|[*_`]+/.exec(opened)?.[0] ?? '';
  const inner = text.slice(0, -mark.length);
  return mark !== '' && text.endsWith(mark) && !inner.includes(mark) ? inner : text;
}

const headingShape =
  /^[^\p{L}\p{N}]{0,8}([\p{L}\p{N}][\p{L}\p{M}\p{N}_ /&-]{0,60}?)(?![\p{L}\p{M}\p{N}])[^\p{L}\p{N}]{0,8}(?:\(?\d{1,4}\)?)?[^\p{L}\p{N}]{0,4}$/u;
const nouns = new RegExp(`^(?:${phrases.nouns})$`, 'u');
const nounsBehind = new RegExp(`(?:的|な|の)?(?:${phrases.nounsBehind})$`, 'u');

/** Labels of other tools that head remarks of every kind, or are words of prose: what stands under them is no list of findings. */
export const remarks = /^(?:note|info|information|informational|hint|style|media|optional)$/i;

/**
 * The label in upper case, since headings are written like prose, of two the worse; null when the heading is about something else than
 * findings, in whatever language it calls them so.
 */
export function labelOfHeading(title: string, scale: LabelScale): Label | null {
  const bare = title.trim().replace(/\s\([\p{L} /-]{3,40}\)$/u, '');
  const said = title.length > 120 ? undefined : headingShape.exec(bare)?.[1];
  const named = (said ?? '')
    .replace(nounsBehind, '')
    .replace(/\b(must|non) /i, '$1-')
    .split(/[\s/&]+/)
    .filter(word => word !== '' && !nouns.test(word.toLowerCase()));
  const labels = named.map(word => labelOfWord(word, scale));
  const [worst] = labels.filter(label => label !== null).toSorted(bySeverity);
  return labels.length > 2 || labels.includes(null) ? null : (worst ?? null);
}

/** In the forms that words take before or behind a noun: `kritische`, `críticos`, `critici`. */
function labelOfWord(word: string, scale: LabelScale): Label | null {
  const forms = [word, `${word}s`, word.replace(/s$/i, ''), word.replace(/e[nrs]?$/i, '')];
  for (const form of [...forms, word.replace(/i$/i, 'o'), word.replace(/i$/i, 'e')]) {
    const label = form.toUpperCase();
    const severity = remarks.test(label) && !scale.has(label) ? null : severityOf(label, scale);
    if (severity !== null) return { label, severity };
  }
  return null;
}

const besideParts = (['praise', 'settled'] as const).map(
  part => [part, new RegExp(`^\\W*(?:${phrases[part]})\\W*$`, 'u')] as const,
);

/** What a heading says of the part below it, where that is no open trouble: it is good, or it is no more. */
export function besideOf(title: string) {
  const said = title.length < 120 ? title.toLowerCase() : '';
  return besideParts.find(([, name]) => name.test(said))?.[0] ?? null;
}

const labelShape = /^\p{L}[\p{L}\p{M}\p{N}_-]{0,31}$/u;

const otherHead =
  /^(?:verdict|summary|severity|level|label|priority|none|total|status|confidence)$/i;

/** Does the word in front of a bar head something else than a finding, or one that finds nothing wrong? */
export function isOtherHead(word: string) {
  return otherHead.test(word) || verdictOf(word) === 'safe';
}

/**
 * Medium; or what one of its words says: `VERY_HIGH` is high. Null for a score, for a word that is no label, and for one
 * that names two severities: which of them was meant would be a guess.
 */
export function undeclaredSeverityOf(label: string, scale?: LabelScale): Severity | null {
  if (!labelShape.test(label) || isOtherHead(label)) return null;
  const named = new Set(
    label
      .split(/[_-]/)
      .map(word => ownSeverityOf(word, scale))
      .filter(severity => severity !== null),
  );
  return named.size > 1 ? null : ([...named][0] ?? unstatedSeverity);
}

export function undeclaredNote(label: string, severity: Severity) {
  return `Nobody declared the severity ${JSON.stringify(label)}; ${severity} was taken.`;
}

const words = {
  safe: 'safe clean pass approved approve ok yes patch-is-correct',
  'needs-changes': 'needs-changes needs-attention request-changes warn patch-is-incorrect',
  risky: 'risky block blocked fail reject veto',
  error: 'error failed',
};
const verdicts = new Map(
  ReviewVerdict.options.flatMap(verdict =>
    words[verdict].split(' ').map(word => [word, verdict] as const),
  ),
);

/** The harshest words of their own vocabularies, short of a veto: no critical finding makes them mild. */
const strongWords = /^(?:warn|request-changes)$/;

export interface VerdictLine extends StatedVerdict {
  /** Anything but `Verdict: word`. */
  readonly isDecorated: boolean;
}

const rank = { safe: 0, 'needs-changes': 1, risky: 2, error: 3 };

/** How the verdict a reviewer claims compares with the one its findings give: `lower` claims less than they say. */
export function claimOf(
  claimed: ReviewVerdict | null,
  computed: ReviewVerdict,
): 'match' | 'lower' | 'higher' | 'absent' {
  if (claimed === null) return 'absent';
  if (claimed === computed) return 'match';
  return rank[claimed] < rank[computed] ? 'lower' : 'higher';
}

/** Null for a word nobody declared. Case, emphasis and the kind of separator do not matter; further words do. */
export function verdictOf(text: string): ReviewVerdict | null {
  return verdicts.get(normalise(text)) ?? null;
}

const { verdicts: said } = phrases;
const stances = (['risky', 'needs-changes', 'error'] as const).map(
  verdict =>
    [
      verdict,
      new RegExp(
        `(?<!\\b(?:no|non|not|nothing|without|0)[ -])(?<![\\p{L}\\p{N}])(?:${said[verdict]})(?![\\p{L}\\p{N}])`,
        'u',
      ),
    ] as const,
);

/** What other words than those declared say against a change; null where they do not. None of them speaks for it. */
function stanceOf(words: string): ReviewVerdict | null {
  const short = words.length > stanceLimit ? '' : words.toLowerCase();
  return stances.find(([, pattern]) => pattern.test(short))?.[0] ?? null;
}

const stanceLimit = 80;

/** Does the statement say less than the findings do? */
export function isMilder(stated: StatedVerdict, computed: ReviewVerdict) {
  return (
    stated.verdict !== null &&
    claimOf(stated.verdict, computed) === 'lower' &&
    !strongWords.test(normalise(stated.words))
  );
}

/**
 * Of the verdicts that one reviewer stated in several answers the worst, in its words: a veto first; a word nobody declared
 * before one that approves, since one safe part does not speak for another. Null when none was stated.
 */
export function worstStated(stated: readonly (string | null)[]) {
  const ranked = stated
    .filter(words => words !== null)
    .map(words => ({ words, rank: rankOfStated(words) }));
  return ranked.toSorted((one, other) => other.rank - one.rank)[0]?.words ?? null;
}

function rankOfStated(words: string) {
  const verdict = readVerdictLine(`Verdict: ${words}`)?.verdict ?? null;
  return /^\W*veto\b/i.test(words)
    ? 3
    : verdict === null || verdict === 'error'
      ? 0.5
      : rank[verdict];
}

// What follows reads text in lower case: the flag that ignores case makes patterns of many words three times as slow to compile.
const lineLimit = 400;
const separator = /^[\s*_`"]*(?:[:=：|?>\]]|—|–|-(?=\s))[\s*_`"|]*/;
const dress = String.raw`^[^\p{L}\p{N}]{0,16}(?:(?:final|overall|my|the|review|merge|ci)\s+){0,2}`;
const verdictHead = new RegExp(`${dress}(verdict)(?:\\s+(?=[a-z]))?`, 'u');
const otherHeads = new RegExp(`${dress}(?:${said.heads})(?![\\p{L}\\p{N}])`, 'u');
const wholeStance = new RegExp(
  `^[^\\p{L}]{0,4}(?:${said.risky}|${said['needs-changes']}|${said.error})(?:,? (?:this|the|it|pr|pull|request|merge|change|commit|patch|for|yet|do|not|ship)){0,4}(?:(?:[,;:(]| [—–-]| (?:due|because|since|until|pending)\\b).*)?$`,
  'iu',
);
const hedged = new RegExp(`^(?:${words.safe.replaceAll(' ', '|')})(?:${said.hedged})`, 'i');
const sentence = new RegExp(`^[^\\p{L}]{0,4}(?:${said.sentences})(?:: (?:true|yes))?\\W*$`, 'u');

/**
 * Reads `Verdict: x`, `**Verdict: x**`, `**Verdict:** x`, `Verdict — x`, `### Verdict: x`, with a note in brackets or
 * behind a dash. Null when the line states no verdict, or when it is the template (`safe|needs-changes|risky`).
 */
export function readVerdictLine(line: string): VerdictLine | null {
  if (line.length > lineLimit) return null;
  const isDecorated = !/^verdict: [a-z-]+$/i.test(line.trimEnd());
  const lower = line.toLowerCase();
  if (refuses(lower)) return { words: line.trim(), verdict: 'risky', isDecorated };
  if (sentence.test(lower))
    return { words: line.trim(), verdict: stanceOf(line) ?? 'needs-changes', isDecorated };
  const head = verdictHead.exec(lower)?.[0];
  const other = head === undefined ? otherHeads.exec(lower)?.[0] : undefined;
  const tail = line.slice((head ?? other ?? line).length);
  const between =
    separator.exec(tail)?.[0] ?? (/^\s/.test(tail) || head?.endsWith(' ') ? '' : null);
  if (between === null) return null;
  const value = withoutEmphasis(tail.slice(between.length).replace(/[|}"\s]+$|<\/\w+>\s*$/g, ''));
  if (value === '' || /\w\s*\|\s*\w/.test(value)) return null;
  const declared = hedged.test(value)
    ? 'needs-changes'
    : verdictOf(value.replace(behindVerdict, '$1'));
  const isWhole =
    head !== undefined ||
    wholeStance.test(value.toLowerCase().replace(/(?<=\p{L})[^\p{L}\p{N})]+$/u, '')) ||
    sentence.test(value.toLowerCase());
  const refused = refuses(value.toLowerCase()) ? 'risky' : null;
  const verdict = declared ?? refused ?? (isWhole ? stanceOf(value) : null);
  // Behind other words, and without a mark, only what is understood is a verdict.
  return verdict === null && (other !== undefined || between === '')
    ? null
    : { words: value, verdict, isDecorated };
}

const wordsOf = (list: string) => new Set(list.split(' '));
const merging = wordsOf(said.merging);
const against = wordsOf(said.against);
const isDenied = (word: string) => against.has(word);

/** Is a sentence about this change, and about merging, against it? What is denied twice is for it, and so is what has no faults. */
function refuses(lower: string) {
  const plain = lower
    .replace(/\bcan(?:not|['’]t)\b/g, 'can not')
    .replace(/n['’]t\b/g, ' not')
    // `is not, in my view, ready to merge`
    .replace(/\b(?:is|am|are) not, [^,.!?;]{1,40}, /g, 'is not ');
  return plain.split(/(?<=[.!?;])\s+/).some(
    each =>
      aboutChange.test(each) &&
      each.split(',').some(clause => {
        const found = clause.replace(faultless, ' ').match(/\p{L}+/gu) ?? [];
        const at = found.findIndex(word => merging.has(word));
        return (
          found.slice(Math.max(0, at - mostBetween), Math.max(0, at)).some(isDenied) &&
          found.slice(0, at).filter(isDenied).length % 2 === 1
        );
      }),
  );
}

/** Words from a denial to what it denies, at most: `hold this back from merging`. */
const mostBetween = 5;
const faultless = new RegExp(
  `\\b(?:no|without|zero)(?: \\p{L}+){0,2} (?:${phrases.nothing.things.replaceAll(' ', '|')})\\b`,
  'gu',
);
const aboutChange =
  /\b(?:i|we|this|it|pr|pull request|change|patch|commit|diff|diese)\b|^\W*(?:please )?(?:do )?not\b/;

/** A remark behind the words of a verdict: in brackets, or set off by a dash. */
const behindVerdict = /^([A-Za-z][A-Za-z _-]{0,40}?)[*_`]*(?:\s*\(.*|\s+[—–-]\s.*|\s*[—–].*)$/s;

/** `### Verdict` or `Verdict:` alone: the word follows on a line of its own. */
export function isVerdictHeading(line: string) {
  return (
    line.length <= lineLimit &&
    /^(?:#{1,6}\s+[*_]*(?:\w+\s)?verdict[*_]*\s*:?|[*_]*(?:\w+\s)?verdict[*_]*\s*:)[*_]*\s*$/i.test(
      line,
    )
  );
}

function withoutEmphasis(value: string) {
  return value.replace(/^[*_`\s]+/, '').replace(/[*_`\s]+$/, '');
}

function normalise(text: string) {
  return text.length > lineLimit
    ? ''
    : withoutEmphasis(text)
        .replace(/\.$/, '')
        .toLowerCase()
        .replace(/[\s_-]+/g, '-');
}
