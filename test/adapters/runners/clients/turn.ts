/** Turns for the client runners: the deadlines follow from one. */
import type { Seat } from '../../../../src/core/words/config.ts';
import type { Turn } from '../../../../src/core/ports/runner.ts';
import { turnOf as plainTurnOf } from '../turns.ts';

export interface TurnOptions extends Partial<Pick<Turn, 'prompt' | 'instructions' | 'schema'>> {
  readonly totalMs?: number;
  readonly firstOutputMs?: number;
  readonly idleMs?: number;
}

export function turnOf(
  seat: Seat,
  {
    totalMs = 30_000,
    firstOutputMs = totalMs,
    idleMs = totalMs,
    prompt = 'Review this.\n+const a = 1;\n',
    instructions = 'You are a careful reviewer.',
    schema,
  }: TurnOptions = {},
): Turn {
  const deadlines = { firstOutputMs, idleMs, totalMs };
  return plainTurnOf(seat, { instructions, prompt, deadlines, ...(schema && { schema }) });
}
