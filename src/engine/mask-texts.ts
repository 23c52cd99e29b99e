/** Takes secrets out of all that one run sends. */
import type { SecretScanner, SecretSpan } from '../core/ports/secret-scanner.ts';
import { redact, type Placeholders } from '../core/safety/redaction.ts';

export interface Mask {
  /** The text without its secrets, and where they stood. */
  read(
    text: string,
    path: string,
  ): Promise<{ readonly text: string; readonly spans: readonly SecretSpan[] }>;
  apply(text: string, path: string): Promise<string>;
  applyTo(text: string | null): Promise<string | null>;
  count(): number;
}

/** Numbers its placeholders across all texts: the same secret is the same placeholder everywhere. */
export function createMask(secrets: SecretScanner): Mask {
  let known: Placeholders = new Map();
  const read: Mask['read'] = async (text, path) => {
    const spans = await secrets.scan(text, path);
    const redaction = redact(text, spans, known);
    known = redaction.placeholders;
    return { text: redaction.text, spans };
  };
  const apply = async (text: string, path: string) => (await read(text, path)).text;
  return {
    read,
    apply,
    applyTo: async text => (text === null ? null : apply(text, 'text')),
    count: () => known.size,
  };
}
