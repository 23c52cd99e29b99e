/** What a scripted GitHub holds, and the rules it holds callers to, as the real one does. Messages are those that were recorded of it. */
export interface HostedFile {
  readonly filename: string;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed';
  readonly previous_filename?: string;
  readonly patch?: string;
}

export interface HostedComment {
  id: number;
  body: string;
  author: string;
  createdAt: string;
}

export interface HostedThread {
  id: string;
  path: string;
  line: number;
  side: string;
  commit: string;
  isResolved: boolean;
  comments: HostedComment[];
}

export interface HostedCheck {
  id: number;
  name: string;
  head_sha: string;
  external_id: string;
  status: string;
  conclusion: string;
  title: string;
  summary: string;
  annotations: object[];
}

export type Right = 'checks' | 'pull-requests' | 'contents' | 'contents: read' | 'security-events';

export interface Hosted {
  repository: string;
  number: number;
  state: 'open' | 'closed';
  /** That it asks to be merged into. */
  branch: string;
  head: string;
  base: string;
  /** Commits of that base that the branch holds no more. */
  behind: number;
  files: HostedFile[];
  /** By `COMMIT:PATH`. */
  texts: Map<string, string>;
  comments: HostedComment[];
  threads: HostedThread[];
  checks: HostedCheck[];
  /** Gzip of SARIF, in Base64. */
  uploads: { commit_sha: string; ref: string; sarif: string }[];
  /** Permission by login. */
  people: Map<string, 'admin' | 'write' | 'read' | 'none'>;
  nextId: number;
}

