// The tables of the benchmark. All figures but those marked "shipped" leave one repository out.
import { confidenceModel, matcherModel } from '../../dist/core/matching/calibrated-model.js';
import { createCalibratedMatcher } from '../../dist/core/matching/calibrated.js';
import { claimsOf } from './claims-of.mjs';
import { assessPanel, crossValidate } from './cross-validation.mjs';
import { drawPanels, labellingsOf, repositoriesOf } from './labelled-panels.mjs';
import { fitMatcher } from './matcher-fit.mjs';
import {
  calibrate,
  countBySupport,
  countFused,
  logLoss,
  precisionFrom,
  scoreClaims,
  scorePairs,
  scoreReviewers,
  scores,
} from './measures.mjs';
import { plotPrecision, plotReliability, plotVerifiers } from './plots.mjs';
import { measureSpeed } from './speed.mjs';
import { labelledPairs, strategies } from './strategies.mjs';
import { verifiersTable } from './verifiers.mjs';

const sizes = [3, 5, 7];
const draws = 20;

export async function report(panels) {
  const claims = await crossValidate(panels);
  const shipped = [];
  for (const panel of panels)
    shipped.push(
      ...(await assessPanel(panel, { matcher: matcherModel, confidence: confidenceModel }, [])),
    );
  const drawn = new Map([['all', claims]]);
  for (const size of sizes)
    drawn.set(
      size,
      await crossValidate(panels, panel =>
        drawPanels(
          panel,
          Array.from({ length: draws }, () => size),
          3,
        ),
      ),
    );
  const verified = [
    verifiersTable(claims),
    verifiersTable(drawn.get(3), { name: 'panels of 3 drawn reviewers' }),
  ];
  const sections = [
    `${panels.length} panels: ${repositoriesOf(panels).join(', ')}; labellings ${labellingsOf(panels).join(', ')}. Every figure leaves out the repository it is measured on, but for those marked "shipped", which come from the numbers in the source (on the data of their own fit they are too good).`,
    await comparison(panels, { claims, shipped }),
    precisions(drawn),
    confidences(panels, { claims, shipped }),
    await ablation(panels),
    ceiling(panels, claims),
    ...verified.map(({ text }) => text),
    await speed(panels),
  ];
  const labellings = labellingsOf(panels);
  const plots = {
    'reliability.svg': plotReliability(
      labellings.map(name => ({ name, bins: calibrate(ofLabelling(claims, name)).bins })),
    ),
    'verifiers.svg': plotVerifiers(verified[0].series),
    'precision-by-support.svg': plotPrecision(
      [...drawn].map(([size, list]) => ({
        name: size === 'all' ? 'all reviewers' : `panels of ${size}`,
        points: pointsOf(list),
      })),
    ),
  };
  return { text: sections.join('\n\n'), plots };
}

async function comparison(panels, { claims, shipped }) {
  const rows = [];
  for (const { name, fit, isPairwise } of strategies) {
    const found = name === 'calibrated' ? claims : [];
    const judged = [];
    if (name !== 'calibrated') {
      for (const repository of repositoriesOf(panels)) {
        const matcher = fit(panels.filter(panel => panel.repository !== repository));
        for (const panel of panels.filter(each => each.repository === repository)) {
          found.push(...(await claimsOf(panel, matcher)));
          if (isPairwise)
            judged.push(
              ...labelledPairs(panel).map(([one, other, isSame]) => ({
                labelling: panel.labelling,
                isSame,
                isNamed: matcher.compare(panel.findings[one], panel.findings[other]).same,
              })),
            );
        }
      }
    }
    rows.push(...rowsOf(name, found, judged));
  }
  rows.push(...rowsOf('calibrated, shipped', shipped, []));
  return table(
    'Merging: cross-reviewer pairs of which at least one finding matches a known issue',
    [
      'strategy',
      'labelling',
      'pairwise F1',
      'precision',
      'recall',
      'F1',
      'fused claims',
      'share',
      'best vote F1',
    ],
    rows,
  );
}

function rowsOf(name, claims, judged) {
  return labellingsOf(claims.map(({ panel }) => panel)).map(labelling => {
    const own = ofLabelling(claims, labelling);
    const pairs = judged.filter(pair => pair.labelling === labelling);
    const before =
      pairs.length === 0
        ? ''
        : figure(
            scores(
              pairs.filter(({ isSame, isNamed }) => isSame && isNamed).length,
              pairs.filter(({ isNamed }) => isNamed).length,
              pairs.filter(({ isSame }) => isSame).length,
            ).f1,
          );
    const { precision, recall, f1 } = scorePairs(own);
    const { fused, claims: all, share } = countFused(own);
    const votes = [1, 2, 3, 4, 5, 6]
      .map(least => ({
        least,
        f1: scoreClaims(own, ({ supporters }) => supporters.length >= least).f1,
      }))
      .toSorted((one, other) => other.f1 - one.f1);
    return [
      name,
      labelling,
      before,
      figure(precision),
      figure(recall),
      figure(f1),
      `${fused}/${all}`,
      percent(share),
      `${figure(votes[0].f1)} (≥ ${votes[0].least})`,
    ];
  });
}

