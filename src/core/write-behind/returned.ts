/** The text that goes back to the caller of a process, as its row of the table says: a few lines, whatever was said. */
import { processOf, type Process } from '../process.ts';
import type { ReturnedRun } from '../run.ts';
import { renderBrief } from './brief.ts';
import { renderContractBrief } from './contract-brief.ts';
import { renderIdeasBrief } from './ideas-brief.ts';
import { renderResearchBrief } from './research-brief.ts';

const renderers: Readonly<Record<Process['returned'], (run: ReturnedRun) => string>> = {
  review: renderBrief, contract: renderContractBrief, research: renderResearchBrief, ideas: renderIdeasBrief,
};

/** At most 15 lines and 1,000 tokens. A run that the quality gate judged is returned as the gate does it, whatever it was. */
export function renderReturned(run: ReturnedRun): string {
  return renderers[run.record.gate === undefined ? processOf(run.record.command).returned : 'contract'](run);
}
