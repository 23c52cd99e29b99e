/** Model servers on this machine, at the ports that their programs take when nobody says otherwise. */
import { z } from 'zod';
import type { Environment } from './disk.ts';

export interface LocalServer {
  readonly name: string;
  /** As `baseUrl` of a reviewer takes it. */
  readonly baseUrl: string;
  /** As the server names them; those that answer no questions are left out. */
  readonly models: readonly string[];
}

const usualPorts: readonly (readonly [name: string, port: number])[] = [
  ['Ollama', 11_434],
  ['LM Studio', 1_234],
  ['llama.cpp', 8_080],
  ['vLLM', 8_000],
  ['Jan', 1_337],
  ['KoboldCpp', 5_001],
];

/** A server that is there answers in a few milliseconds, on a busy machine in a second; where none is, the port refuses at once. */
const probeMs = 1500;
const mostBytes = 1_048_576;
const mostModels = 50;

const Models = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })) });

/** All ports at once, in the order of the table. `OLLAMA_HOST` counts where it names this machine. */
export async function findLocalServers(environment: Environment): Promise<readonly LocalServer[]> {
  const places = usualPorts.map(([name, port]) => ({
    name,
    host: (name === 'Ollama' ? ollamaHost(environment.OLLAMA_HOST) : null) ?? `127.0.0.1:${port}`,
  }));
  const found = await Promise.all(places.map(probe));
  return found.filter(server => server !== null);
}

/** Null: not set, or another machine, which nobody has said may be asked. */
function ollamaHost(given: string | undefined) {
  const match = /^(?:http:\/\/)?(127\.0\.0\.1|localhost|0\.0\.0\.0)?(?::(\d{1,5}))?\/?$/.exec(
    given ?? '-',
  );
  return match && `127.0.0.1:${match[2] ?? '11434'}`;
}

async function probe({ name, host }: { name: string; host: string }): Promise<LocalServer | null> {
  const baseUrl = `http://${host}/v1`;
  try {
    const answer = await fetch(`${baseUrl}/models`, {
      redirect: 'error',
      signal: AbortSignal.timeout(probeMs),
    });
    if (!answer.ok || Number(answer.headers.get('content-length') ?? 0) > mostBytes) return null;
    const listed = Models.safeParse(await answer.json());
    if (!listed.success) return null;
    const models = listed.data.data.map(({ id }) => id).filter(id => !answersNothing.test(id));
    return { name, baseUrl, models: models.slice(0, mostModels) };
  } catch {
    // Nobody there, another protocol, too slow: in each case no server for us.
    return null;
  }
}

const answersNothing = /embed|rerank|whisper|tts|bge-|clip/i;
