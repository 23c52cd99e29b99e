/** What a thread of the index runs: takes apart the contents it is sent, in order. Whatever it throws ends it, and is reported. */
import { parentPort } from 'node:worker_threads';
import { loadTokenCounter } from '../tokens/token-counter.ts';
import { type Content, type ExtractedPortion, describeCounter, extractInTurn } from './extract.ts';

let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (contents: readonly Content[]) => {
  last = last.then(() => answer(contents));
});

async function answer(contents: readonly Content[]) {
  const counter = await loadTokenCounter();
  const answered: ExtractedPortion = {
    counter: describeCounter(counter),
    extracts: await extractInTurn(contents, counter),
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  parentPort?.postMessage(answered);
}
