/**
 * Works out what each reviewer may spend and what it reads: whoever can be asked everything in one question is; to the others the
 * files are dealt, and their budgets grow as far as the cover wants it.
 */
import { remember } from '../../core/groups.ts';
import type { Cover, Limits, ProgressiveMode } from '../../core/context/budget.ts';
import {
  type Hand,
  type Reader,
  allotCover,
  isWithin,
  promptBytes,
  promptRoom,
  readsByWindow,
  windowOf,
} from '../../core/context/growth.ts';
import { isLockfile } from '../../core/languages/languages.ts';
import { isReader } from '../../core/words/runner.ts';
import { countWith, type Measured } from '../../core/context/review-plan.ts';
import {
  type NextStep,
  outOfBudget,
  outOfPrompt,
  outsideDomain,
  type Pack,
  type StepCandidate,
  type StepChoice,
  type StepFile,
  takeStep,
} from '../../core/context/pack.ts';
import type { Seat } from '../../core/words/config.ts';
import type { FileReading } from '../../core/words/review.ts';
import type { Packs, StepMaterial } from '../pack-change.ts';
import type { ReviewerLedger } from './token-ledgers.ts';

type Count = (text: string) => number;

interface Allotting {
  spenders: readonly Seat[];
  packs: Packs;
  measured: Measured;
  /** Null: nobody said. */
  cover: Cover | null;
  /** Readers of each file that is dealt; null: nobody said. */
  readers: number | null;
  limits: Limits;
}

/** Readers of each file that is dealt, where nobody says. */
const usualReaders = 2;

/** A ceiling that would not hold where every reader reads all of it leaves each file to one. */
export async function allotTokens(allotting: Allotting) {
  const { cover } = allotting;
  const chosen = await allotFor(cover, allotting);
  return cover !== null || chosen.isWithinLimits ? chosen : allotFor('once', allotting);
}

async function allotFor(
  cover: Cover | null,
  { spenders, packs, measured, readers: perFile, limits }: Allotting,
) {
  // Reviewers of one selection share their prompts but for a few lines.
  const count = remember(measured.counter.count);
  const countFor = (reviewer: string) => countWith(count, measured.factors[reviewer] ?? 1);
  // What a team has reviewers told must not take the room of what they review: it comes on top of
  // what the formula allows.
  const budgets = Object.fromEntries(
    spenders.map(seat => {
      const knowledge = packs.knowledgeOf?.(seat) ?? '';
      return [seat.id, (measured.budget.budgets[seat.id] ?? 0) + countFor(seat.id)(knowledge)];
    }),
  );
  const knowing = { packs, countFor, budgets };
  const wholes = wholesOf(spenders, { ...knowing, byWindow: readsByWindow(cover) });
  const isWhole = new Set(wholes.map(({ id }) => id));
  const seats = spenders.filter(({ id }) => !isWhole.has(id));
  const materials = await Promise.all(seats.map(seat => packs.materialFor(seat)));
  const readers = seats.map((seat, index) => readerOf(seat, materials[index] ?? [], knowing));
  const { granted, hands, estimate, ...covered } = allotCover({
    cover,
    perFile: perFile ?? usualReaders,
    wholes,
    readers,
    files: filesToDeal(materials.flat(), { spenders, packs, isWhole, count }),
  });
  return {
    budget: { ...measured.budget, granted, ...covered },
    /** Tokens set aside for the only question of a reviewer; those who are not in it are asked in several. */
    wholes: new Map(wholes.map(({ id, tokens }) => [id, tokens])),
    /** By reviewer that is asked in several questions: its files in the order in which it reads them. */
    hands,
    /** Tokens that a question of a reviewer may have for its model. */
    windowFor: (reviewer: string) =>
      promptRoom(readers.find(({ id }) => id === reviewer)?.window ?? null),
    /** For nobody in particular. */
    count,
    /** As the family of the reviewer counts. */
    countFor,
    isWithinLimits: isWithin(estimate, limits),
  };
}

interface Knowing {
  packs: Packs;
  countFor: (reviewer: string) => Count;
  budgets: Readonly<Record<string, number>>;
}

/** Those that take it in one question: by their window, where that is known and counts, else by their budget. */
function wholesOf(
  spenders: readonly Seat[],
  { packs, countFor, budgets, byWindow }: Knowing & { byWindow: boolean },
) {
  return spenders.flatMap(seat => {
    const whole = packs.wholeFor(seat);
    const budget = budgets[seat.id] ?? 0;
    if (!whole) return [];
    const tokens = tokensOf(whole, countFor(seat.id));
    const window = windowOf(seat);
    const most = byWindow && window !== null ? Infinity : budget;
    return tokens <= Math.min(most, promptRoom(window))
      ? [{ id: seat.id, budget, tokens, price: seat.price ?? null }]
      : [];
  });
}

