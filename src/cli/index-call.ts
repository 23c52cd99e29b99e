/** What the commands that read the whole project do on the way: pass notes on, and end quietly when they are interrupted. */
import { programExits } from '../core/verdict/outcome.ts';
import type { OnEvent } from '../index.ts';
import type { Terminal } from './terminal.ts';

export function noteEvent(terminal: Terminal): OnEvent {
  return event => {
    if (event.type === 'note') terminal.note(`jury: ${event.message}`);
  };
}

/** What was finished is kept; nothing has to be said about the rest. */
export async function unlessInterrupted(
  terminal: Terminal,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (terminal.signal.aborted) return programExits.interrupted;
    throw error;
  }
}
