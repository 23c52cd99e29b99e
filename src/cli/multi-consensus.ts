/** The drop-in program: the command line and the exit codes of the earlier script, in front of the same library. */
import { consensusExits } from '../core/verdict/outcome.ts';
import { runMultiConsensus } from './consensus-run.ts';
import { createEntryPoint, refuseReviewers } from './entry-point.ts';

export const { main, report } = createEntryPoint({
  prefix: 'Error: ',
  exits: {
    usage: consensusExits.usage,
    input: consensusExits.failed,
    machine: consensusExits.failed,
  },
  async run(argv, terminal) {
    refuseReviewers(terminal);
    return runMultiConsensus(argv, terminal);
  },
});
