/** Takes secrets out of all that one run sends. */
import { remember } from '../core/groups.ts';
import type { SecretScanner, SecretSpan } from '../core/ports/repository.ts';
import { type Placeholders, redact, scrub } from '../core/safety/redaction.ts';
import type { Subject } from '../core/words/change.ts';
import type { Claim } from '../core/words/claim.ts';
import {
  canBeFramed,
  type CodeFrame,
  cutFrame,
  linesOf,
  type NumberedLine,
  type SearchHit,
} from '../core/words/code-index.ts';

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
) {
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
) {
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

// Cuts out of the subject the lines that claims are about. Credentials are replaced before anything is cut.

/** Reports show the first claims only, and a flood of them must not become one of code. */
const mostFrames = 50;

/** By claim id, for the first of `claims`; those without a place that was found are left out. */
export async function frameClaims(
  claims: readonly Pick<Claim, 'id' | 'location'>[],
  subject: Subject,
  secrets: SecretScanner,
) {
  const frames: Record<string, CodeFrame> = {};
  const sides = new Map<string, readonly NumberedLine[]>();
  for (const claim of claims.slice(0, mostFrames)) {
    const { location } = claim;
    if (!location || !canBeFramed(claim)) continue;
    const key = `${location.side}:${location.path}`;
    const lines =
      sides.get(key) ??
      (await scrubLines(linesOf(subject, location.path, location.side), location.path, secrets));
    sides.set(key, lines);
    const frame = cutFrame(lines, location);
    if (frame) frames[claim.id] = frame;
  }
  return frames;
}

/** Over all lines at once: a key may stand on several of them. Replacing keeps every line end. */
async function scrubLines(lines: readonly NumberedLine[], path: string, secrets: SecretScanner) {
  const text = lines.map(line => line.text).join('\n');
  const scrubbed = scrub(text, await secrets.scan(text, path)).split('\n');
  return lines.map(({ number }, index) => ({ number, text: scrubbed[index] ?? '' }));
}
