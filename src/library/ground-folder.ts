/** Checks the findings of a folder against what its agents wrote. */
import path from 'node:path';
import { readAgentFolder, readPlainFile } from '../adapters/store/agent-folder.ts';
import { systemStorage } from '../adapters/store/storage.ts';
import { UserError } from '../core/errors.ts';
import { readFindingsIndex } from '../core/parse/findings-index.ts';
import { GroundRequest } from '../core/process-request.ts';
import { groundFindings, type Grounding } from '../core/run-files/grounding.ts';
import { parseRequest } from '../core/schema-problem.ts';
import type { Call } from './call.ts';

/** Throws `UserError` (kind `input`) where the folder or its `findings.json` cannot be used. */
export async function groundFolder(
  input: GroundRequest,
  call: Pick<Call, 'cwd' | 'environment'>,
): Promise<Grounding> {
  const { dir, strict } = parseRequest(GroundRequest, input);
  const folder = path.resolve(call.cwd, dir);
  const { agents, foreign } = await readAgentFolder(
    systemStorage.disk,
    folder,
    runNamedIn(call.environment),
  );
  const findings = findingsIn(
    await readPlainFile(systemStorage.disk, path.join(folder, 'findings.json')),
    folder,
  );
  return groundFindings({
    findings,
    agents: agents.map(({ agent, text }) => ({ agent, index: readFindingsIndex(text, agent) })),
    foreignSkipped: foreign.length,
    strict,
  });
}

function findingsIn(text: string | null, folder: string): readonly unknown[] {
  if (text === null)
    throw new UserError(`${folder} holds no findings.json.`, {
      kind: 'input',
      hint: 'Name the folder of a synthesis.',
    });
  try {
    const value: unknown = JSON.parse(text);
    if (
      typeof value === 'object' &&
      value !== null &&
      'findings' in value &&
      Array.isArray(value.findings)
    )
      return value.findings as unknown[];
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UserError(`${path.join(folder, 'findings.json')} is not JSON: ${error.message}.`, {
        kind: 'input',
        cause: error,
      });
    throw error;
  }
  throw new UserError(`${path.join(folder, 'findings.json')} has no list "findings".`, {
    kind: 'input',
  });
}

/** An empty variable is one that is not set. */
function runNamedIn({
  JURY_RUN_ID: own,
  FLUX_RUN_UUID: other,
}: Call['environment']): string | null {
  return [own, other].find(id => id !== undefined && id !== '') ?? null;
}
