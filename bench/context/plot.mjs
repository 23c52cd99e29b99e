// The measures as bars, one colour for each method, written as SVG.

const colours = [
  '#1b6ca8',
  '#c8553d',
  '#e0a458',
  '#b08968',
  '#3c8d5a',
  '#7a5195',
  '#8d99ae',
  '#495057',
];
const [barWidth, letterWidth, groupGap, height, margin] = [16, 6, 24, 260, 56];

/**
 * `names` of the methods by key.
 * @param {readonly Pick<import('./report.mjs').MeasureRow, 'measure' | 'cap' | 'of' | 'shares'>[]} rows
 * @param {Readonly<Record<string, string>>} names
 */
export function plotMeasures(rows, names) {
  const groups = rows.filter(({ of }) => of > 0);
  const keys = Object.keys(names).filter(key => groups.some(({ shares }) => shares[key] !== null));
  let left = margin;
  const bars = groups.flatMap(({ measure, cap, of, shares }) => {
    const shown = keys.filter(key => shares[key] !== null);
    const labels = [measure, `${cap} tokens, ${of}`];
    const room = Math.max(
      shown.length * barWidth,
      letterWidth * Math.max(...labels.map(label => label.length)),
    );
    const middle = left + room / 2;
    const start = middle - (shown.length * barWidth) / 2;
    const drawn = shown.map((key, index) => {
      const top = y(Number(shares[key]));
      return (
        `<rect x="${start + index * barWidth}" y="${top}" width="${barWidth - 2}" height="${y(0) - top}" ` +
        `fill="${colours[keys.indexOf(key)]}"><title>${escape(names[key])}: ` +
        `${(100 * Number(shares[key])).toFixed(0)} % of ${of}</title></rect>`
      );
    });
    left += room + groupGap;
    return [
      ...drawn,
      `<text x="${middle}" y="${y(0) + 16}" text-anchor="middle">${escape(labels[0])}</text>`,
      `<text x="${middle}" y="${y(0) + 30}" text-anchor="middle" fill="#666">${labels[1]}</text>`,
    ];
  });
  const width = Math.max(left, margin + 4 * 180);
  const lines = [0, 0.25, 0.5, 0.75, 1].flatMap(share => [
    `<line x1="${margin - 6}" x2="${width - 12}" y1="${y(share)}" y2="${y(share)}" stroke="#ddd"/>`,
    `<text x="${margin - 10}" y="${y(share) + 4}" text-anchor="end">${100 * share} %</text>`,
  ]);
  const legend = keys.map(
    (key, index) =>
      `<text x="${margin + (index % 4) * 180}" y="${height + 64 + 18 * Math.floor(index / 4)}" ` +
      `fill="${colours[index]}">■ ${escape(names[key])}</text>`,
  );
  const total = height + 110;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" width="${width}" ` +
    `height="${total}" font-family="sans-serif" ` +
    `font-size="11">\n${['<rect width="100%" height="100%" fill="#fff"/>', ...lines, ...bars, ...legend].join('\n')}\n</svg>\n`
  );
}

const y = (/** @type {number} */ share) => Math.round(24 + (1 - share) * (height - 24));
const escape = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
