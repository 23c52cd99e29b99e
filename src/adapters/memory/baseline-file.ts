/** Reads and writes the baseline file at the top of a repository. */
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Document, LineCounter } from 'yaml';
import { didYouMean, UserError } from '../../core/errors.ts';
import {
  Baseline,
  baselineName,
  type Disposition,
  printBaseline,
} from '../../core/words/known-claim.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { firstProblem, formatPath } from '../../core/schema-problem.ts';
import { codeOf, explainDiskFailure, writeAtomically } from '../store/atomic-write.ts';
import { systemStorage } from '../store/storage.ts';
import { readRegularFile, whyUnreadable } from '../system/given-file.ts';

/** Null when there is none. */
export async function readBaselineText(root: string): Promise<string | null> {
  try {
    const file = join(root, baselineName);
    // What is wrong with it is told with its words: a link must not make those of another file be printed.
    const [real, top] = await Promise.all([realpath(file), realpath(root)]);
    if (!real.startsWith(top + sep)) throw new Error('it is a link that leads out of the project');
    return await readRegularFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new UserError(`${baselineName} cannot be read: ${whyUnreadable(error)}.`, {
      kind: 'usage',
      cause: error,
    });
  }
}

/** Throws `UserError` of kind `usage` that names file, line and key. */
export async function parseBaseline(text: string): Promise<Disposition[]> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  // JSON is YAML, and this reader knows the lines.
  const document = parseDocument(text, { lineCounter: lines, schema: 'json', uniqueKeys: true });
  const syntax = document.errors[0];
  if (syntax) {
    const { line, col } = lines.linePos(syntax.pos[0]);
    const [what = ''] = syntax.message.split('\n');
    throw new UserError(
      `${baselineName}:${line}:${col}: ${makeVisible(what).replace(/[.:]*( at line \d+, column \d+:?)?$/, '')}.`,
      {
        kind: 'usage',
        hint: 'Mend it, or remove it and write it anew with "jury baseline".',
        cause: syntax,
      },
    );
  }
  const checked = Baseline.safeParse(document.toJS({ maxAliasCount: 0 }), { reportInput: true });
  if (checked.success) return checked.data.dispositions;
  const { path, sentence, suggestions } = firstProblem(Baseline, checked.error);
  throw new UserError(
    makeVisible(
      `${baselineName}:${lineOf(document, lines, path)}: ${formatPath(path)}: ${sentence}`,
    ),
    { kind: 'usage', hint: didYouMean(suggestions), cause: checked.error },
  );
}

/** 1-based line of the value at `wanted`, or of the nearest thing above it that has one. */
function lineOf(
  document: Document,
  lines: LineCounter,
  wanted: readonly (string | number)[],
): number {
  for (let length = wanted.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(wanted.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
      return lines.linePos(Number(node.range[0])).line;
  }
  return 1;
}

/** Returns the path written. */
export async function writeBaseline(
  root: string,
  dispositions: readonly Disposition[],
): Promise<string> {
  const path = join(root, baselineName);
  try {
    await writeAtomically(systemStorage, path, printBaseline(dispositions), 0o644);
  } catch (error) {
    throw explainDiskFailure(error, { what: 'The baseline', path, again: 'try again' });
  }
  return path;
}
