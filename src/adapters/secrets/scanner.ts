/**
 * The one scanner for credentials: what redacts prompts, logs and reports is what raises "secret committed". Comments of
 * the scanned text cannot switch it off.
 */
import { basename } from 'node:path';
import type { SecretScanner, SecretSpan } from '../../core/ports.ts';
import { findAssignments, findEnvironmentPairs, findUrlPasswords } from './assignments.ts';
import { findPrivateKeys, kindLabels, tokenRules } from './token-rules.ts';

type Range = Omit<SecretSpan, 'message'>;

/** Loads the rules of secretlint at the first scan. One scanner serves any number of texts, also at the same time. */
export function createSecretScanner(): SecretScanner {
  return {
    async scan(text, path) {
      const { scanWithPreset } = await import('./preset.ts');
      const shaped = [
        ...findTokens(text),
        ...findPrivateKeys(text),
        ...(await scanWithPreset(text, path)),
      ];
      const named = [
        ...findUrlPasswords(text),
        ...(isEnvironmentFile(path) ? findEnvironmentPairs(text) : []),
        ...findAssignments(text),
      ];
      return merge([...shaped, ...named]).map(({ start, end, kind }) => ({
        start,
        end,
        kind,
        message: `This looks like ${kindLabels[kind] ?? `a ${kind} credential`}.`,
      }));
    },
  };
}

function findTokens(text: string): Range[] {
  return tokenRules.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map(match => {
      const secret = match[1] ?? match[0];
      const start = match.index + match[0].lastIndexOf(secret);
      return { start, end: start + secret.length, kind };
    }),
  );
}

/** `.env` and its kin; templates meant to be filled in are not among them. */
function isEnvironmentFile(path: string): boolean {
  const file = basename(path).toLowerCase();
  return (
    /^\.env(?:\.|$)|\.env$|^\.?envrc$/.test(file) &&
    !/example|sample|template|dist|default/.test(file)
  );
}

/** Sorted and disjoint. Where ranges overlap, their union takes the kind that was found first: those with a shape lead. */
function merge(ranges: readonly Range[]): Range[] {
  const sorted = ranges
    .map(({ start, end, kind }, order) => ({ start, end, kind, order }))
    .filter(range => range.end > range.start)
    .sort((one, other) => one.start - other.start || one.order - other.order);
  const merged: (typeof sorted)[number][] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) {
      merged.push(range);
      continue;
    }
    const leader = range.order < last.order ? range : last;
    merged[merged.length - 1] = {
      start: last.start,
      end: Math.max(last.end, range.end),
      kind: leader.kind,
      order: leader.order,
    };
  }
  return merged.map(({ start, end, kind }) => ({ start, end, kind }));
}
