/** Which pack a role of a task was last given: remembered for as long as the task lives, and at most an hour after the last use. */
import { z } from 'zod';

/** Milliseconds after the last use at which an entry is forgotten. */
export const defaultTimeToLiveMs = 3_600_000;

export const RunMemoryEntry = z.object({ uri: z.string(), usedAt: z.number() });
export type RunMemoryEntry = z.infer<typeof RunMemoryEntry>;

/** `<task>/<agent in lower case>/context_pack_uri`. */
export function runMemoryKey(task: string, agent: string): string {
  return `${task}/${agent.toLowerCase()}/context_pack_uri`;
}

/** An entry is alive up to the end of its time, and dead after it. Times in milliseconds since 1970. */
export function isAlive({ usedAt }: RunMemoryEntry, now: number): boolean {
  return now - usedAt <= defaultTimeToLiveMs;
}
