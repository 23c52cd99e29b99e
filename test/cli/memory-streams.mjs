import { Readable, Writable } from 'node:stream';

/** The streams of a program that is no process: what it reads is given, and what it prints is kept. */
export function createMemoryStreams(input = '') {
  const [stdout, stderr] = [new MemoryStream(), new MemoryStream()];
  const { signal: interruption } = new AbortController();
  return {
    streams: { stdin: Readable.from([Buffer.from(input)]), stdout, stderr, interruption },
    printed: () => ({ stdout: stdout.text(), stderr: stderr.text() }),
  };
}

class MemoryStream extends Writable {
  /** @type {Buffer[]} */
  chunks = [];

  /** @type {Writable['_write']} */
  _write(chunk, _encoding, done) {
    this.chunks.push(chunk);
    done();
  }

  text() {
    return Buffer.concat(this.chunks).toString();
  }
}
