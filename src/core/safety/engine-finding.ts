/**
 * What the engine itself finds in a change, whoever is seated: text that is not what it looks like, and credentials, which
 * are masked before any reviewer sees them. Nobody's silence clears it.
 */
import { z } from 'zod';
import { addedLinesOf } from '../change/patch.ts';
import type { SecretSpan } from '../ports/repository.ts';
import { present } from '../groups.ts';
import { lineCounter } from '../languages/line-structure.ts';
import type { Change, ChangedFile, Hunk } from '../words/change.ts';
import type { Claim } from '../words/claim.ts';
import { Text, Whole } from '../words/fields.ts';
import { placeText } from '../words/finding.ts';
import { codeOf, makeVisible } from './visible-text.ts';

export const EngineFinding = z.object({
  rule: z.enum(['hidden-text', 'look-alike', 'secret']),
  path: Text,
  /** 1-based, on the new side; null when it is the name of the file. */
  line: Whole.positive().nullable(),
  /** One sentence that begins with the place. */
  text: Text,
});
export type EngineFinding = z.infer<typeof EngineFinding>;

/** A credential on added lines, or in a new name (`line` null). It holds the value: kept in memory only, never stored, never printed. */
export type AddedSecret = Readonly<ReturnType<typeof secretsAddedBy>[number]>;

interface Searched {
  readonly change: Change;
  /** Those that are no examples. */
  readonly secrets: readonly AddedSecret[];
  readonly claims: readonly Claim[];
  /** Ids of the built-in analysers on the panel. */
  readonly analysers: ReadonlySet<string>;
  /** Ids of the claims that fail the gate anyway. */
  readonly blocking: readonly string[];
}

/** Counts what is looked for: a run that looked for less is no answer to a later one. */
export const engineRules = 5;

const mostListed = 50;

/** In the order of the change; of very many the rest is counted. */
export function findInChange(searched: Searched) {
  const found = [...searched.change.files.flatMap(findHidden), ...findSecrets(searched)];
  const [next] = found.slice(mostListed);
  if (!next) return found;
  return [
    ...found.slice(0, mostListed),
    {
      ...next,
      text: `${makeVisible(placeText(next))} is the first of ${found.length - mostListed} more.`,
    },
  ];
}

function findHidden(file: ChangedFile) {
  if (file.status === 'deleted') return [];
  const medium = mediumOf(file.path);
  const named = isNamedAnew(file)
    ? judgeText(file.path, { path: file.path, line: null }, 'code')
    : [];
  return [
    ...named,
    ...addedLinesOf(file).flatMap(({ path, line, text }) =>
      judgeText(line === 1 ? text.replace(/^\uFEFF/, '') : text, { path, line }, medium),
    ),
  ];
}

function isNamedAnew({ oldPath, status }: ChangedFile) {
  return oldPath !== null || status === 'added';
}

function judgeText(
  text: string,
  place: Pick<EngineFinding, 'path' | 'line'>,
  medium: Parameters<typeof hiddenIn>[1],
) {
  const subject = `${makeVisible(placeText(place))}${place.line === null ? ' has a name that' : ''}`;
  const hidden = hiddenIn(text, medium);
  const twin = medium === 'code' ? lookAlikeIn(text) : null;
  return present<EngineFinding>(
    hidden.length > 0 && {
      ...place,
      rule: 'hidden-text',
      text:
        `${subject} holds characters that hide what it says: ` +
        `${hidden.join(', ')}.${place.line === null ? '' : ' If they are meant, write them as escapes.'}`,
    },
    twin && {
      ...place,
      rule: 'look-alike',
      text:
        `${subject} holds "${makeVisible(twin.name).slice(0, 60)}", in which letters of another script ` +
        `look like Latin ones: ${twin.letters.join(', ')}.`,
    },
  );
}

/** One that somebody dismissed as a claim of an analyser is settled; one that such a claim blocks for already is not said twice. */
function findSecrets({ secrets, claims, analysers, blocking }: Searched) {
  const settled = claims.filter(
    ({ id, state, findings }) =>
      (state === 'dismissed' || blocking.includes(id)) &&
      findings.some(
        ({ reviewer, category }) => analysers.has(reviewer) && isSecretCategory(category),
      ),
  );
  const isSettled = ({ path, line }: AddedSecret) =>
    settled.some(({ location }) => location?.path === path && location.line === line);
  const open = new Map(
    secrets
      .filter(secret => !isSettled(secret))
      .map(secret => [`${secret.path}\n${secret.line}`, secret]),
  );
  return [...open.values()].map(({ path, line, message }) => ({
    rule: 'secret' as const,
    path,
    line,
    text:
      `${makeVisible(placeText({ path, line }))} ${line === null ? 'has a name that holds' : 'adds'} a secret: ` +
      `${message.charAt(0).toLowerCase()}${message.slice(1)}`,
  }));
}

