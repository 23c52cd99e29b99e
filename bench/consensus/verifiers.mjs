// What asking about uncertain claims buys: scripted verifiers of known quality answer about the claims of labelled panels, chosen
// by the code of the product (band, value of asking, moving of odds) or at random with as many calls.
import { moveConfidence, reliabilityOfAnswers, worthOfAnswer } from '../../dist/core/vote/band.js';
import { BandSettings } from '../../dist/core/vote/band-settings.js';
import { planRound, withinCeilings } from '../../dist/core/vote/choose-questions.js';
import { withConfidence } from '../../dist/core/vote/moved-claim.js';
import { cutsOf } from '../../dist/core/vote/verify-claim.js';
import { createDraw, labellingsOf } from './labelled-panels.mjs';
import { byPanel, calibrate, logLoss, scoreClaims } from './measures.mjs';
import { table } from './tables.mjs';
import { isAct } from './tallies.mjs';

/**
 * @typedef {import('./measurement.mjs').Claims[number] & { readonly answers?: number }} Claim
 * @typedef {ReturnType<typeof figuresOf>} Figures
 * @typedef {import('../../dist/core/vote/band.js').Verifier} Verifier
 * @typedef {Omit<import('../../dist/core/vote/choose-questions.js').OpenClaim, 'eligible' | 'answers'> & { readonly index: number,
 *   eligible: readonly Verifier[], readonly answers: import('../../dist/core/vote/band.js').VerifierAnswer[] }} OpenClaim
 * @typedef {(open: OpenClaim, id: string) => void} Answering
 */

/** Share of right answers, about true claims and false ones alike. */
const qualities = [0.7, 0.85, 0.95, 0.15];
/** Calls, as a share of the claims of each run. */
const budgets = [0.1, 0.25, 0.5];
/** Verifiers that can be asked in a run, all of one quality, each wrong by itself. */
const verifiers = 3;
/** Answers that people had decided about before, of a verifier with a record. */
const decided = 40;
const draws = 10;

/**
 * `claims`: as `crossValidate` yields them. Deterministic.
 * @param {readonly Claim[]} claims
 */
export function verifiersTable(claims, { name = 'all reviewers', settings = {} } = {}) {
  const band = BandSettings.parse(settings);
  const before = figuresOf(claims);
  const rows = [];
  const series = [];
  for (const quality of qualities)
    for (const isKnown of [false, true]) {
      const lines = { chosen: [before], random: [before] };
      for (const budget of budgets) {
        const drawn = Array.from({ length: draws }, (_, draw) =>
          verify(claims, { quality, isKnown, budget, band, draw }),
        );
        const chosen = meanOf(drawn.map(each => figuresOf(each.chosen)));
        const random = meanOf(drawn.map(each => figuresOf(each.random)));
        rows.push(rowOf({ quality, isKnown, budget }, chosen, random));
        lines.chosen.push(chosen);
        lines.random.push(random);
      }
      if (isKnown || quality < 0.5)
        for (const [way, line] of Object.entries(lines))
          series.push({ name: nameOf(quality, isKnown), way, points: line });
    }
  return {
    text: table(
      [
        `Asking about uncertain claims (${name}), by the product's choice and at random with as many calls`,
        `The band lies around a confidence of ${band.cut} and the cut of act, for a default of ` +
          `${band.reliability}; at most ${band.answers} answers for each claim`,
        `Mean of ${draws} draws and of the labellings; calls are a share of the claims; ${verifiers} verifiers of one quality`,
        `15 % right is adversarial; "known" is a record of ${decided} decided answers`,
      ].join('\n'),
      [
        'right',
        'record',
        'budget',
        'calls',
        'F1 at .5',
        'of act',
        'best cut',
        'calibration',
        'log loss',
        'random: .5',
        'of act',
        'best cut',
        'calibration',
        'log loss',
      ],
      [['nobody asked', '', '', '0', ...cellsOf(before), ...cellsOf(before)], ...rows],
    ),
    /** `{ name, way, points }` with points `{ calls, f1 }`: those with a record, and adversaries of whom nothing is known. */
    series,
  };
}

/**
 * The claims with the confidence that the answers leave: by the product's choice, and at random with as many calls.
 * @param {readonly Claim[]} claims
 * @param {{ readonly quality: number, readonly isKnown: boolean, readonly budget: number, readonly draw: number,
 *   readonly band: BandSettings }} how
 */
function verify(claims, { quality, isKnown, budget, band, draw }) {
  const right = Math.round(quality * decided);
  const record = { confirmed: 0, rejected: 0, right, wrong: decided - right };
  const worth = worthOfAnswer(reliabilityOfAnswers(isKnown ? record : undefined, [], band));
  const pool = Array.from({ length: verifiers }, (_, index) => ({
    id: `v${index}`,
    family: null,
    worth,
  }));
  const left = { chosen: /** @type {Claim[]} */ ([]), random: /** @type {Claim[]} */ ([]) };
  for (const own of byPanel(claims)) {
    const { panel } = own[0];
    const seed = `${panel.repository}/${panel.pull}/${panel.labelling}/${quality}/${draw}`;
    const open = () => own.map((claim, index) => openClaim(claim, index, { band, pool }));
    const [chosen, random] = [open(), open()];
    const calls = Math.round(budget * own.length);
    const made = askChosen(chosen, { calls, band, answer: answerBy(own, quality, `${seed}/1`) });
    askAtRandom(random, made, {
      next: createDraw(`${seed}/2`),
      answer: answerBy(own, quality, `${seed}/3`),
    });
    left.chosen.push(...moved(own, chosen));
    left.random.push(...moved(own, random));
  }
  return left;
}

