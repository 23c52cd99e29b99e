/**
 * Rules of the diff reviewer that look at one added line: skipped and focused tests, placeholders, leftover debugging,
 * conflict markers. A new rule is one entry.
 */
import type { Severity } from '../core/words/severity.ts';
import {
  isDocumentPath,
  isExamplePath,
  isFixturePath,
  isTestPath,
  isToolPath,
} from '../core/languages/path-kinds.ts';
import type { Family } from '../core/languages/languages.ts';
import type { LineContext } from './line-context.ts';
import { isOwnProgram } from './own-program.ts';
import { isForOneSystem, isInLongText, isPutAside } from './tests-off-here.ts';

export interface LineRule {
  readonly id: string;
  /** Null: any text file, known language or not. */
  readonly families: readonly Family[] | null;
  /** What `pattern` is held against: the code without strings and comments, the comments alone, or the line as it is. */
  readonly on: 'code' | 'comments' | 'text';
  readonly pattern: RegExp;
  /** Held against the line as it is, besides `pattern`: for words inside strings. */
  readonly words?: RegExp;
  readonly severity: Severity;
  readonly category: string;
  readonly issue: string;
  readonly recommendation: string;
  readonly applies?: (context: LineContext) => boolean;
}

const inTests = ({ path }: LineContext): boolean => isTestPath(path);
const outsideTests = ({ path }: LineContext): boolean => !isTestPath(path) && !isDocumentPath(path);
/** Stubs are called so because nothing is in them. */
const outsideStubs = (context: LineContext): boolean =>
  outsideTests(context) && !/(?:^|[/._-])stubs?[/._-]/i.test(context.path);
const outsideTools = (context: LineContext): boolean =>
  outsideTests(context) && !isToolPath(context.path) && !isExamplePath(context.path);

const programming = [
  'javascript',
  'python',
  'ruby',
  'go',
  'rust',
  'java',
  'csharp',
  'php',
  'c',
  'swift',
] as const satisfies readonly Family[];

const focused = {
  on: 'code',
  severity: 'high',
  category: 'tests',
  issue: 'A focused test: every other test of its file is silently left out.',
  recommendation: 'Remove the focus before merging.',
} as const;

const skipped = {
  on: 'code',
  severity: 'medium',
  category: 'tests',
  issue: 'A test is switched off: what it checked is no longer checked.',
  recommendation: 'Repair or delete the test, or link the issue that brings it back.',
} as const;

const placeholder = {
  severity: 'medium',
  category: 'placeholder',
  applies: outsideStubs,
  issue: 'The work is announced but not done: this place stands for code that is missing.',
  recommendation: 'Implement it, or leave the feature out of this change.',
} as const;

const breakpoint = {
  on: 'code',
  severity: 'medium',
  category: 'debugging',
  applies: ({ path }: LineContext): boolean => !isDocumentPath(path),
  issue: 'A breakpoint left behind: the program stops here.',
  recommendation: 'Remove it.',
} as const;

const debugOutput = {
  severity: 'low',
  category: 'debugging',
  applies: outsideTools,
  issue: 'Output that looks like leftover debugging.',
  recommendation: 'Remove it or use the logger of the project.',
} as const;

