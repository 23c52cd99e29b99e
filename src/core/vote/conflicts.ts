/**
 * Finds members who stand against a motion: by what they stated, or because a clause they wrote or support contradicts it.
 * Only quotations count as evidence.
 */
import { createClauseIndex, type FiledClause } from './contradiction/clause-index.ts';
import { type Clause, clausesOf } from './contradiction/clauses.ts';
import type { Session } from './motion.ts';
import type { ConflictDetector } from './motions-settings.ts';
import { readStance } from './records.ts';

/** What a member stated outside the motions. */
export interface Position {
  readonly memberName: string;
  readonly motionId: string | null;
  readonly stance: string | null;
  readonly text: string | null;
  readonly source: string | null;
}

/** How the search went: what it did not get to may hold conflicts that nobody knows of. */
export interface ConflictSearch {
  readonly detector: ConflictDetector;
  readonly isFinished: boolean;
  /** Contradictions that were named, but not by words that stand in both texts: none of them counts. */
  readonly dropped: number;
}

export interface FoundConflicts {
  /** By motion id; one for each member, in roster order. */
  readonly conflicts: ReadonlyMap<string, readonly Conflict[]>;
  readonly search: ConflictSearch;
}

/** By stated stances, and by clauses that contradict each other. */
export function findConflicts(session: Session, positions: readonly Position[]): FoundConflicts {
  const book = openBook(session, positions);
  const isFinished = noteContradictions(session, positions, book);
  return {
    conflicts: book.conflicts(),
    search: { detector: 'clauses', isFinished, dropped: 0 },
  };
}

/** Words of members that contradict words of a motion. */
export interface Contradiction {
  readonly kind: 'text' | 'model';
  readonly said: Statement;
  /** The motion it contradicts. */
  readonly motionId: string;
  /** Verbatim. */
  readonly own: string;
  readonly against: string;
}

/** By stated stances, and by contradictions that somebody else found. */
export function gatherConflicts(
  session: Session,
  positions: readonly Position[],
  contradictions: readonly Contradiction[],
): FoundConflicts['conflicts'] {
  const book = openBook(session, positions);
  for (const contradiction of contradictions) book.note(contradiction);
  return book.conflicts();
}

/** One conflict for each member and motion: what comes first stands, stated stances before all else. */
interface ConflictBook {
  note(contradiction: Contradiction): void;
  /** Some of these members are not in conflict with the motion yet. */
  isOpen(motionId: string, members: readonly string[]): boolean;
  conflicts(): FoundConflicts['conflicts'];
}

function openBook({ motions, roster }: Session, positions: readonly Position[]): ConflictBook {
  const found = new Map<string, Map<string, Conflict>>(motions.map(({ id }) => [id, new Map()]));
  const note = (conflict: Conflict): void => {
    const ofMotion = found.get(conflict.motionId);
    if (ofMotion && !ofMotion.has(conflict.memberName)) ofMotion.set(conflict.memberName, conflict);
  };
  noteStances(positions, note);
  return {
    note: ({ said, ...contradiction }) => {
      for (const memberName of said.members)
        note({ ...contradiction, memberName, source: said.source });
    },
    isOpen: (motionId, members) =>
      members.some(memberName => found.get(motionId)?.has(memberName) === false),
    conflicts: () =>
      new Map(
        [...found].map(([id, ofMotion]) => [
          id,
          roster.flatMap(({ name }) => ofMotion.get(name) ?? []),
        ]),
      ),
  };
}

function noteStances(positions: readonly Position[], note: (conflict: Conflict) => void): void {
  for (const { memberName, motionId, stance, source } of positions) {
    if (motionId === null || stance === null || readStance(stance) !== 'OPPOSE') continue;
    note({
      memberName,
      motionId,
      kind: 'stance',
      own: stance,
      against: null,
      source: source ?? 'positions.json',
    });
  }
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

/** False when the texts held so many similar clauses that the search was given up on the way. */
function noteContradictions(
  session: Session,
  positions: readonly Position[],
  book: ConflictBook,
): boolean {
  const statements = statementsOf(session, positions);
  const clauses = new Map(statements.map(statement => [statement, clausesOf(statement.text)]));
  const ownClauses = (statement: Statement): readonly Clause[] => clauses.get(statement) ?? [];
  const byId = new Map(statements.map(statement => [statement.motionId, statement]));
  const filed = session.motions.flatMap(({ id }): FiledClause[] => {
    const statement = byId.get(id);
    return statement === undefined
      ? []
      : ownClauses(statement).map(clause => ({ clause, owner: id }));
  });
  const ofPositions = statements.filter(({ motionId }) => motionId === null);
  const index = createClauseIndex(filed, ofPositions.flatMap(ownClauses));
  for (const said of statements) {
    const isWanted = (id: string): boolean => id !== said.motionId && book.isOpen(id, said.members);
    for (const clause of said.members.length === 0 ? [] : ownClauses(said))
      for (const { clause: against, owner } of index.opposing(clause, isWanted))
        book.note({
          kind: 'text',
          said,
          motionId: owner,
          own: clause.text,
          against: against.text,
        });
  }
  return !index.isExhausted;
}

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
  return against === null
    ? `${source} states "${own}" on this motion`
    : `${source} says "${own}" where this motion says "${against}"`;
}
