import { itPlaysSeeds } from './play-seeds.ts';

itPlaysSeeds(seed => seed % 2 === 1);
