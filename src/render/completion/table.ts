/** A shell and what makes it complete the words of jury: one file and one line each. */
import type { CommandDescription } from '../command-description.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

export const completions = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
} as const satisfies Record<string, (commands: readonly CommandDescription[]) => string>;

export const shells = ['bash', 'zsh', 'fish'] as const satisfies (keyof typeof completions)[];
