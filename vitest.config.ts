import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/clients/**'],
    setupFiles: ['test/set-up.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What ends by itself is waited for: a second is too little on a machine with other work.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['test/memory.setup.ts', 'test/state.setup.ts', 'test/process-count.setup.ts'],
    // One more than the two cores this is meant for: many tests wait for a deadline or for a process.
    maxWorkers: 3,
    // A worker loads what the files import once: no module is patched, and what they open is released when each ends.
    isolate: false,
    // The configurations of samples are written by the tests that use them; those about trust take this away again.
    env: { JURY_TRUST_CONFIG: '1' },
  },
});
