/** Turns what a schema says about a person's input into one sentence that names the key and, for a misspelt one, the nearest known. */
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { didYouMean, usageError } from './errors.ts';
import { upperFirst } from './text.ts';

/**
 * The first problem of a failed check of `schema`; an unknown key goes first, because a misspelt one is missing as well. `path`: keys
 * and indexes from the top to the wrong value, an unknown key included. `sentence`: without the place.
 */
export function firstProblem(schema: z.ZodType, error: z.ZodError) {
  const { issue, path } = meantIn(error.issues);
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const known = keysAt(schema, path);
    const suggestions = nearest(key, known);
    // Who is near to none of them has to see them all, where that is a line.
    const isList = suggestions.length === 0 && known.length > 0 && known.length <= mostListed;
    return {
      path: [...path, key],
      sentence: `Unknown key "${key}"${isList ? `; known are ${known.join(', ')}` : ''}.`,
      suggestions,
    };
  }
  if (issue?.code === 'invalid_union' && typeof issue.input === 'string') {
    const word = wordIn(issue);
    if (word !== null) {
      const choices = word.values.map(String);
      return {
        path,
        sentence: `Must be ${choices.join(', ')} or ${besideWords(issue)}.`,
        suggestions: nearest(issue.input, choices),
      };
    }
  }
  // A schema may have words of its own for it.
  if (issue?.code === 'invalid_value' && issue.message.startsWith('Invalid ')) {
    const choices = issue.values.map(String);
    const given = typeof issue.input === 'string' ? issue.input : '';
    return {
      path,
      sentence: `Must be one of ${choices.join(', ')}.`,
      suggestions: instead(given, choices) ?? nearest(given, choices),
    };
  }
  return { path, sentence: sentenceOfIssue(issue), suggestions: [] };
}

const mostListed = 24;

interface Meant {
  readonly issue: z.core.$ZodIssue | undefined;
  readonly path: readonly (string | number)[];
}

/** Where a text or an object may stand, the problem is that of whichever kind was given. */
function meantIn(issues: readonly z.core.$ZodIssue[]): Meant {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const path = (issue?.path ?? []).filter(part => typeof part !== 'symbol');
  if (issue?.code !== 'invalid_union' || isMeantAsWord(issue)) return { issue, path };
  const [given = [], other] = issue.errors.filter(
    problems =>
      !problems.some(
        ({ code, path: at }) =>
          (code === 'invalid_type' || code === 'invalid_value') && at.length === 0,
      ),
  );
  if (given.length === 0 || other !== undefined) return { issue, path };
  const meant = meantIn(given);
  return { issue: meant.issue, path: [...path, ...meant.path] };
}

/** What may stand there in place of a word. */
function besideWords({ errors }: z.core.$ZodIssueInvalidUnion) {
  const other = errors.flat().find(({ code }) => code === 'invalid_type');
  return (other?.code === 'invalid_type' ? kinds[other.expected] : undefined) ?? 'a list';
}

/** One word where words or a list may stand: it is meant to be one of the words. */
function isMeantAsWord(issue: z.core.$ZodIssueInvalidUnion) {
  return typeof issue.input === 'string' && wordIn(issue) !== null;
}

function wordIn({ errors }: z.core.$ZodIssueInvalidUnion) {
  const word = errors.flat().find(({ code }) => code === 'invalid_value');
  return word?.code === 'invalid_value' ? word : null;
}

/** What a caller asks for, checked. Throws `UserError` (kind `usage`) that names the key. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown) {
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  const { path, sentence, suggestions } = firstProblem(schema, checked.error);
  throw usageError(`${formatPath(path)}: ${sentence}`, didYouMean(suggestions));
}

/** Values of earlier versions that are gone, with what does their work now. */
const replaced: Readonly<Record<string, string>> = { lexical: 'calibrated' };

function instead(given: string, choices: readonly string[]) {
  const now = Object.hasOwn(replaced, given) ? replaced[given] : undefined;
  return now !== undefined && choices.includes(now) ? [now] : null;
}

/** What is left out and what is empty are the commonest slips: said in a person's words, not in those of the schema. */
function sentenceOfIssue(issue: z.core.$ZodIssue | undefined) {
  if (issue?.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return 'It is missing.';
  if (
    issue?.code === 'too_small' &&
    issue.origin === 'string' &&
    issue.minimum === 1 &&
    issue.message.startsWith('Too small')
  )
    return 'It is empty.';
  return (
    outOfRange(issue) ??
    ofAnotherKind(issue) ??
    `${upperFirst(issue?.message ?? 'Invalid value').replace(/\.$/, '')}.`
  );
}

/** Kinds of values as a person who writes a file calls them. */
const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
  null: 'empty',
};

/** Null for anything but a value of another kind that the schema has no words of its own for. */
function ofAnotherKind(issue: z.core.$ZodIssue | undefined) {
  const [, expected = '', received = ''] =
    /^Invalid input: expected (\w+), received (\w+)$/.exec(issue?.message ?? '') ?? [];
  const [wanted, given] = [kinds[expected], kinds[received]];
  return wanted === undefined || given === undefined
    ? null
    : `Must be ${wanted}${expected === 'array' ? ', in [ ]' : ''}; this is ${given}.`;
}

/** Null for anything but a number, or the length of a list, that the schema has no words of its own for. */
function outOfRange(issue: z.core.$ZodIssue | undefined) {
  if (issue?.code === 'invalid_type' && issue.expected === 'int') return 'Must be a whole number.';
  if (issue?.code !== 'too_small' && issue?.code !== 'too_big') return null;
  if (
    issue.code === 'too_small' &&
    issue.origin === 'array' &&
    issue.message.startsWith('Too small')
  )
    return `Must have at least ${issue.minimum === 1 ? 'one entry' : `${issue.minimum} entries`}.`;
  if (!numbers.has(issue.origin) || !/^Too (?:small|big): /.test(issue.message)) return null;
  return issue.code === 'too_small'
    ? `Must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}.`
    : `Must be ${issue.inclusive === true ? 'at most' : 'less than'} ${issue.maximum}.`;
}

const numbers: ReadonlySet<string> = new Set(['number', 'int', 'bigint']);

/** `reviewers[1].runner`; `(top level)` for an empty path. */
export function formatPath(path: readonly (string | number)[]) {
  if (path.length === 0) return '(top level)';
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`,
    )
    .join('');
}

/** Up to three known words within a third of the length of `word` (at least two edits), nearest first. */
export function nearest(word: string, known: readonly string[]) {
  const limit = Math.max(2, Math.floor(word.length / 3));
  return known
    .map(candidate => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

function keysAt(schema: z.ZodType, path: readonly (string | number)[]) {
  let here: z.core.JSONSchema._JSONSchema | undefined = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  });
  for (const part of path) {
    if (typeof here !== 'object') return [];
    here =
      typeof part === 'number'
        ? (here.items as z.core.JSONSchema._JSONSchema | undefined)
        : objectIn(here).properties?.[part];
  }
  return typeof here === 'object' ? Object.keys(objectIn(here).properties ?? {}) : [];
}

/** Where several kinds may stand, the one with keys. */
function objectIn(schema: z.core.JSONSchema.JSONSchema) {
  const kinds = (schema.anyOf ?? []).filter(kind => typeof kind === 'object');
  return kinds.find(({ properties }) => properties !== undefined) ?? schema;
}
