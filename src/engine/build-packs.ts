/** Builds what each reviewer is shown. Secrets are masked before anything leaves the house; reviewers of one selection share their prompt. */
import { selectFiles, type Pack } from '../core/context/pack.ts';
import type { Change, ChangedFile, Question, Subject } from '../core/change.ts';
import type { Seat } from '../core/config.ts';
import { questionUnit } from '../core/coverage.ts';
import { modes } from '../core/mode.ts';
import { renderPatch } from '../core/patch.ts';
import type { Plan } from '../core/plan.ts';
import type { SecretScanner } from '../core/ports.ts';
import { renderContext, type PromptContext } from '../core/prompt/context.ts';
import { renderEvidenceInstructions } from '../core/prompt/evidence.ts';
import { renderInstructions } from '../core/prompt/instructions.ts';
import { redact, type Placeholders } from '../core/redaction.ts';

export interface Packs {
  packFor(seat: Seat): Pack;
  /** Bytes a unit takes as it is shown. */
  bytesOf(unit: string): number;
  /** Secrets that were replaced by placeholders. */
  readonly masked: number;
}

export async function buildPacks(plan: Plan, subject: Subject, secrets: SecretScanner): Promise<Packs> {
  return subject.kind === 'change' ? packChange(plan, subject, secrets) : packQuestion(plan, subject, secrets);
}

async function packChange(plan: Plan, change: Change, secrets: SecretScanner): Promise<Packs> {
  const mask = createMask(secrets);
  const patches = new Map<string, string>();
  for (const file of change.files) patches.set(file.path, await mask.apply(renderPatch(file), file.path));
  const shared = { plan: await mask.applyTo(plan.requirements), description: await mask.applyTo(plan.description), prompt: await mask.applyTo(plan.prompt), context: await mask.applyTo(plan.context) };
  const sizes = new Map([...patches].map(([path, patch]) => [path, Buffer.byteLength(patch)]));
  const packs = new Map(plan.seats.map(seat => [seat.id, packFiles({ plan, change, seat, patches, sizes, shared })]));
  return { packFor: seat => packOf(packs, seat), bytesOf: unit => sizes.get(unit) ?? 0, masked: mask.count() };
}

interface FilePacking {
  readonly plan: Plan;
  readonly change: Change;
  readonly seat: Seat;
  readonly patches: ReadonlyMap<string, string>;
  readonly sizes: ReadonlyMap<string, number>;
  readonly shared: Pick<PromptContext, 'plan' | 'description' | 'prompt' | 'context'>;
}

function packFiles({ plan, change, seat, patches, sizes, shared }: FilePacking): Pack {
  const { shown, readings } = selectFiles(change, seat, file => sizes.get(file.path) ?? 0);
  const context = renderContext({
    ...shared,
    mode: plan.mode,
    fence: plan.fence,
    commits: commitsOf(change),
    files: shown.map(({ path }: ChangedFile) => ({ path, patch: patches.get(path) ?? '' })),
    notSent: readings.filter(({ extent }) => extent === 'skipped').map(({ path, why }) => ({ path, why: why ?? '' })),
  });
  return { reviewer: seat.id, instructions: seat.persona.instructions, prompt: withInstructions(plan, seat, context), readings };
}

function commitsOf({ source, base, head }: Change): PromptContext['commits'] {
  return source === 'range' && base !== null && head !== null ? { base, head } : null;
}

async function packQuestion(plan: Plan, question: Question, secrets: SecretScanner): Promise<Packs> {
  const mask = createMask(secrets);
  const context = renderContext({
    mode: plan.mode, fence: plan.fence, description: null, plan: null, commits: null, files: [], notSent: [],
    prompt: await mask.apply(question.prompt, 'prompt'),
    context: await mask.applyTo(question.context),
  });
  const packs = new Map(plan.seats.map(seat => [seat.id, {
    reviewer: seat.id, instructions: seat.persona.instructions, prompt: withInstructions(plan, seat, context),
    readings: [{ path: questionUnit, extent: 'full' as const, why: null }],
  }]));
  return { packFor: seat => packOf(packs, seat), bytesOf: () => Buffer.byteLength(context), masked: mask.count() };
}

function withInstructions(plan: Plan, seat: Seat, context: string): string {
  const scale = new Map(plan.labels);
  const isProofAsked = plan.trust === 'untrusted' && plan.mode !== 'verification';
  return `${context}\n\n${isProofAsked ? renderEvidenceInstructions(modes[plan.mode].question, scale, plan.nonces[seat.id] ?? '') : renderInstructions(plan.mode, scale)}\n`;
}

function packOf(packs: ReadonlyMap<string, Pack>, seat: Seat): Pack {
  const pack = packs.get(seat.id);
  if (!pack) throw new Error(`No pack was built for ${seat.id}.`);
  return pack;
}

interface Mask {
  apply(text: string, path: string): Promise<string>;
  applyTo(text: string | null): Promise<string | null>;
  count(): number;
}

/** Numbers its placeholders across all texts: the same secret is the same placeholder everywhere. */
function createMask(secrets: SecretScanner): Mask {
  let known: Placeholders = new Map();
  const apply = async (text: string, path: string): Promise<string> => {
    const redaction = redact(text, await secrets.scan(text, path), known);
    known = redaction.placeholders;
    return redaction.text;
  };
  return { apply, applyTo: async text => (text === null ? null : apply(text, 'text')), count: () => known.size };
}
