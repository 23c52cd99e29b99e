/**
 * An embedding endpoint on the loopback address that speaks like OpenAI and like Ollama. Its vectors count letters and
 * words, so that texts which share words point the same way.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { listen } from './listening.ts';

/** What a request may meet. Misspelt ones do not compile. */
export type EmbeddingBehaviour =
  'ok' | 'backwards' | 'short' | 'dimension' | 'page' | 'drop' | 401 | 429 | 500;

export interface EmbeddingServer {
  readonly url: string;
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly texts: readonly string[];
  }[];
  /** `plan[i]` is what the i-th request meets from now on; the last entry repeats. */
  set(plan: readonly [EmbeddingBehaviour, ...EmbeddingBehaviour[]]): void;
  close(): Promise<void>;
}

const dimensions = 512;

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: { path: string; headers: IncomingHttpHeaders; texts: string[] }[] = [];
  let plan: readonly EmbeddingBehaviour[] = ['ok'];
  let calls = 0;
  const server = createServer((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (text: string) => (body += text))
      .on('end', () => {
        const { input: texts } = JSON.parse(body) as { input: string[] };
        requests.push({ path: request.url ?? '', headers: request.headers, texts });
        const {
          status,
          type = 'application/json',
          text,
        } = answerTo(request, texts, plan[Math.min(calls++, plan.length - 1)] ?? 'ok');
        if (status === null) request.socket.destroy();
        else response.writeHead(status, { 'content-type': type, 'retry-after': '0' }).end(text);
      });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    set(next) {
      plan = next;
      calls = 0;
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** `status` is null when the connection is to break. */
function answerTo(
  { url = '', headers }: IncomingMessage,
  texts: readonly string[],
  behaviour: EmbeddingBehaviour,
) {
  if (behaviour === 'drop') return { status: null, text: '' };
  if (typeof behaviour === 'number')
    return {
      status: behaviour,
      text: `{"error":"key ${headers.authorization ?? ''} met ${behaviour}\u001B[2J"}`,
    };
  if (behaviour === 'page')
    return { status: 200, type: 'text/html', text: '<html>Please sign in</html>' };
  const vectors = texts
    .map(embed)
    .map(vector => (behaviour === 'dimension' ? vector.slice(0, 8) : vector))
    .slice(behaviour === 'short' ? 1 : 0);
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return {
    status: 200,
    text: JSON.stringify(
      url.endsWith('/api/embed')
        ? { embeddings: vectors }
        : { data: behaviour === 'backwards' ? data.toReversed() : data },
    ),
  };
}

function embed(text: string) {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}
