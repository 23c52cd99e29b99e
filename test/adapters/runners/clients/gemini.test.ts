import { playRows } from './rows.ts';

playRows('gemini');
