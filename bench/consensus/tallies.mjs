// What each pull request adds to the figures of the benchmark. Figures are ratios of sums, so that a draw of pull requests
// costs an addition each and no claim is formed twice.
import { countPairs, elsewhereKey } from './measures.mjs';

const bins = 10;

/** What a stated probability is measured against: `of` states it, `truth` says what came of it; null where nobody knows. */
export const targets = {
  truth: { of: ({ probability }) => probability, truth: ({ isTrue }) => isTrue },
  matters: { of: ({ matters }) => matters ?? null, truth: ({ isMaterial }) => isMaterial },
  worth: { of: worthOf, truth: ({ isReal }) => isReal },
};

/** Probability that a claim is true and matters; confidence alone where nothing computes the other half. */
export function worthOf({ probability, matters, worth }) {
  return worth ?? probability * (matters ?? 1);
}

/** Is it put before a person? By the cut of the version that assessed it, else from a worth of 0.5. */
export function isAct(claim) {
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

function numbered(name) {
  return Array.from({ length: bins }, (_, bin) => `${name}${bin}`);
}

/**
 * `{ pull, group, labelling, sums }` for each pull request and labelling of the panels; several panels drawn of one are
 * added up. `ranks` as `rankReviewers` yields them; left out, nobody is compared with.
 */
export function tallyPanels(panels, claims, { here, elsewhere } = {}) {
  const claimsIn = new Map(panels.map(panel => [panel, []]));
  for (const claim of claims) claimsIn.get(claim.panel)?.push(claim);
  const tallies = new Map();
  for (const panel of panels) {
    const pull = keyOf(panel);
    const { sums } = getOrAdd(tallies, `${panel.labelling}\n${pull}`, () => ({
      pull,
      group: panel.group,
      labelling: panel.labelling,
      sums: new Float64Array(slots.size),
    }));
    const own = claimsIn.get(panel);
    addMerging(sums, own);
    addNamed(sums, panel, own);
    addBest(sums, panel, { of: 'best', ranked: here?.get(panel.labelling) });
    addBest(sums, panel, { of: 'fair', ranked: elsewhere?.get(elsewhereKey(panel)) });
    for (const target of Object.keys(targets)) addStated(sums, target, own);
  }
  return [...tallies.values()];
}

/** `{ pull, group }` of each panel. */
export function pullsOf(panels) {
  return panels.map(panel => ({ pull: keyOf(panel), group: panel.group }));
}

/** One pull request, whichever labelling of it. */
function keyOf({ repository, pull }) {
  return `${repository}/${pull}`;
}

function getOrAdd(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

function add(sums, name, amount) {
  sums[slots.get(name)] += amount;
}

function addMerging(sums, claims) {
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

function addNamed(sums, panel, claims) {
  const named = claims.filter(claim => Number.isFinite(claim.probability) && isAct(claim));
  const real = named.filter(({ isReal }) => isReal);
  add(sums, 'named', named.length);
  add(sums, 'namedReal', real.length);
  add(sums, 'found', new Set(real.map(({ issues }) => issues[0])).size);
  add(sums, 'known', panel.known.length);
}

/** What the best of those seated would have said alone. */
function addBest(sums, panel, { of, ranked = [] }) {
  const best = ranked.find(reviewer => panel.reviewers.includes(reviewer));
  const said = panel.issues.filter((_, index) => panel.findings[index].reviewer === best);
  add(sums, `${of}Said`, said.length);
  add(sums, `${of}Found`, new Set(said.filter(issue => issue !== null)).size);
}

function addStated(sums, target, claims) {
  for (const { probability, isSo } of statedOf(target, claims)) {
    const bin = binOf(probability);
    add(sums, `${target} count`, 1);
    add(sums, `${target} loss`, -Math.log(Math.max(isSo ? probability : 1 - probability, 1e-9)));
    add(sums, `${target} said${bin}`, 1);
    add(sums, `${target} stated${bin}`, probability);
    add(sums, `${target} real${bin}`, Number(isSo));
  }
}

/** `{ probability, isSo }` of the claims for which both are known. */
export function statedOf(target, claims) {
  const { of, truth } = targets[target];
  return claims
    .map(claim => ({ probability: of(claim), isSo: truth(claim) }))
    .filter(({ probability, isSo }) => Number.isFinite(probability) && isSo !== null);
}

/** The targets of which these claims say something of its own: worth is truth again where nothing else is stated or known. */
export function targetsOf(claims) {
  const told = Object.fromEntries(
    Object.keys(targets).map(target => [target, statedOf(target, claims)]),
  );
  const isTruth =
    told.worth.length === told.truth.length &&
    told.worth.every(
      ({ probability, isSo }, index) =>
        probability === told.truth[index].probability && isSo === told.truth[index].isSo,
    );
  return Object.keys(targets).filter(
    target => told[target].length > 0 && !(target === 'worth' && isTruth),
  );
}

export function binOf(probability) {
  return Math.min(bins - 1, Math.floor(probability * bins));
}

/** Every figure, of sums; not a number where there is nothing to measure it by. */
export const figures = {
  pairF1: of => harmonic(of('pairHits'), of('pairsNamed'), of('pairsAll')),
  pairPrecision: of => of('pairHits') / of('pairsNamed'),
  pairRecall: of => of('pairHits') / of('pairsAll'),
  fused: of => of('fused') / of('claims'),
  precision: of => of('namedReal') / of('named'),
  recall: of => of('found') / of('known'),
  f1: actF1,
  bestF1: of => harmonic(of('bestFound'), of('bestSaid'), of('known')),
  above: of => actF1(of) - figures.bestF1(of),
  fairF1: of => harmonic(of('fairFound'), of('fairSaid'), of('known')),
  aboveFair: of => actF1(of) - figures.fairF1(of),
  fromFive: of => of('manyReal') / of('many'),
  ...Object.fromEntries(
    Object.keys(targets).flatMap(target => [
      [`${target} error`, of => calibrationError(of, target)],
      [`${target} loss`, of => of(`${target} loss`) / of(`${target} count`)],
    ]),
  ),
};

/** Claims that are put before a person are right or wrong each; a known issue is found once. */
function actF1(of) {
  const precision = of('namedReal') / Math.max(of('named'), 1);
  const recall = of('found') / of('known');
  return (2 * precision * recall) / Math.max(precision + recall, 1e-9);
}

function harmonic(hits, named, all) {
  return (2 * hits) / (named + all);
}

/** Expected calibration error over ten bins. */
function calibrationError(of, target) {
  let sum = 0;
  for (let bin = 0; bin < bins; bin += 1)
    sum += Math.abs(of(`${target} stated${bin}`) - of(`${target} real${bin}`));
  return sum / of(`${target} count`);
}

/** A reader of sums by name. */
export function reading(sums) {
  return name => sums[slots.get(name)];
}
