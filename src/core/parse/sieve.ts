/** Tells what is never a finding: statements of none, pieces of the template, and what was sent said back. */
import { findOccurrences, isBlank } from '../text.ts';
import type { Dropped } from './reading.ts';

export type Chaff = keyof Dropped;

/** `text` is what would be the finding's wording; `line` the whole line it stands in, when it stands in one. */
export type Sieve = (text: string, line?: string) => Chaff | null;

const statementOfNone =
  /^(?:none(?: found| identified| noted)?|n\/?a|nil|nothing(?: to report)?|no (?:\w+ )?(?:issues?|findings?|points?|concerns?)(?: found)?)$/i;

const noneLimit = 80;

/** Longer texts are never placeholders or templates, so that nothing below looks at more than this. */
const chaffLimit = 300;

const templates: readonly RegExp[] = [
  /^\[\s*list\b.*\bhere\b.*\]$/i,
  /^(?:severity|level|label|word)\s*\|\s*(?:path:line\s*\|\s*)?(?:description|text|message|issue|finding|id\b.*)$/i,
  /^<?(?:a |the |short |one-line )?description(?: of (?:the |an? )?[\w -]{0,40}(?:issue|point|finding|problem))?>?$/i,
  /^(?:<[a-z][\w -]{0,60}>|\{\{?[\w -]{1,60}\}?\})$/i,
  /^["'[]*(?:\.{3}|…|string|todo|tbd|your (?:finding|issue|text|description) here|placeholder|lorem ipsum.*)["'\]]*$/i,
];

export function createSieve(sent: {
  readonly instructions: string;
  readonly prompt: string;
}): Sieve {
  const instructions = lineSet(sent.instructions);
  let prompt: ReadonlySet<string> | null = null;
  return (text, line) => {
    if (isBlank(text) || isStatementOfNone(text)) return 'placeholder';
    if (isTemplate(text)) return 'template';
    if (line === undefined) return null;
    const whole = line.trim();
    if (instructions.has(whole)) return 'template';
    prompt ??= lineSet(sent.prompt);
    return prompt.has(whole) ? 'prompt' : null;
  };
}

export function isStatementOfNone(text: string): boolean {
  return text.length <= noneLimit && statementOfNone.test(withoutDecoration(text));
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
  return text
    .replace(/^[\s"'“”‘’`*_()[\]{}<>~-]+/, '')
    .replace(/[\s"'“”‘’`*_()[\]{}<>~.!,;:。]+$/, '')
    .replace(/\s+/g, ' ');
}

function lineSet(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split(/\r\n|\r|\n/)
      .map(line => line.trim())
      .filter(line => line !== ''),
  );
}

/** Echoes are whole lines; blanks at line ends do not matter. `echoes` counts the removed copies. */
export function withoutEcho(
  text: string,
  sent: { readonly instructions: string; readonly prompt: string },
): { readonly text: string; readonly echoes: number } {
  let lines = text.split('\n');
  let echoes = 0;
  for (const part of [sent.prompt, sent.instructions]) {
    const needle = contentLines(part);
    const starts = findOccurrences(
      lines.map(line => line.trimEnd()),
      needle,
    );
    if (starts.length === 0) continue;
    const removed = removeRuns(lines, starts, needle.length);
    lines = removed.lines;
    echoes += removed.count;
  }
  return { text: echoes === 0 ? text : lines.join('\n'), echoes };
}

function contentLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map(line => line.trimEnd());
  const first = lines.findIndex(line => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(line => line !== '') + 1);
}

function removeRuns(
  lines: readonly string[],
  starts: readonly number[],
  length: number,
): { lines: string[]; count: number } {
  const kept: string[] = [];
  let from = 0;
  let count = 0;
  for (const start of starts) {
    if (start < from) continue;
    kept.push(...lines.slice(from, start));
    from = start + length;
    count += 1;
  }
  return { lines: [...kept, ...lines.slice(from)], count };
}
