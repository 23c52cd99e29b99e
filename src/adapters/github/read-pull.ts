/** Asks the API of GitHub for one pull request. What it answers is read by a schema; what it refuses is said in one sentence. */
import { UserError } from '../../core/errors.ts';
import {
  factsOfPull,
  type PullFacts,
  titleOfPull,
  ToldPull,
} from '../../core/words/pull-request.ts';
import { parseJson } from '../../core/json.ts';

interface PullQuestion {
  /** Address of the API, without a slash at the end. */
  readonly api: string;
  /** `owner/name` */
  readonly repository: string;
  readonly number: number;
  /** Null: as somebody whom nobody knows, who sees what is public. */
  readonly token: string | null;
  readonly signal?: AbortSignal | undefined;
}

const patienceMs = 30_000;
const mostBytes = 8 * 1024 * 1024;

/** Throws `UserError` for whatever is no answer. The token stands in none of its sentences. */
export async function readPull(question: PullQuestion): Promise<PullFacts> {
  const { api, repository, number, token, signal } = question;
  const late = AbortSignal.timeout(patienceMs);
  const answer = await fetch(`${api}/repos/${repository}/pulls/${number}`, {
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'jury',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    // A token goes where it was meant to go and nowhere else.
    redirect: 'manual',
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw unreachable(question, late.aborted, cause);
  });
  if (answer.status !== 200) throw explainRefusal(answer, question);
  const told = ToldPull.safeParse(parseJson(await readText(answer, question)));
  if (told.success && told.data.number === number) return factsOfPull(told.data);
  throw new UserError(
    `${hostOf(question)} answered with something that is not ${titleOfPull(question)}.`,
    {
      kind: 'input',
      hint: 'Does GITHUB_API_URL name the API of GitHub?',
    },
  );
}

async function readText(answer: Response, question: PullQuestion): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of answer.body ?? []) {
      size += piece.length;
      if (size > mostBytes) break;
      pieces.push(piece);
    }
  } catch (cause) {
    question.signal?.throwIfAborted();
    throw unreachable(question, false, cause);
  }
  return size > mostBytes ? '' : Buffer.concat(pieces).toString('utf8');
}

function unreachable(question: PullQuestion, isLate: boolean, cause: unknown): UserError {
  const why = isLate ? `did not answer within ${patienceMs / 1000} seconds` : 'cannot be reached';
  return new UserError(
    `${hostOf(question)} ${why}, so that ${titleOfPull(question)} is not known.`,
    {
      kind: 'input',
      hint: 'Try again later.',
      cause,
    },
  );
}

function explainRefusal({ status, headers }: Response, question: PullQuestion): UserError {
  const title = titleOfPull(question);
  const host = hostOf(question);
  const limit = limitOf(headers, status);
  const [message, hint] =
    status === 401
      ? [
          `${host} does not accept the token.`,
          'Set GITHUB_TOKEN (or GH_TOKEN) to one that is valid.',
        ]
      : limit !== null
        ? [`${host} answers no more requests for now, so that ${title} is not known.`, limit]
        : status === 403
          ? [
              `${host} does not let ${title} be read.`,
              'The token needs the right to read pull requests.',
            ]
          : status === 404
            ? [`There is no ${title}, or it may not be seen.`, seenBy(question)]
            : status >= 300 && status < 400
              ? [
                  `${question.repository} has moved.`,
                  'Set the address of the remote origin, or GITHUB_REPOSITORY, to its new name.',
                ]
              : [`${host} answered ${status}, so that ${title} is not known.`, 'Try again later.'];
  return new UserError(message, { kind: 'input', hint });
}

function seenBy({ token }: PullQuestion): string {
  return token === null
    ? 'Is it private? Then set GITHUB_TOKEN (or GH_TOKEN).'
    : 'Look at the number, and at what the token may read.';
}

/** When to come back; null where it is not for too many requests. */
function limitOf(headers: Headers, status: number): string | null {
  if (status !== 403 && status !== 429) return null;
  const wait = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(wait) && wait >= 0) return `Try again in ${Math.ceil(wait)} seconds.`;
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  const isSpent = headers.get('x-ratelimit-remaining') === '0' || status === 429;
  if (!isSpent) return null;
  return reset > 0 && reset < 32_503_680_000
    ? `Try again after ${new Date(reset * 1000).toISOString().slice(11, 16)} UTC, ` +
        'or set GITHUB_TOKEN: more is answered to those who are known.'
    : 'Try again later, or set GITHUB_TOKEN: more is answered to those who are known.';
}

function hostOf({ api }: PullQuestion): string {
  return new URL(api).host;
}
