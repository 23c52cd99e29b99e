/** A few words about each anchor, worked out from the code: what it declares, what its comment says, who calls it. */
import type { Definition } from '../../words/code-index.ts';
import type { Placed } from './fit.ts';
import { type CodeView, isImportLine } from './references.ts';
import { vocabularyOf } from '../../languages/languages.ts';
import { holds, type LineRange, overlaps, type SourceText } from './line-range.ts';
import { saysNothing } from './synopsis.ts';

const longest = 320;
const mostNames = 4;
/** Names with more references are counted by lines alone. */
const mostReferences = 400;

export interface SummaryMaterial {
  readonly view: CodeView;
  /** Null for a file that was not read. */
  readonly textOf: (path: string) => SourceText | null;
  /** Lines of a file that changed. */
  readonly changedIn: (path: string) => readonly LineRange[];
  readonly changedSymbols: ReadonlySet<string>;
}

/** Null when the code tells nothing that the excerpt does not. */
export function summarise(placed: Placed, material: SummaryMaterial): string | null {
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
): string | null {
  const changed = changedIn(path).filter(one => overlaps(one, range));
  const all = view.definitionsIn(path);
  const declared = all.filter(({ startLine, kind }) => holds(range, startLine) && kind !== 'test');
  const around =
    declared.length > 0
      ? null
      : view.enclosing(path, range.start).findLast(({ kind }) => kind !== 'constant');
  const main = declared.find(({ kind }) => kind !== 'constant') ?? declared[0] ?? around;
  if (main === undefined || main === null)
    return summarisePlace({ path, changed, range, text: textOf(path) }, view);
  const isChanged = changed.some(one =>
    overlaps(one, { start: main.startLine, end: main.endLine }),
  );
  const own = [...new Set(declared.map(({ name }) => name))];
  const names =
    own.length > 1
      ? own.slice(0, mostNames).join(', ') +
        (own.length > mostNames ? ` and ${own.length - mostNames} more` : '')
      : null;
  const text = textOf(path);
  const head = around ? `in ${signatureOf(main, text)}` : (names ?? signatureOf(main, text));
  const comment = around ? null : docSentence(main, text);
  // Of several names the comment and the counts are about one.
  const about = names === null ? '' : `${main.name}: `;
  const counts = countsOf(main, view);
  return fitted([
    `${isChanged ? 'changes ' : ''}${head}`,
    ...(comment === null ? [] : [`${about}${comment}`]),
    ...(comment === null ? counts.map(one => `${about}${one}`) : counts),
  ]);
}

/** Code outside of every definition, and what is no code: the line it stands under, and what it calls. */
function summarisePlace(
  {
    path,
    changed,
    range,
    text,
  }: {
    readonly path: string;
    readonly changed: readonly LineRange[];
    readonly range: LineRange;
    readonly text: SourceText | null;
  },
  view: CodeView,
): string | null {
  const [first] = changed;
  if (first === undefined || text === null) return null;
  const head = lineAbove(text.shown, Math.max(first.start, range.start), path);
  const called = new Set(
    view
      .usesIn(path)
      .filter(({ line, kind }) => kind === 'call' && changed.some(one => holds(one, line)))
      .map(({ name }) => name),
  );
  return fitted([
    ...(head === null ? [] : [`changes in ${head}`]),
    ...(called.size === 0 ? [] : [`calls ${[...called].slice(0, mostNames).join(', ')}`]),
  ]);
}

