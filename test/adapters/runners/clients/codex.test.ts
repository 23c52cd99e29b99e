import { codexRows } from './codex-rows.ts';
import { playRows } from './rows.ts';

playRows('codex', codexRows);
