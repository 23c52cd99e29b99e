import { playRows } from './rows.ts';

playRows('claude');
