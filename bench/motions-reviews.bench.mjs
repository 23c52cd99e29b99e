// 1,886 reviews by scripted reviewers of 50 ms each, 16 at a time, one motion a call: wall time over the ideal. The reviewers
// run in this process behind the port of runners, the journal is a real file: what is measured is scheduling, prompts,
// parsing and journal. The same with batches of 14, and the sequential way on a measured slice, stand in the detail.
import path from 'node:path';
import { openJournal } from '../dist/adapters/store/journal.js';
import { systemStorage } from '../dist/adapters/store/storage.js';
import { systemClock } from '../dist/adapters/system/clock.js';
import { MotionsSettings } from '../dist/core/words/motions-settings.js';
import { triage } from '../dist/vote/triage.js';
import { inFolder } from './program.mjs';
import { collectEndorsements, inputFrom } from './votes/in-process.mjs';

export const title = 'wall time of 1,886 scripted reviews, 16 at a time, over the ideal';
export const aim = 1.15;

const delayMs = 50;
const members = 72;

/** @type {import('./main.mjs').Measure} */
export async function measure({ size }) {
  const [reviews, slice] = size === 'full' ? [1886, 40] : [members, 2];
  const concurrency = 16;
  const single = await collectScripted({ reviews, batch: 1, concurrency });
  const batched = await collectScripted({ reviews, batch: 14, concurrency });
  const sequential = await collectScripted({ reviews: slice, batch: 1, concurrency: 1 });
  const ideal = (reviews * delayMs) / concurrency;
  const speedUp = ((sequential.wallMs / slice) * reviews) / single.wallMs;
  return {
    figure: single.wallMs / ideal,
    detail:
      `${Math.round(single.wallMs)} ms over ${Math.round(ideal)} ms; batches of 14 take ` +
      `${batched.calls} calls (aim ≤ 160); ${speedUp.toFixed(1)} times as fast as one after the other ` +
      `(aim ≥ 14), reckoned from ${slice} such reviews`,
  };
}

/**
 * Resolves with the wall time in milliseconds and the calls that were made.
 * @param {{ readonly reviews: number, readonly batch: number, readonly concurrency: number }} asked
 */
function collectScripted({ reviews, batch, concurrency }) {
  return inFolder(async folder => {
    const steps = await openJournal(systemStorage, path.join(folder, 'journal.jsonl'));
    let calls = 0;
    const { session, triaged, packets } = sessionOf(reviews);
    try {
      const began = performance.now();
      const rows = await collectEndorsements(
        session,
        { packets, triaged },
        {
          steps,
          batch,
          concurrency,
          onPrompt() {
            calls += 1;
            return systemClock.sleep(delayMs);
          },
        },
      );
      const wallMs = performance.now() - began;
      if (rows.length !== reviews || rows.some(({ stance }) => stance !== 'ENDORSE'))
        throw new Error(`${rows.length} of ${reviews} reviews were collected`);
      return { wallMs, calls };
    } finally {
      await steps.close();
    }
  });
}

/** As many assignments as asked for, spread over the members as evenly as they go. */
function sessionOf(/** @type {number} */ reviews) {
  const { session } = inputFrom({
    id: 's',
    megaMotions: Array.from({ length: Math.ceil(reviews / members) }, (_, index) => ({
      mega_motion_id: `m-${index}`,
      title: `Motion ${index}`,
      consolidated_text: 'The members shall act with care. '.repeat(80),
    })),
    roster: Array.from({ length: members }, (_, index) => `Member-${index}`),
  });
  const packets = session.roster.map((member, index) => ({
    member,
    notDrawn: [],
    alreadyEndorsed: [],
    assigned: session.motions
      .slice(0, Math.floor(reviews / members) + Number(index < reviews % members))
      .map(({ id }) => ({
        motionId: id,
        support: 0,
        conflict: null,
      })),
  }));
  return { session, triaged: triage(session, new Map(), MotionsSettings.parse({})), packets };
}
