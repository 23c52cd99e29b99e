/**
 * The one scanner for credentials: what redacts prompts, logs and reports is what raises "secret committed". Comments of
 * the scanned text cannot switch it off.
 */
import type { SecretScanner, SecretSpan } from '../core/ports/secret-scanner.ts';

type Range = Omit<SecretSpan, 'message'>;

/** `findByPreset` finds what the rules of a library know. One scanner serves any number of texts, also at the same time. */
export function scanWith(
  findByPreset: (text: string, path: string) => Promise<readonly Range[]>,
): SecretScanner {
  return {
    async scan(text, path) {
      const shaped = [
        ...findTokens(text),
        ...findPrivateKeys(text),
        ...(await findByPreset(text, path)),
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
  const file = path.replace(/^.*\//, '').toLowerCase();
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

// Credentials that are recognised by their own shape, whatever stands around them. Shapes are those the vendors print in
// their documentation. Every pattern starts at a boundary, so that a long run of token characters is read once.

interface TokenRule {
  readonly kind: string;
  /** Global; the first group is the secret when there is one, else the whole match. */
  readonly pattern: RegExp;
}

const tokenRules: readonly TokenRule[] = [
  { kind: 'aws', pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  {
    kind: 'aws',
    pattern:
      /(?<![A-Za-z])aws.{0,20}?(?:secret|private).{0,24}?["'=: ]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  {
    kind: 'github',
    pattern: /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/g,
  },
  { kind: 'gitlab', pattern: /(?<![A-Za-z0-9_-])gl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{20,}/g },
  { kind: 'anthropic', pattern: /(?<![A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{16,}/g },
  {
    kind: 'openai',
    pattern:
      /(?<![A-Za-z0-9_-])sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}|[A-Za-z0-9]{40,}(?![A-Za-z0-9_-]))/g,
  },
  { kind: 'google', pattern: /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { kind: 'google', pattern: /(?<![A-Za-z0-9_-])GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g },
  { kind: 'slack', pattern: /(?<![A-Za-z0-9_-])xox[abeoprs]-[A-Za-z0-9-]{16,}/g },
  {
    kind: 'slack',
    pattern:
      /hooks\.slack\.com\/(?:services|workflows)\/(T[A-Za-z0-9]{6,}\/[A-Za-z0-9]{6,}\/[A-Za-z0-9]{16,})/g,
  },
  { kind: 'stripe', pattern: /(?<![A-Za-z0-9_])(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: 'stripe', pattern: /(?<![A-Za-z0-9_])whsec_[A-Za-z0-9]{24,}/g },
  { kind: 'npm', pattern: /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'npm', pattern: /:_(?:authToken|password)[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9_+/=-]{16,})/g },
  { kind: 'pypi', pattern: /(?<![A-Za-z0-9_-])pypi-AgE[A-Za-z0-9_-]{40,}/g },
  {
    kind: 'sendgrid',
    pattern: /(?<![A-Za-z0-9_-])SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/g,
  },
  { kind: 'twilio', pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g },
  { kind: 'telegram', pattern: /(?<![A-Za-z0-9_])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g },
  { kind: 'huggingface', pattern: /(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{34}(?![A-Za-z0-9])/g },
  { kind: 'digitalocean', pattern: /(?<![A-Za-z0-9_])do[opr]_v1_[a-f0-9]{64}/g },
  { kind: 'shopify', pattern: /(?<![A-Za-z0-9_])shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g },
  { kind: 'linear', pattern: /(?<![A-Za-z0-9_])lin_api_[A-Za-z0-9]{40}/g },
  { kind: 'vault', pattern: /(?<![A-Za-z0-9_])hv[bs]\.[A-Za-z0-9_-]{24,}/g },
  { kind: 'azure', pattern: /AccountKey=([A-Za-z0-9+/]{64,88}={0,2})/g },
  {
    kind: 'jwt',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}/g,
  },
];

/** What a person reads about a kind. Kinds without an entry are called by their name. */
const kindLabels: Readonly<Record<string, string>> = {
  aws: 'an AWS key',
  github: 'a GitHub token',
  gitlab: 'a GitLab token',
  anthropic: 'an Anthropic API key',
  openai: 'an OpenAI API key',
  google: 'a Google credential',
  gcp: 'a Google service account key',
  slack: 'a Slack token',
  stripe: 'a Stripe key',
  npm: 'an npm token',
  jwt: 'a signed JSON web token',
  azure: 'an Azure storage key',
  'private-key': 'a private key',
  'basic-auth': 'a password inside a URL',
  password: 'a password or token in plain text',
  env: 'a credential in an environment file',
};

// Private key blocks, found by their marks without a pattern that could run away on hostile text.

const begin = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const longestKey = 16_384;

/** Half-open ranges. A mark with hardly any key behind it (code that looks for the mark) is left out. */
function findPrivateKeys(
  text: string,
): { readonly start: number; readonly end: number; readonly kind: 'private-key' }[] {
  const found: { start: number; end: number; kind: 'private-key' }[] = [];
  let covered = 0;
  for (const match of text.matchAll(begin)) {
    if (match.index < covered) continue;
    const body = match.index + match[0].length;
    const stop = endOfKey(text, body);
    if (countKeyCharacters(text.slice(body, stop)) < 40) continue;
    found.push({ start: match.index, end: stop, kind: 'private-key' });
    covered = stop;
  }
  return found;
}

/** Behind the closing mark; without one, where the text stops looking like a key. */
function endOfKey(text: string, body: number): number {
  const window = text.slice(body, body + longestKey);
  const next = window.indexOf('-----BEGIN');
  const reach = next === -1 ? window : window.slice(0, next);
  end.lastIndex = 0;
  const closing = end.exec(reach);
  if (closing !== null) return body + closing.index + closing[0].length;
  return body + (/^(?:[A-Za-z0-9+/=\s\\-]|: )*/.exec(reach)?.[0].trimEnd().length ?? 0);
}

function countKeyCharacters(text: string): number {
  return text.replace(/\\[nr]|[^A-Za-z0-9+/=]/g, '').length;
}

// Passwords and tokens that have no shape of their own: found by the name they are given to, judged by their look.

interface FoundValue {
  readonly start: number;
  readonly end: number;
  readonly kind: 'password' | 'env' | 'basic-auth';
}

const name =
  '(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|signing[_-]?key|encryption[_-]?key|private[_-]?key|credential)s?';
const quoted = new RegExp(
  `${name}(\\w{0,24})["'\`\\]]{0,2}[ \\t]{0,8}(?::[ \\t]{0,4}[A-Za-z.]{1,20}[ ` +
    `\\t]{0,4}=|:=|=>|=|:)[ \\t]{0,8}(["'\`])([^"'\`\\r\\n]{8,200})\\2`,
  'gi',
);
const connection = /;[ \t]{0,4}(?:password|pwd)=([^;"'\r\n]{6,120})[;"']/gi;
/** Names that speak about a secret without holding one. */
const aboutSecrets =
  /placeholder|label|hint|error|message|field|name|ur[il]|path|regex|pattern|title|text|type|id$|header|prefix|param|env|class|selector|endpoint|file|format|policy|strength|length|expir|count|kind|hash|reset|arn|scope/i;

/** Quoted values in code and configuration. */
function findAssignments(text: string): FoundValue[] {
  const found: FoundValue[] = [];
  for (const match of text.matchAll(quoted)) {
    const [whole, suffix = '', , value = ''] = match;
    const start = match.index + whole.length - 1 - value.length;
    if (!aboutSecrets.test(suffix) && looksSecret(value))
      found.push({ start, end: start + value.length, kind: 'password' });
  }
  for (const match of text.matchAll(connection)) {
    const [whole, value = ''] = match;
    const start = match.index + whole.length - 1 - value.length;
    if (!isLookup(value) && !isPlaceholder(value))
      found.push({ start, end: start + value.length, kind: 'password' });
  }
  return found;
}

const environmentPair =
  /^[+\- ]?[ \t]*(?:export[ \t]+)?([A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?)[A-Z0-9_]{0,60})[ \t]*=[ \t]*["']?([^\s"'#]{6,500})/gm;

/** `NAME=value` lines of environment files. */
function findEnvironmentPairs(text: string): FoundValue[] {
  const found: FoundValue[] = [];
  for (const match of text.matchAll(environmentPair)) {
    const [whole, key = '', value = ''] = match;
    const start = match.index + whole.length - value.length;
    if (/PUBLIC|PUBLISHABLE|_URL$|_FILE$|_PATH$|_NAME$|_ID$/.test(key)) continue;
    if (!isLookup(value) && !isPlaceholder(value) && !/^(?:true|false|\d{1,6})$/i.test(value))
      found.push({ start, end: start + value.length, kind: 'env' });
  }
  return found;
}

const urlWithPassword =
  /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/:@"'`<>\\]{0,80}):([^\s/@"'`<>\\]{3,120})@([A-Za-z0-9._-]{1,120}|\[[0-9a-f:]{2,45}\])/gi;

/** Passwords inside URLs; those for this machine or a reserved host, and those equal to the user name, are examples. */
function findUrlPasswords(text: string): FoundValue[] {
  const found: FoundValue[] = [];
  for (const match of text.matchAll(urlWithPassword)) {
    const [whole, user = '', password = '', host = ''] = match;
    const isExample =
      password === user ||
      isLookup(password) ||
      isPlaceholder(password) ||
      /^(?:localhost|127\.|0\.0\.0\.0|host$|example\.)|\.(?:example|test|invalid|local)$|(?:^|\.)example\.(?:com|org|net)$/i.test(
        host,
      );
    const start = match.index + whole.length - host.length - 1 - password.length;
    if (!isExample) found.push({ start, end: start + password.length, kind: 'basic-auth' });
  }
  return found;
}

const wordlike = /^(?:[A-Za-z]{2,}\d{0,3}|v?\d{1,4}|[a-z])$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A value of mixed characters that is no name, no path, no sentence, no template and no example. */
function looksSecret(value: string): boolean {
  if (/\s/.test(value) || isLookup(value) || isPlaceholder(value) || uuid.test(value)) return false;
  if (/^(?:[./~\\]|[a-z]+:\/\/|arn:|urn:|data:|sha\d)|[()]|\\u|%[sdv]|\.\w{1,4}$/i.test(value))
    return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (/^[A-Z][A-Z0-9_]*$/.test(value) && value.includes('_')) return false;
  if (value.split(/[-_.:/]/).every(part => wordlike.test(part))) return false;
  return entropyOf(value) >= 2.8;
}

/** Shannon entropy in bits for a character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / length) * Math.log2(count / length),
    0,
  );
}

// Tells made-up values from real ones: what stands in examples and templates is no secret.

const words =
  /pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|keys?|api|auth|access|client|private|public|tests?(?:ing)?|examples?|dummy|fakes?|samples?|change(?:[-_ ]?(?:it|me|this))?|your|my|the|here|place[-_ ]?holders?|defaults?|foo|bar|baz|qux|abc(?:def(?:g(?:hij?)?)?)?|xyz|users?|name|admin|root|demo|mock(?:ed)?|stub|string|value|some|new|old|invalid|valid|wrong|correct|random|replace(?:[-_ ]?(?:me|with))?|redacted|todo|none|null|undefined|insert|enter|goes|this|not|real|local(?:host)?|dev(?:elopment)?|staging|prod(?:uction)?|db|database|postgres|mysql|mongo|redis|x{2,}|\*{2,}|\.{3,}/gi;

/** Values that are looked up when the program runs, or filled in by a template. */
const lookup = /^[$%<{@#[(]|\$\{|\{\{|%\(|<[a-z]|process\.env|os\.environ|getenv|ENV\[|secrets\./i;

function isLookup(value: string): boolean {
  return lookup.test(value);
}

/** True when, apart from the words people put in examples, next to nothing is left of the value. */
export function isPlaceholder(value: string): boolean {
  if (value.length > 512) return false;
  if (new Set(value).size <= 3) return true;
  const rest = value.replace(words, '').replace(/0?1234567?8?9?0?|[^A-Za-z0-9]/g, '');
  return rest.replace(/\d{1,4}$/, '').length <= 3;
}

/** For tokens that have a shape of their own: only an outright sign makes them an example. */
export function isExampleToken(token: string): boolean {
  return (
    /example|placeholder|redacted|changeme|dummy|your[-_]?|x{6}|\*{4}|fake/i.test(token) ||
    new Set(token.slice(-16)).size <= 3
  );
}
