/** Which stance a word of a member means. What denies, doubts or says two things at once means none: then the member is asked again. */
import type { Stance } from './review-response.ts';

const words: ReadonlyMap<string, Stance> = new Map([
  ...['endorse', 'approve', 'support', 'accept'].map(word => [word, 'ENDORSE'] as const),
  ...['oppose', 'reject', 'nay'].map(word => [word, 'OPPOSE'] as const),
  ...['amend', 'endorse_with_amendment', 'endorse_with_amendments', 'endorse_with_changes'].map(word => [word, 'AMEND'] as const),
  ...['abstain', 'neutral'].map(word => [word, 'ABSTAIN'] as const),
]);

const denials: ReadonlySet<string> = new Set(['not', 'no', 'never', 'cannot']);
const longestStance = 500;

/** Null: no stance can be read from it. */
export function readStance(stated: string): Stance | null {
  const text = stated.slice(0, longestStance).trim().toLowerCase();
  return words.get(text) ?? readSentence(text);
}

/** Words count from their beginning, so that "unsupported" and "disapprove" support nothing. */
function readSentence(text: string): Stance | null {
  const said = text.split(/[^\p{L}'’]+/u);
  if (said.some(word => denials.has(word) || /n['’]t$/.test(word))) return null;
  const says = (...stems: readonly string[]): boolean => said.some(word => stems.some(stem => word.startsWith(stem)));
  if (says('amend')) return 'AMEND';
  const [isAgainst, isFor] = [says('oppose', 'reject'), says('endorse', 'support')];
  if (isAgainst === isFor) return null;
  return isAgainst ? 'OPPOSE' : 'ENDORSE';
}
