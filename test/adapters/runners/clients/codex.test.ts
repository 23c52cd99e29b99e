import { playRows } from './rows.ts';

playRows('codex');
