/** Spends what the ladder left of a budget on pointers: every group gets its share first, then whoever is next takes the rest. */
import type { Placed } from '../../core/context/packing/fit.ts';
import { revisionOf } from '../../core/context/packing/line-range.ts';
import { type LinePointer, linePointer, nameOf } from '../../core/context/packing/line-pointer.ts';
import type { PackAnchor, Unresolved } from '../../core/context/packing/local-pack.ts';
import {
  isQuoted,
  type PointerGroup,
  pointerGroups,
  type PointerMaterial,
  pointersOf,
  usesToShow,
} from '../../core/context/packing/pointers.ts';
import type { Climb } from './climb.ts';

export type Pointing = ReturnType<typeof openPointing>;

interface ChosenPointer {
  readonly anchor: PackAnchor;
  /** When it was chosen: the last one goes first. */
  readonly turn: number;
}

/** Of the room, in hundredths, that a group may have before the others had theirs. */
const shares: Readonly<Record<PointerGroup, number>> = {
  definitions: 60,
  users: 60,
  callers: 40,
  tests: 25,
  together: 30,
  possible: 30,
  namesakes: 15,
  importers: 10,
};
/** Of the budget, in hundredths: more is not kept from excerpts. */
const mostReserved = 30;
/** These are worth an excerpt less. */
const reserving: readonly PointerGroup[] = ['users', 'callers', 'tests', 'together'];

export function openPointing(climb: Climb) {
  const { view, texts, pieces, changed, names, resolved, together, budget } = climb;
  const material: PointerMaterial = {
    view,
    shownOf: path => texts.of(path)?.shown ?? [],
    pieces,
    changed,
    names,
    found: resolved.found,
    possible: resolved.possible,
    together,
  };
  const known = new Map<PointerGroup, readonly LinePointer[]>();
  const of = (group: PointerGroup): readonly LinePointer[] => {
    const pointers = known.get(group) ?? pointersOf(group, material);
    known.set(group, pointers);
    return pointers;
  };
  const wanted = totalOf(reserving.flatMap(of), climb);
  return {
    climb,
    of,
    /** Tokens of the budget that excerpts leave to pointers. */
    reserve: Math.min(wanted, Math.floor((budget * mostReserved) / 100)),
    /** Uses of names that are gone or signed anew which neither an excerpt nor a pointer shows. */
    unseenUses: (placed: readonly Placed[], pointers: readonly PackAnchor[]) =>
      findUnseen(climb, placed, pointers),
  };
}

/** Tokens of its line. */
function priceOf(pointer: LinePointer, { count }: Pick<Climb, 'count'>): number {
  return count(`${pointer.path}:${pointer.line} ${wordsOf(pointer, null)}`) + 1;
}

function totalOf(pointers: readonly LinePointer[], climb: Pick<Climb, 'count'>): number {
  return pointers.reduce((sum, one) => sum + priceOf(one, climb), 0);
}

function wordsOf({ what, place }: LinePointer, quote: string | null): string {
  return nameOf(what, quote === null ? place : JSON.stringify(quote));
}

/** In the order in which they are told. `room`: tokens. */
export async function choosePointers(
  { of, climb }: Pointing,
  placed: readonly Placed[],
  room: number,
): Promise<readonly ChosenPointer[]> {
  const chosen = new Map<PointerGroup, Chosen[]>();
  const taken = new Set<string>();
  const named = new Set(placed.map(({ path }) => path));
  let left = room - headingTokens;
  let turn = 0;
  const take = async (group: PointerGroup, most: number): Promise<void> => {
    await climb.texts.load(
      group === 'definitions' || group === 'possible' ? of(group).map(({ path }) => path) : [],
    );
    let spent = 0;
    for (const pointer of shorten(of(group), most)) {
      const place = `${pointer.path}:${pointer.line}`;
      if (taken.has(place) || isQuoted(pointer, placed)) continue;
      if ((group === 'together' || group === 'importers') && named.has(pointer.path)) continue;
      const tokens = priceOf(pointer, climb);
      // A shorter one behind it may still have room.
      if (tokens > left || spent + tokens > most) continue;
      taken.add(place);
      named.add(pointer.path);
      spent += tokens;
      left -= tokens;
      chosen.set(group, [...(chosen.get(group) ?? []), { pointer, turn: (turn += 1) }]);
    }
  };
  const shorten = (all: readonly LinePointer[], most: number): readonly LinePointer[] =>
    all.every(({ brief }) => brief === null) || totalOf(all, climb) <= Math.min(most, left)
      ? all
      : all.map(one => (one.brief === null ? one : { ...one, ...one.brief }));
  for (const group of pointerGroups) {
    if (left < leastTokens) break;
    await take(group, ((room - headingTokens) * shares[group]) / 100);
  }
  for (const group of pointerGroups) if (left >= leastTokens) await take(group, left);
  const all = pointerGroups.flatMap(group => chosen.get(group) ?? []);
  await climb.texts.load(all.map(({ pointer }) => pointer.path));
  const quoted = new Set(
    all.filter(({ pointer }) => {
      const tokens =
        pointer.quote === null ? 0 : climb.count(nameOf('', JSON.stringify(pointer.quote)));
      const isTold = tokens > 0 && tokens <= left;
      if (isTold) left -= tokens;
      return isTold;
    }),
  );
  return all.flatMap(one => {
    const { pointer, turn: at } = one;
    const anchor = anchorOf(quoted.has(one) ? pointer : { ...pointer, quote: null }, climb);
    return anchor === null ? [] : [{ anchor, turn: at }];
  });
}

interface Chosen {
  readonly pointer: LinePointer;
  readonly turn: number;
}

const headingTokens = 24;
const leastTokens = 8;

/** Null for a line that is not there. */
function anchorOf(pointer: LinePointer, { texts, view, world }: Climb): PackAnchor | null {
  const { path, line, quote } = pointer;
  const text = texts.of(path);
  if (text === null || line > text.original.length) return null;
  const isSafe = quote !== null && (text.shown[line - 1]?.includes(quote) ?? false);
  return linePointer(
    {
      kind: view.isTest(path) ? 'test' : 'code',
      path,
      name: wordsOf(pointer, isSafe ? quote : null),
    },
    line,
    revisionOf(text, { start: line, end: line }, world.hash),
  );
}

function findUnseen(
  { names, view }: Climb,
  placed: readonly Placed[],
  pointers: readonly PackAnchor[],
): Unresolved[] {
  const pointed = new Set(pointers.map(({ ref }) => ref));
  return names.flatMap(one => {
    const { name, path, line, change, users } = one;
    const unseen = usesToShow(one, view).filter(
      user =>
        // Tests tell themselves when they fail.
        (change === 'removed' || !view.isTest(user.path)) &&
        !pointed.has(`${user.path}:${user.line}`) &&
        !isQuoted(user, placed),
    );
    return unseen.length === 0
      ? []
      : [
          {
            symbol: name,
            at: `${path}:${line}`,
            reason:
              `${change === 'removed' ? 'it is removed' : 'its signature changed'}, and ${unseen.length} of ` +
              `${users.length} places that use it are not shown`,
          },
        ];
  });
}
