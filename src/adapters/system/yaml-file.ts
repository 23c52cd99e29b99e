/** Reads YAML, and JSON with it, that a person wrote, as a schema has it: what is wrong is named with file, line and key. */
import type { YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { didYouMean, usageError, type UserError } from '../../core/errors.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { firstProblem, formatPath } from '../../core/schema-problem.ts';

type Keys = readonly (string | number)[];

interface YamlFile<Value> {
  readonly value: Value;
  /** 1-based line of the value at some keys, or of the nearest thing above it that has one. */
  readonly lineOf: (keys: Keys) => number;
}

/** `mend`: what can be done about a text that is not well-formed. Throws `UserError` (kind `usage`). */
export async function readYaml<Schema extends z.ZodType>(
  file: string,
  text: string,
  schema: Schema,
  mend: string | null = null,
): Promise<YamlFile<z.output<Schema>>> {
  // As PowerShell writes it: read as UTF-8 it is noise, which a person cannot see in the file.
  if (text.startsWith('\uFFFD') || text.includes('\0'))
    throw usageError(`${file} is no UTF-8 text.`, 'Save it as UTF-8.');
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [syntax] = document.errors;
  if (syntax) {
    const { line, col } = lines.linePos(syntax.pos[0]);
    const place = `${file}:${line}:${col}`;
    throw usageError(
      makeVisible(`${place}: ${sayMalformed(syntax)}`),
      mends[syntax.code] ?? mend,
      syntax,
    );
  }
  const lineOf = (keys: Keys): number => {
    if (keys.length === 0) return 1;
    const node: unknown = document.getIn(keys, true);
    return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
      ? lines.linePos(Number(node.range[0])).line
      : lineOf(keys.slice(0, -1));
  };
  const checked = schema.safeParse(document.toJS({ maxAliasCount: 50 }) ?? {}, {
    reportInput: true,
  });
  if (checked.success) return { value: checked.data, lineOf };
  throw unlikeSchema(schema, checked.error, keys => `${file}:${lineOf(keys)}`);
}

/** Names the place of the first thing that is not as the schema has it. */
export function unlikeSchema(
  schema: z.ZodType,
  error: z.ZodError,
  placeOf: (keys: Keys) => string,
): UserError {
  const { path, sentence, suggestions } = firstProblem(schema, error);
  return usageError(
    makeVisible(`${placeOf(path)}: ${formatPath(path)}: ${sentence}`),
    didYouMean(suggestions),
    error,
  );
}

function sayMalformed({ code, message }: YAMLParseError) {
  const [, kind, end = ''] = /^Flow (map|sequence) in .* end with a ([}\]])$/.exec(message) ?? [];
  if (code === 'BAD_INDENT' && kind !== undefined)
    return `Before this, a ${end === '}' ? '{' : '['} that was opened should have ended with ${end}.`;
  return (message.split('\n')[0] ?? 'It is not well-formed').replace(/[.:]?$/, '.');
}

const mends: Partial<Record<YAMLParseError['code'], string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_ALIAS: 'Put a text that begins with * in quotes.',
  BAD_SCALAR_START: 'Put such a text in quotes.',
};
