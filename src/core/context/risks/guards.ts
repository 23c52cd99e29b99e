/** Guards as they stand in code: conditions that refuse or give up, calls and marks that check. */
import type { Family } from '../../languages/languages.ts';
import { identifiersOf } from '../../text.ts';
import { hasCode, indentOf, keyOf, type SideLine } from './changed-lines.ts';

export interface Guard {
  readonly line: SideLine;
  /** What is quoted: the condition with its exit on one line. */
  readonly shown: string;
  readonly what: string;
}

export interface FoundGuard extends Guard {
  /** Names that the check is about. */
  readonly names: ReadonlySet<string>;
  /** Name of the function that checks; null for a condition. */
  readonly call: string | null;
  /** The exit with its message, as one key. */
  readonly exit: string;
  readonly condition: string;
}

export function guardAt(
  hunk: readonly SideLine[],
  at: number,
  family: Family,
  isOld = true,
): FoundGuard | null {
  return conditionAt(hunk, at, family, isOld) ?? checkAt(hunk, at, family);
}

/** A condition opens a block, or stands behind what it lets happen (`raise X unless y`). */
export const opening =
  /^\s*(?:\}\s*)?(?:(?:else\s+|el(?:s)?)?if|unless|guard)\b(?!\s*:)\s*(?:let\b|var\b)?(.*)$/;
const trailing =
  /^\s*((?:raise|return|abort|head|redirect_to|throw|fail|render)\b.*?)\s+(if|unless)\s+(.+)$/;

