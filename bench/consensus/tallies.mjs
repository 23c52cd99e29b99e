// What each pull request adds to the figures of the benchmark. Figures are ratios of sums, so that a draw of pull requests
// costs an addition each and no claim is formed twice.
import { countPairs, elsewhereKey } from './measures.mjs';

/**
 * What a version says of a claim, and what came of it.
 * @typedef {{ readonly probability?: number, readonly matters?: number | null, readonly worth?: number | null, readonly act?: boolean,
 *   readonly isReal: boolean, readonly isTrue: boolean | null, readonly isMaterial: boolean | null }} Told
 * @typedef {Told & import('./measures.mjs').Judged & import('./measures.mjs').Members & { readonly supporters: readonly unknown[] }} Claim
 * @typedef {import('./labelled-panels.mjs').Panel} Panel
 * @typedef {'truth' | 'matters' | 'worth'} Target
 * @typedef {{ readonly pull: string, readonly group: string, readonly labelling: string, readonly sums: Float64Array }} Tally
 */

const bins = 10;

/**
 * What a stated probability is measured against: `of` states it, `truth` says what came of it; null where nobody knows.
 * @type {Readonly<Record<Target, { of: (claim: Told) => number | null, truth: (claim: Told) => boolean | null }>>}
 */
export const targets = {
  truth: { of: ({ probability = NaN }) => probability, truth: ({ isTrue }) => isTrue },
  matters: { of: ({ matters }) => matters ?? null, truth: ({ isMaterial }) => isMaterial },
  worth: { of: worthOf, truth: ({ isReal }) => isReal },
};
const allTargets = /** @type {Target[]} */ (Object.keys(targets));

/** Probability that a claim is true and matters; confidence alone where nothing computes the other half. */
export function worthOf(/** @type {Told} */ { probability = NaN, matters, worth }) {
  return worth ?? probability * (matters ?? 1);
}

/** Is it put before a person? By the cut of the version that assessed it, else from a worth of 0.5. */
export function isAct(/** @type {Told} */ claim) {
  return claim.act ?? worthOf(claim) >= 0.5;
}

const counts = [
  'pairHits',
  'pairsNamed',
  'pairsAll',
  'fused',
  'claims',
  'named',
  'namedReal',
  'found',
  'known',
  'bestSaid',
  'bestFound',
  'fairSaid',
  'fairFound',
  'manyReal',
  'many',
];
const each = ['count', 'loss', ...['said', 'stated', 'real'].flatMap(name => numbered(name))];
const slots = new Map(
  [...counts, ...Object.keys(targets).flatMap(target => each.map(name => `${target} ${name}`))].map(
    (name, slot) => [name, slot],
  ),
);

function numbered(/** @type {string} */ name) {
  return Array.from({ length: bins }, (_, bin) => `${name}${bin}`);
}

/**
 * One for each pull request and labelling of the panels; several panels drawn of one are added up. Without ranks nobody is
 * compared with.
 * @param {readonly Panel[]} panels
 * @param {readonly Claim[]} claims
 * @param {Partial<ReturnType<typeof import('./measures.mjs').rankReviewers>>} ranks
 * @returns {Tally[]}
 */
export function tallyPanels(panels, claims, { here, elsewhere } = {}) {
  const claimsIn = new Map(panels.map(panel => [panel, /** @type {Claim[]} */ ([])]));
  for (const claim of claims) claimsIn.get(claim.panel)?.push(claim);
  /** @type {Map<string, Tally>} */
  const tallies = new Map();
  for (const panel of panels) {
    const pull = keyOf(panel);
    const key = `${panel.labelling}\n${pull}`;
    const { group, labelling } = panel;
    const tally = tallies.get(key) ?? {
      pull,
      group,
      labelling,
      sums: new Float64Array(slots.size),
    };
    tallies.set(key, tally);
    const { sums } = tally;
    const own = claimsIn.get(panel) ?? [];
    addMerging(sums, own);
    addNamed(sums, panel, own);
    addBest(sums, panel, { of: 'best', ranked: here?.get(panel.labelling) });
    addBest(sums, panel, { of: 'fair', ranked: elsewhere?.get(elsewhereKey(panel)) });
    for (const target of allTargets) addStated(sums, target, own);
  }
  return [...tallies.values()];
}

/** `{ pull, group }` of each panel. */
export function pullsOf(/** @type {readonly Panel[]} */ panels) {
  return panels.map(panel => ({ pull: keyOf(panel), group: panel.group }));
}

/** One pull request, whichever labelling of it. */
function keyOf(/** @type {Panel} */ { repository, pull }) {
  return `${repository}/${pull}`;
}

function add(
  /** @type {Float64Array} */ sums,
  /** @type {string} */ name,
  /** @type {number} */ amount,
) {
  sums[Number(slots.get(name))] += amount;
}

function addMerging(/** @type {Float64Array} */ sums, /** @type {readonly Claim[]} */ claims) {
  const { hits, named, all } = countPairs(claims);
  add(sums, 'pairHits', hits);
  add(sums, 'pairsNamed', named);
  add(sums, 'pairsAll', all);
  add(sums, 'fused', claims.filter(({ issues }) => issues.length > 1).length);
  add(sums, 'claims', claims.length);
  const many = claims.filter(({ supporters }) => supporters.length >= 5);
  add(sums, 'many', many.length);
  add(sums, 'manyReal', many.filter(({ isReal }) => isReal).length);
}

