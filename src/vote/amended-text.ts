/**
 * The text of a motion as amended: by its panel, by a facilitator that merges what members suggested, or by setting the
 * suggestions below the motion.
 */
import { findObjects } from './answers.ts';
import { cutText } from '../core/prompt/foreign-text.ts';
import type { PanelRecord } from './records.ts';
import { statedText } from './session-input.ts';

export type RevisedBy = 'panel' | 'facilitator' | 'merge';

export interface AmendedText {
  /** The whole motion, not the changes alone. */
  readonly text: string;
  readonly by: RevisedBy;
}

export interface Amendable {
  readonly title: string;
  /** Empty where only counts are known. */
  readonly text: string;
  /** What members suggested, in their words. */
  readonly amendments: readonly string[];
}

/** What is known before a facilitator is asked: the text of the panel, else the suggestions set below the motion. */
export function amendedTextOf(
  { text, amendments }: Pick<Amendable, 'text' | 'amendments'>,
  panel: Pick<PanelRecord, 'revised_motion_text'> | null,
): AmendedText {
  const revised = panel?.revised_motion_text ?? null;
  if (revised !== null && revised.trim() !== '') return { text: revised, by: 'panel' };
  const parts = [text.trim(), synthesisOf(amendments)].filter(part => part !== '');
  return { text: parts.join('\n\n'), by: 'merge' };
}

/** One suggestion below the other: nothing is added and nothing is lost. */
function synthesisOf(amendments: readonly string[]) {
  const lines = suggestionsIn(amendments);
  if (lines.length === 0)
    return 'Amendment synthesis: no specific amendment texts provided; apply minor wording/structure improvements only.';
  return [
    'Amendment synthesis (deterministic merge of reviewer suggestions):',
    ...lines.map(line => `- ${line}`),
  ].join('\n');
}

export function suggestionsIn(amendments: readonly string[]) {
  return amendments.map(foldSpace).filter(text => text !== '');
}

/**
 * Characters of a motion and its suggestions that a facilitator can be given, about 10,000 tokens. Beyond them nobody could
 * merge the whole, and a part of it is no amended text.
 */
const longestMerge = 32_000;

/** Is there something to merge, and can it be shown whole? */
export function isMergeable({ text, amendments }: Amendable) {
  const suggestions = suggestionsIn(amendments);
  return suggestions.length > 0 && text.length + suggestions.join('\n').length <= longestMerge;
}

/** The merged text, or why the answer gives none. Of several the last counts. `text`: of the motion as it was. */
export function readMerge(answer: string, text: string): { readonly text: string } | string {
  const stated = statedText(
    findObjects(answer, 'revised_motion_text').at(-1)?.get('revised_motion_text'),
  );
  if (stated === null) return 'The answer holds no revised_motion_text.';
  return foldSpace(stated) === foldSpace(text)
    ? 'The answer repeats the motion and amends nothing.'
    : { text: stated };
}

function foldSpace(text: string) {
  return text.trim().replace(/\s+/g, ' ');
}

/** Characters of an amended text that a member sees: more than of a motion, because what was changed often stands at its end. */
export const longestAmended = 8000;

export function isAmendedCut(text: string) {
  return cutText(text, longestAmended).isCut;
}
