/** Comments and threads of a pull request, page by page: by GraphQL, which alone tells whose a comment is and what is resolved. */
import type { z } from 'zod';
import {
  CodeHostError,
  type Conversation,
  type HostComment,
  type Thread,
} from '../../core/ports/code-host.ts';
import { toComment } from './host-answers.ts';
import {
  conversationQuery,
  HostedConversation,
  HostedReplies,
  type HostedThread,
  repliesQuery,
} from './host-queries.ts';
import type { Wire } from './host-wire.ts';

/** Comments and threads of a conversation, and replies of a thread. What is beyond would not be known again, so that it is an error. */
const mostEntries = 5_000;
/** A host that never comes to an end is left at last. */
const mostPages = 3_000;

/** A comment may have 65,536 characters: where a page of them is too much for GitHub or for us, a smaller one is asked for. */
const pageSizes = [
  { few: 100, many: 50, replies: 30 },
  { few: 25, many: 10, replies: 6 },
  { few: 5, many: 2, replies: 3 },
] as const;
type PageSize = (typeof pageSizes)[number];

/** One page, as large as the pages that came before. */
type Ask = <Page>(ask: (size: PageSize) => Promise<Page>) => Promise<Page>;

function openPages(): Ask {
  let [at, pages] = [0, 0];
  return async ask => {
    for (;;) {
      try {
        pages += 1;
        if (pages > mostPages) throw new CodeHostError('refused', tooLong);
        return await ask(pageSizes[at] ?? pageSizes[0]);
      } catch (error) {
        const isTooMuch =
          error instanceof CodeHostError && ['unreadable', 'provider'].includes(error.code);
        if (!isTooMuch || at === pageSizes.length - 1) throw error;
        at += 1;
      }
    }
  };
}

const tooLong = 'The pull request has more comments than Jury reads.';

export async function readConversation(
  wire: Wire,
  where: { readonly owner: string; readonly name: string; readonly number: number },
): Promise<Conversation> {
  const comments: HostComment[] = [];
  const threads: Thread[] = [];
  let after: { comments: string | null; threads: string | null } = {
    comments: null,
    threads: null,
  };
  const ask = openPages();
  while (comments.length <= mostEntries && threads.length <= mostEntries) {
    const start = after;
    const read = await ask(size =>
      wire.graphql(conversationQuery, { ...where, ...start, ...size }, HostedConversation),
    );
    const found = read.repository?.pullRequest;
    if (!found) throw new CodeHostError('missing', `GitHub shows no pull request ${where.number}.`);
    comments.push(...found.comments.nodes.map(toComment));
    for (const thread of found.reviewThreads.nodes)
      threads.push(await wholeThread(wire, ask, thread));
    const { comments: few, reviewThreads: many } = found;
    if (!few.pageInfo.hasNextPage && !many.pageInfo.hasNextPage) return { comments, threads };
    // A list that is at its end begins no second time: it is asked for behind its last entry.
    after = {
      comments: few.pageInfo.endCursor ?? after.comments,
      threads: many.pageInfo.endCursor ?? after.threads,
    };
  }
  throw new CodeHostError('refused', tooLong);
}

async function wholeThread(
  wire: Wire,
  ask: Ask,
  { id, isResolved, comments }: z.output<typeof HostedThread>,
): Promise<Thread> {
  const all = comments.nodes.map(toComment);
  let { hasNextPage, endCursor } = comments.pageInfo;
  while (hasNextPage && all.length <= mostEntries) {
    const start = { thread: id, after: endCursor };
    const { node } = await ask(({ few }) =>
      wire.graphql(repliesQuery, { ...start, few }, HostedReplies),
    );
    if (!node) break;
    all.push(...node.comments.nodes.map(toComment));
    ({ hasNextPage, endCursor } = node.comments.pageInfo);
  }
  return { id, isResolved, comments: all };
}
