// Votes whose members would say what is known beforehand, so that the outcome by a sample stands beside the outcome by all.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readDefaultRoster, readSessionFolder } from '../../dist/vote/files/folders.js';
import { decideFirstPass, motionAtVote } from '../../dist/vote/ratification.js';
import { readSession } from '../../dist/vote/session-input.js';
import { buildPackets, triage } from '../../dist/vote/triage.js';
import { fractionsFrom, readJson } from '../program.mjs';
import { holdVote, inputFrom, readRules, responseOf, ruleNames } from './in-process.mjs';

/**
 * @typedef {import('../../dist/vote/triage.js').Session} Session
 * @typedef {import('../../dist/vote/triage.js').Motion} Motion
 */

/**
 * Shares of yeas, nays, amends and abstentions.
 * @typedef {readonly number[]} Shares
 */

const stances = /** @type {const} */ (['ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN']);
const batch = 5;

export function numbersFrom(/** @type {number} */ seed) {
  return fractionsFrom((seed % 2_147_483_646) + 1);
}

/** A motion's shares of yeas, nays, amends and abstentions. `isNear`: the yeas within 5 % of where they turn. */
export function randomShares(/** @type {() => number} */ next, /** @type {boolean} */ isNear) {
  const constitutional = next() < 0.2;
  const turn = constitutional ? 2 / 3 : 1 / 2;
  const yeas = isNear ? turn + (next() - 0.5) / 10 : next();
  const amends = next() < 0.3 ? (1 - yeas) * next() : 0;
  const abstaining = next() < 0.5 ? (1 - yeas - amends) * next() * 0.5 : 0;
  return { constitutional, shares: [yeas, 1 - yeas - amends - abstaining, amends, abstaining] };
}

/** A session of its own, and what its members would say. */
export function randomSession(/** @type {number} */ seed, /** @type {boolean} */ isNear) {
  const [motions, size] = [17, 72];
  const next = numbersFrom(seed * 7_919);
  const roster = Array.from({ length: size }, (_, index) => `member-${index}`);
  const drawn = Array.from({ length: motions }, () => randomShares(next, isNear));
  const megaMotions = drawn.map(({ constitutional }, index) => ({
    mega_motion_id: `m-${index}`,
    title: `${constitutional ? 'Constitutional motion' : 'Motion'} ${index}`,
    consolidated_text: `Matter ${index} of session ${seed}.`,
    all_supporting_archons: roster.slice(0, Math.floor(next() * 0.5 * size)),
  }));
  const { session } = inputFrom({ id: `random-${seed}`, megaMotions, roster });
  const shares = new Map(drawn.map((each, index) => [`m-${index}`, each.shares]));
  return { session, sharesOf: sharesBy(shares), rules: ruleNames[seed % 4] ?? '', seed };
}

/** Where nothing is known of a motion everybody abstains. */
export function sharesBy(/** @type {ReadonlyMap<string, Shares>} */ shares) {
  return (/** @type {Motion} */ { id }) => shares.get(id) ?? [0, 0, 0, 1];
}

/** The sessions in a folder, and what was recorded of each motion of theirs where anything was. */
export async function realSessions(/** @type {string} */ folder) {
  const defaultRoster = await readDefaultRoster();
  return Promise.all(
    readdirSync(folder).map(async name => {
      const place = path.join(folder, name);
      const input = readSession(await readSessionFolder(place, place), {
        includeDeferred: false,
        defaultRoster,
      });
      return {
        session: input.session,
        counts: recorded(place, 'aggregations.json', row => [
          row.explicit_endorsements,
          row.oppositions,
          row.amendments_proposed,
          row.abstentions,
        ]),
        votes: recorded(place, 'ratification_results.json', row => [
          row.yeas,
          row.nays,
          0,
          row.abstentions,
        ]),
      };
    }),
  );
}

/**
 * Shares by motion id; null where nothing is recorded.
 * @param {string} place
 * @param {string} file
 * @param {(row: Record<string, number>) => (number | undefined)[]} countsOf
 */
function recorded(place, file, countsOf) {
  const name = path.join(place, 'recorded', file);
  if (!existsSync(name)) return null;
  /** @type {(Record<string, number> & { mega_motion_id: string })[]} */
  const rows = readJson(name);
  return new Map(
    rows.map(row => {
      const counts = countsOf(row).map(Number);
      const sum = counts.reduce((one, other) => one + other, 0);
      return [row.mega_motion_id, counts.map(count => count / sum)];
    }),
  );
}

