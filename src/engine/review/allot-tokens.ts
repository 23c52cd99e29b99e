/**
 * Works out what each reviewer may spend and what it reads: whoever can be asked everything in one question is; to the others the
 * files are dealt, and their budgets grow as far as the cover wants it.
 */
import { remember } from '../../core/groups.ts';
import { type Cover, firstAnswer, type Limits } from '../../core/context/budget.ts';
import {
  type Reader,
  allotCover,
  isWithin,
  promptRoom,
  readsByWindow,
  windowOf,
} from '../../core/context/growth.ts';
import { isLockfile } from '../../core/languages/languages.ts';
import { isReader } from '../../core/words/reader.ts';
import { countWith, type Measured } from '../../core/context/review-plan.ts';
import type { Pack, StepFile } from '../../core/context/pack.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Packs, StepMaterial } from '../pack-change.ts';
import { ownOf } from './step-source.ts';

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
  const budgets = withKnowledge(spenders, { packs, countFor, budgets: measured.budget.budgets });
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

/** What a team has reviewers told must not take the room of what they review: it comes on top of what the formula allows. */
function withKnowledge(spenders: readonly Seat[], { packs, countFor, budgets }: Knowing) {
  return Object.fromEntries(
    spenders.map(seat => {
      const knowledge = packs.knowledgeOf?.(seat) ?? '';
      const own = budgets[seat.id] ?? 0;
      return [seat.id, knowledge === '' ? own : own + countFor(seat.id)(knowledge)];
    }),
  );
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
    const most = byWindow && window !== null ? Number.POSITIVE_INFINITY : budget;
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
      tokens: count(patch) + count(`- ${path}\n`) + 2,
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

/** With room for an answer: what a reviewer asked in one question is sure to fit. */
export function isSureToFit(seat: Seat, bytes: number, least: number): boolean {
  return bytes <= Math.min(least, promptRoom(windowOf(seat)) - firstAnswer(least));
}