function addNamed(
  /** @type {Float64Array} */ sums,
  /** @type {Panel} */ panel,
  /** @type {readonly Claim[]} */ claims,
) {
  const named = claims.filter(claim => Number.isFinite(claim.probability) && isAct(claim));
  const real = named.filter(({ isReal }) => isReal);
  add(sums, 'named', named.length);
  add(sums, 'namedReal', real.length);
  add(sums, 'found', new Set(real.map(({ issues }) => issues[0])).size);
  add(sums, 'known', panel.known.length);
}

/**
 * What the best of those seated would have said alone.
 * @param {Float64Array} sums
 * @param {Panel} panel
 * @param {{ readonly of: string, readonly ranked: readonly string[] | undefined }} best
 */
function addBest(sums, panel, { of, ranked = [] }) {
  const best = ranked.find(reviewer => panel.reviewers.includes(reviewer));
  const said = panel.issues.filter((_, index) => panel.findings[index].reviewer === best);
  add(sums, `${of}Said`, said.length);
  add(sums, `${of}Found`, new Set(said.filter(issue => issue !== null)).size);
}

function addStated(
  /** @type {Float64Array} */ sums,
  /** @type {Target} */ target,
  /** @type {readonly Claim[]} */ claims,
) {
  for (const { probability, isSo } of statedOf(target, claims)) {
    const bin = binOf(probability);
    add(sums, `${target} count`, 1);
    add(sums, `${target} loss`, -Math.log(Math.max(isSo ? probability : 1 - probability, 1e-9)));
    add(sums, `${target} said${bin}`, 1);
    add(sums, `${target} stated${bin}`, probability);
    add(sums, `${target} real${bin}`, Number(isSo));
  }
}

/** Of the claims for which both are known. */
export function statedOf(/** @type {Target} */ target, /** @type {readonly Told[]} */ claims) {
  const { of, truth } = targets[target];
  return claims.flatMap(claim => {
    const [probability, isSo] = [of(claim) ?? NaN, truth(claim)];
    return Number.isFinite(probability) && isSo !== null ? [{ probability, isSo }] : [];
  });
}

/** The targets of which these claims say something of its own: worth is truth again where nothing else is stated or known. */
export function targetsOf(/** @type {readonly Told[]} */ claims) {
  const told = {
    truth: statedOf('truth', claims),
    matters: statedOf('matters', claims),
    worth: statedOf('worth', claims),
  };
  const isTruth =
    told.worth.length === told.truth.length &&
    told.worth.every(
      ({ probability, isSo }, index) =>
        probability === told.truth[index].probability && isSo === told.truth[index].isSo,
    );
  return allTargets.filter(target => told[target].length > 0 && !(target === 'worth' && isTruth));
}

export function binOf(/** @type {number} */ probability) {
  return Math.min(bins - 1, Math.floor(probability * bins));
}

/** @typedef {(name: string) => number} Sums */

/**
 * Every figure, of sums; not a number where there is nothing to measure it by.
 * @type {Readonly<Record<string, (of: Sums) => number>>}
 */
export const figures = {
  pairF1: of => harmonic(of('pairHits'), of('pairsNamed'), of('pairsAll')),
  pairPrecision: of => of('pairHits') / of('pairsNamed'),
  pairRecall: of => of('pairHits') / of('pairsAll'),
  fused: of => of('fused') / of('claims'),
  precision: of => of('namedReal') / of('named'),
  recall: of => of('found') / of('known'),
  f1: actF1,
  bestF1,
  above: of => actF1(of) - bestF1(of),
  fairF1,
  aboveFair: of => actF1(of) - fairF1(of),
  fromFive: of => of('manyReal') / of('many'),
  ...Object.fromEntries(
    allTargets.flatMap(target => [
      [`${target} error`, (/** @type {Sums} */ of) => calibrationError(of, target)],
      [`${target} loss`, (/** @type {Sums} */ of) => of(`${target} loss`) / of(`${target} count`)],
    ]),
  ),
};

/** Claims that are put before a person are right or wrong each; a known issue is found once. */
function actF1(/** @type {Sums} */ of) {
  const precision = of('namedReal') / Math.max(of('named'), 1);
  const recall = of('found') / of('known');
  return (2 * precision * recall) / Math.max(precision + recall, 1e-9);
}

function bestF1(/** @type {Sums} */ of) {
  return harmonic(of('bestFound'), of('bestSaid'), of('known'));
}

function fairF1(/** @type {Sums} */ of) {
  return harmonic(of('fairFound'), of('fairSaid'), of('known'));
}

function harmonic(
  /** @type {number} */ hits,
  /** @type {number} */ named,
  /** @type {number} */ all,
) {
  return (2 * hits) / (named + all);
}

/** Expected calibration error over ten bins. */
function calibrationError(/** @type {Sums} */ of, /** @type {Target} */ target) {
  let sum = 0;
  for (let bin = 0; bin < bins; bin += 1)
    sum += Math.abs(of(`${target} stated${bin}`) - of(`${target} real${bin}`));
  return sum / of(`${target} count`);
}

/**
 * A reader of sums by name.
 * @returns {Sums}
 */
export function reading(/** @type {Float64Array} */ sums) {
  return name => sums[Number(slots.get(name))];
}
