/** The diff reviewer: what should not be in a finished change, on the lines it adds. */
import { perFile, quoteOf, type Remark } from './analyser.ts';
import { maskText } from './code-mask.ts';
import { findIdleFunctions } from './idle-functions.ts';
import { lineRules, type LineContext } from './line-rules.ts';
import { findLostTests } from './lost-tests.ts';
import { familyOf, isDocumentPath, isGeneratedPath, isTestPath } from '../../../core/languages/path-kinds.ts';
import type { Family } from '../../../core/languages/languages.ts';
import type { Source } from './source.ts';

export const diff = perFile({
  outside: () => null,
  isContentWithHunks: true,
  examine(source, { change }) {
    if (isGeneratedPath(source.path)) return [];
    const family = familyOf(source.path);
    const masked = maskText(source.text, family);
    const code = masked.code.split(/\r\n|\n|\r/);
    const context = { path: source.path, text: source.lines, code, comments: masked.comments.split(/\r\n|\n|\r/) };
    return [...findByLine(source, family, context), ...findIdle(source, family, code), ...findLostTests(source.file, change)];
  },
});

/** Longer lines were not written by hand. */
const longestLine = 2_000;

function findByLine(source: Source, family: Family | null, context: Omit<LineContext, 'index'>): Remark[] {
  const rules = lineRules.filter(rule => rule.families === null || (family !== null && rule.families.includes(family)));
  return source.added.flatMap(line => {
    const index = line - 1;
    const text = context.text[index] ?? '';
    if (text.length > longestLine) return [];
    const hit = rules.find(rule => rule.pattern.test(context[rule.on][index] ?? '') && (rule.words?.test(text) ?? true) && (rule.applies?.({ ...context, index }) ?? true));
    if (hit === undefined) return [];
    const { severity, category, issue, recommendation } = hit;
    return [{ rule: `diff/${hit.id}`, severity, category, path: source.path, line, quote: quoteOf(source, line), issue, recommendation }];
  });
}

function findIdle(source: Source, family: Family | null, code: readonly string[]): Remark[] {
  if (family === null || isTestPath(source.path) || isDocumentPath(source.path)) return [];
  const added = new Set(source.added);
  return findIdleFunctions(code, family, source.path, line => added.has(line)).map(({ name, start, alwaysAgrees }) => ({
    rule: `diff/${alwaysAgrees ? 'check-always-agrees' : 'idle-function'}`,
    severity: 'medium',
    category: 'placeholder',
    path: source.path,
    line: start,
    quote: quoteOf(source, start),
    issue: alwaysAgrees ? `\`${name}\` promises a check and always agrees.` : `\`${name}\` promises work and does none.`,
    recommendation: 'Implement it, or remove it together with its callers.',
  }));
}
