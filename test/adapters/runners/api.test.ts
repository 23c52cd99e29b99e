import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createApiRunner } from '../../../src/adapters/runners/api.ts';
import type { Answer, Turn } from '../../../src/core/ports/runner.ts';
import type { Seat } from '../../../src/core/words/config.ts';
import type { Cause } from '../../../src/core/words/review.ts';
import {
  type Behaviour,
  type ModelServer,
  type Script,
  scriptedText,
  startModelServer,
} from '../../model-server.ts';
import { neverAborted, seatOf, turnOf } from './turns.ts';
import { listen } from '../../listening.ts';

const keys = {
  ANTHROPIC_API_KEY: 'fake-a',
  OPENAI_API_KEY: 'fake-o',
  GEMINI_API_KEY: 'fake-g',
  LOCAL_KEY: 'fake-l',
};
const providers = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
type Provider = (typeof providers)[number];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

function runnerWith(environment: Record<string, string> = keys) {
  return createApiRunner({ environment, temporaryFolder: '/tmp' });
}

function seatFor(provider: Provider): Partial<Seat> {
  return { runner: 'api', model: `${provider}/test-model`, baseUrl: `${server.url}/v1` };
}

async function ask(
  provider: Provider,
  script: Partial<Script>,
  changes: Partial<Turn> = {},
  seat: Partial<Seat> = {},
): Promise<Answer> {
  server.set({
    plan: ['ok'],
    text: scriptedText,
    usage: { input: 1234, output: 21, cached: 100 },
    retryAfterSeconds: 1,
    ...script,
  });
  return runnerWith().ask(turnOf({ ...seatFor(provider), ...seat }, changes), neverAborted());
}

async function endpoint(handler: Parameters<typeof createServer>[1]) {
  const web = createServer(handler);
  const port = await listen(web);
  onTestFinished(() => {
    web.closeAllConnections();
    web.close();
  });
  return `http://127.0.0.1:${port}/v1`;
}

function askAt(baseUrl: string, changes: Partial<Turn> = {}) {
  return runnerWith().ask(
    turnOf({ runner: 'api', model: 'openai-compatible/m', baseUrl }, changes),
    neverAborted(),
  );
}

/** A fetch that never answers and ignores its signal. */
const reviewSchema = {
  type: 'object',
  properties: { prose: { type: 'string', description: 'PROSE-MARK' }, findings: { type: 'array' } },
};

