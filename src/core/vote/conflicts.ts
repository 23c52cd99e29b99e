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

/** By stated stances, and by contradictions that were found. By motion id; one for each member, in roster order. */
export function gatherConflicts(
  session: Session,
  positions: readonly Position[],
  contradictions: readonly Contradiction[],
): ReadonlyMap<string, readonly Conflict[]> {
  const book = openBook(session, positions);
  for (const contradiction of contradictions) note({ kind: 'model', ...contradiction }, book);
  return inRosterOrder(session, book);
}

/** By motion id and member: what comes first stands, stated stances before all else. */
type ConflictBook = ReadonlyMap<string, Map<string, Conflict>>;

function openBook({ motions }: Session, positions: readonly Position[]): ConflictBook {
  const book: ConflictBook = new Map(motions.map(({ id }) => [id, new Map()]));
  for (const { memberName, motionId, stance, source } of positions) {
    if (motionId === null || stance === null || readStance(stance) !== 'OPPOSE') continue;
    const said = { members: [memberName], source: source ?? 'positions.json' };
    note({ said, motionId, kind: 'stance', own: stance, against: null }, book);
  }
  return book;
}

type Noted = Omit<Conflict, 'memberName' | 'source'> & {
  readonly said: Pick<Statement, 'members' | 'source'>;
};

function note(
  { said: { members, source }, motionId, kind, own, against }: Noted,
  book: ConflictBook,
): void {
  const ofMotion = book.get(motionId);
  for (const memberName of members)
    if (ofMotion?.has(memberName) === false)
      ofMotion.set(memberName, { memberName, motionId, kind, own, against, source });
}

function inRosterOrder(
  { roster }: Session,
  book: ConflictBook,
): ReadonlyMap<string, readonly Conflict[]> {
  return new Map(
    [...book].map(([id, ofMotion]) => [
      id,
      ofMotion.size === 0 ? [] : roster.flatMap(({ name }) => ofMotion.get(name) ?? []),
    ]),
  );
}

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
  const ofMotions = motions.map(({ id, text, supporters, isNovel }) => ({
    source: `${isNovel ? 'novel proposal' : 'motion'} ${id}`,
    motionId: id,
    members: supporters,
    text,
  }));
  const ofPositions = positions.flatMap(({ memberName, text, source }): Statement[] =>
    text === null
      ? []
      : [{ source: source ?? 'positions.json', motionId: null, members: [memberName], text }],
  );
  return [
    ...ofMotions.filter((_, position) => motions[position]?.isNovel),
    ...ofPositions,
    ...ofMotions.filter((_, position) => !motions[position]?.isNovel),
  ];
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
