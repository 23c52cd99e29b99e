// What deciding motions by a sample saves, and how often it ends otherwise than asking everybody: 1,000 random sessions, and with
// `--data DIR` the sessions in that folder, at three risks. Every 50th random vote is held by the whole engine, too.
import { parseArgs } from 'node:util';
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
  ruleNames,
} from './sampled-votes.mjs';

export const title =
  'motions that a sample decides otherwise than all would, share over stated risk, worst of all rows';
export const aim = 1;

const risks = [0.001, 0.01, 0.05];
const sessions = 1_000;
/** Draws of each real session under each rule set. */
const draws = 25;

export async function measure() {
  const { data, sessions: wanted } = parseArgs({
    options: { data: { type: 'string' }, sessions: { type: 'string' } },
    allowPositionals: true,
  }).values;
  const populations = await populationsFrom(data, Number(wanted ?? sessions));
  const rows = [];
  let same = 0;
  for (const [name, made, times] of populations)
    for (const risk of risks) {
      const { row, whole } = await measureAt(risk, name, made, times);
      same += whole;
      rows.push(row);
    }
  console.log(
    [
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
    ].join(' | '),
  );
  for (const row of rows) console.log(tell(row));
  return {
    ratio: Math.max(...rows.map(({ otherwise, motions, risk }) => otherwise / motions / risk)),
    detail: `${rows.length} rows, above; ${same} votes by the whole engine ended as these`,
  };
}

/** `[name, makers of populations, draws of each]` */
async function populationsFrom(data, count) {
  const random = isNear =>
    Array.from(
      { length: Math.ceil(count / 2) },
      (_, index) => () => preparePopulation(randomSession(index + 1, isNear)),
    );
  const drawn = [
    ['random, near the threshold', random(true), 1],
    ['random, any share', random(false), 1],
  ];
  if (data === undefined) return drawn;
  const real = await realSessions(data);
  const under = sharesIn =>
    real.flatMap((one, index) => {
      const sharesOf = sharesIn(one);
      return sharesOf === null
        ? []
        : ruleNames.map(
            (rules, number) => () =>
              preparePopulation({
                session: one.session,
                sharesOf,
                rules,
                seed: 10 * index + number,
              }),
          );
    });
  const votes = real.flatMap(({ votes: own }) => (own === null ? [] : [...own.values()]));
  return [
    ...drawn,
    ['real, recorded stances', under(({ counts }) => recordedShares(counts)), draws],
    [
      'real, recorded votes',
      under(({ votes: own }) => recordedShares(own) ?? sharesLike(votes)),
      draws,
    ],
    ['real, shares near and far', under(({ session }) => drawnShares(session)), draws],
  ].filter(([, made]) => made.length > 0);
}

function recordedShares(shares) {
  return shares === null ? null : ({ id }) => shares.get(id) ?? [0, 0, 0, 1];
}

/** A session without a record votes as another did. */
function sharesLike(votes) {
  let next = 0;
  return votes.length === 0 ? null : () => votes[next++ % votes.length];
}

function drawnShares({ motions }) {
  const next = numbersFrom(motions.length);
  const shares = new Map(
    motions.map(({ id }, index) => [id, randomShares(next, index % 2 === 0).shares]),
  );
  return ({ id }) => shares.get(id);
}

async function measureAt(risk, name, made, times) {
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
  };
  let whole = 0;
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
      whole += 1;
    }
  }
  return { row, whole };
}

const percent = share => `${(100 * share).toFixed(2)} %`;

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
    `${(100 * (otherwise / motions)).toFixed(3)} %`,
    `${(100 * upperBound(otherwise, motions)).toFixed(3)} %`,
  ].join(' | ');
}

/** One-sided, exact (Clopper and Pearson, 1934): the share at which so few would be seen in 5 % of the cases. */
function upperBound(seen, trials) {
  if (seen === trials) return 1;
  let [low, high] = [seen / trials, 1];
  for (let step = 0; step < 60; step += 1) {
    const share = (low + high) / 2;
    if (atMost(seen, trials, share) > 0.05) low = share;
    else high = share;
  }
  return high;
}

function atMost(seen, trials, share) {
  let term = trials * Math.log1p(-share);
  let sum = Math.exp(term);
  for (let count = 1; count <= seen; count += 1) {
    term += Math.log((trials - count + 1) / count) + Math.log(share) - Math.log1p(-share);
    sum += Math.exp(term);
  }
  return sum;
}
