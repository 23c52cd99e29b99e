/** Builds what each reviewer is shown of a question: all of it, its background in as many parts as its prompts need. */
import type { Pack } from '../core/context/pack.ts';
import { readingOfTexts } from '../core/context/shown.ts';
import { promptBytes } from '../core/context/windows.ts';
import { contextNote, renderContext } from '../core/prompt/prompt.ts';
import { questionUnit } from '../core/verdict/coverage.ts';
import type { Question } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import { sliceDocument } from '../core/words/document.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Mask } from './mask-texts.ts';
import type { PackedParts } from './pack-document.ts';

interface QuestionPacking {
  readonly plan: Plan;
  readonly question: Question;
  readonly mask: Mask;
  /** The instruction block for a seat. */
  readonly instructionsFor: (seat: Seat) => string;
}

export async function packQuestion({
  plan,
  question,
  mask,
  instructionsFor,
}: QuestionPacking): Promise<PackedParts> {
  const asked = await mask.apply(question.prompt, 'prompt');
  const whole = await mask.applyTo(question.context);
  const packOf = (seat: Seat, context: string | null, notes: readonly string[] = []): Pack => {
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
    const prompt = `${[shown, ...notes, instructionsFor(seat)].join('\n\n')}\n`;
    return {
      reviewer: seat.id,
      instructions: seat.persona.instructions,
      prompt,
      readings: [readingOfTexts(prompt, questionUnit, [asked, (context ?? '').trim()])],
      ...(context !== null &&
        notes.length === 0 && { split: () => partsOf(seat, context, context.length / 2) }),
    };
  };
  const partsOf = (seat: Seat, context: string, room: number): readonly Pack[] =>
    sliceText(context, Math.ceil(room)).map(text => packOf(seat, text, [contextNote]));
  const partsFor = (seat: Seat): readonly Pack[] => {
    const { prompt: bare, instructions } = packOf(seat, null);
    const room = promptBytes(seat) - Buffer.byteLength(bare) - Buffer.byteLength(instructions);
    return whole === null || Buffer.byteLength(whole) <= room
      ? [packOf(seat, whole)]
      : partsOf(seat, whole, Math.max(leastPart, room - leastPart));
  };
  const bytes = Buffer.byteLength(asked) + Buffer.byteLength(whole ?? '');
  return { partsFor, withheldFrom: () => [], bytesOf: () => bytes };
}

/** Bytes of a part at least, and of what is said around it at most. */
const leastPart = 1_000;

/** At the ends of its sections, paragraphs or lines, as a document is. */
function sliceText(text: string, room: number): string[] {
  const file = { path: questionUnit, text, bytes: Buffer.byteLength(text), sections: [] };
  return sliceDocument({ files: [file] }, room).map(({ parts }) =>
    parts.map(part => part.text).join('\n'),
  );
}
