/**
 * Finds members who stand against a motion: by what they stated, or because a clause they wrote or support contradicts it.
 * Only quotations count as evidence.
 */
import { words } from '../matching/wording/words.ts';
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

/** Percent of the words of each clause that the other has too. */
const leastOverlap = 80;

/**
 * Finds clauses that say the opposite of a given one without comparing every pair. Two clauses that have four fifths of their
 * words in common share one of their rarest words, so that only clauses filed under those are looked at.
 */
interface FiledClause {
  readonly clause: Clause;
  /** What the clause stands in. */
  readonly owner: string;
}

interface ClauseIndex {
  /** Filed clauses that contradict `clause`, in the order of filing. `isWanted` spares comparisons. */
  opposing(clause: Clause, isWanted: (owner: string) => boolean): FiledClause[];
  /** True once the allowance of comparisons was used up: from then on nothing more is found. */
  readonly isExhausted: boolean;
}

/** `others` are the clauses that will be asked about: words are rare or common over both. `allowance`: word comparisons in all. */
export function createClauseIndex(
  filed: readonly FiledClause[],
  others: readonly Clause[],
  allowance = 100_000_000,
): ClauseIndex {
  const rank = rankByRarity([...filed.map(({ clause }) => clause), ...others]);
  const filedUnder = new Map<string, number[]>();
  filed.forEach(({ clause }, position) => {
    for (const word of signature(clause, rank)) append(filedUnder, word, position);
  });
  let left = allowance;
  return {
    get isExhausted() {
      return left <= 0;
    },
    opposing(clause, isWanted) {
      const candidates = new Set<number>();
      for (const word of signature(clause, rank)) {
        const positions = filedUnder.get(word) ?? [];
        left -= positions.length;
        if (left <= 0) return [];
        for (const position of positions) candidates.add(position);
      }
      const found: FiledClause[] = [];
      for (const position of [...candidates].sort((one, other) => one - other)) {
        const candidate = filed[position];
        if (
          !candidate ||
          candidate.clause.isNegative === clause.isNegative ||
          !isWanted(candidate.owner)
        )
          continue;
        left -= Math.min(clause.words.size, candidate.clause.words.size);
        if (left <= 0) break;
        if (isSameMatter(clause, candidate.clause)) found.push(candidate);
      }
      return found;
    },
  };
}

function isSameMatter(one: Clause, other: Clause): boolean {
  const [fewer, more] =
    one.words.size <= other.words.size ? [one.words, other.words] : [other.words, one.words];
  let common = 0;
  for (const word of fewer) if (more.has(word)) common += 1;
  // The larger of the two sets asks for more: what holds for it holds for both.
  return common >= leastContentWords && 100 * common >= leastOverlap * more.size;
}

/** The rarest words of a clause: as many as it may lack in a clause of the same matter, and one more. */
function signature({ words }: Clause, rank: ReadonlyMap<string, number>): string[] {
  const least = Math.max(leastContentWords, Math.ceil((leastOverlap * words.size) / 100));
  const byRarity = [...words].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
  return byRarity.slice(0, words.size - least + 1);
}

function rankByRarity(clauses: readonly Clause[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>();
  for (const { words } of clauses)
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const ordered = [...frequency].sort(
    ([one, seen], [other, seenOther]) => seen - seenOther || (one < other ? -1 : 1),
  );
  return new Map(ordered.map(([word], position) => [word, position]));
}

function append(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Clauses of a text, with the words that carry what they are about and whether they affirm or deny it. */
interface Clause {
  /** Trimmed, otherwise verbatim. */
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly isNegative: boolean;
}

const leastContentWords = 4;

const negative = formsOf(`
  not never no nor cannot without
  prohibit prohibits prohibited prohibiting prohibition prohibitions
  forbid forbids forbade forbidden forbidding
  ban bans banned banning
  reject rejects rejected rejecting rejection rejections
  oppose opposes opposed opposing opposition
  abolish abolishes abolished abolishing abolition abolishment
  repeal repeals repealed repealing`);

/** What a motion does with its subject says nothing about the subject. */
const enacting = formsOf(`
  shall
  require requires required requiring requirement requirements
  mandate mandates mandated mandating mandatory
  permit permits permitted permitting permission permissions
  allow allows allowed allowing allowance
  establish establishes established establishing establishment
  adopt adopts adopted adopting adoption`);

/** Clauses with enough content words, each wording once, in order. Linear in the text. */
export function clausesOf(text: string): Clause[] {
  const found = new Map<string, Clause>();
  for (const piece of text.split(/[.;\n\r]/)) {
    const clause = clauseOf(piece);
    if (clause === null) continue;
    const key = `${clause.isNegative ? '-' : '+'}${[...clause.words].sort().join(' ')}`;
    if (!found.has(key)) found.set(key, clause);
  }
  return [...found.values()];
}

function clauseOf(piece: string): Clause | null {
  const all = [...words(piece)];
  const content = all.filter(word => !negative.has(word) && !enacting.has(word));
  if (content.length < leastContentWords) return null;
  return {
    text: piece.trim(),
    words: new Set(content),
    isNegative: all.some(word => negative.has(word)),
  };
}

function formsOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
