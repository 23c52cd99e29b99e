/**
 * Tells what is never a finding: statements of none, pieces of the template, and what was sent said back; and what a text is when it is no
 * answer: too large, not text, a loop, a refusal, a spent quota, a provider's error, a login prompt. The phrases are data beside it.
 */
import phrases from './phrases.json' with { type: 'json' };
import { tellsTrouble } from '../agreement/index.ts';
import { findOccurrences, isBlank, bordersOf, bytesOf, cut, toLine } from '../core/text.ts';
import { reject, type ReadingOptions, type Sieve, type Unread } from './reading.ts';
import { Cause } from '../core/words/review.ts';

/** Whole texts that say there is nothing, in many languages, in lower case. */
const statementOfNone = new RegExp(`^(?:${phrases.none.join('|')})$`, 'u');

const noneLimit = 160;

/** Longer texts are never placeholders or templates, so that nothing below looks at more than this. */
const chaffLimit = 300;

const templates = phrases.templates.map(source => new RegExp(source, 'i'));

export function createSieve(sent: ReadingOptions['sent']): Sieve {
  const instructions = linesOf(sent.instructions);
  let prompt: ReadonlySet<string> | null = null;
  return (text, line) => {
    if (isBlank(text) || isPlaceholder(text)) return 'placeholder';
    // A piece of the form that the reviewer was to fill in.
    const bare = text.trim();
    if (bare.length <= chaffLimit && templates.some(template => template.test(bare)))
      return 'template';
    if (line === undefined) return null;
    const keys = keysOf(line);
    if (keys.some(key => instructions.has(key))) return 'template';
    prompt ??= linesOf(sent.prompt);
    return keys.some(key => prompt?.has(key) === true) ? 'prompt' : null;
  };
}

/** In place of a finding: a set phrase and nothing else. */
export function isPlaceholder(text: string) {
  return (
    text.length <= noneLimit &&
    statementOfNone.test(
      // Without quotes, brackets and emphasis on both ends, and the final punctuation.
      text
        .replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '')
        .replace(/\s+/g, ' ')
        .toLowerCase(),
    )
  );
}

/** A sentence that stands by itself. What is said behind a label is a finding, unless it is a placeholder. */
export function isStatementOfNone(text: string) {
  return isPlaceholder(text) || (text.length <= noneLimit && deniesFindings(text));
}

const wordsOf = (list: string) => new Set(list.split(' '));
const things = wordsOf(phrases.nothing.things);
const before = wordsOf(phrases.nothing.before);
const behind = wordsOf(phrases.nothing.behind);

/**
 * `no` with what reviewers find behind it, and not a word of either side that could tell of anything else: "errors are not reported" denies
 * something of the code.
 */
