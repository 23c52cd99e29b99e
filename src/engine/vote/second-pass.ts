/**
 * The second pass: motions that pass only with their amendments are written down as amended, by their panel or a facilitator,
 * and put once more to those who amended or opposed them.
 */
import pLimit from 'p-limit';
import {
  type AmendedText,
  amendedTextOf,
  type AskedAgain,
  isAmendedCut,
  isMergeable,
  mergeInstructions,
  readMerge,
  renderMergePrompt,
  renderSecondPassPrompt,
} from '../../core/vote/amended-text.ts';
import { describeForecast } from '../../core/vote/forecast.ts';
import type { Session } from '../../core/vote/motion.ts';
import type { AmendedMotion, HeldSecondPass } from '../../core/vote/ratify.ts';
import type { Seat } from '../../core/words/config.ts';
import { askUntil, bookEarlier } from './ask-member.ts';
import { type Reviewing, tasksOf, toResponse } from './collect-reviews.ts';
import {
  bookStances,
  collectBooked,
  forecastOf,
  type StanceSettings,
  type StanceTask,
} from './collect-stances.ts';
import type { SecondPassWanted } from './deliberators.ts';

interface AskingAgain extends Reviewing {
  /** Who merges amendments to a motion: no member. */
  readonly facilitatorFor: (motion: Pick<AmendedMotion, 'riskTier'>) => {
    readonly seat: Seat;
    readonly endpoint: string | null;
  };
}

/** One row for each question, in roster order. Rejects only when the signal aborts. */
export async function holdSecondPass(
  { session, motions, note }: SecondPassWanted,
  asking: AskingAgain,
): Promise<HeldSecondPass> {
  const texts = await writeTexts(motions, asking, note);
  const tasks = gatherTasks(session, motions, texts, asking);
  const settings: StanceSettings = {
    key: 'second',
    batch: asking.batch,
    concurrency: asking.concurrency,
    orderOf: (member, id) => asking.hash(`${session.id}|${member}|${id}`),
    mark: ids => shortHash(JSON.stringify(ids.map(id => [id, texts.get(id)?.text])), asking),
  };
  bookStances(tasks, settings, asking.asking);
  const expected = forecastOf(tasks, settings, asking.asking);
  const asked = tasks.reduce((sum, { ids }) => sum + ids.length, 0);
  const context = { answered: asked - expected.reviews, spent: asking.asking.ceiling.spent() };
  note(`Second pass. ${describeForecast(expected, asking.limits, context)}`);
  const members = new Map(session.roster.map(member => [member.id, member]));
  const stances = await collectBooked(tasks, settings, asking.asking);
  const responses = stances.flatMap(stance => {
    const [member, amended] = [members.get(stance.member), texts.get(stance.id)];
    return member === undefined || amended === undefined
      ? []
      : [toResponse(stance, member, isAmendedCut(amended))];
  });
  return { texts, responses };
}

/** A journal key names what was asked about: after other answers of the first pass the text is another one. */
function shortHash(text: string, { hash }: Reviewing): string {
  return hash(text).slice(0, 16);
}

async function writeTexts(
  motions: readonly AmendedMotion[],
  asking: AskingAgain,
  note: SecondPassWanted['note'],
): Promise<Map<string, AmendedText>> {
  const known = motions.map(motion => ({ motion, amended: amendedTextOf(motion, motion.panel) }));
  const unmerged = known.flatMap(({ motion, amended }) =>
    amended.by === 'merge' && isMergeable(motion) ? [motion] : [],
  );
  const questions = motions.reduce((sum, { asked }) => sum + asked.length, 0);
  note(
    `Second pass: ${motions.length} accepted with amendments, ${questions === 1 ? '1 question' : `${questions} questions`} to those who amended or opposed; ${merging(unmerged.length)}.`,
  );
  bookEarlier(
    unmerged.map(motion => mergeKey(motion, asking)),
    asking.asking,
  );
  const limit = pLimit(asking.concurrency);
  const merged = new Map<string, AmendedText>();
  const problems: string[] = [];
  await Promise.all(
    unmerged.map(motion =>
      limit(async () => {
        const written = await merge(motion, asking);
        if (typeof written === 'string') problems.push(written);
        else merged.set(motion.motionId, { text: written.text, by: 'facilitator' });
      }),
    ),
  );
  if (problems.length > 0)
    note(
      `Warning: the facilitator did not write ${problems.length} of ${unmerged.length} amended texts (${problems[0] ?? ''}); there the suggestions stand below the motion.`,
    );
  return new Map(
    known.map(({ motion: { motionId }, amended }) => [motionId, merged.get(motionId) ?? amended]),
  );
}

function merging(texts: number): string {
  if (texts === 0) return 'no amended text has to be merged by a facilitator first';
  return texts === 1
    ? '1 amended text is merged by a facilitator first, in a call'
    : `${texts} amended texts are merged by a facilitator first, a call for each`;
}

function mergeKey({ motionId, text, amendments }: AmendedMotion, asking: Reviewing): string {
  return `second/text/${motionId}@${shortHash(JSON.stringify([text, amendments]), asking)}`;
}

/** The whole text, or why there is none. */
async function merge(
  motion: AmendedMotion,
  asking: AskingAgain,
): Promise<{ readonly text: string } | string> {
  const key = mergeKey(motion, asking);
  const heard = await askUntil(
    {
      ...asking.facilitatorFor(motion),
      key,
      instructions: mergeInstructions,
      prompt: renderMergePrompt(motion, { ...asking, question: key }),
    },
    text => readMerge(text, motion),
    asking.asking,
  );
  return heard.read ?? heard.error;
}

function gatherTasks(
  { roster, motions: all }: Session,
  motions: readonly AmendedMotion[],
  texts: ReadonlyMap<string, AmendedText>,
  asking: AskingAgain,
): StanceTask[] {
  const motionOf = new Map(all.map(motion => [motion.id, motion]));
  const askedOf = new Map<string, AskedAgain[]>();
  for (const { motionId, riskTier, asked } of motions) {
    const [motion, amended] = [motionOf.get(motionId), texts.get(motionId)];
    for (const { archon_id, stance } of asked) {
      if (motion === undefined || amended === undefined) continue;
      const own = askedOf.get(archon_id) ?? [];
      askedOf.set(archon_id, own);
      own.push({ motion, riskTier, amended, before: stance === 'AMEND' ? 'AMEND' : 'OPPOSE' });
    }
  }
  return roster.flatMap(member =>
    tasksOf(member, askedOf.get(member.id) ?? [], asking.seatFor, asked =>
      renderSecondPassPrompt(asked, { ...asking, question: `second/${member.id}` }),
    ),
  );
}
