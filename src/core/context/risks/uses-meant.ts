/** Whether a line that uses a name means the one that changed: by what stands before the name, and by what its own file calls so. */
import { identifiersOf } from '../../text.ts';
import type { ChangedName, Place } from '../changed-names.ts';
import { bindingAt } from '../packing/references.ts';
import type { ChangedText } from './changed-lines.ts';
import type { RiskMaterial } from './risk.ts';

/** Lines that the change writes and that speak of the name, by path. */
export function linesWritten(
  name: string,
  texts: readonly ChangedText[],
): ReadonlyMap<string, ReadonlySet<number>> {
  return new Map(
    texts.map(({ path, added }) => [
      path,
      new Set(
        added.filter(({ code }) => identifiersOf(code).has(name)).map(({ number }) => number),
      ),
    ]),
  );
}

interface Surroundings extends Pick<RiskMaterial, 'view' | 'linesOf'> {
  readonly written: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Unread lines are taken as they were found. */
export function saysIt(
  { path, line }: Place,
  changed: ChangedName,
  { view, linesOf, written }: Surroundings,
): boolean {
  const { name } = changed;
  if (isMember(changed)) return true;
  if (path !== changed.path && isOwn(path, line, name, { view, written })) return false;
  const text = linesOf(path)[line - 1] ?? '';
  const heads = headsOf(text, name);
  if (heads.length === 0) return true;
  return heads.some(head => {
    const qualifier = /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:\(\s*\))?\s*(?:\??\.|->|::)\s*$/u.exec(head);
    if (qualifier === null) return !/(?:\.|->|::)\s*$/.test(head);
    return isHome(qualifier[1] ?? '', path, changed, { view, linesOf });
  });
}

/** What stands before each place of the name. */
function headsOf(text: string, name: string): readonly string[] {
  const heads: string[] = [];
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    if (!/[\p{L}\p{N}_$]/u.test(around)) heads.push(text.slice(0, at));
  }
  return heads;
}

/** Declared around the line, or in its file by a line that the change writes. */
function isOwn(
  path: string,
  line: number,
  name: string,
  { view, written }: Pick<Surroundings, 'view' | 'written'>,
): boolean {
  const bound = bindingAt(name, path, line, view);
  return bound !== null && (bound.startLine > 0 || written.get(path)?.has(bound.line) === true);
}

export function isMember({ kind, before }: ChangedName): boolean {
  return kind === 'method' || kind === 'field' || /\(\s*(?:self|cls)\b/.test(before);
}

/** The object itself, the module or package the name stands in, or what an import brings in from this project. */
function isHome(
  qualifier: string,
  user: string,
  { path }: ChangedName,
  { view, linesOf }: Pick<Surroundings, 'view' | 'linesOf'>,
): boolean {
  if (/^(?:self|this|cls|super|exports|module|crate|Self)$/.test(qualifier)) return true;
  const segments = path.replace(/\.[^./]+$/, '').split('/');
  if (segments.some(segment => segment.toLowerCase() === qualifier.toLowerCase())) return true;
  const lines = linesOf(user);
  return view
    .importsOf(user)
    .some(
      ({ targets, startLine, endLine }) =>
        targets.length > 0 &&
        identifiersOf(lines.slice(startLine - 1, endLine).join('\n')).has(qualifier),
    );
}
