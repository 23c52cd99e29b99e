// Fits what confidence is computed with on labelled panels, whole and drawn smaller: is a claim true, does it matter, is it
// both, and from which worth on it deserves a person's time.
import {
  confidenceEvidence,
  createAssessor,
  kindOf,
} from '../../dist/agreement/confidence/confidence.js';
import { createCalibratedMatcher } from '../../dist/agreement/calibrated.js';
import { mattersEvidence } from '../../dist/agreement/confidence/matters.js';
import { familyNamed } from '../../dist/core/words/runner.js';
import { isSeverityStated } from '../../dist/core/words/stated.js';
import { claimsOf } from './claims-of.mjs';
import { drawPanels } from './labelled-panels.mjs';
import { chanceOf, fitSigned, fitTowards, oddsOf } from './logistic-fit.mjs';
import { fitMatcher } from './matcher-fit.mjs';
import { pullOf, scoreClaims } from './measures.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('../../dist/agreement/confidence/confidence.js').ConfidenceModel} ConfidenceModel
 * @typedef {Awaited<ReturnType<typeof lessonsOf>>[number]} Lesson
 * @typedef {number | 'all'} Size
 */

/** Sizes of the panels that are learned from, each with the same weight in all. */
const sizes = [2, 3, 5, 8];
const seed = 2;

/** How many judged findings of a reviewer the expectation of any reviewer outweighs. */
const priorStrength = 10;

const penalties = { truth: 5, matters: 20, worth: 10 };

/** Set by hand, drawn towards in the fit: stated, severity, harm, trifle, loudness. Without adjudicated findings they stay as they are. */
const mattersPrior = { intercept: 0, weights: [1, 1, 0.5, -0.7, -0.7] };

/** In the product of two probabilities each of the log-odds would count whole where it is small. */
const worthPrior = [1, 0.5];

const cuts = Array.from({ length: 37 }, (_, step) => (step + 2) / 40);

/** Fewer panels tell nothing of a cut where severities are stated, or where they are not. */
const fewestPanels = 3;

/** Fewer selected claims tell nothing of a cut. */
const fewestSelected = 150;

/** As `jury consensus` sees a file of such findings. */
export function panelRecord(/** @type {ReadPanel} */ panel) {
  return {
    findings: panel.findings,
    reviews: [],
    reliability: [],
    families: new Map(
      panel.reviewers.flatMap(name => {
        const family = familyNamed(name);
        return family === null ? [] : [/** @type {const} */ ([name, family])];
      }),
    ),
  };
}

/**
 * Matchers for each group of the training data are fitted without it, so that the claims are like those of unseen data.
 * @param {readonly ReadPanel[]} panels
 * @param {{ readonly fitWithout?: typeof fitMatcher }} settings
 * @returns {Promise<ConfidenceModel>}
 */
export async function fitConfidence(panels, { fitWithout = fitMatcher } = {}) {
  const lessons = await gatherLessons(panels, fitWithout);
  const judged = judgeApart(lessons);
  const worth = fitWorth(judged);
  const apart = judgeWorthApart(judged);
  const precisions = panels.flatMap(({ issues }) => issues.map(issue => Number(issue !== null)));
  return {
    version: 'fit',
    prior: {
      precision: precisions.reduce((sum, right) => sum + right, 0) / precisions.length,
      strength: priorStrength,
    },
    evidence: fitTruth(lessons),
    matters: fitMatters(lessons),
    worth,
    cases: countCases(lessons),
    cuts: measureCuts(apart),
    best: fitBest(apart, worth),
  };
}

// Lessons: claims of whole and drawn panels with their evidence and what the labels make of them.

async function gatherLessons(
  /** @type {readonly ReadPanel[]} */ panels,
  /** @type {typeof fitMatcher} */ fitWithout,
) {
  const lessons = [];
  for (const group of new Set(panels.map(panel => panel.group))) {
    const others = panels.filter(panel => panel.group !== group);
    const matcher = createCalibratedMatcher(fitWithout(others.length > 0 ? others : panels));
    for (const panel of panels.filter(each => each.group === group)) {
      const drawn = sizes.flatMap(size =>
        drawPanels(panel, [size, size, size, size], seed + size).map((each, draw) => ({
          panel: each,
          size,
          draw,
        })),
      );
      for (const each of [{ panel, size: /** @type {const} */ ('all'), draw: 0 }, ...drawn])
        lessons.push(...(await lessonsOf(each, matcher)));
    }
  }
  return lessons;
}

