/** Why a member is taken to stand against a motion, with the words that show it. */

export interface Conflict {
  readonly memberName: string;
  readonly motionId: string;
  /** `stance`: the member said so. `text`: something it wrote or supports contradicts the motion. `model`: a detector quoted both. */
  readonly kind: 'stance' | 'text' | 'model';
  /** The member's own words, verbatim: the stance, or the clause. */
  readonly own: string;
  /** The clause of the motion, verbatim; null for a stance. */
  readonly against: string | null;
  /** Where the member's words stand: `positions.json`, `novel proposal p-1`, `motion m-2`. */
  readonly source: string;
}

/** The conflict as artifacts and prompts state it: both quotations and their sources in one line. */
export function describeConflict({ own, against, source }: Conflict): string {
  return against === null ? `${source} states "${own}" on this motion` : `${source} says "${own}" where this motion says "${against}"`;
}
