/** Whether a line declares a name: the shapes that languages give to variables, loops, parameters and handlers. */
import type { Language } from './language.ts';

/** Longer lines were not written by hand; their end tells nothing. */
const longestLine = 500;
const shapes = new Map<string, readonly RegExp[]>();

/** A local declaration on this line. Parameters of named functions are `isParameter`. */
export function declares(line: string, name: string): boolean {
  const text = line.slice(0, longestLine);
  return text.includes(name) && shapesOf(name).some(shape => shape.test(text));
}

function shapesOf(name: string): readonly RegExp[] {
  const known = shapes.get(name);
  if (known !== undefined) return known;
  const word = `(?<![\\p{L}\\p{N}_$.])[$@&*]?${escape(name)}(?![\\p{L}\\p{N}_$])`;
  const made = [
    // x = …, x := …, let x: T = …, Type x = …, const { a, x } = …, for k, x := range …
    `^[^=()"'\`.]*${word}[^=()"'\`]{0,80}(?::=|(?<![=!<>+*/%&|^-])=(?![=>~]))`,
    `\\b(?:let|const|var|val|auto|final|mut|static|global|nonlocal)\\s+[^=;()]{0,200}${word}`,
    `\\bfor\\b\\s*(?:await\\s*)?\\(?[^;=]{0,100}${word}[^;=]{0,60}\\s(?:in|of)\\s|\\bfor\\b[^;]{0,100}${word}[^;]{0,60}(?::|:=)`,
    `(?:\\((?:[^()]{0,300}[\\s,({\\[])?|[{\\[,(=]\\s*|^\\s*)${word}[^()]{0,300}?\\)?\\s*(?::[^=]{0,100})?=>`,
    `\\blambda\\b[^:]{0,200}${word}[^:]{0,200}:`,
    `\\|[^|]{0,200}${word}[^|]{0,200}\\|`,
    `\\b(?:as|catch|rescue|except)\\b\\s*[({]?[^){:]{0,100}${word}`,
    `\\b(?:if|switch|while)\\s+[^=;]{0,100}${word}[^=;]{0,60}:=`,
    `\\bfunc(?:tion)?\\b[^{]{0,300}[(,]\\s*${word}`,
    `\\b(?:with|using|case|Some|Ok|Err)\\b[^=]{0,100}${word}\\s*(?:\\)|=>|->|:)`,
  ].map(shape => new RegExp(shape, 'u'));
  if (shapes.size > 5_000) shapes.clear();
  shapes.set(name, made);
  return made;
}

/** Is the name a parameter in the first lines of a function? `header`: from its first line to where its body starts. */
export function isParameter(header: string, name: string, { parameters }: Language): boolean {
  const text = header.slice(0, 2_000);
  const open = text.indexOf('(');
  if (open === -1 || !text.includes(name)) return false;
  const word = escape(name);
  const forms = {
    'name-first': `[(,{\\[|]\\s*(?:(?:\\.\\.\\.|\\*{1,2}|&|\\$|mut\\s|public\\s|private\\s|protected\\s|readonly\\s|override\\s|final\\s|val\\s|var\\s|@[\\w.]+(?:\\([^()]*\\))?\\s*)*)(?:[\\w$]+\\s*:\\s*)?${word}\\s*(?:\\?|!)?\\s*[:,)=}\\]|]`,
    'type-first': `(?:[\\w>\\]?]\\s+|[\\w>\\]]?[*&$]+\\s*|\\.\\.\\.\\s*|[(,]\\s*)${word}\\s*(?:\\[\\s*\\]\\s*)?[,)=]`,
    go: `[(,]\\s*${word}(?:\\s+[\\w*\\[.(&<{]|\\s*,)`,
  } as const;
  return new RegExp(forms[parameters], 'u').test(text.slice(open));
}

/** Lines of the header of a definition: up to where its body opens, at most twelve. */
export function headerEnd(lines: readonly string[], startLine: number, endLine: number): number {
  const last = Math.min(endLine, startLine + 11, lines.length);
  let depth = 0;
  for (let line = startLine; line <= last; line += 1) {
    const text = (lines[line - 1] ?? '').slice(0, longestLine);
    for (const character of text) {
      if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
    }
    if (depth <= 0 && /[{:;=>)\w\]]\s*(?:(?:\/\/|#).*)?$|=>|\{/.test(text) && !/^\s*(?:@|#\[)/.test(text)) return line;
  }
  return Math.min(startLine, last);
}

function escape(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
