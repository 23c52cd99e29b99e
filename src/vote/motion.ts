/** What is voted on and who votes: motions of one session and the members of a roster. */
import type { Member } from '../core/words/roster.ts';

export interface Motion {
  /** Unique within the session. */
  readonly id: string;
  readonly title: string;
  readonly theme: string;
  readonly text: string;
  readonly rationale: string | null;
  readonly sourceMotionIds: readonly string[];
  /** Names on the roster, each once, sorted by code point. */
  readonly supporters: readonly string[];
  /** Names the source gave that are on no roster: reported, never counted. */
  readonly unknownSupporters: readonly string[];
  /** How many supporters the source saw: high from 10, medium from 4. */
  readonly consensusTier: 'high' | 'medium' | 'low';
  readonly isNovel: boolean;
  /** What the session declares; null: the title decides. */
  readonly constitutional: boolean | null;
}

/** What is put to the vote, by whom. */
export interface Session {
  readonly id: string;
  readonly name: string;
  /** In the order of the session: mega-motions, then novel proposals. */
  readonly motions: readonly Motion[];
  readonly roster: readonly Member[];
}

/** Constitutional motions need two thirds: those that are declared so, and those that say so in their title. */
export type ConstitutionalBy = 'declared' | 'title';

/** Null: the motion is an ordinary one. A declaration wins over the title, either way. */
export function whyConstitutional({
  title,
  constitutional,
}: Pick<Motion, 'title' | 'constitutional'>) {
  if (constitutional !== null) return constitutional ? 'declared' : null;
  return title.toLowerCase().includes('constitutional') ? 'title' : null;
}

/** Order of text by code point, the same on every machine and in every language. */
export function byCodePoint(one: string, other: string) {
  for (let index = 0; ; index += 1) {
    const [left, right] = [one.codePointAt(index), other.codePointAt(index)];
    if (left !== right || left === undefined) return (left ?? -1) - (right ?? -1);
  }
}
