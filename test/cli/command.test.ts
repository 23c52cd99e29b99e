import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { UserError } from '../../src/core/errors.ts';
import { untouched } from './memory-terminal.ts';

const seen: unknown[] = [];
const sample = defineCommand({
  summary: 'Try things',
  flags: z.strictObject({
    range: z.string().optional().describe('What to try').meta({ positional: true, value: 'RANGE' }),
    maxCalls: z.int().positive().optional().describe('How often').meta({ value: 'N' }),
    reviewers: z
      .array(z.string())
      .optional()
      .describe('Whom')
      .meta({ value: 'LIST', alias: 'agents' }),
    files: z.array(z.string()).optional().describe('Which').meta({ value: 'GLOB', variadic: true }),
    mode: z.enum(['fast', 'slow']).default('fast').describe('How'),
    fresh: z.boolean().default(false).describe('Again'),
  }),
  run: input => {
    seen.push(input);
    return Promise.resolve(0);
  },
});

async function tryWith(...args: string[]) {
  let printed = '';
  const terminal = {
    write: (text: string) => void (printed += text),
    width: 80,
  } as unknown as Terminal;
  const code = await sample.execute('sample', args, terminal);
  return { code, printed, input: seen.pop() };
}

describe('a command made of a schema', () => {
  it('reads arguments, numbers, lists, variadic flags and switches', async () => {
    const { input } = await tryWith(
      'A..B',
      '--max-calls',
      '3',
      '--reviewers',
      'a,b',
      '--reviewers=c',
      '--fresh',
      '--mode=slow',
      '--files',
      'x',
      'y',
    );
    expect(input).toEqual({
      range: 'A..B',
      maxCalls: 3,
      reviewers: ['a', 'b', 'c'],
      fresh: true,
      mode: 'slow',
      files: ['x', 'y'],
    });
  });

  it('fills in what the schema says when nothing is given', async () =>
    expect((await tryWith()).input).toEqual({ mode: 'fast', fresh: false }));

  it('keeps the old name of a flag', async () =>
    expect((await tryWith('--agents', 'a')).input).toMatchObject({ reviewers: ['a'] }));

  it('prints its help from the descriptions, old names left out', async () => {
    const { code, printed, input } = await tryWith('--help');
    expect(code).toBe(0);
    expect(input).toBeUndefined();
    expect(printed).toContain('--max-calls <N>');
    expect(printed).toContain('How (fast, slow)');
    expect(printed).not.toContain('agents');
  });

  it.each([
    [['--max-cals', '3'], "Unknown option '--max-cals'.", 'Did you mean --max-calls?'],
    [['--reviewers', ' ,'], 'It must not be empty.', null],
    [['--max-calls', 'many'], 'It must be a number.', null],
    [['--max-calls', '0x10'], 'It must be a number.', null],
    [['--max-calls', '1e3'], 'It must be a number.', null],
    [['--max-calls', ' '], 'It must be a number.', null],
    [['--max-calls', '0'], '--max-calls:', null],
    [['--mode', 'fats'], '--mode: Must be one of fast, slow.', 'Did you mean "fast"?'],
    [['a', 'b'], 'Too many arguments', null],
  ])('refuses %j with one sentence', async (args, sentence, hint) => {
    const error = await tryWith(...args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ kind: 'usage' });
    expect((error as UserError).message).toContain(sentence);
    if (hint !== null) expect((error as UserError).hint).toBe(hint);
  });
});

describe('a command that is told too little', () => {
  it.each(Object.entries(commands))(
    '%s says what is missing in one sentence',
    async (name, load) => {
      const command = await load();
      const told = await command.execute(name, [], untouched).catch((error: unknown) => error);
      expect(told).toBeInstanceOf(Error);
      const { message } = told as Error;
      if (message === 'it runs') return;
      expect(told).toBeInstanceOf(UserError);
      expect(message).toMatch(
        /^(?:(?:[A-Z|]+|write|--[a-z-]+): (?:It is missing|Say |Name )|Say what to do: )[^.]*\.$/,
      );
    },
  );

  it('says what to search for', async () => {
    const search = await commands['search']?.();
    await expect(search?.execute('search', [], untouched)).rejects.toThrow(
      'QUERY: Say what to search for, in words or identifiers.',
    );
  });
});
