/** Fields that many schemas have, by the name of what they hold. */
import { z } from 'zod';

export const Count = z.int().nonnegative();

/** A share or a probability: 0 to 1. */
export const Share = z.number().min(0).max(1);

export const Texts = z.array(z.string());

export const NullableText = z.string().nullable();
