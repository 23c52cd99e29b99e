/** Credentials on changed lines. Reads every text file in full, and never repeats what it found. */
import { z } from 'zod';
import { groupBy, groupsBy } from '../core/groups.ts';
import { isDocumentPath, isExamplePath, isTestPath } from '../core/languages/languages.ts';
import { lineCounter } from '../core/languages/line-structure.ts';
import type { SecretScanner, SecretSpan } from '../core/ports/repository.ts';
import { type Analyser, type Remark, type Source, perFile } from './analyser.ts';
import { Pattern } from './rule.ts';

/** Kinds that go by names and looks. */
const guesses: ReadonlySet<string> = new Set(['password', 'basic-auth', 'env']);
/** What documents show to explain it. A key of a vendor's is none of it: there it is as live as anywhere. */
const shownInDocuments: ReadonlySet<string> = new Set([...guesses, 'jwt', 'private-key']);

const readFiles = perFile({
  outside: () => null,
  readsAll: true,
  async examine(source, { scanner }) {
    if (source.text === '') return [];
    const spans = await scanner.scan(source.text, source.path);
    const lineAt = lineCounter(source.text);
    const remarks = spans.flatMap(span => {
      const line = source.touched(lineAt(span.start), lineAt(span.end - 1));
      if (line === null || isNoSecret(source, span)) return [];
      return toRemark(source, span, line);
    });
    // A file of keys is one thing to tell: beyond a few of a kind the others are counted in the
    // last that is told.
    return groupsBy(remarks, ({ rule }) => rule).flatMap(own => {
      const told = own.slice(0, mostOfAKind);
      const [last] = told.slice(-1);
      const more = own.length - mostOfAKind;
      return more > 0 && last
        ? [
            ...told.slice(0, -1),
            { ...last, issue: `${last.issue} This file holds ${more} more of this kind.` },
          ]
        : told;
    });
  },
});

export const secrets: Analyser = async task => {
  const { remarks, coverage } = await readFiles(task);
  return { remarks: gatherHeaps(remarks), coverage };
};

const mostNamed = 20;
const mostKeys = 3;

/**
 * What lies in tests, examples and documentation comes in heaps: of a kind one thing to tell of a change, that names every file, since
 * a real one may lie among them. So do private keys wherever they lie, beyond a few.
 */
function gatherHeaps(remarks: readonly Remark[]) {
  const heaps = groupBy(remarks, heapOf);
  return remarks.flatMap(remark => {
    const [first = remark, ...more] = heaps.get(heapOf(remark)) ?? [];
    if (!isOneThing(first, more)) return [remark];
    return remark === first ? [{ ...first, issue: sayAll(first, more) }] : [];
  });
}

function heapOf({ rule, severity }: Remark) {
  return `${rule} ${severity}`;
}

function isOneThing({ severity, rule }: Remark, more: readonly Remark[]) {
  if (more.length === 0) return false;
  const isManyKeys = rule === privateKey && new Set(more.map(({ path }) => path)).size >= mostKeys;
  return severity === 'low' || isManyKeys;
}

const privateKey = 'secrets/private-key';

