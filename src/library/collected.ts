/** What a caller's own agents wrote into a folder, as a panel that has spoken already: nobody is asked. */
import path from 'node:path';
import { createCollectedRunner } from '../adapters/runners/collected.ts';
import { readLeftFiles } from '../adapters/store/agent-folder.ts';
import { UserError } from '../core/errors.ts';
import type { Settings } from '../core/process.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { ReviewerConfig, ReviewerId } from '../core/words/config.ts';
import { storageOf } from './call.ts';
import { type ReadSubject, type SubjectSource, titleOf } from './subjects.ts';

/** The seats are the agents with a file and those that were expected. Throws `UserError` for a folder that holds nobody's file. */
export async function readCollected(
  { dir = '', expect = [], subject }: Settings,
  { call }: SubjectSource,
): Promise<ReadSubject> {
  const folder = path.resolve(call.cwd, dir);
  const { disk } = storageOf(call);
  const files = await readLeftFiles(disk, folder);
  if (files.length === 0)
    throw new UserError(`DIR: ${makeVisible(folder)} holds no file <agent>.md.`, {
      kind: 'input',
      hint: 'Name the folder that the agents wrote to.',
    });
  const names = [...files.map(({ agent }) => agent), ...expect.map(checkName)];
  const agents = names.filter((name, index) => names.indexOf(name) === index);
  refuseTwins(agents, folder);
  const prompt = subject ?? dir;
  return {
    planned: { subject: { kind: 'question', title: titleOf(prompt) }, prompt, context: null },
    subject: { kind: 'question', title: titleOf(prompt), prompt, context: null },
    spoken: {
      reviewers: agents.map(id => ({
        ...ReviewerConfig.parse({ id, runner: 'replay' }),
        runner: spokenRunner,
      })),
      runner: createCollectedRunner(spokenRunner, folder, files),
    },
  };
}

/** Nobody can configure it. */
const spokenRunner = 'collected';

function checkName(name: string): string {
  const checked = ReviewerId.safeParse(name);
  if (checked.success) return checked.data;
  throw new UserError(`--expect: "${makeVisible(name)}" is no name of an agent.`, {
    kind: 'usage',
    hint: 'A name starts with a letter or digit and holds only letters, digits, ".", "_" and "-".',
  });
}

/** Their verdict files would be one on many machines, and one agent would speak twice. */
function refuseTwins(agents: readonly string[], folder: string): void {
  const twin = agents.find((name, index) =>
    agents.slice(0, index).some(other => other.toLowerCase() === name.toLowerCase()),
  );
  if (twin !== undefined)
    throw new UserError(
      `DIR: ${makeVisible(folder)} holds two files of one agent, which differ in letter case: ${twin}.`,
      { kind: 'input', hint: 'Keep one of them.' },
    );
}
