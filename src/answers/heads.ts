/**
 * What a line begins: the label of severity that it names, in whatever dress (bars, brackets, emphasis, badge, field, heading), with
 * the place and the words behind it. The one notion of a label: what makes a finding, and what is left over where none was made.
 */
import {
  bySeverity,
  severityOf,
  severityOfScore,
  ownSeverityOf,
  severities,
  type LabelScale,
  type Severity,
} from '../core/words/finding.ts';
import { trimOff } from '../core/text.ts';
import { closed, isOtherHead, labelOfHeading, remarks } from './labels.ts';
import { readHeading, visible } from './layout.ts';
import phrases from './phrases.json' with { type: 'json' };
import { placeIn, splitPlace } from './place-in-text.ts';
import type { Label, Mention, Question } from './reading.ts';

export interface Head extends Label {
  /** Absent when none stands before the severity. */
  readonly id?: string;
  readonly title: string;
}

/** `place` begins like a path and names a line. */
export type Kind = 'heading' | 'number' | 'bullet' | 'bold' | 'plain' | 'place';

export interface Start {
  readonly kind: Kind;
  /** Of a heading; 7 for everything below headings. */
  readonly level: number;
  /** Without the mark in front of it. */
  readonly content: string;
}

// The underscores behind it are emphasis.
const word = String.raw`\p{L}(?:[\p{L}\p{M}\p{N}_-]{0,30}[\p{L}\p{M}\p{N}])?`;
const nouns =
  'severity|priority|issue|bug|finding|problem|vulnerabilit(?:y|ie)|risk|concern|fehler|mangel|lücke|sicherheitslücke|schwachstelle';
const pattern = (source: string) => new RegExp(source, 'iu');

/** What is graded, also as `Critical issues` in bold; the number of a rule of a compiler. */
const thing =
  String.raw`(?:\s(?:` +
  nouns +
  String.raw`)(?:(?<=[*_].{1,60})(?:s|e[nr]?))?(?!\p{L})|\s[a-z]{1,4}\d{2,5}(?=:))?`;
const inFront = pattern(
  String.raw`^([^\p{L}\p{N}]{0,12})(${word})${thing}(?:\s[#(]?\d{1,3}\)?)?((?:\s?[|｜])?[^\p{L}\p{N}\s]{0,6}(?:\s?[—–-](?=\s))?)\s{0,3}(?=\S)`,
);
const behindId = pattern(
  String.raw`^[*_\x60[]{0,4}([a-z][\w.-]{0,40}\d)[*_\x60\]]{0,4}\s?[[(（]\s?(${word})\s?[\])）]` +
    String.raw`[*_\x60]{0,3}\s?[:：—–-]?[*_\x60]{0,3}\s{0,3}(?=\S)`,
);
const fields =
  'priority|level|risk level|impact|schweregrad|gravité|gravedad|severidade?|gravidade|gravità|ernst|严重程度|严重性|重要度|' +
  '深刻度|심각도|важность|серьёзность';
