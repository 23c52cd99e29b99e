/** Every table of the ways of values. A language more is one file and one line. */
import type { Grammar } from '../../core/languages/language.ts';
import { cFlow } from './c.ts';
import { csharpFlow } from './csharp.ts';
import { goFlow } from './go.ts';
import { javaFlow } from './java.ts';
import { javascriptFlow } from './javascript.ts';
import { phpFlow } from './php.ts';
import { pythonFlow } from './python.ts';
import { rubyFlow } from './ruby.ts';
import { rustFlow } from './rust.ts';
import type { FlowTable } from './table.ts';

export const flowTables: readonly FlowTable[] = [
  javascriptFlow,
  pythonFlow,
  goFlow,
  javaFlow,
  rubyFlow,
  rustFlow,
  phpFlow,
  csharpFlow,
  cFlow,
];

export function flowTableOf(grammar: Grammar): FlowTable | null {
  return flowTables.find(({ grammars }) => grammars.includes(grammar)) ?? null;
}
