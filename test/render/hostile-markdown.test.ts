import { describeSinks } from './hostile-sinks.ts';

describeSinks(8);
