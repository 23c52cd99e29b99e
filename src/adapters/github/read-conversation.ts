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

/** Of a conversation, and of the replies of one thread. What is beyond would not be known again, so that it is an error. */
const mostPages = 50;

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
  for (let page = 0; page < mostPages; page += 1) {
    const read = await wire.graphql(conversationQuery, { ...where, ...after }, HostedConversation);
    const found = read.repository?.pullRequest;
    if (!found) throw new CodeHostError('missing', `GitHub shows no pull request ${where.number}.`);
    comments.push(...found.comments.nodes.map(toComment));
    for (const thread of found.reviewThreads.nodes) threads.push(await wholeThread(wire, thread));
    const { comments: few, reviewThreads: many } = found;
    if (!few.pageInfo.hasNextPage && !many.pageInfo.hasNextPage) return { comments, threads };
    // A list that is at its end begins no second time: it is asked for behind its last entry.
    after = {
      comments: few.pageInfo.endCursor ?? after.comments,
      threads: many.pageInfo.endCursor ?? after.threads,
    };
  }
  throw tooLong(where.number);
}

async function wholeThread(
  wire: Wire,
  { id, isResolved, comments }: z.output<typeof HostedThread>,
): Promise<Thread> {
  const all = comments.nodes.map(toComment);
  let { hasNextPage, endCursor } = comments.pageInfo;
  for (let page = 0; hasNextPage && page < mostPages; page += 1) {
    const { node } = await wire.graphql(
      repliesQuery,
      { thread: id, after: endCursor },
      HostedReplies,
    );
    if (!node) break;
    all.push(...node.comments.nodes.map(toComment));
    ({ hasNextPage, endCursor } = node.comments.pageInfo);
  }
  return { id, isResolved, comments: all };
}

function tooLong(pull: number): CodeHostError {
  return new CodeHostError('refused', `Pull request ${pull} has more comments than Jury reads.`);
}