function sayAll({ issue, path }: Remark, more: readonly Remark[]) {
  const others = [...new Set(more.map(remark => remark.path))].filter(other => other !== path);
  const rest = others.length - mostNamed;
  return [
    issue,
    ...(more.some(remark => remark.path === path) ? ['This file holds more of the kind.'] : []),
    ...(others.length === 0
      ? []
      : [
          `More of the kind: ${others.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} other files` : ''}.`,
        ]),
  ].join(' ');
}

/** The lines around a key without a key, and a value that says again what its name says. */
function isNoSecret({ text }: Source, { start, end, kind }: SecretSpan) {
  const value = text.slice(start, end);
  if (kind === 'private-key') return !/[A-Za-z0-9+/=]{16}/.test(value);
  if (!guesses.has(kind)) return false;
  const name = text
    .slice(Math.max(0, start - longestName), start)
    .replace(/^[^]*\n/, '')
    .toLowerCase();
  if (/public_?key_?(?:token)?\W{1,4}$/.test(name)) return true;
  const words = value.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const isWords = /^[a-z]+(?:[-_.][a-z0-9]+){2,}$/i.test(value);
  return isWords && words.filter(word => name.includes(word)).length >= 2;
}

const longestName = 200;

const mostOfAKind = 5;

/** Beginnings of keys that vendors print for their emulators: the same for everybody. */
const published: ReadonlySet<string> = new Set(['Eby8vdM02xNO', 'C2y6yDjf5/R+']);

/** Null where a value is no more than an example among examples. */
export function severityOfSecret({
  path,
  kind,
  value,
}: Readonly<Record<'path' | 'kind' | 'value', string>>) {
  const isExample = isExampleToken(value) || published.has(value.slice(0, 12));
  const isSheltered =
    isTestPath(path) ||
    isExamplePath(path) ||
    (isDocumentPath(path) &&
      (isExample || shownInDocuments.has(kind) || isPlaceholder(value) || isSequence(value)));
  if (isSheltered && (isExample || guesses.has(kind))) return null;
  if (guesses.has(kind) && (value.match(/[^\p{Script=Latin}\P{L}]/gu)?.length ?? 0) >= 6)
    return null;
  return isExample || isSheltered ? 'low' : 'critical';
}

function toRemark(source: Source, span: SecretSpan, line: number): Remark[] {
  const value = source.text.slice(span.start, span.end);
  const severity = severityOfSecret({ path: source.path, kind: span.kind, value });
  if (severity === null) return [];
  const doubt =
    severity === 'critical'
      ? ''
      : isExampleToken(value)
        ? ' It looks like an example value.'
        : ' The file looks like a test, an example or documentation.';
  return [
    {
      rule: `secrets/${span.kind}`,
      severity,
      category: 'secrets',
      weakness: 'CWE-798',
      path: source.path,
      line,
      quote: null,
      issue: `${span.message.replace(/\.$/, '')} (${span.end - span.start} characters, value withheld), committed in plain text.${doubt}`,
      recommendation:
        'Revoke and replace the credential, take it out of the history, and read it from the environment or a secret store.',
    },
  ];
}

/** `1234567890abcdefgh`: typed along the alphabet. */
function isSequence(value: string) {
  let steps = 0;
  for (let index = 1; index < value.length; index += 1)
    if (value.charCodeAt(index) - value.charCodeAt(index - 1) === 1) steps += 1;
  return steps * 2 >= value.length;
}

// The one scanner for credentials: what redacts prompts, logs and reports is what raises "secret committed". Comments of the
// scanned text cannot switch it off.

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
  rules: z.infer<typeof SecretRules>;
  /** What the rules of a library know. */
  findByPreset: (text: string, path: string) => Promise<readonly Range[]>;
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
        ...rules.guesses
          .flatMap(rule => findByRule(text, path, rule))
          .filter(({ start, end }) => {
            const value = text.slice(start, end);
            return !lookup.test(value) && !isPlaceholder(value);
          }),
      ];
      return merge(found).map(({ start, end, kind }) => ({
        start,
        end,
        kind,
        message: `This looks like ${rules.labels[kind] ?? `a ${kind} credential`}.`,
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
    last.end = Math.max(last.end, range.end);
    if (range.order < last.order) [last.kind, last.order] = [range.kind, range.order];
  }
  return merged;
}

// Private key blocks, found by their marks without a pattern that could run away on hostile text.

const begin = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
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

  const closing = end.exec(reach);
  if (closing) return body + closing.index + closing[0].length;
  return body + (/^(?:[A-Za-z0-9+/=\s\\-]|: )*/.exec(reach)?.[0].trimEnd().length ?? 0);
}

/** Shannon entropy in bits for a character. */
function entropyOf(value: string) {
  const characters = Array.from(value);
  return groupsBy(characters, each => each)
    .map(({ length }) => length / characters.length)
    .reduce((sum, share) => sum - share * Math.log2(share), 0);
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
function isPlaceholder(value: string) {
  if (value.length > 512) return false;
  if (new Set(value).size <= 3) return true;
  const rest = value.replace(words, '').replace(/0?1234567?8?9?0?|[^A-Za-z0-9]/g, '');
  return rest.replace(/\d{1,4}$/, '').length <= 3;
}

/** For tokens that have a shape of their own: only an outright sign makes them an example. */
function isExampleToken(token: string) {
  return (
    /example|placeholder|redacted|changeme|dummy|your[-_]?|x{6}|\*{4}|fake/i.test(token) ||
    new Set(token.slice(-16)).size <= 3
  );
}
