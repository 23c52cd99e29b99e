/** Every case. */
import { motionCases } from './motions.mjs';
import { reviewCases } from './reviews.mjs';
import { runCases } from './runs.mjs';

export function allCases(data) {
  return [...motionCases(data), ...reviewCases(), ...runCases()];
}
