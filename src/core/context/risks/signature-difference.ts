/** What is different for a caller between two signatures of one name, in words. */
import { quote } from './risk.ts';

/**
 * A clause behind the name; null where nothing that a caller writes has changed, or one of them is not whole. `path`: of the file, for
 * the manners of its language.
 */
export function compareSignatures(
  name: string,
  before: string,
  after: string,
  path: string,
): string | null {
  const isPython = /\.pyi?$/.test(path);
  const [old, now] = [takeApart(name, before), takeApart(name, after)];
  if (old === null || now === null) return null;
  const [gave, gives] = [old, now].map(({ result }) =>
    path.endsWith('.go') ? unnamed(result) : result,
  );
  const [had, has] = [old, now].map(({ parameters }) =>
    parameters.map(parameter =>
      isPython ? withoutType(parameter) : parameter.replace(/^(?:final|mut|readonly)\s+/, ''),
    ),
  );
  if (had === undefined || has === undefined || gave === undefined || gives === undefined)
    return null;
  // Where arguments are passed by their place, what the function calls them is its own affair.
  if (
    positional.test(path) &&
    had.length === has.length &&
    had.every((one, index) => withoutName(one, path) === withoutName(has[index] ?? '', path)) &&
    normal(gave) === normal(gives)
  )
    return null;
  const gone = had.filter(one => !has.includes(one));
  const come = has.filter(one => !had.includes(one));
  if (isPython && gone.length === 0 && come.join() === '*') {
    const named = has.slice(has.indexOf('*') + 1).map(one => one.replace(/=.*/, ''));
    return `takes ${quote(named.join(', '))} by name alone`;
  }
  if (gone.length === 0 && come.length === 0) {
    const isOrdered = had.every((one, index) => has[index] === one);
    if (!isOrdered) return `takes its parameters in another order: ${quote(has.join(', '))}`;
    return isPython || isCut(gave) || isCut(gives) || gave === gives || gave === '' || gives === ''
      ? null
      : `gives back ${quote(gives)} instead of ${quote(gave)}`;
  }
  // What callers may leave out and stands behind the rest is no matter for those who know nothing of it.
  if (
    gone.length === 0 &&
    come.every(one => isOptional(one, path)) &&
    had.every((one, index) => has[index] === one)
  )
    return null;
  // It may be left out now.
  if (
    gone.length > 0 &&
    had.length === has.length &&
    had.every((one, index) => one === has[index] || maybeOf(has[index] ?? '') === one)
  )
    return null;
  if (gone.length === 1 && come.length === 1)
    return `takes ${quote(come[0] ?? '')} instead of ${quote(gone[0] ?? '')}`;
  const parts = [
    ...(gone.length === 0 ? [] : [`no longer takes ${quote(gone.join(', '))}`]),
    ...(come.length === 0
      ? []
      : [`takes ${quote(come.join(', '))}${gone.length === 0 ? ' in addition' : ''}`]),
  ];
  return parts.join(' and ');
}

/** Do they take as many parameters, called the same, in the same order? */
export function differInTypesOnly(
  name: string,
  before: string,
  after: string,
  path: string,
): boolean {
  const [old, now] = [takeApart(name, before), takeApart(name, after)];
  return (
    old !== null &&
    now !== null &&
    old.parameters.length === now.parameters.length &&
    old.parameters.every(
      (one, index) => nameIn(one, path) === nameIn(now.parameters[index] ?? '', path),
    )
  );
}

/** `name: Type`, `name Type` in Go, `Type name`. */
function nameIn(parameter: string, path: string): string {
  const [head = ''] = parameter.split(/[:=]/);
  const words = head.trim().split(/\s+/);
  return (/\.(?:go|rs|[cm]?tsx?|kt|swift|scala)$/i.test(path) ? words[0] : words.at(-1)) ?? '';
}

/** Without its default. */
function maybeOf(parameter: string): string {
  return parameter.replace(/\s*=.*$/, '').replace(/\?(?=\s*:)/, '');
}

const positional = /\.(?:[cm]?[jt]sx?|vue|svelte|java|cs|go|rs|rb|php|c|h|cc|cpp|cxx|hpp)$/i;

