/** Reads what anybody may have written, of a session or of results: bounded in size and depth, and only files that are files. */
import { isUtf8 } from 'node:buffer';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import {
  readRegularBytes,
  readRegularFile,
  whyUnreadable,
} from '../../adapters/system/given-file.ts';
import { packageRoot } from '../../adapters/system/package-root.ts';
import { didYouMean, inputError, usageError } from '../../core/errors.ts';
import { parseSessionJson } from '../../core/given-json.ts';
import { firstProblem, formatPath, nearest } from '../../core/schema-problem.ts';
import { byCodePoint } from '../triage.ts';
import { RuleSet, withoutImplicit } from '../aggregation.ts';
import { sessionFileNames } from '../session-input.ts';

/** Null when there is no such file. `shown`: as messages name it. Throws `UserError` (kind `input`). */
export async function readBytes(file: string, shown = file, most?: number) {
  return readRegularBytes(file, most).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    const reason = `Error: ${shown} cannot be read: ${whyUnreadable(error)}`;
    throw inputError(reason, null, error);
  });
}

/** Bytes of results that are read at once, at most: about as long as a text may be. */
export const longestResult = 500 << 20;

export async function isFolder(place: string) {
  return (await stat(place).catch(() => null))?.isDirectory() === true;
}

/** Undefined when there is no such file. Throws the same, with line and column. */
export async function readResult(file: string) {
  const bytes = await readBytes(file, file, longestResult);
  return bytes === null ? undefined : parseResult(path.basename(file), bytes.toString('utf8'));
}

/** Lists and objects within one another; results go six deep. */
const deepest = 64;

export function parseResult(name: string, text: string) {
  const value = parseSessionJson(name, text);
  if (isDeeperThan(deepest, value))
    throw inputError(`Error: ${name} holds lists and objects more than ${deepest} deep`);
  return value;
}

function isDeeperThan(most: number, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (most === 0 || Object.values(value).some(inner => isDeeperThan(most - 1, inner)))
  );
}

/** Below `base`; `momentOf` gives null, or fails, for a folder that is none of those. Null: there is none. */
export async function findNewest<Moment extends number | string>(
  base: string,
  momentOf: (folder: string) => Promise<Moment | null>,
) {
  let newest: { readonly folder: string; readonly moment: Moment } | null = null;
  const names = await readdir(base).catch(() => []);
  for (const folder of names.sort(byCodePoint).map(name => path.join(base, name))) {
    const moment = await momentOf(folder).catch(() => null);
    if (moment !== null && (newest === null || moment >= newest.moment))
      newest = { folder, moment };
  }
  return newest;
}

/** Where sessions are looked for, relative to the caller's folder. */
const consolidatorFolder = path.join('_bmad-output', 'consolidator');

/** The session whose folder was changed last, relative to `cwd`. Throws `UserError` (kind `input`) when there is none. */
export async function findNewestSession(cwd: string) {
  const newest = await findNewest(path.join(cwd, consolidatorFolder), async folder => {
    const motions = await stat(path.join(folder, sessionFileNames.megaMotions));
    return motions.isFile() ? (await stat(folder)).mtimeMs : null;
  });
  if (newest !== null) return path.join(consolidatorFolder, path.basename(newest.folder));
  throw inputError(
    `Error: No consolidator output found. Run consolidator first.\nLooking for: ${consolidatorFolder.split(path.sep).join('/')}/*/`,
  );
}

/** `shown`: the folder as the person named it, for messages. Throws `UserError` (kind `input`). */
export async function readSessionFolder(folder: string, shown: string) {
  if (!(await isFolder(folder))) throw inputError(`Error: Consolidator output not found: ${shown}`);
  const entries = await Promise.all(
    Object.entries(sessionFileNames).map(async ([key, name]) => [
      key,
      await readJsonFile(path.join(folder, name), name),
    ]),
  );
  const files = Object.fromEntries(entries) as Record<keyof typeof sessionFileNames, unknown>;
  if (files.megaMotions === undefined)
    throw inputError(`Error: ${sessionFileNames.megaMotions} not found in ${shown}`);
  return { id: path.basename(folder), ...files };
}

/** Undefined when there is no such file. */
async function readJsonFile(file: string, name: string) {
  const bytes = await readBytes(file, name);
  if (bytes === null) return undefined;
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return parseSessionJson(name, text);
  const before = text.slice(0, text.indexOf('\uFFFD')).split('\n');
  throw inputError(
    `Error: ${name} is not valid JSON: it is not UTF-8 at line ${before.length} column ${(before.at(-1) ?? '').length + 1}`,
  );
}

// Reads rule sets: the ones that ship with Jury, by name, and those a team wrote, by path.

export const shippedRules = ['explicit', 'seed', 'quorum', 'guarded'] as const;

const known: readonly string[] = shippedRules;
const shippedFolder = path.join(packageRoot, 'rules');

/** From where rule sets are named, and by which variables they are settled. */
interface RulesPlace {
  cwd: string;
  environment: NodeJS.ProcessEnv;
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
    usageError(`Error: the rule set ${file} cannot be ${what}`, hint, cause);
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
