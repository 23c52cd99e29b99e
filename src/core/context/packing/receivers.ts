/**
 * What type the thing before a dot has: written beside its name, made on the line that declares it, or returned by a function of
 * the project.
 */
import type { Definition } from '../../words/code-index.ts';
import { isTypeLike, lineageOf, membersOf, nearestType, withoutGroups } from './members.ts';
import { placeOf } from './named-places.ts';
import type { Site } from './place.ts';
import { exportedFrom, innerModule } from './imported-names.ts';
import type { Link } from './references.ts';

export type Receiver =
  | { readonly kind: 'type'; readonly type: Definition }
  /** Files whose definitions are reached through a name. */
  | { readonly kind: 'module'; readonly targets: readonly string[] }
  | { readonly kind: 'external' }
  | { readonly kind: 'unknown' };

const unknown: Receiver = { kind: 'unknown' };
const external: Receiver = { kind: 'external' };

/** Types told by what made them, told by what made them: further than this nobody follows by eye either. */
const mostSteps = 6;

const ownNames: ReadonlySet<string> = new Set(['this', 'self', 'cls', 'Self', '$this', 'static']);

export function isOwn(name: string): boolean {
  return ownNames.has(name) || name === 'super' || name === 'parent';
}

/** `depth`: steps taken so far. */
export function receiverOf(chain: readonly Link[], site: Site, depth = 0): Receiver {
  const [root, ...rest] = chain;
  if (root === undefined || depth > mostSteps) return unknown;
  let at = receiverOfRoot(root, site, depth);
  for (const link of rest) {
    if (at.kind === 'external' || at.kind === 'unknown') return at;
    at = step(at, link, site, depth);
  }
  return at;
}

function receiverOfRoot(root: Link, site: Site, depth: number): Receiver {
  const { view, path, line } = site;
  if (path.endsWith('.rs') && /^(?:crate|super)$/.test(root.name)) {
    const targets = view.leadsTo(path, `${root.name}::*`);
    return targets.length === 0 ? unknown : { kind: 'module', targets };
  }
  if (isOwn(root.name)) {
    const own = view
      .enclosing(path, line)
      .findLast(one => isTypeLike(one) || one.kind === 'extension' || one.kind === 'module');
    if (own !== undefined) return typeNamed(own, site);
    if (root.name !== 'self' && root.name !== 'this') return unknown;
  }
  // A decorator begins like an attribute of Ruby.
  const name = /\.(?:rb|rake)$/.test(path) ? root.name : root.name.replace(/^@+/, '');
  if (name.startsWith('@')) {
    const field = view.membersIn(path).find(one => one.kind === 'field' && one.name === name);
    return field === undefined ? unknown : typeOfValue(field, site, depth);
  }
  const place = placeOf(path.endsWith('.php') ? name.replace(/^\$/, '') : name, site);
  if (place.kind === 'local')
    return typeOnLine(
      name,
      statementAt(site.lines, place.line),
      { ...site, line: place.line },
      depth,
    );
  if (place.kind === 'definition') return valueOf(place.definition, root, site, depth);
  if (place.kind === 'module') return place;
  if (place.kind === 'file') return { kind: 'module', targets: [place.path] };
  return place.kind === 'external' ? external : unknown;
}

/** A block that adds to a type stands for the type. */
function typeNamed(definition: Definition, { view }: Site): Receiver {
  if (definition.kind !== 'extension') return { kind: 'type', type: definition };
  const type = nearestType(definition.name, definition.path, view);
  return type === null ? unknown : { kind: 'type', type };
}

function step(at: Receiver, link: Link, site: Site, depth: number): Receiver {
  const { view } = site;
  if (at.kind === 'module') {
    const found = exportedFrom(link.name, at.targets, view);
    if (found !== null) return valueOf(found, link, site, depth);
    const inner = innerModule(link.name, at.targets, view);
    return inner === null ? unknown : { kind: 'module', targets: [inner] };
  }
  if (at.kind !== 'type') return at;
  const [member] = membersOf(at.type, link.name, view);
  if (member !== undefined) return valueOf(member, link, site, depth, at.type);
  if (
    /^(?:new|default|create|from|builder|instance|getInstance)$/.test(link.name) &&
    (link.isCall || at.type.path.endsWith('.rb'))
  )
    return /\.(?:rb|rs|php)$/.test(at.type.path) && link.name !== 'builder' ? at : unknown;
  return lineageOf(at.type, view).leadsOut ? external : unknown;
}

