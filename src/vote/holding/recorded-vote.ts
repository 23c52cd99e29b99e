/** What was recorded of a vote, decided again by one rule set or by all that ship with Jury. Nothing is written. */
import path from 'node:path';
import { readResult } from '../files/json-file.ts';
import { readRuleSet, shippedRules } from '../files/rule-files.ts';
import { nameBasedUuid } from '../../adapters/system/ids.ts';
import { inputError } from '../../core/errors.ts';
import { RatifyRequest } from '../requests.ts';
import { parseRequest } from '../../core/schema-problem.ts';
import { countOutcomes } from '../motions-run.ts';
import { decideCounts, readRecordedCounts, type RatifiedAgain } from '../recorded-counts.ts';
import { labelOf, type RuleSet, withoutImplicit } from '../rule-set.ts';
import type { Call } from '../../library/call.ts';

/** Throws `UserError`: kind `input` for counts that cannot be read, `usage` for an unknown rule set. */
export async function ratifyAgain(asked: RatifyRequest, call: Call): Promise<RatifiedAgain> {
  const request = parseRequest(RatifyRequest, asked);
  const shipped = await readShippedRules(call);
  const rules =
    request.rules === 'all'
      ? shipped
      : [settleRules(await readRuleSet(request.rules, call.cwd), call)];
  const file = path.resolve(call.cwd, request.aggregations);
  const value = await readResult(file);
  if (value === undefined) throw inputError(`Error: ${file} cannot be read: there is no such file`);
  const counts = readRecordedCounts(
    path.basename(file),
    value,
    await readResult(path.join(path.dirname(file), 'triage_results.json')),
  );
  const sessionId = counts.sessionId ?? path.basename(path.dirname(file));
  return {
    rosterSize: counts.rosterSize,
    sets: rules.map(set => {
      const decided = decideCounts(counts, { rules: set, shipped }, (motion, pass) =>
        nameBasedUuid(`${sessionId}|vote|${motion}|${pass}`),
      );
      const votes = decided.map(({ row }) => row);
      const accounts = decided.map(({ account }) => account);
      return { rules: labelOf(set), votes, accounts, counts: countOutcomes(votes) };
    }),
  };
}

/** All rule sets that ship with Jury, as they apply to this call. */
export async function readShippedRules(call: Call): Promise<RuleSet[]> {
  return Promise.all(
    shippedRules.map(async name => settleRules(await readRuleSet(name, call.cwd), call)),
  );
}

/** `REVIEW_IMPLICIT_ENDORSEMENTS=false`: only those who said so endorse. */
export function settleRules(rules: RuleSet, { environment }: Pick<Call, 'environment'>): RuleSet {
  return environment.REVIEW_IMPLICIT_ENDORSEMENTS?.trim().toLowerCase() === 'false'
    ? withoutImplicit(rules)
    : rules;
}
