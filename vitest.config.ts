import { defineConfig } from 'vitest/config';

/** These decide without touching the world: their files share what they load. */
const pure = ['test/core/**/*.test.ts', 'test/render/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: 'test/state.setup.ts',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'world', include: ['test/**/*.test.ts'], exclude: [...pure, 'test/clients/**'] } },
    ],
  },
});
