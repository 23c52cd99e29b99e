/** What is asked of GitHub by GraphQL, and the answers as far as they are read. Data goes in as variables alone. */
import { z } from 'zod';

// `databaseId` has 32 bits, which the ids of comments outgrew; GitHub is about to take it away.
const comment = 'fullDatabaseId body createdAt viewerDidAuthor author { __typename login }';
const page = 'pageInfo { hasNextPage endCursor }';

/** Threads and comments side by side: each list goes on behind its own cursor, and stays empty once it is at its end. */
export const conversationQuery = `query Conversation($owner: String!, $name: String!, $number: Int!, $comments: String, $threads: String, $few: Int!, $many: Int!, $replies: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: $few, after: $comments) { ${page} nodes { ${comment} } }
      reviewThreads(first: $many, after: $threads) {
        ${page}
        nodes { id isResolved comments(first: $replies) { ${page} nodes { ${comment} } } }
      }
    }
  }
}`;

export const repliesQuery = `query Replies($thread: ID!, $after: String, $few: Int!) {
  node(id: $thread) { ... on PullRequestReviewThread { comments(first: $few, after: $after) { ${page} nodes { ${comment} } } } }
}`;

export function resolveMutation(isResolved: boolean): string {
  const name = isResolved ? 'resolveReviewThread' : 'unresolveReviewThread';
  return `mutation Resolve($thread: ID!) { ${name}(input: { threadId: $thread }) { thread { id isResolved } } }`;
}

interface TextsQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** The file at `paths[2]` is answered as `f2`. */
export function textsQuery(
  { owner, name }: { readonly owner: string; readonly name: string },
  commit: string,
  paths: readonly string[],
): TextsQuery {
  const numbers = paths.map((_, index) => index);
  return {
    query: `query Texts($owner: String!, $name: String!, ${numbers.map(index => `$e${index}: String!`).join(', ')}) {
  repository(owner: $owner, name: $name) {
    ${numbers.map(index => `f${index}: object(expression: $e${index}) { ... on Blob { text isTruncated } }`).join('\n    ')}
  }
}`,
    variables: {
      owner,
      name,
      ...Object.fromEntries(paths.map((path, index) => [`e${index}`, `${commit}:${path}`])),
    },
  };
}

const Page = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

export const HostedComment = z.object({
  /** A number of 64 bits, as a text. */
  fullDatabaseId: z.coerce.number().int().positive(),
  body: z.string(),
  createdAt: z.string(),
  viewerDidAuthor: z.boolean(),
  author: z.object({ __typename: z.string(), login: z.string() }).nullable(),
});

const Comments = z.object({ pageInfo: Page, nodes: z.array(HostedComment) });

export const HostedThread = z.object({
  id: z.string(),
  isResolved: z.boolean(),
  comments: Comments,
});

export const HostedConversation = z.object({
  repository: z
    .object({
      pullRequest: z
        .object({
          comments: Comments,
          reviewThreads: z.object({ pageInfo: Page, nodes: z.array(HostedThread) }),
        })
        .nullable(),
    })
    .nullable(),
});

export const HostedReplies = z.object({ node: z.object({ comments: Comments }).nullable() });

export const HostedTexts = z.object({
  repository: z
    .record(
      z.string(),
      z.object({ text: z.string().nullish(), isTruncated: z.boolean().nullish() }).nullable(),
    )
    .nullable(),
});
