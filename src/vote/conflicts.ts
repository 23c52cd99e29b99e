/**
 * Members who stand against a motion: by what they stated, or because a clause they wrote or support contradicts it, as a model
 * shows by quoting both.
 */
import type { Session } from './motion.ts';
import { readStance } from './records.ts';

/** What a member stated outside the motions. */
export interface Position {
  readonly memberName: string;
  readonly motionId: string | null;
  readonly stance: string | null;
  readonly text: string | null;
  readonly source: string | null;
}

/** How contradictions were looked for: what it was not got to may hold conflicts that nobody knows of. */
export interface ConflictSearch {
  readonly state: 'finished' | 'not_finished' | 'not_run';
  /** Contradictions that were named, but not by words that stand in both texts: none of them counts. */
  readonly dropped: number;
}

/** Words of members that contradict words of a motion. */
export interface Contradiction {
  readonly said: Statement;
  /** The motion it contradicts. */
  readonly motionId: string;
  /** Verbatim. */
  readonly own: string;
  readonly against: string;
}

/**
 * By motion id, where there are any; one for each member, in roster order. The first that is found counts, stated stances before
 * all else.
 */
export function gatherConflicts(
  { roster }: Session,
  positions: readonly Position[],
  contradictions: readonly Contradiction[],
): ReadonlyMap<string, readonly Conflict[]> {
  const found = new Map<string, Map<string, Conflict>>();
  const note = (conflict: Conflict): void => {
    const ofMotion = found.get(conflict.motionId) ?? new Map<string, Conflict>();
    found.set(conflict.motionId, ofMotion);
    if (!ofMotion.has(conflict.memberName)) ofMotion.set(conflict.memberName, conflict);
  };
  for (const { stance: own, motionId, memberName, source } of positions)
    if (motionId !== null && own !== null && readStance(own) === 'OPPOSE')
      note({
        memberName,
        motionId,
        kind: 'stance',
        own,
        against: null,
        source: source ?? unnamedSource,
      });
  for (const { said, ...words } of contradictions)
    for (const memberName of said.members)
      note({ memberName, kind: 'model', ...words, source: said.source });
  return new Map(
    [...found].map(([id, ofMotion]) => [
      id,
      roster.flatMap(({ name }) => ofMotion.get(name) ?? []),
    ]),
  );
}

const unnamedSource = 'positions.json';

/** A text and the members it speaks for. */
export interface Statement {
  readonly source: string;
  /** The motion whose text it is: it does not contradict itself. */
  readonly motionId: string | null;
  readonly members: readonly string[];
  readonly text: string;
}

/** Novel proposals, positions, other motions: a member's own words are nearer to it than what it supports. */
export function statementsOf(
  { motions }: Session,
  positions: readonly Position[],
): readonly Statement[] {
  const textsOf = (isNovel: boolean): Statement[] =>
    motions
      .filter(motion => motion.isNovel === isNovel)
      .map(({ id, text, supporters }) => ({
        source: `${isNovel ? 'novel proposal' : 'motion'} ${id}`,
        motionId: id,
        members: supporters,
        text,
      }));
  const stated = positions.flatMap(({ memberName, text, source }): Statement[] =>
    text === null
      ? []
      : [{ source: source ?? unnamedSource, motionId: null, members: [memberName], text }],
  );
  return [...textsOf(true), ...stated, ...textsOf(false)];
}

/** Why a member is taken to stand against a motion, with the words that show it. */
export interface Conflict {
  readonly memberName: string;
  readonly motionId: string;
  /** `stance`: the member said so. `model`: something it wrote or supports contradicts the motion, and a model quoted both. */
  readonly kind: 'stance' | 'model';
  /** The member's own words, verbatim: the stance, or the clause. */
  readonly own: string;
  /** The clause of the motion, verbatim; null for a stance. */
  readonly against: string | null;
  /** Where the member's words stand: `positions.json`, `novel proposal p-1`, `motion m-2`. */
  readonly source: string;
}

/** The conflict as artifacts and prompts state it: both quotations and their sources in one line. */
export function describeConflict({ own, against, source }: Conflict): string {
  return against === null
    ? `${source} states "${own}" on this motion`
    : `${source} says "${own}" where this motion says "${against}"`;
}
