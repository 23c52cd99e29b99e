/** Builds what each reviewer is shown. Secrets are masked before anything is sent; reviewers of one selection share their prompt. */
import { type Pack } from '../core/context/pack.ts';
import type { Subject } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import { kindOf } from '../core/words/runner.ts';
import { mergeReadings } from '../answers/index.ts';
import { modes } from '../core/words/mode.ts';
import type { Plan } from '../core/words/plan.ts';
import type { SecretScanner } from '../core/ports/secret-scanner.ts';
import { processOf } from '../core/process.ts';
import {
  renderContract,
  renderEvidenceInstructions,
  renderInstructions,
} from '../core/prompt/prompt.ts';
import { noContext } from './context/pack-review-context.ts';
import { createMask } from './mask-texts.ts';
import { packDocument } from './pack-document.ts';
import { packQuestion } from './pack-question.ts';
import { nothingRead, packChange, type PackOptions, type Packs } from './pack-change.ts';

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
  const instructionsFor = (seat: Seat): string =>
    renderInstructionsFor(plan, seat, subject.kind === 'change' ? null : outputFolder);
  if (subject.kind === 'change')
    return packChange({ plan, change: subject, instructionsFor, around, readBefore, since }, mask);
  const { partsFor, withheldFrom, bytesOf } = await (subject.kind === 'document'
    ? packDocument({ plan, document: subject, mask, instructionsFor })
    : packQuestion({ plan, question: subject, mask, instructionsFor }));
  const joined = (seat: Seat): Pack => joinPacks(seat, partsFor(seat));
  // Nothing of these is left out and nothing is cut again.
  return {
    partsFor,
    bytesOf,
    wholeFor: joined,
    stepFor: joined,
    filesFor: () => [],
    readBefore: () => nothingRead,
    materialFor: () => Promise.resolve([]),
    readingsFor: seat => (partsFor(seat).length > 0 ? joined(seat).readings : withheldFrom(seat)),
    masked: mask.count(),
    secrets: [],
  };
}

function renderInstructionsFor(plan: Plan, seat: Seat, outputFolder: string | null): string {
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
