/** Spends what the ladder left of a budget on pointers: every group gets its share first, then whoever is next takes the rest. */
import type { Placed } from '../../core/context/packing/fit.ts';
import { type LinePointer, revisionOf } from '../../core/context/packing/line-range.ts';
import type { PackPart } from '../../core/context/packing/local-pack.ts';
import type { Missing } from '../../core/context/packing/requirements.ts';
import { isQuoted, openPointers, usesToShow } from '../../core/context/packing/pointers.ts';
import type { Climb } from './climb.ts';

export type Pointing = ReturnType<typeof openPointing>;

/** Of the budget, in hundredths: more is not kept from excerpts. */
const mostReserved = 30;

export function openPointing(climb: Climb) {
  const groups = openPointers(climb);
  const wanted = groups
    .filter(({ isReserved }) => isReserved)
    .reduce((sum, { pointers }) => sum + totalOf(pointers(), climb), 0);
  return {
    climb,
    groups,
    /** Tokens of the budget that excerpts leave to pointers. */
    reserve: Math.min(wanted, Math.floor((climb.budget * mostReserved) / 100)),
  };
}

/** Tokens of its line. */
function priceOf({ path, line, what }: LinePointer, { count }: Pick<Climb, 'count'>) {
  return count(`${path}:${line} ${what}`) + 1;
}

function totalOf(pointers: readonly LinePointer[], climb: Pick<Climb, 'count'>) {
  return pointers.reduce((sum, one) => sum + priceOf(one, climb), 0);
}

/** In the order in which they are told. `room`: tokens. `turn`: when it was chosen; the last one goes first. */
export async function choosePointers(
  { groups, climb }: Pointing,
  placed: readonly Placed[],
  room: number,
) {
  const chosen = groups.map((): { pointer: LinePointer; turn: number }[] => []);
  const taken = new Set<string>();
  const named = new Set(placed.map(({ path }) => path));
  let left = room - headingTokens;
  let turn = 0;
  const take = (at: number, most: number) => {
    const group = groups[at];
    if (group === undefined || left < leastTokens) return;
    let spent = 0;
    const all = group.pointers();
    const isShort = totalOf(all, climb) > Math.min(most, left);
    for (const one of all) {
      const pointer = isShort ? { ...one, what: one.brief ?? one.what } : one;
      const place = `${pointer.path}:${pointer.line}`;
      if (taken.has(place) || isQuoted(pointer, placed)) continue;
      if (group.isOfNewFiles && named.has(pointer.path)) continue;
      const tokens = priceOf(pointer, climb);
      // A shorter one behind it may still have room.
      if (tokens > left || spent + tokens > most) continue;
      taken.add(place);
      named.add(pointer.path);
      spent += tokens;
      left -= tokens;
      chosen[at]?.push({ pointer, turn: (turn += 1) });
    }
  };
  const shareable = left;
  for (const [at, { share }] of groups.entries()) take(at, (shareable * share) / 100);
  for (const at of groups.keys()) take(at, left);
  await climb.texts.load(chosen.flat().map(({ pointer }) => pointer.path));
  return chosen.flat().flatMap(({ pointer, turn: at }) => {
    const quote = pointer.quote === null ? '' : ` in ${JSON.stringify(pointer.quote)}`;
    const tokens = climb.count(quote);
    const isTold = tokens <= left;
    if (isTold) left -= tokens;
    const part = partAt(pointer, isTold ? quote : '', climb);
    return part === null ? [] : { part, turn: at };
  });
}

const headingTokens = 24;
const leastTokens = 8;

/** They go before everything else when a pack is brought up to date and needs room. */
const pointerDistance = 6;

/** Null for a line that is not there. */
function partAt(
  pointer: LinePointer,
  quote: string,
  { texts, view, world }: Climb,
): PackPart | null {
  const { path, line, what } = pointer;
  const text = texts.of(path);
  if (text === null || line > text.original.length) return null;
  const isSafe = text.shown[line - 1]?.includes(pointer.quote ?? '') ?? false;
  return {
    anchor: {
      kind: view.isTest(path) ? 'test' : 'code',
      path,
      lines: `${line}-${line}`,
      rev: revisionOf(text, { start: line, end: line }, world.hash),
      ref: `${path}:${line}`,
      name: isSafe ? what + quote : what,
    },
    distance: pointerDistance,
    summary: null,
    text: null,
    removed: [],
  };
}

/** Uses of names that are gone or signed anew which neither an excerpt nor a pointer shows. */
export function findUnseen(
  { names, view }: Climb,
  placed: readonly Placed[],
  pointers: readonly PackPart[],
): Missing[] {
  const pointed = new Set(pointers.map(({ anchor }) => anchor.ref));
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
      : {
          symbol: name,
          at: `${path}:${line}`,
          place: null,
          reason:
            `${change === 'removed' ? 'it is removed' : 'its signature changed'}, and ${unseen.length} of ` +
            `${users.length} places that use it are not shown`,
        };
  });
}
