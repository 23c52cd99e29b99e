import { claudeRows } from './claude-rows.ts';
import { playRows } from './rows.ts';

playRows('claude', claudeRows);
