/** A few words about each anchor, worked out from the code: what it declares, what its comment says, who calls it. */
import type { Definition } from '../../words/code-index.ts';
import type { Placed } from './fit.ts';
import type { CodeView } from './references.ts';
import { holds, type LineRange, overlaps, type SourceText } from './line-range.ts';

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
  if (main === undefined || main === null) return null;
  const isChanged = changed.some(one =>
    overlaps(one, { start: main.startLine, end: main.endLine }),
  );
  const names =
    declared.length > 1
      ? declared
          .slice(0, mostNames)
          .map(({ name }) => name)
          .join(', ') +
        (declared.length > mostNames ? ` and ${declared.length - mostNames} more` : '')
      : null;
  const text = textOf(path);
  const head = around ? `in ${signatureOf(main, text)}` : (names ?? signatureOf(main, text));
  const comment = around ? null : docSentence(main, text);
  return fitted([
    `${isChanged ? 'changes ' : ''}${head}`,
    ...(comment === null ? [] : [comment]),
    ...countsOf(main, view),
  ]);
}

/** From the text with its secrets taken out: what the index keeps is the line as it is. */
function signatureOf({ name, startLine }: Definition, text: SourceText | null): string {
  return text?.shown[startLine - 1]?.trim().slice(0, 200) ?? name;
}

function countsOf({ name, kind }: Definition, view: CodeView): string[] {
  if (kind === 'constant' || kind === 'test') return [];
  const isCalled = kind === 'function' || kind === 'method' || kind === 'macro' || kind === 'class';
  const references = view.referencesTo(name).slice(0, mostReferences);
  const calls = references.filter(
    ({ path, kind: use }) => (use === 'call' || !isCalled) && !view.isTest(path),
  ).length;
  const tests = new Set(
    references
      .filter(({ path }) => view.isTest(path))
      .map(
        ({ path, line }) =>
          `${path}:${view.enclosing(path, line).findLast(one => one.kind !== 'constant')?.startLine ?? 0}`,
      ),
  ).size;
  return [`${calls} call-site${calls === 1 ? '' : 's'}, ${tests} test${tests === 1 ? '' : 's'}`];
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
export function docSentence(
  { startLine }: Pick<Definition, 'startLine'>,
  text: SourceText | null,
): string | null {
  if (text === null) return null;
  const lines = commentAbove(text.shown, startLine);
  const own = lines.length > 0 ? lines : docString(text.shown, startLine);
  const sentence =
    /^.*?[.!?](?=\s|$)/s.exec(own.join(' ').replace(/\s+/g, ' ').trim().slice(0, 400))?.[0] ??
    own.join(' ').trim();
  return sentence === '' ? null : sentence.slice(0, 160).replace(/\.$/, '');
}

function commentAbove(lines: readonly string[], startLine: number): string[] {
  const found: string[] = [];
  for (let at = startLine - 2; at >= 0 && found.length < 12; at -= 1) {
    const line = (lines[at] ?? '').trim().slice(0, 300);
    if (/^(?:@|#\[)/.test(line)) continue;
    if (!/^(?:\/\/|\/\*|\*|#(?!!|include|define|if|end)|--)/.test(line)) break;
    found.unshift(
      line
        .replace(/^(?:\/\*\*?|\*\/|\*|\/\/[/!]?|#+|--)\s?/, '')
        .replace(/\*\/$/, '')
        .trim(),
    );
  }
  return found.filter(
    line =>
      line !== '' &&
      !line.startsWith('@') &&
      !/^(?:eslint|oxlint|prettier|type:|noqa|nolint|ts-)/.test(line),
  );
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
