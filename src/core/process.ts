/**
 * The processes: everything in which they differ is a row of this table, so that a new one is a row and not another pipeline.
 * All of them ask a panel, keep what it says on disk, form claims, pass a gate and return a few lines.
 */
import type { ModeName } from './mode.ts';

export const processNames = ['review', 'gates', 'document', 'research', 'brainstorm', 'ask', 'multi-consensus'] as const;
type ProcessName = (typeof processNames)[number];

/** What reviewers are asked to write: severity lines, a Findings Index, the four blocks of research, or ideas. */
export type Contract = 'lines' | 'index' | 'research' | 'ideas';

export interface Process {
  readonly name: ProcessName;
  /** Null where the caller chooses. */
  readonly mode: ModeName | null;
  /** Personas for reviewers that were given none, handed out in turn. Empty: they keep the default one. */
  readonly personas: readonly string[];
  /** Seats that are asked when the caller names nobody; null: the whole panel. */
  readonly seats: number | null;
  readonly contract: Contract;
  /** What is made of the answers: claims that the gate judges, or an answer to the question. */
  readonly synthesis: 'claims' | 'answer';
  /** What the caller gets: the brief of a review, that of the write-behind contract to the letter, or an answer. */
  readonly returned: 'review' | 'contract' | 'research' | 'ideas';
  /** Who decides: the run, or what is found in its folder afterwards, closed unless proven open. */
  readonly gate: 'run' | 'folder';
}

const reading = { mode: null, personas: [], seats: null, contract: 'lines', synthesis: 'claims', returned: 'review', gate: 'run' } as const;
const answering = { ...reading, mode: 'general-prompt', synthesis: 'answer' } as const;

const table: Readonly<Record<ProcessName, Omit<Process, 'name'>>> = {
  review: { ...reading, mode: 'code-review' },
  gates: { ...reading, mode: 'code-review', returned: 'contract', gate: 'folder' },
  document: { ...reading, mode: 'architecture', personas: ['architecture-reviewer', 'correctness-reviewer', 'feasibility-reviewer'], contract: 'index', returned: 'contract' },
  research: { ...answering, personas: ['internal-researcher', 'documentation-researcher', 'community-researcher'], contract: 'research', returned: 'research' },
  brainstorm: { ...answering, personas: ['brainstorm-researcher'], seats: 1, contract: 'ideas', returned: 'ideas' },
  ask: reading,
  'multi-consensus': reading,
};

/** The row of a run's command. A run of a version that knew other commands is read like a review. */
export function processOf(command: string): Process {
  const name = processNames.find(candidate => candidate === command) ?? 'review';
  return { name, ...table[name] };
}
