/** Reads the text of a file with findings, whichever of the known formats it is in. */
import { didYouMean, UserError } from '../errors.ts';
import { nearest } from '../schema-problem.ts';
import { isFindingsList, readFindingsList } from './findings-list.ts';
import { parseJsonText } from './json-text.ts';
import { isRunRecord, readRunRecord } from './run-source.ts';
import { isSarif, readSarif } from './sarif.ts';
import type { NamedText, Source } from './source.ts';

/** `roots`: absolute folders that absolute paths are made relative to. Throws `UserError` (kind `input`). */
export function readSource({ name, text }: NamedText, roots: readonly string[]): Source {
  const value = parseJsonText({ name, text });
  if (isSarif(value)) return readSarif(name, value, roots);
  if (isRunRecord(value)) return readRunRecord(name, value);
  if (isFindingsList(value)) return readFindingsList(name, value);
  throw new UserError(`${name} holds neither SARIF nor {"findings": […]}.`, { kind: 'input', hint: hintFor(value) });
}

function hintFor(value: unknown): string {
  if (Array.isArray(value)) return 'Put the list under the key "findings".';
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return didYouMean(['findings', 'runs'].filter(known => keys.some(key => nearest(key, [known]).length > 0))) ?? 'See docs/consensus.md.';
}
