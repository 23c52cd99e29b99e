// How long a run takes and what it costs in memory, from findings to claims with confidence. Texts are made from the data set's own
// words, shuffled with a fixed seed, so that terms are as common as they are in earnest.
import { createCalibratedMatcher } from '../../dist/core/matching/calibrated.js';
import { confidenceModel, matcherModel } from '../../dist/core/matching/calibrated-model.js';
import { formClaims } from '../../dist/core/matching/claims.js';
import { createHash } from 'node:crypto';
import { makeFinding, placeAt } from './finding.mjs';
import { createDraw } from './labelled-panels.mjs';

const reviewers = Array.from({ length: 12 }, (_, index) => `reviewer-${index + 1}`);

/**
 * `{ shape, milliseconds, processorMilliseconds, megabytes, peakMegabytes, claims, apart }` for each shape: time on the
 * clock and of the processor, what heap and buffers grew by, the most that the process ever held, and how many findings
 * were compared with nothing because there was no room.
 */
export async function measureSpeed(panels) {
  const texts = panels.flatMap(({ findings }) => findings.map(({ text }) => text));
  await form(makeFindings(texts, 200));
  const results = [];
  for (const [shape, make] of Object.entries(shapes)) {
    const findings = make(texts);
    globalThis.gc?.();
    const [before, spent, start] = [process.memoryUsage(), process.cpuUsage(), performance.now()];
    const { claims, warning } = await form(findings);
    const milliseconds = performance.now() - start;
    const [after, { user }] = [process.memoryUsage(), process.cpuUsage(spent)];
    results.push({
      shape,
      milliseconds,
      processorMilliseconds: user / 1000,
      megabytes:
        (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 2 ** 20,
      peakMegabytes: process.resourceUsage().maxRSS / 2 ** 10,
      claims: claims.length,
      apart: Number(/^\d+/.exec(warning ?? '')?.[0] ?? 0),
    });
  }
  return results;
}

const bare = 'Missing null check before use of the user id';

/** As it goes in earnest, then as somebody would make it who means ill. The largest come last: the peak is that of all before. */
const shapes = {
  '2,000': texts => makeFindings(texts, 2_000),
  '10,000': texts => makeFindings(texts, 10_000),
  '20,000 copies of one text': texts =>
    makeFindings(texts, 20_000).map(finding => ({ ...finding, text: bare, location: null })),
  '20,000 on one line': texts =>
    makeFindings(texts, 20_000).map(({ location, ...finding }) => ({
      ...finding,
      location: { ...location, path: 'src/file.ts', line: 3 },
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

async function form(findings) {
  let warning = null;
  const claims = await formClaims({
    findings,
    matcher: createCalibratedMatcher(matcherModel),
    panel: reviewers,
    reviews: [],
    hash: sha256,
    confidence: { model: confidenceModel, reliability: [], families: new Map() },
    warn: sentence => (warning = sentence),
  });
  return { claims, warning };
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Each issue is worded up to four times, with words dropped and swapped in, and names of its own. */
function makeFindings(texts, count) {
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
