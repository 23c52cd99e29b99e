// What a scripted member of an assembly says: a function of the member and the motion, so that the same question has the same
// answer whoever asks it, when and how often.
import { createHash } from 'node:crypto';

/** @typedef {import('./model-servers.mjs').Chat} Chat */

/** Shares of endorse, oppose, amend and abstain, in hundredths, of a motion of each temper. */
const tempers = [
  [88, 4, 4, 4],
  [55, 8, 30, 7],
  [42, 42, 8, 8],
  [20, 62, 10, 8],
  [30, 25, 40, 5],
];
const secondPass = [70, 22, 3, 5];
const words = /** @type {const} */ (['endorse', 'oppose', 'amend', 'abstain']);

/** The answer to a chat of `instructions` and `prompt`, in the words that the program asks for. */
export function answerAs(
  /** @type {string | null} */ member,
  /** @type {Chat} */ { instructions, prompt },
) {
  if (instructions.startsWith('You facilitate an assembly')) return mergeOf(prompt);
  if (instructions.startsWith('You facilitate a panel')) return reportOf(prompt);
  if (prompt.includes('You sit on a panel')) return argumentOf(member, prompt);
  const isSecond = prompt.includes('This is the second pass');
  return JSON.stringify(motionsIn(prompt).map(id => stanceOn(member, id, isSecond)));
}

/** Every member endorses everything: there are no panels and no second pass. */
export function endorseAll(/** @type {unknown} */ _, /** @type {Chat} */ { prompt }) {
  return JSON.stringify(
    motionsIn(prompt).map(motion_id => ({
      motion_id,
      stance: 'endorse',
      reasoning: 'It is sound and can be carried out.',
      confidence: 0.8,
    })),
  );
}

/** Null: a facilitator, who is no member. */
export function memberIn(/** @type {Chat} */ { instructions, prompt }) {
  return /^You are ([^,\n]+),/m.exec(`${instructions}\n${prompt}`)?.[1] ?? null;
}

export function motionsIn(/** @type {string} */ prompt) {
  return [...prompt.matchAll(/^motion_id: "(.*)"$/gm)].map(([, id = '']) => id);
}

/** 0 to 1, the same for the same name. */
export function chanceOf(/** @type {string} */ name) {
  return Number.parseInt(createHash('sha256').update(name).digest('hex').slice(0, 8), 16) / 2 ** 32;
}

function stanceOn(
  /** @type {string | null} */ member,
  /** @type {string} */ motion_id,
  /** @type {boolean} */ isSecond,
) {
  const temper = tempers[Math.floor(chanceOf(motion_id) * tempers.length)];
  const stance = pick(
    `${member}|${motion_id}|${isSecond}`,
    (isSecond ? null : temper) ?? secondPass,
  );
  return {
    motion_id,
    stance,
    reasoning: `${member} would ${stance} this: its cost is known and its gain is ${isSecond ? 'clearer now' : 'plain'}.`,
    confidence: Math.round(50 + 50 * chanceOf(`${member}|${motion_id}|sure`)) / 100,
    ...(stance === 'oppose' && {
      opposition_concerns: [`${member} sees nobody who would have to answer for it.`],
    }),
    ...(stance === 'amend' && {
      amendment_type: 'add_clause',
      amendment_text: `Amendment by ${member}: it is reviewed after a year.`,
      amendment_rationale: 'What nobody looks at again is never mended.',
    }),
  };
}

function pick(/** @type {string} */ name, /** @type {readonly number[]} */ shares) {
  let left = chanceOf(name) * 100;
  const index = shares.findIndex(share => (left -= share) < 0);
  return words[index] ?? words[0];
}

/** Those in the middle are drawn anew for every run: they all say the same about one motion. */
function argumentOf(/** @type {string | null} */ member, /** @type {string} */ prompt) {
  const isNeutral = prompt.includes('are on neither side');
  const title = titleIn(prompt);
  const votes = ['pass', 'fail', 'amend', 'defer'];
  const vote = votes[Math.floor(chanceOf(`${isNeutral ? 'neutral' : member}|${title}`) * 4)];
  return `${isNeutral ? 'Both sides have a point' : `${member} has weighed it`}.\nVOTE: ${vote}`;
}

function reportOf(/** @type {string} */ prompt) {
  const title = titleIn(prompt);
  const chance = chanceOf(`panel|${title}`);
  return JSON.stringify({
    recommendation: ['pass', 'fail', 'amend', 'defer'][Math.floor(chance * 4)],
    recommendation_rationale: 'It is what most of them came to.',
    votes: {},
    revised_motion_text: chance < 0.5 ? `${title}, as its panel amended it.` : null,
    key_points_discussed: ['Who answers for it.'],
    consensus_areas: ['That something has to be done.'],
    unresolved_concerns: ['What it costs.'],
    dissenting_opinions: [],
  });
}

function mergeOf(/** @type {string} */ prompt) {
  const members = [...prompt.matchAll(/Amendment by ([^:\n]+):/g)].map(([, name]) => name);
  return JSON.stringify({
    revised_motion_text: `${titleIn(prompt)}, with what was asked for by ${members.join(', ')}.`,
  });
}

function titleIn(/** @type {string} */ prompt) {
  return /^Title: (.*)$/m.exec(prompt)?.[1] ?? '';
}
