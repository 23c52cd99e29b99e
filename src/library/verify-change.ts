/** Checks what can be checked about a change without asking anybody: coverage, switched-off tests, undone work, evidence. */
import path from 'node:path';
import type { StateFolder } from '../adapters/store/storage.ts';
import { readRegularFile } from '../adapters/system/given-file.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { parseJsonText } from '../answers/index.ts';
import { inputError, usageError } from '../core/errors.ts';
import {
  Evidence,
  gateNames,
  GateResult,
  type Integrity,
  type JudgedEvidence,
  judgeEvidence,
  judgeIntegrity,
} from '../core/integrity/integrity.ts';
import { readLcov } from '../core/integrity/integrity.ts';
import { VerifyRequest } from '../core/request.ts';
import { firstProblem, formatPath, parseRequest } from '../core/schema-problem.ts';
import { type Call, withRepository } from './call.ts';
import { stateOf } from './own-state.ts';
import { readNamed } from './subjects.ts';
import { readNamedResource } from './context/open-context.ts';

export interface Verified {
  readonly title: string;
  readonly integrity: Integrity;
  readonly evidence: JudgedEvidence | null;
}

export async function verifyChangeIn(input: VerifyRequest, call: Call): Promise<Verified> {
  const request = parseRequest(VerifyRequest, input);
  const report = request.coverage === undefined ? null : await readReport(request.coverage, call);
  return withRepository(call, async repository => {
    const change = await repository.change(
      request.staged
        ? { source: 'staged' }
        : request.worktree
          ? { source: 'worktree', untracked: false }
          : { source: 'revision', revision: request.range ?? 'HEAD' },
    );
    const integrity = judgeIntegrity({
      change,
      report,
      gates: gatesOf(request.gate),
      exemptions: request.exempt.map(exemptionOf),
      changedLinesMin: request.changedLinesMin,
    });
    return {
      title: change.title,
      integrity,
      evidence: request.evidence === undefined ? null : await readEvidence(request.evidence, call),
    };
  });
}

async function readReport(name: string, call: Call) {
  const report = readLcov(await readNamed(name, '--coverage', call));
  if (!report)
    throw inputError(
      `--coverage: ${name} holds no lcov records (no line starts with SF:).`,
      'Most coverage tools write lcov on request, for example "vitest --coverage.reporter=lcov".',
    );
  return report;
}

function gatesOf(given: readonly string[]) {
  return Object.fromEntries(
    given.map(text => {
      const [name = '', result = ''] = text.split('=');
      if (!gateNames.some(known => known === name) || !GateResult.safeParse(result).success) {
        throw usageError(
          `--gate ${text}: expected one of ${gateNames.join(', ')}, then =pass, =fail or =not_run.`,
        );
      }
      return [name, result];
    }),
  );
}

function exemptionOf(text: string) {
  const cut = text.lastIndexOf('=');
  const [finding, reason] = [text.slice(0, cut).trim(), text.slice(cut + 1).trim()];
  if (cut < 1 || reason === '')
    throw usageError(`--exempt ${text}: an exemption needs a reason, as FINDING=REASON.`);
  return { finding, reason };
}

async function readEvidence(name: string, call: Call) {
  const text = await readNamed(name, '--evidence', call);
  const checked = Evidence.safeParse(parseJsonText({ name: `--evidence: ${name}`, text }), {
    reportInput: true,
  });
  if (!checked.success) {
    const { path: place, sentence } = firstProblem(Evidence, checked.error);
    throw inputError(`--evidence: ${name}: ${formatPath(place)}: ${sentence}`);
  }
  const state = await stateOf(call);
  return judgeEvidence(checked.data, async (ref, rev) => {
    const found = await textOf(ref, state, call);
    // A revision: the first 12 hex digits of SHA-256 over the lines joined with LF.
    return (
      found !== null &&
      (rev === null || sha256(found.replaceAll('\r\n', '\n')).slice(0, 12) === rev)
    );
  });
}

/** A `resources://` name, or the path of a file inside the project. */
async function textOf(ref: string, state: StateFolder, call: Call) {
  if (ref.includes('://')) return readNamedResource(state, ref, call);
  const file = path.resolve(state.project, ref);
  if (path.relative(state.project, file).startsWith('..')) return null;
  return readRegularFile(file).catch(() => null);
}
