// What labels make of claims. They say which known issue a finding matches, or none; of two findings without one nothing is known.

/**
 * @typedef {import('./labelled-panels.mjs').Panel} Panel
 * @typedef {{ readonly panel: Panel, readonly members: readonly number[] }} Members
 * @typedef {{ readonly panel: Panel, readonly isReal: boolean, readonly issues: readonly string[] }} Judged
 */

/** Pairs of findings of two reviewers of which at least one matches a known issue. */
export function labelledPairs(
  /** @type {Pick<Panel, 'findings' | 'issues'>} */ { findings, issues },
) {
  return findings.flatMap((finding, one) =>
    findings
      .slice(0, one)
      .flatMap((earlier, other) =>
        earlier.reviewer === finding.reviewer || (issues[one] ?? issues[other]) === null
          ? []
          : [{ one, other, isSame: issues[one] === issues[other] }],
      ),
  );
}

/** Labelled pairs of the panels: those in one claim that belong there, all in one claim, all that belong there. */
export function countPairs(/** @type {readonly Members[]} */ claims) {
  let [hits, named, all] = [0, 0, 0];
  for (const own of byPanel(claims)) {
    const claimOf = new Map(
      own.flatMap(({ members }, number) =>
        members.map(index => /** @type {const} */ ([index, number])),
      ),
    );
    for (const { one, other, isSame } of labelledPairs(own[0].panel)) {
      const isNamed = claimOf.get(one) === claimOf.get(other);
      hits += Number(isSame && isNamed);
      named += Number(isNamed);
      all += Number(isSame);
    }
  }
  return { hits, named, all };
}

/**
 * Precision, recall and F1 of the claims that `isNamed`: recall over all known issues, each found once.
 * @template {Judged} C
 * @param {readonly C[]} claims
 * @param {(claim: C) => boolean} isNamed
 */
export function scoreClaims(claims, isNamed) {
  const named = claims.filter(isNamed);
  const real = named.filter(({ isReal }) => isReal);
  const found = new Set(real.map(({ panel, issues }) => `${pullOf(panel)} ${issues[0]}`));
  const known = byPanel(claims).reduce((sum, [{ panel }]) => sum + panel.known.length, 0);
  const precision = real.length / Math.max(named.length, 1);
  const recall = found.size / known;
  const f1 = (2 * precision * recall) / Math.max(precision + recall, 1e-9);
  return { named: named.length, precision, recall, f1 };
}

/** By labelling the reviewers of these panels, the one with the best F1 over known issues first. */
export function rankReviewers(/** @type {readonly Panel[]} */ panels) {
  const labellings = [...new Set(panels.map(({ labelling }) => labelling))];
  return new Map(
    labellings.map(labelling => {
      const own = panels.filter(panel => panel.labelling === labelling);
      const scores = [...new Set(own.flatMap(({ reviewers }) => reviewers))].map(reviewer => ({
        reviewer,
        f1: f1Alone(reviewer, own),
      }));
      return /** @type {const} */ ([
        labelling,
        scores.toSorted((one, other) => other.f1 - one.f1).map(({ reviewer }) => reviewer),
      ]);
    }),
  );
}

function f1Alone(/** @type {string} */ reviewer, /** @type {readonly Panel[]} */ panels) {
  let [found, said, known] = [0, 0, 0];
  for (const panel of panels) {
    const own = issuesSaid(panel, reviewer);
    found += own.found;
    said += own.said;
    known += panel.known.length;
  }
  return (2 * found) / (said + known);
}

/** How many findings a reviewer has in a panel, and how many known issues they match. */
export function issuesSaid(
  /** @type {Panel} */ { findings, issues },
  /** @type {string | undefined} */ reviewer,
) {
  const own = issues.filter((_, index) => findings[index].reviewer === reviewer);
  return { said: own.length, found: new Set(own.filter(issue => issue !== null)).size };
}

/** One pull request, whichever labelling of it. */
export function pullOf(/** @type {Panel} */ { group, pull }) {
  return `${group}/${pull}`;
}

/**
 * @template {{ readonly panel: Panel }} C
 * @param {readonly C[]} claims
 */
function byPanel(claims) {
  /** @type {Map<Panel, C[]>} */
  const groups = new Map();
  for (const claim of claims) {
    const own = groups.get(claim.panel);
    if (own === undefined) groups.set(claim.panel, [claim]);
    else own.push(claim);
  }
  return [...groups.values()];
}
