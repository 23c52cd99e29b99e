/** Programs in the folders of the system alone: nobody's PATH decides what encloses a reviewer. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

const folders = '/usr/bin /bin /usr/sbin /sbin /usr/local/bin /run/current-system/sw/bin'.split(
  ' ',
);

/** First line of standard error when a sandbox could not be made; the exit code is 125. */
export const failedMark = 'jury-sandbox:';

export function findProgram(name: string) {
  return folders.map(folder => `${folder}/${name}`).find(isExecutable) ?? null;
}

function isExecutable(file: string) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What a container forbids shows when it is tried: null when the words ran well. */
export function faultOfStart([file = '', ...args]: readonly string[]): Promise<string | null> {
  return new Promise(resolve => {
    execFile(file, args, { env: {}, timeout: 5_000 }, (error, _, stderr) =>
      resolve(error === null ? null : lastLine(stderr) || error.message),
    );
  });
}

function lastLine(text: string) {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith(failedMark));
  return lines.at(-1)?.replace(/\.$/, '') ?? '';
}
