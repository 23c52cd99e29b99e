/** What every reader of a subject is given and gives back. */
import type { GitRepository } from '../adapters/git/repository.ts';
import type { Runner } from '../core/ports/runner.ts';
import type { Process } from '../core/process.ts';
import type { Subject } from '../core/words/change.ts';
import type { ReviewerConfig } from '../core/words/config.ts';
import type { Persona } from '../core/words/persona.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Call } from './call.ts';

/** All that it takes to read a subject. */
export type PlannedSubject = Pick<Plan, 'subject' | 'prompt' | 'context'>;

/** Where a subject is read from. */
export interface SubjectSource {
  readonly process: Process;
  readonly repository: GitRepository;
  readonly call: Call;
}

export interface ReadSubject {
  readonly planned: PlannedSubject;
  /** With the files that are not reviewed. */
  readonly subject: Subject;
  /** A panel that has spoken already, in place of the configured one. */
  readonly spoken?: SpokenPanel;
}

interface SpokenPanel {
  readonly reviewers: readonly ReviewerConfig[];
  /** Of each of them. */
  readonly persona: Persona;
  /** Gives back what they said. */
  readonly runner: Runner;
  /** What the caller should know of how they were found. One sentence each. */
  readonly notes: readonly string[];
}

/** Its first line, cut. */
export function titleOf(prompt: string): string {
  return prompt.trim().split('\n')[0]?.slice(0, longestTitle) ?? '';
}

const longestTitle = 100;
