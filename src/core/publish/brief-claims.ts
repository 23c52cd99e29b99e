/**
 * Many posted claims in few characters: as much of each as it takes to know it again, and what many have in common (names, paths, runs)
 * once for all. Their threads hold the rest.
 */
import { z } from 'zod';
import { KnownClaim } from '../words/known-claim.ts';
import { cut } from '../text.ts';

/**
 * A claim as it stands on the host. `heard`: ISO time of the latest reply that was there when its code became what it is now; replies
 * up to then are about other code. Absent: there was none. `isBrief`: its words are cut, and those of others are left out.
 */
export const PostedClaim = KnownClaim.extend({
  heard: z.string().optional(),
  isBrief: z.literal(true).optional(),
});
export type PostedClaim = z.infer<typeof PostedClaim>;

const Index = z.int().nonnegative();

/**
 * Of each claim: digits of its id, text, severity, path, line, side, code, `heard`, supporters, and run, time and state of its history.
 * Names are told by their place in `names`; 0 is none.
 */
const BriefClaim = z.tuple([
  z.string(),
  z.string(),
  Index,
  Index,
  Index,
  Index,
  z.string(),
  Index,
  z.array(Index),
  z.array(z.tuple([Index, Index, Index])),
]);
type BriefClaim = z.infer<typeof BriefClaim>;

export const BriefClaims = z.object({ names: z.array(z.string()), claims: z.array(BriefClaim) });
export type BriefClaims = z.infer<typeof BriefClaims>;

const longestText = 80;

export function packClaims(claims: readonly PostedClaim[]): BriefClaims {
  const places = new Map([['', 0]]);
  const placeOf = (name: string): number => {
    const place = places.get(name) ?? places.size;
    places.set(name, place);
    return place;
  };
  const packed = claims.map((claim): BriefClaim => {
    const { id, text, severity, path, line, side, code, heard, supporters, history } = claim;
    return [
      id.slice(2),
      cut(text, longestText),
      placeOf(severity),
      placeOf(path ?? ''),
      line ?? 0,
      placeOf(side),
      code ?? '',
      placeOf(heard ?? ''),
      supporters.map(({ reviewer }) => placeOf(reviewer)),
      history.map(({ run, at, state }) => [placeOf(run), placeOf(at), placeOf(state)]),
    ];
  });
  return { names: [...places.keys()], claims: packed };
}

/** What is no claim is left out. */
export function unpackClaims({ names, claims }: BriefClaims): PostedClaim[] {
  return claims.flatMap(
    ([id, text, severity, path, line, side, code, heard, supporters, history]) => {
      const checked = PostedClaim.safeParse({
        id: `c-${id}`,
        text,
        severity: names[severity],
        category: null,
        path: path === 0 ? null : names[path],
        line: line === 0 ? null : line,
        side: names[side],
        code: code === '' ? null : code,
        ...(heard > 0 && { heard: names[heard] }),
        isBrief: true,
        files: path === 0 ? [] : [names[path]],
        wordings: [],
        supporters: supporters.map(one => ({ reviewer: names[one], family: null, run: '' })),
        history: history.map(([run, at, state]) => ({
          run: names[run],
          at: names[at],
          state: names[state],
        })),
      });
      return checked.success ? [checked.data] : [];
    },
  );
}

/** What a summary tells briefly, with the words that its own thread keeps. */
export function joinBrief(brief: PostedClaim, whole: PostedClaim): PostedClaim {
  const { text, category, files, wordings } = whole;
  const { isBrief: _isBrief, ...rest } = brief;
  return { ...rest, text, category, files, wordings };
}
