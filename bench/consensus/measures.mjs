// What the benchmark measures. Labels say which known issue a finding matches, or none; of two findings without one nobody knows.

/**
 * @typedef {import('./labelled-panels.mjs').Panel} Panel
 * @typedef {{ readonly panel: Panel, readonly members: readonly number[] }} Members
 * @typedef {{ readonly panel: Panel, readonly isReal: boolean, readonly issues: readonly string[] }} Judged
 * @typedef {{ readonly probability: number, readonly isReal: boolean }} Stated
 */

/** Cross-reviewer pairs of which at least one finding matches a known issue: precision, recall and F1 of being in one claim. */
export function scorePairs(/** @type {readonly Members[]} */ claims) {
  const { hits, named, all } = countPairs(claims);
  return scores(hits, named, all);
}

/** The same pairs: those in one claim that belong there, all in one claim, all that belong there. */
export function countPairs(/** @type {readonly Members[]} */ claims) {
  let [hits, wrong, missed] = [0, 0, 0];
  for (const own of byPanel(claims)) {
    const { panel } = own[0];
    const claimOf = new Map(
      own.flatMap(({ members }, number) =>
        members.map(index => /** @type {const} */ ([index, number])),
      ),
    );
    for (let one = 0; one < panel.findings.length; one += 1) {
      for (let other = 0; other < one; other += 1) {
        if (
          panel.findings[one].reviewer === panel.findings[other].reviewer ||
          (panel.issues[one] ?? panel.issues[other]) === null
        )
          continue;
        const isSame = panel.issues[one] === panel.issues[other];
        if (claimOf.get(one) !== claimOf.get(other)) missed += Number(isSame);
        else if (isSame) hits += 1;
        else wrong += 1;
      }
    }
  }
  return { hits, named: hits + wrong, all: hits + missed };
}

export function scores(
  /** @type {number} */ hits,
  /** @type {number} */ named,
  /** @type {number} */ all,
) {
  const [precision, recall] = [hits / Math.max(named, 1), hits / Math.max(all, 1)];
  return { precision, recall, f1: (2 * precision * recall) / Math.max(precision + recall, 1e-9) };
}

/** Claims that hold findings of two known issues, and their share of all claims. */
export function countFused(/** @type {readonly Pick<Judged, 'issues'>[]} */ claims) {
  const fused = claims.filter(({ issues }) => issues.length > 1).length;
  return { fused, claims: claims.length, share: fused / claims.length };
}

/**
 * Claims and real ones by the number of agreeing reviewers, `counts[support] = { real, all }`.
 * @param {readonly { readonly supporters: readonly unknown[], readonly isReal: boolean }[]} claims
 */
export function countBySupport(claims) {
  /** @type {{ real: number, all: number }[]} */
  const counts = [];
  for (const { supporters, isReal } of claims) {
    const count = (counts[supporters.length] ??= { real: 0, all: 0 });
    count.all += 1;
    count.real += Number(isReal);
  }
  return counts;
}

export function precisionFrom(
  /** @type {ReturnType<typeof countBySupport>} */ counts,
  /** @type {number} */ least,
) {
  const [real, all] = counts.reduce(
    ([right, total], count, support) =>
      support >= least && count ? [right + count.real, total + count.all] : [right, total],
    [0, 0],
  );
  return { real, all, precision: all === 0 ? null : real / all };
}

/**
 * Precision, recall and F1 of the claims that `isNamed`: recall over all known issues, each found once. `strict`: so is precision.
 * @template {Judged} C
 * @param {readonly C[]} claims
 * @param {(claim: C) => boolean} isNamed
 */
