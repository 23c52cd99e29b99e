// Measures a version of Jury on panels of every size: its claims, and what each pull request adds to the figures.
import { drawPanels } from './labelled-panels.mjs';
import { rankReviewers } from './measures.mjs';
import { tallyPanels } from './tallies.mjs';

/** Reviewers of a panel, drawn; `all` seats everybody. */
export const sizes = [2, 3, 5, 8, 'all'];

/** Drawn panels for each pull request and labelling. */
export const draws = 20;

/**
 * `{ panels, claims, tallies }` by size. `panels` are measured; those `beside` are only fitted on. `isLeftOut`:
 * by numbers that never saw the repository; else by those that the version ships.
 */
export async function measureVersion(version, { panels, beside, isLeftOut, only = sizes }) {
  const ranks = rankReviewers(panels);
  const measured = new Map();
  for (const size of only) {
    const draw = panel => drawOnce(panel, size);
    const drawn = panels.flatMap(draw);
    const claims = isLeftOut
      ? await version.validate(panels, beside, draw)
      : await version.ship(drawn);
    measured.set(size, {
      panels: drawn,
      claims,
      tallies: tallyPanels(drawn, claims, ranks),
    });
  }
  return measured;
}

const known = new Map();

/** Every version sees the same panels. */
function drawOnce(panel, size) {
  if (size === 'all') return [panel];
  const bySize = known.get(panel) ?? new Map();
  known.set(panel, bySize);
  if (!bySize.has(size))
    bySize.set(
      size,
      drawPanels(
        panel,
        Array.from({ length: draws }, () => size),
        3,
      ),
    );
  return bySize.get(size);
}

/** Claims as they are assessed when the decisions about other repositories are known. */
export function withHistory(claims) {
  return claims.map(claim => {
    const known = claim.withHistory;
    const unknown = { matters: undefined, worth: undefined, act: undefined };
    return {
      ...claim,
      ...unknown,
      ...(typeof known === 'object' ? known : { probability: known }),
    };
  });
}
