/** Turns for the client runners, with the defaults of a checked configuration filled in. */
import type { Seat } from '../../../../src/core/words/config.ts';
import type { Turn } from '../../../../src/core/ports/runner.ts';

const persona: Seat['persona'] = {
  name: 'tester',
  role: 'general',
  focus: 'tests',
  veto: false,
  budget: 6144,
  capability: 'review',
  files: [],
  instructions: 'Review.',
};

export function seatOf(changes: Partial<Seat> & Pick<Seat, 'runner'>): Seat {
  return {
    id: 'alpha',
    persona,
    home: '/',
    environment: [],
    timeout: 30,
    required: false,
    ...changes,
  };
}

export interface TurnOptions {
  readonly totalMs?: number;
  readonly firstOutputMs?: number;
  readonly idleMs?: number;
  readonly prompt?: string;
  readonly instructions?: string;
  readonly schema?: Turn['schema'];
}

export function turnOf(seat: Seat, options: TurnOptions = {}): Turn {
  const {
    totalMs = 30_000,
    firstOutputMs = totalMs,
    idleMs = totalMs,
    prompt = 'Review this.\n+const a = 1;\n',
    instructions = 'You are a careful reviewer.',
  } = options;
  return {
    seat,
    attempt: 1,
    instructions,
    prompt,
    change: null,
    read: async () => null,
    deadlines: { firstOutputMs, idleMs, totalMs },
    ...(options.schema && { schema: options.schema }),
  };
}
