/**
 * The `embedding` strategy: two findings are the same when the vectors of their texts point the same way. An endpoint is
 * asked once for each text; two files still keep two findings apart.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { z } from 'zod';
import { UserError, messageOf } from '../../core/errors.ts';
import {
  areDifferentFiles,
  fileOfFinding,
  type Pair,
  type SelectiveMatcher,
} from '../../agreement/index.ts';
import type { Comparison, JudgeSettings, PairAnswers } from '../../core/ports/matcher.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import type { EmbeddingConfig } from '../../core/words/config.ts';
import type { Finding } from '../../core/words/finding.ts';
import { sha256 } from '../../core/hash.ts';

interface EmbeddingSettings {
  endpoint: EmbeddingEndpoint;
  /** Cosine similarity from which two findings are the same. */
  cut: number;
  openCache: JudgeSettings['openAnswers'];
  /** Takes credentials out of texts before they leave the house. */
  mask: (texts: readonly string[]) => Promise<readonly string[]>;
}

/** UTF-16 units that are sent of each text: small models read no more. */
const longestText = 2_000;

type Vectors = ReadonlyMap<string, Float32Array>;

/** `prepare` throws `UserError` (kind `usage`) when the endpoint cannot answer. */
export function createEmbeddingMatcher(settings: EmbeddingSettings): SelectiveMatcher {
  const { cut } = settings;
  let vectors: Vectors = new Map();
  const vectorOf = (finding: Finding) => vectors.get(finding.text);
  return {
    name: 'embedding',
    version: '1',
    threshold: Math.round(100 * cut),
    async prepare(findings) {
      vectors = await readVectors(findings, settings);
    },
    compare(one, other): Comparison {
      const [left, right] = [vectorOf(one), vectorOf(other)];
      if (!left || !right)
        return { same: false, score: 0, reason: 'One of them has no embedding.' };
      const similarity = dot(left, right);
      const score = Math.round(100 * Math.max(0, Math.min(1, similarity)));
      if (areDifferentFiles(fileOfFinding(one), fileOfFinding(other)))
        return { same: false, score, reason: 'They name two different files.' };
      return {
        same: similarity >= cut,
        score,
        reason: `Their embeddings are ${score} % alike; ${Math.round(100 * cut)} are needed.`,
      };
    },
    pairs: findings => pairsAbove(findings.map(vectorOf), cut),
  };
}

/** Sums in the order of the dimensions, so that both directions give the same. */
function dot(one: Float32Array, other: Float32Array) {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1)
    sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

function* pairsAbove(vectors: readonly (Float32Array | undefined)[], cut: number): Generator<Pair> {
  for (const [other, right] of vectors.entries()) {
    if (!right) continue;
    for (let one = 0; one < other; one += 1) {
      const left = vectors[one];
      if (left && dot(left, right) >= cut) yield [one, other];
    }
  }
}

/** By the text of the finding. A text without words has none. */
async function readVectors(
  findings: readonly Finding[],
  { endpoint, openCache, mask }: EmbeddingSettings,
): Promise<Vectors> {
  const texts = [...new Set(findings.map(({ text }) => text))].filter(text =>
    /[\p{L}\p{N}]/u.test(text),
  );
  const sent = await mask(texts.map(text => text.slice(0, longestText)));
  const cache = await openCache();
  try {
    const known = await lookUpOrAsk([...new Set(sent)], endpoint, cache);
    const found = texts.map((text, index) => [text, known.get(sent[index] ?? '')] as const);
    return sameDimension(
      found.flatMap(([text, vector]) => (vector ? [[text, vector]] : [])),
      endpoint,
    );
  } finally {
    cache.close();
  }
}

async function lookUpOrAsk(
  texts: readonly string[],
  endpoint: EmbeddingEndpoint,
  cache: PairAnswers,
): Promise<Vectors> {
  const known = new Map<string, Float32Array>();
  for (const text of texts) {
    const vector = decode(cache.get(keyOf(text, endpoint)));
    if (vector) known.set(text, vector);
  }
  const failure = await embedTexts(
    texts.filter(text => !known.has(text)),
    endpoint,
    (batch, vectors) => {
      const answers = batch.map(
        (text, index) => [text, vectors[index] ?? new Float32Array()] as const,
      );
      for (const [text, vector] of answers) known.set(text, vector);
      cache.put(
        answers.map(([text, vector]) => [
          keyOf(text, endpoint),
          Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
        ]),
      );
    },
  );
  // An interrupted run is saved without them, and finished when it is resumed.
  if (failure !== null && !endpoint.signal.aborted)
    throw new UserError(`Strategy embedding cannot run: ${makeVisible(failure)}.`, {
      kind: 'usage',
      hint: 'No other strategy was put in its place; choose one with --strategy.',
    });
  return known;
}

function sameDimension(
  vectors: readonly (readonly [string, Float32Array])[],
  { baseUrl }: EmbeddingEndpoint,
): Vectors {
  const dimensions = new Set(vectors.map(([, { length }]) => length));
  if (dimensions.size > 1)
    throw new UserError(
      `Strategy embedding cannot run: ${baseUrl}: the embeddings have ${[...dimensions].join(' and ')} dimensions.`,
      {
        kind: 'usage',
        hint: 'Remove embeddings.sqlite from the state of the project if the model was changed under its name.',
      },
    );
  return new Map(vectors);
}

function keyOf(text: string, { baseUrl, model }: EmbeddingEndpoint) {
  return sha256(JSON.stringify(['embedding/1', baseUrl, model, text]));
}

