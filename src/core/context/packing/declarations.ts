/**
 * Whether a line declares a name, for languages without a grammar in use: the shapes that languages give to variables, loops,
 * parameters and handlers.
 */
import type { Vocabulary } from '../../languages/language.ts';

const wordCharacter = /[\p{L}\p{N}_$]/u;

/** Longer lines were not written by hand; their end tells nothing. */
const longestLine = 500;

/** A local declaration on this line. Parameters of named functions are `isParameter`. */
export function declares(line: string, name: string): boolean {
  const text = line.slice(0, longestLine);
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const [before, behind] = [text.slice(0, at), text.slice(at + name.length)];
    if (
      wordCharacter.test(before.at(-1) ?? '') ||
      wordCharacter.test(behind[0] ?? '') ||
      /(?:^|[^.])\.\s*$/.test(before.slice(-10))
    )
      continue;
    if (
      isAssigned(before, behind) ||
      isIntroduced(before) ||
      isLooped(before, behind) ||
      isBound(before, behind)
    )
      return true;
  }
  return false;
}

/** `x = …`, `x := …`, `Type x = …`, `const { a, x } = …`, `for k, x := range …` */
function isAssigned(before: string, behind: string): boolean {
  return (
    !/[=()"'`.]/.test(before) && /^[^=()"'`]{0,80}(?::=|(?<![=!<>+*/%&|^-])=(?![=>~]))/.test(behind)
  );
}

/** `let x`, `global x`; `catch (x`, `except E as x`, `Some(x` */
function isIntroduced(before: string): boolean {
  return (
    /\b(?:let|const|var|val|auto|final|static|global|nonlocal)\s+[^=;()]{0,200}$/.test(before) ||
    /\b(?:with|except|import|from)\b.{0,300}\bas\s+\(?[\w, ]{0,60}$/.test(before) ||
    /\bcatch\s*\(\s*(?:[\w.|$\\ ]{1,80}\s)?$/.test(before) ||
    /\brescue\b.{0,100}=>\s*$/.test(before) ||
    /\b(?:Some|Ok|Err)\(\s*(?:mut\s|ref\s)?$/.test(before)
  );
}

function isLooped(before: string, behind: string): boolean {
  return (
    /\bfor\b\s*(?:await\s*)?\(?[^;=]{0,100}$/.test(before) &&
    /^[^;=]{0,60}(?:\s(?:in|of)\s|:)/.test(behind)
  );
}

/** Parameters of functions without a name: `x => …`, `lambda x: …`, `|x| …`, `function (x` */
function isBound(before: string, behind: string): boolean {
  if (
    behind.includes('=>') &&
    /(?:^\s*|[{[,(=]\s*|\([^()]{0,300}[\s,({[])$/.test(before) &&
    /^[^()=]{0,300}\)?\s*(?::[^=]{0,100})?=>/.test(behind)
  )
    return true;
  if (/\blambda\b[^:]{0,200}$/.test(before) && behind.includes(':')) return true;
  if (/(?:\bdo|\bmove|[{(,=])\s*\|[^|]{0,200}$/.test(before) && /^[^|]{0,200}\|/.test(behind))
    return true;
  return /\bfunc(?:tion)?\b\s*\((?:[^(){]{0,300},)?\s*$/.test(before);
}

/** Is the name a parameter in the first lines of a function? `header`: from its first line to where its body starts. */
export function isParameter(header: string, name: string, { parameters }: Vocabulary): boolean {
  const text = header.slice(0, 2_000);
  const open = text.indexOf('(');
  if (open === -1 || !text.includes(name)) return false;
  const word = escape(name);
  const forms = {
    'name-first': `[(,{\\[|]\\s*(?:(?:\\.\\.\\.|\\*{1,2}|&|\\$|mut\\s|public\\s|private\\s|protected\\s|readonly\\s|override\\s|final\\s|val\\s|var\\s|@[\\w.]+(?:\\([^()]*\\))?\\s*)*)${word}\\s*(?:\\?|!)?\\s*[:,)=}\\]|]`,
    'type-first': `(?:[\\w>\\]?]\\s+|[\\w>\\]]?[*&$]+\\s*|\\.\\.\\.\\s*|[(,]\\s*)${word}\\s*(?:\\[\\s*\\]\\s*)?[,)=]`,
    go: `[(,]\\s*${word}(?:\\s+[\\w*\\[.(&<{]|\\s*,)`,
  } as const;
  return new RegExp(forms[parameters], 'u').test(text.slice(open));
}

function escape(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
