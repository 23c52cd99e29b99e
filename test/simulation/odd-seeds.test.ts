import { itPlaysSeeds } from './play-seeds.ts';

itPlaysSeeds(1);
