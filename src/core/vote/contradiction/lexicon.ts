/**
 * The words by which a motion, or a member who speaks about one, says yes or no of something. Normative language, chosen by
 * hand. Two sides of one thing that remarks on code know as well come from their table.
 */
import { stemmer as stemOf } from 'stemmer';
import { antonyms } from '../../../agreement/index.ts';

export type WordRole = 'no' | 'undoing' | 'apart' | 'condition' | 'enacting';

/** Whole words. */
const roleOfWord = new Map<string, WordRole>([
  ...listed('no not never cannot none nobody nothing neither nor').map(
    word => [word, 'no'] as const,
  ),
  ...listed('without unless except excepting').map(word => [word, 'apart'] as const),
  ...listed('if when whenever where wherever until provided once while').map(
    word => [word, 'condition'] as const,
  ),
]);

/** Words in all their forms. */
const roleOfStem = new Map<string, WordRole>([
  // It shall not be, or be no more.
  ...stemsOf(`
    prohibit prohibition forbid forbids forbade forbidden outlaw ban banned bar disallow preclude
    reject rejection oppose opposition opposed disagree disapprove decline veto refuse refusal deny denial withhold withheld
    abolish abolition abolishment repeal revoke rescind annul nullify dissolve dissolution dismantle discontinue terminate
    termination withdraw withdrawal end cease stop suspend suspension halt delete deletion remove removal scrap
    prevent fail refrain avoid exclude unacceptable inadmissible illegal unlawful`).map(
    stem => [stem, 'undoing'] as const,
  ),
  // What is done with the subject says nothing about the subject.
  ...stemsOf(`
    shall require requirement mandate permit permission allow allowance establish establishment adopt adoption introduce
    introduction create creation authorise authorize keep kept continue remain maintain retain
    support favour favor endorse agree need ask call propose proposal want demand urge force hereby resolve direct
    firmly strongly any`).map(stem => [stem, 'enacting'] as const),
]);

/** Those that are mostly nouns behind an article or before an `of`. */
const nounsToo = new Set(stemsOf('end stop bar fail permit limit cut'));

/** `before`, `after`: the words around it. What only looks like a verb says nothing. */
export function roleOf(lower: string, before: string, after: string): WordRole | null {
  if (lower === 'against') return opposing.has(before) ? 'undoing' : null;
  const role = roleOfWord.get(lower) ?? roleOfStem.get(stemOf(lower)) ?? null;
  return role === 'undoing' && isNoun(lower, before, after) ? null : role;
}

function isNoun(lower: string, before: string, after: string): boolean {
  return nounsToo.has(stemOf(lower)) && (articles.has(before) || after === 'of');
}

/** "We are against", "audited against the rules". */
const opposing = new Set([
  '',
  ...listed('am is are was were be been stay stand stands speak speaks spoke vote votes voted'),
  ...listed('argue argues argued decide decides decided firmly strongly come comes out'),
]);

export const articles: ReadonlySet<string> = new Set(
  listed('the a an its their this that these those each every any all our his her'),
);

/** What binds: who asks for it does not want it left out. */
export const binding: ReadonlySet<string> = new Set(
  listed('must shall required requires require subject only every always needed mandatory'),
);

/** A denial of one of these leaves the rest: "not alone". */
export const limiting: ReadonlySet<string> = new Set(
  stemsOf('alone solely exclusively entirely fully automatically'),
);

