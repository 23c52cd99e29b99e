/** Settles what a vote goes by: flags, environment, configuration, defaults, in this order. */
import { MotionsSettings } from '../../core/vote/motions-settings.ts';
import { withoutImplicit, type RuleSet } from '../../core/vote/rule-set.ts';
import type { MotionsRequest } from '../../core/request.ts';
import type { Call } from '../call.ts';
import type { SettledSettings } from './open-deliberators.ts';

type Given = Pick<MotionsRequest, 'concurrency' | 'panelConcurrency' | 'batch'>;

export function settleSettings(
  given: Given,
  configured: MotionsSettings | undefined,
  { environment }: Pick<Call, 'environment'>,
  note: (message: string) => void,
): SettledSettings {
  const settings = configured ?? MotionsSettings.parse({});
  const fromEnvironment = (name: string): number | undefined => {
    const text = environment[name];
    if (text === undefined || text === '') return undefined;
    if (/^[1-9]\d{0,8}$/.test(text.trim())) return Number(text);
    note(`Warning: ${name} must be a positive integer, not "${text}"; the default is used.`);
    return undefined;
  };
  return {
    ...settings,
    concurrency:
      given.concurrency ??
      fromEnvironment('REVIEWER_ARCHON_CONCURRENCY') ??
      settings.concurrency ??
      4,
    panel_concurrency:
      given.panelConcurrency ??
      fromEnvironment('REVIEWER_PANEL_CONCURRENCY') ??
      settings.panel_concurrency ??
      2,
    batch: given.batch ?? settings.batch ?? 5,
  };
}

/** `REVIEW_IMPLICIT_ENDORSEMENTS=false`: only those who said so endorse. */
export function settleRules(rules: RuleSet, { environment }: Pick<Call, 'environment'>): RuleSet {
  return environment.REVIEW_IMPLICIT_ENDORSEMENTS?.trim().toLowerCase() === 'false'
    ? withoutImplicit(rules)
    : rules;
}
