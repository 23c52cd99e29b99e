// What asking some of the members about a motion saves, and how often it ends otherwise than asking everybody: 1,000 random
// sessions, and with `--data DIR` the sessions in that folder, at three risks.
import { partOf, percent, tableOf } from './program.mjs';
import { ruleNames } from './votes/in-process.mjs';
import {
  decideByAll,
  decideBySampling,
  numbersFrom,
  preparePopulation,
  randomSession,
  randomShares,
  realSessions,
  sharesBy,
} from './votes/sampled.mjs';

export const title =
  'motions that a sample decides otherwise than all would, share over stated risk, worst of all rows';
export const aim = 1;

/** Members asked about a motion. */
const samples = [12, 24, 36];

/** @typedef {{ readonly name: string, readonly made: (() => ReturnType<typeof preparePopulation>)[] }} Populations */

/** @type {import('./main.mjs').Measure} */
export async function measure({ size, data }) {
  const [sessions, risks] = size === 'full' ? [1_000, [0.01, 0.05, 0.2]] : [4, [0.05]];
  const rows = [];
  for (const one of await populationsFrom(data, sessions))
    for (const risk of risks)
      for (const sample of size === 'full' ? samples : [24])
        rows.push(await measureAt({ risk, sample }, one));
  console.log(tableOf([head, ...rows.map(tell)]));
  return {
    // Nothing where no motion has so many to ask.
    figure: Math.max(
      ...rows.map(({ otherwise, motions, risk }) => otherwise / motions / risk || 0),
    ),
    detail: `${rows.length} rows, above`,
  };
}

const head = ['population', 'risk', 'asked', 'motions', 'decided', 'otherwise', 'share'];

/**
 * @param {string | undefined} data
 * @param {number} count
 * @returns {Promise<Populations[]>}
 */
async function populationsFrom(data, count) {
  const random = (/** @type {boolean} */ isNear) =>
    Array.from(
      { length: Math.ceil(count / 2) },
      (_, index) => () => preparePopulation(randomSession(index + 1, isNear)),
    );
  const drawn = [
    { name: 'random, near the threshold', made: random(true) },
    { name: 'random, any share', made: random(false) },
  ];
  const sessions = partOf(data, 'motions');
  if (sessions === null) return drawn;
  const real = await realSessions(sessions);
  /**
   * @param {string} name
   * @param {(session: typeof real[number]) => Parameters<typeof preparePopulation>[0]['sharesOf'] | null} sharesIn
   */
  const under = (name, sharesIn) => ({
    name,
    made: real.flatMap((one, index) => {
      const sharesOf = sharesIn(one);
      const { session } = one;
      return sharesOf === null
        ? []
        : ruleNames.map(
            (rules, number) => () =>
              preparePopulation({ session, sharesOf, rules, seed: 10 * index + number }),
          );
    }),
  });
  const votes = real.flatMap(({ votes: own }) => (own === null ? [] : [...own.values()]));
  return [
    ...drawn,
    under('real, recorded stances', ({ counts }) => counts && sharesBy(counts)),
    under('real, recorded votes', ({ votes: own }) => (own ? sharesBy(own) : sharesLike(votes))),
    under('real, shares near and far', ({ session }) => drawnShares(session)),
  ].filter(({ made }) => made.length > 0);
}

/** A session without a record votes as another did. */
function sharesLike(/** @type {readonly (readonly number[])[]} */ votes) {
  let next = 0;
  return votes.length === 0 ? null : () => votes[next++ % votes.length] ?? [];
}

/** @param {import('../dist/vote/triage.js').Session} session */
function drawnShares({ motions }) {
  const next = numbersFrom(motions.length);
  const shares = new Map(
    motions.map(({ id }, index) => [id, randomShares(next, index % 2 === 0).shares]),
  );
  return sharesBy(shares);
}

async function measureAt(
  /** @type {{ readonly risk: number, readonly sample: number }} */ terms,
  /** @type {Populations} */ { name, made },
) {
  const row = { ...terms, name, motions: 0, decided: 0, otherwise: 0 };
  for (const make of made) {
    const population = make();
    const right = decideByAll(population);
    for (const { mega_motion_id: id, outcome } of await decideBySampling(population, terms)) {
      row.motions += 1;
      row.decided += Number(outcome !== 'incomplete');
      row.otherwise += Number(outcome !== 'incomplete' && !isAsByAll(outcome, right.get(id)));
    }
  }
  return row;
}

/** What is accepted with amendments has its second pass, in which it can end as anything; by a sample only as ratified. */
function isAsByAll(/** @type {string} */ outcome, /** @type {string | undefined} */ right) {
  return outcome === right || (outcome === 'ratified' && right === 'accepted_with_amendments');
}

/** @param {Awaited<ReturnType<typeof measureAt>>} row */
function tell({ name, risk, sample, motions, decided, otherwise }) {
  return [
    name,
    risk,
    sample,
    motions,
    percent(decided / motions),
    otherwise,
    percent(otherwise / motions, 3),
  ];
}
