/**
 * What of a vote lies in folders. Whatever anybody may have written, of a session, of rules or of results, is read bounded in size
 * and depth, and only from files that are files; results are written whole, so that a reader sees the old ones or the new ones.
 */
import { execFile } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { isInside, realOf, renamePatiently } from '../../adapters/system/disk.ts';
import {
  readRegularBytes,
  readRegularFile,
  unlikeSchema,
  whyUnreadable,
} from '../../adapters/system/given-file.ts';
import { packageRoot } from '../../adapters/system/package-root.ts';
import { systemProcesses } from '../../adapters/system/processes.ts';
import { UserError, didYouMean, ifUserError, inputError, usageError } from '../../core/errors.ts';
import { parseSessionJson } from '../../core/given-json.ts';
import { parseJson } from '../../core/json.ts';
import { runIdPattern } from '../../core/run-files/run-record.ts';
import { nearest } from '../../core/schema-problem.ts';
import { Text } from '../../core/words/fields.ts';
import { RuleSet, withoutImplicit } from '../aggregation.ts';
import { type Artifact, resultFiles } from '../artifacts.ts';
import { sessionFileNames } from '../session-input.ts';
import { byCodePoint } from '../triage.ts';

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

/** Throws where there is none, too. */
export async function readGivenResult(file: string) {
  const value = await readResult(file);
  if (value === undefined) throw inputError(`Error: ${file} cannot be read: there is no such file`);
  return value;
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

export const shippedRules: readonly string[] = ['explicit', 'seed', 'quorum', 'guarded'];

const shippedFolder = path.join(packageRoot, 'rules');

/** From where files are named and programs called, and by which variables. */
interface Place {
  cwd: string;
  environment: NodeJS.ProcessEnv;
}

/** All rule sets that ship with Jury, as they apply here. */
export async function readShippedRules(place: Place) {
  return Promise.all(shippedRules.map(name => readRuleSet(name, place)));
}

/**
 * `REVIEW_IMPLICIT_ENDORSEMENTS=false`: only those who said so endorse. Throws `UserError` (kind `usage`): an unknown name with those
 * that exist, a file that cannot be used with the reason.
 */
export async function readRuleSet(name: string, place: Place) {
  const rules = await readNamedRules(name, place.cwd);
  return place.environment['REVIEW_IMPLICIT_ENDORSEMENTS']?.trim().toLowerCase() === 'false'
    ? withoutImplicit(rules)
    : rules;
}

async function readNamedRules(name: string, cwd: string) {
  if (shippedRules.includes(name)) return readRuleFile(path.join(shippedFolder, `${name}.json`));
  if (!name.endsWith('.json') && !name.includes('/'))
    throw usageError(
      `Error: unknown rule set "${name}"; there are ${shippedRules.join(', ')}.`,
      didYouMean(nearest(name, shippedRules)) ?? 'A file is named by its path.',
    );
  const rules = await readRuleFile(path.resolve(cwd, name));
  // Every artifact names its rule set: two that differ may not share a name.
  if (shippedRules.includes(rules.name) && (await isAsShipped(rules)) !== true)
    throw usageError(
      `Error: the rule set ${name} is called "${rules.name}" like one that ships with Jury, and differs from it.`,
      'Give it a name of its own.',
    );
  return rules;
}

async function readRuleFile(file: string) {
  const refused = `Error: the rule set ${file} cannot be`;
  const text = await readRegularFile(file).catch((error: unknown) => {
    throw usageError(`${refused} read: ${whyUnreadable(error)}`, null, error);
  });
  const checked = RuleSet.safeParse(parseSessionJson(file, text, 'usage'), { reportInput: true });
  if (checked.success) return checked.data;
  throw unlikeSchema(z.object(RuleSet.shape), checked.error, () => `${refused} used`);
}

/** Null: no rule set of this name ships with Jury, or not in this version. Else: is it that one? */
export async function isAsShipped(rules: RuleSet) {
  if (!shippedRules.includes(rules.name)) return null;
  const shipped = await readRuleFile(path.join(shippedFolder, `${rules.name}.json`));
  const same = [shipped, withoutImplicit(shipped)].find(({ version }) => version === rules.version);
  return same === undefined ? null : JSON.stringify(same) === JSON.stringify(rules);
}

// The roster that ships with Jury.

export async function readDefaultRoster() {
  return JSON.parse(await readFile(path.join(packageRoot, 'rosters', 'archons.json'), 'utf8'));
}

// Results: into a temporary folder beside the place, which then takes the place of what an earlier run left.

const knownFiles: ReadonlySet<string> = new Set(Object.values(resultFiles));

/**
 * Throws `UserError` (kind `usage`) where results must not go: over the session itself, over files that are no results, or by a link
 * out of `home`, the folder that nobody named but that they go to by default; null where somebody named one.
 */
export async function checkResultFolder(
  folder: string,
  session: string,
  home: string | null = null,
) {
  const [target, source] = await Promise.all([realOf(folder), realOf(session)]);
  const around = home && (await realOf(home));
  if (around !== null && (target === around || !isInside(around, target)))
    throw usageError(
      `Error: a link leads from ${folder} out of ${home}, to ${target}.`,
      'Name the folder of the results with --out.',
    );
  if (isInside(target, source))
    throw usageError(`Error: --out: the results would replace the session itself (${folder})`);
  const foreign = (await namesIn(folder)).find(name => !knownFiles.has(name));
  if (foreign !== undefined)
    throw usageError(
      `Error: --out: ${folder} holds files that are no results of a vote, such as ${foreign}.`,
      'Name another folder.',
    );
}

/**
 * Results on their way: nothing of them is seen before `commit`. `add` and `commit` throw `UserError` (kind `input`) when they
 * cannot be written; then the old results stay. Writes nothing yet.
 */
export function openResultFolder(folder: string) {
  const base = path.dirname(folder);
  const mark = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const [temporary, old] = [path.join(base, `.new-${mark}`), path.join(base, `.old-${mark}`)];
  // What stood in the way of writing may stand in the way of clearing up; the first reason is the one to tell.
  const discard = () => rm(temporary, { recursive: true, force: true }).catch(() => {});
  const inTemporary = async <Result>(work: () => Promise<Result>) => {
    try {
      if ((await mkdir(temporary, { recursive: true })) !== undefined) await removeLeftOvers(base);
      return await work();
    } catch (error) {
      await discard();
      throw explain(error, folder);
    }
  };
  return {
    /** Takes away what was added and not committed. */
    discard,
    /** Resolves with the SHA-256 of the text. */
    add: (artifact: Artifact) => inTemporary(() => writeArtifact(temporary, artifact)),
    /** Replaces whatever is in the folder by what was added. `keepAs`: an absolute folder that what was there before moves to. */
    async commit(keepAs: string | null = null) {
      await inTemporary(async () => {
        const former = keepAs ?? old;
        const hasFormer = (await namesIn(folder)).length > 0;
        if (hasFormer) await renamePatiently(folder, former);
        else await rm(folder, { recursive: true, force: true });
        await renamePatiently(temporary, folder).catch(async (error: unknown) => {
          if (hasFormer) await renamePatiently(former, folder);
          throw error;
        });
      });
      if (keepAs === null) await rm(old, { recursive: true, force: true });
    },
  };
}

/**
 * Where the results of another run of real reviewers go that lie in the folder: beside it, by its name and theirs, with a number
 * where that is taken. Null: there are none.
 */
export async function placeForFormer(folder: string, runId: string | null) {
  const text = await readRegularFile(path.join(folder, resultFiles.result)).catch(() => null);
  const former = FormerResult.safeParse(parseJson(text)).data?.run_id ?? runId;
  if (former === runId) return null;
  for (let number = 1; ; number++) {
    const place = `${folder}.${former}${number === 1 ? '' : `.${number}`}`;
    if ((await namesIn(place)).length === 0) return place;
  }
}

const FormerResult = z.object({ run_id: Text.regex(runIdPattern) });

/** One part is written while the next one is made. */
async function writeArtifact(folder: string, { name, pieces }: Artifact) {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  const hash = createHash('sha256');
  const opened = await open(file, 'w');
  let [written, text] = [Promise.resolve(), ''];
  const write = async (bytes: Uint8Array) => {
    hash.update(bytes);
    await written;
    written = opened.writeFile(bytes);
  };
  try {
    for (const piece of pieces()) {
      if (typeof piece === 'string') text += piece;
      if (text.length < partLength && typeof piece === 'string') continue;
      await write(Buffer.from(text));
      text = '';
      if (typeof piece !== 'string') await write(piece);
    }
    await write(Buffer.from(text));
    await written;
  } finally {
    await opened.close();
  }
  return hash.digest('hex');
}

/** Characters of one write: the rows of a large roster are longer than one string may be. */
const partLength = 1 << 16;

/** What processes that are gone left half done. */
async function removeLeftOvers(base: string) {
  for (const name of await namesIn(base)) {
    const pid = /^\.(?:new|old)-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
    if (pid !== undefined && !systemProcesses.isAlive(Number(pid)))
      await rm(path.join(base, name), { recursive: true, force: true });
  }
}

/** Empty when there is no such folder. */
async function namesIn(folder: string) {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw explain(error, folder);
  });
}

