// How figures are printed: `.836 .79–.88` is a figure and the interval that holds it in 95 % of draws.
import { intervalOf } from './bootstrap.mjs';

/**
 * As measured, and what it is in each draw.
 * @typedef {{ readonly value: number, readonly draws: readonly number[] }} Estimate
 */

/** `.836 .79–.88` */
export function between(/** @type {Estimate} */ estimate) {
  return spread(estimate, short, 3, 2);
}

/** In percent: `0.84 0.2–1.6`. */
export function percentBetween(/** @type {Estimate} */ estimate) {
  return spread(scaled(estimate), plain, 2, 1);
}

/** A difference: `+.012 −.01 .03`. */
export function gap(/** @type {Estimate} */ estimate) {
  return spread(estimate, signed(short, '+'), 3, 2, ' ', signed(short, ''));
}

export function percentGap(/** @type {Estimate} */ estimate) {
  return spread(scaled(estimate), signed(plain, '+'), 2, 1, ' ', signed(plain, ''));
}

function scaled(/** @type {Estimate} */ { value, draws }) {
  return { value: 100 * value, draws: draws.map(each => 100 * each) };
}

/**
 * @param {Estimate} estimate
 * @param {(value: number, digits: number) => string} print
 * @param {number} digits
 * @param {number} fewer
 */
function spread(estimate, print, digits, fewer, joint = '–', printEnd = print) {
  const interval = intervalOf(estimate);
  if (!Number.isFinite(estimate.value) || interval === null) return '';
  return `${print(estimate.value, digits)} ${interval.map(end => printEnd(end, fewer)).join(joint)}`;
}

function plain(/** @type {number} */ value, /** @type {number} */ digits) {
  return value.toFixed(digits);
}

/** `.836`: as wide below 1, without the nought before the point, as from 1 on, with a digit less behind it. */
export function short(/** @type {number} */ value, digits = 3) {
  const text = value.toFixed(digits);
  return Math.abs(Number(text)) < 1 ? text.replace('0.', '.') : value.toFixed(digits - 1);
}

/**
 * @param {(value: number, digits: number) => string} print
 * @param {string} plus
 */
function signed(print, plus) {
  return (/** @type {number} */ value, /** @type {number} */ digits) => {
    const text = print(Math.abs(value), digits);
    return Number(text) === 0 ? text : `${value < 0 ? '−' : plus}${text}`;
  };
}
