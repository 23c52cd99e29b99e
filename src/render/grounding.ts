/** What `jury ground` prints: one line when all is well, the entries that hang in the air otherwise. */
import type { Grounding } from '../core/write-behind/grounding.ts';
import { oneLine } from './terminal-text.ts';

export interface PrintedGrounding {
  /** Standard output; empty when there is nothing for it. */
  readonly output: string;
  /** Standard error, a line each. */
  readonly notes: readonly string[];
}

const longestList = 200;

export function renderGrounding(grounding: Grounding): PrintedGrounding {
  const { status, checked, foreign_skipped: foreign } = grounding;
  const problems = list(grounding);
  if (status === 'violation') return { output: '', notes: [`grounding: VIOLATION — ${countOf(grounding)}`, ...problems] };
  const ok = `grounding: OK — ${checked - grounding.ungrounded.length} synthesized findings verified against agent indexes (${foreign} foreign files skipped)\n`;
  return { output: ok, notes: status === 'warn' ? [`grounding: warn — ${countOf(grounding)}`, ...problems] : [] };
}

function countOf({ checked, ungrounded, severity_mismatch: severities, wrong_agent: agents }: Grounding): string {
  return `${ungrounded.length} of ${checked} synthesized findings ungrounded, ${severities.length} with another severity, ${agents.length} with a wrong agent`;
}

function list({ ungrounded, severity_mismatch: severities, wrong_agent: agents }: Grounding): string[] {
  const lines = [
    ...ungrounded.map(entry => {
      const [level = '', ...id] = entry.split('|');
      return `  - ungrounded: ${level} ${oneLine(id.join('|'), 200)} (no index entry with this id)`;
    }),
    ...severities.map(entry => `  - severity differs: ${oneLine(entry, 300)}`),
    ...agents.map(entry => `  - wrong-agent: ${oneLine(entry, 300)}`),
  ];
  return lines.length <= longestList ? lines : [...lines.slice(0, longestList), `  … and ${lines.length - longestList} more`];
}
