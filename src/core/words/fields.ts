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

export const Flag = z.boolean();

/** A list of things of one kind. */
export const Rows = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object(shape));