/** Of the spans in a file's patch as `renderPatch` prints it, sorted and disjoint, those on an added line or in a new name. */
export function secretsAddedBy(file: ChangedFile, patch: string, spans: readonly SecretSpan[]) {
  if (spans.length === 0) return [];
  const lineAt = lineCounter(patch);
  const shown = file.hunks.flatMap(numbersIn);
  // The hunks are the tail of a patch: what stands before them are names.
  const above = patch.split('\n').length - 1 - shown.length;
  return spans.flatMap(({ start, end, kind, message }) => {
    const [first, last] = [start, end - 1].map(at => Math.max(0, lineAt(at) - above));
    const line = shown.slice(Math.max(0, (first ?? 0) - 1), last).find(number => number !== null);
    const value = patch.slice(start, end);
    const isName = last === 0 && isNamedAnew(file) && file.path.includes(value);
    return line || isName ? [{ path: file.path, line: line ?? null, kind, message, value }] : [];
  });
}

/** Of the lines of a hunk as a patch shows it, its head first: the number of each that is added, null for the others. */
function numbersIn({ newStart, lines }: Hunk) {
  let next = newStart;
  return [
    null,
    ...lines.map(text => {
      const number = text.startsWith('+') ? next : null;
      next += Number(/^[+ ]/.test(text));
      return number;
    }),
  ];
}

// What the category of a finding says about safety. Who stated it is another matter.

function isSecretCategory(category: string | null) {
  return /^secrets?$/i.test((category ?? '').trim());
}

/** Categories in which a built-in analyser states what can be attacked. */
export function isSecurityCategory(category: string | null) {
  return isSecretCategory(category) || (category ?? '').trim().toLowerCase() === 'security';
}

// Text that is not what it looks like: characters that change the order in which code is shown, characters nobody sees, and names
// in which letters of another script stand for their Latin twins. What people of any language write is let be: joiners within the
// letters of their script, emoji, and in prose whatever steers the direction of a sentence.

/** How much of this is at home in a file: in prose most of it, in code next to nothing. */
type Medium = 'code' | 'data' | 'prose';

const prose = new RegExp(
  '\\.(?:md|markdown|rst|adoc|asciidoc|org|tex|txt|srt|vtt|po|pot|xlf|xliff|arb|ftl|xtb|strings)$|(?:^|/)(?:README' +
    '|LICEN[CS]E|COPYING|CHANGES|CHANGELOG|HISTORY|NEWS|AUTHORS|CONTRIBUTORS|NOTICE|THANKS|TODO)$',
  'i',
);
/** Text files that programs read. */
const program =
  /(?:^|\/)(?:CMakeLists|(?:[\w.-]{0,60}[_-])?(?:requirements|constraints)[\w.-]{0,60})\.txt$/i;
const data = /\.(?:json|jsonc|json5|snap|xml|html?|xhtml|svg|csv|tsv|plist|resx|ipynb|mdx)$/i;

function mediumOf(path: string) {
  if (prose.test(path) && !program.test(path)) return 'prose';
  return data.test(path) ? 'data' : 'code';
}

/**
 * Soft hyphens are left out: they stand inside words, where they hide nothing. A line end that only some programs know makes one
 * line of code two, the second of which may seem to be a comment.
 */
const hidden: Record<Medium, RegExp> = {
  code: /(?!\u00AD)\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB\u2028\u2029]|\r(?!$)/gu,
  data: /[\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/gu,
  prose: /[\u{E0000}-\u{E007F}]/gu,
};

