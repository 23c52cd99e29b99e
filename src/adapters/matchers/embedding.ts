/**
 * The `embedding` strategy: two findings are the same when the vectors of their texts point the same way. An endpoint is
 * asked once for each text; what tells two findings apart for certain still does.
 */
import { createHash } from 'node:crypto';
import type { Pair, SelectiveMatcher } from '../../core/matching/matching.ts';
import { UserError } from '../../core/errors.ts';
import type { Finding } from '../../core/words/finding.ts';
import type { Comparison } from '../../core/ports.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { type AnswerCache, createGuard, type OpenAnswerCache } from './guarded.ts';
import { embedTexts, type EmbeddingEndpoint } from './embedding-endpoint.ts';

export interface EmbeddingSettings {
  readonly endpoint: EmbeddingEndpoint;
  /** Cosine similarity from which two findings are the same. */
  readonly cut: number;
  readonly openCache: OpenAnswerCache;
  /** Takes credentials out of texts before they leave the house. */
  readonly mask: (texts: readonly string[]) => Promise<readonly string[]>;
}

/** UTF-16 units that are sent of each text: small models read no more. */
const longestText = 2_000;

type Vectors = ReadonlyMap<string, Float32Array>;

/** `prepare` throws `UserError` (kind `usage`) when the endpoint cannot answer. */
export function createEmbeddingMatcher(settings: EmbeddingSettings): SelectiveMatcher {
  const { cut } = settings;
  const guard = createGuard();
  let vectors: Vectors = new Map();
  const vectorOf = (finding: Finding): Float32Array | undefined => vectors.get(finding.text);
  return {
    name: 'embedding',
    version: '1',
    threshold: Math.round(100 * cut),
    async prepare(findings) {
      vectors = await readVectors(findings, settings);
    },
    compare(one, other): Comparison {
      const [left, right] = [vectorOf(one), vectorOf(other)];
      if (left === undefined || right === undefined)
        return { same: false, score: 0, reason: 'One of them has no embedding.' };
      const similarity = dot(left, right);
      const score = Math.round(100 * Math.max(0, Math.min(1, similarity)));
      return (
        guard(one, other, score) ?? {
          same: similarity >= cut,
          score,
          reason: `Their embeddings are ${score} % alike; ${Math.round(100 * cut)} are needed.`,
        }
      );
    },
    pairs: findings => pairsAbove(findings.map(vectorOf), cut),
  };
}

/** Sums in the order of the dimensions, so that both directions give the same. */
function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1)
    sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

function* pairsAbove(vectors: readonly (Float32Array | undefined)[], cut: number): Generator<Pair> {
  for (const [other, right] of vectors.entries()) {
    if (right === undefined) continue;
    for (let one = 0; one < other; one += 1) {
      const left = vectors[one];
      if (left !== undefined && dot(left, right) >= cut) yield [one, other];
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
      found.flatMap(([text, vector]) => (vector === undefined ? [] : [[text, vector]])),
      endpoint,
    );
  } finally {
    cache.close();
  }
}

async function lookUpOrAsk(
  texts: readonly string[],
  endpoint: EmbeddingEndpoint,
  cache: AnswerCache,
): Promise<Vectors> {
  const known = new Map<string, Float32Array>();
  for (const text of texts) {
    const vector = decode(cache.get(keyOf(text, endpoint)));
    if (vector !== null) known.set(text, vector);
  }
  const embedded = await embedTexts(
    texts.filter(text => !known.has(text)),
    endpoint,
    (batch, vectors) => {
      const answers = batch.map(
        (text, index) => [text, vectors[index] ?? new Float32Array()] as const,
      );
      for (const [text, vector] of answers) known.set(text, vector);
      cache.put(answers.map(([text, vector]) => [keyOf(text, endpoint), encode(vector)]));
    },
  );
  // An interrupted run is saved without them, and finished when it is resumed.
  if (embedded.failure !== null && !endpoint.signal.aborted)
    throw new UserError(`Strategy embedding cannot run: ${makeVisible(embedded.failure)}.`, {
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

function keyOf(text: string, { baseUrl, model }: EmbeddingEndpoint): string {
  return createHash('sha256')
    .update(JSON.stringify(['embedding/1', baseUrl, model, text]))
    .digest('hex');
}

function encode(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

/** Null for nothing, and for what is no vector. */
function decode(text: string | null): Float32Array | null {
  const bytes = text === null ? Buffer.alloc(0) : Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return null;
  // A copy, because the bytes of a small buffer need not start at a multiple of four.
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
