/** Builds what each reviewer is shown. Secrets are masked before anything leaves the house; reviewers of one selection share their prompt. */
import { selectFiles, type Pack } from '../core/context/pack.ts';
import type { Change, ChangedFile, Question, Subject } from '../core/change.ts';
import type { Document } from '../core/document/document.ts';
import type { Seat } from '../core/config.ts';
import { questionUnit } from '../core/coverage.ts';
import { mergeReadings } from '../core/merge-reviews.ts';
import { modes } from '../core/mode.ts';
import { renderPatch } from '../core/patch.ts';
import type { Plan } from '../core/plan.ts';
import type { SecretScanner } from '../core/ports.ts';
import { processOf } from '../core/process.ts';
import { renderContract } from '../core/prompt/contract.ts';
import { renderContext, type PromptContext } from '../core/prompt/context.ts';
import { renderEvidenceInstructions } from '../core/prompt/evidence.ts';
import { renderInstructions } from '../core/prompt/instructions.ts';
import { redact, type Placeholders } from '../core/redaction.ts';
import { packDocument } from './pack-document.ts';

export interface Packs {
  /** Everything the reviewer is shown. */
  packFor(seat: Seat): Pack;
  /** The same, one for each question: several where it does not fit one. Absent: there is one for everybody. */
  partsFor?(seat: Seat): readonly Pack[];
  /** Bytes a unit takes as it is shown. */
  bytesOf(unit: string): number;
  /** Secrets that were replaced by placeholders. */
  readonly masked: number;
}

/** `outputFolder`: where the agents' files lie; null before there is a run. */
export async function buildPacks(plan: Plan, subject: Subject, secrets: SecretScanner, outputFolder: string | null = null): Promise<Packs> {
  const instructionsFor = (seat: Seat): string => renderInstructionsFor(plan, seat, outputFolder);
  if (subject.kind === 'document') return packDocuments(plan, subject, secrets, instructionsFor);
  return subject.kind === 'change' ? packChange(plan, subject, secrets) : packQuestion(plan, subject, secrets, instructionsFor);
}

async function packDocuments(plan: Plan, document: Document, secrets: SecretScanner, instructionsFor: (seat: Seat) => string): Promise<Packs> {
  const mask = createMask(secrets);
  const parts = await packDocument({ plan, document, mask, instructionsFor });
  const sizes = new Map(document.files.map(({ path, bytes }) => [path, bytes]));
  const partsFor = (seat: Seat): readonly Pack[] => parts.get(seat.id) ?? [];
  return { packFor: seat => joinPacks(seat, partsFor(seat)), partsFor, bytesOf: unit => sizes.get(unit) ?? 0, masked: mask.count() };
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
  return { reviewer: seat.id, instructions: seat.persona.instructions, prompt: `${context}\n\n${renderInstructionsFor(plan, seat, null)}\n`, readings };
}

function commitsOf({ source, base, head }: Change): PromptContext['commits'] {
  return source === 'range' && base !== null && head !== null ? { base, head } : null;
}

async function packQuestion(plan: Plan, question: Question, secrets: SecretScanner, instructionsFor: (seat: Seat) => string): Promise<Packs> {
  const mask = createMask(secrets);
  const context = renderContext({
    mode: plan.mode, fence: plan.fence, description: null, plan: null, commits: null, files: [], notSent: [],
    prompt: await mask.apply(question.prompt, 'prompt'),
    context: await mask.applyTo(question.context),
  });
  const packs = new Map(plan.seats.map(seat => [seat.id, {
    reviewer: seat.id, instructions: seat.persona.instructions, prompt: `${context}\n\n${instructionsFor(seat)}\n`,
    readings: [{ path: questionUnit, extent: 'full' as const, why: null }],
  }]));
  return { packFor: seat => packOf(packs, seat), bytesOf: () => Buffer.byteLength(context), masked: mask.count() };
}

function renderInstructionsFor(plan: Plan, seat: Seat, outputFolder: string | null): string {
  const { contract } = processOf(plan.command);
  const scale = new Map(plan.labels);
  if (contract === 'research' || contract === 'ideas') return renderContract({ contract, agent: seat.id, outputFolder, writesFiles: writesFiles(seat) });
  const isProofAsked = plan.trust === 'untrusted' && plan.mode !== 'verification';
  if (isProofAsked) return renderEvidenceInstructions(modes[plan.mode].question, scale, plan.nonces[seat.id] ?? '');
  return contract === 'index' ? renderContract({ contract, agent: seat.id, outputFolder, writesFiles: writesFiles(seat) }) : renderInstructions(plan.mode, scale);
}

/** A model without tools cannot; of a program of the user's own nobody knows. */
function writesFiles({ runner }: Seat): boolean {
  return runner === 'command';
}

function joinPacks(seat: Seat, parts: readonly Pack[]): Pack {
  return { reviewer: seat.id, instructions: seat.persona.instructions, prompt: parts.map(({ prompt }) => prompt).join('\n\n'), readings: mergeReadings(parts.map(({ readings }) => readings)) };
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
