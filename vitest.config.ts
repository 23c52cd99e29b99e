import { defineConfig } from 'vitest/config';

/** These decide without touching the world: their files share what they load. */
const pure = ['test/core/**/*.test.ts', 'test/render/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // The configurations of samples are written by the tests that use them; those about trust take this away again.
    env: { JURY_TRUST_CONFIG: '1' },
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'world', include: ['test/**/*.test.ts'], exclude: [...pure, 'test/clients/**'] } },
    ],
  },
});