function readerOf(
  seat: Seat,
  material: readonly StepMaterial[],
  { packs, countFor, budgets }: Knowing,
): Reader {
  const count = countFor(seat.id);
  const budget = budgets[seat.id] ?? 0;
  const sized = material.map(each => ({ path: each.path, tokens: count(each.patch) }));
  const step = (files: readonly StepFile[]) =>
    tokensOf(packs.stepFor(seat, { files, mode: 'full', isPart: true }), count);
  const frame = step([]);
  // As many of the first files as a question of the budget holds, at least one.
  let counted = 0;
  const end = sized.findIndex(file => (counted += file.tokens) > (budget - frame) / 2);
  const sample = end === -1 ? sized : sized.slice(0, Math.max(1, end));
  const alone = sample.reduce((sum, { tokens }) => sum + tokens, 0);
  const together = step(sample.map(({ path }) => ({ path, isReduced: false })));
  return {
    id: seat.id,
    budget,
    window: windowOf(seat),
    frame,
    ratio: alone === 0 ? 1 : Math.max(1, (together - frame) / alone),
    isSecurity: isReader(seat) && seat.persona.role === 'security',
    isHeard: packs.readBefore(seat).size > 0,
    files: new Set(material.map(({ path }) => path)),
    domain: new Set(ownOf(material).map(({ path }) => path)),
    price: seat.price ?? null,
  };
}

interface Dealing {
  spenders: readonly Seat[];
  packs: Packs;
  isWhole: ReadonlySet<string>;
  count: Count;
}

/** By counts that no later observation moves, so that a run that was killed is dealt the same again. */
function filesToDeal(
  materials: readonly StepMaterial[],
  { spenders, packs, isWhole, count }: Dealing,
): Parameters<typeof allotCover>[0]['files'] {
  const files = new Map(materials.map(material => [material.path, material]));
  const readers = spenders.map(seat => ({
    isSecurity: isReader(seat) && seat.persona.role === 'security',
    before: packs.readBefore(seat),
    // What it reads whole beside those who are dealt it.
    isWhole: isWhole.has(seat.id),
  }));
  return [...files.values()]
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ path, patch, isSensitive }) => ({
      path,
      tokens: tokensOfFile(path, patch, count),
      isSensitive,
      isSecured: readers.some(
        ({ isSecurity, isWhole: readsAll, before }) => isSecurity && (readsAll || before.has(path)),
      ),
      readings: readers.filter(({ before }) => before.has(path)).length,
      ...(isLockfile(path) && { most: 1 }),
    }));
}

function tokensOf({ instructions, prompt }: Pack, count: Count) {
  return count(instructions) + count(prompt);
}

// Gives a reviewer its questions one after the other when one prompt or one ledger does not hold the whole change.

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
  count: Count | null;
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
    : { left: Infinity, aim: Infinity };
}

/** What a reviewer is there for; who has nothing of its own to read is there for all there is. */
function ownOf(material: readonly StepMaterial[]) {
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

function sizeOf(path: string, text: string, measure: Count) {
  return { tokens: tokensOfFile(path, text, measure), bytes: Buffer.byteLength(text) };
}

/** The path stands in the list of files and in the header of the patch. Pieces count for no less than the whole they make. */
function tokensOfFile(path: string, text: string, count: Count) {
  return count(text) + count(`- ${path}\n`) + 2;
}

function bytesFor({ seat, packs, count }: StepSettings) {
  return promptBytes(seat, count !== null) - Buffer.byteLength(packs.knowledgeOf?.(seat) ?? '');
}

interface Proposing extends StepSettings {
  measure: Count;
  pending: readonly StepCandidate[];
  mode: ProgressiveMode;
  room: StepTokens;
}

function propose(proposing: Proposing) {
  const { seat, packs, window, measure, pending, mode, room } = proposing;
  const tokensFor = (files: readonly StepFile[]) =>
    tokensOf(packs.stepFor(seat, { files, mode, isPart: true }), measure);
  const frame = tokensFor([]);
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
  const step = aim <= window ? takeUpTo(end, take, tokensFor) : take(end);
  let files = step.files;
  const limit = () => (files.length > 1 ? Math.min(aim, left) : left);
  while (files.length > 0 && tokensFor(files) > limit()) files = files.slice(0, -1);
  return files.length === 0
    ? null
    : { files: [...files], mode, tokens: tokensFor(files), skipped: [...step.skipped] };
}

/**
 * Files count for less together than alone, or for more: what to ask for so that a step that is cut to size ends where it should
 * is tried.
 */
function takeUpTo(
  end: number,
  take: (tokens: number) => NextStep,
  tokensFor: (files: readonly StepFile[]) => number,
) {
  let best: NextStep | null = null;
  let [bestTokens, low, high, asked] = [0, 0, Infinity, end];
  for (let round = 0; round < mostRounds; round++) {
    const next = take(asked);
    const tokens = tokensFor(next.files);
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
