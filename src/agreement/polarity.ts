import type { Finding } from '../core/words/finding.ts';
import { contradict, standApart } from './guards-old.ts';
export function areOpposed(one: Finding, other: Finding): boolean {
  return contradict(one, other) || standApart(one, other);
}