/** @returns {Answering} */
function answerBy(
  /** @type {readonly Claim[]} */ claims,
  /** @type {number} */ quality,
  /** @type {string} */ seed,
) {
  const next = createDraw(seed);
  return (open, id) => {
    const isRight = next() < quality;
    const side = claims[open.index].isTrue === isRight ? 'for' : 'against';
    for (const one of open.eligible) if (one.id === id) open.answers.push({ ...one, side });
    open.eligible = open.eligible.filter(one => one.id !== id);
  };
}

/** @returns {Claim[]} */
function moved(/** @type {readonly Claim[]} */ claims, /** @type {readonly OpenClaim[]} */ open) {
  return claims.map((claim, index) => {
    const { answers } = open[index];
    const { confidence: probability, worth } = withConfidence(
      { confidence: claim.probability, worth: claim.worth },
      moveConfidence(claim.probability, answers),
    );
    const act = worth === null ? claim.act : worth >= claim.actCut;
    return {
      ...claim,
      probability: probability ?? NaN,
      worth: worth ?? claim.worth,
      act,
      answers: answers.length,
    };
  });
}

/**
 * @param {Claim} claim
 * @param {number} index
 * @param {{ readonly band: BandSettings, readonly pool: readonly Verifier[] }} world
 * @returns {OpenClaim}
 */
function openClaim({ probability, worth, actCut, isTrue }, index, { band, pool }) {
  return {
    index,
    id: String(index),
    confidence: probability,
    cuts: cutsOf({ confidence: probability, worth }, { cut: band.cut, actCut }),
    familiesOfSupporters: new Set(),
    // Nobody can grade what nobody judged.
    eligible: isTrue === null ? [] : pool,
    answers: [],
  };
}

/**
 * Round after round by the product, one claim in a call. Returns how many were asked.
 * @param {readonly OpenClaim[]} open
 * @param {{ readonly calls: number, readonly band: BandSettings, readonly answer: Answering }} how
 */
function askChosen(open, { calls, band, answer }) {
  let left = calls;
  for (;;) {
    const kept = withinCeilings(
      planRound(open, { batch: 1, answers: band.answers }).map(call => ({
        ...call,
        tokens: 0,
        price: null,
      })),
      { calls: left, tokens: null, cost: null },
    );
    if (kept.length === 0) return calls - left;
    for (const { reviewer, claims } of kept) answer(open[Number(claims[0])], reviewer);
    left -= kept.length;
  }
}

/**
 * @param {readonly OpenClaim[]} open
 * @param {number} calls
 * @param {{ readonly next: () => number, readonly answer: Answering }} how
 */
function askAtRandom(open, calls, { next, answer }) {
  const pairs = open.flatMap(claim => claim.eligible.map(({ id }) => ({ claim, id })));
  for (let made = 0; made < calls && pairs.length > 0; made += 1) {
    const [{ claim, id }] = pairs.splice(Math.floor(next() * pairs.length), 1);
    answer(claim, id);
  }
}

/** Means over the labellings. */
function figuresOf(/** @type {readonly Claim[]} */ claims) {
  const answers = claims.reduce((sum, claim) => sum + (claim.answers ?? 0), 0);
  return {
    ...meanOf(
      labellingsOf(claims.map(({ panel }) => panel)).map(labelling => {
        const own = claims.filter(({ panel }) => panel.labelling === labelling);
        const judged = own
          .filter(({ isTrue }) => isTrue !== null)
          .map(({ probability, isTrue }) => ({ probability, isReal: isTrue === true }));
        return {
          f1: scoreClaims(own, ({ probability }) => probability >= 0.5).f1,
          act: scoreClaims(own, isAct).f1,
          best: Math.max(
            ...cuts.map(cut => scoreClaims(own, claim => claim.probability >= cut).f1),
          ),
          calibration: calibrate(judged).error,
          logLoss: logLoss(judged),
        };
      }),
    ),
    calls: answers / claims.length,
  };
}

const cuts = Array.from({ length: 19 }, (_, index) => (index + 1) / 20);

function nameOf(/** @type {number} */ quality, /** @type {boolean} */ isKnown) {
  return `${percent(quality)} right${isKnown ? '' : ', no record'}`;
}

/**
 * @param {{ readonly quality: number, readonly isKnown: boolean, readonly budget: number }} asked
 * @param {Figures} chosen
 * @param {Figures} random
 */
function rowOf({ quality, isKnown, budget }, chosen, random) {
  return [
    percent(quality),
    isKnown ? 'known' : 'none',
    percent(budget),
    `${(100 * chosen.calls).toFixed(1)} %`,
    ...cellsOf(chosen),
    ...cellsOf(random),
  ];
}

function cellsOf(/** @type {Figures} */ { f1, act, best, calibration, logLoss: loss }) {
  return [f1.toFixed(3), act.toFixed(3), best.toFixed(3), calibration.toFixed(3), loss.toFixed(4)];
}

/**
 * @template {Readonly<Record<string, number>>} F
 * @param {readonly F[]} list
 * @returns {F}
 */
function meanOf(list) {
  const keys = Object.keys(list[0]);
  const meanAt = (/** @type {string} */ key) =>
    list.reduce((sum, figures) => sum + figures[key], 0) / list.length;
  return /** @type {F} */ (Object.fromEntries(keys.map(key => [key, meanAt(key)])));
}

function percent(/** @type {number} */ share) {
  return `${Math.round(100 * share)} %`;
}
