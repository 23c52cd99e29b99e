/** Gives a reviewer its questions one after the other when one prompt or one ledger does not hold the whole change. */
import {
  defaultMaxPromptBytes,
  outOfBudget,
  type Pack,
  type StepCandidate,
  type StepChoice,
  type StepFile,
  takeStep,
} from '../../core/context/pack.ts';
import type { ProgressiveMode } from '../../core/context/progressive-mode.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Packs, StepMaterial } from '../build-packs.ts';

export interface StepSource {
  /** The next question that takes no more than `left` tokens; null when nothing that is pending fits. Changes nothing. */
  propose(mode: ProgressiveMode, left: number): StepChoice | null;
  /** Takes the files of a choice, or of one that was made before a crash, out of what is pending. */
  take(choice: StepChoice): Pack;
  /** Paths that were not asked about, each with the reason known so far. */
  left(): readonly { readonly path: string; readonly why: string }[];
}

export interface StepSettings {
  readonly seat: Seat;
  readonly packs: Packs;
  /** Null: nobody has a budget, only the size of the prompt counts. */
  readonly count: ((text: string) => number) | null;
  /** Paths in the order in which this reviewer reads them; what is not named comes last. Absent: what matters most first. */
  readonly order?: readonly string[];
  /** Tokens of a whole question that are worth asking at once; the same for all reviewers, so that they share their prompts. */
  readonly most: number;
}

export async function openSteps(settings: StepSettings): Promise<StepSource> {
  const { seat, packs, count, order = [] } = settings;
  const measure = count ?? (() => 0);
  const places = new Map(order.map((path, index) => [path, index]));
  const placeOf = ({ path }: StepMaterial): number => places.get(path) ?? order.length;
  const material = (await packs.materialFor(seat)).toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  );
  let pending: readonly StepCandidate[] = material.map(({ path, patch, reduced }) => ({
    path,
    ...sizeOf(path, patch, measure),
    reduced: reduced === null ? null : sizeOf(path, reduced, measure),
  }));
  const skipped = new Map<string, string>();
  return {
    propose: (mode, left) => propose({ ...settings, measure, pending, mode, left }),
    take({ files, skipped: given, mode }) {
      for (const { path, why } of given) skipped.set(path, why);
      const gone = new Set([...files, ...given].map(({ path }) => path));
      pending = pending.filter(({ path }) => !gone.has(path));
      return packs.stepFor(seat, { files, mode, isPart: true });
    },
    left: () => [
      ...[...skipped].map(([path, why]) => ({ path, why })),
      ...pending.map(({ path }) => ({ path, why: outOfBudget })),
    ],
  };
}

/** The path stands in the list of files and in the header of the patch. Pieces count for no less than the whole they make. */
function sizeOf(
  path: string,
  text: string,
  measure: (text: string) => number,
): { readonly tokens: number; readonly bytes: number } {
  return { tokens: measure(text) + measure(`- ${path}\n`) + 2, bytes: Buffer.byteLength(text) };
}

interface Proposing extends StepSettings {
  readonly measure: (text: string) => number;
  readonly pending: readonly StepCandidate[];
  readonly mode: ProgressiveMode;
  readonly left: number;
}

function propose({
  seat,
  packs,
  most,
  measure,
  pending,
  mode,
  left,
}: Proposing): StepChoice | null {
  const tokensOf = (files: readonly StepFile[]): number => {
    const { instructions, prompt } = packs.stepFor(seat, { files, mode, isPart: true });
    return measure(instructions) + measure(prompt);
  };
  const frame = tokensOf([]);
  const room = {
    tokens: Math.min(most, left) - frame,
    left: left - frame,
    bytes: seat.maxPromptBytes ?? defaultMaxPromptBytes,
  };
  if (room.left <= 0) return null;
  const step = takeStep(pending, room);
  let files = step.files;
  // Counting is not quite additive; the prompt as it is sent decides.
  while (files.length > 0 && tokensOf(files) > left) files = files.slice(0, -1);
  return files.length === 0
    ? null
    : { files: [...files], mode, tokens: tokensOf(files), skipped: [...step.skipped] };
}