function explain(error: unknown, folder: string) {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof UserError) return error;
  const reason =
    {
      ENOSPC: 'no space left on device',
      EACCES: 'permission denied',
      EROFS: 'the file system is read-only',
      ENOTDIR: 'a file is in the way',
      EEXIST: 'a file is in the way',
    }[code] ?? code;
  return inputError(`Error: ${folder} cannot be written: ${reason}`, null, error);
}

// Signs the head of an audit trail, and tells who did, by `ssh-keygen`: with the keys that people sign commits with.

/** A signature of anything else, such as a commit, is none of a vote. */
const namespace = 'jury-audit';

/** The key that git signs with, where that is one of SSH; else the usual one of this person. */
export async function findSigningKey(place: Place) {
  const configured = async (...name: readonly string[]) =>
    (await run('git', ['config', ...name], place).catch(ifUserError(null)))?.stdout.trim() ?? '';
  const isSsh = (await configured('gpg.format')) === 'ssh';
  return (
    (isSsh && (await configured('--type=path', 'user.signingkey'))) ||
    path.join(place.environment.HOME ?? homedir(), '.ssh', 'id_ed25519')
  );
}

/**
 * Puts the head and its signature into the folder; resolves with the file of the signature. Throws `UserError`: kind `usage` where the
 * key cannot sign, `input` where there is no `ssh-keygen`.
 */
