/** Reads the rule sets of outcomes that ship with Jury. */
import path from 'node:path';
import { readRegularFile } from '../adapters/system/given-file.ts';
import { packageRoot } from '../adapters/system/package-root.ts';
import {
  OutcomeRules,
  RuleChange,
  type RuleChoice,
  settleRules,
  withChanges,
} from '../core/verdict/rule-set.ts';

/** A rule set with what the flags after it change, settled for this caller. */
export async function readOutcomeRules({
  names: [name, ...flags],
  ...choice
}: RuleChoice): Promise<OutcomeRules> {
  const rules = OutcomeRules.parse(await readShipped(name));
  const changes = await Promise.all(
    flags.map(async flag => RuleChange.parse(await readShipped(flag))),
  );
  return settleRules(withChanges(rules, changes), choice);
}

async function readShipped(name: string): Promise<unknown> {
  return JSON.parse(
    await readRegularFile(path.join(packageRoot, 'rules', 'outcome', `${name}.json`)),
  );
}
