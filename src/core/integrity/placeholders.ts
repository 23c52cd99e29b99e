/** Work that a change leaves undone: marks, and functions whose whole body does nothing. Added lines only. */
import type { Change } from '../change.ts';
import { addedLinesOf, blocksOf, kindsOfFile, productFilesOf, type AddedLine } from './added-lines.ts';

const mark = /\b(TODO|FIXME|XXX)\b/;
const constant = String.raw`(?:null|nil|None|undefined|true|false|True|False|-?\d[\d_.]*|""|''|\[\]|\{\})`;
const hollow = new RegExp(String.raw`^(?:pass|\.{3}|return(?:\s+${constant})?\s*;?|(?:throw|raise|panic!?|todo!|unimplemented!)\b.{0,60}(?:not[ _]?implemented|unimplemented|TODO|todo!|NotImplemented).{0,80}|(?:todo|unimplemented)!\(\)\s*;?)$`, 'i');
const bracedHead = /\b(?:function|func|fn|def)\b[^{]{0,200}\{|^\s*(?:[\w<>[\],.?*&]+\s+){0,4}\w+\s*\([^{}]{0,200}\)[^{};]{0,80}\{|=>\s*\{/;
const notAFunction = /^\s*(?:\}?\s*else\b|if\b|for\b|while\b|switch\b|catch\b|try\b|with\b|return\b|class\b|interface\b|describe\b|it\b|test\b)/;

/** One `path:line what` each. Documents may speak of such marks: only code and configuration are searched. */
export function findPlaceholders(change: Change): string[] {
  const marked = change.files.filter(file => ['code', 'configuration'].some(kind => kindsOfFile(file).has(kind as 'code'))).flatMap(addedLinesOf).flatMap(added => {
    const word = mark.exec(added.text.slice(0, 2000))?.[1];
    return word === undefined ? [] : [`${added.path}:${added.line} ${word}`];
  });
  const idle = productFilesOf(change).flatMap(file => blocksOf(addedLinesOf(file)).flatMap(hollowFunctionsOf));
  return [...marked, ...idle];
}

function hollowFunctionsOf(block: readonly AddedLine[]): string[] {
  return block.flatMap((added, index) => {
    const body = bodyBehind(block, index);
    return body !== null && hollow.test(body) ? [`${added.path}:${added.line} whole body: ${body.slice(0, 60)}`] : [];
  });
}

/** The only statement of the function that begins on this line; null when it begins none, or has more. */
function bodyBehind(block: readonly AddedLine[], index: number): string | null {
  const text = (block[index]?.text ?? '').slice(0, 600);
  if (/^\s*(?:async\s+)?def\s+\w+\s*\(.{0,300}\).{0,80}:\s*/.test(text)) return pythonBody(block, index, text);
  const head = notAFunction.test(text) ? null : bracedHead.exec(text);
  return head === null ? null : bracedBody(block, index, text.slice(head.index + head[0].length));
}

function bracedBody(block: readonly AddedLine[], index: number, rest: string): string | null {
  const lines = [rest, ...block.slice(index + 1, index + 5).map(({ text }) => text.slice(0, 300))];
  const end = lines.findIndex(line => /^[^{]*\}/.test(line));
  if (end === -1) return null;
  const body = lines.slice(0, end + 1).join(' ').replace(/\}[^}]*$/s, '').trim();
  return body === '' || /;\s*\S/.test(body) ? null : body;
}

function pythonBody(block: readonly AddedLine[], index: number, text: string): string | null {
  const inline = text.replace(/^.*\).{0,80}?:\s*/, '').trim();
  if (inline !== '') return inline;
  const indent = text.length - text.trimStart().length;
  const body: string[] = [];
  for (const { text: below } of block.slice(index + 1, index + 8)) {
    if (below.trim() === '') continue;
    if (below.length - below.trimStart().length <= indent) break;
    body.push(below.trim());
  }
  const statements = body.filter(line => !/^(?:"""|''').*(?:"""|''')$|^#/.test(line));
  return statements.length === 1 ? (statements[0] ?? null) : null;
}
