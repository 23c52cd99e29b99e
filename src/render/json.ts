/** The run as a program reads it: `jury.run/1`, keys in the order of the contract, new ones behind them. */
import type { Run } from '../core/words/run.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';

/**
 * Parses back to exactly the record, with the code the process ends with. Pure ASCII where a terminal might take a character
 * for a command.
 */
export function renderJson({ record }: Run, exitCode: number = exitCodeOf(record.outcome)): string {
  const ordered = inOrder({ ...record, exitCode }, recordKeys);
  const reviewers = record.reviewers.map(reviewer => inOrder(reviewer, reviewerKeys));
  const claims = record.claims.map(claim => ({
    ...inOrder(claim, claimKeys),
    findings: claim.findings.map(finding => inOrder(finding, findingKeys)),
  }));
  return printJson({ ...ordered, reviewers, claims });
}

/** Any data as JSON that steers no terminal and no log; ends with a line feed. */
export function printJson(value: unknown): string {
  const text = escapeHidden(JSON.stringify(value, null, 2));
  // Can stand in a string alone. In a log GitHub Actions would take it for a command.
  return `${text.replaceAll('##[', '##\\u005b')}\n`;
}

const recordKeys = [
  'schema',
  'run',
  'uri',
  'command',
  'subject',
  'outcome',
  'exitCode',
  'reasons',
  'reviewers',
  'claims',
  'coverage',
  'usage',
] as const;
const reviewerKeys = [
  'id',
  'persona',
  'runner',
  'status',
  'reason',
  'display',
  'findings',
  'filesReviewed',
  'filesSkipped',
  'tokens',
  'verdict',
  'isolation',
  'detail',
] as const;
const claimKeys = [
  'id',
  'severity',
  'agreement',
  'supporters',
  'electorate',
  'confidence',
  'text',
  'location',
  'findings',
  'state',
] as const;
const findingKeys = ['reviewer', 'id', 'severity', 'label', 'text', 'location'] as const;

function inOrder<Thing extends object>(
  thing: Thing,
  keys: readonly (keyof Thing & string)[],
): Thing {
  const first = Object.fromEntries(keys.map(key => [key, thing[key]]));
  return { ...first, ...thing };
}

const hiddenPattern =
  /[\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E0FFF}]/gu;

/** `JSON.stringify` escapes C0 only; as `\\uXXXX` the same text parses to the same value and steers nothing. */
export function escapeHidden(json: string): string {
  return json.replace(hiddenPattern, character =>
    [...Array(character.length).keys()]
      .map(index => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
