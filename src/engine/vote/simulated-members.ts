/** Answers for members of a simulation: nobody is asked. */
import { simulatePanels, simulateReviews } from '../../core/vote/simulation.ts';
import type { Deliberators } from './deliberators.ts';

/** `time`: now, as ISO 8601. */
export function simulateMembers(time: () => string): Deliberators {
  return {
    simulated: true,
    run: null,
    collectReviews: ({ packets, motions }) =>
      Promise.resolve(simulateReviews(packets, motions, time())),
    holdPanels: ({ panels }) => Promise.resolve(simulatePanels(panels, time())),
    holdSecondPass: null,
  };
}
