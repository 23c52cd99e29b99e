/**
 * Text that is not what it looks like: characters that change the order in which code is shown, characters nobody sees,
 * and names in which letters of another script stand for their Latin twins. What people of any language write is let be:
 * joiners within the letters of their script, emoji, and in prose whatever steers the direction of a sentence.
 */
import { codeOf } from './visible-text.ts';

/** How much of this is at home in a file: in prose most of it, in code next to nothing. */
export type Medium = 'code' | 'data' | 'prose';

const prose = new RegExp(
  '\\.(?:md|markdown|rst|adoc|asciidoc|org|tex|txt|srt|vtt|po|pot|xlf|xliff|arb|ftl|xtb|strings)$|(?:^|/)(?:README' +
    '|LICEN[CS]E|COPYING|CHANGES|CHANGELOG|HISTORY|NEWS|AUTHORS|CONTRIBUTORS|NOTICE|THANKS|TODO)$',
  'i',
);
/** Text files that programs read. */
const program =
  /(?:^|\/)(?:CMakeLists|(?:[\w.-]{0,60}[_-])?(?:requirements|constraints)[\w.-]{0,60})\.txt$/i;
const data = /\.(?:json|jsonc|json5|snap|xml|html?|xhtml|svg|csv|tsv|plist|resx|ipynb|mdx)$/i;

export function mediumOf(path: string): Medium {
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
export function hiddenIn(text: string, medium: Medium) {
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
export function lookAlikeIn(
  text: string,
): { readonly name: string; readonly letters: readonly string[] } | null {
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
function wholeTwinIn(
  text: string,
): { readonly name: string; readonly letters: readonly string[] } | null {
  if (!lettersOf(text).every(letter => twins.test(letter))) return null;
  const name = definedOrCalled.exec(text)?.[0];
  return name === undefined ? null : { name, letters: lettersOf(name).map(codeOf) };
}
