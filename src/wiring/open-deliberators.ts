/** Opens whoever answers for the members: a simulation, or real reviewers. */
import { systemClock } from '../adapters/system/clock.ts';
import type { Config } from '../core/config.ts';
import type { MotionsSettings } from '../core/deliberation/motions-settings.ts';
import type { RuleSet } from '../core/deliberation/rule-set.ts';
import type { SessionInput } from '../core/deliberation/session-input.ts';
import { simulatePanels, simulateReviews } from '../core/deliberation/simulation.ts';
import { UserError } from '../core/errors.ts';
import type { MotionsRequest } from '../core/request.ts';
import type { Deliberators } from '../engine/run-motions.ts';
import type { Call } from './call.ts';

export interface DeliberationOpening {
  /** As it was asked for: what a resumed run asks for again. */
  readonly request: MotionsRequest;
  readonly input: SessionInput;
  readonly rules: RuleSet;
  /** With `concurrency`, `panel_concurrency` and `batch` settled: flag, environment, configuration, default. */
  readonly settings: SettledSettings;
  readonly config: Config;
  /** Folder that paths of the configuration refer to. */
  readonly home: string;
}

export type SettledSettings = MotionsSettings & Readonly<Record<'concurrency' | 'panel_concurrency' | 'batch', number>>;

export interface OpenedDeliberators extends Deliberators {
  close(): Promise<void>;
}

export const simulatedDeliberators: OpenedDeliberators = {
  simulated: true,
  collectReviews: ({ packets, motions }) => Promise.resolve(simulateReviews(packets, motions, systemClock.now().toISOString())),
  holdPanels: ({ panels }) => Promise.resolve(simulatePanels(panels, systemClock.now().toISOString())),
  close: () => Promise.resolve(),
};

/** Throws `UserError` (kind `usage`) when they cannot start: nothing is simulated in their place. */
export function openRealDeliberators(opening: DeliberationOpening, call: Call): Promise<OpenedDeliberators> {
  void opening;
  void call;
  return Promise.reject(new UserError('Error: real reviewers requested but not available: none are connected', { kind: 'usage' }));
}
