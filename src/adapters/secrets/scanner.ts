/**
 * The one scanner for credentials: what redacts prompts, logs and reports is what raises "secret committed". Comments of
 * the scanned text cannot switch it off.
 */
import { basename } from 'node:path';
import type { SecretScanner, SecretSpan } from '../../core/ports.ts';
import { findAssignments, findEnvironmentPairs, findUrlPasswords } from './assignments.ts';
import { findPrivateKeys } from './private-keys.ts';
import { kindLabels, tokenRules } from './token-rules.ts';

type Range = Omit<SecretSpan, 'message'>;
type Lint = (text: string, path: string) => Promise<Range[]>;

/** Loads secretlint at the first scan. One scanner serves any number of texts, also at the same time. */
export function createSecretScanner(): SecretScanner {
  let lint: Promise<Lint> | undefined;
  return {
    async scan(text, path) {
      lint ??= loadSecretlint();
      const shaped = [...findTokens(text), ...findPrivateKeys(text), ...(await (await lint)(text, path))];
      const named = [...findUrlPasswords(text), ...(isEnvironmentFile(path) ? findEnvironmentPairs(text) : []), ...findAssignments(text)];
      return merge([...shaped, ...named]).map(({ start, end, kind }) => ({ start, end, kind, message: `This looks like ${kindLabels[kind] ?? `a ${kind} credential`}.` }));
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
  return /^\.env(?:\.|$)|\.env$|^\.?envrc$/.test(file) && !/example|sample|template|dist|default/.test(file);
}

/** Ours know examples from real passwords better; comments must not switch anything off. */
const replacedRules = /basicauth|database-connection-string|privatekey|filter/;

async function loadSecretlint(): Promise<Lint> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([import('@secretlint/core'), import('@secretlint/secretlint-rule-preset-recommend'), import('@secretlint/profiler')]);
  // Version 12.0.0 times itself and searches all its earlier marks at every mark: quadratic in the number of files.
  secretLintProfiler.mark = () => undefined;
  const used = rules.filter(rule => rule.meta.type === 'scanner' && !replacedRules.test(rule.meta.id)).map(rule => ({ id: rule.meta.id, rule }));
  return async (content, path) => {
    const ext = /\.[A-Za-z0-9]{1,12}$/.exec(path)?.[0] ?? '';
    const { messages } = await lintSource({ source: { filePath: `file${ext}`, content, ext, contentType: 'text' }, options: { noPhysicFilePath: true, config: { rules: used } } });
    return messages.map(({ range: [start, end], ruleId }) => ({ start, end, kind: ruleId.replace(/^.*secretlint-rule-/, '') }));
  };
}

/** Sorted and disjoint. Where ranges overlap, their union takes the kind that was found first: those with a shape lead. */
function merge(ranges: readonly Range[]): Range[] {
  const sorted = ranges
    .map(({ start, end, kind }, order) => ({ start, end, kind, order }))
    .filter(range => range.end > range.start)
    .sort((one, other) => one.start - other.start || one.order - other.order);
  const merged: ((typeof sorted)[number])[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) {
      merged.push(range);
      continue;
    }
    const leader = range.order < last.order ? range : last;
    merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end), kind: leader.kind, order: leader.order };
  }
  return merged.map(({ start, end, kind }) => ({ start, end, kind }));
}