export const lineRules: readonly LineRule[] = [
  {
    ...focused,
    id: 'focused-test',
    families: ['javascript'],
    pattern: /(?<![\w.$])(?:it|test|describe|context|suite|specify)\.only\b\s*(?:\(|`|\.each)/,
  },
  {
    ...focused,
    id: 'focused-test',
    families: ['javascript'],
    pattern: /^\s*(?:fit|fdescribe|fcontext)\s*\(\s*['"`]/,
    applies: inTests,
  },
  {
    ...focused,
    id: 'focused-test',
    families: ['ruby'],
    pattern: /^\s*(?:fit|fdescribe|fcontext)\b[\s(]+['"]|,\s*(?:focus:\s*true|:focus)\b/,
    applies: context => inTests(context) && !isInLongText(context),
  },

  {
    ...skipped,
    id: 'skipped-test',
    families: ['javascript'],
    pattern:
      /(?<![\w.$])(?:it|test|describe|context|suite|specify)\.(?:skip|todo)\b\s*(?:\(\s*['"`]|\.each)/,
  },
  {
    ...skipped,
    id: 'skipped-test',
    families: ['javascript', 'ruby'],
    pattern: /^\s*(?:xit|xtest|xdescribe|xcontext|xspecify)\b[\s(]+['"`]/,
    applies: context => inTests(context) && !isInLongText(context),
  },
  {
    ...skipped,
    id: 'skipped-test',
    families: ['python'],
    pattern: /^\s*@(?:pytest\.mark|unittest)\.skip\b(?!if|unless)/i,
    applies: context => !isPutAside(context),
  },
  {
    ...skipped,
    id: 'skipped-test',
    families: ['java'],
    pattern: /^\s*@(?:Disabled|Ignore)(?:\s*$|\()/,
    applies: context =>
      inTests(context) && !/\bnot an? test\b/i.test(context.text[context.index] ?? ''),
  },
  {
    ...skipped,
    id: 'skipped-test',
    families: ['rust'],
    pattern: /^\s*#\[ignore\b/,
    // Its whole work is to be compiled.
    applies: ({ comments, index }) => !/\bcompil(?:e|ed|es|ation)\b/i.test(comments[index] ?? ''),
  },
  {
    ...skipped,
    id: 'skipped-test',
    families: ['csharp'],
    pattern: /^\s*\[(?:Ignore\b|(?:Fact|Theory)\s*\(\s*Skip\s*=)/,
    applies: context => !isCompiledSometimes(context),
  },
  {
    ...skipped,
    id: 'skipped-test',
    families: ['go'],
    pattern: /^\s*[tb]\.Skip(?:f|Now)?\(/,
    applies: context => inTests(context) && !isGuarded(context) && !isForOneSystem(context),
  },
  {
    ...skipped,
    id: 'skipped-test',
    families: ['php'],
    pattern: /\$this->markTestSkipped\(/,
    applies: context => inTests(context) && !isGuarded(context),
  },

  {
    ...placeholder,
    id: 'not-implemented',
    families: ['javascript', 'java', 'csharp', 'php', 'c', 'swift'],
    on: 'code',
    pattern:
      /\bthrow\s+(?:new\s+)?\\?[\w.:]*(?:Error|Exception|runtime_error|logic_error)\s*\(\s*["'`]|\bfatalError\(\s*"/,
    words:
      /["'`](?:(?:this |the )?(?:method|function|feature|handler|endpoint)(?: is)? )?(?:not (?:yet )?implemented|unimplemented|todo\b)(?!:)/i,
  },
  {
    ...placeholder,
    id: 'not-implemented',
    families: ['csharp'],
    on: 'code',
    // A branch of an expression says what cannot be: the work is in the others.
    pattern:
      /(?<!(?:\?\?|\s:|^\s*:|\b_\s*=>)\s*)\bthrow\s+new\s+(?:System\.)?NotImplementedException\s*\(/,
    // With words of its own it tells what is wrong when it runs.
    words:
      /NotImplementedException\s*\(\s*(?:\)|$|[^"$@\s]|[$@]*"(?:[^"]*(?:implement|todo|support|later|yet)|"))/i,
    applies: context => outsideStubs(context) && !isRefusedByName(context),
  },
  {
    ...placeholder,
    id: 'not-implemented',
    families: ['python'],
    on: 'code',
    pattern: /^\s*raise\s+NotImplementedError\b/,
    applies: context => outsideTests(context) && isInPlainFunction(context),
  },
  {
    ...placeholder,
    id: 'not-implemented',
    families: ['rust'],
    on: 'code',
    pattern: /(?<![\w.])(?:unimplemented|todo)!\s*[([{]/,
    // With words of its own it tells what is wrong when it runs.
    words:
      /todo!|unimplemented!\s*[([{]\s*(?:[)\]}]|$|[^"\s]|"(?:[^"]*(?:implement|todo|support|later|yet)|"))/i,
    applies: context =>
      outsideTests(context) && !isForDocuments(context) && !isInRustTests(context),
  },
  {
    ...placeholder,
    id: 'not-implemented',
    families: ['go'],
    on: 'code',
    pattern: /\b(?:panic|errors\.New|fmt\.Errorf)\(\s*["`]/,
    words: /["`](?:\w{1,40}[:.] ?)?(?:not (?:yet )?implemented|unimplemented|todo\b)/i,
  },
  {
    ...placeholder,
    id: 'not-implemented',
    families: ['java'],
    on: 'code',
    pattern: /(?<![\w.])TODO\s*\(\s*"/,
  },
  {
    ...placeholder,
    id: 'elided-code',
    families: programming,
    on: 'comments',
    severity: 'high',
    pattern:
      /(?:\.{3}|…)\s*(?:the )?(?:(?:existing|remaining|other|previous) (?:code|implementation|methods|functions|logic)|rest of (?:the |your )?(?:code|file|implementation|function|class|logic))|(?:your (?:code|implementation|logic) (?:goes )?here)/i,
    applies: context => !isInLongText(context),
    issue: 'A comment stands where code was: the change was pasted with parts left out.',
    recommendation: 'Put the missing code back.',
  },
  {
    ...placeholder,
    id: 'placeholder-comment',
    families: [...programming, 'shell'],
    on: 'comments',
    pattern:
      /\b(?:TODO|FIXME|XXX)\b[^A-Za-z]{0,4}(?:\([^)]{0,40}\)[^A-Za-z]{0,4})?(?:actually |properly |really )?implement\b|\b(?:placeholder|stub|dummy) implementation\b|\bimplement (?:me|this later|later)\b/i,
  },
  {
    ...placeholder,
    id: 'fixme',
    families: [...programming, 'shell'],
    on: 'comments',
    severity: 'low',
    pattern: /^(?!.*ts-migrate).*\bFIXME\b(?!\s*(?:comments?|markers?)\b)/,
    issue: 'A FIXME is added: its author knows of a defect that ships with this change.',
    recommendation: 'Fix it now, or link the issue that will.',
  },

  {
    ...breakpoint,
    id: 'breakpoint',
    families: ['javascript'],
    pattern: /^\s*debugger\s*;?\s*$|[;{]\s*debugger\s*[;}]/,
  },
  {
    ...breakpoint,
    id: 'breakpoint',
    families: ['python'],
    pattern:
      /(?<![\w.])(?:breakpoint\(\)|(?:pdb|ipdb|pudb)\.set_trace\(\))|^\s*import (?:pdb|ipdb|pudb)\b/,
  },
  {
    ...breakpoint,
    id: 'breakpoint',
    families: ['ruby'],
    pattern: /(?<![\w.:])(?:binding\.(?:pry|irb|break)|byebug)\s*(?:$|;|if\b)/,
  },
  {
    ...breakpoint,
    id: 'breakpoint',
    families: ['csharp'],
    pattern: /(?<![\w])Debugger\.(?:Break|Launch)\(\)/,
  },

  {
    ...debugOutput,
    id: 'debug-output',
    families: ['javascript'],
    on: 'code',
    pattern: /(?<![\w.$])console\.(?:log|debug|dir|trace)\(/,
    applies: context =>
      outsideTools(context) &&
      !printsElsewhere(context, 'console.') &&
      !tellsCaught(context) &&
      !isOwnProgram(context.text),
  },
  {
    ...debugOutput,
    id: 'debug-output',
    families: ['python'],
    on: 'code',
    pattern: /^\s*print\(\s*[rf]?["']/,
    words:
      /print\(\s*[rf]?["'](?:(?:DEBUG|debug|XXX|HERE|here|got here|WTF|test(?:ing)?)\b|[-=#*>!]{3,}|f?["']?\{\w{1,40}=\})/,
  },
  {
    ...debugOutput,
    id: 'debug-output',
    families: ['rust'],
    on: 'code',
    severity: 'medium',
    pattern: /(?<![\w])dbg!\s*\(/,
    applies: context => outsideTools(context) && !isInRustTests(context),
  },
  {
    ...debugOutput,
    id: 'debug-output',
    families: ['go'],
    on: 'code',
    pattern: /\b(?:fmt|log)\.Print(?:ln|f)?\(\s*["`]/,
    words: /\(\s*["`](?:DEBUG|XXX|HERE\b|here\b|[-=#*>!]{3,})/,
  },
  {
    ...debugOutput,
    id: 'debug-output',
    families: ['go'],
    on: 'code',
    pattern: /(?<![\w.])spew\.Dump\(/,
  },
  {
    ...debugOutput,
    id: 'debug-output',
    families: ['php'],
    on: 'code',
    pattern: /(?<![\w$>:\\])(?<!\bfunction\s+)(?:var_dump|dd)\(/,
    applies: context => outsideTools(context) && !isInDumper(context),
  },
  {
    ...debugOutput,
    id: 'debug-output',
    families: ['java'],
    on: 'code',
    pattern: /System\.(?:out|err)\.print(?:ln)?\(\s*"/,
    words: /\(\s*"(?:DEBUG|XXX|HERE\b|here\b|[-=#*>!]{3,})/,
  },

  {
    id: 'conflict-marker',
    families: null,
    on: 'text',
    pattern: /^<{7} \S|^>{7} \S|^\|{7} \S/,
    severity: 'high',
    category: 'conflict',
    issue:
      'A merge conflict marker was committed: the file holds both sides of an unresolved merge.',
    recommendation: 'Resolve the conflict and remove the markers.',
    applies: ({ path }) => !isFixturePath(path) && !isDocumentPath(path),
  },
];

/** Stands in a branch: skipped under a condition, which is how a test says what it needs. */
function isGuarded({ code, index }: LineContext): boolean {
  const indent = indentOf(code[index] ?? '');
  for (let above = index - 1; above >= Math.max(0, index - 12); above -= 1) {
    const line = code[above] ?? '';
    if (line.trim() !== '' && indentOf(line) < indent)
      return /\b(?:if|else|case|switch|default|catch)\b/.test(line);
  }
  return false;
}

/** `#if MONO` above: off for one compiler, on for the others. */
function isCompiledSometimes({ code, index }: LineContext): boolean {
  for (let above = index - 1; above >= Math.max(0, index - 3); above -= 1) {
    const line = code[above] ?? '';
    if (/^\s*#\s*endif\b/.test(line)) return false;
    if (/^\s*#\s*(?:if|elif|else)\b/.test(line)) return true;
  }
  return false;
}

/** `CanWrite => false` in the class: nobody calls `WriteJson`, which has to be there. */
function isRefusedByName({ code, index }: LineContext): boolean {
  const above = code.slice(Math.max(0, index - 4), index + 1).join('\n');
  const does = /\b(Write|Read|Seek|Convert)\w*\s*\(/.exec(above)?.[1];
  if (does === undefined) return false;
  const refused = refusals.get(code) ?? refusalsIn(code);
  refusals.set(code, refused);
  return refused.has(does);
}

/** By the lines of a file, which are the same array for all that is asked of it. */
const refusals = new WeakMap<readonly string[], ReadonlySet<string>>();

function refusalsIn(code: readonly string[]): ReadonlySet<string> {
  return new Set(
    code.flatMap(
      line => /\bCan(\w{1,40})\s*(?:=>|\{\s*get\b).{0,20}\bfalse\b/.exec(line)?.[1] ?? [],
    ),
  );
}

/** `#[cfg(doc)]` above: stands for another piece of code in what is written about it. */
function isForDocuments({ code, index }: LineContext): boolean {
  return code.slice(Math.max(0, index - 3), index).some(line => /#\[cfg\(doc\w*\)\]/.test(line));
}

/** Rust keeps tests in a module at the end of the file they are about. */
function isInRustTests({ code, index }: LineContext): boolean {
  const lines = rustTests.get(code) ?? linesOfRustTests(code);
  rustTests.set(code, lines);
  return lines.has(index);
}

/** By the lines of a file, which are the same array for all that is asked of it. */
const rustTests = new WeakMap<readonly string[], ReadonlySet<number>>();

function linesOfRustTests(code: readonly string[]): ReadonlySet<number> {
  const inside = new Set<number>();
  let isInside = false;
  for (const [index, line] of code.entries()) {
    if (/^mod\s+\w+\s*\{/.test(line)) isInside = (code[index - 1] ?? '').startsWith('#[cfg(test)]');
    if (line.startsWith('}')) isInside = false;
    if (isInside) inside.add(index);
  }
  return inside;
}

/** Names the error that the block around has caught: a report, however it is printed. */
function tellsCaught({ code, text, index }: LineContext): boolean {
  let indent = indentOf(code[index] ?? '');
  for (let above = index - 1; above >= Math.max(0, index - 30) && indent > 0; above -= 1) {
    const line = code[above] ?? '';
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    const name = /\bcatch\s*\(\s*(?:\(\s*)?(\w+)/.exec(line)?.[1];
    if (name !== undefined) return new RegExp(`\\b${name}\\b`).test(text[index] ?? '');
  }
  return false;
}

/** A method called `dd` or `dump`, or a file named for it: to print is its work. */
function isInDumper({ code, index, path }: LineContext): boolean {
  if (/(?:^|\/)(?:\w*(?:Debug|Dump)\w*|dump)\.php$/.test(path)) return true;
  return code
    .slice(Math.max(0, index - 6), index)
    .some(line => /\bfunction\s+(?:dd|dump)\w*\s*\(/i.test(line));
}

/** In a class the error is how Python marks a method that subclasses provide. */
function isInPlainFunction({ code, index }: LineContext): boolean {
  let indent = indentOf(code[index] ?? '');
  for (let above = index - 1; above >= Math.max(0, index - 400) && indent > 0; above -= 1) {
    const line = code[above] ?? '';
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    if (/^\s*class\b/.test(line)) return false;
    if (/^\s*(?:if|elif|else|except|match|case)\b/.test(line)) return false;
    indent = indentOf(line);
  }
  return indent === 0;
}

/** A file that prints in other places prints on purpose. */
function printsElsewhere({ code, index }: LineContext, call: string): boolean {
  const from = Math.max(0, index - 500);
  return code.slice(from, index + 500).filter(line => line.includes(call)).length > 3;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