/** A type for itself; a function for what it returns when it is called; anything else for the type of its value. */
function valueOf(
  definition: Definition,
  { isCall }: Link,
  site: Site,
  depth: number,
  owner?: Definition,
): Receiver {
  const { kind } = definition;
  if (isTypeLike(definition) || kind === 'module') return { kind: 'type', type: definition };
  if (kind === 'extension') return typeNamed(definition, site);
  const elsewhere = there(definition, site);
  if (kind === 'function' || kind === 'method') {
    // A property of Python, Ruby, C# or TypeScript is read without a call.
    const isRead = !isCall && /\.(?:py|rb|cs|[cm]?tsx?|[cm]?jsx?)$/.test(definition.path);
    if (!isCall && !isRead) return unknown;
    const written = returnTypeOf(definition, elsewhere);
    return written === null
      ? unknown
      : /^(?:Self|this|self|static)$/.test(written) && owner !== undefined
        ? { kind: 'type', type: owner }
        : typeWritten(written, elsewhere, depth + 1);
  }
  return isCall ? unknown : typeOfValue(definition, site, depth);
}

function typeOfValue(definition: Definition, site: Site, depth: number): Receiver {
  const elsewhere = there(definition, site);
  const text =
    elsewhere.lines.length > 0
      ? statementAt(elsewhere.lines, definition.startLine)
      : definition.signature;
  return typeOnLine(definition.name, text, elsewhere, depth + 1);
}

/** The same question asked where the definition stands. */
function there({ path, startLine }: Definition, site: Site): Site {
  return path === site.path
    ? { ...site, line: startLine }
    : { ...site, path, line: startLine, lines: [] };
}

