/**
 * Publishes a handover in its pull request: looks, plans, looks whether the head is still the same, writes, looks for what a second one
 * at the same time has written. Doing it again changes nothing: everything is known by its marker.
 */
import { remember } from '../../core/groups.ts';
import type { Disposition, RunRecord } from '../../core/words/run.ts';
import type { CodeHost, PullFile } from '../../core/ports/repository.ts';
import { decisionsIn, type OwnConversation, planPublication } from '../../core/publish/plan.ts';
import { settle } from '../../core/publish/settle.ts';
import type { PullFacts } from '../../core/words/change.ts';
import { carryOut, type Deeds, isHost, look, type PublishRequest } from './carry-out.ts';

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
  const { host, isDry } = request;
  const { pull: number, head, created } = request.handover.parcel;
  const deeds: Deeds = {
    posted: 0,
    updated: 0,
    resolved: 0,
    reopened: 0,
    removed: 0,
    troubles: [],
    notes: [],
  };
  const refused = (why: Published['why'], told: string): Published => ({
    ...deeds,
    status: 'nothing',
    why,
    sentence: `Nothing is published: ${told}.`,
    record: null,
    kept: 0,
    beyond: 0,
    deleted: 0,
    decisions: [],
    calls: host.calls(),
  });
  const pull = await host.readPull();
  const wrong = refusal(request, pull) ?? (await findRewound(request, deeds.notes));
  if (wrong) return refused(...wrong);
  const files = await host.listFiles();
  const own = await look(request);
  const isLater = (key: string) => key > `jury/${number}@${created}~` && key < `jury/${number}@~`;
  // The summary may have been refused, or be deleted, or of another commit by now.
  if (own.checks.some(isLater) || (own.state?.head === head && own.state.created > created))
    return refused('older', 'a later run of this commit has been published already');
  const decisions = await readDecisions(own, host, deeds.notes);
  const settled = await settleOn(request, { pull, files, own, decisions, notes: deeds.notes });
  const plan = planPublication(settled, own, files);
  const opened = plan.turns.filter(({ standing }) => standing === 'open').length;
  if (!isDry) {
    const late = refusal(request, await host.readPull());
    if (late) return refused(...late);
    await carryOut(request, { own, settled, plan }, deeds);
  }
  const isWhole = deeds.troubles.length === 0;
  return {
    ...deeds,
    status: isWhole ? 'published' : 'partly',
    sentence: isWhole ? 'Published.' : 'Published in part.',
    ...(isDry && {
      posted: plan.inline.length,
      reopened: opened,
      resolved: plan.turns.length - opened,
      status: 'planned' as const,
      sentence: 'Nothing was written: this is what would be.',
    }),
    why: null,
    record: settled.record,
    kept: own.threads.length - plan.turns.length,
    beyond: plan.beyond,
    deleted: plan.deleted,
    decisions,
    calls: host.calls(),
  };
}

type Refusal = readonly [why: Published['why'], told: string] | null;

function refusal({ handover }: PublishRequest, pull: PullFacts): Refusal {
  const { pull: number, head, branch } = handover.parcel;
  if (!pull.isOpen) return ['closed', `pull request ${number} is closed`];
  if (pull.head !== head)
    return [
      'moved',
      `the head of pull request ${number} is ${pull.head} by now, and ${head} was reviewed`,
    ];
  // What stands at a commit goes for every branch that it is asked to be merged into.
  return pull.branch === branch
    ? null
    : ['moved', `pull request ${number} asks for another branch by now than it was reviewed for`];
}

/** Where the branches meet may lie further back by now, so that the pull request asks for more than was reviewed. */
async function findRewound(
  { host, handover: { parcel } }: PublishRequest,
  notes: string[],
): Promise<Refusal> {
  const isHeld = await host.holds(parcel.branch, parcel.base).catch((error: unknown) => {
    if (!isHost(error, 'forbidden')) throw error;
    notes.push(
      'Whether the branch was rewound was not looked at. GitHub wants contents: read for that.',
    );
    return true;
  });
  return isHeld
    ? null
    : [
        'moved',
        `the branch that pull request ${parcel.pull} asks for was rewound since the review`,
      ];
}

/** Accounts that are asked about, at most: a crowd of strangers must not spend the rate. */
const mostAccounts = 30;

/** What people with write access decided in replies to comments of ours; each account is asked about once. */
async function readDecisions(own: OwnConversation, host: CodeHost, notes: string[]) {
  const note = (sentence: string) => {
    if (!notes.includes(sentence)) notes.push(sentence);
  };
  const rights = new Map<string, Promise<boolean>>();
  const mayWrite = remember(async (login: string) => {
    if (rights.size >= mostAccounts) {
      note(
        `More than ${mostAccounts} accounts decide in replies; those of the others count for nothing.`,
      );
      return false;
    }
    return host.mayWrite(login).catch((error: unknown) => {
      if (!isHost(error, 'forbidden')) throw error;
      note('Replies decide nothing: this token may not ask who has write access.');
      return false;
    });
  }, rights);
  const dispositions = [];
  for (const { by, claim, disposition } of decisionsIn(own)) {
    // It would hold for whatever comes to stand there.
    if (
      disposition.verdict === 'rejected' &&
      claim.code === null &&
      claim.line !== null &&
      claim.side === 'new'
    ) {
      note('A dismissal does not hold where the code of its claim cannot be looked at.');
      continue;
    }
    if (await mayWrite(by)) dispositions.push(disposition);
  }
  return dispositions;
}

/** Files whose text is looked at to know claims again; of further ones only what the diff shows is known. */
const mostTexts = 200;

async function settleOn(
  { handover: { record }, host, matcher }: PublishRequest,
  {
    pull: { head, base },
    files,
    own,
    decisions,
    notes,
  }: {
    pull: PullFacts;
    files: readonly PullFile[];
    own: OwnConversation;
    decisions: readonly Disposition[];
    notes: string[];
  },
) {
  const named = new Set<string | null | undefined>([
    ...record.claims.map(({ location }) => location?.path),
    ...own.posted.map(({ path }) => path),
  ]);
  const wanted = files
    .filter(({ path, oldPath }) => named.has(path) || (oldPath !== null && named.has(oldPath)))
    .slice(0, mostTexts)
    .flatMap(({ path, status }) => (status === 'deleted' ? [] : [path]));
  // A token without contents: read publishes all the same: what it cannot look up holds for nobody.
  const texts = await host.readTexts(head, wanted).catch((error: unknown) => {
    if (!isHost(error, 'forbidden', 'missing')) throw error;
    notes.push(
      'No code was looked at: dismissals do not hold, and claims are known by their words alone. GitHub wants contents: read for that.',
    );
    return new Map<string, string>();
  });
  return settle({
    record,
    head,
    base,
    known: own.posted,
    heard: own.heard,
    dispositions: decisions,
    files,
    texts,
    matcher,
  });
}
