/** A few words about each anchor, worked out from the code: what it declares, what its comment says, who calls it. */
import type { Definition } from '../../words/code-index.ts';
import { present } from '../../groups.ts';
import { signatureOf } from '../changed-names.ts';
import { countOf } from '../../text.ts';
import { listNames } from '../risk-lines.ts';
import {
  type CodeView,
  calledName,
  isCommonName,
  isImportLine,
  rangeOf,
  usesOfDefinition,
} from './code-view.ts';
import type { Placed } from './fit.ts';
import { type LineRange, type SourceText, holds, overlaps } from './line-range.ts';

const longest = 320;
const mostNames = 4;

export interface SummaryMaterial {
  readonly view: CodeView;
  /** Null for a file that was not read. */
  readonly textOf: (path: string) => SourceText | null;
  /** Lines of a file that changed. */
  readonly changedIn: (path: string) => readonly LineRange[];
  readonly changedSymbols: ReadonlySet<string>;
}

/** Null when the code tells nothing that the excerpt does not. */
export function summarise(placed: Placed, material: SummaryMaterial) {
  const { path, range, kind } = placed;
  if (placed.summary !== null) return fitted([placed.summary]);
  if (path === null || range === null) return null;
  return kind === 'test'
    ? summariseTest(path, range, material)
    : summariseCode(path, range, material);
}

function summariseCode(
  path: string,
  range: LineRange,
  { view, textOf, changedIn }: SummaryMaterial,
) {
  const declared = view
    .definitionsIn(path)
    .filter(({ startLine, kind }) => holds(range, startLine) && kind !== 'test');
  const around = declared.length > 0 ? undefined : view.around(path, range.start);
  const main = declared.find(({ kind }) => kind !== 'constant') ?? declared[0] ?? around;
  if (main === undefined) return null;
  const isChanged = changedIn(path).some(
    one => overlaps(one, range) && overlaps(one, rangeOf(main)),
  );
  const own = [...new Set(declared.map(({ name }) => name))];
  const text = textOf(path);
  const head =
    own.length < 2
      ? `${around === undefined ? '' : 'in '}${signatureOf(main, text?.shown ?? []) || main.name}`
      : listNames(own, mostNames);
  // Of several names the comment and the counts are about one.
  const about = own.length < 2 ? '' : `${main.name}: `;
  const said = present(around === undefined && docSentence(main, text), countsOf(main, view));
  return fitted([`${isChanged ? 'changes ' : ''}${head}`, ...said.map(one => `${about}${one}`)]);
}

/** Null where the name alone does not tell whose `build` a `build()` is. */
function countsOf(definition: Definition, view: CodeView) {
  const { kind, path } = definition;
  const name = calledName(definition, view);
  if (kind === 'constant' || (kind === 'method' && isCommonName(name, [path], view))) return null;
  const uses = usesOfDefinition(definition, view);
  const outside = uses.filter(use => !view.isTest(use.path));
  const calls = outside.filter(use => use.kind === 'call').length;
  const tests = new Set(
    uses
      .filter(use => view.isTest(use.path) && !isImportLine(use.path, use.line, view))
      .map(use => `${use.path}:${view.around(use.path, use.line)?.startLine ?? 0}`),
  );
  // A type, or a function that is handed on, is named where nobody calls it.
  const used = calls > 0 ? countOf(calls, 'call-site') : countOf(outside.length, 'use');
  return `${used}, ${countOf(tests.size, 'test')}`;
}

function summariseTest(path: string, range: LineRange, { view, changedSymbols }: SummaryMaterial) {
  const cases = view
    .definitionsIn(path)
    .filter(one => one.kind !== 'constant' && overlaps(range, rangeOf(one)));
  const tests = cases.filter(({ kind }) => kind === 'test');
  const names = (tests.length > 0 ? tests : cases).map(({ name }) => name);
  const used = view
    .usesIn(path)
    .filter(({ line, name }) => holds(range, line) && changedSymbols.has(name))
    .map(({ name }) => name);
  return fitted(
    present(
      names.length > 0 && `cases: ${names.slice(-mostNames).join('; ')}`,
      used.length > 0 && `uses ${[...new Set(used)].slice(0, mostNames).join(', ')}`,
    ),
  );
}

/** First sentence of the comment above a definition, or of the text right below it. */
function docSentence({ startLine }: Definition, text: SourceText | null) {
  if (text === null) return null;
  const above = commentAbove(text.shown, startLine);
  const lines = saysNothing(above.join(' ')) ? [] : above;
  const own = lines.length > 0 ? lines : docString(text.shown, startLine);
  const sentence =
    /^.*?[.!?](?=\s|$)/s.exec(own.join(' ').replace(/\s+/g, ' ').trim().slice(0, 400))?.[0] ??
    own.join(' ').trim();
  return sentence === '' ? null : sentence.slice(0, 160).replace(/\.$/, '');
}

const longestComment = 80;

