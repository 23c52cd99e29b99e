/**
 * Finds members who stand against a motion: by what they stated, or because a clause they wrote or support contradicts it.
 * Only quotations count as evidence.
 */
import { createClauseIndex, type FiledClause } from './contradiction/clause-index.ts';
import { type Clause, clausesOf } from './contradiction/clauses.ts';
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

interface FoundConflicts {
  /** By motion id; one for each member, in roster order. */
  readonly conflicts: ReadonlyMap<string, readonly Conflict[]>;
  /** False when the texts held so many similar clauses that the search was given up on the way. */
  readonly isComplete: boolean;
}

export function findConflicts(session: Session, positions: readonly Position[]): FoundConflicts {
  const found = new Map<string, Map<string, Conflict>>(
    session.motions.map(({ id }) => [id, new Map()]),
  );
  const note = (conflict: Conflict): void => {
    const ofMotion = found.get(conflict.motionId);
    // What comes first stands: stated stances, then texts in the order of the session.
    if (ofMotion && !ofMotion.has(conflict.memberName)) ofMotion.set(conflict.memberName, conflict);
  };
  noteStances(positions, note);
  const isComplete = noteContradictions(session, positions, note);
  const rosterNames = session.roster.map(({ name }) => name);
  const conflicts = [...found].map(
    ([id, ofMotion]) => [id, rosterNames.flatMap(name => ofMotion.get(name) ?? [])] as const,
  );
  return { conflicts: new Map(conflicts), isComplete };
}

type Note = (conflict: Conflict) => void;

function noteStances(positions: readonly Position[], note: Note): void {
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
interface Statement {
  readonly source: string;
  /** The motion whose text it is: it does not contradict itself. */
  readonly motionId: string | null;
  readonly members: readonly string[];
  readonly clauses: readonly Clause[];
}

function noteContradictions(
  { motions }: Session,
  positions: readonly Position[],
  note: Note,
): boolean {
  const ofMotions: Statement[] = motions.map(({ id, text, supporters, isNovel }) => ({
    source: `${isNovel ? 'novel proposal' : 'motion'} ${id}`,
    motionId: id,
    members: supporters,
    clauses: clausesOf(text),
  }));
  const ofPositions = positions.flatMap(({ memberName, text, source }): Statement[] =>
    text === null
      ? []
      : [
          {
            source: source ?? 'positions.json',
            motionId: null,
            members: [memberName],
            clauses: clausesOf(text),
          },
        ],
  );
  const filed = ofMotions.flatMap(({ motionId, clauses }): FiledClause[] =>
    clauses.map(clause => ({ clause, owner: motionId ?? '' })),
  );
  const index = createClauseIndex(
    filed,
    ofPositions.flatMap(({ clauses }) => clauses),
  );
  // A member's own words are nearer to it than what it supports.
  const novelFirst = [
    ...ofMotions.filter((_, position) => motions[position]?.isNovel),
    ...ofPositions,
    ...ofMotions.filter((_, position) => !motions[position]?.isNovel),
  ];
  for (const { source, motionId, members, clauses } of novelFirst) {
    if (members.length === 0) continue;
    const settled = new Set(motionId === null ? [] : [motionId]);
    for (const clause of clauses) {
      for (const { clause: against, owner } of index.opposing(clause, id => !settled.has(id))) {
        if (settled.has(owner)) continue;
        settled.add(owner);
        for (const memberName of members)
          note({
            memberName,
            motionId: owner,
            kind: 'text',
            own: clause.text,
            against: against.text,
            source,
          });
      }
    }
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
