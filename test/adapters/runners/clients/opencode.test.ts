import { opencodeRows } from './opencode-rows.ts';
import { playRows } from './rows.ts';

playRows('opencode', opencodeRows);
