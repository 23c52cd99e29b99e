/** The files of runs as resources: reports and reviews of the newest runs are listed, every text file is read by name, never more than a caller can bear. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server';
import { createJury } from '../index.ts';
import type { Roots } from './roots.ts';

const newestRuns = 5;
/** A client may put the list before a model: about 1,000 tokens. */
const mostListed = 25;
const listed = /^resources:\/\/runs\/[^/]+\/(?:report\.md|reviews\/.+)$/;
/** UTF-16 units; about 16,000 tokens. */
const longest = 65_536;

type Environment = Readonly<Record<string, string | undefined>>;

export async function listRunFiles(
  roots: Roots,
  environment: Environment,
): Promise<ListResourcesResult> {
  const found = await Promise.all(
    roots.map(({ folder }) => createJury({ cwd: folder, environment }).resources(newestRuns)),
  );
  const uris = found
    .flat()
    .filter(uri => listed.test(uri))
    .slice(0, mostListed);
  return { resources: uris.map(uri => ({ uri, name: uri.split('/').slice(4).join('/') })) };
}

export function listTemplates(): ListResourceTemplatesResult {
  return {
    resourceTemplates: [
      {
        uriTemplate: 'resources://runs/{run}/{+path}',
        name: 'File of a run',
        description:
          'Text files of a run folder: report.md, reviews/REVIEWER.md, reviews/findings.json, verdicts/REVIEWER.json.',
      },
    ],
  };
}

/** The first root that has it; of runs only. Rejects with `invalid params` for a name that is not legal or that nothing has. */
export async function readRunFile(
  uri: string,
  roots: Roots,
  environment: Environment,
): Promise<ReadResourceResult> {
  for (const { folder } of uri.startsWith('resources://runs/') ? roots : []) {
    const text = await createJury({ cwd: folder, environment }).resource(uri);
    if (text !== null) return { contents: [{ uri, mimeType: typeOf(uri), text: shorten(text) }] };
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such resource.');
}

function shorten(text: string): string {
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)}\n[Jury: cut after ${longest} of ${text.length} characters. The tool show tells any part by id.]\n`;
}

function typeOf(uri: string): string {
  return (
    { json: 'application/json', jsonl: 'application/jsonl', md: 'text/markdown' }[
      /\.(\w+)$/.exec(uri)?.[1] ?? ''
    ] ?? 'text/plain'
  );
}
