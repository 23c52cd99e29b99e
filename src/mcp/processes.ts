/** What can be put before a panel through this door: one line for each process of the library. */
import { askPanel, reviewChange, UserError, type Call, type ReviewRequest, type Run } from '../index.ts';
import type { Root } from './roots.ts';

export interface StartRequest {
  readonly subject?: string | undefined;
  readonly context?: string | undefined;
  readonly reviewers?: string[] | undefined;
  readonly fresh: boolean;
}

/** Checks the subject before anything is begun, then runs. Throws `UserError`. */
type Process = (request: StartRequest, root: Root) => Promise<(call: Call) => Promise<Run>>;

export const processNames = ['review', 'ask'] as const;

export const processes: Readonly<Record<(typeof processNames)[number], Process>> = {
  review: ({ subject, context, ...panel }) => begin(call => reviewChange({ ...common(panel), ...changeNamed(subject), ...(context !== undefined && { description: context }) }, call)),
  ask: ({ subject, context, ...panel }) => {
    const prompt = required(subject, 'the question');
    return begin(call => askPanel({ ...common(panel), prompt, ...(context !== undefined && { context }) }, call));
  },
};

async function begin(work: (call: Call) => Promise<Run>): Promise<(call: Call) => Promise<Run>> {
  return work;
}

function common({ reviewers, fresh }: Pick<StartRequest, 'reviewers' | 'fresh'>): { reviewers?: string[]; fresh: boolean } {
  return { fresh, ...(reviewers !== undefined && { reviewers }) };
}

/** Two words stand for what is not committed; everything else is checked as a revision. */
function changeNamed(subject: string | undefined): Pick<ReviewRequest, 'range' | 'staged' | 'worktree' | 'untracked'> {
  if (subject === undefined) return {};
  if (subject === '--staged') return { staged: true };
  if (subject === '--worktree') return { worktree: true, untracked: true };
  return { range: subject };
}

/** A lone dash would mean standard input, which belongs to the protocol. */
function required(subject: string | undefined, what: string): string {
  if (subject === undefined || subject.trim() === '' || subject.trim() === '-') throw new UserError(`subject: ${what} is missing.`, { kind: 'usage' });
  return subject;
}
