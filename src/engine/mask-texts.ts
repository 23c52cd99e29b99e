/** Takes secrets out of all that one run sends. */
import type { SecretScanner } from '../core/ports/secret-scanner.ts';
import { redact, type Placeholders } from '../core/safety/redaction.ts';

export type Mask = ReturnType<typeof createMask>;

/** Numbers its placeholders across all texts: the same secret is the same placeholder everywhere. */
export function createMask(secrets: SecretScanner) {
  let known: Placeholders = new Map();
  /** The text without its secrets, and where they stood. */
  const read = async (text: string, path: string) => {
    const spans = await secrets.scan(text, path);
    const redaction = redact(text, spans, known);
    known = redaction.placeholders;
    return { text: redaction.text, spans };
  };
  const apply = async (text: string, path: string) => (await read(text, path)).text;
  return {
    read,
    apply,
    applyTo: async (text: string | null) => (text === null ? null : apply(text, 'text')),
    count: () => known.size,
  };
}
