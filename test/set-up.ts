/** Runs before each file of tests. */
import { afterAll } from 'vitest';
import { endFile } from './file-end.ts';
import { countProcesses } from './process-count.mjs';

countProcesses();
afterAll(endFile);
