/** Answers for members of a simulation: nobody is asked. */
import { simulatePanels, simulateReviews } from '../simulation.ts';
import type { Deliberators } from './deliberators.ts';

export const simulatedMembers: Deliberators = {
  simulated: true,
  run: null,
  collectReviews: ({ packets, motions }, time) =>
    Promise.resolve(simulateReviews(packets, motions, time())),
  holdPanels: ({ panels }, time) => Promise.resolve(simulatePanels(panels, time())),
  holdSecondPass: null,
};
