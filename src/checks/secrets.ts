/** Credentials on changed lines. Reads every text file in full, and never repeats what it found. */
import type { SecretSpan } from '../core/ports/secret-scanner.ts';
import { isExampleToken, isPlaceholder } from './scanner.ts';
import { type Analyser, perFile, type Remark } from './analyser.ts';
import { isDocumentPath, isExamplePath, isTestPath } from '../core/languages/path-kinds.ts';
import { lineCounter } from '../core/languages/line-structure.ts';
import type { Source } from './source.ts';

/** Kinds that go by names and looks. */
const guesses: ReadonlySet<string> = new Set(['password', 'basic-auth', 'env']);
/** What documents show to explain it. A key of a vendor's is none of it: there it is as live as anywhere. */
const shownInDocuments: ReadonlySet<string> = new Set([...guesses, 'jwt', 'private-key']);

const readFiles = perFile({
  outside: () => null,
  isContentWithHunks: false,
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
    return countMany(remarks);
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
  const heaps = new Map<string, Remark[]>();
  for (const remark of remarks) {
    const heap = heaps.get(heapOf(remark)) ?? [];
    heap.push(remark);
    heaps.set(heapOf(remark), heap);
  }
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

/** A file of keys is one thing to tell: beyond a few of a kind the others are counted in the last that is told. */
function countMany(remarks: readonly Remark[]) {
  const told: Remark[] = [];
  for (const rule of new Set(remarks.map(remark => remark.rule))) {
    const own = remarks.filter(remark => remark.rule === rule);
    const more = own.length - mostOfAKind;
    told.push(...own.slice(0, more > 0 ? mostOfAKind - 1 : mostOfAKind));
    const last = own[mostOfAKind - 1];
    if (more > 0 && last)
      told.push({ ...last, issue: `${last.issue} This file holds ${more} more of this kind.` });
  }
  return told;
}

/** Beginnings of keys that vendors print for their emulators: the same for everybody. */
const published: ReadonlySet<string> = new Set(['Eby8vdM02xNO', 'C2y6yDjf5/R+']);

/** Null where a value is no more than an example among examples. */
export function severityOfSecret({
  path,
  kind,
  value,
}: {
  readonly path: string;
  readonly kind: string;
  readonly value: string;
}): 'critical' | 'low' | null {
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
