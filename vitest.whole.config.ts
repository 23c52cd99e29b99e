import { mergeConfig } from 'vitest/config';
import sample from './vitest.config.ts';

/** What `npm test` runs a sample of, whole: every hostile repository before every command, every fault, twenty thousand seeds. */
export default mergeConfig(sample, {
  test: { env: { JURY_HOSTILE: 'all', JURY_FAULTS: 'all', SEEDS: '20000' } },
});
