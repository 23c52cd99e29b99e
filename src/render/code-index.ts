/** What the code index holds, what a search found in it, and a pack that was made of it. */
import type { PackReport } from '../core/context/packing/local-pack.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { splitIdentifier } from '../core/text.ts';
import type { IndexStatistics, Refreshed, SearchHit } from '../core/words/code-index.ts';
import { count, manyLines, shortCount } from './figures.ts';
import { lines, literal, say, type Section, table, title } from './section.ts';
import { paintTerminal, type RenderOptions } from './to-terminal.ts';
import { present } from '../core/groups.ts';

const linesPerHit = 4;

export function renderIndex(
  {
    refreshed,
    statistics,
  }: { readonly refreshed: Refreshed; readonly statistics: IndexStatistics },
  withTables: boolean,
  options: RenderOptions,
) {
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

export function renderHits(hits: readonly SearchHit[], query: string, options: RenderOptions) {
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

const reasons = {
  satisfied: 'every changed line is shown and every name on them is explained',
  budget: 'the next addition would not fit the budget',
  anchors: 'a pack quotes 24 places at most, more only of changed lines',
  exhausted: 'everything was looked through and names are left over',
} as const;

/** A pack as a person wants to read it: what it is, the text itself, what was left out and why. */
export function renderContextPack({ pack, rendered, side }: PackReport) {
  const { files, changed_lines, modules } = side.scope;
  return present(
    `${pack.agent} · ${pack.scope_class} · ${pack.model_capability} · ${pack.token_estimate} of ` +
      `${side.budget} tokens ` +
      `(${side.counter.name})${side.part === undefined ? '' : ` · pack ${side.part.number} of ${side.part.of}`}`,
    `${count(files, 'file')}, ${count(changed_lines, 'changed line')}, ${count(modules, 'module')} · rung ${side.rung_reached}, ` +
      `${side.stop_reason}: ${reasons[side.stop_reason]}`,
    side.pack_uri,
    '',
    makeVisible(rendered.trimEnd()),
    '',
    ...section(
      'Left out',
      side.evicted.map(
        ({ anchor, distance, tokens }) => `${anchor} (distance ${distance}, ${tokens} tokens)`,
      ),
    ),
    ...section(
      'Not found',
      side.unresolved.map(({ symbol, at, reason }) => `${symbol} at ${at}: ${reason}`),
    ),
    side.external.length > 0 && `From outside: ${side.external.join(', ')}`,
    side.redactions !== 0 && `Secrets taken out: ${side.redactions}`,
  ).join('\n');
}

function section(title: string, entries: readonly string[]) {
  return entries.length === 0
    ? []
    : [`${title}:`, ...entries.map(entry => `  ${makeVisible(entry)}`)];
}
