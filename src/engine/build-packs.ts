/** Builds what each reviewer is shown. Secrets are masked before anything is sent; reviewers of one selection share their prompt. */
import { type Pack, readingOfTexts } from '../core/context/pack.ts';
import {
  type Document,
  type Question,
  type Subject,
  renderSlice,
  sliceDocument,
} from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import { remember } from '../core/groups.ts';
import { kindOf } from '../core/words/runner.ts';
import { mergeReadings } from '../answers/index.ts';
import { modes } from '../core/words/mode.ts';
import type { Plan } from '../core/words/plan.ts';
import type { SecretScanner } from '../core/ports/repository.ts';
import { processOf } from '../core/process.ts';
import {
  contextNote,
  renderContext,
  renderContract,
  renderEvidenceInstructions,
  renderInstructions,
} from '../core/prompt/prompt.ts';
import { noContext, type PackOptions } from './context/pack-review-context.ts';
import { createMask, type Mask } from './mask-texts.ts';
import { nothingRead, packChange, type Packs } from './pack-change.ts';
import { promptBytes } from '../core/context/growth.ts';
import { questionUnit } from '../core/verdict/coverage.ts';
import { openEgress, withoutFiles } from '../core/context/egress.ts';
import type { FileReading } from '../core/words/review.ts';

export async function buildPacks(
  plan: Plan,
  subject: Subject,
  secrets: SecretScanner,
  {
    outputFolder = null,
    around = noContext,
    readBefore = new Map(),
    since = new Map(),
  }: PackOptions = {},
): Promise<Packs> {
  const mask = createMask(secrets);
  const instructionsFor = (seat: Seat) =>
    renderInstructionsFor(plan, seat, subject.kind === 'change' ? null : outputFolder);
  if (subject.kind === 'change')
    return packChange({ plan, change: subject, instructionsFor, around, readBefore, since }, mask);
  const packOf: Packing['packOf'] = (seat, told, readingsIn) => {
    const prompt = `${[...told, instructionsFor(seat)].join('\n\n')}\n`;
    const { instructions } = seat.persona;
    return { reviewer: seat.id, instructions, prompt, readings: readingsIn(prompt) };
  };
  const packing = { plan, mask, packOf };
  const { partsFor, withheldFrom, bytesOf } = await (subject.kind === 'document'
    ? packDocument(subject, packing)
    : packQuestion(subject, packing));
  const joined = (seat: Seat): Pack => joinPacks(seat, partsFor(seat));
  // Nothing of these is left out and nothing is cut again.
  return {
    partsFor,
    bytesOf,
    wholeFor: joined,
    stepFor: joined,
    filesFor: () => [],
    readBefore: () => nothingRead,
    materialFor: async () => [],
    readingsFor: seat => (partsFor(seat).length > 0 ? joined(seat).readings : withheldFrom(seat)),
    masked: mask.count(),
    secrets: [],
  };
}

function renderInstructionsFor(plan: Plan, seat: Seat, outputFolder: string | null) {
  const { contract } = processOf(plan.command);
  const scale = new Map(plan.labels);
  const isProofAsked = plan.trust === 'untrusted' && plan.mode !== 'verification';
  // A model without tools writes no files; of a program of the user's own nobody knows.
  const writesFiles = kindOf(seat.runner) === 'program';
  if (contract !== 'lines' && !(contract === 'index' && isProofAsked))
    return renderContract({ contract, agent: seat.id, outputFolder, writesFiles });
  return isProofAsked
    ? renderEvidenceInstructions(modes[plan.mode].question, scale, plan.nonces[seat.id] ?? '')
    : renderInstructions(plan.mode, scale);
}

function joinPacks(seat: Seat, parts: readonly Pack[]): Pack {
  return {
    reviewer: seat.id,
    instructions: seat.persona.instructions,
    prompt: parts.map(({ prompt }) => prompt).join('\n\n'),
    readings: mergeReadings(parts.map(({ readings }) => readings)),
  };
}

// Builds what each reviewer is shown of a question: all of it, its background in as many parts as its prompts need.

interface Packing {
  plan: Plan;
  mask: Mask;
  /** `readingsIn`: what the reviewer reads where it is asked this. */
  packOf: (
    seat: Seat,
    told: readonly string[],
    readingsIn: (prompt: string) => Pack['readings'],
  ) => Pack;
}

