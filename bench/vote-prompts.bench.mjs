// What members of a vote are sent, against what a provider has in its cache that keeps how calls began: of a recorded session, without data of one of its own.
import { createPassingSteps } from '../dist/core/ports/steps.js';
import path from 'node:path';
import { readDefaultRoster, readSessionFolder } from '../dist/vote/files/folders.js';
import { readSession } from '../dist/vote/session-input.js';
import { buildPackets, triage } from '../dist/vote/triage.js';
import { inFolder, partOf } from './program.mjs';
import { collectEndorsements } from './votes/in-process.mjs';
import { writeSession } from './votes/session.mjs';

export const title =
  'share of what members are sent, 5 motions a call, that no call before it began with';
export const aim = 0.3;

const thresholds = {
  low: 0.66,
  medium: 0.33,
  max_conflicts: 5,
  triage: { low_from_tier: false },
};

/** @type {import('./main.mjs').Measure} */
export function measure({ size, data }) {
  return inFolder(async own => {
    const recorded = size === 'full' ? partOf(data, 'motions') : null;
    const folder =
      recorded === null ? own : path.join(recorded, '2541320d-c2ca-4a16-aa96-042b01bd98d2');
    if (recorded === null)
      writeSession(own, { members: 72, motions: 15, seed: 'own', support: 0.1 });
    const { session } = readSession(await readSessionFolder(folder, folder), {
      includeDeferred: false,
      defaultRoster: await readDefaultRoster(),
    });
    const motions = triage(session, new Map(), thresholds);
    let [calls, sent, known] = [0, 0, 0];
    const seen = new Set();
    await collectEndorsements(
      session,
      { triaged: motions, packets: buildPackets(session, motions, null) },
      {
        steps: createPassingSteps(),
        batch: 5,
        concurrency: 4,
        onPrompt(prompt) {
          calls += 1;
          sent += prompt.length;
          for (let end = block; end <= prompt.length; end += block) {
            const beginning = prompt.slice(0, end);
            if (seen.has(beginning)) known += block;
            seen.add(beginning);
          }
        },
      },
    );
    return { figure: 1 - known / sent, detail: `${calls} calls, ${sent} characters` };
  });
}

/** Characters in which a provider looks its cache up, about 64 tokens. */
const block = 256;
