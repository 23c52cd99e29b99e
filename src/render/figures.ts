/** Figures as people read them: counts with their noun, tokens, money, spans of time. */

/** `1 file`, `2 files`; `plural` for nouns that do not take an s. */
export function count(amount: number, noun: string, plural = `${noun}s`) {
  return `${amount} ${amount === 1 ? noun : plural}`;
}

/** A share as `45 %`. */
export function percent(share: number) {
  return `${Math.round(100 * share)} %`;
}

/** `850`, `8.2k`, `41k`, `1.3M`. */
export function shortCount(amount: number) {
  if (amount < 1000) return String(amount);
  return amount < 999_500 ? `${scaled(amount / 1000)}k` : `${scaled(amount / 1_000_000)}M`;
}

/** `850ms`, `14.2s`, `2m 05s`, `1h 02m`. */
export function duration(ms: number) {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}h ${twoDigits(minutes)}m` : `${minutes}m ${twoDigits(seconds % 60)}s`;
}

/** US dollars; null when no price is known. */
export function money(cost: number | null) {
  if (cost === null) return 'cost unknown';
  return cost > 0 && cost < 0.01 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`;
}

/** Of several reviewers. `unpriced`: how many of them spent tokens that nobody knows the price of. */
export function moneyOfAll(cost: number | null, unpriced: number) {
  if (unpriced === 0) return money(cost);
  return cost === null || cost === 0
    ? money(null)
    : `at least ${money(cost)} (${count(unpriced, 'reviewer')} of unknown cost)`;
}

/** Milliseconds between two ISO times; null when one of them is none. */
export function elapsed(from: string, to: string) {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isNaN(ms) ? null : ms;
}

function scaled(amount: number) {
  return amount < 9.95 ? amount.toFixed(1) : String(Math.round(amount));
}

function twoDigits(amount: number) {
  return String(amount).padStart(2, '0');
}
