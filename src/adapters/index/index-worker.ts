/** What a thread of the index runs: takes apart the contents it is sent, in order. Whatever it throws ends it, and is reported. */
import { parentPort } from 'node:worker_threads';
import { loadTokenCounter } from '../tokens/token-counter.ts';
import { extract } from './extract.ts';
import { describeCounter, type ExtractedPortion, type Portion, unpack } from './extractors.ts';

let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (portion: Portion) => {
  last = last.then(() => answer(portion));
});

async function answer(portion: Portion): Promise<void> {
  const counter = await loadTokenCounter();
  const extracts = [];
  for (const content of unpack(portion)) extracts.push(await extract(content, counter));
  const answered: ExtractedPortion = {
    number: portion.number,
    counter: describeCounter(counter),
    extracts,
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  parentPort?.postMessage(answered);
}
