/** Makes a repository with a history, for demonstrations. */
import { mkdir } from 'node:fs/promises';
import { findGit, firstLine, runBareGit } from './git-process.ts';

export interface MadeCommit {
  readonly message: string;
  /** All files of the commit by path, with slashes. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * In a new folder, the last commit checked out. Author and time are fixed, so that the same commits have the same ids everywhere; neither
 * configuration, templates nor hooks of the machine have a part in it. Throws `UserError` where there is no git that is new enough.
 */
export async function makeRepository(folder: string, commits: readonly MadeCommit[]) {
  await mkdir(folder, { recursive: true });
  const program = { path: await findGit(folder), folder, timeoutMs: 60_000 };
  const run = async (words: readonly string[], input?: Buffer) => {
    const { code, stderr } = await runBareGit(program, words, input ? { input } : {});
    if (code !== 0) throw new Error(`git ${words[0] ?? ''}: ${firstLine(stderr)}`);
  };
  await run(['init', '--quiet', '--template=', '--initial-branch=main']);
  await run(['fast-import', '--quiet'], Buffer.concat(commits.flatMap(streamOf)));
  await run(['read-tree', '--reset', '-u', 'HEAD']);
}

/** Seconds between two commits, the first of which was made at the beginning of 2026. */
const pause = 3600;
const begun = 1_767_225_600;

function streamOf({ message, files }: MadeCommit, index: number) {
  const committer = `Jury <jury@localhost> ${begun + index * pause} +0000`;
  return [
    Buffer.from(`commit refs/heads/main\nauthor ${committer}\ncommitter ${committer}\n`),
    ...dataOf(Buffer.from(message)),
    Buffer.from('deleteall\n'),
    ...[...files].flatMap(([path, bytes]) => [
      Buffer.from(`M 100644 inline ${JSON.stringify(path)}\n`),
      ...dataOf(bytes),
    ]),
  ];
}

function dataOf(bytes: Buffer) {
  return [Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')];
}
