/** What a person is told about the decision just made. */
import type { Decided } from '../index.ts';
import { printJson } from '../render/json.ts';
import { oneLine, pathText } from '../render/terminal-text.ts';

export function describeDecision({ disposition, run, file }: Decided, json: boolean): string {
  if (json) return printJson({ ...disposition, baseline: file });
  const { claim, text, path, verdict, scope, until } = disposition;
  const what = {
    claim,
    file: `everything about ${pathText(path ?? '')} at most as severe as ${claim}`,
    category: `everything of the category ${oneLine(disposition.category ?? '')} at most as severe as ${claim}`,
  }[scope];
  const returns =
    scope === 'claim'
      ? `It comes back when its code changes${until === null ? '' : `, or after ${until}`}.`
      : until === null
        ? ''
        : `It holds until ${until}.`;
  return [
    ...(run === null ? [] : [`In run ${run}:`]),
    verdict === 'accepted'
      ? `Accepted ${claim} as real: ${oneLine(text)}`
      : `Dismissed ${what}: ${oneLine(text)}`,
    ...(verdict === 'accepted' || returns === '' ? [] : [returns]),
    ...(file === null ? [] : [`Written to ${file}; commit it for the others.`]),
  ].join('\n');
}
