/** What a client did, as the model server and the machine saw it. */
import { readFile, readdir } from 'node:fs/promises';
import type { LoggedRequest } from '../model-server.ts';

/** Names in the request, in whichever of the four protocols it is. */
export function offeredTools(request: LoggedRequest | undefined): readonly string[] {
  const { tools = [] } = (request?.body ?? {}) as { readonly tools?: readonly ToolOffer[] };
  return tools
    .flatMap(tool => tool.functionDeclarations ?? [tool.function ?? tool])
    .map(tool => tool.name ?? tool.type ?? '?');
}

interface ToolOffer {
  readonly name?: string;
  readonly type?: string;
  readonly function?: ToolOffer;
  readonly functionDeclarations?: readonly ToolOffer[];
}

/** Command lines of living processes that were started for an attempt below this folder. */
export async function survivors(temporaryFolder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter(entry => /^\d+$/.test(entry))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.includes(temporaryFolder))
      found.push(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => pid));
  }
  return found;
}
