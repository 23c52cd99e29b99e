/**
 * Sorts motions by how much of the roster already stands behind them: the more support and the fewer conflicts, the fewer
 * members have to be asked.
 */
import type { Conflict } from './conflicts.ts';
import { byCodePoint, type Motion, type Session } from './motion.ts';

export type RiskTier = 'low' | 'medium' | 'high';

export interface Thresholds {
  /** Share of the roster from which a motion without conflict is fast-tracked. Lower it to fast-track more. */
  readonly low: number;
  /** Share of the roster from which a motion with few conflicts needs a targeted review only. */
  readonly medium: number;
  readonly maxConflicts: number;
  /** A medium motion without conflict, of consensus tier high and with 10 supporters or more, becomes low. */
  readonly lowFromTier: boolean;
}

export interface TriagedMotion {
  readonly motion: Motion;
  readonly contributing: readonly string[];
  /** Members who have not spoken, sorted by code point. */
  readonly gap: readonly string[];
  /** Share of the roster that contributes. */
  readonly support: number;
  /** One for each member in conflict, in roster order. */
  readonly conflicts: readonly Conflict[];
  readonly riskTier: RiskTier;
}

/** `conflicts` by motion id. */
export function triage(
  { motions, roster }: Session,
  conflicts: ReadonlyMap<string, readonly Conflict[]>,
  thresholds: Thresholds,
): TriagedMotion[] {
  const names = roster.map(({ name }) => name).sort(byCodePoint);
  return motions.map(motion => {
    const supporting = new Set(motion.supporters);
    const found = conflicts.get(motion.id) ?? [];
    const support = names.length === 0 ? 0 : motion.supporters.length / names.length;
    return {
      motion,
      support,
      contributing: motion.supporters,
      gap: names.filter(name => !supporting.has(name)),
      conflicts: found,
      riskTier: riskTierOf(motion, { support, conflicts: found.length }, thresholds),
    };
  });
}

interface TriageFigures {
  readonly support: number;
  readonly conflicts: number;
}

/** The first that holds. */
export function riskTierOf(
  motion: Pick<Motion, 'isNovel' | 'consensusTier' | 'supporters'>,
  { support, conflicts }: TriageFigures,
  { low, medium, maxConflicts, lowFromTier }: Thresholds,
): RiskTier {
  if (motion.isNovel) return 'high';
  if (support >= low && conflicts === 0) return 'low';
  if (support < medium || conflicts > maxConflicts) return 'high';
  const isBroadlySourced = motion.consensusTier === 'high' && motion.supporters.length >= 10;
  return lowFromTier && isBroadlySourced && conflicts === 0 ? 'low' : 'medium';
}