/** Null for nothing, and for what is no vector. */
function decode(text: string | null): Float32Array | null {
  const bytes = text === null ? Buffer.alloc(0) : Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return null;
  // A copy, because the bytes of a small buffer need not start at a multiple of four.
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

// Asks an endpoint for the vectors of texts: OpenAI-compatible, or Ollama's own. Batches, a few of them at a time.

interface EmbeddingEndpoint extends Pick<EmbeddingConfig, 'baseUrl' | 'model'> {
  /** Null: none is sent. */
  apiKey: string | null;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
}

const batchSize = 64;
const batchesAtATime = 4;
const timeoutMs = 120_000;

/**
 * `onBatch` gets vectors of unit length in the order of its texts, as they come: what was paid for is kept when a later
 * batch fails. Resolves with what went wrong, in words; null when nothing did.
 */
async function embedTexts(
  texts: readonly string[],
  endpoint: EmbeddingEndpoint,
  onBatch: (texts: readonly string[], vectors: readonly Float32Array[]) => void,
) {
  const limit = pLimit(batchesAtATime);
  const failures: string[] = [];
  await Promise.all(
    batchesOf(texts).map(batch =>
      limit(async () => {
        if (failures.length > 0) return;
        const embedded = await embedBatch(batch, endpoint);
        if (typeof embedded === 'string') failures.push(embedded);
        else onBatch(batch, embedded);
      }),
    ),
  );
  return failures[0] ?? null;
}

function batchesOf(texts: readonly string[]) {
  return Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) =>
    texts.slice(index * batchSize, (index + 1) * batchSize),
  );
}

const AnsweredVectors = z.array(z.array(z.number()).min(1));
const OpenAiAnswer = z.object({
  data: z.array(
    z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) }),
  ),
});
const OllamaAnswer = z.object({ embeddings: AnsweredVectors });

/** A text says what went wrong. */
async function embedBatch(
  texts: readonly string[],
  { baseUrl, model, apiKey, fetch, signal }: EmbeddingEndpoint,
) {
  const base = baseUrl.replace(/\/+$/, '');
  const isOllama = base.endsWith('/api');
  const posted = await postJson({
    url: `${base}/${isOllama ? 'embed' : 'embeddings'}`,
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    body: isOllama ? { model, input: texts } : { model, input: texts, encoding_format: 'float' },
    signal,
    fetch,
  });
  if ('message' in posted)
    return apiKey === null ? posted.message : posted.message.replaceAll(apiKey, '⟦SECRET:key⟧');
  const lists = isOllama
    ? OllamaAnswer.safeParse(posted.json).data?.embeddings
    : inOrder(OpenAiAnswer.safeParse(posted.json).data?.data);
  if (!lists) return `${base}: the answer holds no embeddings`;
  if (lists.length !== texts.length)
    return `${base}: ${lists.length} embeddings came for ${texts.length} texts`;
  return lists.map(toUnitVector);
}

/** By their index where they have one: a server may answer in the order in which it finished. */
function inOrder(data: z.infer<typeof OpenAiAnswer>['data'] | undefined) {
  return data
    ?.map(({ index, embedding }, position) => ({ index: index ?? position, embedding }))
    .sort((one, other) => one.index - other.index)
    .map(({ embedding }) => embedding);
}

function toUnitVector(list: readonly number[]): Float32Array {
  const length = Math.sqrt(list.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(list, value =>
    length > 0 && Number.isFinite(length) ? value / length : 0,
  );
}

// Sends JSON and reads JSON back, bounded in time and size. What goes wrong is a sentence, never a rejection.

interface Posting {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
  fetch: typeof globalThis.fetch;
}

type Tried =
  | { json: unknown }
  | {
      message: string;
      canRetry: boolean;
      retryAfterMs: number | null;
    };

/** Waits before the second and the third attempt, unless the endpoint names one of its own. */
const waitsMs = [250, 1_000] as const;
const longestWaitMs = 10_000;
const bodyLimit = 64 * 1024 * 1024;

/** Tries again when the endpoint is overloaded or broke off; a refusal is final. */
async function postJson(posting: Posting): Promise<Tried> {
  for (const wait of waitsMs) {
    const tried = await postOnce(posting);
    if ('json' in tried || !tried.canRetry || posting.signal.aborted) return tried;
    await sleep(Math.min(tried.retryAfterMs ?? wait, longestWaitMs), undefined, {
      signal: posting.signal,
    }).catch(() => {});
  }
  return postOnce(posting);
}

async function postOnce({ url, headers, body, signal, fetch }: Posting): Promise<Tried> {
  const failed = (
    message: string,
    canRetry: boolean,
    retryAfterMs: number | null = null,
  ): Tried => ({ message: `${url}: ${message}`, canRetry, retryAfterMs });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // A redirect would carry the key to another host.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await readBody(response);
    if (text === null) return failed('the answer is too large', false);
    if (!response.ok)
      return failed(
        `it answered ${response.status} (${text.replace(/\s+/g, ' ').slice(0, 200)})`,
        response.status === 429 || response.status >= 500,
        retryAfterOf(response),
      );
    return { json: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return failed('the answer is no JSON', false);
    if (error instanceof Error && error.name === 'TimeoutError')
      return failed(`no answer within ${timeoutMs / 1_000} s`, false);
    const { code, message } = codeOf(error);
    return failed(
      code === null ? message : `it cannot be reached (${code})`,
      code === null || brokenOff.has(code),
    );
  }
}

/** Null beyond the limit: a body is untrusted. */
async function readBody(response: Response) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > bodyLimit) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function retryAfterOf(response: Response) {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

/** Codes of a connection that stood and broke; whoever refuses one will refuse the next. */
const brokenOff: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** `fetch failed` says nothing; its cause does. */
function codeOf(error: unknown) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { code?: unknown };
  return {
    code: typeof code === 'string' ? code : null,
    message: messageOf(cause),
  };
}
