// Two plots as SVG: stated against observed probability, and the share of real claims by the number of agreeing reviewers.

/**
 * @typedef {ReturnType<typeof import('./measures.mjs').calibrate>['bins']} Bins
 * @typedef {ReturnType<typeof import('./bootstrap.mjs').forecasterBand>['bins']} Band
 * @typedef {{ readonly calls: number, readonly f1: number }} AskedPoint
 */

const [width, height, margin] = [420, 420, 56];
const colours = ['#1b6ca8', '#c8553d', '#3c8d5a', '#7a5195', '#8a6d1d'];

/**
 * The area of a dot is the number of its claims; the bar behind it is where the dot of a perfect forecaster lies in 95 of 100
 * draws.
 * @param {string} title
 * @param {readonly { readonly name: string, readonly bins: Bins, readonly band: Band }[]} series
 */
export function plotReliability(title, series) {
  const bars = series.flatMap(({ bins, band }, index) =>
    bins.flatMap(({ stated }, bin) => {
      const ends = band[bin];
      if (ends === null) return [];
      const [low, high] = ends;
      return [
        `<line x1="${x(stated)}" y1="${y(low)}" x2="${x(stated)}" y2="${y(high)}" ` +
          `stroke="${colours[index]}" stroke-width="5" stroke-opacity="0.22"/>`,
      ];
    }),
  );
  const dots = series.flatMap(({ bins }, index) =>
    bins
      .filter(({ count }) => count > 0)
      .map(
        ({ stated, real, count }) =>
          `<circle cx="${x(stated)}" cy="${y(real)}" r="${(2 + Math.sqrt(count) / 1.6).toFixed(1)}" ` +
          `fill="${colours[index]}" fill-opacity="0.6"><title>${count} claims: stated ${stated.toFixed(2)}, ` +
          `real ${real.toFixed(2)}</title></circle>`,
      ),
  );
  const diagonal = `<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#999" stroke-dasharray="4 4"/>`;
  return frame(
    title,
    'stated probability',
    'share that is so (bars: of a perfect forecaster)',
    [diagonal, ...bars, ...dots, ...legend(series)],
    [0, 0.25, 0.5, 0.75, 1].map(at => ({ at, text: at.toFixed(2) })),
  );
}

/**
 * @param {readonly { readonly name: string, readonly points: readonly { readonly support: number, readonly precision: number,
 *   readonly count: number }[] }[]} series
 */
export function plotPrecision(series) {
  const most = Math.max(...series.flatMap(({ points }) => points.map(({ support }) => support)));
  const at = (/** @type {number} */ support) => (support - 1) / Math.max(most - 1, 1);
  const marks = series.flatMap(({ points }, index) => [
    `<polyline fill="none" stroke="${colours[index]}" stroke-width="2" ` +
      `points="${points.map(({ support, precision }) => `${x(at(support))},${y(precision)}`).join(' ')}"/>`,
    ...points.map(
      ({ support, precision, count }) =>
        `<circle cx="${x(at(support))}" cy="${y(precision)}" r="3.5" ` +
        `fill="${colours[index]}"><title>${support} agree: ${precision.toFixed(2)} of ${count} ` +
        'claims</title></circle>',
    ),
  ]);
  return frame(
    'Precision by support',
    'reviewers that agree',
    'share of real claims',
    [...marks, ...legend(series)],
    Array.from({ length: most }, (_, index) => ({ at: at(index + 1), text: String(index + 1) })),
  );
}

/**
 * What was asked at random is dashed.
 * @param {readonly { readonly name: string, readonly way: string, readonly points: readonly AskedPoint[] }[]} series
 */
export function plotVerifiers(series) {
  const names = [...new Set(series.map(({ name }) => name))];
  const most = Math.max(0.1, ...series.flatMap(({ points }) => points.map(({ calls }) => calls)));
  const lines = series.map(({ name, way, points }) => {
    const colour = colours[names.indexOf(name) % colours.length];
    const path = points.map(({ calls, f1 }) => `${x(calls / most)},${y(f1)}`).join(' ');
    return (
      `<polyline fill="none" stroke="${colour}" ` +
      `stroke-width="2"${way === 'random' ? ' stroke-dasharray="4 4"' : ''} ` +
      `points="${path}"><title>${name}, ${way}: ` +
      `${points.map(({ calls, f1 }) => `${(100 * calls).toFixed(1)} % ${f1.toFixed(3)}`).join(', ')}</title></polyline>`
    );
  });
  return frame(
    'Asking about uncertain claims (dashed: at random)',
    'calls, as a share of the claims',
    'F1 at .5',
    [...lines, ...legend(names.map(name => ({ name })))],
    [0, 0.25, 0.5, 0.75, 1].map(at => ({ at, text: `${(100 * at * most).toFixed(0)} %` })),
  );
}

function x(/** @type {number} */ share) {
  return (margin + share * (width - 2 * margin)).toFixed(1);
}

function y(/** @type {number} */ share) {
  return (height - margin - share * (height - 2 * margin)).toFixed(1);
}

/**
 * @param {string} title
 * @param {string} below
 * @param {string} beside
 * @param {readonly string[]} content
 * @param {readonly { readonly at: number, readonly text: string }[]} ticks
 */
function frame(title, below, beside, content, ticks) {
  const labels = [
    ...ticks.map(
      ({ at, text }) =>
        `<text x="${x(at)}" y="${height - margin + 18}" text-anchor="middle">${text}</text>`,
    ),
    ...[0, 0.25, 0.5, 0.75, 1].map(
      at =>
        `<text x="${margin - 8}" y="${Number(y(at)) + 4}" text-anchor="end">${at.toFixed(2)}</text>`,
    ),
    `<text x="${width / 2}" y="26" text-anchor="middle" font-weight="bold">${title}</text>`,
    `<text x="${width / 2}" y="${height - 12}" text-anchor="middle">${below}</text>`,
    `<text x="16" y="${height / 2}" text-anchor="middle" transform="rotate(-90 16 ${height / 2})">${beside}</text>`,
  ];
  const box = `<rect x="${margin}" y="${margin}" width="${width - 2 * margin}" height="${height - 2 * margin}" fill="none" stroke="#ccc"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" font-family="sans-serif" ` +
    `font-size="12">\n${['<rect width="100%" height="100%" fill="#fff"/>', box, ...labels, ...content].join('\n')}\n</svg>\n`
  );
}

/** In the corner below the curves, which no probability worth its name reaches. */
function legend(/** @type {readonly { readonly name: string }[]} */ series) {
  return series.map(
    ({ name }, index) =>
      `<text x="${width - margin - 10}" y="${height - margin - 12 - 16 * (series.length - 1 - index)}" ` +
      `text-anchor="end" fill="${colours[index % colours.length]}">${name}</text>`,
  );
}
