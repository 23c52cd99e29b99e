/** Remarks on the flows of one file that end on a line of the change. */
import type { Node } from 'web-tree-sitter';
import type { Grammar } from '../../core/languages/language.ts';
import { isScriptPath } from '../../core/languages/path-kinds.ts';
import { quoteOf, type Remark } from '../analyser.ts';
import type { Source } from '../source.ts';
import type { Flow, Place } from './meetings.ts';
import { type FlowTable, wordsOf } from './table.ts';
import { flowTableOf } from './tables.ts';
import { followFlows } from './walk.ts';

/** Longer files are followed only through the functions that the change touches. */
const longestWhole = 300_000;

export interface FlowRemarks {
  readonly remarks: readonly Remark[];
  /** Where only what is fixed or cleaned goes in. */
  readonly harmless: readonly Place[];
}

export function findFlows(
  root: Node,
  grammar: Grammar,
  source: Source,
  isOver: () => boolean,
): FlowRemarks {
  const table = flowTableOf(grammar);
  if (table === null) return { remarks: [], harmless: [] };
  const isWhole = source.text.length <= longestWhole;
  const isWanted = ({ startPosition, endPosition }: Node): boolean =>
    isWhole || source.touched(startPosition.row + 1, endPosition.row + 1) !== null;
  const remarks = new Map<string, Remark>();
  const { flows, harmless } = followFlows(root, table, isWanted, isOver);
  for (const flow of flows) {
    const remark = toRemark(flow, table, source);
    if (remark !== null) remarks.set(`${remark.rule}:${remark.line}`, remark);
  }
  return { remarks: [...remarks.values()], harmless };
}

/** Where it does harm, or where it is handed to the function that does. */
function toRemark(flow: Flow, { language }: FlowTable, source: Source): Remark | null {
  const { kind, weakness, origin, from, call } = flow;
  const line =
    source.touched(flow.start, flow.end) ?? (call === null ? null : source.touched(call, call));
  if (line === null) return null;
  const { severity, severityInScripts = severity, harm, recommendation } = wordsOf(kind);
  const way = call === null ? '' : `, handed on in line ${call}`;
  return {
    rule: `patterns/${language}-flow-${kind}`,
    severity: isScriptPath(source.path) ? severityInScripts : severity,
    category: 'security',
    weakness,
    path: source.path,
    line,
    quote: quoteOf(source, line),
    issue: `A value from outside (\`${shown(origin)}\`, line ${from}${way}) ${harm}`,
    recommendation,
  };
}

/** The change has written it: one line, no marks of ours. */
function shown(origin: string): string {
  return origin
    .replace(/[^\x20-\x7E]+|`/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 60)
    .trim();
}
