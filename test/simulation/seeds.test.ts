import { itPlaysSeeds } from './play-seeds.ts';

// Few enough to wait for.
itPlaysSeeds(seed => seed <= 24);
