/** `jury demo`: a real review of a small bad commit, with recorded answers in place of models. */
import { flag } from '../core/flags.ts';
import { createJury } from '../index.ts';
import { defineCommand } from './command.ts';
import { OutputFlags, runAndReport } from './run-commands.ts';

export const demo = defineCommand({
  summary: 'Show a review of a bad commit, with recorded answers: no key, no network',
  flags: OutputFlags.extend({
    keep: flag('Keep the project and the run, so that jury show 1 can be tried there'),
  }),
  epilogue: `A small project with a bad commit is made in the temporary folder, and reviewed as any other is: what the checks
find, what agrees, the veto and the gate are computed. The answers are recordings that were written for it; no model is asked.
Neither your project nor its memory is touched. Ends with the exit code of the review, which is 1. What --keep leaves can
be removed with the folder that is named, and jury clean in it before.

Examples:
  jury demo
  jury demo --keep
  jury demo --format html --out demo.html`,
  async run({ keep, format, json, out }, terminal) {
    return runAndReport(
      call => createJury(call).demonstrate({ keep }),
      { format, json, out },
      terminal,
    );
  },
});
