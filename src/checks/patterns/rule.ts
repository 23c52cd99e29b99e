/** What a structural rule is: a query that captures `@at`, and words. A rule that needs more looks at its captures. */
import type { Node } from 'web-tree-sitter';
import type { Grammar } from '../../core/languages/language.ts';
import type { Severity } from '../../core/words/severity.ts';
import { functionText } from './around.ts';
import { isRowOfMarks } from './marks.ts';

export interface Found {
  readonly path: string;
  /** The new side of the file, line by line. */
  readonly lines: readonly string[];
  /** The first node captured under a name; null when the pattern that matched has none. */
  readonly node: (name: string) => Node | null;
}

export interface PatternRule {
  /** `<language>-<what>`; unique. */
  readonly id: string;
  readonly grammars: readonly Grammar[];
  readonly severity: Severity;
  /** Severity in scripts of the project, where the values are its own; default: the same. */
  readonly severityInScripts?: Severity;
  /** What is wrong, by its number in the Common Weakness Enumeration: `CWE-89`. */
  readonly weakness: string;
  /** Only correctness is looked at in tests and examples. */
  readonly category: 'security' | 'correctness' | 'error-handling';
  /** Tree-sitter query. `@at` is what is reported: small, so that it lies on the changed line. */
  readonly query: string;
  readonly issue: string;
  readonly recommendation: string;
  readonly applies?: (found: Found) => boolean;
}

/** Words that several languages share. */
export const sqlRule = {
  weakness: 'CWE-89',
  severity: 'high',
  severityInScripts: 'low',
  category: 'security',
  issue:
    'SQL is put together from text and values: whoever controls a value controls the statement.',
  recommendation: 'Pass the values as parameters of the statement.',
} as const;

export const shellRule = {
  weakness: 'CWE-78',
  severity: 'high',
  severityInScripts: 'low',
  category: 'security',
  issue:
    'A shell command is put together from text and values: a value can hold a command of its own.',
  recommendation: 'Start the program directly with a list of arguments, without a shell.',
} as const;

export const evalRule = {
  weakness: 'CWE-95',
  severity: 'high',
  category: 'security',
  issue: 'Text that is not fixed is run as code.',
  recommendation: 'Parse the data, or choose from a table of known functions.',
} as const;

/** The other side is not who it says it is, and nobody asks. */
export const uncheckedPeer = 'CWE-295';

export const tlsRule = {
  weakness: uncheckedPeer,
  severity: 'high',
  category: 'security',
  issue:
    'The certificate of the other side is not checked: anybody on the way can read and change the traffic.',
  recommendation: 'Keep verification on; trust a private authority by adding its certificate.',
} as const;

export const passwordHashRule = {
  weakness: 'CWE-916',
  severity: 'high',
  category: 'security',
  issue: 'A password goes through a fast, broken hash: a stolen table is read in hours.',
  recommendation: 'Use a password hash such as Argon2, scrypt or bcrypt.',
} as const;

export const swallowRule = {
  weakness: 'CWE-390',
  severity: 'low',
  category: 'error-handling',
  issue:
    'The error is swallowed: the failure leaves no trace and the program goes on as if nothing had happened.',
  recommendation: 'Handle it, pass it on, or say in a comment why it may be ignored.',
} as const;

export const unreachableRule = {
  weakness: 'CWE-561',
  severity: 'medium',
  category: 'correctness',
  issue: 'This is never reached: the statement before it leaves the block.',
  recommendation: 'Remove it, or correct the statement before it.',
} as const;

export const requestRule = {
  severity: 'high',
  category: 'security',
  recommendation: 'Check the value against what is allowed before it is used.',
} as const;

