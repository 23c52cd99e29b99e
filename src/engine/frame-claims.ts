/** Cuts out of the subject the lines that claims are about. Credentials are replaced before anything is cut. */
import type { Subject } from '../core/words/change.ts';
import type { Claim } from '../core/words/claim.ts';
import {
  canBeFramed,
  cutFrame,
  linesOf,
  type CodeFrame,
  type NumberedLine,
} from '../core/words/code-frame.ts';
import type { SecretScanner } from '../core/ports.ts';
import { scrub } from '../core/safety/redaction.ts';

/** Reports show the first claims only, and a flood of them must not become one of code. */
const mostFrames = 50;

/** By claim id, for the first of `claims`; those without a place that was found are left out. */
export async function frameClaims(
  claims: readonly Claim[],
  subject: Subject,
  secrets: SecretScanner,
): Promise<Record<string, CodeFrame>> {
  const frames: Record<string, CodeFrame> = {};
  const sides = new Map<string, readonly NumberedLine[]>();
  for (const claim of claims.slice(0, mostFrames)) {
    const { location } = claim;
    if (location === null || !canBeFramed(claim)) continue;
    const key = `${location.side}:${location.path}`;
    const lines =
      sides.get(key) ??
      (await scrubLines(linesOf(subject, location.path, location.side), location.path, secrets));
    sides.set(key, lines);
    const frame = cutFrame(lines, location);
    if (frame !== null) frames[claim.id] = frame;
  }
  return frames;
}

/** Over all lines at once: a key may stand on several of them. Replacing keeps every line end. */
async function scrubLines(
  lines: readonly NumberedLine[],
  path: string,
  secrets: SecretScanner,
): Promise<readonly NumberedLine[]> {
  const text = lines.map(line => line.text).join('\n');
  const scrubbed = scrub(text, await secrets.scan(text, path)).split('\n');
  return lines.map(({ number }, index) => ({ number, text: scrubbed[index] ?? '' }));
}