/** What ends a function because something is wrong. */
export const refuses =
  /^\s*(?:\}?\s*else\s*\{\s*)?(?:throw\b|raise\b|panic!?\(|abort\b|die\b|exit\b|sys\.exit|process\.exit|os\.Exit|log\.(?:Fatal|Panic)|fail\b|bail!|reject\(|return\s+(?:\(?\s*)?(?:Err\b|Promise\.reject|reject\(|fmt\.Errorf|errors?\.\w+\(|(?:nil,\s*)?err\b|(?:[\w.{}"]+,\s*)+(?:err\b|fmt\.Errorf|errors?\.\w|Err\w+)|\w*(?:[Ee]rror|Exception|[Ff]orbidden|[Uu]nauthori[sz]ed|[Dd]enied|[Ii]nvalid)\w*\b|next\(|\w+\.(?:status|sendStatus)\(4\d\d|res\w*\.redirect)|\w+\.(?:status|sendStatus|Abort\w*)\(\s*(?:4\d\d|http\.Status)|http\.Error\(|next\(\s*(?:new\b|err)|head\s+:|redirect_to\b|throw\s+:abort|abort\()/;
/** What ends it with nothing. */
export const givesUp =
  /^\s*(?:\}?\s*else\s*\{\s*)?return(?:\s+(?:false|False|null|None|nil|undefined|NULL|-1|nullptr))?\s*;?\s*\}?\s*$/;
export const longestBlock = 4;

function conditionAt(
  hunk: readonly SideLine[],
  at: number,
  family: Family,
  isOld: boolean,
): FoundGuard | null {
  const line = hunk[at];
  if (line === undefined || !fits(line.code)) return null;
  const modifier = family === 'ruby' ? trailing.exec(line.code) : null;
  if (modifier !== null && (refuses.test(modifier[1] ?? '') || givesUp.test(modifier[1] ?? '')))
    return found(line, line.text, modifier[3] ?? '', modifier[1] ?? '', true);
  const first = opening.exec(line.code);
  if (first === null) return null;
  const block = blockFrom(hunk, at, family, isOld);
  if (block === null) return null;
  // What is done by way of refusing stands before the exit, on the same level.
  const exit = block.body.findLast(hasCode);
  if (
    exit === undefined ||
    !(refuses.test(exit.code) || givesUp.test(exit.code)) ||
    indentOf(exit.text) > indentOf(block.body[0]?.text ?? '')
  )
    return null;
  const shown = [...block.head, exit].map(({ text }) => text.trim());
  return found(
    line,
    exit === line ? line.text : [...new Set(shown)].join(' '),
    block.condition,
    exit.text,
    refuses.test(exit.code),
  );
}

function found(
  line: SideLine,
  shown: string,
  condition: string,
  exit: string,
  isRefusal: boolean,
): FoundGuard {
  return {
    line,
    shown,
    what: isRefusal ? 'the condition that refuses' : 'the condition that gives up',
    names: namesIn(condition),
    call: null,
    exit: keyOf(exit),
    condition: keyOf(condition),
  };
}

interface Block {
  readonly head: readonly SideLine[];
  readonly condition: string;
  /** At most a few lines: a long block is a branch and no guard. */
  readonly body: readonly SideLine[];
}

/** The condition, which may go over several lines, and the block behind it. Null where the block is long or not in the hunk. */
function blockFrom(
  hunk: readonly SideLine[],
  at: number,
  family: Family,
  isOld: boolean,
): Block | null {
  const head: SideLine[] = [];
  let depth = 0;
  let end = at;
  for (; end < hunk.length && end < at + 5; end += 1) {
    const line = hunk[end];
    if (line === undefined) break;
    head.push(line);
    for (const character of line.code)
      depth +=
        character === '(' || character === '['
          ? 1
          : character === ')' || character === ']'
            ? -1
            : 0;
    if (depth <= 0 && endsHead(line.code, family)) break;
  }
  const condition = head.map(({ code }) => code.trim()).join(' ');
  const inline = inlineBody(condition, family);
  const [first] = head;
  if (inline !== null && first !== undefined)
    return { head, condition: inline.condition, body: [{ ...first, code: inline.body }] };
  const indent = indentOf(hunk[at]?.text ?? '');
  const body: SideLine[] = [];
  for (let next = end + 1; next < hunk.length; next += 1) {
    const line = hunk[next];
    if (line === undefined || (line.code.trim() !== '' && indentOf(line.text) <= indent)) break;
    if (line.code.trim() !== '') body.push(line);
    if (body.length > longestBlock) return null;
  }
  // A body that stays is that of another condition: of the one that comes, where it is that side.
  return body.length === 0 || (isOld && body.some(({ isChanged }) => !isChanged))
    ? null
    : { head, condition: condition.replace(/[{:]\s*$/, ''), body };
}

function endsHead(code: string, family: Family): boolean {
  const text = code.trimEnd();
  if (family === 'python') return text.endsWith(':') || /:\s*\S/.test(text);
  if (family === 'ruby' || family === 'shell') return true;
  return /[{;)]$/.test(text) || /\{/.test(text) || /\)\s*\S/.test(text);
}

/** `if (x) return;`, `if x: raise Y`, `if (x) { return }` */
function inlineBody(
  condition: string,
  family: Family,
): { readonly condition: string; readonly body: string } | null {
  const match =
    family === 'python'
      ? /^(.*?[^:]):\s*(\S.*)$/.exec(condition)
      : /^(.*?(?:\)\s*\{?|\{))\s*((?:throw|return|panic|raise|die|exit|abort|continue|fail|next\(|reject|\w+\.(?:status|sendStatus|Abort)).*)$/.exec(
          condition,
        );
  return match === null ? null : { condition: match[1] ?? '', body: match[2] ?? '' };
}

/** Names of checks: what they begin with, or what they are about. */
const checking =
  /^_{0,2}(?:authori[sz]e|authenticate|verify|validate|sanitize|ensure|enforce|guard|protect|restrict)(?![a-z])|^_{0,2}(?:check|require|assert|escape|deny)(?:_[a-z]|[A-Z])|(?:permission|authori[sz]ation|csrf|privilege)s?(?:_|[A-Z]|$)|^(?:login_required|permission_required|requires_auth\w*|is_authenticated|PreAuthorize|Secured|RolesAllowed|UseGuards|Authorize|IsGranted|csrf_protect)$/i;
const asserting =
  /^(?:assert|assert_eq|assert_ne|debug_assert|debug_assert_eq|invariant|requireNonNull|checkNotNull|checkArgument|checkState|notNull|notEmpty|isTrue|ensure)$/;
const statement =
  /^\s*(?:(?:await|yield|return|try|static)\s+)*(?:(?:const|let|var|val)\s+)?(?:[\w$]+(?:,\s*[\w$]+)*\s*:?=\s*(?:await\s+)?)?(?:(?:[\w$]+|[\w$]+\(\))(?:\.|->|::))*([A-Za-z_$][\w$]*[!?]?)\s*(?:\(|!\()/;
const annotation = /^\s*(?:@|#\[|\[)([\w.]+)/;
const callback =
  /^\s*(?:before_action|before_filter|append_before_action|prepend_before_action)\s+:(\w+)/;

function checkAt(hunk: readonly SideLine[], at: number, family: Family): FoundGuard | null {
  const line = hunk[at];
  if (line === undefined || !fits(line.code)) return null;
  const name = checkIn(line, family);
  if (name === null) return null;
  return {
    line,
    shown: line.text,
    what: asserting.test(name) ? 'the assertion' : 'the check',
    names: namesIn(line.code),
    call: name,
    exit: keyOf(line.text),
    condition: keyOf(line.code),
  };
}

function checkIn({ text, code }: SideLine, family: Family): string | null {
  const macro = family === 'ruby' ? callback.exec(text)?.[1] : undefined;
  if (macro !== undefined) return macro;
  const marked = annotation.exec(code)?.[1]?.split('.').at(-1);
  if (marked !== undefined) return checking.test(marked) ? marked : null;
  if (family === 'python' && /^\s*assert\s/.test(code)) return 'assert';
  if (
    /[{:]\s*$/.test(code) ||
    /^\s*(?:if|else|elif|for|while|switch|def|func|fn|function|class|import|from|use|catch|public|private|protected)\b/.test(
      code,
    )
  )
    return null;
  const called = statement.exec(code)?.[1]?.replace(/[!?]$/, '');
  if (called === undefined) return null;
  return checking.test(called) || asserting.test(called) ? called : null;
}

function fits(code: string): boolean {
  return code.trim() !== '' && code.length <= 300;
}

export const words = new Set(
  (
    'if else elif unless guard let var const not and or is in true false null None nil undefined ' +
    'return throw raise new this self True False instanceof typeof len isinstance String Error await ' +
    'async static'
  ).split(' '),
);

export function namesIn(code: string): ReadonlySet<string> {
  return new Set([...identifiersOf(code)].filter(name => name.length > 1 && !words.has(name)));
}
