/** A model server on the loopback address that answers for members of a vote, and counts how many calls it holds at every moment. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { atFileEnd } from '../file-end.ts';
import { listen } from '../listening.ts';

export interface MemberServer {
  /** Ends in /v1. */
  readonly url: string;
  /** Most calls it held at one moment. */
  mostAtOnce(): number;
  /** What each call that was answered asked: member and motions. */
  readonly answered: readonly string[];
  /** Every request, answered or not, in the order in which they came. */
  readonly requests: readonly MemberRequest[];
  calls(): number;
  /** Tokens of all answers, as they say themselves. */
  tokens(): { readonly input: number; readonly output: number };
  /** From now on. */
  set(script: MemberServerScript): void;
  close(): Promise<void>;
}

export interface MemberRequest {
  /** Its name; `facilitator` for who has none. */
  readonly member: string;
  readonly prompt: string;
  readonly model: string;
  /** Most tokens of the answer; undefined: no limit was sent. */
  readonly maxTokens: number | undefined;
}

export interface MemberServerScript {
  readonly delayMs?: number;
  /** `hang` never answers; `limit` refuses every other call with a rate limit. */
  readonly behaviour?: 'answer' | 'hang' | 'limit';
  /** What it answers when it is asked to compare texts. */
  readonly comparison?: string;
  /** What is said instead of the usual; null: the usual. */
  readonly say?: (asked: MemberRequest) => string | null;
  /** Instead of the opinions below. */
  readonly answer?: (asked: MemberRequest) => string;
  /** Members whose calls fail with a fault of the server. */
  readonly failing?: readonly string[];
  /** Tokens that an answer says it holds; default: 50. */
  readonly outputTokens?: number;
}

/** It ends with the file of tests, or before. */
export async function startMemberServer(first: MemberServerScript = {}): Promise<MemberServer> {
  let script = first;
  const answered: string[] = [];
  const tokens = { input: 0, output: 0 };
  const requests: MemberRequest[] = [];
  let [active, most, calls] = [0, 0, 0];
  const server = createServer((request, response) => {
    most = Math.max(most, (active += 1));
    calls += 1;
    // Before the last byte leaves: the client may call again as soon as it has it.
    const leave = once(() => (active -= 1));
    response.on('close', leave);
    const { behaviour, delayMs = 10, failing = [], outputTokens = 50 } = script;
    const isRefused = behaviour === 'limit' && calls % 2 === 1;
    const handle = async (): Promise<void> => {
      const asked = await readBody(request);
      requests.push(asked);
      if (behaviour === 'hang') return;
      await setTimeout(delayMs);
      leave();
      if (isRefused) return refuse(response);
      if (failing.includes(asked.member)) return fail(response);
      answered.push(describe(asked));
      const usage = { input: Math.ceil(asked.prompt.length / 3), output: outputTokens };
      tokens.input += usage.input;
      tokens.output += usage.output;
      const { comparison = '[]', answer = answerTo, say } = script;
      const usual = asked.prompt.startsWith('# Text 0') ? comparison : answer(asked);
      sendAnswer(response, { model: asked.model, text: say?.(asked) ?? usual, ...usage });
    };
    // A request that its client gave up needs no answer.
    handle().catch(() => {});
  });
  const port = await listen(server);
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise(resolve => server.close(() => resolve()));
  };
  atFileEnd(close);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    mostAtOnce: () => most,
    answered,
    requests,
    calls: () => calls,
    tokens: () => ({ ...tokens }),
    set(next) {
      script = next;
    },
    close,
  };
}

async function readBody(request: IncomingMessage): Promise<MemberRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { messages, model, max_tokens } = JSON.parse(Buffer.concat(chunks).toString()) as {
    model: string;
    max_tokens?: number;
    messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  const textOf = (role: string): string =>
    JSON.stringify(messages.filter(message => message.role === role).map(({ content }) => content));
  return {
    model,
    maxTokens: max_tokens,
    // Where all members are told the same, who is asked stands behind the motions.
    member:
      /(?:^|\\n|")You are ([\w-]+)/.exec(textOf('system') + textOf('user'))?.[1] ?? 'facilitator',
    prompt: messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n'),
  };
}

/** Motions whose id ends in 9 are contested; on the others every member has an opinion of its own. */
function answerTo({ member, prompt }: MemberRequest): string {
  if (member === 'facilitator')
    return JSON.stringify({
      recommendation: 'amend',
      recommendation_rationale: 'Both have a point.',
      votes: {},
      revised_motion_text: 'The members shall act with care.',
      dissenting_opinions: [],
    });
  const ids = [...prompt.matchAll(/motion_id: "(m-\d+)"/g)].map(([, id]) => id ?? '');
  if (ids.length === 0)
    return `${member} weighed it.\nVOTE: ${pick(member, ['pass', 'fail', 'amend'])}`;
  return JSON.stringify(
    ids.map(id => ({
      motion_id: id,
      stance: id.endsWith('9')
        ? pick(member + id, ['endorse', 'oppose'])
        : pick(member + id, ['endorse', 'endorse', 'endorse', 'endorse', 'amend', 'abstain']),
      reasoning: `${member} on ${id}.`,
      confidence: 0.8,
      opposition_concerns: ['It is too broad to be carried out within the year.'],
      amendment_text: 'With care.',
      amendment_type: 'add_clause',
      amendment_rationale: 'Safer.',
    })),
  );
}

function pick<Choice>(name: string, choices: readonly Choice[]): Choice {
  const index =
    Number.parseInt(createHash('sha256').update(name).digest('hex').slice(0, 6), 16) %
    choices.length;
  return choices[index] as Choice;
}

function describe({ member, prompt }: MemberRequest): string {
  return `${member} ${[...prompt.matchAll(/motion_id: "(m-\d+)"/g)].map(([, id]) => id).join(',')}`;
}

function refuse(response: ServerResponse): void {
  response
    .writeHead(429, { 'content-type': 'application/json', 'retry-after-ms': '20' })
    .end('{"error":{"message":"slow down","type":"rate_limit"}}');
}

function fail(response: ServerResponse): void {
  response
    .writeHead(500, { 'content-type': 'application/json' })
    .end('{"error":{"message":"out of order","type":"server_error"}}');
}

function chunk(model: string, choice: object, more: object = {}): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, ...choice }], ...more })}\n\n`;
}

interface Said {
  readonly model: string;
  readonly text: string;
  readonly input: number;
  readonly output: number;
}

function sendAnswer(response: ServerResponse, { model, text, input, output }: Said): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(
    chunk(model, { delta: { role: 'assistant', content: text }, finish_reason: null }),
  );
  response.end(
    `${chunk(model, { delta: {}, finish_reason: 'stop' }, { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } })}data: [DONE]\n\n`,
  );
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
