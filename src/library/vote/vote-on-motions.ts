/** Puts the motions of a session to the vote, and writes what came of it. */
import path from 'node:path';
import { readDefaultRoster, readRuleSet } from '../../adapters/motions/rule-files.ts';
import {
  checkResultFolder,
  openResultFolder,
  type ResultFolder,
} from '../../adapters/motions/result-folder.ts';
import { findNewestSession, readSessionFolder } from '../../adapters/motions/session-folder.ts';
import { nameBasedUuid, sha256, sha256OfPieces } from '../../adapters/system/ids.ts';
import { closingArtifactsOf, resultsOf, type ArtifactOptions } from '../../core/vote/artifacts.ts';
import { countOutcomes, countResponses, type MotionsRun } from '../../core/vote/motions-run.ts';
import { readSession } from '../../core/vote/session-input.ts';
import { UserError } from '../../core/errors.ts';
import { demandsOfVote } from '../../core/safety/demands.ts';
import { MotionsRequest } from '../../core/request.ts';
import { judgeMotions } from '../../core/verdict/judges.ts';
import { parseRequest } from '../../core/schema-problem.ts';
import type { Reason } from '../../core/verdict/record.ts';
import { runMotions, type VoteRequest } from '../../engine/vote/run-motions.ts';
import { renderMotionsMarkdown } from '../../render/motions-markdown.ts';
import { clockOf, type Call } from '../call.ts';
import {
  openRealDeliberators,
  simulateDeliberators,
  type DeliberationOpening,
  type OpenedDeliberators,
} from './open-deliberators.ts';
import { configure } from '../seat-reviewers.ts';
import { settleRules, settleSettings } from './settle-motions.ts';
import { signalOf } from '../start-run.ts';

export interface MotionsOutcome {
  readonly run: MotionsRun;
  /** The session folder, as it was named or found. */
  readonly source: string;
  readonly isDetected: boolean;
  /** Where the results are; null when nothing was written. */
  readonly folder: string | null;
  /** Real reviewers were asked and none of them answered anything. */
  readonly isUnanswered: boolean;
  /** Why the vote is not finished; empty when it is. */
  readonly reasons: readonly Reason[];
}

const defaultOut = path.join('_bmad-output', 'review-pipeline');

/** `resumes`: id of the run that is gone on with. Null when it was interrupted. Throws `UserError` for what the person can put right; then the results of an earlier vote stay. */
export async function voteOnMotions(
  asked: MotionsRequest,
  call: Call,
  resumes: string | null = null,
): Promise<MotionsOutcome | null> {
  const request = parseRequest(MotionsRequest, asked);
  checkModes(request);
  const note = (message: string): void => call.onEvent?.({ type: 'note', message });
  const { config, home } = await configure({
    cwd: call.cwd,
    named: request.config ?? null,
    change: null,
    repository: null,
    given: call,
    wants: found => (request.realAgent ? demandsOfVote(found) : []),
    signal: call.signal,
  });
  const rules = settleRules(await readRuleSet(request.rules, call.cwd), call);
  const settings = settleSettings(request, config.motions, call, note);
  const source = request.dir ?? (await findNewestSession(call.cwd));
  const files = await readSessionFolder(path.resolve(call.cwd, source), source);
  const input = readSession(files, {
    includeDeferred: request.includeDeferred,
    defaultRoster: await readDefaultRoster(),
    uuid: nameBasedUuid,
  });
  const folder = path.resolve(call.cwd, request.out ?? defaultOut, input.session.id);
  if (!request.triageOnly) await checkResultFolder(folder, path.resolve(call.cwd, source));
  const vote: VoteRequest = {
    input,
    source,
    rules,
    settings,
    sample: request.sample ?? null,
    triageOnly: request.triageOnly,
  };
  const written: ArtifactOptions = {
    savesPackets: settings.save_packets,
    compact: request.compact,
    uuid: nameBasedUuid,
  };
  const deliberators = await openDeliberators(
    { request: { ...request, dir: source }, input, rules, settings, config, home, resumes },
    call,
  );
  const run = await hold(vote, deliberators, { call, written, folder });
  if (run === null) return null;
  const { assigned, answered } = countResponses(run);
  const isUnanswered = run.mode === 'real' && assigned > 0 && answered === 0;
  const reasons = judgeMotions(countOutcomes(run.results).incomplete, isUnanswered);
  return {
    run,
    source,
    isDetected: request.dir === undefined,
    folder: request.triageOnly ? null : folder,
    isUnanswered,
    reasons,
  };
}

function checkModes({ simulate, noSimulate, realAgent }: MotionsRequest): void {
  const named = [
    simulate === true ? '--simulate' : null,
    simulate === false || noSimulate ? '--no-simulate' : null,
    realAgent ? '--real-agent' : null,
  ].filter(flag => flag !== null);
  if (named.length > 1)
    throw new UserError(`${named.join(' and ')} exclude each other; give one of them.`, {
      kind: 'usage',
    });
}

async function openDeliberators(
  opening: DeliberationOpening,
  call: Call,
): Promise<OpenedDeliberators | null> {
  const { simulate, realAgent, triageOnly } = opening.request;
  if (triageOnly) return null;
  if (simulate === true) return simulateDeliberators(call);
  return realAgent ? openRealDeliberators(opening, call) : null;
}

interface Holding {
  readonly call: Call;
  readonly written: ArtifactOptions;
  /** Of the results, absolute. */
  readonly folder: string;
}

/** The vote has ended when its results are written: until then it can be gone on with. */
async function hold(
  vote: VoteRequest,
  deliberators: OpenedDeliberators | null,
  { call, written, folder }: Holding,
): Promise<MotionsRun | null> {
  const note = (message: string): void => call.onEvent?.({ type: 'note', message });
  const results = openResultFolder(folder);
  try {
    const keepResults = (held: Omit<MotionsRun, 'audit'>): Promise<Record<string, string>> =>
      addResults(results, held, written);
    const run = await runMotions(vote, {
      clock: clockOf(call),
      hash: sha256,
      uuid: nameBasedUuid,
      deliberators,
      signal: signalOf(call),
      note,
      keepResults,
    });
    if (run === null) return null;
    if (!vote.triageOnly) {
      for (const artifact of closingArtifactsOf(run, written)) await results.add(artifact);
      await results.commit();
    }
    const { assigned, answered } = countResponses(run);
    await deliberators?.end({
      artifacts: folder,
      report: renderMotionsMarkdown({ run, source: vote.source, isDetected: false, folder }),
      counts: {
        motions: run.triaged.length,
        panels: run.panels.length,
        assigned,
        answered,
        incomplete: countOutcomes(run.results).incomplete,
      },
    });
    return run;
  } finally {
    await results.discard();
    await deliberators?.close();
  }
}

/** Hashes are taken while the results are written: those of a large roster are long. */
async function addResults(
  results: ResultFolder,
  run: Omit<MotionsRun, 'audit'>,
  written: ArtifactOptions,
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { isDraft, ...artifact } of resultsOf(run, written))
    hashes[artifact.name] = isDraft
      ? sha256OfPieces(artifact.pieces())
      : await results.add(artifact);
  return hashes;
}
