/** Gives a reviewer its questions one after the other when one prompt or one ledger does not hold the whole change. */
import { type Hand, defaultMaxPromptBytes, promptBytes } from '../../core/context/growth.ts';
import {
  type NextStep,
  outOfBudget,
  outOfPrompt,
  outsideDomain,
  type StepCandidate,
  type StepChoice,
  type StepFile,
  takeStep,
} from '../../core/context/pack.ts';
import type { ProgressiveMode } from '../../core/context/budget.ts';
import type { Seat } from '../../core/words/config.ts';
import type { FileReading } from '../../core/words/review.ts';
import type { Packs, StepMaterial } from '../pack-change.ts';
import type { ReviewerLedger } from './token-ledgers.ts';

export type StepSource = Awaited<ReturnType<typeof openSteps>>;

const dealtToOthers = 'dealt to other reviewers';

interface StepTokens {
  /** That a question may take. */
  left: number;
  /** With which it ends where the mode changes. */
  aim: number;
}

interface StepSettings {
  seat: Seat;
  packs: Packs;
  /** Null: nobody has a budget, only the size of the prompt counts. */
  count: ((text: string) => number) | null;
  /** What this reviewer reads, in its order. Absent: everything, what matters most first. */
  hand?: Hand;
  /** Tokens of a whole question that the model takes. */
  window: number;
}

export async function openSteps(settings: StepSettings) {
  const { seat, packs, count, hand } = settings;
  const measure = count ?? (() => 0);
  const material = await packs.materialFor(seat);
  const dealt = handOf(material, hand);
  let pending: readonly StepCandidate[] = dealt.map(({ turn, path, patch, reduced }) => ({
    path,
    ...sizeOf(path, patch, measure),
    reduced: reduced === null ? null : sizeOf(path, reduced, measure),
    turn,
  }));
  const own = new Set(ownOf(dealt).map(({ path }) => path));
  const held = new Set(dealt.map(({ path }) => path));
  const asked = new Set<string>();
  const skipped = new Map<string, string>();
  const whyLeft = (path: string) => {
    const known = pending.find(candidate => candidate.path === path);
    const isTooLarge =
      known !== undefined &&
      Math.min(known.bytes, known.reduced?.bytes ?? known.bytes) > bytesFor(settings);
    return skipped.get(path) ?? (isTooLarge ? outOfPrompt : outOfBudget);
  };
  return {
    /** The next question that takes no more than there is room for; null when nothing that is pending fits. Changes nothing. */
    propose: (mode: ProgressiveMode, room: StepTokens) =>
      propose({ ...settings, measure, pending, mode, room }),
    /** Takes the files of a choice, or of one that was made before a crash, out of what is pending. */
    take({ files, skipped: given, mode }: StepChoice) {
      // What does not fit the budget now may fit it when others have left some of theirs.
      const gone = given.filter(({ why }) => why !== outOfBudget);
      for (const { path, why } of gone) skipped.set(path, why);
      for (const { path } of files) asked.add(path);
      const paths = new Set([...files, ...gone].map(({ path }) => path));
      pending = pending.filter(({ path }) => !paths.has(path));
      return packs.stepFor(seat, { files, mode, isPart: true });
    },
    /** Is there a file of its domain that was not asked about and might be, had it more tokens? */
    isWanting: () => pending.some(({ path }) => own.has(path)),
    /**
     * Paths that were not asked about, each with the reason known so far. `outside`: not in the domain of the reviewer, or dealt to
     * others.
     */
    left: (): readonly FileReading[] =>
      material
        .filter(({ path }) => !asked.has(path))
        .map(({ path }) =>
          own.has(path)
            ? { path, extent: 'skipped', why: whyLeft(path) }
            : {
                path,
                extent: 'outside',
                why: held.has(path) ? outsideDomain : dealtToOthers,
              },
        ),
  };
}

