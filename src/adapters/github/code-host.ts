/** A pull request of GitHub: REST where there is a way, GraphQL for what only it tells (whose a comment is, threads, texts of files). */
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { readHunks } from '../../core/change/patch.ts';
import {
  CodeHostError,
  type CodeHost,
  type HostComment,
  type PullFile,
  type Thread,
} from '../../core/ports/repository.ts';
import { factsOfPull, ToldPull } from '../../core/words/change.ts';
import { openApi, type Api, type ApiSettings } from './api.ts';

export interface GithubSettings extends ApiSettings {
  /** `OWNER/NAME`, checked. */
  readonly repository: string;
  readonly pull: number;
}

const pageSize = 100;
/** GitHub lists at most 3,000 files, 30 pages; nothing that is read here is longer. */
const mostPages = 50;
const filesAtOnce = 40;
/** Comments and threads of a conversation. What is beyond would not be known again, so that it is an error. */
const mostEntries = 5_000;

export async function createGithub({
  repository,
  pull,
  ...settings
}: GithubSettings): Promise<CodeHost> {
  const api = await openApi(settings);
  const [owner = '', repo = ''] = repository.split('/');
  const here = { owner, repo, pull };
  return { calls: () => api.calls(), ...readingOf(api, here), ...writingTo(api, here) };
}

type Here = Readonly<Record<'owner' | 'repo', string> & { pull: number }>;

const top = '/repos/{owner}/{repo}';

function readingOf(api: Api, here: Here) {
  return {
    readConversation: () =>
      readConversation(api, { owner: here.owner, name: here.repo, number: here.pull }),

    async readPull() {
      const told = ToldPull.refine(({ number }) => number === here.pull);
      return factsOfPull(await api.send(`GET ${top}/pulls/{pull}`, here, told));
    },

    async listFiles() {
      const files: PullFile[] = [];
      for (let page = 1; page <= mostPages; page += 1) {
        const wanted = { ...here, per_page: pageSize, page };
        const some = await api.send(`GET ${top}/pulls/{pull}/files`, wanted, z.array(HostedFile));
        files.push(...some);
        if (some.length < pageSize) break;
      }
      return files;
    },

    async readTexts(commit, paths) {
      const texts = new Map<string, string>();
      for (let start = 0; start < paths.length; start += filesAtOnce) {
        const some = paths.slice(start, start + filesAtOnce).entries();
        const wanted = [...some].map(([index, path]) => ({ index, path }));
        const { repository: found } = await api.query(
          `query Texts($owner: String!, $name: String!${wanted.map(({ index }) => `, $e${index}: String!`).join('')}) {
            repository(owner: $owner, name: $name) {
              ${wanted.map(({ index }) => `f${index}: object(expression: $e${index}) { ... on Blob { text isTruncated } }`).join('\n')}
            }
          }`,
          {
            owner: here.owner,
            name: here.repo,
            ...Object.fromEntries(
              wanted.map(({ index, path }) => [`e${index}`, `${commit}:${path}`]),
            ),
          },
          HostedTexts,
        );
        for (const { index, path } of wanted) {
          const { text, isTruncated } = found[`f${index}`] ?? {};
          if (typeof text === 'string' && !isTruncated) texts.set(path, text);
        }
      }
      return texts;
    },

    async mayWrite(login) {
      const Permission = z.object({ permission: z.string() });
      const route = `GET ${top}/collaborators/{login}/permission`;
      const { permission } = await unlessMissing(api.send(route, { ...here, login }, Permission), {
        permission: 'none',
      });
      return permission === 'admin' || permission === 'write';
    },

    async latestCheck(head, name) {
      const route = `GET ${top}/commits/{head}/check-runs`;
      const wanted = { ...here, head, check_name: name, filter: 'all', per_page: pageSize };
      const { check_runs: checks } = await api.send(route, wanted, HostedChecks);
      return checks.sort((one, other) => other.id - one.id)[0]?.external_id ?? null;
    },
  } satisfies Partial<CodeHost>;
}

function writingTo(api: Api, here: Here) {
  const send = async (route: string, parameters: object) =>
    void (await api.send(route, { ...here, ...parameters }, z.unknown()));
  return {
    createCheck: ({ name, head, key, conclusion, title, summary, annotations }) =>
      send(`POST ${top}/check-runs`, {
        name,
        head_sha: head,
        external_id: key,
        status: 'completed',
        conclusion,
        output: {
          title,
          summary,
          annotations: annotations.map(({ line, endLine, level, ...told }) => ({
            ...told,
            start_line: line,
            end_line: endLine,
            annotation_level: level,
          })),
        },
      }),

    createComment: body => send(`POST ${top}/issues/{pull}/comments`, { body }),

    updateComment: ({ kind, id }, body) => send(`PATCH ${top}/${kind}/comments/{id}`, { id, body }),

    deleteComment: ({ kind, id }) =>
      unlessMissing(send(`DELETE ${top}/${kind}/comments/{id}`, { id }), undefined),

    createInline: (head, comments) =>
      send(`POST ${top}/pulls/{pull}/reviews`, {
        commit_id: head,
        event: 'COMMENT',
        comments: comments.map(({ path, side, line, endLine, body }) => ({
          path,
          side: sides[side],
          line: endLine,
          ...(endLine > line && { start_line: line, start_side: sides[side] }),
          body,
        })),
      }),

    async setResolved(thread, isResolved) {
      const name = isResolved ? 'resolveReviewThread' : 'unresolveReviewThread';
      const query = `mutation Resolve($thread: ID!) { ${name}(input: { threadId: $thread }) { thread { id } } }`;
      await api.query(query, { thread }, z.unknown());
    },

    uploadSarif: (head, sarif) =>
      send(`POST ${top}/code-scanning/sarifs`, {
        commit_sha: head,
        ref: `refs/pull/${here.pull}/head`,
        sarif: gzipSync(sarif).toString('base64'),
      }),
  } satisfies Partial<CodeHost>;
}

