/**
 * What a push carries and its end does not show: a credential that one commit adds and a later one takes away is handed to the remote
 * all the same. Reviewers are shown the end alone.
 */
import { createSecretScanner, severityOfSecret } from '../checks/index.ts';
import type { GitRepository } from '../adapters/git/repository.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import { ifUserError, UserError } from '../core/errors.ts';
import type { HookStep } from '../core/hooks/told.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import type { Change, ChangedFile } from '../core/words/change.ts';
import type { Call } from './call.ts';
import { readPlan } from './earlier-run.ts';
import { stateOf } from './own-state.ts';
import { withRepository } from './root.ts';

/** Commits that are looked into: of a push with more, the latest ones. */
const mostCommits = 200;

interface Range {
  /** Null: all that is behind the head is new. */
  readonly base: string | null;
  readonly head: string;
}

/** Null where nothing is to be told of what the end of a range does not show. */
export async function lookBetween(
  range: Range,
  { about, run }: HookStep,
  call: Call,
): Promise<HookStep | null> {
  if (call.signal?.aborted === true) return null;
  const step: HookStep = { about, run: null, said: [], isReadable: true };
  const state = await stateOf(call);
  // What is left out is what the run left out; where there was nothing to review, nothing is.
  const plan = run === null ? null : await readPlan(await openRunFolder(state, run.record.run));
  try {
    const looked = await withRepository(call, repository =>
      findPassingSecrets(repository, { ...range, exclude: plan?.exclude ?? [] }),
    );
    return tell(looked, step);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const said = [`A commit before its last one cannot be looked into: ${error.message}`];
    return { ...step, said, isReadable: false };
  }
}

function tell({ found, isWhole }: PassingSecrets, step: HookStep): HookStep | null {
  const [first, ...others] = found;
  if (first !== undefined)
    return {
      ...step,
      said: [
        first,
        ...(others.length > 0 ? [`And ${others.length} more of the kind.`] : []),
        'Take it out of the history: git rebase -i.',
      ],
      isFail: true,
    };
  if (isWhole) return null;
  const said = [
    `Only its last ${mostCommits} commits were looked into for credentials that were taken away again.`,
  ];
  return { ...step, said };
}

interface Pushed extends Range {
  /** Globs of files that nobody is to look at. */
  readonly exclude: readonly string[];
}

interface PassingSecrets {
  /** One sentence each, without the credential. */
  readonly found: readonly string[];
  /** False: there are more commits than were looked into. */
  readonly isWhole: boolean;
}

async function findPassingSecrets(
  repository: GitRepository,
  { base, head, exclude }: Pushed,
): Promise<PassingSecrets> {
  const commits = await repository.commitsSince(base, head, mostCommits + 1);
  const passed = commits.slice(0, mostCommits).filter(commit => commit !== head);
  const isWhole = commits.length <= mostCommits;
  if (passed.length === 0) return { found: [], isWhole };
  const filesOf = async (from: string, to: string): Promise<readonly ChangedFile[]> => {
    const change = await changeOf(repository, from, to);
    if (change === null) return [];
    const { subject } = excludeFrom(change, { exclude });
    return subject.kind === 'change' ? subject.files : [];
  };
  const scanner = createSecretScanner();
  const ended = await filesOf(base ?? (await repository.emptyTree()), head);
  const shown = new Set(ended.flatMap(addedLines));
  const found = new Set<string>();
  for (const commit of passed)
    for (const file of await filesOf(await beforeOf(repository, commit), commit)) {
      const text = addedLines(file)
        .filter(line => !shown.has(line))
        .join('\n');
      const spans = text === '' ? [] : await scanner.scan(text, file.path);
      for (const { start, end, kind, message } of spans) {
        const value = text.slice(start, end);
        if (severityOfSecret({ path: file.path, kind, value }) === 'critical')
          found.add(
            `Commit ${commit.slice(0, 8)} adds to ${makeVisible(file.path)} what a later one takes away, ` +
              `and is pushed all the same. ${message}`,
          );
      }
    }
  return { found: [...found], isWhole };
}

/** Null for an empty commit, and for a way back to where it began. */
async function changeOf(
  repository: GitRepository,
  base: string,
  head: string,
): Promise<Change | null> {
  return repository
    .change({ source: 'range', base, head, title: `${base}..${head}` })
    .catch(ifUserError(null, 'unchanged'));
}

/** What a commit is a change of; of the first one nothing. */
async function beforeOf(repository: GitRepository, commit: string): Promise<string> {
  const before = await repository.resolve(`${commit}^`).catch(ifUserError(null));
  return before ?? repository.emptyTree();
}

function addedLines({ hunks }: ChangedFile): string[] {
  return hunks.flatMap(({ lines }) =>
    lines.filter(line => line.startsWith('+')).map(line => line.slice(1)),
  );
}
