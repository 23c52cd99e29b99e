/** Every tool of the door for agents, in the order they are listed. A new tool is one file and one line here. */
import type { Tool } from './tool.ts';
import { search } from './tools/search.ts';
import { show } from './tools/show.ts';
import { start } from './tools/start.ts';
import { stop } from './tools/stop.ts';
import { verdicts } from './tools/verdicts.ts';
import { wait } from './tools/wait.ts';

export const tools: readonly Tool[] = [start, wait, stop, show, search, verdicts];