/** A model of which it is known what evidence is worth by its measure: the assessor's own figures are asked for, so that both sides agree. */
/** @type {Parameters<typeof createAssessor>[0]} */
const bare = {
  version: '',
  prior: { precision: 0.5, strength: 1 },
  evidence: { intercept: 0, weights: confidenceEvidence.map(() => 1) },
  // The finding that tells it most strongly is known by them.
  matters: mattersPrior,
  worth: { intercept: 0, weights: [0, 0] },
  cases: {},
  cuts: [],
  best: { base: 0, growth: 0, graded: 0, panels: [] },
};

/**
 * Each claim with what a fit learns from: evidence of which the numbers of a model make the same figures as the assessor does.
 * @param {{ readonly panel: ReadPanel, readonly size: Size, readonly draw: number }} drawn
 * @param {import('../../dist/index.js').Matcher} matcher
 */
export async function lessonsOf({ panel, size, draw }, matcher) {
  const claims = await claimsOf(panel, matcher);
  const assess = createAssessor(bare, panelRecord(panel));
  const isGraded = panel.grades.some(grade => grade !== null);
  const isStated = panel.findings.some(isSeverityStated);
  return claims.map(claim => {
    const assessment = assess(claim);
    return {
      claim,
      size,
      draw,
      isGraded,
      isStated,
      // Pull requests of one group are six small repositories here: to leave the group out is to be left without labels of mattering.
      fold: isGraded ? `${panel.group}/${panel.pull}` : panel.group,
      truth: valuesOf(assessment, confidenceEvidence),
      matters: valuesOf(assessment.matters, mattersEvidence).map(
        (worth, index) => worth / mattersPrior.weights[index],
      ),
    };
  });
}

/**
 * @param {Pick<ReturnType<ReturnType<typeof createAssessor>>, 'contributions'>} assessment
 * @param {readonly string[]} names
 */
function valuesOf({ contributions }, names) {
  return names.map(name =>
    contributions
      .filter(({ evidence }) => evidence === name)
      .reduce((sum, { worth }) => sum + worth, 0),
  );
}

/** The same weight for each size in all, and that of the whole panels' claims for all together. */
function weighBySize(/** @type {readonly Pick<Lesson, 'size'>[]} */ lessons) {
  /** @type {Map<Size, number>} */
  const counts = new Map();
  for (const { size } of lessons) counts.set(size, (counts.get(size) ?? 0) + 1);
  const whole = counts.get('all') ?? lessons.length;
  return lessons.map(({ size }) => whole / counts.size / (counts.get(size) ?? 0));
}

// The three fits.

/**
 * Log-odds for reviewers who name places, at most. Set by hand: all that is known of them comes from six pull requests, and with
 * the free weight (3.2) lone claims of three and more such reviewers were stated .80 to .85 where .63 to .76 of them were true.
 */
const mostOfPlaces = 2.2;

/** @typedef {(typeof confidenceEvidence)[number]} Evidence */

const at = /** @type {Record<Evidence, number>} */ (
  Object.fromEntries(confidenceEvidence.map((name, index) => [name, index]))
);

/**
 * Fitted over heard share, voices, voices ÷ findings and places, each with the sign that keeps a supporter
 * more from lowering the figure; then written as weights of the evidence that is told. Reviews of which none names a place
 * cannot be told from text alone, whoever judged them: those that an adjudicator judged are left out.
 */
