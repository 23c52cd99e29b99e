/** The two kinds of seat: readers judge logic, checks find by rules. Only what readers did counts where silence says something. */
import type { Persona } from './persona.ts';
import { kindOf } from './runner.ts';

interface Kind {
  readonly runner: string;
  readonly role?: 'check' | undefined;
}

/**
 * Of a seat, or of the review that came of it. A check is a built-in analyser, a program that is configured as one, or a
 * source that answered in SARIF, whose review says so.
 */
export function isReader({ runner, role }: Kind) {
  return kindOf(runner) !== 'check' && role !== 'check';
}

/** Those whose silence counts: the readers. Where none is seated the checks are all there is, and the outcome is theirs. */
export function voicesOf<Seat extends Kind>(panel: readonly Seat[]): readonly Seat[] {
  const readers = panel.filter(isReader);
  return readers.length > 0 ? readers : panel;
}

/** Readers that are asked about security by their persona. Where there is none, the questions of the others ask about it too. */
export function guardsOf<Seat extends Kind & { readonly persona: Pick<Persona, 'role'> }>(
  seats: readonly Seat[],
): readonly Seat[] {
  return seats.filter(seat => isReader(seat) && seat.persona.role === 'security');
}