export async function signHead(
  head: string,
  { folder, key }: { readonly folder: string; readonly key: string },
  place: Place,
) {
  await refuseUnreadable(key, 'key to sign with');
  const text = `${head}\n`;
  const signed = await run('ssh-keygen', ['-Y', 'sign', '-n', namespace, '-f', key], place, text);
  if (!signed.isDone)
    throw usageError(`Error: ssh-keygen cannot sign with ${key}: ${lastLine(signed.stderr)}`);
  const signature = path.join(folder, resultFiles.signature);
  for (const [file, content] of [
    [path.join(folder, resultFiles.head), text],
    [signature, signed.stdout],
  ] as const) {
    // A link that lies there is not followed.
    await rm(file, { force: true });
    await writeFile(file, content, { flag: 'wx' });
  }
  return signature;
}

/** `allowed`: a file as `ssh-keygen` reads it. Throws `UserError` like `signHead`. */
export async function checkSignature(
  head: string,
  { folder, allowed }: { readonly folder: string; readonly allowed: string },
  place: Place,
) {
  await refuseUnreadable(allowed, 'file of allowed signers');
  const signature = path.join(folder, resultFiles.signature);
  const missing = await readRegularBytes(signature).then(() => null, whyUnreadable);
  if (missing !== null) return { signer: null, problem: missing };
  const files = ['-s', signature, '-f', allowed];
  let last = await run('ssh-keygen', ['-Y', 'find-principals', ...files], place);
  for (const signer of last.stdout.split(/\r?\n/).filter(Boolean)) {
    const check = ['-Y', 'verify', '-n', namespace, '-I', signer, ...files];
    last = await run('ssh-keygen', check, place, `${head}\n`);
    if (last.isDone) return { signer, problem: null };
  }
  return { signer: null, problem: lastLine(last.stderr + last.stdout) };
}

async function refuseUnreadable(file: string, what: string) {
  await readRegularBytes(file).catch((error: unknown) => {
    throw usageError(`Error: the ${what}, ${file}, cannot be read: ${whyUnreadable(error)}`);
  });
}

/** A pass phrase is asked for at the terminal. Throws `UserError` (kind `input`) where there is no such program. */
function run(
  program: string,
  args: readonly string[],
  { cwd, environment: env }: Place,
  input = '',
) {
  return new Promise<{ isDone: boolean; stdout: string; stderr: string }>((resolve, reject) => {
    const child = execFile(program, args, { cwd, env }, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT')
        reject(inputError(`Error: there is no ${program} on this machine, which this needs`));
      else resolve({ isDone: error === null, stdout, stderr });
    });
    // A program that fails at once reads nothing.
    child.stdin?.on('error', () => {}).end(input);
  });
}

function lastLine(text: string) {
  return text.trimEnd().split('\n').at(-1)?.trim().replace(/\.$/, '') ?? '';
}
