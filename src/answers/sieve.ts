/** Tells what is never a finding: statements of none, pieces of the template, and what was sent said back. */
import { findOccurrences, isBlank } from '../core/text.ts';
import type { Dropped, ReadingOptions } from './reading.ts';

export type Chaff = keyof Dropped;

/** `text` is what would be the finding's wording; `line` the whole line it stands in, when it stands in one. */
export type Sieve = (text: string, line?: string) => Chaff | null;

const subject = String.raw`(?:the|this|these|all)(?: (?:whole|entire|full|code|changed|proposed))? (?:changes?|diff|code|files?|patch|pull request|documents?|commits?)`;
const none = [
  String.raw`none(?: found| identified| noted)?|n\/?a|nil|no[_ ]?findings?|nothing(?: to report)?(?: found)?`,
  String.raw`(?:there (?:are|were) |(?:i|we) (?:have )?(?:(?:reviewed|read|checked|examined) ${subject} and )?(?:found|see|saw) )?no (?:[\w/+-]+ ){0,3}(?:issues?|findings?|points?|concerns?|problems?|defects?|bugs?)(?: (?:were |was )?(?:found|identified|noted|to report))?(?: (?:in|with) ${subject})?`,
  String.raw`keine?(?: (?:weiteren |kritischen )?(?:probleme?|befunde?|mängel|fehler|anmerkungen))?(?: gefunden)?|nichts zu (?:beanstanden|melden)`,
  String.raw`aucun(?:e)?(?: (?:problème|constat|défaut|anomalie|remarque)s?)?(?: (?:trouvé|détecté|relevé)e?s?)?|néant|rien à signaler`,
  String.raw`(?:ning[uú]n[oa]?|nenhum[a]?|nessun[oa]?)(?: (?:problema|hallazgo|error|achado|erro|rilievo|errore))?(?: (?:encontrad|rilevat|trovat)[oa])?|nada que (?:reportar|señalar)|niente`,
  String.raw`geen(?: (?:problemen|bevindingen|opmerkingen))?(?: gevonden)?|inga(?: (?:problem|fynd|anmärkningar))?|ingen(?: (?:problemer|funn|fund))?|brak(?: (?:uwag|problemów|błędów))?|yok|(?:sorun|bulgu) (?:yok|bulunamadı)`,
  String.raw`нет(?: (?:замечаний|проблем|ошибок))?|(?:проблем |замечаний |ошибок )?не (?:найдено|обнаружено)|(?:замечаний|проблем) нет`,
  '无|無|没有|(?:没有|未|无)(?:发现)?(?:任何)?(?:明显)?(?:问题|異常|异常)|沒有(?:發現)?(?:任何)?問題|問題(?:は)?(?:なし|ありません)|(?:指摘事項)?(?:特に)?なし|없음|(?:발견된 )?문제 ?(?:가 )?없(?:음|습니다)',
].join('|');

const statementOfNone = new RegExp(`^(?:${none})$`, 'iu');

const noneLimit = 80;

/** Longer texts are never placeholders or templates, so that nothing below looks at more than this. */
const chaffLimit = 300;

const templates: readonly RegExp[] = [
  /^\[\s*list\b.*\bhere\b.*\]$/i,
  /^(?:severity|level|label|word)\s*\|\s*(?:path:line\s*\|\s*)?(?:description|text|message|issue|finding|id\b.*)$/i,
  /^<?(?:a |the |short |one-line )?description(?: of (?:the |an? )?[\w -]{0,40}(?:issue|point|finding|problem))?>?$/i,
  /^(?:<(?!(?:details|summary|blockquote|[bh]r|p|div|pre|code|table|[uo]l|li)>)[a-z][\w -]{0,60}>|\{\{?[\w -]{1,60}\}?\})$/i,
  /^["'[]*(?:\.{3}|…|string|todo|tbd|your (?:finding|issue|text|description) here|placeholder|lorem ipsum.*)["'\]]*$/i,
];

export function createSieve(sent: ReadingOptions['sent']): Sieve {
  const instructions = linesOf(sent.instructions);
  let prompt: ReadonlySet<string> | null = null;
  return (text, line) => {
    if (isBlank(text) || isStatementOfNone(text)) return 'placeholder';
    if (isTemplate(text)) return 'template';
    if (line === undefined) return null;
    const keys = keysOf(line);
    if (keys.some(key => instructions.has(key))) return 'template';
    prompt ??= linesOf(sent.prompt);
    return keys.some(key => prompt?.has(key) === true) ? 'prompt' : null;
  };
}

export function isStatementOfNone(text: string): boolean {
  return text.length <= noneLimit && statementOfNone.test(withoutDecoration(text));
}

/** `… it was adapted. No issues found.`: one sentence of the line, with nothing behind it that takes it back. */
export function endsInNone(line: string): boolean {
  const sentences = line.slice(-2_000).split(/[.!;:。！；：—]\s*(?=[^\s.])/u);
  return (
    sentences.some(isStatementOfNone) &&
    !/\b(?:but|however|although|though|except|aber|mais|pero)\b|但/i.test(line)
  );
}

/** Prose in the section of a label that says that the section is empty. */
export function isNegative(line: string): boolean {
  return (
    line.length <= 200 &&
    (isStatementOfNone(line) || endsInNone(line) || /^\W*(?:no|none|nothing|n\/a)\b/i.test(line))
  );
}

/** A piece of the form that the reviewer was to fill in. */
function isTemplate(text: string): boolean {
  const bare = text.trim();
  return (
    bare.length <= chaffLimit && bare !== '' && templates.some(template => template.test(bare))
  );
}

/** A severity that lists the choices instead of making one: `CRITICAL|HIGH|LOW`. */
export function isChoice(label: string): boolean {
  return (
    label.length <= chaffLimit && /^<?\s*[A-Za-z]\w*(?:\s*\|\s*[A-Za-z]\w*)+\s*>?$/.test(label)
  );
}

/** Quotes, brackets and emphasis on both ends, and the final punctuation. Call with short texts only. */
function withoutDecoration(text: string): string {
  return text.replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '').replace(/\s+/g, ' ');
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\r\n|\r|\n/).flatMap(keysOf));
}

/** The line, and its words without the marks that a diff, a quotation or a numbering puts before them. */
function keysOf(line: string): readonly string[] {
  const whole = line.trim();
  const bare =
    whole.slice(0, 400).replace(/^(?:[>+|-]|\d{1,6}(?=\s)|\s){1,40}/, '') + whole.slice(400);
  return [whole, ...(bare.length < 12 ? [] : [bare])].filter(key => key !== '');
}

/** Echoes are whole lines; blanks at line ends do not matter. `echoes` counts the removed copies. */
export function withoutEcho(
  text: string,
  sent: ReadingOptions['sent'],
): { readonly text: string; readonly echoes: number } {
  let lines = text.split('\n');
  let echoes = 0;
  for (const part of [sent.prompt, sent.instructions]) {
    const needle = contentLines(part);
    const bare = lines.map(line => line.trimEnd());
    const kept: string[] = [];
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

function contentLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map(line => line.trimEnd());
  const first = lines.findIndex(line => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(line => line !== '') + 1);
}
