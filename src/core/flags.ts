/** The words in which the flags of a command are said: each makes a schema that carries its help and how its value is called there. */
import { z } from 'zod';
import { Flag, Text, Texts } from './words/fields.ts';

/** Off unless it is given. */
export const flag = (help: string) => Flag.default(false).describe(help);

/** What may be left out; `value` stands for it in the help. */
export const set = <Schema extends z.ZodType>(schema: Schema, value: string, help: string) =>
  schema.optional().describe(help).meta({ value });

/** A text that may be left out. */
export const text = (value: string, help: string) => set(Text, value, help);

/** A text that is not empty. */
export const word = (value: string, help: string) => set(Text.min(1), value, help);

/** A list of texts that may be left out. */
export const list = (value: string, help: string) => set(Texts, value, help);

/** A text that must be given; `error` is said where it is not. */
export const positional = (value: string, help: string, error?: string) =>
  z.string({ error }).min(1).describe(help).meta({ positional: true, value });
