/** Turns a request of `multi-consensus` into a prepared run: its own panel and quorum, everything else as in every run. */
import { openRepository, type GitRepository } from '../adapters/git/repository.ts';
import type { Change, Subject } from '../core/change.ts';
import type { Config, Strategy } from '../core/config.ts';
import { UserError } from '../core/errors.ts';
import { excludeFiles } from '../core/change/set-aside.ts';
import { modes, type ModeName } from '../core/mode.ts';
import type { PanelChoice, SubjectRequest } from '../core/plan.ts';
import type { Coverage } from '../core/run.ts';
import type { LabelScale } from '../core/severity.ts';
import { temporaryFolderOf, type Call } from './call.ts';
import { panelFor } from './panel-choice.ts';
import { thresholdOf } from './prepare-review.ts';
import { configure, seatReviewers } from './seat-reviewers.ts';
import { prepareRun, type Prepared } from './start-run.ts';

export interface ConsensusRequest {
  readonly mode: ModeName;
  /** Full ids of two commits; null when the question is about no change. */
  readonly commits: { readonly base: string; readonly head: string; readonly isUnchanged: boolean } | null;
  readonly description: string | null;
  /** Text of the plan or requirements. */
  readonly requirements: string | null;
  /** Null in a code review only. */
  readonly prompt: string | null;
  readonly context: string | null;
  /** Labels instead of those of the mode. */
  readonly scale: LabelScale | null;
  readonly strategy: Strategy | null;
  /** Seconds for each reviewer that sets none of its own. */
  readonly timeout: number | null;
}

export type ComparedCommits =
  | { readonly status: 'missing'; readonly side: 'base' | 'head' }
  | { readonly status: 'same' | 'unchanged' | 'changed'; readonly base: string; readonly head: string };

/** `same`: one commit under two names. `unchanged`: two commits with the same files. */
export async function compareCommits(base: string, head: string, call: Call): Promise<ComparedCommits> {
  return withRepository(call, async repository => {
    const ids: string[] = [];
    for (const [side, revision] of [['base', base], ['head', head]] as const) {
      const id = await resolveOrNull(repository, revision);
      if (id === null) return { status: 'missing', side };
      ids.push(id);
    }
    const [left = '', right = ''] = ids;
    if (left === right) return { status: 'same', base: left, head: right };
    return { status: (await repository.sameTree(left, right)) ? 'unchanged' : 'changed', base: left, head: right };
  });
}

/** The caller closes `repository` of what this returns. */
export async function prepareConsensus(request: ConsensusRequest, call: Call): Promise<Prepared> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    const whole = await readSubject(request, repository);
    const configured = await configure({ cwd: call.cwd, named: null, change: whole.subject.kind === 'change' ? whole.subject : null, repository });
    const { subject, excluded } = withoutExcluded(whole.subject, configured.config.exclude);
    const config: Config = { ...configured.config, quorum: 1, strategy: request.strategy ?? configured.config.strategy };
    const choice: PanelChoice = { config: null, reviewers: null, require: [], timeout: request.timeout };
    return await prepareRun({
      command: 'multi-consensus', mode: request.mode, subject, subjectRequest: whole.request, excluded, repository, notes: configured.notes, config,
      panel: choice, ground: configured.ground,
      seats: await seatReviewers(panelFor({ command: 'multi-consensus', mode: request.mode }, config, choice), configured, request.timeout ?? undefined),
      scale: request.scale ?? modes[request.mode].scale,
      threshold: thresholdOf(call),
      description: request.description, requirements: request.requirements, prompt: request.prompt, context: request.context,
    }, call);
  } catch (error) {
    await repository.close();
    throw error;
  }
}

interface Read {
  readonly subject: Subject;
  readonly request: SubjectRequest;
}

async function readSubject({ commits, prompt, context }: ConsensusRequest, repository: GitRepository): Promise<Read> {
  if (commits === null) {
    const title = prompt?.split('\n')[0]?.slice(0, 100) ?? '';
    return { subject: { kind: 'question', title, prompt: prompt ?? '', context }, request: { kind: 'question', title } };
  }
  const { base, head, isUnchanged } = commits;
  const range = { source: 'range', base, head, title: `${base}..${head}` } as const;
  const nothing: Change = { kind: 'change', ...range, files: [], warnings: [] };
  return { subject: isUnchanged ? nothing : await repository.change(range), request: { kind: 'change', request: range } };
}

function withoutExcluded(subject: Subject, patterns: readonly string[]): { readonly subject: Subject; readonly excluded: Coverage['excluded'] } {
  if (subject.kind !== 'change') return { subject, excluded: [] };
  const { change, excluded } = excludeFiles(subject, patterns);
  return { subject: change, excluded };
}

async function resolveOrNull(repository: GitRepository, revision: string): Promise<string | null> {
  try {
    return await repository.resolve(revision);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

async function withRepository<Result>(call: Call, work: (repository: GitRepository) => Promise<Result>): Promise<Result> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    return await work(repository);
  } finally {
    await repository.close();
  }
}
