/** Puts the motions of a session to the vote, and writes what came of it. */
import path from 'node:path';
import {
  checkResultFolder,
  openResultFolder,
  type ResultFolder,
} from '../../adapters/motions/result-folder.ts';
import { readDefaultRoster, readRuleSet } from '../../adapters/motions/rule-files.ts';
import { readIfThere } from '../../adapters/configuration/read-configuration.ts';
import { findNewestSession, readSessionFolder } from '../../adapters/motions/session-folder.ts';
import { nameBasedUuid, sha256, sha256OfPieces } from '../../adapters/system/ids.ts';
import { UserError } from '../../core/errors.ts';
import { type Demand, demandsOfRoster, demandsOfVote } from '../../core/safety/demands.ts';
import { MotionsRequest } from '../../core/vote/requests.ts';
import { parseRequest } from '../../core/schema-problem.ts';
import { judgeMotions } from '../../core/verdict/judges.ts';
import type { Reason } from '../../core/verdict/record.ts';
import { type ArtifactOptions, closingArtifactsOf, resultsOf } from '../../core/vote/artifacts.ts';
import { countOutcomes, countResponses, type MotionsRun } from '../../core/vote/motions-run.ts';
import { MotionsSettings } from '../../core/vote/motions-settings.ts';
import type { RuleSet } from '../../core/vote/rule-set.ts';
import {
  parseSessionJson,
  readRoster,
  readSession,
  type SessionInput,
  sessionFileNames,
} from '../../core/vote/session-input.ts';
import { simulatePanels, simulateReviews } from '../../core/vote/simulation.ts';
import type { Config } from '../../core/words/config.ts';
import type { Limits } from '../../engine/ceiling.ts';
import { type Deliberators, runMotions, type VoteRequest } from '../../engine/vote/run-motions.ts';
import { renderMotionsMarkdown } from '../../render/motions-markdown.ts';
import { type Call, clockOf } from '../call.ts';
import { openState } from '../own-state.ts';
import { repositoryRootOf } from '../root.ts';
import { configure } from '../seat-reviewers.ts';
import { refuseUnlessAllowed, type TrustQuestion } from '../trust.ts';
import { signalOf } from '../start-run.ts';
import { type MotionsEnd, openMotionsRun } from './motions-run.ts';
import { deliberateWith, openReviewers } from './real-reviewers.ts';
import { settleRules } from './recorded-vote.ts';

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

/**
 * `resumes`: id of the run that is gone on with. Null when it was interrupted. Throws `UserError` for what the person can put
 * right; then the results of an earlier vote stay.
 */
