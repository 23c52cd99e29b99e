// One shape of findings, from findings to claims with confidence, in a process that does nothing else: `speed-shape.mjs SHAPE` reads
// the texts as JSON from standard input and prints what it took. Texts are made from the data set's own words, shuffled with a
// fixed seed, so that terms are as common as they are in earnest.
import { readFileSync } from 'node:fs';
import { createCalibratedMatcher } from '../../dist/agreement/calibrated.js';
import { confidenceModel, matcherModel } from '../../dist/agreement/calibrated-model.js';
import { formClaims } from '../../dist/agreement/claims.js';
import { makeFinding, placeAt } from './finding.mjs';
import { createDraw } from './labelled-panels.mjs';

const reviewers = Array.from({ length: 12 }, (_, index) => `reviewer-${index + 1}`);

const bare = 'Missing null check before use of the user id';

/** @typedef {import('./finding.mjs').Finding} Finding */

/**
 * By name, as `speed.mjs` lists them.
 * @type {Readonly<Record<string, (texts: readonly string[]) => Finding[]>>}
 */
const shapes = {
  '2,000': texts => makeFindings(texts, 2_000),
  '10,000': texts => makeFindings(texts, 10_000),
  '20,000 copies of one text': texts =>
    makeFindings(texts, 20_000).map(finding => ({ ...finding, text: bare, location: null })),
  '20,000 on one line': texts =>
    makeFindings(texts, 20_000).map(finding => ({
      ...finding,
      location: placeAt('src/file.ts', 3),
    })),
  '100,000 of one reviewer': texts =>
    makeFindings(texts, 100_000).map(finding => ({ ...finding, reviewer: reviewers[0] })),
  '100,000': texts => makeFindings(texts, 100_000),
  '2,000 of 50 kB': texts =>
    makeFindings(texts, 2_000).map((finding, index) => ({
      ...finding,
      text: Array.from({ length: 300 }, (_, at) => texts[(index * 31 + at) % texts.length])
        .join(' ')
        .slice(0, 50_000),
    })),
};

async function measure(/** @type {string} */ shape, /** @type {readonly string[]} */ texts) {
  await form(makeFindings(texts, 200));
  const findings = shapes[shape](texts);
  globalThis.gc?.();
  const [before, spent, start] = [process.memoryUsage(), process.cpuUsage(), performance.now()];
  const { claims, warning } = await form(findings);
  const [onClock, { user }] = [performance.now() - start, process.cpuUsage(spent)];
  const after = process.memoryUsage();
  return {
    shape,
    // Beside other work the clock tells of that work, too; alone, the processor tells of compiling and collecting, too.
    milliseconds: Math.min(onClock, user / 1000),
    megabytes:
      (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 2 ** 20,
    claims: claims.length,
    apart: Number(/^\d+/.exec(warning)?.[0] ?? 0),
  };
}

async function form(/** @type {readonly Finding[]} */ findings) {
  let warning = '';
  const claims = await formClaims({
    findings,
    matcher: createCalibratedMatcher(matcherModel),
    panel: reviewers,
    reviews: [],
    confidence: { model: confidenceModel, reliability: [], families: new Map() },
    warn: sentence => {
      warning = sentence;
    },
  });
  return { claims, warning };
}

/** Each issue is worded up to four times, with words dropped and swapped in, and names of its own. */
function makeFindings(/** @type {readonly string[]} */ texts, /** @type {number} */ count) {
  const next = createDraw(`speed ${count}`);
  return Array.from({ length: count }, (_, index) => {
    const issue = Math.floor(index / 4);
    const words = texts[(issue * 7) % texts.length]
      .split(' ')
      .map(word => (next() < 0.15 ? `${word}${issue}` : word))
      .filter(() => next() > 0.1);
    const reviewer = reviewers[index % reviewers.length];
    return makeFinding(reviewer, index, words.join(' '), {
      location: placeAt(`src/file-${issue % 97}.ts`, 1 + ((issue * 13) % 900)),
    });
  });
}

const texts = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(await measure(process.argv[2], texts)));
