import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as requests from '../../src/core/request.ts';
import { Strategy } from '../../src/core/settings.ts';
import { Config } from '../../src/core/words/config.ts';
import { firstProblem, formatPath } from '../../src/core/schema-problem.ts';

const schema = z.strictObject({
  topic: z.string().min(1),
  count: z.int().min(1).optional(),
  note: z.string().min(1, 'Say at least a word').optional(),
});

function sentenceFor(input: unknown) {
  const checked = schema.safeParse(input, { reportInput: true });
  if (checked.success) throw new Error('The input fits the schema.');
  return firstProblem(schema, checked.error).sentence;
}

const saidOfJudge = (judge: unknown) => {
  const checked = Config.safeParse({ judge }, { reportInput: true });
  if (checked.success) return 'fine';
  const { path, sentence } = firstProblem(Config, checked.error);
  return `${formatPath(path)}: ${sentence}`;
};

describe('the problem of an input', () => {
  it('is told in a person’s words when something is left out or empty', () => {
    expect(sentenceFor({})).toBe('It is missing.');
    expect(sentenceFor({ topic: '' })).toBe('It is empty.');
  });

  it('keeps the words of the schema where those say more, and says of a value of another kind what it is', () => {
    expect(sentenceFor({ topic: 'a', note: '' })).toBe('Say at least a word.');
    expect(sentenceFor({ topic: 7 })).toBe('Must be text; this is a number.');
    expect(sentenceFor({ topic: 'a', conut: 1 })).toBe('Unknown key "conut".');
    expect(sentenceFor({ topic: 'a', colour: 1 })).toBe(
      'Unknown key "colour"; known are topic, count, note.',
    );
  });

  it('tells a word from keys where either may stand', () => {
    expect([saidOfJudge('auto'), saidOfJudge('off'), saidOfJudge({ model: 'openai/m' })]).toEqual([
      'fine',
      'fine',
      'fine',
    ]);
    expect(saidOfJudge('of')).toBe('judge: Must be auto, off or keys with values.');
    expect(saidOfJudge({ model: 'openai/m', timeout: 0 })).toBe(
      'judge.timeout: Must be more than 0.',
    );
    expect(saidOfJudge({ model: 'openai/m', maxpairs: 1 })).toBe(
      'judge.maxpairs: Unknown key "maxpairs".',
    );
    expect(saidOfJudge({})).toBe('judge.model: It is missing.');
  });

  it('names what does the work of a value that is gone', () => {
    const matching = z.strictObject({ strategy: Strategy });
    const checked = matching.safeParse({ strategy: 'lexical' }, { reportInput: true });
    if (checked.success) throw new Error('The strategy is known.');
    expect(firstProblem(matching, checked.error)).toEqual({
      path: ['strategy'],
      sentence: 'Must be one of overlap, calibrated, embedding, llm.',
      suggestions: ['calibrated'],
    });
  });
});

type Path = readonly (string | number)[];

interface Numeric {
  readonly key: Path;
  /** A value out of range, and what is said of it. */
  readonly value: number;
  readonly sentence: string;
}

/** Whatever is wrong with a number at each place of a schema where a person may write one. */
function numbersIn(schema: z.core.$ZodType, key: Path = []): Numeric[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'number')
    return wrongValues(schema).map(([value, sentence]) => ({ key, value, sentence }));
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, inner]) => numbersIn(inner, [...key, name]));
  if (def.type === 'array') return numbersIn(def.element, [...key, 0]);
  if (def.type === 'record') return numbersIn(def.valueType, [...key, nameIn(def.keyType)]);
  if (def.type === 'union') return def.options.flatMap(option => numbersIn(option, key));
  return 'innerType' in def ? numbersIn(def.innerType, key) : [];
}

function nameIn(keys: z.core.$ZodType) {
  return keys instanceof z.ZodEnum ? String(keys.options[0]) : 'any';
}

function wrongValues(schema: z.core.$ZodType): readonly (readonly [number, string])[] {
  const { type, minimum, maximum, exclusiveMinimum } = z.toJSONSchema(schema);
  return [
    ...(type === 'integer' ? [[1.5, 'Must be a whole number.'] as const] : []),
    ...(typeof exclusiveMinimum === 'number'
      ? [[exclusiveMinimum, `Must be more than ${exclusiveMinimum}.`] as const]
      : []),
    ...(minimum !== undefined ? [[minimum - 1, `Must be at least ${minimum}.`] as const] : []),
    ...(maximum !== undefined ? [[maximum + 1, `Must be at most ${maximum}.`] as const] : []),
  ];
}

/** What is said of `value` at `key`, whatever else is missing. */
function saidOf(schema: z.ZodType, { key, value }: Numeric) {
  const input = key.reduceRight<unknown>(
    (inner, part) => (typeof part === 'number' ? [inner] : { [part]: inner }),
    value,
  );
  const issues = leavesOf(
    schema.safeParse(input, { reportInput: true }).error?.issues ?? [],
  ).filter(issue => issue.path.join() === key.join());
  const { path, sentence } = firstProblem(schema, new z.ZodError(issues));
  return `${formatPath(path)}: ${sentence}`;
}

/** With those of each kind that may stand in one place. */
function leavesOf(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.flatMap(issue =>
    issue.code === 'invalid_union'
      ? issue.errors.flatMap(inner =>
          leavesOf(inner.map(each => ({ ...each, path: [...issue.path, ...each.path] }))),
        )
      : [issue],
  );
}

function keysOf(schema: z.ZodObject) {
  return new Set(numbersIn(schema).map(({ key }) => key.join('.'))).size;
}

describe('a number out of range', () => {
  const schemas = Object.entries({ Config, ...requests }).flatMap(([name, value]) =>
    value instanceof z.ZodObject ? [[name, value] as const] : [],
  );

  it.each(schemas)('in %s is told with its key and its bound', (_name, whole) => {
    for (const each of numbersIn(whole))
      expect(saidOf(whole, each)).toBe(`${formatPath(each.key)}: ${each.sentence}`);
  });

  it('is looked for in every key of the configuration and of the requests', () => {
    expect(keysOf(Config)).toBeGreaterThan(30);
    expect(schemas.reduce((sum, [, whole]) => sum + keysOf(whole), 0)).toBeGreaterThan(70);
  });
});
