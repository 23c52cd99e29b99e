// What deciding motions by a sample saves, and how often it ends otherwise than asking everybody: 1,000 random sessions, and with
// `--data DIR` the sessions in that folder, at three risks. Every 50th random vote is held by the whole engine, too.
import { partOf, percent, tableOf } from './program.mjs';
import { ruleNames } from './votes/in-process.mjs';
import {
  callsForAll,
  decideByAll,
  decideBySampling,
  holdWholeVote,
  numbersFrom,
  preparePopulation,
  randomSession,
  randomShares,
  realSessions,
  reviewsForAll,
  sharesBy,
} from './votes/sampled.mjs';

export const title =
  'motions that a sample decides otherwise than all would, share over stated risk, worst of all rows';
export const aim = 1;

/**
 * `times`: draws of each.
 * @typedef {{ readonly name: string, readonly made: (() => ReturnType<typeof preparePopulation>)[], readonly times: number }} Populations
 */

/** @type {import('./main.mjs').Measure} */
export async function measure({ size, data }) {
  const [sessions, risks] = size === 'full' ? [1_000, [0.001, 0.01, 0.05]] : [4, [0.05]];
  const populations = await populationsFrom(data, sessions);
  const rows = [];
  for (const one of populations) for (const risk of risks) rows.push(await measureAt(risk, one));
  console.log(tableOf([head, ...rows.map(tell)]));
  const whole = rows.reduce((sum, row) => sum + row.whole, 0);
  return {
    figure: Math.max(...rows.map(({ otherwise, motions, risk }) => otherwise / motions / risk)),
    detail: `${rows.length} rows, above; ${whole} votes by the whole engine ended as these`,
  };
}

const head = [
  'population',
  'risk',
  'motions',
  'calls without',
  'with',
  'saved',
  'reviews saved',
  'by sample',
  'otherwise',
  'share',
  '95 % bound',
];

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
    { name: 'random, near the threshold', made: random(true), times: 1 },
    { name: 'random, any share', made: random(false), times: 1 },
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
    times: 25,
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

/** @param {import('../dist/core/vote/motion.js').Session} session */
function drawnShares({ motions }) {
  const next = numbersFrom(motions.length);
  const shares = new Map(
    motions.map(({ id }, index) => [id, randomShares(next, index % 2 === 0).shares]),
  );
  return sharesBy(shares);
}

async function measureAt(
  /** @type {number} */ risk,
  /** @type {Populations} */ { name, made, times },
) {
  const row = {
    name,
    risk,
    motions: 0,
    without: 0,
    saved: 0,
    reviews: 0,
    unasked: 0,
    decided: 0,
    otherwise: 0,
    whole: 0,
  };
  for (const [index, make] of made.entries()) {
    const population = make();
    const right = decideByAll(population);
    for (let draw = 1; draw <= times; draw += 1) {
      const { decided, saved } = await decideBySampling(population, risk, draw);
      row.motions += right.size;
      row.without += callsForAll(population);
      row.saved += saved.calls;
      row.reviews += reviewsForAll(population);
      row.unasked += saved.reviews;
      row.decided += decided.size;
      for (const [id, outcome] of decided) if (outcome !== right.get(id)) row.otherwise += 1;
      if (index % 50 !== 0 || draw > 1) continue;
      const held = await holdWholeVote(population, risk, draw);
      if (JSON.stringify([[...held.decided], held.saved]) !== JSON.stringify([[...decided], saved]))
        throw new Error(`The engine decided session ${index} of ${name} otherwise.`);
      row.whole += 1;
    }
  }
  return row;
}

/** @param {Awaited<ReturnType<typeof measureAt>>} row */
function tell({ name, risk, motions, without, saved, reviews, unasked, decided, otherwise }) {
  return [
    name,
    risk,
    motions,
    without,
    without - saved,
    percent(saved / without),
    percent(unasked / reviews),
    percent(decided / motions),
    otherwise,
    percent(otherwise / motions, 3),
    percent(upperBound(otherwise, motions), 3),
  ];
}

/** One-sided, exact (Clopper and Pearson, 1934): the share at which so few would be seen in 5 % of the cases. */
function upperBound(/** @type {number} */ seen, /** @type {number} */ trials) {
  if (seen === trials) return 1;
  let low = seen / trials;
  let high = 1;
  for (let step = 0; step < 60; step += 1) {
    const share = (low + high) / 2;
    if (atMost(seen, trials, share) > 0.05) low = share;
    else high = share;
  }
  return high;
}

function atMost(
  /** @type {number} */ seen,
  /** @type {number} */ trials,
  /** @type {number} */ share,
) {
  let term = trials * Math.log1p(-share);
  let sum = Math.exp(term);
  for (let count = 1; count <= seen; count += 1) {
    term += Math.log((trials - count + 1) / count) + Math.log(share) - Math.log1p(-share);
    sum += Math.exp(term);
  }
  return sum;
}
