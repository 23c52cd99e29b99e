/**
 * Code inside of other texts: the cells of a notebook, the scripts of a component. What is no code becomes blank, so that every
 * line keeps its number.
 */

interface EmbeddedCode {
  /** As many lines as the text has. */
  readonly code: string;
  /** Null: lines alone tell. */
  readonly grammar: string | null;
  /** What stands around the code and may name what it knows. */
  readonly template: string;
}

/** Null for a text that is code as it stands. */
export function embeddedCodeOf(path: string, text: string): EmbeddedCode | null {
  if (/\.(?:vue|svelte)$/i.test(path)) return componentOf(text);
  if (!isNotebook(path)) return null;
  const code = readableText(path, text);
  return {
    code: code.replace(/^(?:[%!]|# ?%%).*$/gm, ''),
    grammar: kernelOf(text) === 'python' ? 'python' : null,
    template: '',
  };
}

/** As a person reads it: of a notebook its cells, prose as comments, outputs left out; anything else as it is. Lines stay. */
export function readableText(path: string, text: string): string {
  return isNotebook(path) ? cellsOf(text) : text;
}

export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** The language of a notebook, as it says itself; most that say nothing are Python. */
function kernelOf(text: string) {
  return (
    /"language":\s*"(\w+)"/.exec(text)?.[1] ??
    /"language_info":\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)?"name":\s*"(\w+)"/.exec(text)?.[1] ??
    'python'
  ).toLowerCase();
}

/** The usual layout has one entry a line: a line of code is a line of the file. A notebook on one line shows nothing. */
function cellsOf(text: string) {
  let cell: { indent: string; kind: string } | null = null;
  let isOpen = false;
  return text
    .split('\n')
    .map(line => {
      if (isOpen) {
        if (/^\s*\]/.test(line)) {
          isOpen = false;
          return '';
        }
        return cellLine(line, cell?.kind ?? 'code');
      }
      const [, indent, kind] = /^(\s*)"cell_type":\s*"(\w+)"/.exec(line) ?? [];
      if (indent !== undefined && kind !== undefined) cell = { indent, kind };
      else if (cell !== null && /^\s*"source":\s*\[\s*$/.test(line))
        isOpen = line.startsWith(`${cell.indent}"`);
      return '';
    })
    .join('\n');
}

function cellLine(line: string, kind: string) {
  const text = textOf(line) ?? '';
  return kind === 'code' || text.trim() === '' ? text : `# ${text}`;
}

/** Null where the line is more, or less, than one text. */
function textOf(line: string) {
  const quoted = /^\s*("(?:[^"\\]|\\.)*"),?\s*$/.exec(line)?.[1];
  if (quoted === undefined) return null;
  try {
    return String(JSON.parse(quoted)).split('\n')[0] ?? '';
  } catch {
    return null;
  }
}

const script = /(<script\b([^>]*)>)([\s\S]*?)(?=<\/script\s*>)/gi;

/** All scripts of a component in their places: a component may have two, and they share their names. */
function componentOf(text: string): EmbeddedCode {
  let [code, template, grammar, at] = ['', '', 'javascript', 0];
  for (const match of text.matchAll(script)) {
    const [, tag = '', attributes = '', body = ''] = match;
    const start = match.index + tag.length;
    code += blank(text.slice(at, start)) + body;
    template += text.slice(at, match.index) + blank(tag + body);
    at = start + body.length;
    if (/\blang\s*=\s*["']?tsx/i.test(attributes)) grammar = 'tsx';
    else if (/\blang\s*=\s*["']?(?:ts|typescript)/i.test(attributes) && grammar !== 'tsx')
      grammar = 'typescript';
  }
  return {
    code: code + blank(text.slice(at)),
    grammar,
    template: (template + text.slice(at))
      .replace(/<!--[\s\S]*?-->|<style\b[\s\S]*?<\/style\s*>/gi, blank)
      // `user-card` is `UserCard` in the script. Its place is told by the line alone.
      .replace(/<\/?[a-z]+(?:-\w+)+/g, tag =>
        tag.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()),
      ),
  };
}

function blank(text: string) {
  return text.replace(/[^\n]/g, ' ');
}
