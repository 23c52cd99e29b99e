/** Reads rule sets: the ones that ship with Jury, by name, and those a team wrote, by path. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { RuleSet, withoutImplicit } from '../rule-set.ts';
import { parseSessionJson } from '../../core/given-json.ts';
import { didYouMean, usageError, UserError } from '../../core/errors.ts';
import { firstProblem, formatPath, nearest } from '../../core/schema-problem.ts';
import { readRegularFile, whyUnreadable } from '../../adapters/system/given-file.ts';
import { packageRoot } from '../../adapters/system/package-root.ts';

export const shippedRules = ['explicit', 'seed', 'quorum', 'guarded'] as const;

const known: readonly string[] = shippedRules;
const shippedFolder = path.join(packageRoot, 'rules');

/** From where rule sets are named, and by which variables they are settled. */
interface RulesPlace {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** All rule sets that ship with Jury, as they apply here. */
export async function readShippedRules(place: RulesPlace): Promise<RuleSet[]> {
  return Promise.all(shippedRules.map(name => readRuleSet(name, place)));
}

/**
 * `REVIEW_IMPLICIT_ENDORSEMENTS=false`: only those who said so endorse. Throws `UserError` (kind `usage`): an unknown name with those
 * that exist, a file that cannot be used with the reason.
 */
export async function readRuleSet(name: string, place: RulesPlace): Promise<RuleSet> {
  const rules = await readNamedRules(name, place.cwd);
  return place.environment['REVIEW_IMPLICIT_ENDORSEMENTS']?.trim().toLowerCase() === 'false'
    ? withoutImplicit(rules)
    : rules;
}

async function readNamedRules(name: string, cwd: string) {
  if (known.includes(name)) return readRuleFile(path.join(shippedFolder, `${name}.json`));
  if (!name.endsWith('.json') && !name.includes('/'))
    throw usageError(
      `Error: unknown rule set "${name}"; there are ${known.join(', ')}.`,
      didYouMean(nearest(name, known)) ?? 'A file is named by its path.',
    );
  const rules = await readRuleFile(path.resolve(cwd, name));
  // Every artifact names its rule set: two that differ may not share a name.
  if (known.includes(rules.name) && (await isAsShipped(rules)) !== true)
    throw usageError(
      `Error: the rule set ${name} is called "${rules.name}" like one that ships with Jury, and differs from it.`,
      'Give it a name of its own.',
    );
  return rules;
}

async function readRuleFile(file: string) {
  const refuse = (what: string, cause: unknown, hint: string | null = null) =>
    new UserError(`Error: the rule set ${file} cannot be ${what}`, { kind: 'usage', cause, hint });
  const text = await readRegularFile(file).catch((error: unknown) => {
    throw refuse(`read: ${whyUnreadable(error)}`, error);
  });
  const checked = RuleSet.safeParse(parseSessionJson(file, text, 'usage'), { reportInput: true });
  if (checked.success) return checked.data;
  const {
    path: place,
    sentence,
    suggestions,
  } = firstProblem(z.object(RuleSet.shape), checked.error);
  throw refuse(`used: ${formatPath(place)}: ${sentence}`, checked.error, didYouMean(suggestions));
}

/** Null: no rule set of this name ships with Jury, or not in this version. Else: is it that one? */
export async function isAsShipped(rules: RuleSet) {
  if (!known.includes(rules.name)) return null;
  const shipped = await readRuleFile(path.join(shippedFolder, `${rules.name}.json`));
  const same = [shipped, withoutImplicit(shipped)].find(({ version }) => version === rules.version);
  return same === undefined ? null : JSON.stringify(same) === JSON.stringify(rules);
}

// The roster that ships with Jury.

export async function readDefaultRoster() {
  return JSON.parse(await readFile(path.join(packageRoot, 'rosters', 'archons.json'), 'utf8'));
}
