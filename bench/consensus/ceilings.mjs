// What nobody can exceed on these labels: the second labelling itself, and perfect merging.
import { labellingsOf } from './labelled-panels.mjs';
import { countBySupport, precisionFrom, scoreClaims, scores } from './measures.mjs';
import { words } from '../../dist/agreement/wording/words.js';
import { jaccard } from './strategies.mjs';
import { figure, percent, table } from './tables.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').Panel} Panel
 * @typedef {Pick<import('./tallies.mjs').Claim, 'panel' | 'isReal' | 'issues' | 'supporters'>} Claim
 */

export function ceilings(
  /** @type {readonly Panel[]} */ panels,
  /** @type {readonly Claim[]} */ claims,
) {
  return [perfectMerging(panels, claims), oneByTheOther(panels)].filter(Boolean).join('\n\n');
}

function perfectMerging(
  /** @type {readonly Panel[]} */ panels,
  /** @type {readonly Claim[]} */ claims,
) {
  const rows = labellingsOf(panels).map(labelling => {
    const own = panels.filter(panel => panel.labelling === labelling);
    const perfect = [
      ...own.flatMap(perfectClaims),
      ...claims.filter(({ panel, isReal }) => panel.labelling === labelling && !isReal),
    ];
    const votes = [2, 3, 4, 5]
      .map(
        least =>
          `≥ ${least}: ${figure(scoreClaims(perfect, ({ supporters }) => supporters.length >= least).f1)}`,
      )
      .join('  ');
    const { precision, real, all } = precisionFrom(countBySupport(perfect), 5);
    return [labelling, votes, precision === null ? '' : `${figure(precision)} (${real}/${all})`];
  });
  return table(
    'Ceiling: with the known issues merged without a fault',
    ['labelling', 'F1 of votes', 'precision of ≥ 5'],
    rows,
  );
}

function perfectClaims(/** @type {Panel} */ panel) {
  return panel.known.flatMap(issue => {
    const members = panel.issues.flatMap((own, index) => (own === issue ? [index] : []));
    return members.length === 0
      ? []
      : [
          {
            panel,
            members,
            supporters: [...new Set(members.map(index => panel.findings[index].reviewer))],
            issues: [issue],
            isReal: true,
          },
        ];
  });
}

/** One labelling taken for a prediction of the other, as if whoever made it were the matcher. */
function oneByTheOther(/** @type {readonly Panel[]} */ panels) {
  const [one, other] = labellingsOf(panels);
  if (other === undefined) return '';
  const agreement = agreementOfLabellings(panels);
  const rows = [
    [one, other],
    [other, one],
  ].map(([predicting, predicted]) => {
    const { precision, recall, f1 } = predictLabelling(panels, predicting, predicted);
    return [predicting, predicted, figure(precision), figure(recall), figure(f1)];
  });
  const matches = `${percent(agreement.share)} of the (reviewer, issue) matches that either of them has`;
  return `${table(
    'Ceiling: pairs of one labelling as the other has them (findings of a reviewer are told again by their words)',
    ['says', 'of', 'precision', 'recall', 'pair F1'],
    rows,
  )}\nThe labellings agree on ${matches} (${agreement.both} of ${agreement.either}).`;
}

/**
 * Pairs of `predicted`, judged by the issues that `predicting` gives the findings most like them.
 * @param {readonly Panel[]} panels
 * @param {string} predicting
 * @param {string} predicted
 */
export function predictLabelling(panels, predicting, predicted) {
  let [hits, named, all] = [0, 0, 0];
  for (const panel of panels.filter(({ labelling }) => labelling === predicted)) {
    const source = panels.find(
      each =>
        each.labelling === predicting && each.group === panel.group && each.pull === panel.pull,
    );
    if (source === undefined) continue;
    const told = tellAgain(panel, source);
    for (let one = 0; one < panel.findings.length; one += 1) {
      for (let next = 0; next < one; next += 1) {
        if (
          panel.findings[one].reviewer === panel.findings[next].reviewer ||
          (panel.issues[one] ?? panel.issues[next]) === null
        )
          continue;
        const isSame = panel.issues[one] === panel.issues[next];
        const isNamed = told[one] !== null && told[one] === told[next];
        hits += Number(isSame && isNamed);
        named += Number(isNamed);
        all += Number(isSame);
      }
    }
  }
  return scores(hits, named, all);
}

/** For each finding the issue of that finding of the same reviewer in `source` that shares most words, each used once. */
function tellAgain(/** @type {Panel} */ panel, /** @type {Panel} */ source) {
  const read = source.findings.map(({ text }) => words(text));
  const candidates = panel.findings.flatMap((finding, index) => {
    const own = words(finding.text);
    return source.findings.flatMap(({ reviewer }, at) =>
      reviewer === finding.reviewer ? [{ index, at, likeness: jaccard(own, read[at]) }] : [],
    );
  });
  const told = panel.findings.map(() => /** @type {string | null} */ (null));
  const [taken, used] = [new Set(), new Set()];
  for (const { index, at, likeness } of candidates.toSorted(
    (one, other) => other.likeness - one.likeness,
  )) {
    if (likeness === 0 || taken.has(index) || used.has(at)) continue;
    taken.add(index);
    used.add(at);
    told[index] = source.issues[at];
  }
  return told;
}

function agreementOfLabellings(/** @type {readonly Panel[]} */ panels) {
  const [one, other] = labellingsOf(panels).map(
    labelling =>
      new Set(
        panels
          .filter(panel => panel.labelling === labelling)
          .flatMap(({ repository, pull, findings, issues }) =>
            issues.flatMap((issue, index) =>
              issue === null ? [] : [`${repository}/${pull}/${issue}/${findings[index].reviewer}`],
            ),
          ),
      ),
  );
  const both = [...one].filter(match => other.has(match)).length;
  const either = new Set([...one, ...other]).size;
  return { both, either, share: both / either };
}