describe.each(providers)('a model of %s', provider => {
  it('is given the schema of a turn, and what it fills in is the answer', async () => {
    const filled = { prose: 'None', findings: [] };
    const answer = await ask(
      provider,
      provider === 'anthropic'
        ? { plan: ['tool'], tool: { name: 'json', input: filled } }
        : { text: JSON.stringify(filled) },
      { schema: reviewSchema },
    );
    expect(answer).toMatchObject({ status: 'answered', stop: 'end' });
    expect(answer.status === 'answered' && JSON.parse(answer.text)).toEqual(filled);
    expect(server.modelCalls().map(({ text }) => text)).toEqual([
      expect.stringContaining('PROSE-MARK'),
    ]);
  });

  it('answers, with its usage and its name', async () => {
    const answer = await ask(provider, {});
    // Anthropic counts cached input apart; Jury counts it in.
    const inputTokens = provider === 'anthropic' ? 1334 : 1234;
    expect(answer).toMatchObject({
      status: 'answered',
      text: scriptedText,
      stop: 'end',
      model: 'test-model',
      transcript: scriptedText,
      usage: {
        calls: 1,
        inputTokens,
        outputTokens: 21,
        cachedTokens: 100,
        cost: null,
        estimated: false,
      },
    });
  });

  it('is asked once, with the instructions apart, the prompt whole, no tools and its own key', async () => {
    await ask(
      provider,
      {},
      { instructions: 'INSTRUCTIONS-MARK', prompt: 'PROMPT-MARK' },
      provider === 'openai-compatible' ? { apiKeyEnv: 'LOCAL_KEY' } : {},
    );
    const [call, ...more] = server.requests;
    expect(more).toEqual([]);
    const key = {
      anthropic: ['x-api-key', 'fake-a'],
      openai: ['authorization', 'Bearer fake-o'],
      google: ['x-goog-api-key', 'fake-g'],
      'openai-compatible': ['authorization', 'Bearer fake-l'],
    }[provider];
    expect(call?.headers[key[0] ?? '']).toBe(key[1]);
    expect(call?.text.match(/INSTRUCTIONS-MARK/g)).toHaveLength(1);
    expect(call?.text.match(/PROMPT-MARK/g)).toHaveLength(1);
    expect(call?.body).not.toHaveProperty('tools');
  });

  it('whose answer is cut by its limit says so', async () =>
    expect(await ask(provider, { plan: ['maxtok'] })).toMatchObject({
      status: 'answered',
      text: scriptedText,
      stop: 'cut',
    }));

  const failures: [Behaviour, Cause, number | null][] = [
    ['empty', 'empty', null],
    ['tool', 'empty', null],
    ['refusal', 'refusal', null],
    ['401', 'auth', 401],
    ['403', 'auth', 403],
    ['404', 'provider', 404],
    ['429', 'rate-limited', 429],
    ['quota', 'quota', 429],
    ['500', 'provider', 500],
    ['503', 'provider', 503],
    ['529', 'rate-limited', 529],
    ['ctx', 'context', 400],
    ['drop', 'unreachable', null],
    ['truncate', 'truncated', null],
    ['garbage', 'provider', null],
    ['hang', 'first-output', null],
    ['hangmid', 'idle', null],
  ];
  it.each(failures)('that meets "%s" fails as %s', async (behaviour, cause, httpStatus) => {
    const answer = await ask(
      provider,
      { plan: [behaviour] },
      {
        // Only what is waited for is short, and long enough for the request to leave a busy machine.
        deadlines: {
          firstOutputMs: behaviour === 'hang' ? 2_000 : 60_000,
          idleMs: behaviour === 'hangmid' ? 400 : 60_000,
          totalMs: 60_000,
        },
      },
    );
    expect(answer).toMatchObject({
      status: 'failed',
      failure: { cause, httpStatus, exitCode: null },
      usage: { calls: 1 },
    });
    expect(answer).not.toHaveProperty('isLasting');
    expect(server.modelCalls()).toHaveLength(1);
  });

  it('that sends an error in its stream fails by what the error says', async () => {
    const cause = provider === 'anthropic' ? 'rate-limited' : 'provider';
    expect(await ask(provider, { plan: ['ssefail'] })).toMatchObject({
      status: 'failed',
      failure: { cause },
    });
  });

  it('that asks to wait is waited for as long as it says', async () => {
    expect(await ask(provider, { plan: ['429'], retryAfterSeconds: 7 })).toMatchObject({
      retryAfterMs: 7_000,
    });
    expect(await ask(provider, { plan: ['quota'] })).toMatchObject({ retryAfterMs: null });
  });

  it('that got a small part of the prompt is found out by its own count', async () => {
    const prompt = Array.from({ length: 4_000 }, (_, index) => `line ${index}`).join('\n');
    expect(await ask(provider, {}, { prompt })).toMatchObject({
      status: 'failed',
      failure: { cause: 'input-truncated' },
    });
    expect(
      await ask(provider, { usage: { input: 20_000, output: 21, cached: 0 } }, { prompt }),
    ).toMatchObject({ status: 'answered' });
  });

  it('is left when the run is interrupted', async () => {
    server.set({ plan: ['hangmid'], text: scriptedText });
    const controller = new AbortController();
    const onProgress = () => setTimeout(() => controller.abort(), 50) && undefined;
    const answer = await runnerWith().ask(turnOf(seatFor(provider)), controller.signal, onProgress);
    expect(answer).toMatchObject({
      status: 'failed',
      failure: { cause: 'cancelled' },
      transcript: scriptedText.slice(0, 16),
    });
  });
});