function fitTruth(/** @type {readonly Lesson[]} */ lessons) {
  const taught = lessons.filter(
    ({ isGraded, truth, claim }) => claim.isTrue !== null && !(isGraded && truth[at.places] === 0),
  );
  const { intercept, weights } = fitSigned(
    taught.map(({ truth }) => [
      truth[at.voices] - truth[at.silence],
      truth[at.voices],
      truth[at.voices] - truth[at.loudness],
      truth[at.places],
    ]),
    taught.map(({ claim }) => Number(claim.isTrue)),
    {
      penalty: penalties.truth,
      weights: weighBySize(taught),
      signs: [1, 1, 1, 1],
    },
  );
  const [heard, voices, sparing, places] = weights;
  const told = {
    voices: heard + voices + sparing,
    silence: -heard,
    // What a record is worth cannot be learned of tools so much alike; more than the sparing voice it multiplies would
    // let a poor supporter lower the figure.
    reliability: sparing,
    loudness: -sparing,
    places: Math.min(places, mostOfPlaces),
  };
  return { intercept, weights: confidenceEvidence.map(name => told[name]) };
}

/** Of true claims alone. Few labels: drawn to what was set by hand. */
function fitMatters(/** @type {readonly Lesson[]} */ lessons) {
  const taught = lessons.filter(({ claim }) => claim.isMaterial !== null);
  if (taught.length === 0) return mattersPrior;
  return fitTowards(
    taught.map(({ matters }) => matters),
    taught.map(({ claim }) => Number(claim.isMaterial)),
    {
      penalty: penalties.matters,
      weights: weighBySize(taught),
      prior: mattersPrior.weights,
    },
  );
}

/** Each lesson with the log-odds of truth and mattering by numbers fitted without its fold. */
function judgeApart(/** @type {readonly Lesson[]} */ lessons) {
  return [...new Set(lessons.map(({ fold }) => fold))].flatMap(fold => {
    const others = lessons.filter(lesson => lesson.fold !== fold);
    const taught = others.length === 0 ? lessons : others;
    const [truth, matters] = [fitTruth(taught), fitMatters(taught)];
    return lessons
      .filter(lesson => lesson.fold === fold)
      .map(lesson => ({
        ...lesson,
        odds: [
          oddsOf(truth, lesson.truth) - truth.weights[at.places] * lesson.truth[at.places],
          oddsOf(matters, lesson.matters),
        ],
      }));
  });
}

/** @typedef {ReturnType<typeof judgeApart>[number]} JudgedLesson */

function fitWorth(/** @type {readonly JudgedLesson[]} */ judged) {
  return fitTowards(
    judged.map(({ odds }) => odds),
    judged.map(({ claim }) => Number(claim.isReal)),
    { penalty: penalties.worth, weights: weighBySize(judged), prior: worthPrior },
  );
}

// What each cut selects, out of fold.

/** Each claim with `worth` by numbers fitted without its fold, and the `cell` of panels that it is scored with. */
function judgeWorthApart(/** @type {readonly JudgedLesson[]} */ judged) {
  return [...new Set(judged.map(({ fold }) => fold))].flatMap(fold => {
    const others = judged.filter(lesson => lesson.fold !== fold);
    const worth = fitWorth(others.length === 0 ? judged : others);
    return judged
      .filter(lesson => lesson.fold === fold)
      .map(({ claim, size, draw, odds, isStated }) => ({
        ...claim,
        size,
        isStated,
        cell: [claim.panel.group, claim.panel.labelling, size, draw].join('\n'),
        worth: chanceOf(oddsOf(worth, odds)),
      }));
  });
}

/** @typedef {ReturnType<typeof judgeWorthApart>[number]} WeighedClaim */

/** Means over sizes, draws, repositories and labellings. */
function measureCuts(/** @type {readonly WeighedClaim[]} */ claims) {
  const cells = cellsOf(claims);
  return cuts
    .filter(cut => claims.filter(({ worth }) => worth >= cut).length >= fewestSelected)
    .map(cut => {
      const { precision, recall } = meanScore(cells, cut);
      return { cut, precision, recall };
    });
}

