/** Every case, in the order of what takes longest, which begins first. */
import { motionCases } from './motions.mjs';

export function allCases(data) {
  return [...motionCases(data)];
}
