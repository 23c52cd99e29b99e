/** Reads why a motion came to what it came to: from a run, or from the results of any vote. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { openRunFolder } from '../../adapters/store/run-folder.ts';
import { readRegularFile } from '../../adapters/system/given-file.ts';
import { inputError, UserError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { MotionAccount, motionNamed } from '../../core/vote/motion-account.ts';
import { completionIn } from '../../core/vote/motions-run.ts';
import type { Call } from '../call.ts';
import { type OwnState, stateOf } from '../own-state.ts';
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
  const { source, accounts } = await readVoteMeant(from, call);
  return { source, account: motionNamed(id, accounts) };
}

interface ReadVote {
  readonly source: string;
  readonly accounts: readonly MotionAccount[];
}

async function readVoteMeant(from: string | null, call: Call): Promise<ReadVote> {
  if (from !== null) {
    const folder = path.resolve(call.cwd, from);
    const isFolder = await stat(folder).then(
      found => found.isDirectory(),
      () => false,
    );
    if (isFolder) return readFolder(folder);
  }
  const state = await stateOf(call);
  if (from !== null && from !== 'latest') return readRun(await state.findRun(from), state);
  const vote = (await listMotions(state)).find(({ ended }) => ended !== null);
  const [folder] = await listFolders(path.resolve(call.cwd, resultsFolder));
  // A simulation is no run: it left nothing but its folder.
  if (vote?.ended && vote.ended.completedAt >= (folder?.completedAt ?? ''))
    return readRun(vote.plan.run, state);
  if (folder !== undefined) return readFolder(folder.folder);
  throw inputError(
    'There is no vote on motions that has ended here.',
    'Hold one with "jury motions", or name the folder of its results with --from.',
  );
}

async function readRun(run: string, state: OwnState): Promise<ReadVote> {
  const vote = await readMotions(state, run);
  if (vote === null) throw inputError(`Run ${run} is no vote on motions.`);
  if (vote.ended === null)
    throw inputError(
      `Run ${run} is a vote on motions that has not ended.`,
      `To finish it, run "jury resume ${run}".`,
    );
  const store = await openRunFolder(state, run);
  return {
    source: `run ${run}`,
    accounts: readAccounts(await store.read(fileName), `Run ${run}`),
  };
}

const fileName = 'explanations.json';

async function readFolder(folder: string): Promise<ReadVote> {
  const text = await readRegularFile(path.join(folder, fileName)).catch(() => null);
  return { source: folder, accounts: readAccounts(text, folder) };
}

function readAccounts(text: string | null, source: string): readonly MotionAccount[] {
  const checked = MotionAccount.array().safeParse(parseJson(text));
  if (checked.success) return checked.data;
  throw new UserError(
    text === null
      ? `${source} holds no ${fileName}: it is no vote that ended, or one of an earlier version of Jury.`
      : `${source} holds an ${fileName} that cannot be read.`,
    { kind: 'input', hint: 'The same vote held again writes it.', cause: checked.error },
  );
}

interface EndedFolder {
  readonly folder: string;
  /** ISO 8601, UTC. */
  readonly completedAt: string;
}

/** Results of votes, that which ended last first. */
async function listFolders(base: string): Promise<EndedFolder[]> {
  const names = await readdir(base).catch(() => []);
  const found = await Promise.all(
    names.map(async name => {
      const folder = path.join(base, name);
      const text = await readRegularFile(path.join(folder, 'pipeline_result.json')).catch(
        () => null,
      );
      const completedAt = completionIn(parseJson(text));
      return completedAt === null ? [] : [{ folder, completedAt }];
    }),
  );
  return found.flat().toSorted((one, other) => (one.completedAt > other.completedAt ? -1 : 1));
}
