/** Turns a request into a prepared run: subject, configuration, panel, plan. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { openRepository } from '../adapters/git/repository.ts';
import type { Change } from '../core/change.ts';
import type { Complexity } from '../core/context/budget.ts';
import { defaultThresholds } from '../core/context/progressive-mode.ts';
import type { Config } from '../core/config.ts';
import type { DeliberationSettings } from '../core/deliberation/claim-vote.ts';
import { MotionsSettings } from '../core/deliberation/motions-settings.ts';
import { UserError } from '../core/errors.ts';
import { excludeFiles } from '../core/change/set-aside.ts';
import { modeNamed, modes, type ModeName } from '../core/mode.ts';
import type { Plan } from '../core/plan.ts';
import type { ChangeRequest, Repository } from '../core/ports.ts';
import { applyRequest, AskRequest, ReviewRequest } from '../core/request.ts';
import { scaleOf, type LabelScale } from '../core/severity.ts';
import { makeVisible } from '../core/visible-text.ts';
import { temporaryFolderOf, type Call } from './call.ts';
import { choiceOf, panelFor } from './panel-choice.ts';
import { readNamed } from './read-text.ts';
import { configure, seatReviewers } from './seat-reviewers.ts';
import { sizeUp } from './size-up.ts';
import { prepareRun, type Prepared } from './start-run.ts';

/** The caller closes `repository` of what this returns. */
export async function prepareReview(input: ReviewRequest, call: Call): Promise<Prepared> {
  const request = ReviewRequest.parse(input);
  return prepareChange({ command: 'review', changeRequest: await toChangeRequest(request, call), request, rules: rulesOf(request), complexityOf: () => request.complexity ?? null }, call);
}

export interface ChangeMatter {
  readonly command: 'review' | 'gates';
  readonly changeRequest: ChangeRequest;
  readonly request: Pick<Checked, Exclude<keyof Checked, 'range' | 'paths' | 'base' | 'head' | 'staged' | 'worktree' | 'untracked' | 'patch' | 'files' | 'complexity'>>;
  readonly rules: Plan['rules'];
  readonly complexityOf: (change: Change) => Complexity | null;
}

interface ReadScope {
  readonly whole: Change;
  /** How the change is read again on resume. */
  readonly changeRequest: ChangeRequest;
}

/** A word that names no revision may name a path. */
async function readScope(repository: Repository, changeRequest: ChangeRequest, { cwd }: Call): Promise<ReadScope> {
  try {
    return { whole: await repository.change(changeRequest), changeRequest };
  } catch (error) {
    if (!(error instanceof UserError) || changeRequest.source !== 'revision' || !error.message.startsWith('Unknown revision')) throw error;
    const { revision } = changeRequest;
    if (revision.includes('..')) throw error;
    if (!existsSync(path.resolve(cwd, revision))) throw new UserError(`Error: scope not found: ${makeVisible(revision)}`, { kind: 'input', hint: error.hint, cause: error });
    const files: ChangeRequest = { source: 'files', patterns: [revision] };
    return { whole: await repository.change(files), changeRequest: files };
  }
}

/** Any of the three flags asks for a consensus review: then its table of verdicts decides. */
function rulesOf({ protocol, strict, ignoreVetos, failOn }: Checked): Plan['rules'] {
  if (protocol === 'ci') throw new UserError('--protocol ci: an exchange of findings between reviewers is not available.', { kind: 'usage', hint: 'Use veto, aad or vote.' });
  if (protocol === undefined && !strict && !ignoreVetos) return null;
  return { protocol: protocol ?? 'veto', strict, ignoreVetos, isRuledByFailRules: failOn !== undefined };
}

/** The caller closes `repository` of what this returns. */
export async function prepareChange({ command, changeRequest: asked, request, rules, complexityOf }: ChangeMatter, call: Call): Promise<Prepared> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  return closingOnError(repository, async () => {
    const { whole, changeRequest } = await readScope(repository, asked, call);
    const configured = await configure({ cwd: call.cwd, named: request.config ?? null, change: whole, repository, signal: call.signal });
    const config = applyRequest(configured.config, request);
    const { change, excluded } = excludeFiles(whole, config.exclude);
    const choice = choiceOf(request, request.reviewers ?? config.modes?.['code-review']?.reviewers ?? null, call);
    const panel = await seatReviewers(panelFor({ command, mode: 'code-review' }, config, choice), configured, request.timeout);
    const settings = { complexity: complexityOf(change), isolation: request.isolation, sensitiveFiles: config.sensitiveFiles, thresholds: config.progressive_summarization ?? defaultThresholds };
    const { seats, ...sizing } = sizeUp({ ...settings, change, repository, seats: panel, isNamed: request.reviewers !== undefined });
    return prepareRun({
      command, rules, mode: 'code-review', subject: change, subjectRequest: { kind: 'change', request: changeRequest }, excluded, repository, panel: choice, ground: configured.ground,
      notes: [...configured.notes, ...sizing.triage.leftOut.map(({ id, why }) => `${id} is left out: ${why}.`)], sizing: { ...sizing, settings }, seats, config, scale: modes['code-review'].scale, threshold: thresholdOf(call),
      sensitive: sizing.triaged.filter(({ sensitive }) => sensitive).map(({ path, reason }) => ({ path, reason: reason ?? 'security-sensitive' })),
      description: request.description ?? null,
      requirements: request.plan === undefined ? null : await readNamed(request.plan, '--plan', call),
      prompt: null, context: null,
      deliberation: request.deliberate ? deliberationSettings(config) : null,
    }, call);
  });
}

