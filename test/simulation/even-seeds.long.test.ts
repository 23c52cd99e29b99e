import { itPlaysSeeds } from './play-seeds.ts';

// Two files, so that two workers share them.
itPlaysSeeds(seed => seed % 2 === 0);
