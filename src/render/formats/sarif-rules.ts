/** The rules of a SARIF run: each once, in the order in which results name them. */
import type { ReportingDescriptor } from 'sarif';
import { sarifMessage } from '../../core/safety/sarif-text.ts';
import type { ReportRule } from './rules.ts';

/** How a result names its rule. */
interface RuleReference {
  readonly ruleId: string;
  readonly ruleIndex: number;
}

export interface RuleList {
  add(rule: ReportRule): RuleReference;
  descriptors(): ReportingDescriptor[];
}

/** Rules in one run that are told apart by what reviewers say; those that come later go under one name. GitHub refuses more than 25,000. */
const mostRules = 1_000;

export function createRuleList(): RuleList {
  const rules = new Map<string, { readonly rule: ReportRule; readonly index: number }>();
  const add = (rule: ReportRule): RuleReference => {
    const known = rules.get(rule.id);
    if (known !== undefined) return { ruleId: rule.id, ruleIndex: known.index };
    if (rules.size >= mostRules && rule.id !== otherRule.id) return add(otherRule);
    rules.set(rule.id, { rule, index: rules.size });
    return { ruleId: rule.id, ruleIndex: rules.size - 1 };
  };
  return { add, descriptors: () => [...rules.values()].map(({ rule }) => describe(rule)) };
}

const otherRule: ReportRule = {
  id: 'other',
  title: 'Other',
  help: 'There are too many rules to name this one.',
  tags: [],
};

/** What is known of all results of a rule: how bad each is stands with the result. */
function describe({ id, title, help, tags }: ReportRule): ReportingDescriptor {
  return {
    id,
    name: nameOf(id),
    shortDescription: { text: `${sarifMessage(title)}.` },
    fullDescription: { text: sarifMessage(help) },
    help: { text: sarifMessage(help) },
    defaultConfiguration: { level: 'warning' },
    ...(tags.length > 0 && { properties: { tags: [...tags] } }),
  };
}

/** `sql-injection` is `SqlInjection`. */
function nameOf(id: string): string {
  return (id.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