/** Where such characters do what they are there for: flags, joined emoji, forms of a character. */
const atHome: readonly RegExp[] = [
  /(?<=\u{1F3F4})[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}/gu,
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})/gu,
  /(?<=[\d#*]|[^\p{ASCII}\p{Default_Ignorable_Code_Point}])[\uFE00-\uFE0F]/gu,
  /(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]/gu,
];

/** Scripts that join their letters or do without blanks, and those written from right to left. */
const joining = new RegExp(
  '(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Han}\\p{Script=Hiragana}' +
    '\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Inherited}\\p{Script=Common}])[\\p{L}\\p{M}]',
  'u',
);
/** Beside words of such a script; between or behind the letters of a name they only hide. */
const joiners = /(?<![\w$])[\u200B-\u200D](?![\w$])/gu;

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Direction marks beside words of such a script; between two letters of a name they only hide. */
const directionMarks = /(?<![\w$])[\u200E\u200F\u061C]|[\u200E\u200F\u061C](?![\w$])/gu;

/** The hidden characters of a line that have no business there, each once, as `U+202E`. */
function hiddenIn(text: string, medium: Medium) {
  // oxlint-disable-next-line no-control-regex -- everything but ASCII is meant
  if (/^[\u0000-\u007F]*$/.test(text) && !/\r(?!$)/.test(text)) return [];
  const bare = atHome.reduce((rest, pattern) => rest.replace(pattern, ''), text);
  const joined = joining.test(bare) ? bare.replace(joiners, '') : bare;
  const left = rightToLeft.test(bare) ? joined.replace(directionMarks, '') : joined;
  return [...new Set(left.match(hidden[medium]) ?? [])].map(codeOf);
}

const word = /[\p{L}\p{M}\p{N}_$]+/gu;
const foreignLetter =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D6A3}ɡ]/gu;
/** Letters that look like a Latin one in any typeface. */
const twins = /^[аеорсухѕіјԁһԛԝӏүАВЕЅІЈКМНОРСТХУҮԌԚԜӀοϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսհցᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ]$/u;
/** Greek letters that look like one at a glance, and stand in formulas on their own: only inside a word do they deceive. */
const nearTwins = /^[ινρυ]$/u;
const nearTwinInside = /\p{Script=Latin}[ινρυ]\p{Script=Latin}/u;
/** Wide letters and those of formulas, which stand beside others of their kind: beside plain ones they deceive. */
const otherForm = /^[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D6A3}]$/u;
const otherFormInside =
  /[A-Za-z][\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D6A3}]|[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D6A3}][A-Za-z]/u;
/** A letter of phonetic writing, where more of its letters stand in the word. */
const phoneticAlone = /^[\w$]*ɡ[\w$ɡ]*$/;
/** `dρdt`, `d𝐱`, and an acronym with a Russian or Armenian ending. */
const innocent = /^(?:d[\u{1D400}-\u{1D6A3}]|d.d\p{L}|[A-Z]{2,}[а-яёա-և]{1,3})$/u;
/** A name where a program defines or calls one: in prose, words of twins alone are words. */
const definedOrCalled = new RegExp(
  '(?<![\\p{L}\\p{M}\\p{N}_$])(?:[\\p{Script=Cyrillic}\\p{Script=Greek}]{3,}(?=\\()|(?<=\\b(?:class|const|def|fn|fun' +
    '|func|function|let|new|var) )[\\p{Script=Cyrillic}\\p{Script=Greek}]{3,}(?![\\p{L}\\p{M}\\p{N}_$]))',
  'u',
);

/** The first name of a line of code in which every letter of another script passes for a Latin one; null when there is none. */
function lookAlikeIn(text: string) {
  if (text.search(foreignLetter) === -1) return null;
  for (const [name] of text.matchAll(word)) {
    const letters = lettersOf(name);
    if (
      letters.length > 0 &&
      /\p{Script=Latin}/u.test(name.replace(foreignLetter, '')) &&
      deceives(name, letters)
    )
      return { name, letters: letters.map(codeOf) };
  }
  return wholeTwinIn(text);
}

function lettersOf(text: string) {
  return [...new Set(text.match(foreignLetter) ?? [])];
}

function deceives(name: string, letters: readonly string[]) {
  if (innocent.test(name)) return false;
  if (phoneticAlone.test(name)) return true;
  if (
    !letters.every(letter => twins.test(letter) || nearTwins.test(letter) || otherForm.test(letter))
  )
    return false;
  return (
    letters.some(letter => twins.test(letter)) ||
    nearTwinInside.test(name) ||
    otherFormInside.test(name)
  );
}

/** A name of twins alone, on a line on which nothing else is of that script. */
function wholeTwinIn(text: string) {
  if (!lettersOf(text).every(letter => twins.test(letter))) return null;
  const name = definedOrCalled.exec(text)?.[0];
  return name === undefined ? null : { name, letters: lettersOf(name).map(codeOf) };
}
