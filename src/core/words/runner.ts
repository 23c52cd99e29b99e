/**
 * What sets runners apart: whatever depends on who is asked is looked up here, so that a new one is a row. Imports nothing at run
 * time: the program starts with it.
 */
import type { Persona } from './persona.ts';

/**
 * `check`: finds by rules, inside Jury. `recording`: gives back what was said once. `program`: one of the user's own, of which nobody
 * knows what it asks. `client`: a coding agent. `api`: a request to a model. `own`: brought by the program that calls the library.
 */
type Kind = 'check' | 'recording' | 'program' | 'client' | 'api' | 'own';

/** Keys of a seat that name files, whoever its runner is: is what they name a program, which may load more? */
export const fileKeys = { command: true, executable: true, answers: false } as const;
export type FileKey = keyof typeof fileKeys;

interface Traits {
  readonly kind: Kind;
  /** Whose models it asks; `by-model`: the vendor that its model is written with, as `vendor/model`. */
  readonly vendor?: 'anthropic' | 'openai' | 'google' | 'by-model';
  /** Tokens of the model that it asks when none is named. */
  readonly window?: number;
  /** The key of a seat that it cannot do without, with an example. */
  readonly needs?: readonly [key: FileKey | 'model' | 'analyser', example: string];
  /** What of a seat names files: a program, which may load more, else what is read, by these words. */
  readonly file?: { readonly key: FileKey; readonly read?: string };
}

const client = { kind: 'client', file: { key: 'executable' } } as const;

/** Coding agents, each with a vendor: the rules of egress and its sandbox go by whom it asks. */
const clients = {
  claude: { ...client, vendor: 'anthropic', window: 200_000 },
  codex: { ...client, vendor: 'openai', window: 200_000 },
  gemini: { ...client, vendor: 'google', window: 900_000 },
  opencode: { ...client, vendor: 'by-model' },
} as const satisfies Record<string, Traits & Required<Pick<Traits, 'vendor'>>>;

export const clientNames = Object.keys(clients) as ClientName[];
export type ClientName = keyof typeof clients;

const runners = {
  ...clients,
  command: {
    kind: 'program',
    needs: ['command', '[node, ./my-reviewer.mjs]'],
    file: { key: 'command' },
  },
  api: { kind: 'api', vendor: 'by-model', needs: ['model', 'anthropic/claude-sonnet-4-5'] },
  builtin: { kind: 'check', needs: ['analyser', 'secrets'] },
  replay: {
    kind: 'recording',
    needs: ['answers', './answers'],
    file: { key: 'answers', read: 'recorded answers' },
  },
  sarif: {
    kind: 'check',
    needs: ['answers', './answers'],
    file: { key: 'answers', read: 'the report' },
  },
} as const;

/** What finds by rules inside Jury. */
export const analyserNames = ['secrets', 'javascript', 'patterns', 'diff'] as const;

export const runnerNames = Object.keys(runners) as RunnerName[];
export type RunnerName = keyof typeof runners;

export function traitsOf(runner: string): Traits {
  return Object.hasOwn(runners, runner) ? runners[runner as RunnerName] : { kind: 'own' };
}

export function kindOf(runner: string): Kind {
  return traitsOf(runner).kind;
}

/**
 * Whose address a seat is asked at unless it names one; undefined: nobody knows. A coding agent is told one address, whatever its model
 * is called: one that is asked by any model (opencode) speaks the protocol of OpenAI.
 */
export function vendorOf({ runner, model }: SeatKind & Modelled) {
  const { kind, vendor } = traitsOf(runner);
  if (vendor !== 'by-model') return vendor;
  return kind === 'client' ? 'openai' : model?.split('/')[0];
}

/** Nobody is asked by it, so that it costs nothing and is told nothing. */
export function isFree(runner: string) {
  return ['check', 'recording'].includes(kindOf(runner));
}

export function startsProgram(runner: string) {
  return ['program', 'client'].includes(kindOf(runner));
}

/** Only these can have tools. */
export function asksModel(runner: string) {
  return ['client', 'api'].includes(kindOf(runner));
}

// The two kinds of seat: readers judge logic, checks find by rules. Only what readers did counts where silence says something.

interface SeatKind {
  readonly runner: string;
  readonly role?: 'check' | undefined;
}

/**
 * Of a seat, or of the review that came of it. A check is a built-in analyser, a program that is configured as one, or a
 * source that answered in SARIF, whose review says so.
 */
export function isReader({ runner, role }: SeatKind) {
  return kindOf(runner) !== 'check' && role !== 'check';
}

/** Those whose silence counts: the readers. Where none is seated the checks are all there is, and the outcome is theirs. */
export function voicesOf<Seat extends SeatKind>(panel: readonly Seat[]) {
  const readers = panel.filter(isReader);
  return readers.length > 0 ? readers : panel;
}

/** Readers that are asked about security by their persona. Where there is none, the questions of the others ask about it too. */
export function guardsOf<Seat extends SeatKind & { readonly persona: Pick<Persona, 'role'> }>(
  seats: readonly Seat[],
): readonly Seat[] {
  return seats.filter(seat => isReader(seat) && seat.persona.role === 'security');
}

// The vendor family a reviewer belongs to: two seats of one family make the same mistakes.

interface Modelled {
  readonly family?: string | undefined;
  readonly model?: string | undefined;
}

/** By a word of the model's name. */
const models: readonly (readonly [word: RegExp, family: string])[] = [
  [/claude|anthropic|\b(sonnet|opus|haiku)\b/, 'anthropic'],
  [/gpt|codex|openai|\bo[1-9]\b/, 'openai'],
  [/gemini|gemma|google/, 'google'],
  [/qwen/, 'qwen'],
  [/llama/, 'meta'],
  [/mistral|codestral|devstral/, 'mistral'],
  [/deepseek/, 'deepseek'],
  [/grok/, 'xai'],
  [/kimi/, 'moonshot'],
  [/glm/, 'zhipu'],
];

/**
 * As configured, else by the model's name, else by the runner; null when none of them tells. Static analysers have none: each
 * errs in its own way.
 */
export function familyOf({ family, model = '', runner }: SeatKind & Modelled) {
  // What serves a model says nothing about who made it.
  const name = model.toLowerCase().replace(/^openai-compatible\//, '');
  const { vendor = null } = traitsOf(runner);
  const usual = vendor === 'by-model' ? null : vendor;
  return family ?? modelFamily(name) ?? usual;
}

/** By the name alone, as findings from elsewhere give it. `arm#1` and `arm#2` are one arm asked twice, whoever made it. */
export function familyNamed(reviewer: string) {
  const name = reviewer.toLowerCase();
  const [, arm = null] = /^(.+)#\d+$/.exec(name) ?? [];
  return modelFamily(name) ?? arm;
}

function modelFamily(name: string) {
  return models.find(([word]) => word.test(name))?.[1];
}
