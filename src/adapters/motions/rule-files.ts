/** Reads rule sets: the ones that ship with Jury, by name, and those a team wrote, by path. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { RuleSet, withoutImplicit } from '../../core/vote/rule-set.ts';
import { parseSessionJson } from '../../core/vote/session-input.ts';
import { didYouMean, UserError } from '../../core/errors.ts';
import { firstProblem, formatPath, nearest } from '../../core/schema-problem.ts';
import { readRegularFile, whyUnreadable } from '../system/given-file.ts';
import { packageRoot } from '../system/package-root.ts';

export const shippedRules = ['explicit', 'seed', 'quorum', 'guarded'] as const;

const shippedFolder = path.join(packageRoot, 'rules');

/** Throws `UserError` (kind `usage`): an unknown name with those that exist, a file that cannot be used with the reason. */
export async function readRuleSet(name: string, cwd: string): Promise<RuleSet> {
  const known: readonly string[] = shippedRules;
  if (known.includes(name)) return readRuleFile(path.join(shippedFolder, `${name}.json`));
  if (!name.endsWith('.json') && !name.includes('/')) {
    throw new UserError(
      `Error: unknown rule set "${name}"; there are ${shippedRules.join(', ')}.`,
      {
        kind: 'usage',
        hint: didYouMean(nearest(name, shippedRules)) ?? 'A file is named by its path.',
      },
    );
  }
  const rules = await readRuleFile(path.resolve(cwd, name));
  if (known.includes(rules.name)) await refuseImpostor(rules, name);
  return rules;
}

async function readRuleFile(file: string): Promise<RuleSet> {
  const text = await readRegularFile(file).catch((error: unknown) => {
    throw new UserError(`Error: the rule set ${file} cannot be read: ${whyUnreadable(error)}`, {
      kind: 'usage',
      cause: error,
    });
  });
  const checked = RuleSet.safeParse(parseRules(file, text), { reportInput: true });
  if (checked.success) return checked.data;
  const problem = firstProblem(z.object(RuleSet.shape), checked.error);
  throw new UserError(
    `Error: the rule set ${file} cannot be used: ${formatPath(problem.path)}: ${problem.sentence}`,
    { kind: 'usage', hint: didYouMean(problem.suggestions), cause: checked.error },
  );
}

function parseRules(file: string, text: string): unknown {
  try {
    return parseSessionJson(file, text);
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error), {
      kind: 'usage',
      cause: error,
    });
  }
}

/** Null: no rule set of this name ships with Jury, or not in this version. Else: is it that one? */
export async function isAsShipped(rules: RuleSet): Promise<boolean | null> {
  if (!(shippedRules as readonly string[]).includes(rules.name)) return null;
  const shipped = await readRuleFile(path.join(shippedFolder, `${rules.name}.json`));
  const same = [shipped, withoutImplicit(shipped)].find(({ version }) => version === rules.version);
  return same === undefined ? null : JSON.stringify(same) === JSON.stringify(rules);
}

/** Every artifact names its rule set: two that differ may not share a name. */
async function refuseImpostor(rules: RuleSet, name: string): Promise<void> {
  if ((await isAsShipped(rules)) === true) return;
  throw new UserError(
    `Error: the rule set ${name} is called "${rules.name}" like one that ships with Jury, and differs from it.`,
    { kind: 'usage', hint: 'Give it a name of its own.' },
  );
}

// The roster that ships with Jury.

export async function readDefaultRoster(): Promise<unknown> {
  return JSON.parse(await readFile(path.join(packageRoot, 'rosters', 'archons.json'), 'utf8'));
}
