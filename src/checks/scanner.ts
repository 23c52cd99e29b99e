/**
 * The one scanner for credentials: what redacts prompts, logs and reports is what raises "secret committed". Comments of
 * the scanned text cannot switch it off.
 */
import { z } from 'zod';
import type { SecretScanner, SecretSpan } from '../core/ports/secret-scanner.ts';
import { Pattern } from './rule.ts';

type Range = Omit<SecretSpan, 'message'>;

const List = z.union([Pattern, z.array(Pattern)]).transform(patterns => [patterns].flat());

/** Data in `rules/checks/secrets.yaml`. */
const SecretRule = z.strictObject({
  kind: z.string(),
  pattern: Pattern.transform(({ source, flags }) => new RegExp(source, `${flags}dg`)),
  /** Of the name of the file; default: any. */
  files: Pattern.optional(),
  /** By the group of the pattern in which none of them may be found. */
  unless: z.record(z.string(), List).default({}),
  /** Bits for a character of the secret, at least. */
  entropy: z.number().default(0),
});
type SecretRule = z.infer<typeof SecretRule>;

export const SecretRules = z.strictObject({
  labels: z.record(z.string(), z.string()),
  shapes: z.array(SecretRule),
  guesses: z.array(SecretRule),
});

interface SecretSource {
  readonly rules: z.infer<typeof SecretRules>;
  /** What the rules of a library know. */
  readonly findByPreset: (text: string, path: string) => Promise<readonly Range[]>;
}

/** One scanner serves any number of texts, also at the same time. `open` is called for each and remembers. */
export function scanWith(open: () => Promise<SecretSource>): SecretScanner {
  return {
    async scan(text, path) {
      const { rules, findByPreset } = await open();
      const found = [
        ...rules.shapes.flatMap(rule => findByRule(text, path, rule)),
        ...findPrivateKeys(text),
        ...(await findByPreset(text, path)),
        ...rules.guesses.flatMap(rule => findByRule(text, path, rule)).filter(isNoExample(text)),
      ];
      return merge(found).map(span => ({
        ...span,
        message: `This looks like ${rules.labels[span.kind] ?? `a ${span.kind} credential`}.`,
      }));
    },
  };
}

function findByRule(text: string, path: string, rule: SecretRule): Range[] {
  const { kind, pattern, files, unless, entropy } = rule;
  if (files?.test(path.replace(/^.*\//, '')) === false) return [];
  return [...text.matchAll(pattern)].flatMap(({ 0: whole, groups = {}, indices }) => {
    const [start, end] = indices?.groups?.['secret'] ?? indices?.[0] ?? [0, 0];
    const isNone =
      Object.entries(unless).some(([group, patterns]) =>
        patterns.some(each => each.test(groups[group] ?? '')),
      ) || entropyOf(groups['secret'] ?? whole) < entropy;
    return isNone ? [] : [{ start, end, kind }];
  });
}

function isNoExample(text: string): (range: Range) => boolean {
  return ({ start, end }) => {
    const value = text.slice(start, end);
    return !lookup.test(value) && !isPlaceholder(value);
  };
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
    if (!last || range.start >= last.end) {
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

// Private key blocks, found by their marks without a pattern that could run away on hostile text.

const begin = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const longestKey = 16_384;

/** Half-open ranges. A mark with hardly any key behind it (code that looks for the mark) is left out. */
function findPrivateKeys(text: string) {
  const found: Range[] = [];
  for (const { index: start, 0: mark } of text.matchAll(begin)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const body = start + mark.length;
    const stop = endOfKey(text, body);
    const key = text.slice(body, stop).replace(/\\[nr]|[^A-Za-z0-9+/=]/g, '');
    if (key.length >= 40) found.push({ start, end: stop, kind: 'private-key' });
  }
  return found;
}

/** Behind the closing mark; without one, where the text stops looking like a key. */
function endOfKey(text: string, body: number) {
  const window = text.slice(body, body + longestKey);
  const next = window.indexOf('-----BEGIN');
  const reach = next === -1 ? window : window.slice(0, next);
  end.lastIndex = 0;
  const closing = end.exec(reach);
  if (closing) return body + closing.index + closing[0].length;
  return body + (/^(?:[A-Za-z0-9+/=\s\\-]|: )*/.exec(reach)?.[0].trimEnd().length ?? 0);
}

/** Shannon entropy in bits for a character. */
function entropyOf(value: string) {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / length) * Math.log2(count / length),
    0,
  );
}

// Tells made-up values from real ones: what stands in examples and templates is no secret.

const words = new RegExp(
  'pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|keys?|api|auth|access|client|private|public|tests?(?:ing)?' +
    '|examples?|dummy|fakes?|samples?|change(?:[-_ ]?(?:it|me|this))?|your|my|the|here|place[-_ ]?holders?' +
    '|defaults?|foo|bar|baz|qux|abc(?:def(?:g(?:hij?)?)?)?|xyz|users?|name|admin|root|demo|mock(?:ed)?|stub|string' +
    '|value|some|new|old|invalid|valid|wrong|correct|random|replace(?:[-_ ]?(?:me|with))?|redacted|todo|none|null' +
    '|undefined|insert|enter|goes|this|not|real|local(?:host)?|dev(?:elopment)?|staging|prod(?:uction)?|db|database' +
    '|postgres|mysql|mongo|redis|x{2,}|\\*{2,}|\\.{3,}',
  'gi',
);

/** Values that are looked up when the program runs, or filled in by a template. */
const lookup = /^[$%<{@#[(]|\$\{|\{\{|%\(|<[a-z]|process\.env|os\.environ|getenv|ENV\[|secrets\./i;

/** True when, apart from the words people put in examples, next to nothing is left of the value. */
export function isPlaceholder(value: string) {
  if (value.length > 512) return false;
  if (new Set(value).size <= 3) return true;
  const rest = value.replace(words, '').replace(/0?1234567?8?9?0?|[^A-Za-z0-9]/g, '');
  return rest.replace(/\d{1,4}$/, '').length <= 3;
}

/** For tokens that have a shape of their own: only an outright sign makes them an example. */
export function isExampleToken(token: string) {
  return (
    /example|placeholder|redacted|changeme|dummy|your[-_]?|x{6}|\*{4}|fake/i.test(token) ||
    new Set(token.slice(-16)).size <= 3
  );
}
