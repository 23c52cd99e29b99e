/** What becomes of output that nobody reads any more: it is lost, and nothing else is. */

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
}
