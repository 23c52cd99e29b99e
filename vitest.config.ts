import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const setupFiles = ['test/set-up.ts'];
const globalSetup = ['test/memory.setup.ts', 'test/state.setup.ts', 'test/process-count.setup.ts'];

/** What starts processes from the worker itself comes first: that takes the longer the more the worker has loaded. */
class SmallFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  return /\/test\/(?:adapters|engine)\//.test(moduleId) ? 0 : 1;
}

/**
 * `npm test` runs what a person waits for, `npm run test:long` growth, scale and whatever else takes long: the files named
 * `*.long.test.ts`. With `--mode whole` nothing of those is a sample.
 */
export default defineConfig(({ mode }) => ({
  test: {
    // A watchdog and no measure: on a machine with other work a test of a minute takes four.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What ends by itself is waited for: a second is too little on a machine with other work.
    expect: { poll: { timeout: 10_000 } },
    // Two for each of the two cores this is meant for: many tests wait for a deadline or for a process.
    maxWorkers: 4,
    // As the program has it.
    execArgv: ['--no-regexp-tier-up'],
    sequence: { sequencer: SmallFirst },
    // The configurations of samples are written by the tests that use them; those about trust take this away again.
    env: {
      JURY_TRUST_CONFIG: '1',
      ...(mode === 'whole' && { JURY_HOSTILE: 'all', JURY_FAULTS: 'all', SEEDS: '20000' }),
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'usual',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.long.test.ts', 'test/clients/**'],
          setupFiles,
          globalSetup,
          // Nothing here asks a host of the world: authorities of whoever runs the tests cost each process of Node as much as its start.
          env: { NODE_EXTRA_CA_CERTS: '' },
          // A worker loads what the files import once: no module is patched, and what they open is released when each ends.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          // Steps are counted of what is loaded later, so each file loads its own.
          setupFiles: [...setupFiles, 'test/growth.ts'],
          globalSetup,
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          // The genuine clients against a scripted server: apart, because installing them takes 1.2 GB.
          name: 'clients',
          include: ['test/clients/**/*.test.ts'],
          setupFiles,
          globalSetup: 'test/state.setup.ts',
          testTimeout: 240_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
}));
