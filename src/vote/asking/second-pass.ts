/**
 * The second pass: motions that pass only with their amendments are written down as amended, by their panel or a facilitator,
 * and put once more to those who amended or opposed them.
 */
import {
  type AmendedText,
  amendedTextOf,
  isAmendedCut,
  isMergeable,
  readMerge,
} from '../amended-text.ts';
import { mergeInstructions, renderMergePrompt } from '../prompts/panels.ts';
import { type AskedAgain, renderSecondPassPrompt } from '../prompts/motions.ts';
import { describeForecast } from '../../core/spending/forecast.ts';
import type { Member } from '../../core/words/roster.ts';
import type { AmendedMotion, HeldSecondPass } from '../ratify.ts';
import { askAll } from '../../engine/asking/ask-member.ts';
import { type OpenVoting, prepareQuestions, responsesTo } from './collect-reviews.ts';
import { collectStances } from './collect-stances.ts';

/** One row for each question, in roster order. Rejects only when the signal aborts. */
export async function holdSecondPass(
  motions: readonly AmendedMotion[],
  voting: OpenVoting,
): Promise<HeldSecondPass> {
  const { asking, ceilings, hash, note } = voting;
  const texts = await writeTexts(motions, voting);
  const askedOf = ({ id }: Member): AskedAgain[] =>
    motions.flatMap(({ motionId, title, riskTier, asked }) => {
      const amended = texts.get(motionId);
      const said = asked.find(({ archon_id }) => archon_id === id);
      if (amended === undefined || said === undefined) return [];
      return { motion: { id: motionId, title }, riskTier, amended, before: said.stance };
    });
  // A journal key names what is asked about: after other answers of the first pass the text is another one.
  const mark = (ids: readonly string[]): string =>
    hash(JSON.stringify(ids.map(id => [id, texts.get(id)?.text]))).slice(0, 16);
  const questions = { key: 'second', askedOf, render: renderSecondPassPrompt, mark };
  const stances = await collectStances(
    ...prepareQuestions(questions, voting),
    asking,
    ({ expected, answered, spent }) =>
      note(`Second pass. ${describeForecast(expected, ceilings, { answered, spent })}`),
  );
  const isCut = (id: string): boolean => isAmendedCut(texts.get(id)?.text ?? '');
  return { texts, responses: responsesTo(stances, voting, isCut) };
}

/** By motion: of its panel, else of a facilitator, else the suggestions below the motion. */
async function writeTexts(
  motions: readonly AmendedMotion[],
  voting: OpenVoting,
): Promise<Map<string, AmendedText>> {
  const { asking, hash, seatFor, settings, note } = voting;
  const texts = new Map(
    motions.map(motion => [motion.motionId, amendedTextOf(motion, motion.panel)]),
  );
  const unmerged = motions.filter(
    motion => texts.get(motion.motionId)?.by === 'merge' && isMergeable(motion),
  );
  const questions = motions.reduce((sum, { asked }) => sum + asked.length, 0);
  note(
    `Second pass: ${motions.length} accepted with amendments, ${questions === 1 ? '1 question' : `${questions} questions`} to those who amended or opposed; ${merging(unmerged.length)}.`,
  );
  const merged = await askAll(
    unmerged.map(motion => {
      const { motionId, riskTier, text, amendments } = motion;
      const key = `second/text/${motionId}@${hash(JSON.stringify([text, amendments])).slice(0, 16)}`;
      return {
        ...seatFor(null, riskTier),
        key,
        motionId,
        instructions: mergeInstructions,
        prompt: renderMergePrompt(motion, { ...voting, question: key }),
        read: (answer: string) => readMerge(answer, text),
      };
    }),
    asking,
    settings.concurrency,
  );
  for (const { read, of } of merged)
    if (read !== null) texts.set(of.motionId, { ...read, by: 'facilitator' });
  const failed = merged.filter(({ read }) => read === null);
  if (failed.length > 0)
    note(
      `Warning: the facilitator did not write ${failed.length} of ${unmerged.length} amended texts (${failed[0]?.error}); there the suggestions stand below the motion.`,
    );
  return texts;
}

function merging(texts: number): string {
  if (texts === 0) return 'no amended text has to be merged by a facilitator first';
  return texts === 1
    ? '1 amended text is merged by a facilitator first, in a call'
    : `${texts} amended texts are merged by a facilitator first, a call for each`;
}