/** What a ledger leaves for the next question. */
export function stepRoom(ledger: ReviewerLedger | null, mode: ProgressiveMode): StepTokens {
  return ledger
    ? { left: ledger.room(), aim: ledger.aim(mode) }
    : { left: Number.POSITIVE_INFINITY, aim: Number.POSITIVE_INFINITY };
}

/** What a reviewer is there for; who has nothing of its own to read is there for all there is. */
export function ownOf(material: readonly StepMaterial[]): readonly StepMaterial[] {
  const own = material.filter(({ isOwn }) => isOwn);
  return own.length > 0 ? own : material;
}

function handOf(material: readonly StepMaterial[], hand: StepSettings['hand']) {
  if (!hand) return material.map(each => ({ ...each, turn: 0 }));
  const known = new Map(material.map(each => [each.path, each]));
  return hand.flatMap(({ path, turn }) => {
    const each = known.get(path);
    return each ? [{ ...each, turn }] : [];
  });
}

/** The path stands in the list of files and in the header of the patch. Pieces count for no less than the whole they make. */
function sizeOf(path: string, text: string, measure: (text: string) => number) {
  return { tokens: measure(text) + measure(`- ${path}\n`) + 2, bytes: Buffer.byteLength(text) };
}

function bytesFor({ seat, packs, count }: StepSettings) {
  const most = count ? (seat.maxPromptBytes ?? defaultMaxPromptBytes) : promptBytes(seat);
  return most - Buffer.byteLength(packs.knowledgeOf?.(seat) ?? '');
}

interface Proposing extends StepSettings {
  measure: (text: string) => number;
  pending: readonly StepCandidate[];
  mode: ProgressiveMode;
  room: StepTokens;
}

function propose(proposing: Proposing) {
  const { seat, packs, window, measure, pending, mode, room } = proposing;
  const tokensOf = (files: readonly StepFile[]) => {
    const { instructions, prompt } = packs.stepFor(seat, { files, mode, isPart: true });
    return measure(instructions) + measure(prompt);
  };
  const frame = tokensOf([]);
  const left = Math.min(room.left, window);
  if (left - frame <= 0) return null;
  // Where the band behind the aim holds no question, what is in it goes into this one.
  const least = Math.min(...pending.map(({ tokens }) => tokens));
  const aim = room.left - room.aim >= frame + least ? room.aim : room.left;
  const end = Math.min(aim, left);
  const take = (tokens: number) =>
    takeStep(pending, {
      tokens: tokens - frame,
      left: left - frame,
      bytes: bytesFor(proposing),
      isCut: aim <= window,
    });
  // Counting is not quite additive; the prompt as it is sent decides.
  const step = aim <= window ? takeUpTo(end, take, tokensOf) : take(end);
  let files = step.files;
  const limit = () => (files.length > 1 ? Math.min(aim, left) : left);
  while (files.length > 0 && tokensOf(files) > limit()) files = files.slice(0, -1);
  return files.length === 0
    ? null
    : { files: [...files], mode, tokens: tokensOf(files), skipped: [...step.skipped] };
}

/**
 * Files count for less together than alone, or for more: what to ask for so that a step that is cut to size ends where it should
 * is tried.
 */
function takeUpTo(
  end: number,
  take: (tokens: number) => NextStep,
  tokensOf: (files: readonly StepFile[]) => number,
) {
  let best: NextStep | null = null;
  let [bestTokens, low, high, asked] = [0, 0, Number.POSITIVE_INFINITY, end];
  for (let round = 0; round < mostRounds; round++) {
    const next = take(asked);
    const tokens = tokensOf(next.files);
    if (tokens > end) high = asked;
    else low = asked;
    if (tokens <= end && (!best || tokens > bestTokens)) [best, bestTokens] = [next, tokens];
    if (tokens === end || next.files.length === 0) break;
    const nearer = asked + end - tokens;
    asked = nearer > low && nearer < high ? nearer : Math.floor((low + Math.min(high, end)) / 2);
    if (asked <= low || asked >= high) break;
  }
  return best ?? take(end);
}

const mostRounds = 6;