const behind = pattern(
  String.raw`(?:[[(（]\s?(?:(?:severity|${fields})\s?[:：]\s?)?(${word})(?:\s(?:severity|priority))?(?:[,;]\s[^()[\]]{1,80})?\s?[\])）]` +
    String.raw`|\s[—–-]{1,2}\s{0,2}[*_\x60]{0,3}(${word}))[*_\x60.]{0,4}(?:[\s—–-]{1,4}[*_\x60]?\S{1,200}:\d{1,6}[*_\x60]?)?$`,
);
const placeInFront = /^[*_`]{0,3}\S{1,200}:\d{1,6}(?:-\d{1,6})?[*_`]{0,3}[\s|]+/;
/** The number of a remark, or what it is about, in front of a label in brackets. */
const inFrontOfLabel =
  /^(?:\[([\p{L} ]{2,20})\]\s?(?=\[)|(?:(?:finding|issue|bug|problem)\s)?#?\d{1,3}[.:)]?\s+(?=[[(])|[*_(]{0,3}(?:lines?\s|L)\d{1,6}(?:-\d{1,6})?[*_):]{0,4}\s*(?=[[(*]))/iu;
const field = pattern(
  String.raw`^\s*(?:[-*+]\s+)?[|[{]{0,2}\s{0,3}["*_\x60]{0,3}(?:(severity)|${fields})` +
    String.raw`["*_\x60]{0,3}\s?[:：=|]["*_\x60]{0,3}\s{0,3}[^\p{L}\p{N}]{0,6}(${word})(.*)$`,
);
const remark =
  /^[*_]{0,3}(issue|suggestion|nitpick|todo|chore|typo|polish)(?:\s{0,2}\(([a-z][a-z ,-]{2,60})\))?!?:[*_]{0,3}\s+(?=\S)/i;
const badge = /!\[([\w -]{1,30}?)(?: Badge)?\]\([^()\s]{1,300}\)/g;
const tag =
  /<\/?(?:result|answer|output|response|review|final|b|strong|em|i|u|code|mark|span|su[bp]|t[dhr]|li|p|h[1-6]|summary)(?:\s[^<>]{0,60})?>/gi;
const signs = /🔴|🛑|🚨|🟥|🟠|🟧|🟡|🟨|🟢|🔵/g;
const lights = { critical: '🔴🛑🚨🟥', high: '🟠🟧', medium: '🟡🟨', low: '🟢🔵' } as const;

/** Null where a word heads remarks of every kind, or is one of prose; the scale of the question comes first. */
function labelFor(text: string, scale: LabelScale): Severity | null {
  const isRemark = remarks.test(text) || /^(?:error|warn|warning)$/i.test(text);
  return isRemark && !scale.has(text.toUpperCase()) ? null : severityOf(text, scale);
}

/** The mark that a line begins with, and what stands behind it. */
export function startOf(line: string, isAfterBlank: boolean): Start {
  const text = line.trimStart();
  const heading = readHeading(text);
  if (heading) return { kind: 'heading', level: heading.level, content: heading.title };
  const number = /^(?:[*_]{0,3})\d{1,3}[.)]\s+(\S.*)$/s.exec(text)?.[1];
  if (number !== undefined) return start('number', text.startsWith('*') ? `**${number}` : number);
  const bullet = /^[-*+•](?![-*+])\s{0,4}(?:\[[ xX]?\]\s+)?(\S.*)$/s.exec(text)?.[1];
  if (bullet !== undefined && !/^\*\S[^*]*\*/.test(text.slice(0, 200)))
    return start('bullet', bullet);
  if (/^(?:[^\p{L}\p{N}\s]{1,4}\s)?\*\*\S/u.test(text))
    return start(isAfterBlank ? 'bold' : 'plain', text);
  const isPlace = /^[\w./@`[~]/.test(text) && placeIn(text.slice(0, 400)) !== null;
  return start(isPlace ? 'place' : 'plain', text);
}

function start(kind: Kind, content: string) {
  return { kind, level: 7, content };
}

/** Null where the words name no severity, or nothing but one: `Critical: 2 issues` counts findings and is none. */
export function readHead({ kind, content }: Start, scale: LabelScale): Head | null {
  if (isKey(content)) return null;
  const numbered = content.replace(/^[*_]{0,3}\d{1,3}[.):]\s+/, '').trim();
  const text = undressed(numbered).replace(inFrontOfLabel, (lead, topic?: string) =>
    severityOf(topic ?? '', scale) ? lead : '',
  );
  const { text: placed } = splitPlace(text);
  const isPlaced = placed !== text && text.endsWith(placed);
  const [lead = ''] = placeInFront.exec(text) ?? [];
  const behindPlace = placeIn(lead) ? text.slice(lead.length) : text;
  for (const words of new Set([placed, text, behindPlace])) {
    const isBehind = isPlaced || words !== text;
    const head = headInFront(words, scale, isBehind, kind === 'plain');
    if (head && isTitle(head.title)) return head;
  }
  const last = behind.exec(text);
  const isPlain = kind === 'plain' || kind === 'bullet' || kind === 'place';
  const isSet = last?.[1] !== undefined || (kind !== 'plain' && /^\p{Lu}/u.test(last?.[2] ?? ''));
  if (isPlain && (!isSet || placeIn(text) === null)) return null;
  const label = last?.[1] ?? last?.[2] ?? '';
  const severity = labelFor(label, scale);
  const title = text.slice(0, last?.index ?? 0).trim();
  return severity === null || !isTitle(title) ? null : { label, severity, title };
}

const tail = /-(?:\d{1,3}|severity|priority|risk|level)$/i;

function headInFront(text: string, scale: LabelScale, isPlaced: boolean, isPlain: boolean) {
  const comment = commentHead(text, scale);
  if (comment) return comment;
  const [named = '', id = '', idLabel = ''] = behindId.exec(text) ?? [];
  const ofId = ownSeverityOf(idLabel, scale);
  if (ofId !== null) return { label: idLabel, severity: ofId, id, title: text.slice(named.length) };
  const [whole = '', before = '', label = '', after = ''] = inFront.exec(text) ?? [];
  const isMarked =
    /[*_`[(（【\p{Extended_Pictographic}]/u.test(before) || /[\])）】*_`|｜]/.test(after);
  const title = closed(text.slice(whole.length), before + after);
  const isBeforePlace = /^\W{0,2}[\w@-]{0,60}[/.][a-z_]/i.test(title);
  const isAt = isPlaced || isBeforePlace || placeIn(title) !== null;
  // What tools call a line of code is no word of prose.
  const bare = label.replace(tail, '');
  const known = labelFor(bare, scale) ?? (isAt ? severityOf(bare, scale) : null);
  const isLoud = known !== null && label === label.toUpperCase();
  const isSure = isMarked || isLoud || isAt;
  const severity = isSure ? known : ownSeverityOf(label, scale);
  const isSet = isMarked || /[:：—–-]/.test(after) || (isLoud && !isPlain) || isBeforePlace;
  if (isSet && severity !== null && (isSure || !isPlain)) return { label, severity, title };
  return lightHead(text);
}

/** `issue (blocking): …` of conventional comments. What decorates it tells how bad it is. */
function commentHead(text: string, scale: LabelScale) {
  const [whole, kind = '', decorations] = remark.exec(text) ?? [];
  const title = text.slice(whole?.length);
  const isPlain = decorations === undefined;
  if (whole === undefined || (isPlain && (severityOf(kind, scale) || !placeIn(title)))) return null;
  const severity =
    (decorations ?? '')
      .split(',')
      .map(each => (/^\s*non-blocking/i.test(each) ? 'low' : severityOf(each.trim(), scale)))
      .find(found => found !== null) ?? (/^(?:issue|todo|chore)$/i.test(kind) ? 'medium' : 'low');
  return { label: kind, severity, title };
}

/** To the signs. */
function isKey(text: string) {
  return new Set(text.match(signs)).size > 2;
}

export function lightHead(text: string) {
  const start = isKey(text) ? [] : (text.slice(0, 12).match(/\p{Extended_Pictographic}/gu) ?? []);
  for (const severity of severities) {
    const sign = start.find(each => lights[severity].includes(each));
    if (sign === undefined) continue;
    const title = trimOff(text.slice(text.indexOf(sign) + sign.length), ' *_\uFE0F:—–-');
    return { label: sign, severity, title };
  }
  return null;
}

/** Badges and tags around the first words are dress. */
export function undressed(text: string) {
  const plain = text.includes('![') ? text.replace(badge, '**$1**') : text;
  return /^[*_]{0,3}</.test(plain) ? plain.replace(tag, '**') : plain;
}

/** What stands behind a label is none where it counts findings, or heads a part that tells of the change. */
export function isTitle(text: string) {
  return /\p{L}{2}|\p{Script=Han}/u.test(text) && !noTitle.test(text.slice(0, 200));
}

const noTitle = pattern(
  String.raw`^\W*(?:(?:no|ok|pass(?:ed)?)\W*$|(?:(?:issues?|findings?|points?|problems?|comments?|found|\d{1,4})(?!\w)\W*)+$` +
    String.raw`|\d{1,4}\s?[,;·•|｜].*[:：—–-]\W*\d|(?:${phrases.walkthrough})\W*$)`,
);
/** Heads a part that tells of the change. */
const walkthrough = pattern(String.raw`^\W*(?:${phrases.walkthrough})\W*$`);

/** `Severity: High`, as a line, a bullet, a member of an object or the row of a table; the words behind it are its title. */
export function readField(line: string, scale: LabelScale): Head | null {
  const [, isSeverity, label, rest = ''] = field.exec(line.slice(0, 2_000)) ?? [];
  if (label === undefined) return null;
  const severity = severityOf(label, scale);
  const behindField = /^[*_`"]{0,3}\s?[,(（|—–;-]/.exec(rest);
  const isWhole = /^\W*$/.test(rest) || (isSeverity !== undefined && behindField !== null);
  const title = /[—–-]$/.test(behindField?.[0] ?? '') ? trimOff(rest, ' *_`—–-') : '';
  return severity === null || !isWhole ? null : { label, severity, title };
}

/** The label among the badges of a line that holds nothing else, or ends with them: `![high](…)`, `_⚠️ Potential issue_ | _🟠 Major_`. */
export function readBadges(line: string, scale: LabelScale): Head | null {
  const dressed = line.replace(badge, '|_$1_|');
  const isBadge = dressed !== line;
  const from = isBadge ? 0 : Math.max(0, line.search(/[_*][^|_*]{2,40}[_*]\s*\|/));
  const parts = dressed
    .slice(from)
    .split('|')
    .filter(part => part.trim() !== '');
  const isBare = parts.every(part => /^\s*[_*][^|_*]{2,40}[_*]\s*$/.test(part));
  if (!isBare || parts.length > 6 || (parts.length < 2 && !isBadge)) return null;
  const labels = parts.flatMap(part => {
    const label = part.match(/\p{L}[\p{L}\p{N}]*/gu)?.at(-1) ?? '';
    const severity = labelFor(label, scale);
    return severity === null ? [] : [{ label, severity, title: '' }];
  });
  return labels.toSorted(bySeverity)[0] ?? null;
}

const words = new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}-])${word}(?![\p{L}\p{M}\p{N}-])`, 'giu');
const markBefore = /[^\p{L}\p{M}\p{N} ] ?$/u;
const markBehind = pattern(String.raw`^(?: (?:${nouns})s?)? ?[^\p{L}\p{M}\p{N} ]`);
const colonBehind = pattern(String.raw`^(?:\s(?:${nouns})s?)?[\s*_\x60\])）】」|]{0,3}[:：]`);
const noneBehind = pattern(
  String.raw`^(?:\s(?:${nouns})s?)?[^\p{L}\p{N}]{0,6}(?:0(?!\d)|(?:none|no|nil|n\/a|keine?|aucune?)(?!\p{L})|无|没有|(?:pass(?:ed)?|ok|[—–-])[^\p{L}\p{N}]*\|$)`,
);

/**
 * Every label within a line that is set off as one: in capitals, before a colon, or between marks (the ends of the line are two). A
 * critical one also where it leads the line or a field, or where the words around it name a line of the code. What is denied ("no
 * **critical** issue") names none.
 */
export function labelsIn(line: string, scale: LabelScale) {
  const seen = withWords(line.replace(/~~.{3,}?~~/g, ''));
  const labels = [...seen.matchAll(words)].flatMap(({ 0: label, index }) => {
    const severity = isOtherHead(label) ? null : labelFor(label.replace(tail, ''), scale);
    const isCritical = severity === 'critical';
    const isWalk = !isCritical && walkthrough.test(line.slice(0, 200).replace(label, ''));
    if (severity === null || isWalk) return [];
    const behind = seen.slice(index + label.length, index + label.length + 24);
    const isLoud = label === label.toUpperCase() && label !== label.toLowerCase();
    const before =
      seen
        .slice(Math.max(0, index - 200), index)
        .split(isLoud ? loudEnd : sentenceEnd)
        .at(-1) ?? '';
    const isSetOff =
      isLoud ||
      colonBehind.test(behind) ||
      (markBefore.test(before) && markBehind.test(behind)) ||
      (isCritical && leading.test(before));
    const around = seen.slice(Math.max(0, index - 80), index + 160);
    const isNamed =
      (ofTrouble.test(behind) ||
        (label.toLowerCase() === 'critical' && introduced.test(before)) ||
        ((isCritical || /severity/i.test(before)) &&
          /\b(?:is|are)\s$/.test(before) &&
          /^[.,;|]/.test(behind))) &&
      !denied.test(before);
    const isUnmended = unmended.test(before);
    const isTold =
      (isCritical || severity === 'high') &&
      (isNamed || (isCritical && typeof placeIn(around)?.line === 'number')) &&
      !ofCode.test(label + behind) &&
      (isUnmended || !mended.test(before));
    const isCounted = counted.test(before);
    const isNone =
      (!isUnmended && denial.test(before)) ||
      (!isCritical && aside.test(before)) ||
      (!isCounted && noneBehind.test(behind)) ||
      isSettled(seen);
    return (isSetOff || isCounted || isTold) && !isNone
      ? [{ label, severity, isTold: !isSetOff && !isCounted, isCounted }]
      : [];
  });
  // A key to the words names each once.
  const named = labels.map(({ severity }) => severity);
  return new Set(named).size > 2
    ? labels.filter(({ isCounted, severity }, at) => isCounted || named.indexOf(severity) < at)
    : labels;
}

/** The same in each line of a text that was not sent itself. */
export function mentionsIn(text: string, { scale, sieve }: Question): Mention[] {
  return visible(text, scale)
    .split('\n')
    .flatMap(line => {
      const head = readHead(startOf(line, true), scale);
      const labels = head ? [head] : labelsIn(line, scale);
      return labels.length > 0 && sieve(head?.title ?? 'words', line) === null
        ? labels.map(({ label, severity }) => ({ label, severity, line }))
        : [];
    });
}

/** Between bars, without emphasis inside of words, and with a CVSS score as the word of its band. */
function withWords(line: string) {
  const plain = line
    .replace(
      /(?<=[\p{L}\p{N}])\*+(?=[\p{L}\p{N}])|\bwithout (?:a |any )?(?:question|doubt)\b/giu,
      '',
    )
    .replace(scored, (whole, score) => severityOfScore(score)?.toUpperCase() ?? whole);
  return `|${plain}|`;
}

const scored =
  /\bCVSS(?: ?v?[23](?:\.\d)?(?= ?[ :=]))?(?: base)?(?: score)?[\s:=(*_]{1,4}(10(?:\.0)?|\d\.\d)/gi;

/** `Found 2 critical`: more than were written down. */
const counted =
  /(?:^\|\W*|[:(,][*_]{0,3}\s?|\b(?:found|identified|reported|are)\s)(?:[1-9]\d{0,2}|one|two|three|four|five|several)\s$/i;
/** Of an earlier finding that it is no more, as the last word about it. */
const settled =
  /(?:\b(?:is|are|was|were|been|now|as)\s|[—–:-]\s*)(?:already\s|now\s)?(?:resolved|fixed|addressed)(?:\snow)?(?=\W*$|[.,;:)]|\s(?:in|by|since|with)\s(?:this|the|that)\s(?:\w+\s)?(?:push|commit|change|round|version|test)\b)/i;
const unsettled = /\b(?:not|never|still|remains?|but|elsewhere|part(?:ly|ially)|only|n[’']t)\b/i;

export function isSettled(line: string) {
  return !unsettled.test(line) && (settled.test(line) || /~~.{3,}~~/.test(line));
}

/** `one critical problem left`, `a high severity bug` */
const ofTrouble = pattern(
  String.raw`^(?:[- ](?:severity|priority))? (?:${nouns}|flaw|hole)s?(?!\p{L})`,
);
const introduced = /(?:^|[^a-z])(?:an?|one|another|more) $/i;
const denied =
  /\b(?:no|not|never|none|nothing|without|neither|nor|zero|free|if|any|(?:look|search|check|scan)\w* for)\b|n['’]t\b/i;
/** `fixes a critical bug` */
const mended = /\b(?:fix|resolv|address|clos)\w*\W(?:\w+\W){0,3}$/i;
/** `does not fix the critical bug` */
const unmended =
  /(?:\b(?:not|never|fail\w* to)|n['’]t)\W+(?:\w+\W+)?(?:fix|resolv|address)\w*\W(?:\w+\W){0,3}$/i;
/** A word of prose: `critical section`, `strong type`. */
const ofCode = /^(?:strong\b|\w+ (?:sections?|paths?|calls?|reads?|writes?|i\/?o)\b)/i;
/** What is high or low there is no harm: `Confidence: High`. */
const aside = pattern(`(?:${phrases.aside})[^\\p{L}\\p{N}]{1,8}$`);
export const asideField = pattern(
  String.raw`^\W*(?:\p{L}+ )?(?:${phrases.aside})[*_]*[:：][*_]*\s*\S{1,20}$`,
);

const sentenceEnd = /[.!?;。！？；]\s*(?=\s|$)/u;
/** Behind a dash a loud label says something of its own. */
const loudEnd = /[.!?;。！？；]\s*(?=\s|$)|\s[-–—]\s/u;
const leading = /(?:^\||[:=：])[^\p{L}]*$/u;
const denial =
  /(?<!\p{L})(?:no|not|non|without|(?<!\b(?:by|to|than) )(?:zero|0)|kein|keine[nr]?|aucun|aucune|sin|没有|无)\W{1,3}(?:\w+[^\p{L}\p{N}([—–]{1,3}){0,2}$/iu;

/** What a quoted, fenced or nested line would begin if it stood alone; null when nothing. */
export function labelAtStart(line: string, scale: LabelScale): Label | null {
  const bare = line.replace(/^[\s>|]{0,40}(?:[+-]\s?(?=\S))?/, '');
  const start = startOf(bare, true);
  const isHeading = start.kind === 'heading' || /[:：]$/.test(bare);
  return (
    (isHeading ? labelOfHeading(start.content, scale) : null) ??
    readHead(start, scale) ??
    readField(bare, scale)
  );
}