/** Its first paragraph: what follows are examples, parameters and links. */
function commentAbove(lines: readonly string[], startLine: number) {
  const found: string[] = [];
  for (let at = startLine - 2; at >= 0 && found.length < longestComment; at -= 1) {
    const line = (lines[at] ?? '').trim().slice(0, 300);
    if (/^(?:@|#\[)/.test(line)) continue;
    if (!/^(?:\/\/|\/\*|\*|#(?!!|include|define|if|end)|--)/.test(line)) break;
    found.unshift(
      bare(line)
        .replace(/<\/?[a-z][^<>]*>/gi, ' ')
        .replace(/\{@\w+\s+#?([^{}]*)\}/g, '$1')
        .trim(),
    );
  }
  const told = found.filter(
    line => !/^(?:eslint|oxlint|prettier|type:|noqa|nolint|ts-)/.test(line),
  );
  const first = told.findIndex(line => line !== '');
  if (first === -1 || /^(?:@|#|```|\[[^\]]*\]:)/.test(told[first] ?? '')) return [];
  const end = told.findIndex(
    (line, at) => at > first && (line === '' || /^(?:@|#|```|\[[^\]]*\]:)/.test(line)),
  );
  return told.slice(first, end === -1 ? undefined : end);
}

function docString(lines: readonly string[], startLine: number) {
  const rest = lines.slice(startLine, startLine + 6).map(line => line.trim());
  const at = rest.findIndex(line => /^[rRuU]?(?:"""|''')/.test(line));
  if (at === -1 || at > 3) return [];
  return [
    (rest[at] ?? '').replace(/^[rRuU]?(?:"""|''')/, '').replace(/(?:"""|''').*$/, ''),
    ...(/(?:"""|''').*(?:"""|''')/.test(rest[at] ?? '') ? [] : rest.slice(at + 1, at + 3)),
  ];
}

/** At most three lines and 320 characters. */
function fitted(parts: readonly string[]) {
  const text = parts
    .map(part => part.replace(/\s+/g, ' ').trim())
    .filter(part => part !== '')
    .slice(0, 3)
    .join('; ');
  if (text === '') return null;
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

// What a file says about itself at its top, and which comments say nothing of it: licences, and headings that fit any file.

const mostLines = 10;
const lookedAt = 80;

const comment =
  /^\s*(?:\/\/|\/\*|\*|#(?!!|\[|\s*(?:include|define|if|pragma|region)\b)|"""|'''|--|<!--)/;
const legal =
  /copyright|licen[sc]e|spdx-|\(c\) ?\d{4}|all rights reserved|permission is hereby granted|warranties or conditions/i;
/** Said of nothing in particular, or said to a tool. */
const empty = new RegExp(
  '^\\W*(?:module (?:dependencies|exports|variables|prototypes?)|imports?|dependencies|constants|globals?|' +
    'expose\\b.{0,40}|-\\*-.*-\\*-|eslint\\b.*|@ts-\\w+.*|frozen_string_literal.*|encoding.*|use strict)\\W*(?:@\\w+\\W*)*$',
  'i',
);

/** True of a licence, and of a heading that fits any file. `text`: the comment on one line. */
function saysNothing(text: string) {
  return legal.test(text) || empty.test(text.trim());
}

/** Lines of the first comment of a file that tells of it, at most ten; null when none does. */
export function synopsisOf(lines: readonly string[]): LineRange | null {
  for (let at = 0; at < Math.min(lookedAt, lines.length); at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || /^\s*(?:#!|["']use \w+["'];?\s*$|<\?php|package\b)/.test(line))
      continue;
    if (!comment.test(line)) return null;
    const end = commentEnd(lines, at);
    const text = lines.slice(at, end).map(bare).join(' ').trim();
    // What stands right above a definition is about that one.
    const isOfFile = at === 0 || (lines[end] ?? '').trim() === '' || /^(?:"""|''')/.test(line);
    if (text !== '' && !saysNothing(text) && isOfFile)
      return { start: at + 1, end: Math.min(end, at + mostLines) };
    at = end - 1;
  }
  return null;
}

/** 1-based; 1 where there is none. */
export function firstCodeLine(lines: readonly string[]) {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || line.startsWith('#!')) continue;
    if (!comment.test(line)) return at + 1;
    at = commentEnd(lines, at) - 1;
  }
  return 1;
}

/** Index behind the comment that begins at `from`. */
function commentEnd(lines: readonly string[], from: number) {
  const first = (lines[from] ?? '').trim();
  const quotes = /^("""|''')/.exec(first)?.[1];
  const close = quotes ?? (first.startsWith('/*') ? '*/' : first.startsWith('<!--') ? '-->' : null);
  if (close !== null) {
    if (first.indexOf(close, quotes === undefined ? 2 : 3) !== -1) return from + 1;
    const end = lines.findIndex((line, index) => index > from && line.includes(close));
    return end === -1 ? from + 1 : end + 1;
  }
  let end = from + 1;
  while (end < lines.length && comment.test(lines[end] ?? '')) end += 1;
  return end;
}

function bare(line: string) {
  return line
    .replace(/^\s*(?:\/\*+!?|\*\/|\*|\/\/[/!]?|#+|--|"""|'''|<!--)/, '')
    .replace(/\*\/|"""|'''|-->/, '')
    .trim();
}
