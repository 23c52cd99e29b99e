/** A pull request of GitHub: REST where there is a way, GraphQL for what only it tells (whose a comment is, threads, texts of files). */
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Clock } from '../../core/ports/runner.ts';
import { readHunks } from '../../core/change/patch.ts';
import {
  CodeHostError,
  type CodeHost,
  type HostCause,
  type HostComment,
  type PullFile,
  type Thread,
} from '../../core/ports/repository.ts';
import { cut, toOneLine } from '../../core/text.ts';
import { factsOfPull, ToldPull } from '../../core/words/change.ts';

interface GithubSettings {
  /** `OWNER/NAME`, checked. */
  repository: string;
  pull: number;
  /** `https://api.github.com`, or `https://HOST/api/v3` of an Enterprise Server. */
  apiUrl: string;
  /** Null: as somebody whom nobody knows, who sees what is public. */
  token: string | null;
  clock: Clock;
  signal?: AbortSignal | undefined;
  /** Of one request. */
  timeoutMs?: number;
  /** Of all waits for rate limits together. */
  mostWaitMs?: number;
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

    async holds(branch, commit) {
      const route = `GET ${top}/compare/{commit}...{branch}`;
      const wanted = { ...here, branch, commit, per_page: 1 };
      const Comparison = z.object({ behind_by: z.int() });
      const asked = api.send(route, wanted, Comparison);
      return (await unlessMissing(asked, { behind_by: NaN })).behind_by === 0;
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
        const some = paths.slice(start, start + filesAtOnce);
        const { repository: found } = await api.query(
          `query Texts($owner: String!, $name: String!${some.map((_, index) => `, $e${index}: String!`).join('')}) {
            repository(owner: $owner, name: $name) {
              ${some.map((_, index) => `f${index}: object(expression: $e${index}) { ... on Blob { text isTruncated } }`).join('\n')}
            }
          }`,
          {
            owner: here.owner,
            name: here.repo,
            ...Object.fromEntries(some.map((path, index) => [`e${index}`, `${commit}:${path}`])),
          },
          HostedTexts,
        );
        for (const [index, path] of some.entries()) {
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

    async checkKeys(head, name) {
      const route = `GET ${top}/commits/{head}/check-runs`;
      const wanted = { ...here, head, check_name: name, filter: 'all', per_page: pageSize };
      const { check_runs: checks } = await api.send(route, wanted, HostedChecks);
      return checks.sort((one, other) => other.id - one.id).map(check => check.external_id ?? '');
    },
  } satisfies Partial<CodeHost>;
}

function writingTo(api: Api, here: Here) {
  const send = async (route: string, given: object, answer: z.ZodType = Written) =>
    void (await api.send(route, { ...here, ...given }, answer));
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
      unlessMissing(send(`DELETE ${top}/${kind}/comments/{id}`, { id }, z.literal('')), undefined),

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
      await api.query(query, { thread }, z.object({ [name]: z.object({ thread: Written }) }));
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

/** A text for threads and uploads. */
const Written = z.object({ id: z.int().or(z.string()) });

const HostedChecks = z.object({
  check_runs: z.array(z.object({ id: z.int(), external_id: z.string().nullish() })),
});

const HostedTexts = z.object({
  repository: z.record(
    z.string(),
    z.object({ text: z.string().nullish(), isTruncated: z.boolean().nullish() }).nullable(),
  ),
});

const statuses: Record<string, PullFile['status']> = {
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

// The API of GitHub by Octokit, which is loaded when somebody asks. An answer is held to a schema, a failure is named. Waits where
// GitHub asks for it, as long as all waits together stay below a bound; sends again what may be done twice. No redirect is followed:
// it would carry the token to another host.

type Parameters = Record<string, unknown>;

type Api = Awaited<ReturnType<typeof openApi>>;

const mostTries = 3;
/** Where a limit says nothing of its end: GitHub's own advice. */
const usualWaitMs = 60_000;

async function openApi({
  apiUrl,
  token,
  clock,
  signal,
  timeoutMs = 30_000,
  mostWaitMs = 300_000,
}: Omit<GithubSettings, 'repository' | 'pull'>) {
  const { Octokit } = await import('@octokit/core');
  const octokit = new Octokit({ baseUrl: apiUrl, userAgent: 'jury' });
  let [calls, waitedMs] = [0, 0];
  const failureOf = (code: HostCause, words: string, mayBeDone = false) => {
    const told = cut(toOneLine(token === null ? words : words.replaceAll(token, '…')), 300);
    return new CodeHostError(code, `${openings[code]}: ${told.replace(/\.$/, '')}.`, mayBeDone);
  };

  octokit.hook.wrap('request', async (request, options) => {
    // Not by its own way to authenticate: with that the signal of a request is lost.
    if (token !== null) options.headers.authorization = `Bearer ${token}`;
    const isRepeatable = options.method !== 'POST' || options.url.endsWith('/graphql');
    for (let tries = 1; ; tries += 1) {
      calls += 1;
      const late = AbortSignal.timeout(timeoutMs);
      const whole = signal ? AbortSignal.any([signal, late]) : late;
      const limits = { ...options.request, redirect: 'manual' as const, signal: whole };
      let answer: Answered;
      try {
        const answered = await request({ ...options, request: limits });
        // Octokit looks into it.
        answered.data ??= '';
        if (!troubleOf(answered)) return answered;
        answer = answered;
      } catch (error) {
        signal?.throwIfAborted();
        const { message, response } = error as Error & { response?: Answered };
        answer = { message, ...response };
        if (late.aborted) answer = { message: `no answer within ${timeoutMs / 1_000} s` };
      }
      const [code, words] = troubleOf(answer) ?? (['unreachable', ''] as const);
      const isPassing = code === 'provider' || code === 'unreachable';
      const failure = failureOf(code, words, isPassing && !isRepeatable);
      const waitMs = waitOf(answer, failure, clock.now());
      if (waitMs !== null) {
        // It was not done, so that anything may be sent again.
        if (waitedMs + waitMs > mostWaitMs)
          throw failureOf('rate-limited', `it wants ${Math.ceil(waitMs / 1_000)} s of waiting`);
        waitedMs += waitMs;
        await clock.sleep(waitMs, signal);
        tries -= 1;
      } else if (!isPassing || !isRepeatable || tries >= mostTries) throw failure;
      else await clock.sleep(1_000 * tries, signal);
    }
  });

  const read = <Schema extends z.ZodType>(value: unknown, schema: Schema, what: string) => {
    const checked = schema.safeParse(value);
    if (checked.success) return checked.data;
    const words = `what comes of ${what} is not what it gives`;
    throw failureOf('unreadable', words, what.startsWith('POST'));
  };
  return {
    /** `route`: `GET /repos/{owner}/{repo}`; what it does not name of the parameters is sent as query or body. */
    send: async <Schema extends z.ZodType>(route: string, given: Parameters, answer: Schema) =>
      read((await octokit.request(route, given)).data, answer, route),
    query: async <Schema extends z.ZodType>(text: string, given: Parameters, answer: Schema) =>
      read(await octokit.graphql(text, given), answer, 'a query'),
    /** Requests so far, those that were sent again included. */
    calls: () => calls,
  };
}

const openings: Record<HostCause, string> = {
  auth: 'GitHub does not take the token',
  forbidden: 'GitHub does not allow it to this token',
  'rate-limited': 'GitHub limits the rate',
  missing: 'GitHub knows no such thing, or hides it from this token',
  refused: 'GitHub refuses what was sent',
  unreadable: 'GitHub answered something unknown',
  provider: 'GitHub is at fault',
  unreachable: 'GitHub cannot be reached',
};

/** What came back, or what Octokit throws: without an answer where none came. */
interface Answered {
  status?: number;
  headers?: Record<string, unknown>;
  /** Of GraphQL, which fails with 200. */
  data?: unknown;
  message?: string;
}

const GraphqlError = z.object({ type: z.string().default(''), message: z.string().default('') });
const GraphqlErrors = z.object({ errors: z.tuple([GraphqlError], z.unknown()) });

const codes: Record<string, HostCause> = {
  401: 'auth',
  403: 'forbidden',
  404: 'missing',
  410: 'missing',
  429: 'rate-limited',
  FORBIDDEN: 'forbidden',
  INSUFFICIENT_SCOPES: 'forbidden',
  NOT_FOUND: 'missing',
  RATE_LIMITED: 'rate-limited',
};

/** Null: it is what was asked for. */
function troubleOf({ status, data, message = '' }: Answered): readonly [HostCause, string] | null {
  if (status === undefined) return ['unreachable', message];
  const words = `${status} ${message}`;
  // A repository that was renamed answers with its new address.
  if (status >= 300 && status < 400) return ['missing', `${words}it has moved`];
  if (status >= 400) return [codes[status] ?? (status >= 500 ? 'provider' : 'refused'), words];
  const found = GraphqlErrors.safeParse(data);
  if (!found.success) return null;
  const [{ type, message: said }] = found.data.errors;
  // Without a type: what GitHub says of a fault or a time-out of its own.
  const isFault = type === '' && /^something went wrong/i.test(said);
  return [codes[type] ?? (isFault ? 'provider' : 'refused'), said];
}

/** Milliseconds until it may be sent again; null where no limit is the cause. */
function waitOf({ headers = {} }: Answered, { code, message }: CodeHostError, now: Date) {
  const isLimit =
    code === 'rate-limited' || /secondary rate limit|abuse detection|API rate limit/i.test(message);
  if (!isLimit && code !== 'forbidden') return null;
  // No wait at all would come to the bound of all waits never.
  const after = Number(headers['retry-after'] ?? NaN);
  if (after >= 0) return Math.max(1_000, Math.ceil(after * 1_000));
  const reset = Number(headers['x-ratelimit-reset'] ?? NaN);
  if (headers['x-ratelimit-remaining'] === '0' && reset > 0)
    return Math.max(1_000, reset * 1_000 - now.getTime());
  return isLimit ? usualWaitMs : null;
}