describe('a call that needs no request', () => {
  it('has no key', async () => {
    server.set({});
    for (const provider of ['anthropic', 'openai', 'google'] as const) {
      expect(await runnerWith({}).ask(turnOf(seatFor(provider)), neverAborted())).toMatchObject({
        status: 'failed',
        failure: { cause: 'auth' },
        usage: { calls: 0 },
      });
    }
    expect(
      await runnerWith({}).ask(
        turnOf({ ...seatFor('openai-compatible'), apiKeyEnv: 'NOT_SET' }),
        neverAborted(),
      ),
    ).toMatchObject({ failure: { cause: 'auth', message: 'No key in NOT_SET.' } });
    expect(server.requests).toEqual([]);
  });

  it('names no model or no endpoint', async () => {
    for (const model of ['gpt', 'nobody/gpt', 'openai/', 'constructor/x', 'openai-compatible/x']) {
      expect(
        await runnerWith().ask(turnOf({ runner: 'api', model }), neverAborted()),
      ).toMatchObject({ status: 'failed', failure: { cause: 'not-found' } });
    }
  });
});

describe('an endpoint', () => {
  it('may need no key', async () => {
    const answer = await ask('openai-compatible', {});
    expect(answer.status).toBe('answered');
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('that nobody listens at, or that has no name, is unreachable and stays so', async () => {
    expect(await askAt('http://127.0.0.1:1/v1')).toMatchObject({
      failure: { cause: 'unreachable', httpStatus: null },
      isLasting: true,
    });
    expect(await askAt('http://no-such-host.invalid/v1')).toMatchObject({
      failure: { cause: 'unreachable' },
      isLasting: true,
    });
  });

  it('that sends the key elsewhere is not followed', async () => {
    const asked: unknown[] = [];
    const thief = await endpoint(
      (request, response) => void asked.push(request.url, response.end()),
    );
    const from = await endpoint(
      (_request, response) =>
        void response.writeHead(307, { location: `${thief}/chat/completions` }).end(),
    );
    expect(await askAt(from)).toMatchObject({
      status: 'failed',
      failure: { cause: 'provider', httpStatus: 307 },
    });
    expect(asked).toEqual([]);
  });

  it('that answers 200 without the protocol is a failed provider', async () => {
    for (const [type, body] of [
      ['text/plain', 'hello'],
      ['application/json', '{"ok":true}'],
      ['text/event-stream', 'data: {"nonsense":1}\n\n'],
      ['text/event-stream', 'data: {\n\n'],
      ['text/event-stream', ''],
    ] as const) {
      const url = await endpoint(
        (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body),
      );
      expect(await askAt(url)).toMatchObject({ status: 'failed', failure: { cause: 'provider' } });
    }
  });

  it.each([
    [[null], { status: 'failed', failure: { cause: 'truncated' } }],
    [['error'], { status: 'failed', failure: { cause: 'provider' } }],
    [['max_tokens'], { status: 'answered', stop: 'cut' }],
    [['length', 'stop'], { status: 'answered', stop: 'cut' }],
    [['sensitive', 'stop'], { status: 'failed', failure: { cause: 'refusal' } }],
    [['network_error', 'stop'], { status: 'failed', failure: { cause: 'provider' } }],
    [['eos'], { status: 'answered', stop: 'unknown' }],
  ])('that ends its stream with the reasons %j is not whole', async (reasons, ended) => {
    const chunks = reasons.map(
      (finish_reason, at) =>
        `data: ${JSON.stringify({
          id: 'x',
          created: 1,
          model: 'm',
          choices: [
            { index: 0, delta: { content: 'CRITICAL|half'.slice(13 * at) }, finish_reason },
          ],
        })}\n\n`,
    );
    const url = await endpoint(
      (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`${chunks.join('')}data: [DONE]\n\n`),
    );
    expect(await askAt(url)).toMatchObject({
      ...ended,
      transcript: 'CRITICAL|half',
      usage: { estimated: true },
    });
  });

  it('that quotes the key does not bring it into the records', async () => {
    const url = await endpoint(
      (request, response) =>
        void response.writeHead(401, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            error: { message: `Bad key: ${request.headers.authorization ?? ''}` },
          }),
        ),
    );
    const turn = turnOf({
      runner: 'api',
      model: 'openai-compatible/m',
      baseUrl: url,
      apiKeyEnv: 'LOCAL_KEY',
    });
    expect(await runnerWith().ask(turn, neverAborted())).toMatchObject({
      failure: { cause: 'auth', message: 'Bad key: Bearer ⟦SECRET:key⟧' },
    });
  });

  it('that never stops talking is a flood', async () => {
    const chunk = `data: ${JSON.stringify({ id: 'x', created: 1, model: 'm', choices: [{ index: 0, delta: { content: 'x'.repeat(60_000) }, finish_reason: null }] })}\n\n`;
    const url = await endpoint((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    });
    const answer = await askAt(url);
    expect(answer).toMatchObject({ status: 'failed', failure: { cause: 'flood' } });
    expect(answer.transcript.length).toBeLessThanOrEqual(4_194_304);
  });

  it('that drips is ended by the total deadline', async () => {
    const url = await endpoint((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(': waiting\n\n'), 50);
      response.on('close', () => clearInterval(timer));
    });
    expect(
      await askAt(url, { deadlines: { firstOutputMs: 20_000, idleMs: 2_000, totalMs: 4_000 } }),
    ).toMatchObject({ failure: { cause: 'deadline' } });
  });

  it('whose connection ignores the signal does not keep the call', async () => {
    const runner = createApiRunner({
      environment: keys,
      temporaryFolder: '/tmp',
      fetch: () => new Promise<Response>(() => {}),
    });
    expect(await runner.ask(turnOf(seatFor('openai')), AbortSignal.timeout(100))).toMatchObject({
      failure: { cause: 'cancelled' },
    });
  });
});

