/** What the code index holds, and what a search found in it. */
import type { IndexStatistics, Refreshed, SearchHit } from '../core/words/code-index.ts';
import { splitIdentifier } from '../core/text.ts';
import { count, shortCount } from './figures.ts';
import { layHeading, layTable, openPage, type Page, type RenderOptions } from './page.ts';
import type { Column } from './section.ts';
import { cut, manyLines, oneLine, pathText } from './terminal-text.ts';

const languageColumns: readonly Column[] = [
  { title: 'LANGUAGE' },
  { title: 'FILES', align: 'right' },
  { title: 'TOKENS', align: 'right' },
];
const reasonColumns: readonly Column[] = [{ title: 'SKIPPED' }, { title: 'FILES', align: 'right' }];
const linesPerHit = 4;

export function renderIndex(
  {
    refreshed,
    statistics,
  }: { readonly refreshed: Refreshed; readonly statistics: IndexStatistics },
  withTables: boolean,
  options: RenderOptions,
): string {
  const page = openPage(options);
  const {
    branch,
    files,
    lines,
    tokens,
    counter,
    definitions,
    references,
    imports,
    languages,
    skipped,
  } = statistics;
  const left = skipped.reduce((sum, reason) => sum + reason.files, 0);
  const found = `${shortCount(definitions)} definitions, ${shortCount(references)} uses of names, ${count(imports, 'import')}`;
  const counted = `${shortCount(tokens)} tokens (${counter.estimated ? 'estimated: ' : ''}${counter.name})`;
  return `${[
    ...layHeading(
      page,
      oneLine(branch, 100),
      `${count(files, 'file')}, ${shortCount(lines)} lines, ${counted}; ${found}`,
    ),
    `${count(refreshed.indexed, 'content')} read, ${refreshed.reused} known already; ${count(left, 'file')} skipped`,
    ...(withTables ? ['', ...layTables(languages, skipped, page)] : []),
  ].join('\n')}\n`;
}

function layTables(
  languages: IndexStatistics['languages'],
  skipped: IndexStatistics['skipped'],
  page: Page,
): string[] {
  const byLanguage = layTable(
    {
      columns: languageColumns,
      rows: languages.map(({ language, files, tokens }) => [
        language,
        String(files),
        shortCount(tokens),
      ]),
    },
    page,
  );
  const byReason = layTable(
    { columns: reasonColumns, rows: skipped.map(({ reason, files }) => [reason, String(files)]) },
    page,
  );
  return skipped.length === 0 ? byLanguage : [...byLanguage, '', ...byReason];
}

export function renderHits(
  hits: readonly SearchHit[],
  query: string,
  options: RenderOptions,
): string {
  const page = openPage(options);
  if (hits.length === 0) return `Nothing matches ${oneLine(query, 100)}.\n`;
  const words = splitIdentifier(query);
  return hits
    .map(hit => layHit(hit, words, page).join('\n'))
    .join('\n\n')
    .concat('\n');
}

/** The lines with the most of the words, in the order of the file; the first ones where only parts of words matched. */
function layHit(
  { path, startLine, endLine, text }: SearchHit,
  words: readonly string[],
  page: Page,
): string[] {
  const lines = manyLines(text).map((line, index) => ({
    line: line.trimEnd(),
    number: startLine + index,
    matches: countWords(line, words),
  }));
  const best = lines
    .filter(({ line }) => line !== '')
    .toSorted((one, other) => other.matches - one.matches || one.number - other.number)
    .slice(0, linesPerHit);
  const shown = best.toSorted((one, other) => one.number - other.number);
  return [
    page.colors.bold(`${pathText(path)}:${startLine}-${endLine}`),
    ...shown.map(({ line, number }) => cut(`  ${String(number).padStart(5)}  ${line}`, page.width)),
  ];
}

function countWords(line: string, words: readonly string[]): number {
  const lower = line.toLowerCase();
  return words.filter(word => lower.includes(word)).length;
}
