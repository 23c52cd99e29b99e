/**
 * The rule of a claim, for formats that group by one: the one that a check states, else the weakness that its wordings speak of most,
 * else the category its reviewers state, else that somebody said something. Weaknesses are read from words, so that a rule is a
 * heading and no proof.
 */
import { categoryOf, securityWeaknesses, weaknessesIn } from '../../agreement/index.ts';
import { isSecurityCategory } from '../../core/safety/engine-finding.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { cut, toOneLine } from '../../core/text.ts';
import type { Claim } from '../../core/words/claim.ts';
import { present } from '../../core/groups.ts';

export interface ReportRule {
  /** `sql-injection`, `category-performance`, `claim`, `run-quorum`: no slash, which in SARIF makes a rule part of another. */
  readonly id: string;
  /** A few words. */
  readonly title: string;
  /** A sentence or two. */
  readonly help: string;
  /** At most three, lower case. */
  readonly tags: readonly string[];
}

/** Findings of a claim whose words are read, and characters of each: the trouble is named early. */
const mostRead = 4;
const longestRead = 400;

/** Reading the words of twenty thousand claims takes seconds, and a run may be printed in several formats. */
const read = new WeakMap<Claim, ReportRule>();

export function ruleOfClaim(claim: Claim) {
  const known = read.get(claim) ?? readRule(claim);
  read.set(claim, known);
  return known;
}

function readRule(claim: Claim) {
  const stated = statedRule(claim);
  if (stated !== null) return stated;
  const weakness = weaknessOf(claim);
  if (weakness !== null) return weaknessRule(weakness);
  const category = idOf(categoryOf(claim) ?? '');
  return category === '' ? claimRule : categoryRule(category);
}

function idOf(name: string) {
  return makeVisible(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}

/** Of a check, with the number of its weakness where it states one; null where nobody states a rule. */
export function statedRule({ findings }: Claim): ReportRule | null {
  const found = findings.find(({ extra }) => typeof extra?.rule === 'string');
  const { rule, cwe = '' } = found?.extra ?? {};
  if (typeof rule !== 'string' || idOf(rule) === '') return null;
  const number = typeof cwe === 'string' ? (/^CWE-\d{1,6}$/.exec(cwe)?.[0] ?? null) : null;
  const title = `${cut(toOneLine(rule), 100)}${number === null ? '' : ` (${number})`}`;
  return {
    id: idOf(rule),
    title,
    help: `It breaks the rule ${title}.`,
    tags: present(
      isSecurityCategory(found?.category ?? null) && 'security',
      number !== null && `external/cwe/${number.toLowerCase()}`,
    ),
  };
}

/** The one of which its wordings say most; of several the first in the alphabet, whatever the order of the reviewers. */
function weaknessOf({ text, findings }: Claim) {
  const wordings = new Set([text, ...findings.slice(0, mostRead).map(finding => finding.text)]);
  const sums = new Map<string, number>();
  for (const wording of wordings)
    for (const [name, sum] of weaknessesIn(wording.slice(0, longestRead)))
      if (sum >= leastTold) sums.set(name, (sums.get(name) ?? 0) + sum);
  const [first] = [...sums].toSorted(
    ([one, little], [other, much]) => much - little || (one < other ? -1 : 1),
  );
  return first?.[0] ?? null;
}

/** What a wording must say of a weakness to be filed under it: more than any single word does. */
const leastTold = 1.5;

function weaknessRule(name: string) {
  const words = name
    .split('-')
    .map(word => (abbreviations.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return {
    id: name,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    help: `The words of the reviewers speak of: ${words}. Each result says who agrees, who denies it and who never looked.`,
    tags: securityWeaknesses.has(name) ? ['security'] : [],
  };
}

const abbreviations = new Set(
  'sql xss csrf ssrf xxe ldap jwt tls cors csv url dns api css http json ttl gpu ui rtl k8s ci'.split(
    ' ',
  ),
);

function categoryRule(category: string) {
  return {
    id: `category-${category}`,
    title: `Category ${category}`,
    help: `Reviewers put it into the category ${category}. Each result says who agrees, who denies it and who never looked.`,
    tags: isSecurityCategory(category) ? ['security'] : [],
  };
}

const claimRule = {
  id: 'claim',
  title: 'Said by a reviewer',
  help: 'Neither a known weakness nor a category is named. Each result says who agrees, who denies it and who never looked.',
  tags: [],
};
