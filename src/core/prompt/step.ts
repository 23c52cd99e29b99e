/** What a question says beyond its instructions when it is one of several, or when tokens run short. */
import type { LabelScale } from '../severity.ts';
import { isAtLeast } from '../severity.ts';

export const partNote = 'The files above are one part of a larger change; its other files are reviewed in questions of their own. Judge these.';

/** The next turn of a reviewer that has used most of its tokens. The answer is held to it whatever it says. */
export function severeOnly(scale: LabelScale): string {
  const labels = [...scale].filter(([, severity]) => isAtLeast(severity, 'high')).map(([label]) => label);
  return `Your tokens run short. Report CRITICAL and HIGH only${labels.length === 0 ? '' : ` (here ${labels.join(' and ')})`}, each in one short line; leave out everything milder.`;
}