export class Refused extends Error {
  readonly status: number;
  readonly errors: readonly string[];
  constructor(status: number, message: string, errors: readonly string[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

export const own = 'github-actions';

/** Beyond 32 bits, as those of today are. */
const firstId = 3_000_000_000;

export function emptyHost(parts: Partial<Hosted> = {}): Hosted {
  return {
    repository: 'octo/shop',
    number: 7,
    state: 'open',
    branch: 'main',
    head: 'a'.repeat(40),
    base: 'b'.repeat(40),
    behind: 0,
    files: [],
    texts: new Map(),
    comments: [],
    threads: [],
    checks: [],
    uploads: [],
    people: new Map([
      ['ada', 'write'],
      ['eve', 'read'],
    ]),
    nextId: firstId,
    ...parts,
  };
}

const longestBody = 65_536;

function checkBody(body: unknown): string {
  if (typeof body !== 'string' || body.trim() === '')
    throw new Refused(422, 'Validation Failed', ["body can't be blank"]);
  if (body.length > longestBody)
    throw new Refused(422, 'Validation Failed', [
      `body is too long (maximum is ${longestBody} characters)`,
    ]);
  return body;
}

const now = (host: Hosted): string =>
  new Date(Date.UTC(2026, 10, 25, 12) + (host.nextId - firstId) * 1_000)
    .toISOString()
    .replace('.000Z', 'Z');

export function addComment(host: Hosted, body: unknown, author = own): HostedComment {
  const comment = { id: host.nextId++, body: checkBody(body), author, createdAt: now(host) };
  host.comments.push(comment);
  return comment;
}

interface DraftComment {
  readonly path: string;
  readonly line: number;
  readonly side?: string;
  readonly start_line?: number;
  readonly body: string;
}

/** All comments of a review or none of them. */
export function addReview(
  host: Hosted,
  { commit_id: commit, comments }: { commit_id: string; comments: DraftComment[] },
): void {
  if (commit !== host.head)
    throw new Refused(422, 'Unprocessable Entity', ['Commit is not part of the pull request']);
  for (const { path, line, side = 'RIGHT', start_line: start = line, body } of comments) {
    checkBody(body);
    if (start > line)
      throw new Refused(422, 'Unprocessable Entity', [
        'Pull request review thread start line must precede the end line.',
      ]);
    if (!hunksOf(host, path, side).some(([from, to]) => from <= start && line <= to))
      throw new Refused(422, 'Unprocessable Entity', [
        "Pull request review thread line must be part of the diff and Pull request review thread diff hunk can't be blank",
      ]);
  }
  for (const { path, line, side = 'RIGHT', body } of comments) {
    const comment = { id: host.nextId++, body, author: own, createdAt: now(host) };
    host.threads.push({
      id: `PRRT_${comment.id}`,
      path,
      line,
      side,
      commit,
      isResolved: false,
      comments: [comment],
    });
  }
}

function hunksOf({ files }: Hosted, path: string, side: string): [number, number][] {
  const patch = files.find(file => file.filename === path)?.patch ?? '';
  return [...patch.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map(
    ([, oldStart, oldLines = '1', newStart, newLines = '1']) => {
      const [start, length] = side === 'RIGHT' ? [newStart, newLines] : [oldStart, oldLines];
      return [Number(start), Number(start) + Number(length) - 1];
    },
  );
}

/** A reply of a person below a thread. */
export function reply(
  host: Hosted,
  thread: HostedThread | undefined,
  author: string,
  body: string,
): void {
  if (thread === undefined) throw new Error('There is no such thread.');
  thread.comments.push({ id: host.nextId++, body, author, createdAt: now(host) });
}

interface CheckBody {
  readonly name: string;
  readonly head_sha: string;
  readonly external_id: string;
  readonly status: string;
  readonly conclusion: string;
  readonly output: {
    readonly title: string;
    readonly summary: string;
    readonly annotations: object[];
  };
}

const conclusions: ReadonlySet<string> = new Set([
  'success',
  'failure',
  'neutral',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
]);

export function addCheck(host: Hosted, body: CheckBody): HostedCheck {
  const check = { id: host.nextId++, ...fieldsOf(body), annotations: [...body.output.annotations] };
  host.checks.push(check);
  return check;
}

export function changeCheck(host: Hosted, id: number, body: CheckBody): HostedCheck {
  const check = host.checks.find(one => one.id === id);
  if (check === undefined) throw new Refused(404, 'Not Found');
  Object.assign(check, fieldsOf(body));
  check.annotations.push(...body.output.annotations);
  return check;
}

function fieldsOf({
  name,
  head_sha,
  external_id,
  status,
  conclusion,
  output,
}: CheckBody): Omit<HostedCheck, 'id' | 'annotations'> {
  const { title, summary, annotations } = output;
  if (annotations.length > 50)
    throw new Refused(
      422,
      'Invalid request.\n\nNo more than 50 items are allowed; 51 were supplied.',
    );
  if (!/^[0-9a-f]{40}$/.test(head_sha))
    throw new Refused(422, 'Invalid request.', ['head_sha is wrong']);
  if (!conclusions.has(conclusion))
    throw new Refused(422, 'Invalid request.', [`conclusion ${conclusion}`]);
  if (Buffer.byteLength(summary) > 65_535)
    throw new Refused(422, 'Validation Failed', ['summary exceeds a maximum bytesize of 65535']);
  for (const annotation of annotations as {
    path: string;
    start_line: number;
    end_line: number;
    title: string;
    message: string;
  }[]) {
    if (
      annotation.title.length > 255 ||
      annotation.message.length > 65_535 ||
      annotation.path === '' ||
      annotation.end_line < annotation.start_line
    )
      throw new Refused(422, 'Validation Failed', ['annotation is invalid']);
  }
  return { name, head_sha, external_id, status, conclusion, title, summary };
}

export function changeBody(
  comments: readonly HostedComment[],
  id: number,
  body: unknown,
): HostedComment {
  const comment = comments.find(one => one.id === id);
  if (comment === undefined) throw new Refused(404, 'Not Found');
  if (comment.author !== own) throw new Refused(403, 'Resource not accessible by integration');
  comment.body = checkBody(body);
  return comment;
}

/** A thread lives as long as one of its comments. */
export function removeInline(host: Hosted, id: number): void {
  const thread = host.threads.find(({ comments }) => comments.some(comment => comment.id === id));
  if (thread === undefined) throw new Refused(404, 'Not Found');
  thread.comments = thread.comments.filter(comment => comment.id !== id);
  if (thread.comments.length === 0) host.threads = host.threads.filter(one => one !== thread);
}

export function removeComment(host: Hosted, id: number): void {
  if (!host.comments.some(comment => comment.id === id)) throw new Refused(404, 'Not Found');
  host.comments = host.comments.filter(comment => comment.id !== id);
}
