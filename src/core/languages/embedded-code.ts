/**
 * Code inside of other texts: the cells of a notebook, the scripts of a component. What is no code becomes blank, so that every
 * line keeps its number.
 */
import { parseJson } from '../json.ts';

/**
 * Null for a text that is code as it stands. `code` has as many lines as the text; `grammar` null: lines alone tell; `template`: what
 * stands around the code and may name what it knows.
 */
export function embeddedCodeOf(path: string, text: string) {
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
export function readableText(path: string, text: string) {
  return isNotebook(path) ? cellsOf(text) : text;
}

export function isNotebook(path: string) {
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
  const written = text.split('\n');
  const shown = written.map(() => '');
  for (const { kind, lines } of readCells(text)?.cells ?? [])
    for (let at = lines[0] - 1; at < lines[1]; at += 1) {
      const own = textOf(written[at] ?? '') ?? '';
      shown[at] = kind === 'code' || own.trim() === '' ? own : `# ${own}`;
    }
  return shown.join('\n');
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

interface Level {
  readonly opensAt: number;
  /** Where the text goes on behind what opens it. */
  readonly start: number;
  /** Of the entry that is read: objects alone have one. */
  key: string | null;
  isKeyNext: boolean;
  /** Of a cell, where it is told before what the cell holds. */
  kind: string;
}

/**
 * The lines that lie wholly inside of a source, and those of an output or an attachment of a cell, wherever the text breaks its
 * lines and whatever it says twice: the way of keys decides. Null for what is no JSON. Linear.
 */
function readCells(text: string) {
  if (parseJson(text) === undefined) return null;
  const cells: { kind: string; lines: [number, number] }[] = [];
  const outputs: [number, number][] = [];
  const levels: Level[] = [];
  let line = 1;
  for (const { 0: token, index: at } of text.matchAll(/"(?:[^"\\]+|\\.)*"|[{}[\],\n]/g)) {
    const level = levels.at(-1);
    if (token === '\n') line += 1;
    else if (token === '{' || token === '[')
      levels.push({ opensAt: line, start: at + 1, key: null, isKeyNext: token === '{', kind: '' });
    else if (level === undefined) continue;
    else if (token === ',') level.isKeyNext = level.key !== null;
    else if (token.startsWith('"')) {
      if (level.isKeyNext) level.key = String(JSON.parse(token));
      else if (level.key === 'cell_type') level.kind = String(JSON.parse(token));
      level.isKeyNext = false;
    } else {
      levels.pop();
      const [list, , cell, ...more] = levels;
      if (list?.key !== 'cells' || more.length > 0) continue;
      if (cell?.key === 'source')
        cells.push({ kind: cell.kind, lines: [level.opensAt + 1, line - 1] });
      const isOutput = cell?.key === 'outputs' || cell?.key === 'attachments';
      if (isOutput && text.slice(level.start, at).trim() !== '')
        outputs.push([level.opensAt, line]);
    }
  }
  return { cells, outputs };
}

const script = /(<script\b([^>]*)>)([\s\S]*?)(?=<\/script\s*>)/gi;

/** All scripts of a component in their places: a component may have two, and they share their names. */
function componentOf(text: string) {
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

/** Null for anything but a notebook that parses: it is shown as it is. A side that is missing has no lines. */
export function notebookLines(path: string, oldText: string | null, newText: string | null) {
  if (!isNotebook(path)) return null;
  const [old, now] = [oldText, newText].map(text => {
    const read = readCells(text ?? '{}');
    return read && { cells: read.cells.map(({ lines }) => lines), outputs: read.outputs };
  });
  return old && now ? { old, new: now } : null;
}
