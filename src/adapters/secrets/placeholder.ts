/** Tells made-up values from real ones: what stands in examples and templates is no secret. */

const words =
  /pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|keys?|api|auth|access|client|private|public|tests?(?:ing)?|examples?|dummy|fakes?|samples?|change(?:[-_ ]?(?:it|me|this))?|your|my|the|here|place[-_ ]?holders?|defaults?|foo|bar|baz|qux|abc(?:def(?:g(?:hij?)?)?)?|xyz|users?|name|admin|root|demo|mock(?:ed)?|stub|string|value|some|new|old|invalid|valid|wrong|correct|random|replace(?:[-_ ]?(?:me|with))?|redacted|todo|none|null|undefined|insert|enter|goes|this|not|real|local(?:host)?|dev(?:elopment)?|staging|prod(?:uction)?|db|database|postgres|mysql|mongo|redis|x{2,}|\*{2,}|\.{3,}/gi;

/** Values that are looked up when the program runs, or filled in by a template. */
const lookup = /^[$%<{@#[(]|\$\{|\{\{|%\(|<[a-z]|process\.env|os\.environ|getenv|ENV\[|secrets\./i;

export function isLookup(value: string): boolean {
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
  return /example|placeholder|redacted|changeme|dummy|your[-_]?|x{6}|\*{4}|fake/i.test(token) || new Set(token.slice(-16)).size <= 3;
}
