/**
 * Publishes a checked handover in its pull request: looks, plans, looks whether the head is still the same, writes, looks for what a
 * second one at the same time has written. Doing it again changes nothing: everything is known by its marker.
 */
import type { Disposition } from '../../core/words/known-claim.ts';
import { type CodeHost, CodeHostError, type PullRequest } from '../../core/ports/code-host.ts';
import { type CheckedHandover, isOwnSarif } from '../../core/publish/handover.ts';
import {
  planPublication,
  type Publication,
  readOwn,
  type OwnConversation,
} from '../../core/publish/plan-publication.ts';
import { settle, type Settled } from '../../core/publish/settle.ts';
import type { RunRecord } from '../../core/words/run.ts';
import type { Deeds, PublishRequest, Seen } from './deeds.ts';
import { publishCheck } from './publish-check.ts';
import { publishSummary, removeDoubles } from './publish-summary.ts';
import { postInline, turnThreads } from './publish-threads.ts';
import { readDecisions } from './read-decisions.ts';

export interface Published extends Deeds {
  /** `published`; `partly`: the troubles say what is missing; `nothing`: and why; `planned`: it was dry. */
  readonly status: 'published' | 'partly' | 'nothing' | 'planned';
  /**
   * Why nothing was published: it is closed, its head or the branch that it asks for is another one, a later run stands there. Else
   * null.
   */
  readonly why: 'closed' | 'moved' | 'older' | null;
  readonly sentence: string;
  /** As decisions left it; null where nothing was looked at. */
  readonly record: RunRecord | null;
  /** Claims that were posted before and were not posted again. */
  readonly kept: number;
  readonly beyond: number;
  readonly deleted: number;
  /** What people decided in replies. */
  readonly decisions: readonly Disposition[];
  readonly calls: number;
}

/** Rejects with `CodeHostError` where the host cannot even be read. */
export async function publish(request: PublishRequest): Promise<Published> {
  const { host, checked, isDry } = request;
  const deeds: Deeds = {
    posted: 0,
    updated: 0,
    resolved: 0,
    reopened: 0,
    removed: 0,
    troubles: [],
    notes: [],
  };
  const pull = await host.readPull();
  const refusal = refusePull(pull, checked);
  if (refusal !== null) return nothing(refusal, deeds, host);

  const note = (sentence: string): void => {
    if (!deeds.notes.includes(sentence)) deeds.notes.push(sentence);
  };
  const files = await host.listFiles();
  const own = readOwn(await host.readConversation());
  if (isOlder(own, checked)) return nothing(older, deeds, host);
  const decisions = await readDecisions(own, host, note);
  const settled = await settleOn(request, { pull, files, own, decisions, note });
  const publication = planPublication(settled, own, files);
  const seen: Seen = { settled, publication, own, decisions };
  if (isDry) return { ...ended('planned', seen, deeds, host), ...forecast(publication) };

  const again = refusePull(await host.readPull(), checked);
  if (again !== null) return nothing(again, deeds, host);
  await write(request, seen, deeds);
  return ended(deeds.troubles.length === 0 ? 'published' : 'partly', seen, deeds, host);
}

/** Each part on its own: a token that may write comments and no checks leaves comments. */
async function write(request: PublishRequest, seen: Seen, deeds: Deeds): Promise<void> {
  const { host, checked, uploadsSarif } = request;
  const attempt = async (what: string, act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof CodeHostError)) throw error;
      deeds.troubles.push(`${what}: ${error.message}`);
    }
  };
  const posted = new Set<string>();
  await attempt('The comments at lines', () => postInline(request, seen, posted, deeds));
  await attempt('The threads', () => turnThreads(request, seen, deeds));
  await attempt('The check', () => publishCheck(request, seen, posted, deeds));
  await attempt('The summary', () => publishSummary(request, seen, posted, deeds));
  if (deeds.posted > 0 || seen.own.doubles.length > 0 || seen.own.summaries.length > 1)
    await attempt('What is there twice', () => removeDoubles(host, deeds));
  const { sarif } = checked;
  if (!uploadsSarif || sarif === null) return;
  if (!isOwnSarif(sarif)) {
    deeds.notes.push('The SARIF file was not uploaded: it is none of Jury.');
    return;
  }
  try {
    await host.uploadSarif(checked.handover.head, sarif);
  } catch (error) {
    // Code scanning is switched on or is not; that is for the owner to say, and fails nothing.
    if (!(error instanceof CodeHostError)) throw error;
    deeds.notes.push(`The SARIF file was not uploaded: ${error.message}`);
  }
}

