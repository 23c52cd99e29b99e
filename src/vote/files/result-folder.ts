/**
 * Writes the results of a vote: into a temporary folder beside the place, which then takes the place of what an earlier run
 * left. A reader sees the old results or the new ones, and never files of both.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { renamePatiently } from '../../adapters/system/disk.ts';
import {
  readRegularBytes,
  readRegularFile,
  whyUnreadable,
} from '../../adapters/system/given-file.ts';
import { systemProcesses } from '../../adapters/system/processes.ts';
import { UserError, ifUserError, inputError, usageError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { VerifiedAudit } from '../../core/printed/votes.ts';
import { runIdPattern } from '../../core/run-files/run-record.ts';
import { Text } from '../../core/words/fields.ts';
import { type Artifact, resultFiles } from '../artifacts.ts';

const known: ReadonlySet<string> = new Set(Object.values(resultFiles));

/**
 * Throws `UserError` (kind `usage`) where results must not go: over the session itself, over files that are no results, or by a link
 * out of `home`, the folder that nobody named but that they go to by default; null where somebody named one.
 */
export async function checkResultFolder(
  folder: string,
  session: string,
  home: string | null = null,
) {
  const [target, source] = await Promise.all([resolveLinks(folder), resolveLinks(session)]);
  if (home !== null && !isInside(target, await resolveLinks(home)))
    throw usageError(
      `Error: a link leads from ${folder} out of ${home}, to ${target}.`,
      'Name the folder of the results with --out.',
    );
  if (target === source || isInside(source, target))
    throw usageError(`Error: --out: the results would replace the session itself (${folder})`);
  const foreign = (await namesIn(folder)).find(name => !known.has(name));
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
  const write = async () => {
    const bytes = Buffer.from(text);
    text = '';
    hash.update(bytes);
    await written;
    written = opened.writeFile(bytes);
  };
  try {
    for (const piece of pieces()) {
      text += piece;
      if (text.length >= partLength) await write();
    }
    await write();
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

/** Of what is not there yet, those of the part of the way that is. */
async function resolveLinks(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  return realpath(folder).catch(async () =>
    parent === folder ? folder : path.join(await resolveLinks(parent), path.basename(folder)),
  );
}

function isInside(inner: string, outer: string) {
  const way = path.relative(outer, inner);
  return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
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

/** Where programs are called from. */
interface SigningPlace {
  cwd: string;
  environment: NodeJS.ProcessEnv;
}

/** The key that git signs with, where that is one of SSH; else the usual one of this person. */
export async function findSigningKey(place: SigningPlace) {
  const configured = async (...name: readonly string[]): Promise<string> =>
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
  place: SigningPlace,
) {
  await refuseUnreadable(key, 'key to sign with');
  const text = `${head}\n`;
  const signed = await run('ssh-keygen', ['-Y', 'sign', '-n', namespace, '-f', key], place, text);
  if (!signed.isDone)
    throw usageError(`Error: ssh-keygen cannot sign with ${key}: ${lastLine(signed.stderr)}`);
  const signature = path.join(folder, resultFiles.signature);
  const written = [
    [path.join(folder, resultFiles.head), text] as const,
    [signature, signed.stdout] as const,
  ];
  for (const [file, content] of written) {
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
  place: SigningPlace,
): Promise<NonNullable<VerifiedAudit['anchors']['signature']>> {
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

interface Ended {
  readonly isDone: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** A pass phrase is asked for at the terminal. Throws `UserError` (kind `input`) where there is no such program. */
function run(
  program: string,
  args: readonly string[],
  { cwd, environment: env }: SigningPlace,
  input = '',
): Promise<Ended> {
  return new Promise((resolve, reject) => {
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
