/** Asks an endpoint for the vectors of texts: OpenAI-compatible, or Ollama's own. Batches, a few of them at a time. */
import pLimit from 'p-limit';
import { z } from 'zod';
import type { EmbeddingConfig } from '../../core/config.ts';
import { postJson } from './post-json.ts';

export interface EmbeddingEndpoint extends Pick<EmbeddingConfig, 'baseUrl' | 'model'> {
  /** Null: none is sent. */
  readonly apiKey: string | null;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

type Batch = { readonly vectors: readonly Float32Array[] } | { readonly failure: string };

const batchSize = 64;
const batchesAtATime = 4;
const timeoutMs = 120_000;

/**
 * `onBatch` gets vectors of unit length in the order of its texts, as they come: what was paid for is kept when a later
 * batch fails. `failure` says in words what went wrong; null when nothing did.
 */
export async function embedTexts(texts: readonly string[], endpoint: EmbeddingEndpoint, onBatch: (texts: readonly string[], vectors: readonly Float32Array[]) => void): Promise<{ readonly failure: string | null }> {
  const limit = pLimit(batchesAtATime);
  const failures: string[] = [];
  await Promise.all(batchesOf(texts).map(batch => limit(async () => {
    if (failures.length > 0) return;
    const embedded = await embedBatch(batch, endpoint);
    if ('failure' in embedded) failures.push(embedded.failure);
    else onBatch(batch, embedded.vectors);
  })));
  return { failure: failures[0] ?? null };
}

function batchesOf(texts: readonly string[]): (readonly string[])[] {
  return Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) => texts.slice(index * batchSize, (index + 1) * batchSize));
}

const Vectors = z.array(z.array(z.number()).min(1));
const OpenAiAnswer = z.object({ data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) })) });
const OllamaAnswer = z.object({ embeddings: Vectors });

async function embedBatch(texts: readonly string[], { baseUrl, model, apiKey, fetch, signal }: EmbeddingEndpoint): Promise<Batch> {
  const base = baseUrl.replace(/\/+$/, '');
  const isOllama = base.endsWith('/api');
  const posted = await postJson({
    url: `${base}/${isOllama ? 'embed' : 'embeddings'}`,
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    body: isOllama ? { model, input: texts } : { model, input: texts, encoding_format: 'float' },
    timeoutMs, signal, fetch,
  });
  if (posted.status === 'failed') return { failure: apiKey === null ? posted.message : posted.message.replaceAll(apiKey, '⟦SECRET:key⟧') };
  const lists = isOllama ? OllamaAnswer.safeParse(posted.json).data?.embeddings : inOrder(OpenAiAnswer.safeParse(posted.json).data?.data);
  if (lists === undefined) return { failure: `${base}: the answer holds no embeddings` };
  if (lists.length !== texts.length) return { failure: `${base}: ${lists.length} embeddings came for ${texts.length} texts` };
  return { vectors: lists.map(toUnitVector) };
}

/** By their index where they have one: a server may answer in the order in which it finished. */
function inOrder(data: z.infer<typeof OpenAiAnswer>['data'] | undefined): (readonly number[])[] | undefined {
  return data?.map(({ index, embedding }, position) => ({ index: index ?? position, embedding })).sort((one, other) => one.index - other.index).map(({ embedding }) => embedding);
}

function toUnitVector(list: readonly number[]): Float32Array {
  const length = Math.sqrt(list.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(list, value => (length > 0 && Number.isFinite(length) ? value / length : 0));
}