/** The type alone, with what makes it optional: `name?: Type`, `Type name`, `name Type`. */
function withoutName(parameter: string, path: string): string {
  if (path.endsWith('.go')) return normal(parameter.replace(/^\w+\s+(?=\S)/, ''));
  if (path.endsWith('.php'))
    return normal(parameter.replace(/\$\w+/, '').replace(/^\?(?=.*=\s*null$)/i, ''));
  const [head = '', ...type] = parameter.split(':');
  if (type.length > 0) return normal(`${head.endsWith('?') ? '?' : ''}${type.join(':')}`);
  return normal(/^\w+$/.test(parameter) ? '' : parameter.replace(/\s\w+$/, ''));
}

function normal(text: string): string {
  return text
    .replace(/\s+/g, '')
    .replaceAll(',', ';')
    .replace(/;(?=[}>])/g, '');
}

/** In Go results may have names: `(n int, err error)` is `(int, error)`. */
function unnamed(result: string): string {
  const inner = /^\((.*)\)$/.exec(result.trim())?.[1];
  if (inner === undefined || /[([{]/.test(inner)) return result;
  const parts = inner.split(',').map(part => part.trim());
  if (!parts.some(part => /^\w+\s+\S/.test(part))) return result;
  const types: string[] = [];
  for (const part of parts.toReversed())
    types.unshift(/^\w+\s+(\S.*)$/.exec(part)?.[1] ?? types[0] ?? part);
  return types.length === 1 ? (types[0] ?? '') : `(${types.join(', ')})`;
}

/** Its brackets are open: it goes on elsewhere. */
function isCut(result: string): boolean {
  return (
    result.replace(/[=-]>/g, '').split(/[<([{]/).length !==
    result.replace(/[=-]>/g, '').split(/[>)\]}]/).length
  );
}

function isOptional(parameter: string, path: string): boolean {
  return (
    (path.endsWith('.rb') && /^\w+:\s*\S/.test(parameter)) ||
    /=|\?\s*:|\?$|^\*{1,2}|^\.\.\.|\s\.\.\.|^&block/.test(parameter) ||
    parameter === '/'
  );
}

interface Parts {
  readonly parameters: readonly string[];
  /** What stands behind the parameters. */
  readonly result: string;
}

/** Null where the parentheses are not closed: a signature that was cut says nothing about its end. */
function takeApart(name: string, signature: string): Parts | null {
  const text = signature.replace(/\s#[^,)]*/g, ' ').replace(/\s+/g, ' ');
  const named = new RegExp(
    `(?<![\\w$])${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w$])`,
    'u',
  ).exec(text);
  // What stands in front, such as a mark, is not what it takes.
  if (named === null && !/\b(?:__init__|__new__|__construct|constructor|initialize)\b/.test(text))
    return null;
  const open = text.indexOf('(', named === null ? 0 : named.index);
  if (open === -1) return { parameters: [], result: '' };
  let depth = 0;
  let start = open + 1;
  const parameters: string[] = [];
  for (let at = open; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if ('([{<'.includes(character)) depth += 1;
    else if (
      ')]}'.includes(character) ||
      (character === '>' && text[at - 1] !== '=' && text[at - 1] !== '-')
    )
      depth -= 1;
    if ((character === ',' && depth === 1) || depth === 0) {
      const parameter = text.slice(start, at).trim();
      if (parameter !== '') parameters.push(parameter);
      start = at + 1;
    }
    if (depth === 0)
      return {
        parameters,
        result: text
          .slice(at + 1)
          .replace(/^\s*(?::|->)\s*/, '')
          .replace(/[{;:]?\s*$/, '')
          .trim(),
      };
  }
  return null;
}

/** Types of Python are for readers: what is passed stays. */
function withoutType(parameter: string): string {
  return parameter
    .replace(/^(\*{0,2}\w+)\s*:\s*[^=]*?(?:=\s*|$)/, (_, named: string) =>
      parameter.includes('=') ? `${named}=` : named,
    )
    .replace(/\s*=\s*/, '=');
}
