import { itPlaysSeeds } from './play-seeds.ts';

// Two files, so that two workers share them.
itPlaysSeeds(0);
