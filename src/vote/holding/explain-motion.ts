/** Reads why a motion came to what it came to: from a run, or from the results of any vote. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile } from '../../adapters/system/given-file.ts';
import { inputError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { explanationsName, resultName } from '../artifacts.ts';
import { MotionAccount, motionNamed } from '../../core/printed/motion-account.ts';
import { findNewest } from '../files/newest-folder.ts';
import { completionIn } from '../motions-run.ts';
import type { Call } from '../../library/call.ts';
import { stateOf } from '../../library/own-state.ts';
import { listMotions, readMotions } from './motions-run.ts';
import { resultsFolder } from './prepare-vote.ts';

export interface MotionQuestion {
  /** Of the motion, or its number in the session. */
  readonly id: string;
  /** A folder of results; or a run by id, unique prefix or `latest`. Null: the vote that ended last. */
  readonly from: string | null;
}

export interface ExplainedMotion {
  readonly account: MotionAccount;
  /** The run, or the folder of results, that it was read from. */
  readonly source: string;
}

/** Throws `UserError`: kind `input` where there is no vote to read, `usage` where the vote has no such motion. */
export async function explainMotion(
  { id, from }: MotionQuestion,
  call: Call,
): Promise<ExplainedMotion> {
  const { source, text } = await findExplanations(from, call);
  const checked = MotionAccount.array().safeParse(parseJson(text));
  if (checked.success) return { source, account: motionNamed(id, checked.data) };
  const what =
    text === null
      ? `no ${explanationsName}: it is no vote that ended, or one of an earlier version of Jury.`
      : `an ${explanationsName} that cannot be read.`;
  throw inputError(
    `${source.replace(/^run/, 'Run')} holds ${what}`,
    'The same vote held again writes it.',
  );
}

interface Explanations {
  readonly source: string;
  /** Null: there are none. */
  readonly text: string | null;
}

async function findExplanations(from: string | null, call: Call): Promise<Explanations> {
  const named = path.resolve(call.cwd, from ?? '');
  const isFolder = (await stat(named).catch(() => null))?.isDirectory() === true;
  if (from !== null && isFolder) return inFolder(named);
  const state = await stateOf(call);
  const inRun = async (run: string): Promise<Explanations> => {
    const vote = await readMotions(state, run);
    if (vote === null) throw inputError(`Run ${run} is no vote on motions.`);
    if (vote.ended === null)
      throw inputError(
        `Run ${run} is a vote on motions that has not ended.`,
        `To finish it, run "jury resume ${run}".`,
      );
    return { source: `run ${run}`, text: await vote.store.read(explanationsName) };
  };
  if (from !== null && from !== 'latest') return inRun(await state.findRun(from));
  const vote = (await listMotions(state)).find(({ ended }) => ended !== null);
  // A simulation is no run: it left nothing but its folder.
  const newest = await findNewest(path.resolve(call.cwd, resultsFolder), async folder =>
    completionIn(parseJson(await readRegularFile(path.join(folder, resultName)))),
  );
  if (vote?.ended && vote.ended.completedAt >= (newest?.moment ?? '')) return inRun(vote.plan.run);
  if (newest !== null) return inFolder(newest.folder);
  throw inputError(
    'There is no vote on motions that has ended here.',
    'Hold one with "jury motions", or name the folder of its results with --from.',
  );
}

async function inFolder(source: string): Promise<Explanations> {
  const text = await readRegularFile(path.join(source, explanationsName)).catch(() => null);
  return { source, text };
}
