/** Fields that many schemas have, by the name of what they hold. */
import { z } from 'zod';

export const Count = z.int().nonnegative();

/** A share or a probability: 0 to 1. */
export const Share = z.number().min(0).max(1);

export const Text = z.string();

export const Texts = z.array(Text);

export const NullableText = Text.nullable();

/** A whole number. */
export const Whole = z.int();

export const Amount = z.number();

/** Seconds of a limit, as long as a timer can be: a longer one would be over at once. */
export const Seconds = Amount.positive().max(2_147_483);

export const Flag = z.boolean();

/** A list of things of one kind. */
export const Rows = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object(shape));

/** Null where nothing is given. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);

/** May be left out; `says`: what it is for, as help and schemas tell. */
export const optional = <Schema extends z.ZodType>(schema: Schema, says: string) =>
  schema.optional().describe(says);

/** Has this value where none is given. */
export const preset = <Schema extends z.ZodType>(
  schema: Schema,
  value: z.core.util.NoUndefined<z.output<Schema>>,
  says: string,
) => schema.default(value).describe(says);

/** What a schema tells of, once it is made: it and its lists are only read. */
export type ReadOnly<Thing> = {
  readonly [Key in keyof Thing]: Thing[Key] extends (infer Item)[] ? readonly Item[] : Thing[Key];
};