function precisions(drawn) {
  const rows = [...drawn].flatMap(([size, claims]) =>
    labellingsOf(claims.map(({ panel }) => panel)).map(labelling => {
      const counts = countBySupport(ofLabelling(claims, labelling));
      return [
        size === 'all' ? 'all' : `${size} of 12`,
        labelling,
        ...[1, 2, 3, 4, 5].map(least =>
          least === 1
            ? share(precisionFrom(counts.slice(0, 2), 1))
            : share(precisionFrom(counts, least)),
        ),
      ];
    }),
  );
  return table(
    `Precision by support (calibrated; ${draws} random panels for each change)`,
    ['panel', 'labelling', 'exactly 1', '≥ 2', '≥ 3', '≥ 4', '≥ 5'],
    rows,
  );
}

function share({ real, all, precision }) {
  return precision === null ? '' : `${figure(precision)} (${real}/${all})`;
}

function confidences(panels, { claims, shipped }) {
  const kinds = [
    ['no history', claims, 'probability'],
    ['history of the other repositories', claims, 'withHistory'],
    ['no history, shipped', shipped, 'probability'],
  ];
  const rows = kinds.flatMap(([name, list, key]) =>
    labellingsOf(panels).map(labelling => {
      const own = ofLabelling(list, labelling).map(claim => ({
        ...claim,
        probability: claim[key],
      }));
      const best = scoreReviewers(panels.filter(panel => panel.labelling === labelling))[0];
      const { precision, recall, f1, strictF1 } = scoreClaims(
        own,
        ({ probability }) => probability >= 0.5,
      );
      return [
        name,
        labelling,
        figure(precision),
        figure(recall),
        figure(f1),
        figure(strictF1),
        `${figure(best.f1)} (${best.reviewer})`,
        figure(f1 - best.f1),
        figure(calibrate(own).error),
        logLoss(own).toFixed(4),
      ];
    }),
  );
  return table(
    'Confidence of claims: those of 0.5 and more, against the best single reviewer',
    [
      'confidence',
      'labelling',
      'precision',
      'recall',
      'F1',
      'each issue once',
      'best reviewer',
      'above it',
      'calibration error',
      'log loss',
    ],
    rows,
  );
}

const left = [
  'words',
  'identifiers',
  'letters',
  'length',
  'common neighbours',
  'mutual best match',
  'panel',
];

async function ablation(panels) {
  const rows = [];
  for (const without of [null, ...left]) {
    const claims = [];
    for (const repository of repositoriesOf(panels)) {
      const matcher = createCalibratedMatcher(
        fitMatcher(
          panels.filter(panel => panel.repository !== repository),
          { without: without === null ? [] : [without] },
        ),
      );
      for (const panel of panels.filter(each => each.repository === repository))
        claims.push(...(await claimsOf(panel, matcher)));
    }
    rows.push([
      without === null ? 'everything' : `without ${without}`,
      ...labellingsOf(panels).flatMap(labelling => [
        figure(scorePairs(ofLabelling(claims, labelling)).f1),
        `${countFused(ofLabelling(claims, labelling)).fused}`,
      ]),
    ]);
  }
  return table(
    'Ablation: F1 of pairs after grouping, and fused claims (places, severities and categories are not in this data)',
    ['evidence', ...labellingsOf(panels).flatMap(labelling => [labelling, 'fused'])],
    rows,
  );
}

/** What nobody can exceed on these labels: known issues merged without a fault, everything else as it is. */
function ceiling(panels, claims) {
  const rows = labellingsOf(panels).map(labelling => {
    const own = panels.filter(panel => panel.labelling === labelling);
    const perfect = [
      ...own.flatMap(perfectClaims),
      ...ofLabelling(claims, labelling).filter(({ isReal }) => !isReal),
    ];
    const votes = [2, 3, 4, 5]
      .map(
        least =>
          `≥ ${least}: ${figure(scoreClaims(perfect, ({ supporters }) => supporters.length >= least).f1)}`,
      )
      .join('  ');
    return [labelling, votes, share(precisionFrom(countBySupport(perfect), 5))];
  });
  const agreement = agreementOfLabellings(panels);
  return `${table('Ceiling: with the known issues merged without a fault', ['labelling', 'F1 of votes', 'precision of ≥ 5'], rows)}\nThe labellings agree on ${percent(agreement.share)} of the (reviewer, issue) matches that either of them has (${agreement.both} of ${agreement.either}).`;
}

function perfectClaims(panel) {
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

function agreementOfLabellings(panels) {
  const [one, other = one] = labellingsOf(panels).map(
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

async function speed(panels) {
  const rows = (await measureSpeed(panels, [2_000, 10_000])).map(
    ({ count, milliseconds, megabytes, claims }) => [
      String(count),
      `${Math.round(milliseconds)} ms`,
      `${Math.round(megabytes)} MB`,
      String(claims),
    ],
  );
  return table(
    'Speed: findings of 12 reviewers to claims with confidence',
    ['findings', 'time', 'memory', 'claims'],
    rows,
  );
}

function pointsOf(claims) {
  return countBySupport(claims).flatMap((count, support) =>
    count && count.all >= 3
      ? [{ support, precision: count.real / count.all, count: count.all }]
      : [],
  );
}

function ofLabelling(claims, labelling) {
  return claims.filter(({ panel }) => panel.labelling === labelling);
}

function table(title, head, rows) {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map(row => row[column].length)),
  );
  const line = row =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd();
  return [
    title,
    line(head),
    widths.map(width => '-'.repeat(width)).join('  '),
    ...rows.map(line),
  ].join('\n');
}

function figure(value) {
  return value.toFixed(3);
}

function percent(value) {
  return `${(100 * value).toFixed(2)} %`;
}
