/**
 * A GitHub on the loopback address that holds one pull request: REST and GraphQL as far as Jury asks, in the shapes of the real one,
 * with its pages, rights and limits. `fault` may break any request, before or after it is done.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { graphql } from './hosted-graphql.ts';
import {
  addCheck,
  addComment,
  addReview,
  changeBody,
  changeCheck,
  emptyHost,
  Refused,
  removeComment,
  removeInline,
  type Hosted,
  type Right,
} from './hosted.ts';
import { listen } from '../listening.ts';

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Counted from 1. */
  readonly number: number;
}

/** `drop`: the connection ends before anything is done, `lose`: after it is done, `hang`: it is done and never answered. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'drop' | 'lose' | 'hang' }
  | { readonly kind: 'text'; readonly text: string };

export interface GithubServer {
  readonly url: string;
  readonly host: Hosted;
  readonly asked: readonly Asked[];
  /** Default: none. */
  fault: (asked: Asked) => Fault | null;
  /** Waited for before a request is looked at. */
  before: (asked: Asked) => void | Promise<void>;
  rights: ReadonlySet<Right>;
  /** So many requests that create something are taken before the secondary limit says 403. */
  mostCreated: number;
  forget(): void;
  close(): Promise<void>;
}

export const goodToken = 'ghs_scriptedTokenOfThisTest0123456789';

const allRights: ReadonlySet<Right> = new Set([
  'checks',
  'pull-requests',
  'contents',
  'security-events',
]);

export async function startGithub(parts: Partial<Hosted> = {}): Promise<GithubServer> {
  const asked: Asked[] = [];
  let created = 0;
  const github = {
    host: emptyHost(parts),
    asked,
    fault: (): Fault | null => null,
    before: (): void => {},
    rights: allRights,
    mostCreated: Infinity,
    forget: () => void ((asked.length = 0), (created = 0)),
  } as unknown as GithubServer;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readText(request);
    const one: Asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      number: asked.length + 1,
    };
    asked.push(one);
    await github.before(one);
    const fault = github.fault(one);
    if (fault?.kind === 'drop') return void request.socket.destroy();
    if (fault?.kind === 'status')
      return answer(response, fault.status, { message: fault.message ?? 'a fault' }, fault.headers);
    if (fault?.kind === 'text')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(fault.text);
    try {
      if (request.headers.authorization !== `Bearer ${goodToken}`)
        throw new Refused(401, 'Bad credentials');
      if (!request.headers['user-agent'])
        throw new Refused(403, 'Request forbidden by administrative rules.');
      if (one.method === 'POST' && one.path !== '/graphql' && ++created > github.mostCreated) {
        created = 0;
        return answer(
          response,
          403,
          { message: 'You have exceeded a secondary rate limit.' },
          { 'retry-after': '2' },
        );
      }
      const [status, body] = route(one, github);
      if (fault?.kind === 'lose') return void request.socket.destroy();
      if (fault?.kind === 'hang') return;
      answer(response, status, body);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      answer(response, error.status, { message: error.message, errors: error.errors });
    }
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) =>
      answer(response, 599, { message: String(error) }),
    );
  });
  const port = await listen(server);
  return Object.assign(github, {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  });
}

function route(
  { method, path, body }: Asked,
  { host, rights }: GithubServer,
): readonly [number, unknown] {
  const url = new URL(path, 'http://github.test');
  const needs = (right: Right): void => {
    if (!rights.has(right)) throw new Refused(403, 'Resource not accessible by integration');
  };
  if (url.pathname === '/graphql') return [200, graphql(body, host, rights)];
  const top = `/repos/${host.repository}`;
  if (!url.pathname.startsWith(`${top}/`)) throw new Refused(404, 'Not Found');
  const rest = url.pathname.slice(top.length);
  const id = Number(/\/(\d+)$/.exec(rest)?.[1]);
  const pull = `/pulls/${host.number}`;
  const kind = `${method} ${rest.replace(/^(\/(?:issues\/comments|pulls\/comments|check-runs))\/\d+$/, '$1/N')}`;
  switch (kind) {
    case `GET ${pull}`:
      return [
        200,
        {
          number: host.number,
          state: host.state,
          head: { sha: host.head, repo: { full_name: host.repository } },
          base: { sha: host.base, ref: host.branch, repo: { full_name: host.repository } },
        },
      ];
    case `GET /compare/${host.base}...${encodeURIComponent(host.branch)}`:
      if (!rights.has('contents: read')) needs('contents');
      return [200, { behind_by: host.behind }];
    case `GET ${pull}/files`:
      return [200, pageOf(host.files, url)];
    case `GET /commits/${host.head}/check-runs`: {
      const checks = host.checks
        .filter(
          check =>
            check.head_sha === host.head && check.name === url.searchParams.get('check_name'),
        )
        .map(({ annotations, title, summary, ...check }) => ({
          ...check,
          output: { title, summary, annotations_count: annotations.length },
        }));
      return [200, { total_count: checks.length, check_runs: pageOf(checks.toReversed(), url) }];
    }
    case 'POST /check-runs':
      needs('checks');
      return [201, { id: addCheck(host, body as never).id }];
    case 'PATCH /check-runs/N':
      needs('checks');
      return [200, { id: changeCheck(host, id, body as never).id }];
    case `POST /issues/${host.number}/comments`:
      needs('pull-requests');
      return [201, { id: addComment(host, body.body).id }];
    case 'PATCH /issues/comments/N':
      needs('pull-requests');
      return [200, { id: changeBody(host.comments, id, body.body).id }];
    case 'DELETE /issues/comments/N':
      needs('pull-requests');
      removeComment(host, id);
      return [204, null];
    case `POST ${pull}/reviews`:
      needs('pull-requests');
      addReview(host, body as never);
      return [200, { id: host.nextId++ }];
    case 'PATCH /pulls/comments/N':
      needs('pull-requests');
      return [
        200,
        {
          id: changeBody(
            host.threads.flatMap(({ comments }) => comments),
            id,
            body.body,
          ).id,
        },
      ];
    case 'DELETE /pulls/comments/N':
      needs('pull-requests');
      removeInline(host, id);
      return [204, null];
    case 'POST /code-scanning/sarifs':
      needs('security-events');
      host.uploads.push(body as never);
      return [202, { id: 'an-upload', url: 'https://github.test/upload' }];
  }
  const person = /^GET \/collaborators\/([^/]+)\/permission$/.exec(kind)?.[1];
  if (person === undefined) throw new Refused(404, 'Not Found');
  const permission = host.people.get(decodeURIComponent(person));
  if (permission === undefined) throw new Refused(404, `${person} is not a user`);
  return [200, { permission, user: { login: person } }];
}

function pageOf<Item>(items: readonly Item[], url: URL): Item[] {
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
  const page = Number(url.searchParams.get('page') ?? 1);
  return items.slice((page - 1) * size, page * size);
}

function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(status === 204 ? '' : JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
