// The prompts of a whole vote, as they are sent: how much of them a provider that caches beginnings has not seen before. Members
// are scripted in this process; a recorded session of the data, without data one of its own.
import path from 'node:path';
import { systemClock } from '../dist/adapters/system/clock.js';
import { readSessionFolder } from '../dist/adapters/motions/session-folder.js';
import { readDefaultRoster } from '../dist/adapters/motions/rule-files.js';
import { nameBasedUuid, sha256 } from '../dist/adapters/system/ids.js';
import { defaultLimits } from '../dist/core/vote/motions-settings.js';
import { readSession } from '../dist/core/vote/session-input.js';
import { buildPackets, triage } from '../dist/core/vote/triage.js';
import { noUsage, nothingSpent } from '../dist/core/words/review.js';
import { createCeiling } from '../dist/engine/ceiling.js';
import { collectReviews } from '../dist/engine/vote/collect-reviews.js';
import { createEndpoints } from '../dist/engine/vote/endpoint-limits.js';
import { partOf } from './program.mjs';
import { inputFrom, seatOf } from './votes/in-process.mjs';
import { endorseAll } from './votes/opinions.mjs';

export const title =
  'share of what members are sent, 5 motions a call, that no call before it began with';
export const aim = 0.3;

/** @type {import('./main.mjs').Measure} */
export async function measure({ size, data }) {
  const folder = size === 'full' ? partOf(data, 'motions') : null;
  const { session } = folder === null ? ownSession() : await recordedSession(folder);
  const prompts = await promptsOf(session);
  const [sent, fresh] = prompts.reduce(
    ([all, unseen], prompt) => [all + prompt.length, unseen + unseenIn(prompt)],
    [0, 0],
  );
  return {
    figure: fresh / sent,
    detail: `${prompts.length} calls of ${session.roster.length} members, ${sent} characters, of which ${fresh} stood at the beginning of no call before`,
  };
}

async function recordedSession(/** @type {string} */ folder) {
  const place = path.join(folder, '2541320d-c2ca-4a16-aa96-042b01bd98d2');
  return readSession(await readSessionFolder(place, place), {
    includeDeferred: false,
    defaultRoster: await readDefaultRoster(),
    uuid: nameBasedUuid,
  });
}

function ownSession() {
  return inputFrom({
    id: 'own',
    megaMotions: Array.from({ length: 15 }, (_, index) => ({
      mega_motion_id: `m-${index}`,
      title: `Motion ${index}`,
      consolidated_text: 'The members shall act with care. '.repeat(80),
      all_supporting_archons: [`Member-${index}`, `Member-${2 * index}`],
    })),
    roster: Array.from({ length: 72 }, (_, index) => `Member-${index}`),
  });
}

/** In the order in which they are sent: instructions and question. */
async function promptsOf(/** @type {import('../dist/core/vote/motion.js').Session} */ session) {
  /** @type {string[]} */
  const prompts = [];
  /** @type {import('../dist/index.js').Runner} */
  const runner = {
    name: 'scripted',
    fingerprint: () => Promise.resolve('scripted'),
    ask({ prompt, instructions }) {
      prompts.push(`${instructions}\n\n${prompt}`);
      const text = endorseAll(null, { prompt, instructions });
      return Promise.resolve({
        status: 'answered',
        text,
        stop: 'end',
        usage: { ...noUsage, calls: 1 },
        model: null,
        coverage: null,
        transcript: text,
      });
    },
  };
  const thresholds = { low: 0.66, medium: 0.33, maxConflicts: 5, lowFromTier: false };
  const motions = triage(session, new Map(), thresholds);
  const packets = buildPackets(session, motions, null);
  const signal = new AbortController().signal;
  const ceilings = { maxCalls: null, maxTokens: null, maxCost: null };
  const settings = { batch: 5, concurrency: 4, panel_concurrency: 2 };
  const world = { clock: systemClock, mostCalls: 4, note() {} };
  await collectReviews(
    { session, packets, motions, signal, note() {} },
    {
      asking: {
        steps: { step: (_, work) => work(), recall: () => undefined },
        signal,
        round: 1,
        hash: sha256,
        clock: systemClock,
        ceiling: createCeiling(ceilings, nothingSpent),
        endpoints: createEndpoints([{ key: 'scripted', limit: 4, weight: 1 }], 4, world),
        runnerFor: () => Promise.resolve(runner),
        seatAt: seat => seat,
      },
      settings,
      ceilings,
      lanes: 4,
      fence: '0'.repeat(32),
      hash: sha256,
      textLimits: defaultLimits,
      seatFor: member => ({ seat: seatOf(member?.id ?? 'facilitator'), endpoint: null }),
    },
  );
  return prompts;
}

/** Characters in which a provider looks its cache up, about 64 tokens. */
const block = 256;
/** Beginnings that were sent, each by the one that it goes on from. */
const seen = new Map();

/** Characters behind the longest beginning that was sent before. */
function unseenIn(/** @type {string} */ prompt) {
  let [known, node] = [0, 0];
  for (let at = 0; at < prompt.length; at += block) {
    const name = `${node} ${prompt.slice(at, at + block)}`;
    const next = seen.get(name);
    if (next !== undefined && known === at) known = at + block;
    node = next ?? seen.size + 1;
    if (next === undefined) seen.set(name, node);
  }
  return Math.max(0, prompt.length - known);
}
