/** Compares a share of a whole with a threshold exactly: 79.99 % is not 80 %, however large the numbers are. */

/** Is `part / whole >= threshold`? Whole numbers, `whole` positive; the threshold means what its decimal digits say. */
export function isAtLeastShare(part: number, whole: number, threshold: number): boolean {
  const { numerator, denominator } = fractionOf(threshold);
  return BigInt(part) * denominator >= numerator * BigInt(whole);
}

/** `100 * part / whole`, rounded down. */
export function floorPercent(part: number, whole: number): number {
  return Number((100n * BigInt(part)) / BigInt(whole));
}

/** `100 * part / whole`, rounded half up. */
export function roundPercent(part: number, whole: number): number {
  return Number((200n * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
}

/** Of the shortest decimal that names the number: 0.8 is 8/10 here, not the binary fraction next to it. */
function fractionOf(threshold: number): { readonly numerator: bigint; readonly denominator: bigint } {
  const [digits = '0', exponent = '0'] = String(threshold).split('e');
  const [whole = '0', decimals = ''] = digits.split('.');
  const shift = Number(exponent) - decimals.length;
  const value = BigInt(whole + decimals);
  return shift >= 0 ? { numerator: value * 10n ** BigInt(shift), denominator: 1n } : { numerator: value, denominator: 10n ** BigInt(-shift) };
}
