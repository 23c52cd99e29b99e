/** Makes a stated finding from its pieces: lengths capped, text on one line, everything not given set to null. */
import type { StatedFinding } from '../finding.ts';
import type { Severity } from '../severity.ts';
import type { Place } from './place.ts';
import { cut, textLimit, toLine } from './plain-text.ts';

interface Pieces extends Partial<Pick<StatedFinding, 'section' | 'quote' | 'category' | 'evidence' | 'recommendation'>> {
  readonly id?: string | null;
  readonly label: string;
  readonly severity: Severity;
  readonly text: string;
  readonly place: Place | null;
  readonly raw: string;
  readonly notes?: readonly string[];
  readonly extra?: StatedFinding['extra'];
}

/** `originalId` stays empty when there is no id: positions are counted once the whole answer is known. */
export function stateFinding(pieces: Pieces): StatedFinding {
  const line = toLine(pieces.text);
  const text = cut(line, textLimit);
  const notes = [...(pieces.notes ?? []), ...(pieces.place?.notes ?? [])];
  if (text !== line) notes.push(`The text had ${line.length} characters and was cut.`);
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000\u001B]/.test(pieces.text)) notes.push('Control characters were removed from the text.');
  return {
    originalId: cut(toLine(pieces.id ?? ''), 100),
    label: pieces.label.trim(),
    severity: pieces.severity,
    text,
    path: pieces.place?.path ?? null,
    line: pieces.place?.line ?? null,
    endLine: pieces.place?.endLine ?? null,
    section: pieces.section ?? null,
    quote: pieces.quote ?? null,
    category: pieces.category ?? null,
    evidence: pieces.evidence ?? null,
    recommendation: pieces.recommendation ?? null,
    ...(pieces.extra && { extra: pieces.extra }),
    raw: pieces.raw,
    notes,
  };
}
