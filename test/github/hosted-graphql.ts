/** The queries that Jury sends, answered by name: lists in pages, with cursors that count. */
import { own, type Hosted, type HostedComment, type Right } from './hosted.ts';

interface Sent {
  readonly query?: unknown;
  readonly variables?: unknown;
}

export function graphql(
  { query, variables }: Sent,
  host: Hosted,
  rights: ReadonlySet<Right>,
): object {
  const text = String(query);
  const given = variables as Readonly<Record<string, string | number | null>>;
  if (text.startsWith('mutation')) return resolve(text, String(given.thread), host, rights);
  if (text.startsWith('query Replies')) {
    const thread = host.threads.find(({ id }) => id === given.thread);
    return {
      data: {
        node:
          thread === undefined
            ? null
            : { comments: page(thread.comments.map(toNode), Number(given.few), given.after) },
      },
    };
  }
  if (`${given.owner}/${given.name}` !== host.repository)
    return {
      data: { repository: null },
      errors: [{ type: 'NOT_FOUND', message: 'Could not resolve to a Repository with that name.' }],
    };
  if (text.startsWith('query Texts')) {
    if (!rights.has('contents') && !rights.has('contents: read'))
      return {
        data: null,
        errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }],
      };
    const blobs = Object.entries(given)
      .filter(([key]) => /^e\d+$/.test(key))
      .map(([key, name]) => {
        const blob = host.texts.get(String(name));
        return [
          key.replace('e', 'f'),
          blob === undefined ? null : { text: blob, isTruncated: false },
        ] as const;
      });
    return { data: { repository: Object.fromEntries(blobs) } };
  }
  if (given.number !== host.number) return { data: { repository: { pullRequest: null } } };
  return {
    data: {
      repository: {
        pullRequest: {
          comments: page(host.comments.map(toNode), Number(given.few), given.comments),
          reviewThreads: page(
            host.threads.map(({ id, isResolved, comments }) => ({
              id,
              isResolved,
              comments: page(comments.map(toNode), Number(given.replies), null),
            })),
            Number(given.many),
            given.threads,
          ),
        },
      },
    },
  };
}

function resolve(text: string, id: string, host: Hosted, rights: ReadonlySet<Right>) {
  // As recorded: the right to write pull requests is not enough.
  if (!rights.has('contents'))
    return {
      data: null,
      errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }],
    };
  const thread = host.threads.find(one => one.id === id);
  if (thread === undefined)
    return {
      data: null,
      errors: [
        { type: 'NOT_FOUND', message: `Could not resolve to a node with the global id of '${id}'` },
      ],
    };
  thread.isResolved = text.includes(' resolveReviewThread');
  const name = thread.isResolved ? 'resolveReviewThread' : 'unresolveReviewThread';
  return { data: { [name]: { thread: { id, isResolved: thread.isResolved } } } };
}

function toNode({ id, body, author, createdAt }: HostedComment) {
  return {
    fullDatabaseId: String(id),
    body,
    createdAt,
    viewerDidAuthor: author === own,
    author: {
      __typename: author === own || author.endsWith('[bot]') ? 'Bot' : 'User',
      login: author.replace('[bot]', ''),
    },
  };
}

function page(items: readonly object[], size: number, after: string | number | null | undefined) {
  const start = after === null || after === undefined ? 0 : Number(after);
  const nodes = items.slice(start, start + size);
  return {
    nodes,
    pageInfo: {
      hasNextPage: start + size < items.length,
      endCursor: nodes.length === 0 ? null : String(start + nodes.length),
    },
  };
}