function deniesFindings(text: string) {
  const words =
    text
      .replace(/\S*\/\S+|\S+\.\w{1,4}(?=\s)/g, ' ')
      .toLowerCase()
      .replace(/\bcan(?:not|['’]t)\b/g, 'can not')
      .replace(/n['’]t\b/g, ' not')
      .replace(
        /^\W*(?:[\w-]+ ){1,3}(?=(?:has |have )?reviewed\b)|(?<= )(?:[1-9]\d*|two|three|four|five|six|seven|eight|nine|ten)\b/g,
        '',
      )
      .replace(
        /\b(?:(?:i|we) )?(?:(?:did|could|do|can|have|had) not|(?:was |were |am )?(?:unable|not able) to|failed to) (?:find|found|see|seen|spot|identify|detect|reveal)\b/g,
        'no',
      )
      .replace(
        /\b(?:(?:actionable|further|additional|new) (?:comments?|feedback)|(?<=generated (?:no|0) )comments|changes (?:are |were )?(?:requested|required|needed|necessary)|anything)\b/g,
        'findings',
      )
      .replace(/\bnothing\b/g, 'no findings')
      .replace(/\bfree of\b/g, 'no')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const at = words.findIndex(word => word === 'no' || word === 'zero' || word === '0');
  const rest = words.slice(at + 1);
  return (
    at !== -1 &&
    rest.some(word => things.has(word)) &&
    words.slice(0, at).every(word => before.has(word)) &&
    rest.every(word => things.has(word) || behind.has(word) || word === 'no' || word === '0')
  );
}

/** `… it was adapted. No issues found.`: one sentence of the line, with nothing behind it that takes it back. */
export function endsInNone(line: string) {
  const read = line.slice(-2_000).replace(/^(\W*none)(?:,| [–—-])(?= )/i, '$1.');
  const none = read.split(/[.!;:。！；：—，]\s*(?=[^\s.])/u).find(isStatementOfNone);
  return (
    none !== undefined &&
    !/\.\w{1,5}:\d(?!.*\b(?:was|were|been|is|are) (?:resolved|fixed|addressed)\b)/i.test(
      read.slice(read.indexOf(none) + none.length),
    ) &&
    !/\b(?:but|however|although|though|except|had|would|unless|once|remains?|still|elsewhere|part(?:ly|ially)|aber|mais|pero)\b|但/i.test(
      line,
    )
  );
}

const { edits, troubles } = phrases.change;
const edit = new RegExp(
  `^(?!.*(?:${troubles}|\\w:\\d|\\bline \\d))[\\W_]*(?:\\S+\\.\\w{1,5}\\W{2,8})?(?:${edits})\\b|^\\W*fix(?:es|ed)\\b(?!.*\\b(?:but|still|part))`,
  'i',
);

/** An item of a walkthrough, which tells what the change does. */
export function tellsOfChange(item: string) {
  return edit.test(item.slice(0, chaffLimit));
}

/** Prose in the section of a label that says that the section is empty. */
export function isNegative(line: string) {
  return (
    line.length <= 200 &&
    (isStatementOfNone(line) ||
      endsInNone(line) ||
      /^\W*(?:no|none|nothing|n\/a|not an?)\b(?!.*\b(?:except|apart from|other than)\b)/i.test(
        line,
      ))
  );
}

function linesOf(text: string) {
  return new Set(text.split(/\r\n|\r|\n/).flatMap(keysOf));
}

/** The line, and its words without the marks that a diff, a quotation or a numbering puts before them. */
function keysOf(line: string) {
  const whole = line.trim();
  const bare =
    whole.slice(0, 400).replace(/^(?:[>+|-]|\d{1,6}(?=\s)|\s){1,40}/, '') + whole.slice(400);
  return [whole, ...(bare.length < 12 ? [] : [bare])].filter(key => key !== '');
}

/** Echoes are whole lines; blanks at line ends do not matter. `echoes` counts the removed copies. */
export function withoutEcho(text: string, sent: ReadingOptions['sent']) {
  let lines = text.split('\n');
  let echoes = 0;
  for (const part of [sent.prompt, sent.instructions]) {
    const needle = contentLines(part);
    const bare = lines.map(line => line.trimEnd());
    const kept = [];
    let end = 0;
    for (const start of findOccurrences(bare, needle)) {
      if (start < end) continue;
      kept.push(...lines.slice(end, start));
      end = start + needle.length;
      echoes += 1;
    }
    lines = [...kept, ...lines.slice(end)];
  }
  return { text: echoes === 0 ? text : lines.join('\n'), echoes };
}

function contentLines(text: string) {
  const lines = text.split(/\r\n|\r|\n/).map(line => line.trimEnd());
  const first = lines.findIndex(line => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(line => line !== '') + 1);
}

/** Only this much of either end is looked at: such texts are short, and patterns must stay cheap. */
const window = 1_200;

/** Sentences that open a text. Beside a statement of none only the very first one can take it back. */
const openingLength = { answer: 400, error: 400, remark: 160 };

/** Call only where no finding was read. */
export function rejectionIn(text: string, kind: 'answer' | 'remark' | 'error'): Unread | null {
  const plain = simplify(
    text.length > 2 * window ? `${text.slice(0, window)}\n${text.slice(-window)}` : text,
  );
  const opening = plain.slice(0, openingLength[kind]);
  const group = rejections.find(
    ({ among, where, patterns }) =>
      among.includes(kind) &&
      patterns.some(pattern => pattern.test(where === 'opening' ? opening : plain)),
  );
  return group ? reject(group.cause, cut(toLine(text.slice(0, 600)), 300)) : null;
}

/** What takes back that nothing was found: an excuse, or a trouble that was not read beside "no other". */
export function excuseOf(text: string): Unread | null {
  const [first = ''] = text.split(sentenceEnd, 1);
  const remark = isStatementOfNone(first) ? text.replace(first, 'None.') : text;
  return rejectionIn(remark, 'remark') ?? troubleBeside(text);
}

const sentenceEnd = /(?<=[.!?;])\s+|\n+/;

function troubleBeside(text: string) {
  const sentences = text.split(sentenceEnd).filter(sentence => !isBlank(sentence));
  if (!sentences.some(sentence => others.test(sentence) && isStatementOfNone(sentence)))
    return null;
  const trouble = sentences.find(
    sentence =>
      !isStatementOfNone(sentence) &&
      (tellsTrouble(sentence) || /\.\w{1,5}:\d|\bline \d/i.test(sentence)),
  );
  return trouble === undefined
    ? null
    : reject('noformat', `No form of a finding: ${cut(toLine(trouble), 300)}`);
}

/** What was said before is none of it. */
const others =
  /\b(?:other|else|further|additional|remaining|weitere[nr]?|autres?|otr[oa]s?|outr[oa]s?|altr[io])\b|其他|其它|ほか/i;

/** A heading above what was found. */
export function namesFindings(title: string) {
  const words = title.toLowerCase().match(/\p{L}+/gu) ?? [];
  return (
    words.some(word => things.has(word)) &&
    words.every(word => things.has(word) || before.has(word) || behind.has(word))
  );
}

const { STUDY, PATH } = phrases.admissionWords;
const admissions = phrases.admissions.map(({ cause, where, patterns }) => ({
  cause: Cause.parse(cause),
  isProse: where === 'prose',
  pattern: new RegExp(
    (where === 'start' ? patterns.map(each => `^(?:${each})`) : patterns)
      .join('|')
      .replaceAll('STUDY', STUDY)
      .replaceAll('PATH', PATH),
  ),
}));

const share =
  /(?:(?:\b(?:files?|units?|hunks?)(?: \w+)?|^(?:reviewed|read|coverage)) ?:? ?|(?=\d+ ?(?:\/|(?:out )?of) ?\d+ (?:\w+ )?(?:files?|units?|hunks?)\b))\b(\d{1,6}) ?(?:\/|(?:out )?of) ?(\d{1,6})\b/;

/**
 * What a line says against the review itself, beside whatever was found: that something was not read, or that a client gave up.
 * `isProse`: it belongs to no finding, which may tell the same of the code; `below`: it stands below one, at the margin.
 */
export function admissionIn(line: string, isProse: boolean | 'below'): Cause | null {
  for (const sentence of line.slice(0, window).split(/(?<=[.!?])\s+/)) {
    const said = simplify(sentence)
      .replace(/n't\b/g, ' not')
      .replace(/\bcannot\b/g, 'can not')
      // The change is all there was to read.
      .replace(
        /\b(?:only|nur|limited to)(?: (?:(?!skim)\w+ed(?: at)?|read|see|saw|on|at))? (?:the|this|den|die|diese[nr]?) (?:diff|änderung(?:en)?|change|patch|changed \w+)(?!\p{L})(?! (?:of|in|for|to|von|headers?)\b)/u,
        '',
      )
      .replace(
        /^(?=.*\bnot (?:look|read|review|check)).*\boutside (?:of )?(?:the|this) (?:diff|change|patch)\b.*/,
        '',
      )
      .replace(/^[^\p{L}\p{N}]+/u, '');
    const [none = ''] = said.split(/ ?[:;—–] | - /, 1);
    const behind = none !== said && isStatementOfNone(none) ? said.slice(none.length) : '';
    if (excuse.test(behind) || tellsOfLack(behind)) return 'unread';
    const [, read, all] = share.exec(said) ?? [];
    if (isProse === true && Number(read) < Number(all)) return 'unread';
    const found = admissions.find(
      each => (isProse === true || !each.isProse) && each.pattern.test(said),
    );
    if (found) return found.cause;
    if (isProse && tellsOfLack(said)) return 'unread';
  }
  return null;
}

const study = wordsOf(phrases.account.study);
const lacks = wordsOf(phrases.account.lacks);
const weak = wordsOf(phrases.account.weak);
const denials = wordsOf(phrases.account.denials);
const excuse = new RegExp(phrases.excuses);
const account = wordsOf(Object.values(phrases.account).join(' '));

/** Does a sentence that speaks of nothing but the review itself say that something of it is missing? What is denied twice is there. */
function tellsOfLack(said: string) {
  const words = said.replace(/\S*[\w/]\.[a-z]\w{0,4}\b|\S*\/\S+/g, ' ').match(/\p{L}+|\d+/gu) ?? [];
  const has = (list: ReadonlySet<string>) => words.some(word => list.has(word));
  const isKnown = (word: string) =>
    account.has(word) || /^\d/.test(word) || (things.has(word) && has(lacks));
  if (!words.every(isKnown) || isStatementOfNone(said)) return false;
  const isDenied = words.filter(word => denials.has(word)).length % 2 === 1;
  return has(lacks) || (has(weak) && has(study)) ? !isDenied : isDenied && has(study);
}

const count = new RegExp(phrases.counts);

/** How many findings a line says that there are; 0 where it does not. Words below ten are no number but several. */
export function countIn(line: string) {
  const said = simplify(line.slice(0, window));
  const word = count.exec(said)?.slice(1).find(Boolean) ?? 0;
  const stated = Number.isNaN(Number(word)) ? 2 : Number(word);
  return namesFindings(said.replace(ofSeverity, 'findings'))
    ? [...said.matchAll(ofSeverity)].reduce((sum, [, each]) => sum + Number(each), 0) || stated
    : stated;
}

const ofSeverity = /\b(\d{1,3})\W{1,4}(?:critical|high|medium|low|major|minor|blockers?|p[0-3])\b/g;

const unable =
  /^\W*(?:i )?(?:assum|presum)|\bexcept (?:that|for)\b|\b(?:could not|can ?not|\w+n['’]t|(?:un|not )able to) (?:be )?(?:check|verif|confirm|test)/i;
const unchecked = /\b(?:un|not (?:been )?)(?:checked|verified|confirmed|tested)(?=\W*$|[,.;:)])/i;

/** Is a PASS given for what nobody has looked at? It is no vote. */
export function isUnproved(reason: string) {
  return unable.test(reason) || unchecked.test(reason) || admissionIn(reason, true) !== null;
}

const contrast = new RegExp(`^\\W*(?:${phrases.contrasts})\\b`, 'i');

/** Does it go on with something else than what was said before? */
export function isContrast(line: string) {
  return contrast.test(line.slice(0, window));
}

/** What a message of an error says. */
export function errorIn(message: string): Unread {
  return rejectionIn(message, 'error') ?? reject('provider', message.slice(0, 300));
}

function simplify(text: string) {
  return text
    .replace(/[’‘´`]/g, "'")
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .trim();
}

/**
 * How programs and models say that there will be no review, tried from top to bottom on lower-case text with straight quotes and single
 * spaces; every pattern must stay linear. `where` is `opening` where only the first sentences count. `among` says which texts can be of
 * this kind: `answer`, all there is; `remark`, prose beside a statement of none; `error`, a message of that name.
 */
const rejections = phrases.rejections.map(group => ({
  ...group,
  cause: Cause.parse(group.cause),
  patterns: group.patterns.map(source => new RegExp(source)),
}));

/** Bytes of UTF-8. */
const answerLimit = 4 * 1024 * 1024;

/** `prompt` is what was sent: a replacement character that stands there may be quoted. */
export function faultOfText(text: string, prompt: string): Unread | null {
  if (bytesOf(text) > answerLimit) {
    const mark = /^\s{0,100}(```|~~~)/.exec(text.slice(0, 200))?.[1];
    return mark !== undefined && !text.trimEnd().slice(-200).includes(`\n${mark}`)
      ? reject('truncated', 'The fence around the answer is never closed.')
      : reject('size', `The answer has more than ${answerLimit} bytes.`);
  }
  if (text.includes('\uFFFD') && !prompt.includes('\uFFFD'))
    return reject('encoding', 'The answer is not valid UTF-8.');
  // A quarter of it or more is NUL.
  if ((text.split('\0').length - 1) * 4 > text.length)
    return reject('encoding', 'The answer looks like UTF-16.');
  return isLooping(text)
    ? reject(
        'loop',
        `The answer ends in ${JSON.stringify(text.trimEnd().slice(-60))}, over and over.`,
      )
    : null;
}

const tailLength = 1_500;
const unitLimit = 64;

function isLooping(text: string) {
  const tail = text.trimEnd().slice(-tailLength);
  if (tail.length < tailLength) return false;
  // Read backwards, so that a piece of another text at the front of the tail costs nothing.
  const borders = bordersOf(tail.split('').toReversed());
  const length = borders.length;
  const period = length - (borders[length - 1] ?? 0);
  const unit = tail.slice(-period);
  // Lines that repeat are findings said again, which are counted once; a bar marks one of them. Brackets are nesting.
  return (
    period <= unitLimit &&
    !/[|[\]{}]/.test(unit) &&
    !/\S\s*\n\s*\S/.test(unit + unit.slice(0, 1)) &&
    /\S/.test(unit)
  );
}
