/** Reads a heading that names a severity: `## Critical Issues`, `### Weak points`, `#### High (3)`. */
import { severityOf, type LabelScale } from '../severity.ts';

const headingShape = /^[^\p{L}\p{N}]{0,8}([\p{L}\p{N}][\w-]{0,31}?)(?:\s+(?:issues?|points?|findings?))?(?:s)?[^\p{L}\p{N}]{0,8}(?:\(?\d{1,4}\)?)?[^\p{L}\p{N}]{0,4}$/iu;

/** Labels of other tools that head remarks of every kind: what stands under them is no list of findings. */
const remarks: ReadonlySet<string> = new Set(['NOTE', 'INFO', 'INFORMATION', 'INFORMATIONAL', 'HINT', 'STYLE']);

/** The label in upper case, since headings are written like prose; null when the heading is about something else. */
export function labelOfHeading(title: string, scale: LabelScale): string | null {
  const label = title.length > 120 ? undefined : headingShape.exec(title.trim())?.[1];
  if (label === undefined) return null;
  return [label, label.replace(/s$/i, '')].map(word => word.toUpperCase()).find(word => (remarks.has(word) ? scale.has(word) : severityOf(word, scale) !== null)) ?? null;
}
