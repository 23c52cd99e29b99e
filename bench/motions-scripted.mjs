// Reviews by members that take 50 ms a call and answer in this process, with everything else as in a real run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openJournal } from '../dist/adapters/store/journal.js';
import { systemStorage } from '../dist/adapters/store/storage.js';
import { systemClock } from '../dist/adapters/system/clock.js';
import { sha256 } from '../dist/adapters/system/ids.js';
import { createCeiling } from '../dist/engine/ceiling.js';
import { collectReviews } from '../dist/engine/vote/collect-reviews.js';
import { createEndpoints } from '../dist/engine/vote/endpoint-limits.js';

export const delayMs = 50;

const members = 72;
const limits = { maxCalls: null, maxTokens: null, maxCost: null };
const usage = {
  calls: 1,
  inputTokens: 900,
  outputTokens: 60,
  cachedTokens: 0,
  cost: null,
  estimated: false,
};

/** Resolves with the wall time in milliseconds and the calls that were made. */
export async function collectScripted({ reviews, batch, concurrency }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-bench-motions-'));
  const steps = await openJournal(systemStorage, path.join(folder, 'journal.jsonl'));
  let calls = 0;
  const runner = {
    name: 'scripted',
    fingerprint: () => Promise.resolve('scripted'),
    async ask({ prompt }) {
      calls += 1;
      await systemClock.sleep(delayMs);
      const text = JSON.stringify(
        [...prompt.matchAll(/^motion_id: "(.*)"$/gm)].map(([, id]) => ({
          motion_id: id,
          stance: 'endorse',
          reasoning: 'It is sound and can be carried out.',
          confidence: 0.8,
        })),
      );
      return {
        status: 'answered',
        text,
        stop: 'end',
        usage,
        model: null,
        coverage: null,
        transcript: text,
      };
    },
  };
  try {
    const signal = new AbortController().signal;
    const world = { clock: systemClock, mostCalls: concurrency, jitter: () => 0, note: () => {} };
    const asking = {
      steps,
      signal,
      jitter: () => 0,
      clock: systemClock,
      ceiling: createCeiling(limits, { calls: 0, tokens: 0, cost: 0 }),
      endpoints: createEndpoints(
        [{ key: 'scripted', limit: concurrency, weight: 1 }],
        concurrency,
        world,
      ),
      runnerFor: () => Promise.resolve(runner),
      seatAt: seat => seat,
    };
    const { session, packets } = sessionOf(reviews);
    const began = performance.now();
    const rows = await collectReviews(
      { session, packets, motions: [], signal, note: () => {} },
      {
        asking,
        batch,
        concurrency,
        panelConcurrency: 2,
        limits,
        fence: '0'.repeat(32),
        hash: sha256,
        seatFor: ({ id }) => ({ seat: seatOf(id), endpoint: null }),
      },
    );
    const wallMs = performance.now() - began;
    if (rows.length !== reviews || rows.some(({ stance }) => stance !== 'ENDORSE'))
      throw new Error(`${rows.length} of ${reviews} reviews were collected`);
    return { wallMs, calls };
  } finally {
    steps.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As many assignments as asked for, spread over the members as evenly as they go. */
function sessionOf(reviews) {
  const most = Math.ceil(reviews / members);
  const motions = Array.from({ length: most }, (_, index) => ({
    id: `m-${index}`,
    title: `Motion ${index}`,
    theme: 'Care',
    text: 'The members shall act with care. '.repeat(80),
    rationale: null,
    sourceMotionIds: [],
    supporters: [],
    unknownSupporters: [],
    consensusTier: 'low',
    isNovel: false,
  }));
  const roster = Array.from({ length: members }, (_, index) => ({
    name: `Member-${index}`,
    id: `member-${index}`,
    role: null,
    backstory: null,
    model: null,
    baseUrl: null,
  }));
  const packets = roster.map((member, index) => {
    const count = Math.floor(reviews / members) + (index < reviews % members ? 1 : 0);
    return {
      member,
      alreadyEndorsed: [],
      assigned: motions
        .slice(0, count)
        .map(({ id }) => ({ motionId: id, reason: 'gap_archon', conflict: null })),
    };
  });
  return { session: { id: 's', name: 's', motions, roster }, packets };
}

function seatOf(id) {
  return {
    id,
    runner: 'command',
    required: false,
    environment: [],
    timeout: 60,
    home: '/',
    persona: {
      name: 'member',
      role: 'general',
      focus: 'motions',
      veto: false,
      budget: 1,
      capability: 'deliberation',
      files: [],
      instructions: '',
    },
  };
}
