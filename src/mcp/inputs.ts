/** Inputs that several tools have in common. */
import { z } from 'zod';

export const RootName = z
  .string()
  .max(100)
  .optional()
  .describe('Name of an allowed root; default: the first');
export const RunName = z.string().min(1).max(100).describe('Run id, a unique beginning, or latest');
export const Part = z.int().min(1).max(10_000).default(1).describe('Which piece of a cut answer');