/** A line with those behind it that belong to it: at most three. */
function statementAt(lines: readonly string[], line: number): string {
  const text = (lines[line - 1] ?? '').slice(0, 500);
  return /[=({,]\s*$/.test(text)
    ? [text, ...lines.slice(line, line + 2)].join(' ').slice(0, 800)
    : text;
}

// What a text says about the type of a name.

/** Of a declaration: the type beside the name, or what the value is made by. */
function typeOnLine(name: string, text: string, site: Site, depth: number): Receiver {
  const written = writtenType(name, text, site);
  if (written !== null) return typeWritten(written, site, depth + 1);
  const value = new RegExp(
    `(?<![\\w$@.])(?:\\w+\\.)?${escape(name)}\\s*(?::[^=]{1,80})?(?:\\|\\|)?:?=(?![=>])\\s*(.+)$`,
  ).exec(text)?.[1];
  return value === undefined ? unknown : typeOfExpression(value, site, depth + 1);
}

function writtenType(
  name: string,
  text: string,
  { language, path }: Pick<Site, 'language' | 'path'>,
): string | null {
  const word = escape(name);
  if (language.parameters === 'name-first')
    return path.endsWith('.rb')
      ? null
      : (new RegExp(`(?<![\\w$.])${word}\\s*[?!]?\\s*:\\s*(?![:=])([^=,;){]+)`).exec(text)?.[1] ??
          null);
  if (language.parameters === 'go')
    return (
      new RegExp(
        `(?<![\\w.])${word}(?:\\s*,\\s*\\w+)*\\s+((?:\\.\\.\\.)?[*\\[\\]]*[A-Za-z_][\\w.]*(?:\\[[^\\]]*\\])?)`,
      ).exec(text)?.[1] ?? null
    );
  const type = new RegExp(
    `([A-Za-z_\\\\][\\w.:\\\\]*(?:<[^;=()]*>)?(?:\\[\\s*\\])*)[?&*\\s]+\\$?${word}(?![\\w$])`,
  ).exec(text)?.[1];
  return type === undefined ||
    /^(?:return|new|var|val|let|auto|final|const|static|public|private|protected|readonly|instanceof|case|in|of|as|function)$/.test(
      type,
    )
    ? null
    : type;
}

/** Wrappers whose members are reached as if they were not there. */
const wrappers =
  /^(?:Optional|Option|Promise|Awaited|Readonly|Partial|Required|NonNullable|Arc|Rc|Box|Ref|RefMut|MutexGuard|Cow|Final|ClassVar|Annotated|Type|type|Result|Task|Future)\s*[<[]\s*(.+?)\s*[>\]]+\s*$/;

/** Types that say nothing of what a thing is. */
const anything = /^(?:any|unknown|never|object|Object|mixed|dynamic|interface|Any|AnyObject|id)$/;

function typeWritten(written: string, site: Site, depth: number): Receiver {
  if (depth > mostSteps) return unknown;
  let text = written
    .trim()
    .replace(/^["']|["']$/g, '')
    .replace(/^(?:\.\.\.|[*&?]|\bmut\b|\bdyn\b|\bimpl\b|\bref\b|'\w+|\s)+/, '')
    .trim();
  for (let round = 0; round < 3; round += 1) text = wrappers.exec(text)?.[1]?.trim() ?? text;
  if (/^\[|\[\s*\]\s*$|^map\[|^chan\b|^func\b|^fn\b|^\(|^\{/.test(text)) return external;
  const first =
    withoutGroups(text, '<', '>')
      .split(/\s*[|&+]\s*/)
      .find(part => !/^(?:null|undefined|None|nil)$/.test(part.trim())) ?? '';
  const names = /^[\w$.:\\]+/.exec(first.trim().replace(/^[*&]|^mut\s+|^dyn\s+/g, ''))?.[0];
  if (names === undefined || anything.test(names)) return unknown;
  const links = names
    .split(/\.|::|\\/)
    .filter(name => name !== '')
    .map(name => ({ name, isCall: false }));
  // A list and a table of things are no such thing.
  if (
    /^\s*\[/.test(text.slice(names.length)) &&
    !site.path.endsWith('.go') &&
    !/\b(?:Type|type)\b/.test(names)
  )
    return isBuiltIn(links, site) ? external : receiverOf(links, site, depth);
  if (isBuiltIn(links, site)) return external;
  return receiverOf(links, site, depth);
}

function isBuiltIn([first, ...rest]: readonly Link[], { language, path, view }: Site): boolean {
  return (
    first !== undefined &&
    rest.length === 0 &&
    (language.globals.has(first.name) || language.keywords.has(first.name)) &&
    !view.definitionsOf(first.name).some(one => one.path === path && isTypeLike(one))
  );
}

function typeOfExpression(expression: string, site: Site, depth: number): Receiver {
  if (depth > mostSteps) return unknown;
  const cast = /\bas\s+([A-Z][\w.]*)\s*[;)]?\s*$/.exec(expression)?.[1];
  if (cast !== undefined && !site.path.endsWith('.rs')) return typeWritten(cast, site, depth);
  const text = expression.replace(/^(?:await\b|yield\b|&|\*|\(|\s)+/, '');
  const made = /^new\s+([\w$.\\:]+)/.exec(text)?.[1];
  if (made !== undefined) return typeWritten(made, site, depth);
  if (
    /^["'`]|^\d|^\[|^\{|^(?:true|false|True|False|None|null|nil)\b|^(?:async\s*)?(?:function|lambda|func)\b|^make\(|^map\[|^\[\]/.test(
      text,
    )
  )
    return external;
  const literal = /^([A-Za-z_][\w.:]*)\s*\{/.exec(text)?.[1];
  if (literal !== undefined && /\.(?:go|rs|cs|cpp)$/.test(site.path))
    return typeWritten(literal, site, depth);
  const chain = chainAt(text);
  return chain === null ? unknown : receiverOf(chain, site, depth);
}

/** The names an expression starts with: `a.b(c)::d` up to what is no member any more; null for anything else. */
function chainAt(text: string): Link[] | null {
  const links: Link[] = [];
  for (let at = 0; links.length < 8;) {
    const name = /^@{0,2}\$?[\p{L}_$][\p{L}\p{N}_$]*/u.exec(text.slice(at, at + 200))?.[0];
    if (name === undefined) return null;
    at += name.length;
    const end = endOfGroups(text, at);
    if (end === null) return null;
    links.push({ name, isCall: /^\s*(?:::<[^>]*>)?[(<]/.test(text.slice(at)) && end > at });
    at = end;
    const access = /^\s*(?:\?\.|!\.|\.|->|::)\s*/.exec(text.slice(at, at + 20))?.[0];
    if (access === undefined) {
      // Behind it stands an operator: then it is not the value.
      return /^\s*(?:[;)\]},]|\?\s*;?|\.await|$|\/\/|#|if\b|\{|!)/.test(text.slice(at))
        ? links
        : null;
    }
    at += access.length;
  }
  return null;
}

/** Behind the brackets that follow; null when they are not closed here, as long as something stands before. */
function endOfGroups(text: string, from: number): number | null {
  let at = from;
  for (;;) {
    const open = text[at];
    if (open !== '(' && open !== '[') return at;
    let depth = 0;
    for (; at < text.length; at += 1) {
      if ('([{'.includes(text[at] ?? ' ')) depth += 1;
      else if (')]}'.includes(text[at] ?? ' ') && --depth === 0) break;
    }
    if (at >= text.length) return text.length;
    at += 1;
  }
}

/** What stands behind the parameters of a function, or before its name. */
function returnTypeOf(definition: Definition, { lines, language }: Site): string | null {
  const { path, name, signature, startLine, endLine } = definition;
  const text = (
    lines.length > 0
      ? lines.slice(startLine - 1, Math.min(endLine, startLine + 8)).join(' ')
      : signature
  ).slice(0, 1_500);
  const at = text.indexOf(name);
  if (at === -1) return null;
  if (language.parameters === 'type-first' && !path.endsWith('.php'))
    return writtenType(name, text.slice(0, at + name.length), { language, path });
  const open = text.indexOf('(', at);
  const end = open === -1 ? null : endOfGroups(text, open);
  if (end === null) return null;
  const behind = text.slice(end);
  if (path.endsWith('.go'))
    return (
      /^\s*\(?\s*(?:\w+\s+(?=[*\w]))?((?:\[\])?\*?[\w.]+)/.exec(behind.replace(/\{.*$/, ''))?.[1] ??
      null
    );
  const written = (
    /\.(?:py|rs|swift)$/.test(path) ? /^\s*->\s*([^={;]+)/ : /^\s*:\s*([^={;]+)/
  ).exec(behind)?.[1];
  return written?.replace(/\s+where\b.*$|:\s.*$|:\s*$/, '').trim() ?? null;
}

function escape(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