/** Figures of speech, and the plain word for each. */
export const figures: readonly (readonly [RegExp, string])[] = [
  [/\b(?:under no circumstances|in no case|at no time|by no means)\b/gi, 'never'],
  [/,? never,/gi, ' never'],
  [/\bcan['’]t\b/gi, 'cannot'],
  [/\bwon['’]t\b/gi, 'will not'],
  [/n['’]t\b/gi, ' not'],
  [/\bno longer\b/gi, 'not'],
  [/\b(?:rather than|instead of|other than)\b/gi, 'except'],
  [/\bwhether or not\b/gi, 'whether'],
  [/\b(?:has|have) no (?:place|room)\b/gi, 'is prohibited'],
  [/\boff[ -]limits\b/gi, 'prohibited'],
  [/\b(?:do|done|doing|does) away with\b/gi, 'abolished'],
  [/\b(?:get|getting) rid of\b/gi, 'abolish'],
  [/\b(?:lose|loses|losing) (?:the|their|its) right\b/gi, 'are forbidden'],
  [/\bno right\b/gi, 'not'],
];

/** After these a `no` is a figure of speech: `not only`, `no later than`. */
export const mild: ReadonlySet<string> = new Set(
  listed('only merely just simply limited exceeding more less later fewer least yet necessarily'),
);

/** What gives a clause a no of its own when it follows an `and`. */
export const auxiliaries: ReadonlySet<string> = new Set(
  listed('shall must may will should can do does did is are was were not never cannot no'),
);

/** "Also after the vote" takes nothing away from before it. */
export const additions: ReadonlySet<string> = new Set(listed('also too again additionally both'));

/** What stands before a number that only names a place. */
export const headings: ReadonlySet<string> = new Set(
  stemsOf(
    'section article phase appendix annex part clause paragraph level tier step chapter item',
  ),
);

const opposites: readonly (readonly [string, string])[] = [
  [
    'public open publish published publicly disclose disclosed publication',
    'confidential secret private closed hidden conceal undisclosed',
  ],
  [
    'mandatory compulsory obligatory obliged',
    'voluntary optional voluntarily discretionary facultative',
  ],
  ['centralised centralized central centrally', 'decentralised decentralized decentral'],
  ['elected elect election', 'appointed appoint appointment'],
  ['permanent indefinite permanently', 'temporary provisional interim temporarily'],
  ['binding', 'advisory'],
  ['free gratis', 'paid'],
  [
    'raise increase expand extend grow growth strengthen lengthen broaden widen enlarge rise',
    'lower reduce decrease cut limit shrink shorten weaken narrow curtail curb reduction restrict',
  ],
  ['unanimous unanimously', 'majority'],
  ['unilateral', 'multilateral joint'],
  ['equal equally', 'unequal unequally'],
  ['always', 'rarely seldom'],
];

export interface Side {
  /** Stands for both sides. */
  readonly term: string;
  readonly isOther: boolean;
}

const sides = new Map<string, Side>();
for (const [position, pair] of opposites.entries())
  for (const side of [0, 1] as const)
    for (const stem of stemsOf(pair[side]))
      if (!sides.has(stem)) sides.set(stem, { term: `±${position}`, isOther: side === 1 });
for (const { pair, side, words } of antonyms)
  for (const stem of stemsOf(words.join(' ').replaceAll('~', '')))
    if (!sides.has(stem)) sides.set(stem, { term: `±${pair}`, isOther: side < 0 });

/** `before` and `after` order two things, so that who turns both round says the same. */
export const orders: ReadonlySet<string> = new Set(
  stemsOf('before after').flatMap(stem => sides.get(stem)?.term ?? []),
);

/** Which side of two opposites the word is, `unlicensed` being that of `licensed`. */
export function sideOf(lower: string, before: string): Side {
  const stem = stemOf(lower);
  const known = sides.get(stem);
  if (known !== undefined)
    return nounsToo.has(stem) && !isVerbBehind(before) ? { term: stem, isOther: false } : known;
  const turned = /^(?:un|non)(\p{L}{6,})$/u.exec(lower)?.[1];
  return turned === undefined
    ? { term: stem, isOther: false }
    : { term: stemOf(turned), isOther: true };
}

function isVerbBehind(before: string): boolean {
  return before === '' || auxiliaries.has(before) || before === 'be' || before === 'to';
}

function listed(list: string): string[] {
  return list.trim().split(/\s+/);
}

function stemsOf(list: string): string[] {
  return listed(list).map(word => stemOf(word));
}

/** Numbers that are written out, by word. */
export const numerals: ReadonlyMap<string, string> = new Map(
  listed(
    'one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 ' +
      'fourteen=14 fifteen=15 sixteen=16 twenty=20 thirty=30 sixty=60 hundred=100 thousand=1000',
  ).map(entry => entry.split('=') as [string, string]),
);