export function scoreClaims(claims, isNamed) {
  const named = claims.filter(isNamed);
  const found = new Set(
    named.filter(({ isReal }) => isReal).map(({ panel, issues }) => `${keyOf(panel)} ${issues[0]}`),
  );
  const known = byPanel(claims).reduce((sum, [{ panel }]) => sum + panel.known.length, 0);
  const precision = named.filter(({ isReal }) => isReal).length / Math.max(named.length, 1);
  const recall = found.size / known;
  return {
    named: named.length,
    precision,
    recall,
    f1: (2 * precision * recall) / Math.max(precision + recall, 1e-9),
    strictF1: scores(found.size, named.length, known).f1,
  };
}

/** F1 of each reviewer alone, best first. */
export function scoreReviewers(/** @type {readonly Panel[]} */ panels) {
  const known = panels.reduce((sum, panel) => sum + panel.known.length, 0);
  return [...new Set(panels.flatMap(({ reviewers }) => reviewers))]
    .map(reviewer => {
      const said = panels.flatMap(panel =>
        panel.findings.flatMap((finding, index) =>
          finding.reviewer === reviewer
            ? [panel.issues[index] === null ? null : `${keyOf(panel)} ${panel.issues[index]}`]
            : [],
        ),
      );
      return {
        reviewer,
        ...scores(new Set(said.filter(issue => issue !== null)).size, said.length, known),
      };
    })
    .toSorted((one, other) => other.f1 - one.f1);
}

/**
 * Reviewers by F1 alone, best first: `here` by labelling, on these panels themselves; `elsewhere` by labelling and repository, as
 * `elsewhereKey` names them, on all repositories but that one.
 */
export function rankReviewers(/** @type {readonly Panel[]} */ panels) {
  /** @type {Map<string, string[]>} */
  const here = new Map();
  /** @type {Map<string, string[]>} */
  const elsewhere = new Map();
  for (const labelling of new Set(panels.map(panel => panel.labelling))) {
    const own = panels.filter(panel => panel.labelling === labelling);
    here.set(labelling, namesByF1(own));
    for (const repository of new Set(own.map(panel => panel.repository)))
      elsewhere.set(
        elsewhereKey({ labelling, repository }),
        namesByF1(own.filter(panel => panel.repository !== repository)),
      );
  }
  return { here, elsewhere };
}

function namesByF1(/** @type {readonly Panel[]} */ panels) {
  return scoreReviewers(panels).map(({ reviewer }) => reviewer);
}

export function elsewhereKey(
  /** @type {Pick<Panel, 'labelling' | 'repository'>} */ { labelling, repository },
) {
  return `${labelling}\n${repository}`;
}

/** Ten bins of stated probability: mean stated, share real, count; and the expected calibration error over them. */
export function calibrate(/** @type {readonly Stated[]} */ stated) {
  const bins = Array.from({ length: 10 }, (_, bin) =>
    stated.filter(({ probability }) => Math.min(9, Math.floor(probability * 10)) === bin),
  ).map(list => ({
    count: list.length,
    stated: mean(list.map(({ probability }) => probability)),
    real: mean(list.map(({ isReal }) => Number(isReal))),
  }));
  const error =
    bins.reduce(
      (sum, { count, stated: said, real }) =>
        sum + (count === 0 ? 0 : count * Math.abs(said - real)),
      0,
    ) / stated.length;
  return { bins, error };
}

/** Mean negative log-likelihood: lower is better, and unlike F1 it does not jump at a cut. */
export function logLoss(/** @type {readonly Stated[]} */ stated) {
  return mean(
    stated.map(
      ({ probability, isReal }) =>
        -Math.log(Math.max(isReal ? probability : 1 - probability, 1e-9)),
    ),
  );
}

function mean(/** @type {readonly number[]} */ values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * @template {{ readonly panel: Panel }} C
 * @param {readonly C[]} claims
 */
export function byPanel(claims) {
  /** @type {Map<Panel, C[]>} */
  const groups = new Map();
  for (const claim of claims) groups.set(claim.panel, [...(groups.get(claim.panel) ?? []), claim]);
  return [...groups.values()];
}

function keyOf(/** @type {Panel} */ { repository, pull }) {
  return `${repository}/${pull}`;
}
