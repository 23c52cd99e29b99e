/** Passages of a project as they may be shown: every credential is a placeholder, the same one wherever it stands. */
import { remember } from '../core/groups.ts';
import type { SearchHit } from '../core/words/code-index.ts';
import type { SecretScanner, SecretSpan } from '../core/ports/secret-scanner.ts';
import { redact, type Placeholders } from '../core/safety/redaction.ts';

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
  let known: Placeholders = new Map();
  const masked: SearchHit[] = [];
  for (const hit of hits) {
    const { text, placeholders } = redact(
      hit.text,
      spansWithin(await fileAt(hit.path), hit) ?? (await secrets.scan(hit.text, hit.path)),
      known,
    );
    known = placeholders;
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
