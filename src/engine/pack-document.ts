/** Builds what each reviewer is shown of a document: all of it, in as many slices as its prompts need. */
import { openEgress, withoutFiles } from '../core/context/egress.ts';
import { type Document, renderSlice, type Slice, sliceDocument } from '../core/words/document.ts';
import type { Seat } from '../core/words/config.ts';
import type { FileReading } from '../core/words/review.ts';
import type { Pack } from '../core/context/pack.ts';
import { promptBytes } from '../core/context/windows.ts';
import { readingOfTexts } from '../core/context/shown.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Mask } from './mask-texts.ts';

interface DocumentPacking {
  readonly plan: Plan;
  readonly document: Document;
  readonly mask: Mask;
  /** The instruction block for a seat. */
  readonly instructionsFor: (seat: Seat) => string;
}

/** A subject that is no change, as each reviewer is shown it. */
export interface PackedParts {
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

export async function packDocument({
  plan,
  document: whole,
  mask,
  instructionsFor,
}: DocumentPacking): Promise<PackedParts> {
  const { refusalFor } = openEgress(plan.egress);
  const withheldFrom = (seat: Seat): FileReading[] =>
    whole.files.flatMap((file): FileReading[] => {
      const why = refusalFor(seat.id, file);
      return why === null ? [] : [{ path: file.path, extent: 'skipped', why }];
    });
  const sizes = new Map(whole.files.map(({ path, bytes }) => [path, bytes]));
  const sliced = new Map<string, readonly Slice[]>();
  const parts = new Map<string, readonly Pack[]>();
  const description = await mask.applyTo(plan.description);
  for (const seat of plan.seats) {
    const limit = limitOf(seat);
    const withheld = withheldFrom(seat);
    const document = withoutFiles(whole, file => refusalFor(seat.id, file) !== null);
    const key = JSON.stringify([limit, withheld.map(({ path }) => path)]);
    const slices = sliced.get(key) ?? (await maskSlices(sliceDocument(document, limit), mask));
    sliced.set(key, slices);
    const packs = slices.slice(0, mostSlices).map((slice, index): Pack => {
      const prompt = `${renderSlice({ document, parts: slice.parts, number: index + 1, total: slices.length, description, fence: plan.fence })}\n\n${instructionsFor(seat)}\n`;
      return {
        reviewer: seat.id,
        instructions: seat.persona.instructions,
        prompt,
        readings: [...readingsOf(document, slices, index, prompt), ...withheld],
      };
    });
    parts.set(seat.id, packs);
  }
  return {
    withheldFrom,
    partsFor: ({ id }) => parts.get(id) ?? [],
    bytesOf: unit => sizes.get(unit) ?? 0,
  };
}

function limitOf(seat: Seat): number {
  const own = promptBytes(seat) - overhead;
  return Math.max(
    1_000,
    seat.maxPromptBytes === undefined ? Math.min(defaultSliceBytes, own) : own,
  );
}

async function maskSlices(slices: readonly Slice[], mask: Mask): Promise<Slice[]> {
  const masked: Slice[] = [];
  for (const slice of slices) {
    const parts = [];
    for (const part of slice.parts)
      parts.push({ ...part, text: await mask.apply(part.text, part.path) });
    masked.push({ ...slice, parts });
  }
  return masked;
}

/** What one slice holds of each file; the slices together decide whether all of it was read. */
function readingsOf(
  document: Document,
  slices: readonly Slice[],
  index: number,
  prompt: string,
): Pack['readings'] {
  const parts = slices[index]?.parts ?? [];
  const here = new Set(parts.map(({ path }) => path));
  const unsent = new Set(
    slices.slice(mostSlices).flatMap(({ parts }) => parts.map(({ path }) => path)),
  );
  const isLast = index === Math.min(slices.length, mostSlices) - 1;
  return document.files.map(({ path }) => {
    if (unsent.has(path) && (here.has(path) || isLast))
      return {
        path,
        extent: here.has(path) ? ('partial' as const) : ('skipped' as const),
        why: `only the first ${mostSlices} parts of the document were sent`,
      };
    if (!here.has(path))
      return { path, extent: 'outside' as const, why: 'in another part of the document' };
    const texts = parts.filter(part => part.path === path).map(({ text }) => text);
    return readingOfTexts(prompt, path, texts);
  });
}
