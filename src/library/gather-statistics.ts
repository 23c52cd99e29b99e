/** Reads all that is kept and remembered, and counts it by reviewer. */
import { computeStatistics, type Statistics } from '../core/memory/statistics.ts';
import type { Call } from './call.ts';
import { readRuns } from './earlier-run.ts';
import { openProject } from './project-files.ts';

export async function gatherStatistics(call: Call): Promise<Statistics> {
  const { state, memory } = await openProject(call);
  return computeStatistics(memory, await readRuns(state));
}
