/**
 * The text of a motion as amended: by its panel, by a facilitator that merges what members suggested, or by setting the
 * suggestions below the motion. And what is asked about it: the facilitator once, then those who amended or opposed.
 */
import { findObjects } from './answers.ts';
import type { Motion } from './motion.ts';
import { materialRule } from '../core/prompt/answer-form.ts';
import { cutText, type Fencing, fenceOff, onOneLine, quote } from '../core/prompt/foreign-text.ts';
import { type Answerer, renderQuestion } from './prompts/motions.ts';
import type { PanelRecord } from './records.ts';
import type { RiskTier } from './triage.ts';
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
function synthesisOf(amendments: readonly string[]): string {
  const lines = suggestionsIn(amendments);
  if (lines.length === 0)
    return 'Amendment synthesis: no specific amendment texts provided; apply minor wording/structure improvements only.';
  return [
    'Amendment synthesis (deterministic merge of reviewer suggestions):',
    ...lines.map(line => `- ${line}`),
  ].join('\n');
}

function suggestionsIn(amendments: readonly string[]): string[] {
  return amendments.map(foldSpace).filter(text => text !== '');
}

/**
 * Characters of a motion and its suggestions that a facilitator can be given, about 10,000 tokens. Beyond them nobody could
 * merge the whole, and a part of it is no amended text.
 */
const longestMerge = 32_000;

/** Is there something to merge, and can it be shown whole? */
export function isMergeable({ text, amendments }: Amendable): boolean {
  const suggestions = suggestionsIn(amendments);
  return suggestions.length > 0 && text.length + suggestions.join('\n').length <= longestMerge;
}

export const mergeInstructions =
  'You facilitate an assembly that decides about motions. You have no vote and no opinion of your own: you write a motion down as its members asked for it to be changed.';

/** Everything is shown whole, each suggestion in a fence of its own. */
export function renderMergePrompt(
  { title, text, amendments }: Amendable,
  fencing: Fencing,
): string {
  return [
    '# Motion',
    fenceOff(['subject'], `Title: ${onOneLine(title)}\nText:\n${quote(text)}`, fencing),
    '# Suggested amendments',
    ...suggestionsIn(amendments).map((line, index) => {
      const number = String(index + 1);
      return `## Amendment ${number}\n${fenceOff(['amendment', number], quote(line), fencing)}`;
    }),
    '# Instructions',
    materialRule('decide about'),
    'Write the whole motion with the suggested amendments merged into it. Keep every sentence that no suggestion changes word for word. Where suggestions contradict each other, take what most of them ask for. Add nothing of your own. Members vote on your text: it must stand by itself.',
    'Answer with one JSON object of this form and nothing else:',
    JSON.stringify({ revised_motion_text: '<the whole text of the amended motion>' }, null, 2),
  ].join('\n\n');
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

function foldSpace(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** A motion that is put to a member again. */
export interface AskedAgain {
  readonly motion: Pick<Motion, 'id' | 'title'>;
  readonly riskTier: RiskTier;
  readonly amended: AmendedText;
  /** What the member said about the motion as it was. */
  readonly before: 'AMEND' | 'OPPOSE';
}

/** Characters of an amended text that a member sees: more than of a motion, because what was changed often stands at its end. */
const longestAmended = 8000;

export function isAmendedCut({ text }: AmendedText): boolean {
  return cutText(text, longestAmended).isCut;
}

/** Each motion in a fence of its own; behind all of them, what the member said about each before. */
export function renderSecondPassPrompt(
  asked: readonly AskedAgain[],
  answerer: Answerer,
  fencing: Fencing,
): string {
  const question = {
    title: 'Amended motion',
    show: ({ motion: { id, title }, amended: { text, by } }: AskedAgain) => [
      `It was amended ${writtenBy[by]}.`,
      fenceOff(
        ['motion', id],
        `Title: ${onOneLine(title)}\nAmended text:\n${quote(text, longestAmended)}`,
        fencing,
      ),
    ],
    tell: ({ before }: AskedAgain, number: number) => [
      `Motion ${number}: in the first pass ${saidBefore[before]}.`,
    ],
    task: (each: string) =>
      `This is the second pass, and the last one. What is shown has too few votes as it was and might pass as amended; you opposed it or asked for an amendment, and are asked about the amended text. Take a stance on ${each}. Endorse the amended text when you would vote for it as it stands. Oppose it when concerns remain. There is no third pass: who wants to amend it again does not vote for it. Abstain when you cannot judge.`,
    wanted: 'the words you would still want, when you amend',
  };
  return renderQuestion(asked, question, answerer, fencing);
}

const saidBefore = {
  AMEND: 'you asked for an amendment',
  OPPOSE: 'you opposed the motion',
} as const;

const writtenBy: Readonly<Record<RevisedBy, string>> = {
  panel: 'by the panel that argued about it',
  facilitator: 'by a facilitator, from what members suggested',
  merge: 'as what members suggested, set below the motion',
};
