// One plot as SVG: stated against observed probability, with what a perfect forecaster would show.
import { forecasterBand } from './bootstrap.mjs';
import { binOf } from './tallies.mjs';

/** @typedef {readonly { readonly probability: number, readonly isSo: boolean }[]} Stated */

const [size, margin] = [420, 56];
const ticks = [0, 0.25, 0.5, 0.75, 1];
const colours = ['#1b6ca8', '#c8553d', '#3c8d5a', '#7a5195', '#8a6d1d'];

/**
 * The area of a dot is the number of its claims; the bar behind it is where the dot of a perfect forecaster lies in 95 of 100
 * draws.
 * @param {string} title
 * @param {readonly { readonly name: string, readonly stated: Stated }[]} series
 */
export function plotReliability(title, series) {
  const [low, high, middle] = [margin, size - margin, size / 2];
  const marks = series.flatMap(({ stated }, number) => marksOf(stated, colourOf(number)));
  const names = series.map(
    ({ name }, number) =>
      `<text x="${high - 10}" y="${high - 12 - 16 * (series.length - 1 - number)}" text-anchor="end" ` +
      `fill="${colourOf(number)}">${name}</text>`,
  );
  const scales = ticks.flatMap(at => [
    `<text x="${x(at)}" y="${high + 18}" text-anchor="middle">${at.toFixed(2)}</text>`,
    `<text x="${low - 8}" y="${Number(y(at)) + 4}" text-anchor="end">${at.toFixed(2)}</text>`,
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" ` +
      'font-family="sans-serif" font-size="12">',
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<rect x="${low}" y="${low}" width="${high - low}" height="${high - low}" fill="none" stroke="#ccc"/>`,
    `<line x1="${low}" y1="${high}" x2="${high}" y2="${low}" stroke="#999" stroke-dasharray="4 4"/>`,
    `<text x="${middle}" y="26" text-anchor="middle" font-weight="bold">${title}</text>`,
    `<text x="${middle}" y="${size - 12}" text-anchor="middle">stated probability</text>`,
    `<text x="16" y="${middle}" text-anchor="middle" transform="rotate(-90 16 ${middle})">` +
      'share that is so (bars: of a perfect forecaster)</text>',
    ...scales,
    ...marks,
    ...names,
    '</svg>\n',
  ].join('\n');
}

/** For each bin that holds claims a bar and a dot. */
function marksOf(/** @type {Stated} */ stated, /** @type {string} */ colour) {
  return forecasterBand(stated).bins.flatMap((ends, bin) => {
    if (ends === null) return [];
    const own = stated.filter(({ probability }) => binOf(probability) === bin);
    const mean = own.reduce((sum, { probability }) => sum + probability, 0) / own.length;
    const share = own.filter(({ isSo }) => isSo).length / own.length;
    return [
      `<line x1="${x(mean)}" y1="${y(ends[0])}" x2="${x(mean)}" y2="${y(ends[1])}" stroke="${colour}" ` +
        'stroke-width="5" stroke-opacity="0.22"/>',
      `<circle cx="${x(mean)}" cy="${y(share)}" r="${(2 + Math.sqrt(own.length) / 1.6).toFixed(1)}" fill="${colour}" ` +
        `fill-opacity="0.6"><title>${own.length} claims: stated ${mean.toFixed(2)}, so ${share.toFixed(2)}</title></circle>`,
    ];
  });
}

function colourOf(/** @type {number} */ number) {
  return colours[number % colours.length];
}

function x(/** @type {number} */ share) {
  return (margin + share * (size - 2 * margin)).toFixed(1);
}

function y(/** @type {number} */ share) {
  return (size - margin - share * (size - 2 * margin)).toFixed(1);
}