describe('what a call costs', () => {
  it('is reckoned by the price of the seat, cached input at its own', async () => {
    const answer = await ask(
      'openai',
      { usage: { input: 1_000_000, output: 100_000, cached: 400_000 } },
      {},
      { price: { input: 3, output: 15, cached: 0.3 } },
    );
    expect(answer.usage.cost).toBeCloseTo(0.6 * 3 + 0.4 * 0.3 + 0.1 * 15, 9);
  });

  it.each([
    ['less than nothing', { input: -500_000, output: 21, cached: 0 }],
    ['less than nothing in an answer', { input: 1234, output: -900_000, cached: 0 }],
    ['no token for a question', { input: 0, output: 21, cached: 0 }],
    ['no token for an answer', { input: 1234, output: 0, cached: 0 }],
  ])('is estimated where %s was counted', async (_what, usage) => {
    const answer = await ask(
      'openai-compatible',
      { usage },
      {},
      { price: { input: 3, output: 15 } },
    );
    expect(answer.status).toBe('answered');
    expect(answer.usage).toMatchObject({ calls: 1, estimated: true });
    expect(answer.usage.inputTokens).toBeGreaterThan(0);
    expect(answer.usage.outputTokens).toBeGreaterThan(0);
    expect(answer.usage.cost).toBeGreaterThan(0);
  });

  it.each([-900_000, 900_000])(
    'is bounded by what was sent, where %i of it were cached',
    async cached => {
      const answer = await ask(
        'openai-compatible',
        { usage: { input: 1000, output: 0.5, cached } },
        {},
        { price: { input: 3, output: 0, cached: 0.3 } },
      );
      expect(answer.usage.cachedTokens).toBe(cached < 0 ? 0 : 1000);
      expect(answer.usage.outputTokens).toBe(1);
      expect(answer.usage.cost).toBeCloseTo((cached < 0 ? 3 : 0.3) / 1000, 9);
    },
  );
});

describe('the fingerprint of a model', () => {
  it('is that of model and endpoint, and knows nothing of keys', async () => {
    const of = (seat: Partial<Seat>, environment = keys) =>
      runnerWith(environment).fingerprint(seatOf({ runner: 'api', ...seat }));
    const first = await of({ model: 'openai/a' });
    expect(await of({ model: 'openai/a' }, { ...keys, OPENAI_API_KEY: 'another' })).toBe(first);
    expect(await of({ model: 'openai/b' })).not.toBe(first);
    expect(await of({ model: 'openai/a', baseUrl: 'http://127.0.0.1/v1' })).not.toBe(first);
    expect(await of({ model: 'nobody/a' })).toBeNull();
  });
});
