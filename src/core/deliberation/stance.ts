/** Reads the word a member or a document uses for its stance. A stance that is denied or doubled is none. */
import type { Stance } from './review-response.ts';

const exact: Readonly<Record<string, Stance>> = {
  endorse: 'ENDORSE', approve: 'ENDORSE', support: 'ENDORSE', accept: 'ENDORSE',
  oppose: 'OPPOSE', reject: 'OPPOSE', nay: 'OPPOSE',
  amend: 'AMEND', endorse_with_amendment: 'AMEND', endorse_with_amendments: 'AMEND', endorse_with_changes: 'AMEND',
  abstain: 'ABSTAIN', neutral: 'ABSTAIN',
};

const negations: ReadonlySet<string> = new Set(['not', 'no', 'never', 'cannot']);

/** Null: invalid, to be asked again. */
export function readStance(text: string): Stance | null {
  const wanted = text.trim().toLowerCase().replaceAll('’', "'");
  if (Object.hasOwn(exact, wanted)) return exact[wanted] ?? null;
  if (isNegated(wanted)) return null;
  if (wanted.includes('amend')) return 'AMEND';
  const opposes = wanted.includes('oppose') || wanted.includes('reject');
  const endorses = wanted.includes('endorse') || wanted.includes('support');
  if (opposes === endorses) return null;
  return opposes ? 'OPPOSE' : 'ENDORSE';
}

function isNegated(text: string): boolean {
  return text.includes("n't") || text.split(/[^\p{L}]+/u).some(word => negations.has(word));
}
