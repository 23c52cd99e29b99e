/** What becomes of output that nobody reads any more: it is lost, and nothing else is. What nobody could ever read is told. */
import { closeSync, readFileSync, readlinkSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * A reader that goes away (`jury … | head`, a terminal that is closed) ends neither a run nor a command: the work goes
 * on to its end and the exit code is its own. Whatever else happens to the streams, a full disk above all, is a fault. To
 * be called once, before anything is printed.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A terminal that hung up answers with EIO; of a file that is an error of the disk.
      if (error.code !== 'EPIPE' && !(error.code === 'EIO' && stream.isTTY)) throw error;
    });
  }
  leaveLostTerminals();
}

/** At its end Node sets the terminal back as it found it, and aborts where there is none any more: unless the descriptor is closed. */
function leaveLostTerminals(): void {
  const terminals = [0, 1, 2].filter(isatty);
  if (terminals.length === 0) return;
  process.on('exit', () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}

/**
 * Was standard output closed when the program started (`jury … >&-`)? Node puts the empty device in its place, opened for reading
 * and writing, which a shell that is told `> /dev/null` never does. Known on Linux only; elsewhere false.
 */
export function isOutputClosed(): boolean {
  try {
    if (readlinkSync('/proc/self/fd/1') !== '/dev/null') return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/1', 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & accessMode) === readAndWrite;
  } catch {
    return false;
  }
}

const accessMode = 0o3;
const readAndWrite = 0o2;
