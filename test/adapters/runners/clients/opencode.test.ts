import { playRows } from './rows.ts';

playRows('opencode');