/** The nearest line above that is indented less: it opens what the lines stand in. In prose the heading. */
function lineAbove(lines: readonly string[], line: number, path: string): string | null {
  const isProse = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i.test(path);
  const own = indentOf(lines[line - 1] ?? '');
  for (let at = line - 2; at >= Math.max(0, line - 400); at -= 1) {
    const text = lines[at] ?? '';
    if (isProse ? /^(?:#{1,6}|=+) \S/.test(text) : opensMore(text, own))
      return text.trim().slice(0, 120);
  }
  return null;
}

function opensMore(text: string, indent: number): boolean {
  return (
    text.trim() !== '' &&
    indentOf(text) < indent &&
    /[\w$'"`]/.test(text) &&
    !/^\s*(?:\/\/|#|\*|\/\*)/.test(text)
  );
}

function indentOf(text: string): number {
  return text.trim() === '' ? Infinity : text.length - text.trimStart().length;
}

/** From the text with its secrets taken out: what the index keeps is the line as it is. Behind annotations and attributes. */
function signatureOf({ name, startLine, endLine }: Definition, text: SourceText | null): string {
  const lines = text?.shown.slice(startLine - 1, Math.min(endLine, startLine + 11)) ?? [];
  const first = lines.findIndex(one => !isAnnotation(one) && one.includes(name));
  if (first === -1) return name;
  // Parameters may stand on lines of their own.
  const whole: string[] = [];
  let depth = 0;
  for (const line of lines.slice(first)) {
    whole.push(line.trim());
    depth += line.split(/[([]/).length - line.split(/[)\]]/).length;
    if (depth <= 0) break;
  }
  return (depth > 0 ? (whole[0] ?? name) : whole.join(' '))
    .replace(/([([])\s+/g, '$1')
    .replace(/,?\s+([)\]])/g, '$1')
    .slice(0, 200)
    .replace(/\s*(?:\{|[^:]:|=>)\s*$/, end =>
      end.trim().endsWith(':') ? end.replace(/:\s*$/, '') : '',
    );
}

function isAnnotation(line: string): boolean {
  return /^\s*(?:@(?!interface\b)[\w.]+(?:\(.*\))?\s*$|#?\[.*\]\s*$|\/\/|\/?\*)/.test(line);
}

/** Only where a name says which definition is meant: nobody can tell whose `build` a `build()` is. */
function countsOf(definition: Definition, view: CodeView): string[] {
  const { kind, name } = definition;
  if (kind === 'constant' || kind === 'test') return [];
  const isCalled = kind === 'function' || kind === 'method' || kind === 'macro' || kind === 'class';
  const means = whoMeans(definition, view);
  if (means === null) return [];
  const references = view
    .referencesTo(name)
    .filter(({ path }) => means(path))
    .slice(0, mostReferences);
  const uses = references.filter(
    ({ path, line }) => !view.isTest(path) && !isImportLine(path, line, view),
  );
  const called = uses.filter(({ kind: use }) => use === 'call').length;
  // A type, or a function that is handed on, is named where nobody calls it.
  const isNamed = !isCalled || called === 0;
  const calls = isNamed ? uses.length : called;
  const word = isNamed && calls > 0 ? 'use' : 'call-site';
  const tests = new Set(
    references
      .filter(({ path, line }) => view.isTest(path) && !isImportLine(path, line, view))
      .map(
        ({ path, line }) =>
          `${path}:${view.enclosing(path, line).findLast(one => one.kind !== 'constant')?.startLine ?? 0}`,
      ),
  ).size;
  return [`${calls} ${word}${calls === 1 ? '' : 's'}, ${tests} test${tests === 1 ? '' : 's'}`];
}

/**
 * Files whose use of the name is a use of this definition: all where no other is called so, else its own and those that import it.
 * Null where neither can be told, as of a method that others share.
 */
function whoMeans(
  { name, path, kind }: Definition,
  view: CodeView,
): ((path: string) => boolean) | null {
  const vocabulary = vocabularyOf(view.languageOf(path));
  const isCommon = vocabulary?.members.has(name) === true || vocabulary?.globals.has(name) === true;
  const others = view
    .definitionsOf(name)
    .filter(one => one.kind !== 'test' && !(one.path === path && one.kind === kind));
  const twins = view.definitionsIn(path).filter(one => one.name === name).length;
  if (others.length === 0 && twins === 1 && !isCommon) return () => true;
  if (kind === 'method' || twins > 1 || vocabulary?.importsNames !== true) return null;
  const importers = new Set(view.importersOf(path).map(one => one.path));
  return user => user === path || importers.has(user);
}

function summariseTest(
  path: string,
  range: LineRange,
  { view, changedSymbols }: SummaryMaterial,
): string | null {
  const cases = view
    .definitionsIn(path)
    .filter(
      ({ kind, startLine, endLine }) =>
        kind !== 'constant' && overlaps(range, { start: startLine, end: endLine }),
    );
  const used = [
    ...new Set(
      view
        .usesIn(path)
        .filter(({ line, name }) => holds(range, line) && changedSymbols.has(name))
        .map(({ name }) => name),
    ),
  ];
  const names = (
    cases.filter(({ kind }) => kind === 'test').length > 0
      ? cases.filter(({ kind }) => kind === 'test')
      : cases
  ).map(({ name }) => name);
  if (names.length + used.length === 0) return null;
  return fitted([
    ...(names.length === 0 ? [] : [`cases: ${names.slice(-mostNames).join('; ')}`]),
    ...(used.length === 0 ? [] : [`uses ${used.slice(0, mostNames).join(', ')}`]),
  ]);
}

/** First sentence of the comment above a definition, or of the text right below it. */
function docSentence(
  { startLine }: Pick<Definition, 'startLine'>,
  text: SourceText | null,
): string | null {
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
function commentAbove(lines: readonly string[], startLine: number): string[] {
  const found: string[] = [];
  for (let at = startLine - 2; at >= 0 && found.length < longestComment; at -= 1) {
    const line = (lines[at] ?? '').trim().slice(0, 300);
    if (/^(?:@|#\[)/.test(line)) continue;
    if (!/^(?:\/\/|\/\*|\*|#(?!!|include|define|if|end)|--)/.test(line)) break;
    found.unshift(
      line
        .replace(/^(?:\/\*\*?|\*\/|\*|\/\/[/!]?|#+|--)\s?/, '')
        .replace(/\*\/$/, '')
        .replace(/<\/?[a-z][^<>]*>/gi, match =>
          /^<\/?(?:p|li|ul|ol|pre|summary|remarks)\b/i.test(match) ? '' : ' ',
        )
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

function docString(lines: readonly string[], startLine: number): string[] {
  const rest = lines.slice(startLine, startLine + 6).map(line => line.trim());
  const at = rest.findIndex(line => /^[rRuU]?(?:"""|''')/.test(line));
  if (at === -1 || at > 3) return [];
  return [
    (rest[at] ?? '').replace(/^[rRuU]?(?:"""|''')/, '').replace(/(?:"""|''').*$/, ''),
    ...(/(?:"""|''').*(?:"""|''')/.test(rest[at] ?? '') ? [] : rest.slice(at + 1, at + 3)),
  ];
}

/** At most three lines and 320 characters. */
function fitted(parts: readonly string[]): string | null {
  const text = parts
    .map(part => part.replace(/\s+/g, ' ').trim())
    .filter(part => part !== '')
    .slice(0, 3)
    .join('; ');
  if (text === '') return null;
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
