import { geminiRows } from './gemini-rows.ts';
import { playRows } from './rows.ts';

playRows('gemini', geminiRows);
