/** Passwords and tokens that have no shape of their own: found by the name they are given to, judged by their look. */
interface FoundValue {
  readonly start: number;
  readonly end: number;
  readonly kind: 'password' | 'env' | 'basic-auth';
}

const name =
  '(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|signing[_-]?key|encryption[_-]?key|private[_-]?key|credential)s?';
const quoted = new RegExp(
  `${name}(\\w{0,24})["'\`\\]]{0,2}[ \\t]{0,8}(?::[ \\t]{0,4}[A-Za-z.]{1,20}[ \\t]{0,4}=|:=|=>|=|:)[ \\t]{0,8}(["'\`])([^"'\`\\r\\n]{8,200})\\2`,
  'gi',
);
const connection = /;[ \t]{0,4}(?:password|pwd)=([^;"'\r\n]{6,120})[;"']/gi;
/** Names that speak about a secret without holding one. */
const aboutSecrets =
  /placeholder|label|hint|error|message|field|name|ur[il]|path|regex|pattern|title|text|type|id$|header|prefix|param|env|class|selector|endpoint|file|format|policy|strength|length|expir|count|kind|hash|reset|arn|scope/i;

/** Quoted values in code and configuration. */
export function findAssignments(text: string): FoundValue[] {
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
export function findEnvironmentPairs(text: string): FoundValue[] {
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
export function findUrlPasswords(text: string): FoundValue[] {
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
