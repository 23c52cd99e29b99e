/** Where something is meant, as it is printed. */
import { type Location, placeText } from '../core/words/finding.ts';
import { literal, remark, type Line } from './section.ts';

/** With a remark when the place is not certain. */
export function placeOf(location: Location | null): Line {
  if (location === null) return ['no place named'];
  const doubts = doubtsAbout(location).join(', ');
  return [literal(placeText(location)), ...(doubts === '' ? [] : [' ', remark(`(${doubts})`)])];
}

function doubtsAbout({ line, endLine, side, anchoring }: Location): readonly string[] {
  return [
    ...(endLine !== null && line !== null && endLine > line ? [`to ${endLine}`] : []),
    ...(side === 'old' ? ['before the change'] : []),
    ...(anchoring === 'unanchored' ? ['place not found'] : []),
    ...(anchoring === 'ambiguous' ? ['one of several places'] : []),
  ];
}