/** Somebody has thought about it: a comment within the node's lines. */
export function isExplained(node: Node | null, { lines }: Found): boolean {
  if (node === null) return false;
  return lines
    .slice(node.startPosition.row, node.endPosition.row + 2)
    .some(line => /(?:^|[\s;{}])(?:#|\/\/|\/\*)/.test(line));
}

/** A comment on the line before that says more than what is left to do. */
export function isExplainedAbove(node: Node | null, { lines }: Found): boolean {
  const above = lines[(node?.startPosition.row ?? 0) - 1] ?? '';
  return /^\s*\/\/\s*\S/.test(above) && !/\b(?:TODO|FIXME|XXX)\b/.test(above);
}

// Judges whether text is put together at run time, over the node types of all languages with rules.

const interpolations = new Set(['template_substitution', 'interpolation']);
const concatenations = new Set([
  'binary_expression',
  'binary_operator',
  'binary',
  'concatenated_string',
  'parenthesized_expression',
  'argument',
  'reference_expression',
  'literal_element',
]);
const texts = new Set([
  'string',
  'template_string',
  'interpreted_string_literal',
  'raw_string_literal',
  'string_literal',
  'encapsed_string',
  'interpolated_string_expression',
  'verbatim_string_literal',
  'subshell',
  'shell_command_expression',
  'heredoc_body',
  'heredoc',
]);
const fixed =
  /_content$|^(?:string_|escape_sequence|interpolation_|number|integer|int_literal|float|true|false|null|none|nil|boolean|decimal_|format_|type_conversion|character_literal|char_literal|simple_symbol|comment|text_block|line_continuation)/;
const formatters = /^(?:fmt\.Sprintf|String\.format|string\.Format|sprintf|format)$/;

/** The values in a text, as written; empty when the text is fixed. `null`: the node is no text, but another expression. */
function valuesIn(node: Node | null): readonly string[] | null {
  if (node === null) return null;
  const values: string[] = [];
  return collect(node, values, 0) ? values : null;
}

/** Text and at least one value that is not a constant by its name. */
export function isBuilt(node: Node | null): boolean {
  const values = valuesIn(node) ?? [];
  return values.some(value => !isConstant(value));
}

/** Nothing but a literal. */
export function isLiteral(node: Node | null): boolean {
  return node !== null && (fixed.test(node.type) || valuesIn(node)?.length === 0);
}

/** Collects values; true when some part of the node is literal text. */
function collect(node: Node, values: string[], depth: number): boolean {
  if (depth > 60 || values.length > 100) return false;
  if (texts.has(node.type)) return collectFromText(node, values);
  if (concatenations.has(node.type)) {
    let hasText = false;
    for (const child of node.namedChildren) hasText = collect(child, values, depth + 1) || hasText;
    return hasText;
  }
  if (fixed.test(node.type)) return false;
  const formatted = formatArguments(node);
  if (formatted === null) {
    values.push(textOf(node));
    return false;
  }
  values.push(...formatted);
  return true;
}

function collectFromText(node: Node, values: string[]): boolean {
  for (const child of node.namedChildren) {
    if (interpolations.has(child.type))
      values.push(
        ...child.namedChildren
          .filter(inner => !fixed.test(inner.type) && !isFixedChoice(inner))
          .map(textOf),
      );
    else if (!fixed.test(child.type)) values.push(textOf(child));
  }
  return true;
}

/** `a ? 'DESC' : 'ASC'`: one of two fixed texts. */
function isFixedChoice(node: Node): boolean {
  return (
    /^(?:ternary_expression|conditional_expression|conditional)$/.test(node.type) &&
    isLiteral(node.childForFieldName('consequence')) &&
    isLiteral(node.childForFieldName('alternative'))
  );
}

/** Values of a call that formats a literal: `Sprintf("…", a)`, `"…".format(a)`, `format!("…{a}")`. */
function formatArguments(node: Node): readonly string[] | null {
  if (node.type === 'macro_invocation') return formatMacro(node);
  const callee = node.childForFieldName('function') ?? node.childForFieldName('name');
  const parameters = node.childForFieldName('arguments');
  if (callee === null || parameters === null) return null;
  const name =
    node.childForFieldName('object') === null
      ? callee.text
      : `${node.childForFieldName('object')?.text ?? ''}.${callee.text}`;
  if (formatters.test(name)) {
    const [pattern, ...rest] = parameters.namedChildren;
    return pattern !== undefined && isText(pattern) ? rest.map(textOf) : null;
  }
  const receiver = callee.childForFieldName('object');
  const isFormatMethod =
    callee.childForFieldName('attribute')?.text === 'format' &&
    receiver !== null &&
    isText(receiver);
  return isFormatMethod ? parameters.namedChildren.map(textOf) : null;
}

/** `format!("… {} {name}", other)`: the names inside the braces are values too. */
function formatMacro(node: Node): readonly string[] | null {
  if (node.childForFieldName('macro')?.text !== 'format') return null;
  const [pattern, ...rest] =
    node.namedChildren.find(child => child.type === 'token_tree')?.namedChildren ?? [];
  if (pattern === undefined || pattern.type !== 'string_literal') return null;
  return [
    ...[...pattern.text.matchAll(/\{([A-Za-z_]\w*)/g)].map(match => match[1] ?? ''),
    ...rest.map(textOf),
  ];
}

function textOf(node: Node): string {
  return node.text.slice(0, 400);
}

function isText(node: Node): boolean {
  return texts.has(node.type) || (node.type === 'argument' && node.namedChildren.some(isText));
}

/** `_('text')`: a fixed text in the language of the reader. */
const translated =
  /^(?:\w+\s*=\s*)?(?:_|__|u?gettext(?:_lazy)?)\(\s*(?:["'][^"'()]*["']\s*)+,?\s*\)$/;

/** `TABLE`, `Schema.USERS`, `self.QUERY`, and calls that only count or convert to numbers. */
function isConstant(text: string): boolean {
  return (
    /^(?:[\w$]+(?:\.|::|->))*[A-Z][A-Z0-9_]*$/.test(text) ||
    translated.test(text) ||
    /^(?:len|int|Number|parseInt|float|strconv\.Itoa)\(/.test(text) ||
    /\.(?:length|size\(\)|size|count)$/.test(text)
  );
}

const statement =
  /^(?:select\s[^]{1,1500}?\sfrom\s|insert\s+(?:or\s+\w+\s+)?into\s|replace\s+into\s|update\s+[^\s]{1,120}\s+set\s|delete\s+from\s|drop\s+table\s|truncate\s+table\s)/i;
/** Names of things, not values: parameters cannot stand for them, and they rarely come from outside. */
const structural =
  /table|column|schema|placeholder|field|cols?\b|quote|escape|identifier|ident\b|where|clause|cond|order|sort|limit|offset|direction|index|alias|prefix|suffix|join|marks|(?:^|[._])(?:db|database|seq(?:uence)?|rel|index|role|user|view)_?name$|query|sql|stmt/i;

/**
 * Text that begins as an SQL statement and takes in at least one value that is no name of a table or the like. What comes
 * straight from outside is a value whatever it is called: the `query` of a request is no piece of a statement.
 */
export function isBuiltSql(node: Node | null): boolean {
  if (!isStatement(node)) return false;
  const values = (valuesIn(node) ?? []).filter(
    value => !isConstant(value) && (isOutside(value) || !structural.test(value)),
  );
  const around = values.length === 0 ? '' : functionText(node);
  return values.some(value => !isRowOfMarks(value, around));
}

/** A clause that no sentence has by chance. */
const clause = /\b(?:where\s|values\s*\(|order\s+by\s|limit\s|set\s+[\w.`"]{1,80}\s*=)/i;

/** The same with a value that comes straight from outside, for text that nobody has called a statement yet. */
export function isBuiltSqlFromOutside(node: Node | null): boolean {
  return (
    isStatement(node) && clause.test(node?.text ?? '') && (valuesIn(node) ?? []).some(isOutside)
  );
}

function isStatement(node: Node | null): boolean {
  const opening =
    /["'`]+([^]{0,2000})/.exec(node?.text.slice(0, 2_200) ?? '')?.[1]?.trimStart() ?? '';
  return statement.test(opening);
}

const sources = [
  /(?:\w+\.){0,2}(?:req|request|ctx)\??\.(?:query|params?|body|headers|cookies)\b/,
  /(?:\w+\.){0,2}request\.(?:args|form|values|json|data|GET|POST|COOKIES|META|query_params|path_params|get_json|get_data|getParameter|getHeader)\b/,
  /(?:raw_)?input(?=\()/,
  /\$_(?:GET|POST|REQUEST|COOKIE)\b/,
  /params(?=\[)/,
  /\w{1,12}\.(?:FormValue|PostFormValue|URL\.Query)(?=\()/,
]
  .map(({ source }) => source)
  .join('|');
const call = '\\((?:[^()]|\\([^()]*\\))*\\)';
/** Nothing but steps from a source: what chooses, computes or cleans with one is another expression. */
const outside = new RegExp(
  `^(?:String\\(|str\\()?(?:await\\s+)?(?:${sources})(?:\\??\\.[\\w$]+|(?:\\?\\.)?\\[[^\\[\\]]*\\]|${call}|!)*\\)?$`,
);
const cleaning =
  /(?:escape|quote|sanit|valid|replace|match|parse|number|fixed|strip)\w{0,20}\(|\btype\s*=/i;

const longestSource = 400;

/** What somebody outside decides, as it comes: a part of a request, or a line that is typed in. */
export function isOutside(text: string): boolean {
  return text.length < longestSource && outside.test(text) && !cleaning.test(text);
}
