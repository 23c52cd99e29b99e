/** What can be put before a panel through this door: one line for each process of the library. */
import { askPanel, brainstorm, research, resumeRun, reviewChange, reviewDocument, runGates, UserError, type Call, type ReviewRequest, type Run } from '../index.ts';
import { pathIn, type Root } from './roots.ts';

export interface StartRequest {
  readonly subject?: string | undefined;
  readonly context?: string | undefined;
  readonly reviewers?: string[] | undefined;
  readonly fresh: boolean;
}

/** Checks the subject before anything is begun, then runs. Throws `UserError`. */
type Process = (request: StartRequest, root: Root) => Promise<(call: Call) => Promise<Run>>;

export const processNames = ['review', 'gates', 'document', 'ask', 'research', 'brainstorm', 'resume'] as const;

export const processes: Readonly<Record<(typeof processNames)[number], Process>> = {
  review: async ({ subject, ...request }) => call => reviewChange({ ...panelOf(request), ...changeNamed(subject), ...descriptionOf(request) }, call),
  gates: async ({ subject, ...request }) => call => runGates({ ...panelOf(request), ...(subject !== undefined && { range: subject }), ...descriptionOf(request) }, call),
  async document({ subject, ...request }, root) {
    const path = await pathIn(root, required(subject, 'the document'));
    return call => reviewDocument({ ...panelOf(request), path, ...descriptionOf(request) }, call);
  },
  async ask({ subject, ...request }) {
    const prompt = required(subject, 'the question');
    return call => askPanel({ ...panelOf(request), prompt, ...contextOf(request) }, call);
  },
  async research({ subject, ...request }) {
    const question = required(subject, 'the question');
    return call => research({ ...panelOf(request), question, ...contextOf(request) }, call);
  },
  async brainstorm({ subject, ...request }) {
    const topic = required(subject, 'the topic');
    return call => brainstorm({ ...panelOf(request), topic, ...contextOf(request) }, call);
  },
  async resume({ subject }) {
    const run = required(subject, 'the run');
    return call => resumeRun(run, call);
  },
};

function panelOf({ reviewers, fresh }: Omit<StartRequest, 'subject'>): { reviewers?: string[]; fresh: boolean } {
  return { fresh, ...(reviewers !== undefined && { reviewers }) };
}

function descriptionOf({ context }: Omit<StartRequest, 'subject'>): { description?: string } {
  return context === undefined ? {} : { description: context };
}

function contextOf({ context }: Omit<StartRequest, 'subject'>): { context?: string } {
  return context === undefined ? {} : { context };
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