export async function voteOnMotions(
  asked: MotionsRequest,
  call: Call,
  resumes: string | null = null,
): Promise<MotionsOutcome | null> {
  const request = parseRequest(MotionsRequest, asked);
  checkModes(request);
  const note = (message: string): void => call.onEvent?.({ type: 'note', message });
  const { config, home, ground } = await configure({
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
  if (request.realAgent && input.session.motions.length === 0)
    throw new UserError(`Error: ${source}: there are no motions to vote on`, { kind: 'input' });
  if (request.realAgent)
    await refuseUnlessRosterAllowed(path.resolve(call.cwd, source), {
      demands: demandsOfRoster(input.session.roster, config),
      ground,
      call,
    });
  const folder = path.resolve(call.cwd, request.out ?? defaultOut, input.session.id);
  if (!request.triageOnly) {
    const home = request.out === undefined ? call.cwd : null;
    await checkResultFolder(folder, path.resolve(call.cwd, source), home);
  }
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

interface RosterQuestion extends Pick<TrustQuestion, 'ground' | 'call'> {
  readonly demands: readonly Demand[];
}

/** A session is data: that its members are asked at hosts which it names, somebody must have said. */
async function refuseUnlessRosterAllowed(
  folder: string,
  { demands, ground, call }: RosterQuestion,
): Promise<void> {
  if (demands.length === 0) return;
  const file = path.join(folder, sessionFileNames.roster);
  const text = (await readIfThere(file)) ?? '';
  const roster = readRoster(
    parseSessionJson(sessionFileNames.roster, text),
    sessionFileNames.roster,
  );
  const wanted = new Set(demandsOfRoster(roster, {}).map(({ what }) => what));
  if (!demands.every(({ what }) => wanted.has(what)))
    throw new UserError(`Error: ${file} was changed while it was read`, { kind: 'input' });
  await refuseUnlessAllowed({ found: { file, text }, ground, runners: [], call }, demands);
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

type SettledSettings = MotionsSettings &
  Readonly<Record<'concurrency' | 'panel_concurrency' | 'batch', number>>;

/** Settles what a vote goes by: flags, environment, configuration, defaults, in this order. */
function settleSettings(
  given: Pick<MotionsRequest, 'concurrency' | 'panelConcurrency' | 'batch'>,
  configured: MotionsSettings | undefined,
  { environment }: Pick<Call, 'environment'>,
  note: (message: string) => void,
): SettledSettings {
  const settings = configured ?? MotionsSettings.parse({});
  const fromEnvironment = (name: string): number | undefined => {
    const text = environment[name];
    if (text === undefined || text === '') return undefined;
    if (/^[1-9]\d{0,8}$/.test(text.trim())) return Number(text);
    note(`Warning: ${name} must be a positive integer, not "${text}"; the default is used.`);
    return undefined;
  };
  return {
    ...settings,
    concurrency:
      given.concurrency ??
      fromEnvironment('REVIEWER_ARCHON_CONCURRENCY') ??
      settings.concurrency ??
      4,
    panel_concurrency:
      given.panelConcurrency ??
      fromEnvironment('REVIEWER_PANEL_CONCURRENCY') ??
      settings.panel_concurrency ??
      2,
    batch: given.batch ?? settings.batch ?? 5,
  };
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

/** Opens whoever answers for the members: a simulation, or real reviewers. */
interface DeliberationOpening {
  /** As it was asked for: what a resumed run asks for again. */
  readonly request: MotionsRequest;
  readonly input: SessionInput;
  readonly rules: RuleSet;
  /** With `concurrency`, `panel_concurrency` and `batch` settled: flag, environment, configuration, default. */
  readonly settings: SettledSettings;
  readonly config: Config;
  /** Folder that paths of the configuration refer to. */
  readonly home: string;
  /** Id of the run that is gone on with; null for a new vote. */
  readonly resumes: string | null;
}

interface OpenedDeliberators extends Deliberators {
  /** Notes that the results are written: the vote has come to its end. */
  end(result: MotionsEnd): Promise<void>;
  close(): Promise<void>;
}

function simulateDeliberators(call: Call): OpenedDeliberators {
  const now = (): string => clockOf(call).now().toISOString();
  return {
    simulated: true,
    collectReviews: ({ packets, motions }) =>
      Promise.resolve(simulateReviews(packets, motions, now())),
    holdPanels: ({ panels }) => Promise.resolve(simulatePanels(panels, now())),
    end: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/**
 * Throws `UserError` (kind `usage`) when they cannot start: nothing is simulated in their place. What they answer is in the
 * journal of a run; one that was begun with the same input and never ended is gone on with.
 */
async function openRealDeliberators(
  opening: DeliberationOpening,
  call: Call,
): Promise<OpenedDeliberators> {
  const {
    request,
    input: { session },
    settings,
    config,
    home,
    resumes,
  } = opening;
  const checkout = await repositoryRootOf(call);
  const reviewers = await openReviewers(
    {
      config,
      home,
      checkout,
      roster: session.roster,
      concurrency: settings.concurrency,
      files: Object.values(sessionFileNames).map(name =>
        path.resolve(call.cwd, request.dir ?? '', name),
      ),
    },
    call,
  );
  const limits: Limits = {
    maxCalls: request.maxCalls ?? config.maxCalls ?? null,
    maxTokens: request.maxTokens ?? config.maxTokens ?? null,
    maxCost: request.maxCost ?? config.maxCost ?? null,
  };
  const run = await openMotionsRun(
    {
      state: await openState(checkout, call),
      retentionDays: config.retentionDays,
      copies: config.copies,
      title: session.name,
      request,
      inputHash: hashOf(opening),
      resumes,
    },
    call,
  );
  const {
    plan: { fence },
    steps,
  } = run;
  return {
    ...deliberateWith(reviewers, {
      batch: settings.batch,
      panelConcurrency: settings.panel_concurrency,
      limits,
      fence,
      steps,
    }),
    end: result => run.end(result),
    close: () => run.close(),
  };
}

/** Of everything that decides the answers: how many are asked at a time, what may be spent and how results are written do not. */
function hashOf({ request, input, rules, settings, config }: DeliberationOpening): string {
  const { concurrency: _, panel_concurrency: __, ...decisive } = settings;
  const { reviewer, endpoints } = config.motions ?? {};
  return sha256(
    JSON.stringify([
      request.out,
      request.includeDeferred,
      request.sample,
      input,
      rules,
      decisive,
      reviewer,
      endpoints,
    ]),
  );
}
