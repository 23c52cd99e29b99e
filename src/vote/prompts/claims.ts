/** What a reviewer is asked about claims of others: the claim and its evidence, never who raised it. */
import type { Seat } from '../../core/words/config.ts';
import { visibleJson, visibleName } from '../../core/safety/visible-text.ts';
import type { Claim } from '../../core/words/claim.ts';
import { renderInstructions } from '../../core/prompt/answer-form.ts';
import { cutText, fenceOff, type Fencing, quote } from '../../core/prompt/foreign-text.ts';

interface AskedClaim {
  readonly claim: Pick<Claim, 'id'>;
  /** Everything that is shown of it, secrets masked. */
  readonly text: string;
}

/** Characters of a claim with its evidence. */
export const longestClaim = 6000;
const longestWording = 600;
const mostWordings = 4;

const claimInstructions =
  'You review the findings of a panel of reviewers of a code change. You did not raise the findings you are shown; judge each by its evidence alone, whoever said it and however sure it sounds. You do not know how anybody else votes.';

/** What is known about a claim, without a name. `code`: the lines it is about; empty when it names no place. */
export function describeClaim(
  { severity, text, location, findings }: Claim,
  opposites: readonly Pick<Claim, 'text'>[],
  code: string,
): string {
  const place =
    location === null
      ? 'none named'
      : `${visibleName(location.path)}${location.line === null ? '' : `:${location.line}`}${location.anchoring === 'unanchored' ? ' (not found in the change)' : ''}`;
  const said = [
    ...new Set(
      findings.flatMap(finding => [finding.text, finding.evidence, finding.recommendation]),
    ),
  ].filter(words => words !== null && words.trim() !== '' && words !== text);
  return [
    `Finding: ${text}`,
    `Severity: ${severity}`,
    `Place: ${place}`,
    ...said
      .slice(0, mostWordings)
      .map(words => `In other words, or as evidence: ${cutText(words ?? '', longestWording).text}`),
    ...opposites.map(
      opposite =>
        `Another finding says the opposite: ${cutText(opposite.text, longestWording).text}`,
    ),
    ...(code === '' ? [] : [`Code:\n${code}`]),
  ].join('\n');
}

/** Each in a fence of its own. */
export function renderClaimsPrompt(asked: readonly AskedClaim[], fencing: Fencing): string {
  const claims = asked.map(({ claim: { id }, text }, index) =>
    [
      `## Finding ${index + 1}`,
      `motion_id: ${visibleJson(id)}`,
      fenceOff(['claim', id], quote(text, longestClaim), fencing),
    ].join('\n'),
  );
  const each =
    asked.length === 1 ? 'the finding' : `each of the ${asked.length} findings on its own`;
  const instructions = renderInstructions(
    'judge',
    { count: asked.length, noun: 'finding' },
    {
      task: `Judge ${each}. Endorse it when the problem is real. Oppose it when it is not: the code does not do what it says, or what it says does no harm. Amend it when the problem is real and its severity or wording is wrong. Abstain only when the evidence does not let you tell.`,
      reasoning: '<why, with the line that shows it>',
      opposition_concerns: ['<each reason why it is not real, when you oppose>'],
      amendment_type: 'minor_wording|major_revision',
      amendment_text: '<what it should say instead, when you amend>',
      amendment_rationale: '<why>',
    },
  );
  return ['# Findings', ...claims, instructions].join('\n\n');
}

/** With the focus of the reviewer who is asked. */
export function instructionsOf({ persona }: Seat): string {
  return `${claimInstructions}\n\nYour focus: ${persona.focus}`;
}