/** The thresholds of the formal vote: claims and motions are sorted alike. */
function deliberationSettings(config: Config): DeliberationSettings {
  const { low, medium, consensus, contested, batch = 5, panel_concurrency: panelConcurrency = 2 } = config.motions ?? MotionsSettings.parse({});
  return { low, medium, consensus, contested, batch, panelConcurrency };
}

export async function prepareQuestion(input: AskRequest, call: Call): Promise<Prepared> {
  const request = AskRequest.parse(input);
  const mode = modeNamed(request.mode) ?? 'general-prompt';
  const prompt = request.prompt === '-' ? await readNamed('-', 'PROMPT', call) : request.prompt;
  const context = request.contextFile === undefined ? (request.context ?? null) : await readNamed(request.contextFile, '--context-file', call);
  if (prompt.trim() === '') throw new UserError('PROMPT: the question is empty.', { kind: 'usage' });
  // The repository is asked for nothing but its top folder, where `.jury` lives.
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  return closingOnError(repository, async () => {
    const configured = await configure({ cwd: call.cwd, named: request.config ?? null, change: null, repository: null, signal: call.signal });
    const config = applyRequest(configured.config, request);
    const named = request.reviewers ?? config.modes?.[request.mode]?.reviewers ?? (config.reviewers ? null : clients);
    const choice = choiceOf(request, named, call);
    const seats = await seatReviewers(panelFor({ command: 'ask', mode }, config, choice), configured, request.timeout);
    const title = prompt.split('\n')[0]?.slice(0, 100) ?? '';
    return prepareRun({
      command: 'ask', mode, subject: { kind: 'question', title, prompt, context }, subjectRequest: { kind: 'question', title }, excluded: [], repository, panel: choice, ground: configured.ground,
      notes: configured.notes, seats, config, scale: scaleFor(request.severities, mode), threshold: thresholdOf(call),
      description: null, requirements: null, prompt, context,
    }, call);
  });
}

/** Static analysers have nothing to say to a question. */
const clients = ['claude', 'gemini', 'codex'];

function scaleFor(labels: readonly string[] | undefined, mode: ModeName): LabelScale {
  if (labels === undefined) return modes[mode].scale;
  const scale = scaleOf(labels);
  if (scale === null) throw new UserError(`Error: Invalid --severities '${labels.join(',')}'`, { kind: 'usage' });
  return scale;
}

/** Percent of shared words at which the overlap strategy calls two findings the same. */
export function thresholdOf({ environment }: Call): number {
  const text = environment.SIMILARITY_THRESHOLD ?? '60';
  const threshold = Number(text);
  if (!/^\d{1,3}$/.test(text) || threshold > 100) throw new UserError('Error: SIMILARITY_THRESHOLD must be an integer from 0 to 100', { kind: 'usage' });
  return threshold;
}

async function closingOnError<Result>(repository: Repository, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await repository.close();
    throw error;
  }
}

type Checked = ReturnType<typeof ReviewRequest.parse>;

async function toChangeRequest(request: Checked, call: Call): Promise<ChangeRequest> {
  const ways = waysNamed(request);
  if (ways.length > 1) throw new UserError(`${ways.join(' and ')} name two subjects; give one of them.`, { kind: 'usage' });
  if (request.untracked && !request.worktree) throw new UserError('--untracked goes with --worktree.', { kind: 'usage' });
  if ((request.base === undefined) !== (request.head === undefined)) throw new UserError('--base and --head go together.', { kind: 'usage' });
  if (request.range !== undefined && request.paths.length > 0) return { source: 'files', patterns: [request.range, ...request.paths] };
  if (request.staged || request.range === 'staged') return { source: 'staged' };
  if (request.range === 'unstaged') return { source: 'worktree', untracked: false };
  if (request.worktree) return { source: 'worktree', untracked: request.untracked };
  if (request.files) return { source: 'files', patterns: request.files };
  if (request.patch !== undefined) return { source: 'patch', text: await readNamed(request.patch, '--patch', call), title: request.patch === '-' ? 'standard input' : request.patch };
  if (request.base !== undefined && request.head !== undefined) return { source: 'range', base: request.base, head: request.head, title: `${request.base}..${request.head}` };
  return { source: 'revision', revision: request.range ?? 'HEAD' };
}

function waysNamed(request: Checked): string[] {
  const ways: readonly (readonly [string, unknown])[] = [
    [`"${request.range ?? ''}"`, request.range], ['--base', request.base ?? request.head], ['--staged', request.staged], ['--worktree', request.worktree], ['--patch', request.patch], ['--files', request.files],
  ];
  return ways.filter(([, value]) => value !== undefined && value !== false).map(([name]) => name);
}
