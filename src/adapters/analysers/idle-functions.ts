/**
 * Functions that a change adds whole, whose name promises work and whose body does none: an empty body, `pass`, a bare
 * return, or a check that always agrees.
 */
import type { Family } from '../../core/languages/languages.ts';

export interface IdleFunction {
  readonly name: string;
  /** 1-based, both ends included. */
  readonly start: number;
  readonly end: number;
  readonly alwaysAgrees: boolean;
}

const work =
  'authenticat|authoriz|authoris|sanitiz|sanitis|encrypt|decrypt|validat|verif|persist|save|delete|remove|send|calculat|comput|process|migrat|charge|refund|transfer|withdraw|upload|publish|notif';
const promising = new RegExp(
  `^_{0,2}(?:async)?(?:${work}|(?:check|has|is|can)(?:[A-Z_]\\w*)?(?:Auth|Permi|Valid|Allow|Access|Signature|auth|permi|valid|allow|access|signature))`,
  'i',
);
const checking = /^_{0,2}(?:authenticat|authoriz|authoris|validat|verif|check|has|is|can)/i;
/** Places where doing nothing is the purpose. */
const idleByDesign =
  /noop|no_op|null|mock|stub|fake|dummy|base|abstract|interface|default|empty|disabled|passthrough|unimplemented/i;

/** A declaration or method with its parameters, an optional return type and the brace that opens its body. */
const head =
  /^[ \t]*(?:export\s+)?(?:default\s+)?(?:(?:public|private|protected|internal|static|final|override|async|pub|func|fn|function)\s+)*(?:\([^()]{0,80}\)\s*)?(?:[\w<>[\]?.*&]{1,60}\s+)?([A-Za-z_$][\w$]{0,80})\s*(?:<[^<>()]{0,60}>)?\([^()]{0,300}\)[^{};=()]{0,120}\{/;

const braced: ReadonlySet<Family> = new Set(['javascript', 'java', 'csharp', 'go', 'php', 'rust']);

/** `code` is the text without comments and strings; `isAdded` tells whether the change added a line (1-based). */
export function findIdleFunctions(
  code: readonly string[],
  family: Family,
  path: string,
  isAdded: (line: number) => boolean,
): IdleFunction[] {
  if (idleByDesign.test(path)) return [];
  const find = family === 'python' ? readPython : braced.has(family) ? readBraces : null;
  if (find === null) return [];
  const found: IdleFunction[] = [];
  for (let line = 1; line <= code.length; line += 1) {
    if (!isAdded(line)) continue;
    const idle = find(code, line);
    if (
      idle === null ||
      !promising.test(idle.name) ||
      idleByDesign.test(idle.name) ||
      idleByDesign.test(enclosing(code, line))
    )
      continue;
    if (isAdded(idle.end)) found.push(idle);
  }
  return found;
}

const idleBody = /^(?:;|return(?:\s+(?:null|nil|undefined|None))?\s*;?|pass|\.{3})?$/;
const agreeingBody = /^(?:return\s+(?:true|True|Ok\(true\)|true, nil|nil)\s*;?|true)$/;

function readBraces(code: readonly string[], line: number): IdleFunction | null {
  const first = code[line - 1] ?? '';
  if (
    first.length > 600 ||
    /\b(?:abstract|interface|if|for|while|switch|catch|return|new|class)\b/.test(first)
  )
    return null;
  const [opening, name] = head.exec(first) ?? [];
  if (opening === undefined || name === undefined) return null;
  const rest = [first.slice(opening.length), ...code.slice(line, line + 4)];
  const closing = rest.findIndex(text => text.includes('}'));
  if (closing === -1) return null;
  const body = rest
    .slice(0, closing + 1)
    .join(' ')
    .replace(/\}.*$/s, '')
    .trim();
  return judge(name, body, line, line + closing);
}

function readPython(code: readonly string[], line: number): IdleFunction | null {
  const definition =
    /^([ \t]*)(?:async\s+)?def\s+(\w{1,80})\s*\([^()]{0,300}\)[^:]{0,80}:\s*(.*)$/.exec(
      (code[line - 1] ?? '').slice(0, 600),
    );
  if (
    definition === null ||
    /@(?:abc\.)?abstract|@overload|@typing/.test(
      code.slice(Math.max(0, line - 4), line - 1).join('\n'),
    )
  )
    return null;
  const [, indent = '', name = '', inline = ''] = definition;
  const body: string[] = inline.trim() === '' ? [] : [inline];
  let end = line;
  for (
    let below = line + 1;
    below <= Math.min(code.length, line + 30) && body.length < 3;
    below += 1
  ) {
    const text = code[below - 1] ?? '';
    if (text.trim() === '' || /^\s*["']\s*["']?\s*$/.test(text)) continue;
    if (text.length - text.trimStart().length <= indent.length) break;
    body.push(text);
    end = below;
  }
  return body.length === 1 ? judge(name, body.join(' ').trim(), line, end) : null;
}

function judge(name: string, body: string, start: number, end: number): IdleFunction | null {
  if (agreeingBody.test(body) && checking.test(name))
    return { name, start, end, alwaysAgrees: true };
  return idleBody.test(body) ? { name, start, end, alwaysAgrees: false } : null;
}

/** The nearest line above that opens a class, a trait or a receiver: its name may say that idleness is meant. */
function enclosing(code: readonly string[], line: number): string {
  for (let above = line; above >= Math.max(1, line - 200); above -= 1) {
    const text = code[above - 1] ?? '';
    if (
      /\b(?:class|interface|trait|protocol|impl|object|Protocol)\b/.test(text) ||
      (above === line && text.startsWith('func ('))
    )
      return text;
  }
  return '';
}
