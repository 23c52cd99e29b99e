import { defineConfig } from 'vitest/config';

/** The genuine clients against a scripted server: opt-in, because installing them takes 1.2 GB. */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    setupFiles: ['test/set-up.ts'],
    globalSetup: 'test/state.setup.ts',
    // The configurations of samples are written by the tests that use them.
    env: { JURY_TRUST_CONFIG: '1' },
    testTimeout: 240_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
