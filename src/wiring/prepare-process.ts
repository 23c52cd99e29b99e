/** Turns a request for a document, a research or a brainstorm into a prepared run: a subject, and the panel of the process. */
import path from 'node:path';
import { readDocument } from '../adapters/document/read-document.ts';
import { openRepository } from '../adapters/git/repository.ts';
import type { Subject } from '../core/change.ts';
import type { Config, Seat } from '../core/config.ts';
import { UserError } from '../core/errors.ts';
import type { SubjectRequest } from '../core/plan.ts';
import { BrainstormRequest, DocumentRequest, ResearchRequest } from '../core/process-request.ts';
import { processOf, type Process } from '../core/process.ts';
import { applyRequest, type PanelRequest } from '../core/request.ts';
import { scaleOf, type LabelScale } from '../core/severity.ts';
import { temporaryFolderOf, type Call } from './call.ts';
import { choiceOf, panelFor } from './panel-choice.ts';
import { thresholdOf } from './prepare-review.ts';
import { readNamed } from './read-text.ts';
import { configure, seatReviewers } from './seat-reviewers.ts';
import { prepareRun, type Prepared } from './start-run.ts';

/** The caller closes `repository` of what these return. */
export async function prepareDocument(input: DocumentRequest, call: Call): Promise<Prepared> {
  const { path: named, description = null, allStages, untrusted, ...request } = DocumentRequest.parse(input);
  const file = path.resolve(call.cwd, named);
  const subject = await readDocument(file, named);
  return prepareOnPanel({ process: processOf('document'), subject, subjectRequest: { kind: 'document', path: file, title: named }, request: { ...request, untrusted }, description, allStages }, call);
}

export async function prepareResearch(input: ResearchRequest, call: Call): Promise<Prepared> {
  const { question, context, contextFile, ...request } = ResearchRequest.parse(input);
  return prepareQuestionFor('research', { prompt: question, what: 'QUESTION', context, contextFile, request }, call);
}

export async function prepareBrainstorm(input: BrainstormRequest, call: Call): Promise<Prepared> {
  const { topic, context, contextFile, ...request } = BrainstormRequest.parse(input);
  return prepareQuestionFor('brainstorm', { prompt: topic, what: 'TOPIC', context, contextFile, request }, call);
}

type Checked = ReturnType<typeof PanelRequest.parse> & { readonly untrusted?: boolean };

interface Asked {
  readonly prompt: string;
  /** Name of the argument, for messages. */
  readonly what: string;
  readonly context: string | undefined;
  readonly contextFile: string | undefined;
  readonly request: Checked;
}

async function prepareQuestionFor(name: 'research' | 'brainstorm', asked: Asked, call: Call): Promise<Prepared> {
  const prompt = asked.prompt === '-' ? await readNamed('-', asked.what, call) : asked.prompt;
  const context = asked.contextFile === undefined ? (asked.context ?? null) : await readNamed(asked.contextFile, '--context-file', call);
  if (prompt.trim() === '') throw new UserError(`${asked.what}: it is empty.`, { kind: 'usage' });
  const title = prompt.trim().split('\n')[0]?.slice(0, 100) ?? '';
  return prepareOnPanel({ process: processOf(name), subject: { kind: 'question', title, prompt, context }, subjectRequest: { kind: 'question', title }, request: asked.request, description: null, allStages: false }, call);
}

interface Matter {
  readonly process: Process;
  readonly subject: Subject;
  readonly subjectRequest: SubjectRequest;
  readonly request: Checked;
  readonly description: string | null;
  readonly allStages: boolean;
}

async function prepareOnPanel({ process, subject, subjectRequest, request, description, allStages }: Matter, call: Call): Promise<Prepared> {
  // The repository is asked for nothing but its top folder, where `.jury` lives.
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    const configured = await configure({ cwd: call.cwd, named: request.config ?? null, change: null, repository: null, given: call, signal: call.signal });
    const config = configFor(process, applyRequest(configured.config, request));
    const { named, stages } = chosenFor(process, config, request);
    const choice = choiceOf(request, named, call);
    const seats: Seat[] = await seatReviewers(panelFor({ command: process.name, mode: process.mode ?? 'general-prompt' }, config, choice), configured, request.timeout);
    const [prompt, context] = subject.kind === 'question' ? [subject.prompt, subject.context] : [null, null];
    return await prepareRun({
      command: process.name, mode: process.mode ?? 'general-prompt', subject, subjectRequest, excluded: [], repository, panel: choice, ground: configured.ground, notes: configured.notes, seats, config, stages, allStages,
      scale: scaleFor(process), threshold: thresholdOf(call), description, requirements: null, prompt, context,
    }, call);
  } catch (error) {
    await repository.close();
    throw error;
  }
}

/** Ideas and findings of research are no defects: nothing about them fails a gate. */
function configFor({ synthesis }: Process, config: Config): Config {
  return synthesis === 'answer' ? { ...config, failOn: ['never'] } : config;
}

interface ChosenPanel {
  readonly named: readonly string[];
  readonly stages: readonly (readonly string[])[] | null;
}

/** Static analysers have nothing to say to a text. */
const clients = ['claude', 'codex', 'gemini'];

/** By name, by the configuration of the process, or everybody that can read a text. */
function chosenFor(process: Process, config: Config, { reviewers }: Checked): ChosenPanel {
  const own = config.processes?.[process.name === 'document' || process.name === 'research' || process.name === 'brainstorm' ? process.name : 'document'];
  const stages = reviewers === undefined ? (own?.stages ?? null) : null;
  const readers = (config.reviewers ?? []).filter(({ runner }) => runner !== 'builtin').map(({ id }) => id);
  const usual = readers.length > 0 ? readers : clients;
  const named = reviewers ?? own?.stages?.flat() ?? own?.reviewers ?? usual.slice(0, process.seats ?? undefined);
  return { named, stages };
}

const levels = ['P0', 'P1', 'P2', 'P3'];

function scaleFor({ contract }: Process): LabelScale {
  const labels = { index: levels, research: ['FINDING'], ideas: ['IDEA'], lines: levels }[contract];
  return contract === 'index' ? (scaleOf(labels) ?? new Map()) : new Map(labels.map(label => [label, 'low' as const]));
}
