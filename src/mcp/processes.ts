/** What can be put before a panel through this door: one line for each process of the library. */
import { createJury, UserError, type Call, type ReviewRequest, type Run } from '../index.ts';
import { briefOf, briefOfMotions } from './brief.ts';
import type { Done } from './desk.ts';
import { pathIn, type Root } from './roots.ts';

export interface StartRequest {
  readonly subject?: string | undefined;
  readonly context?: string | undefined;
  readonly reviewers?: string[] | undefined;
  readonly fresh: boolean;
}

/** Checks the subject before anything is begun, then runs. Throws `UserError`. */
type Process = (request: StartRequest, root: Root) => Promise<(call: Call) => Promise<Done>>;

export const processNames = ['review', 'gates', 'document', 'ask', 'research', 'brainstorm', 'motions', 'resume'] as const;

export const processes: Readonly<Record<(typeof processNames)[number], Process>> = {
  review: async ({ subject, ...request }) => call => brief(createJury(call).run({ process: 'review', ...panelOf(request), ...changeNamed(subject), ...descriptionOf(request) })),
  gates: async ({ subject, ...request }) => call => brief(createJury(call).run({ process: 'gates', ...panelOf(request), ...(subject !== undefined && { range: subject }), ...descriptionOf(request) })),
  async document({ subject, ...request }, root) {
    const path = await pathIn(root, required(subject, 'the document'));
    return call => brief(createJury(call).run({ process: 'document', ...panelOf(request), path, ...descriptionOf(request) }));
  },
  async ask({ subject, ...request }) {
    const prompt = required(subject, 'the question');
    return call => brief(createJury(call).run({ process: 'ask', ...panelOf(request), prompt, ...contextOf(request) }));
  },
  async research({ subject, ...request }) {
    const question = required(subject, 'the question');
    return call => brief(createJury(call).run({ process: 'research', ...panelOf(request), question, ...contextOf(request) }));
  },
  async brainstorm({ subject, ...request }) {
    const topic = required(subject, 'the topic');
    return call => brief(createJury(call).run({ process: 'brainstorm', ...panelOf(request), topic, ...contextOf(request) }));
  },
  async motions({ subject }, root) {
    const dir = await pathIn(root, required(subject, 'the folder of the session'));
    return async call => {
      let runId: string | null = null;
      const onEvent: Call['onEvent'] = event => {
        if (event.type === 'run-start') runId = event.run;
        call.onEvent?.(event);
      };
      const outcome = await createJury({ ...call, onEvent }).vote({ dir, realAgent: true });
      if (outcome === null) throw new UserError('The vote was interrupted; the same start goes on with it.', { kind: 'input' });
      return { runId, answer: briefOfMotions(outcome, runId) };
    };
  },
  async resume({ subject }) {
    const run = required(subject, 'the run');
    return call => brief(createJury(call).resume(run));
  },
};

async function brief(running: Promise<Run>): Promise<Done> {
  const run = await running;
  return { runId: run.record.run, answer: briefOf(run) };
}

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
