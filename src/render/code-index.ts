/** What the code index holds, and what a search found in it. */
import { splitIdentifier } from '../core/text.ts';
import type { IndexStatistics, Refreshed, SearchHit } from '../core/words/code-index.ts';
import { count, shortCount } from './figures.ts';
import { lines, literal, say, type Section, table, title } from './section.ts';
import { manyLines } from './terminal-text.ts';
import { paintTerminal, type RenderOptions } from './to-terminal.ts';

const linesPerHit = 4;

export function renderIndex(
  {
    refreshed,
    statistics,
  }: { readonly refreshed: Refreshed; readonly statistics: IndexStatistics },
  withTables: boolean,
  options: RenderOptions,
): string {
  const { branch, files, tokens, counter, languages, skipped } = statistics;
  const left = skipped.reduce((sum, reason) => sum + reason.files, 0);
  const facts = [
    count(files, 'file'),
    `${shortCount(statistics.lines)} lines`,
    `${shortCount(tokens)} tokens (${counter.estimated ? 'estimated: ' : ''}${counter.name})`,
    `${shortCount(statistics.definitions)} definitions`,
    `${shortCount(statistics.references)} uses of names`,
    count(statistics.imports, 'import'),
  ].join(', ');
  const tables = [
    ...table(
      ['LANGUAGE', right('FILES'), right('TOKENS')],
      languages.map(each => [each.language, each.files, shortCount(each.tokens)]),
    ),
    ...table(
      ['SKIPPED', right('FILES')],
      skipped.map(each => [each.reason, each.files]),
    ),
  ];
  return paintTerminal(
    [
      title(1, ...say`${literal(branch)}  ${facts}`),
      ...lines([
        `${count(refreshed.indexed, 'content')} read, ${refreshed.reused} known already; ${count(left, 'file')} skipped`,
      ]),
      ...(withTables ? tables : []),
    ],
    options,
  );
}

function right(name: string) {
  return { title: name, align: 'right' as const };
}

export function renderHits(
  hits: readonly SearchHit[],
  query: string,
  options: RenderOptions,
): string {
  const words = splitIdentifier(query);
  return paintTerminal(
    hits.length === 0
      ? lines(say`Nothing matches ${query}.`)
      : hits.flatMap(hit => describeHit(hit, words)),
    options,
  );
}

/** The lines with the most of the words, in the order of the file; the first ones where only parts of words matched. */
function describeHit(
  { path, startLine, endLine, text }: SearchHit,
  words: readonly string[],
): readonly Section[] {
  const matchesIn = (line: string): number =>
    words.filter(word => line.toLowerCase().includes(word)).length;
  const best = manyLines(text)
    .map((line, index) => ({ line: line.trimEnd(), number: startLine + index }))
    .filter(({ line }) => line !== '')
    .toSorted(
      (one, other) => matchesIn(other.line) - matchesIn(one.line) || one.number - other.number,
    )
    .slice(0, linesPerHit)
    .toSorted((one, other) => one.number - other.number);
  return [
    title(2, literal(`${path}:${startLine}-${endLine}`)),
    {
      kind: 'quote',
      text: best.map(({ line, number }) => `${String(number).padStart(5)}  ${line}`).join('\n'),
    },
  ];
}
