/** The words in which the flags of a command are said: each makes a schema that carries its help and how its value is called there. */
import { z } from 'zod';
import { Flag, Text } from './words/fields.ts';

/** Off unless it is given. */
export const flag = (help: string) => Flag.default(false).describe(help);

/** A value with its help, where `name` stands for it; `more`: how else it is called. */
export const value = <Schema extends z.ZodType>(
  schema: Schema,
  name: string,
  help: string,
  more = {},
) => schema.describe(help).meta({ value: name, ...more });

/** One that is known by its place. */
export const argument: typeof value = (schema, name, help, more) =>
  value(schema, name, help, { ...more, positional: true });

/** What may be left out; `name` stands for it in the help. */
export const set = <Schema extends z.ZodType>(schema: Schema, name: string, help: string) =>
  value(schema.optional(), name, help);

/** A text that may be left out. */
export const text = (name: string, help: string) => set(Text, name, help);

/** A text that is not empty. */
export const word = (name: string, help: string) => set(Text.min(1), name, help);

/** A text that must be given; `error` is said where it is not. */
export const positional = (name: string, help: string, error?: string) =>
  argument(z.string({ error }).min(1), name, help);
