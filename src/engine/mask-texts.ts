/** Takes secrets out of all that one run sends. */
import { openGuidelines } from '../core/context/egress.ts';
import { remember } from '../core/groups.ts';
import type { SecretScanner, SecretSpan } from '../core/ports/repository.ts';
import { type ProjectKnowledge, noKnowledge } from '../core/prompt/prompt.ts';
import { type Placeholders, redact } from '../core/safety/redaction.ts';
import type { SearchHit } from '../core/words/code-index.ts';
import type { Seat } from '../core/words/config.ts';
import type { Guideline } from '../core/words/guideline.ts';
import type { Plan } from '../core/words/plan.ts';
import { kindOf } from '../core/words/runner.ts';

export type Mask = ReturnType<typeof createMask>;

/** Numbers its placeholders across all texts: the same secret is the same placeholder everywhere. */
export function createMask(secrets: SecretScanner) {
  let known: Placeholders = new Map();
  const hide = (whole: string, spans: readonly SecretSpan[]) => {
    const { text, placeholders } = redact(whole, spans, known);
    known = placeholders;
    return { text, spans };
  };
  /** The text without its secrets, and where they stood. */
  const read = async (text: string, path: string) => hide(text, await secrets.scan(text, path));
  const apply = async (text: string, path: string) => (await read(text, path)).text;
  return {
    hide,
    read,
    apply,
    applyTo: async (text: string | null) => (text === null ? null : apply(text, 'text')),
    count: () => known.size,
  };
}

// Passages of a project as they may be shown: every credential is a placeholder, the same one wherever it stands.

/** `read` gives the whole text of a file: what a passage holds may be the middle of a key. Null when it cannot be had. */
export async function maskPassages(
  hits: readonly SearchHit[],
  secrets: SecretScanner,
  read: (path: string) => Promise<string | null>,
): Promise<SearchHit[]> {
  const fileAt = remember(async path => {
    const text = (await read(path)) ?? '';
    return { text, spans: await secrets.scan(text, path) };
  });
  const mask = createMask(secrets);
  const masked: SearchHit[] = [];
  for (const hit of hits) {
    const spans = spansWithin(await fileAt(hit.path), hit);
    const { text } = spans ? mask.hide(hit.text, spans) : await mask.read(hit.text, hit.path);
    masked.push({ ...hit, text });
  }
  return masked;
}

/** Cut to the passage and counted from its start; null when the file does not hold it. */
function spansWithin(
  { text, spans }: { readonly text: string; readonly spans: readonly SecretSpan[] },
  { startLine, text: passage }: SearchHit,
): SecretSpan[] | null {
  let from = 0;
  for (let line = 1; line < startLine && from !== -1; line += 1)
    from = text.indexOf('\n', from) + 1 || -1;
  const start = from === -1 ? -1 : text.indexOf(passage, from);
  if (start === -1) return null;
  const end = start + passage.length;
  return spans
    .filter(span => span.start < end && span.end > start)
    .map(span => ({
      ...span,
      start: Math.max(span.start, start) - start,
      end: Math.min(span.end, end) - start,
    }));
}

// What the project says itself in the prompts of a run: its guidelines, and what was decided before.

/** `readableOf`: paths that a reviewer may be shown. Secrets in what is told are masked like those of the change. */
export async function readKnowledge(
  plan: Plan,
  mask: Mask,
  readableOf: (seat: Seat) => readonly string[],
) {
  const learnt: string[] = [];
  const guidelines: Guideline[] = [];
  // One after the other, so that placeholders are numbered alike whenever it is done.
  if (plan.mode === 'code-review')
    for (const line of plan.learnt) learnt.push(await mask.apply(line, 'decisions'));
  for (const guideline of plan.guidelines)
    guidelines.push({ ...guideline, text: await mask.apply(guideline.text, guideline.name) });
  const guidelinesFor = openGuidelines({ ...plan, guidelines });
  const allFor = remember((seat: Seat) => guidelinesFor(seat, readableOf(seat)), new WeakMap());
  const tellFor = (seat: Seat, paths: readonly string[]): ProjectKnowledge =>
    kindOf(seat.runner) === 'check'
      ? noKnowledge
      : { learnt, guidelines: paths.length === 0 ? allFor(seat) : guidelinesFor(seat, paths) };
  return {
    /** What a reviewer is told with these files; with none, all it can be told. */
    tellFor,
    /** All it can be told as bare text, without the fence, by which no budget may differ. */
    textFor(seat: Seat) {
      const told = tellFor(seat, []);
      return [...told.learnt, ...told.guidelines.map(({ text }) => text)].join('\n');
    },
  };
}