async function packQuestion(
  question: Question,
  { plan, mask, packOf }: Packing,
): Promise<PackedParts> {
  const asked = await mask.apply(question.prompt, 'prompt');
  const whole = await mask.applyTo(question.context);
  const packPart = (seat: Seat, context: string | null, notes: string[] = []): Pack => {
    const shown = renderContext({
      mode: plan.mode,
      fence: plan.fence,
      description: null,
      plan: null,
      commits: null,
      files: [],
      notSent: [],
      prompt: asked,
      context,
    });
    const texts = [asked, (context ?? '').trim()];
    return {
      ...packOf(seat, [shown, ...notes], prompt => [readingOfTexts(prompt, questionUnit, texts)]),
      ...(context !== null &&
        notes.length === 0 && { split: () => partsOf(seat, context, context.length / 2) }),
    };
  };
  const partsOf = (seat: Seat, context: string, room: number): Pack[] =>
    sliceText(context, Math.ceil(room)).map(text => packPart(seat, text, [contextNote]));
  const partsFor = (seat: Seat): Pack[] => {
    const { prompt: bare, instructions } = packPart(seat, null);
    const room = promptBytes(seat) - Buffer.byteLength(bare) - Buffer.byteLength(instructions);
    return whole === null || Buffer.byteLength(whole) <= room
      ? [packPart(seat, whole)]
      : partsOf(seat, whole, Math.max(leastPart, room - leastPart));
  };
  const bytes = Buffer.byteLength(asked) + Buffer.byteLength(whole ?? '');
  return { partsFor, withheldFrom: () => [], bytesOf: () => bytes };
}

/** Bytes of a part at least, and of what is said around it at most. */
const leastPart = 1_000;

/** At the ends of its sections, paragraphs or lines, as a document is. */
function sliceText(text: string, room: number) {
  const file = { path: questionUnit, text, bytes: Buffer.byteLength(text), sections: [] };
  return sliceDocument({ files: [file] }, room).map(({ parts }) =>
    parts.map(part => part.text).join('\n'),
  );
}

// Builds what each reviewer is shown of a document: all of it, in as many slices as its prompts need.

/** A subject that is no change, as each reviewer is shown it. */
interface PackedParts {
  /** One pack for each question; none for a reviewer that may be shown nothing of it. */
  readonly partsFor: (seat: Seat) => readonly Pack[];
  /** What a rule keeps from the reviewer. */
  readonly withheldFrom: (seat: Seat) => readonly FileReading[];
  readonly bytesOf: (unit: string) => number;
}

/** Bytes of a slice where the reviewer sets no limit: long prompts are read worse than short ones. */
const defaultSliceBytes = 160_000;

/** What stands around the text in a prompt: instructions, names, the persona. */
const overhead = 8_000;

/** Parts of a document a reviewer is asked about, at most; the rest counts as skipped. */
const mostSlices = 64;

async function packDocument(
  whole: Document,
  { plan, mask, packOf }: Packing,
): Promise<PackedParts> {
  const { refusalFor } = openEgress(plan.egress);
  const withheldFrom = (seat: Seat): FileReading[] =>
    whole.files.flatMap((file): FileReading | [] => {
      const why = refusalFor(seat.id, file);
      return why === null ? [] : { path: file.path, extent: 'skipped', why };
    });
  const sizes = new Map(whole.files.map(({ path, bytes }) => [path, bytes]));
  const description = await mask.applyTo(plan.description);
  const masked: Document = { ...whole, files: [] };
  for (const file of whole.files) {
    const text = await mask.apply(file.text, file.path);
    masked.files.push({ ...file, text, bytes: Buffer.byteLength(text) });
  }
  const partsFor = remember((seat: Seat) => {
    const document = withoutFiles(masked, file => refusalFor(seat.id, file) !== null);
    const slices = sliceDocument(document, limitOf(seat));
    return slices.slice(0, mostSlices).map(({ parts }, index) => {
      const told = renderSlice({
        document,
        parts,
        number: index + 1,
        total: slices.length,
        description,
        fence: plan.fence,
      });
      return packOf(seat, [told], prompt => [
        ...readingsOf(document, slices, index, prompt),
        ...withheldFrom(seat),
      ]);
    });
  });
  return { withheldFrom, partsFor, bytesOf: unit => sizes.get(unit) ?? 0 };
}

function limitOf(seat: Seat) {
  const own = promptBytes(seat) - overhead;
  return Math.max(
    1_000,
    seat.maxPromptBytes === undefined ? Math.min(defaultSliceBytes, own) : own,
  );
}

/** What one slice holds of each file; the slices together decide whether all of it was read. */
function readingsOf(
  document: Document,
  slices: ReturnType<typeof sliceDocument>,
  index: number,
  prompt: string,
): Pack['readings'] {
  const parts = slices[index]?.parts ?? [];
  const unsent = new Set(
    slices.slice(mostSlices).flatMap(({ parts }) => parts.map(({ path }) => path)),
  );
  const isLast = index === Math.min(slices.length, mostSlices) - 1;
  return document.files.map(({ path }): FileReading => {
    const texts = parts.filter(part => part.path === path).map(({ text }) => text);
    const isHere = texts.length > 0;
    if (unsent.has(path) && (isHere || isLast))
      return {
        path,
        extent: isHere ? 'partial' : 'skipped',
        why: `only the first ${mostSlices} parts of the document were sent`,
      };
    return isHere
      ? readingOfTexts(prompt, path, texts)
      : { path, extent: 'outside', why: 'in another part of the document' };
  });
}