async function unlessMissing<Result>(asked: Promise<Result>, missing: Result) {
  return asked.catch((error: unknown) => {
    if (error instanceof CodeHostError && error.code === 'missing') return missing;
    throw error;
  });
}

const sides = { old: 'LEFT', new: 'RIGHT' } as const;

const HostedChecks = z.object({
  check_runs: z.array(z.object({ id: z.int(), external_id: z.string().nullish() })),
});

const HostedTexts = z.object({
  repository: z.record(
    z.string(),
    z.object({ text: z.string().nullish(), isTruncated: z.boolean().nullish() }).nullable(),
  ),
});

const statuses: Readonly<Record<string, PullFile['status']>> = {
  added: 'added',
  removed: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
};

const HostedFile = z
  .object({
    filename: z.string(),
    previous_filename: z.string().optional(),
    status: z.string(),
    /** Absent for what is no text, and for what is too large. */
    patch: z.string().default(''),
  })
  .transform(({ filename, previous_filename: before, status, patch }): PullFile => ({
    path: filename,
    oldPath: status === 'renamed' ? (before ?? null) : null,
    status: statuses[status] ?? 'modified',
    hunks: readHunks(patch.split('\n'), 0).hunks,
  }));

// `databaseId` has 32 bits, which the ids of comments outgrew.
const comment = 'fullDatabaseId body createdAt viewerDidAuthor author { __typename login }';
const page = 'pageInfo { hasNextPage endCursor }';

/** Comments are of any length: in larger pages GitHub gives up on them. */
const sizes = { few: 50, many: 20, replies: 20 };

/** Threads and comments side by side: each list goes on behind its own cursor, and stays empty once it is at its end. */
const conversationQuery = `query Conversation($owner: String!, $name: String!, $number: Int!, $comments: String, $threads: String,
  $few: Int!, $many: Int!, $replies: Int!) {
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

const repliesQuery = `query Replies($thread: ID!, $after: String, $few: Int!) {
  node(id: $thread) { ... on PullRequestReviewThread { comments(first: $few, after: $after) { ${page} nodes { ${comment} } } } }
}`;

const HostedComment = z.object({
  /** A number of 64 bits, as a text. */
  fullDatabaseId: z.coerce.number().int().positive(),
  body: z.string(),
  createdAt: z.string(),
  viewerDidAuthor: z.boolean(),
  author: z.object({ __typename: z.string(), login: z.string() }).nullable(),
});

const Paged = <Node extends z.ZodType>(node: Node) =>
  z.object({
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    nodes: z.array(node),
  });

const Comments = Paged(HostedComment);

const HostedConversation = z.object({
  repository: z.object({
    pullRequest: z.object({
      comments: Comments,
      reviewThreads: Paged(
        z.object({ id: z.string(), isResolved: z.boolean(), comments: Comments }),
      ),
    }),
  }),
});

const HostedReplies = z.object({ node: z.object({ comments: Comments }) });

async function readConversation(api: Api, where: object) {
  const comments: HostComment[] = [];
  const threads: Thread[] = [];
  const after = { comments: null as string | null, threads: null as string | null };
  for (;;) {
    const read = await api.query(
      conversationQuery,
      { ...where, ...after, ...sizes },
      HostedConversation,
    );
    const { comments: few, reviewThreads: many } = read.repository.pullRequest;
    comments.push(...few.nodes.map(one => toComment('issues', one)));
    for (const { id, isResolved, comments: replies } of many.nodes) {
      const all = [...replies.nodes];
      for (let { pageInfo: at } = replies; at.hasNextPage && all.length <= mostEntries;) {
        const given = { thread: id, after: at.endCursor, few: sizes.few };
        const { node } = await api.query(repliesQuery, given, HostedReplies);
        all.push(...node.comments.nodes);
        at = node.comments.pageInfo;
      }
      threads.push({ id, isResolved, comments: all.map(one => toComment('pulls', one)) });
    }
    if (comments.length > mostEntries || threads.length > mostEntries)
      throw new CodeHostError('refused', 'The pull request has more comments than Jury reads.');
    if (!few.pageInfo.hasNextPage && !many.pageInfo.hasNextPage) return { comments, threads };
    after.comments = few.pageInfo.endCursor ?? after.comments;
    after.threads = many.pageInfo.endCursor ?? after.threads;
  }
}

function toComment(
  kind: HostComment['kind'],
  { fullDatabaseId: id, body, viewerDidAuthor, author, createdAt }: z.output<typeof HostedComment>,
): HostComment {
  // GraphQL tells the login of an App without its "[bot]", so that it may be that of a person.
  const person = author?.__typename === 'User' ? author.login : null;
  return { kind, id, body, isOwn: viewerDidAuthor, author: person, at: createdAt };
}
