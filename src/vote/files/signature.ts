/** Signs the head of an audit trail, and tells who did, by `ssh-keygen`: with the keys that people sign commits with. */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { headName, signatureName } from '../artifacts.ts';
import { ifUserError, inputError, usageError } from '../../core/errors.ts';
import type { VerifiedAudit } from '../../core/printed/votes.ts';
import { readRegularBytes, whyUnreadable } from '../../adapters/system/given-file.ts';

/** A signature of anything else, such as a commit, is none of a vote. */
const namespace = 'jury-audit';

/** Where programs are called from. */
interface SigningPlace {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
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
  const signature = path.join(folder, signatureName);
  const written = [
    [path.join(folder, headName), text] as const,
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
  const signature = path.join(folder, signatureName);
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
