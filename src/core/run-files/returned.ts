/** The text that goes back to the caller of a process, as its row of the table says: a few lines, whatever was said. */
import { processOf, type Process } from '../process.ts';
import { renderIdeasBrief, renderResearchBrief } from './answer-brief.ts';
import { renderBrief, renderContractBrief, type BriefedRun } from './brief.ts';

const renderers: Readonly<Record<Process['returned'], (run: BriefedRun) => string>> = {
  review: renderBrief,
  contract: renderContractBrief,
  research: renderResearchBrief,
  ideas: renderIdeasBrief,
};

/** At most 15 lines and 1,000 tokens. A run that the quality gate judged is returned as the gate does it, whatever it was. */
export function renderReturned(run: BriefedRun): string {
  return renderers[
    run.record.gate === undefined ? processOf(run.record.command).returned : 'contract'
  ](run);
}