/** Judged claims of each kind, each once however often it is drawn. */
function countCases(/** @type {readonly Lesson[]} */ lessons) {
  /** @type {Map<string, Set<string>>} */
  const kinds = new Map();
  for (const { claim, truth } of lessons) {
    const { panel, supporters, electors, findings, isTrue } = claim;
    if (isTrue === null) continue;
    const kind = kindOf(supporters.length, electors.length, truth[at.places] > 0);
    const ids = findings.map(({ id }) => id).toSorted();
    const key = JSON.stringify([panel.group, panel.pull, panel.labelling, ids]);
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(key));
  }
  return Object.fromEntries(
    [...kinds]
      .map(([kind, keys]) => /** @type {const} */ ([kind, keys.size]))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/**
 * Half of the best F1 of each size as a line over the logarithm of the reviewers, one line for panels that state severities and a
 * parallel one for those that do not, by least squares; and what they select.
 */
function fitBest(
  /** @type {readonly WeighedClaim[]} */ claims,
  /** @type {ReturnType<typeof fitWorth>} */ worth,
) {
  const points = [...sizes, 'all'].flatMap(size =>
    [false, true].flatMap(isStated => {
      const own = claims.filter(claim => claim.size === size && claim.isStated === isStated);
      if (new Set(own.map(({ panel }) => pullOf(panel))).size < fewestPanels) return [];
      return [
        {
          isStated,
          log: Math.log(reviewersOf(own)),
          half: Math.max(...cuts.map(cut => meanScore(cellsOf(own), cut).f1)) / 2,
        },
      ];
    }),
  );
  const lines = [false, true].map(isStated => {
    const own = points.filter(point => point.isStated === isStated);
    const [log, half] = [meanOf(own.map(each => each.log)), meanOf(own.map(each => each.half))];
    return { own, log, half };
  });
  const slopes = lines.flatMap(({ own, log, half }) =>
    own.map(each => ({ rise: (each.log - log) * (each.half - half), run: (each.log - log) ** 2 })),
  );
  const growth =
    slopes.reduce((sum, { rise }) => sum + rise, 0) /
    (slopes.reduce((sum, { run }) => sum + run, 0) || 1);
  const [plain, stated] = lines.map(({ own, log, half }) =>
    own.length === 0 ? null : half - growth * log,
  );
  const base = plain ?? stated ?? 0;
  // Where no taught panel states severities, what all claims of such a panel are given for it tells none of them apart.
  const { half } = lines[0];
  const graded =
    stated === null
      ? chanceOf(Math.log(half / (1 - half)) + worth.weights[1] * mattersPrior.weights[0]) - half
      : stated - base;
  return {
    base,
    growth,
    graded,
    panels: [...sizes, 'all'].flatMap(size => {
      const own = claims.filter(claim => claim.size === size);
      if (own.length === 0) return [];
      const reviewers = reviewersOf(own);
      const { precision, recall } = meanScore(
        cellsOf(own),
        base + growth * Math.log(reviewers),
        graded,
      );
      return [{ reviewers, precision, recall }];
    }),
  };
}

function reviewersOf(/** @type {readonly WeighedClaim[]} */ claims) {
  return Math.round(meanOf(claims.map(({ electors }) => electors.length)));
}

function cellsOf(/** @type {readonly WeighedClaim[]} */ claims) {
  /** @type {Map<string, WeighedClaim[]>} */
  const cells = new Map();
  for (const claim of claims) {
    const own = cells.get(claim.cell);
    if (own === undefined) cells.set(claim.cell, [claim]);
    else own.push(claim);
  }
  return [...cells.values()];
}

/** Where nothing is selected there is no precision. `graded`: added to the cut where severities are stated. */
function meanScore(
  /** @type {readonly (readonly WeighedClaim[])[]} */ cells,
  /** @type {number} */ cut,
  graded = 0,
) {
  const scored = cells
    .map(own => scoreClaims(own, ({ worth, isStated }) => worth >= cut + (isStated ? graded : 0)))
    // Panels in which no issue is known have no recall.
    .filter(({ recall }) => !Number.isNaN(recall));
  return {
    precision: meanOf(scored.filter(({ named }) => named > 0).map(({ precision }) => precision)),
    recall: meanOf(scored.map(({ recall }) => recall)),
    f1: meanOf(scored.map(({ f1 }) => f1)),
  };
}

function meanOf(/** @type {readonly number[]} */ values) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