/**
 * A vote before anybody is asked: who could be asked about what, and what each of them would say.
 * @param {{ readonly session: Session, readonly sharesOf: (motion: Motion) => Shares, readonly rules: string, readonly seed: number }} vote
 */
export function preparePopulation({ session, sharesOf, rules, seed }) {
  const triaged = triage(session, new Map(), {
    low: 0.66,
    medium: 0.33,
    max_conflicts: 5,
    triage: { low_from_tier: false },
  });
  const packets = buildPackets(session, triaged, null);
  const next = numbersFrom(seed * 104_729 + 1);
  const answers = new Map(
    triaged.map(({ motion, gap }) => {
      const counts = countsBy(sharesOf(motion), gap.length);
      const list = stances.flatMap((stance, kind) =>
        Array.from({ length: counts[kind] ?? 0 }, () => stance),
      );
      return [
        motion.id,
        new Map(shuffle(gap, next).map((member, index) => [member, list[index] ?? 'ABSTAIN'])),
      ];
    }),
  );
  return { session, triaged, packets, answers, rules: readRules(rules), seed };
}

/**
 * @typedef {ReturnType<typeof preparePopulation>} Population
 * @typedef {Population['answers']} Answers
 */

/** Whole members whose shares are as near as rounding down leaves them; who is left over abstains. */
function countsBy(/** @type {Shares} */ shares, /** @type {number} */ size) {
  const counts = shares.map(share => Math.floor(Math.max(0, share) * size));
  counts[3] = (counts[3] ?? 0) + size - counts.reduce((sum, count) => sum + count, 0);
  return counts;
}

function shuffle(/** @type {readonly string[]} */ list, /** @type {() => number} */ next) {
  return list
    .map(item => ({ item, lot: next() }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ item }) => item);
}

function stanceOf(
  /** @type {Answers} */ answers,
  /** @type {string} */ motionId,
  /** @type {string} */ member,
) {
  const stance = answers.get(motionId)?.get(member);
  if (stance === undefined) throw new Error(`${member} has no opinion on ${motionId}.`);
  return stance;
}

/** What each motion comes to when everybody is asked. */
/** @param {Population} population */
export function decideByAll({ session, triaged, packets, answers, rules }) {
  return new Map(
    triaged
      .filter(({ riskTier }) => riskTier !== 'low')
      .map(({ motion, riskTier }) => {
        const said = packets.flatMap(({ member, assigned }) =>
          assigned.some(({ motionId }) => motionId === motion.id)
            ? [stanceOf(answers, motion.id, member.name)]
            : [],
        );
        const count = (/** @type {string} */ stance) => said.filter(each => each === stance).length;
        const voted = motionAtVote(
          {
            mega_motion_title: motion.title,
            constitutional: motion.constitutional,
            risk_tier: riskTier,
            implicit_endorsements: motion.supporters.length,
            explicit_endorsements: count('ENDORSE'),
            oppositions: count('OPPOSE'),
            amendments_proposed: count('AMEND'),
            abstentions: count('ABSTAIN'),
            no_response: 0,
            not_assigned: 0,
          },
          0,
          session.roster.length,
          rules,
        );
        return [motion.id, decideFirstPass(voted).at(-1)?.outcome];
      }),
  );
}

/** What a vote comes to in which so many are asked about a motion: rows of those of which not all were asked. */
export async function decideBySampling(
  /** @type {Population} */ { session, answers, rules, seed },
  /** @type {{ readonly sample: number, readonly risk: number }} */ { sample, risk },
) {
  const unread = { megaMotions: 0, novelProposals: 0, deferredSkipped: 0 };
  const input = { ...unread, session, positions: [], unknownSupporters: [], warnings: [] };
  const { results } = await holdVote(
    { input, rules, sample, settings: { batch, sample_risk: risk } },
    {
      run: `run-${seed}`,
      holdSecondPass: () => Promise.resolve({ texts: new Map(), answers: [] }),
      collectReviews: ({ packets }) =>
        Promise.resolve(
          packets.flatMap(({ member, assigned }) =>
            assigned.map(({ motionId }) =>
              responseOf(member, motionId, stanceOf(answers, motionId, member.name)),
            ),
          ),
        ),
    },
  );
  return results.filter(({ decided_by }) => decided_by === 'sample');
}
