/** The votes of verification mode: `PASS|n` and `FAIL|n reason`, of which a FAIL is a finding too. */
import { sayUnmet } from '../core/verdict/verification.ts';
import type { LabelledLine } from './labels.ts';
import type { Vote } from './reading.ts';

interface StatedVote {
  readonly label: Vote['vote'];
  /** Null when no number stands in the line. */
  readonly criterion: number | null;
  readonly reason: string;
  /** Text of the finding that a FAIL is; null for a PASS. */
  readonly finding: string | null;
}

/** Call with lines labelled PASS or FAIL only. */
export function readVote({ label, text }: LabelledLine): StatedVote {
  const number = /^[#(\s]*(\d{1,4})\b[\s.:)|–—-]*/.exec(text.slice(0, 100));
  const criterion = number?.[1] === undefined ? null : Number(number[1]);
  const reason = text.slice(number?.[0].length ?? 0).trim();
  if (label.toUpperCase() === 'PASS') return { label: 'PASS', criterion, reason, finding: null };
  return { label: 'FAIL', criterion, reason, finding: sayUnmet(criterion, reason) };
}

/** One vote for each criterion: a reviewer that votes both ways has not passed it, and a note says so. */
export function settleVotes(votes: readonly Vote[], notes: string[]): Vote[] {
  const settled = new Map<number, Vote>();
  for (const vote of votes) {
    const earlier = settled.get(vote.criterion);
    if (earlier !== undefined && earlier.vote !== vote.vote)
      notes.push(`Criterion ${vote.criterion} was voted on both ways; FAIL stands.`);
    if (earlier === undefined || vote.vote === 'FAIL') settled.set(vote.criterion, vote);
  }
  return [...settled.values()];
}
