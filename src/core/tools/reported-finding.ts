/** Makes a stated finding of what a reviewer reported through its tool, read exactly as if it had stood in the answer. */
import type { StatedFinding } from '../finding.ts';
import { placeFrom } from '../parse/stated.ts';
import { cut, fieldLimit, toLine, toParagraph } from '../text.ts';
import { stateFinding } from '../parse/stated.ts';
import { ownSeverityOf, type LabelScale } from '../severity.ts';
import type { ToolInput } from './offers.ts';

/** Findings one reviewer may report in one review; more is a loop. */
export const mostReported = 300;

/** Null when nobody declared the severity, or when there is no text. `number` counts from 1. */
export function stateReported(input: ToolInput<'report_finding'>, scale: LabelScale, number: number): StatedFinding | null {
  // Here the reviewer is told at once, and can say it in the words that were asked for.
  const severity = ownSeverityOf(input.severity.trim(), scale);
  if (severity === null || toLine(input.text) === '') return null;
  const place = input.file === undefined || input.file.trim() === '' ? null : placeFrom(input.file, input.line, input.end_line);
  return stateFinding({
    originalId: `R${number}`,
    label: input.severity.trim(),
    severity,
    text: input.text,
    quote: input.quote ?? null,
    category: orNull(cut(toLine(input.category ?? ''), 500)),
    evidence: orNull(cut(toParagraph(input.evidence ?? ''), fieldLimit)),
    recommendation: orNull(cut(toParagraph(input.recommendation ?? ''), fieldLimit)),
    raw: JSON.stringify(input),
    notes: ['Reported while the review was going on.'],
  }, place);
}

/** The reported findings that the final answer does not repeat: the same words about the same place are one statement. */
export function withoutRepeated(reported: readonly StatedFinding[], final: readonly StatedFinding[]): readonly StatedFinding[] {
  const said = new Set(final.map(statementOf));
  return reported.filter(finding => {
    const statement = statementOf(finding);
    if (said.has(statement)) return false;
    said.add(statement);
    return true;
  });
}

function statementOf({ severity, text, path, line }: StatedFinding): string {
  return JSON.stringify([severity, path, line, text.toLowerCase()]);
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
