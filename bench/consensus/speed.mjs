// How long a run takes and what it costs in memory, from findings to claims with confidence. Texts are made from the data set's own
// words, shuffled with a fixed seed, so that terms are as common as they are in earnest.
import { createCalibratedMatcher } from '../../dist/core/matching/calibrated.js';
import { confidenceModel, matcherModel } from '../../dist/core/matching/calibrated-model.js';
import { formClaims } from '../../dist/core/matching/claims.js';
import { createHash } from 'node:crypto';
import { createDraw } from './labelled-panels.mjs';

const reviewers = Array.from({ length: 12 }, (_, index) => `reviewer-${index + 1}`);

/** `{ count, milliseconds, megabytes, claims }` for each count; memory is what the heap and buffers grew by at the end. */
export async function measureSpeed(panels, counts) {
  const texts = panels.flatMap(({ findings }) => findings.map(({ text }) => text));
  await form(makeFindings(texts, 200));
  const results = [];
  for (const count of counts) {
    const findings = makeFindings(texts, count);
    globalThis.gc?.();
    const before = process.memoryUsage();
    const start = performance.now();
    const claims = await form(findings);
    const milliseconds = performance.now() - start;
    const after = process.memoryUsage();
    results.push({
      count,
      milliseconds,
      megabytes:
        (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 2 ** 20,
      claims: claims.length,
    });
  }
  return results;
}

function form(findings) {
  return formClaims({
    findings,
    matcher: createCalibratedMatcher(matcherModel),
    panel: reviewers,
    reviews: [],
    hash: sha256,
    confidence: { model: confidenceModel, reliability: [], families: new Map() },
  });
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
    return {
      id: `${reviewer}/#${index}`,
      reviewer,
      originalId: `#${index}`,
      label: '',
      severity: 'medium',
      text: words.join(' '),
      section: null,
      category: null,
      evidence: null,
      recommendation: null,
      raw: '',
      notes: [],
      isImprovement: false,
      location: {
        path: `src/file-${issue % 97}.ts`,
        line: 1 + ((issue * 13) % 900),
        endLine: null,
        side: 'new',
        anchoring: 'exact',
        checked: false,
        note: null,
      },
    };
  });
}