interface Refusal {
  readonly why: 'closed' | 'moved' | 'older';
  readonly sentence: string;
}

const older: Refusal = {
  why: 'older',
  sentence: 'Nothing is published: a later run of this commit has been published already.',
};

function refusePull(
  { state, branch, head }: PullRequest,
  { handover }: CheckedHandover,
): Refusal | null {
  if (state === 'closed')
    return {
      why: 'closed',
      sentence: `Nothing is published: pull request ${handover.pull} is closed.`,
    };
  if (head !== handover.head)
    return {
      why: 'moved',
      sentence: `Nothing is published: the head of pull request ${handover.pull} is ${head} by now, and ${handover.head} was reviewed.`,
    };
  // What stands at a commit goes for every branch that it is asked to be merged into.
  if (branch !== handover.branch)
    return {
      why: 'moved',
      sentence: `Nothing is published: pull request ${handover.pull} asks for another branch by now than it was reviewed for.`,
    };
  return null;
}

function isOlder({ state }: OwnConversation, { handover }: CheckedHandover): boolean {
  return state !== null && state.head === handover.head && state.created > handover.created;
}

async function settleOn(
  { checked, host, matcher, hash }: PublishRequest,
  {
    pull,
    files,
    own,
    decisions,
    note,
  }: {
    readonly pull: PullRequest;
    readonly files: Awaited<ReturnType<CodeHost['listFiles']>>;
    readonly own: OwnConversation;
    readonly decisions: readonly Disposition[];
    readonly note: (sentence: string) => void;
  },
): Promise<Settled> {
  const { record } = checked;
  const paths = new Set([
    ...record.claims.map(({ location }) => location?.path ?? null),
    ...own.posted.map(({ path }) => path),
  ]);
  const held = files
    .filter(({ path, oldPath }) => paths.has(path) || paths.has(oldPath))
    .slice(0, mostTexts);
  const wanted = held.filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  return settle({
    record,
    head: pull.head,
    base: pull.base,
    known: own.posted,
    heard: own.heard,
    dispositions: decisions,
    files,
    texts: await readTexts(host, pull.head, wanted, note),
    matcher,
    hash,
  });
}

/** A token without contents: read publishes all the same: what it cannot look up holds for nobody. */
async function readTexts(
  host: CodeHost,
  head: string,
  paths: readonly string[],
  note: (sentence: string) => void,
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  try {
    return await host.readTexts(head, paths);
  } catch (error) {
    if (!(error instanceof CodeHostError) || !['forbidden', 'missing'].includes(error.code))
      throw error;
    note(
      'No code was looked at: dismissals do not hold, and claims are known by their words alone. GitHub wants contents: read for that.',
    );
    return new Map();
  }
}

/** Files whose text is looked at to know claims again; of further ones only what the diff shows is known. */
const mostTexts = 200;

function forecast({ inline, turns }: Publication): Partial<Published> {
  const count = (standing: 'open' | 'closed'): number =>
    turns.filter(turn => (turn.standing === 'open') === (standing === 'open')).length;
  return { posted: inline.length, resolved: count('closed'), reopened: count('open') };
}

function ended(status: Published['status'], seen: Seen, deeds: Deeds, host: CodeHost): Published {
  const { settled, publication, decisions } = seen;
  const sentences = {
    published: 'Published.',
    partly: 'Published in part.',
    planned: 'Nothing was written: this is what would be.',
    nothing: '',
  };
  return {
    ...deeds,
    status,
    why: null,
    sentence: sentences[status],
    record: settled.record,
    kept: publication.kept,
    beyond: publication.beyond.length,
    deleted: publication.deleted.length,
    decisions,
    calls: host.calls(),
  };
}

function nothing({ why, sentence }: Refusal, deeds: Deeds, host: CodeHost): Published {
  return {
    ...deeds,
    status: 'nothing',
    why,
    sentence,
    record: null,
    kept: 0,
    beyond: 0,
    deleted: 0,
    decisions: [],
    calls: host.calls(),
  };
}
