// Triage, packets, aggregation and ratification of 100 motions by 10,000 members from recorded stances, in a process of its
// own so that its memory can be told.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const title =
  'a vote of 10,000 members on 100 motions, over 20 s and 500 MB, whichever is nearer';
export const aim = 1;

export function measure() {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('./large-vote.mjs', import.meta.url))],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const { seconds, megabytes, assignments, conflicts, outcomes } = JSON.parse(stdout);
  return {
    ratio: Math.max(seconds / 20, megabytes / 500),
    detail:
      `${seconds.toFixed(1)} s, peak ${Math.round(megabytes)} MB, ${assignments} assignments, ` +
      `${conflicts} conflicts, ${outcomes} motions decided`,
  };
}
