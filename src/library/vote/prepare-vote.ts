/** Reads all that a vote depends on, before anybody is asked or anything is written. */
import path from 'node:path';
import { readIfThere } from '../../adapters/configuration/read-configuration.ts';
import { checkResultFolder } from '../../adapters/motions/result-folder.ts';
import { readDefaultRoster, readRuleSet } from '../../adapters/motions/rule-files.ts';
import { findNewestSession, readSessionFolder } from '../../adapters/motions/session-folder.ts';
import { nameBasedUuid } from '../../adapters/system/ids.ts';
import { inputError, usageError } from '../../core/errors.ts';
import { type Demand, demandsOfRoster, demandsOfVote } from '../../core/safety/demands.ts';
import { parseRequest } from '../../core/schema-problem.ts';
import { defaultBatch, MotionsSettings } from '../../core/vote/motions-settings.ts';
import { MotionsRequest } from '../../core/vote/requests.ts';
import type { RuleSet } from '../../core/vote/rule-set.ts';
import {
  parseSessionJson,
  readRoster,
  readSession,
  type SessionInput,
  sessionFileNames,
} from '../../core/vote/session-input.ts';
import type { Config } from '../../core/words/config.ts';
import type { VoteRequest } from '../../engine/vote/open-vote.ts';
import { type Call, noteTo } from '../call.ts';
import { configure } from '../seat-reviewers.ts';
import { refuseUnlessAllowed, type TrustQuestion } from '../trust.ts';
import { readShippedRules, settleRules } from './recorded-vote.ts';

export interface PreparedVote {
  /** As it was asked for, with its defaults and the session that was found. */
  readonly request: ReturnType<typeof MotionsRequest.parse>;
  readonly input: SessionInput;
  readonly rules: RuleSet;
  /** All that ship with Jury. */
  readonly shipped: readonly RuleSet[];
  readonly settings: SettledSettings;
  readonly config: Config;
  /** Folder that paths of the configuration refer to. */
  readonly home: string;
  /** The session folder, as it was named or found. */
  readonly source: string;
  readonly isDetected: boolean;
  /** Of the results, absolute. */
  readonly folder: string;
}

/** With `concurrency`, `panel_concurrency` and `batch` settled: flag, environment, configuration, default. */
type SettledSettings = MotionsSettings &
  Readonly<Record<'concurrency' | 'panel_concurrency' | 'batch', number>>;

/** Where results go by default. */
export const resultsFolder = path.join('_bmad-output', 'review-pipeline');

/** Throws `UserError` for what the person can put right. */
export async function prepareVote(asked: MotionsRequest, call: Call): Promise<PreparedVote> {
  const request = parseRequest(MotionsRequest, asked);
  checkModes(request);
  const note = noteTo(call);
  if (request.triageOnly && request.simulate === true)
    note('Warning: --simulate is passed over: --triage-only ends before anybody is asked.');
  const { config, home, ground } = await configure(call, {
    named: request.config,
    wants: found => (request.realAgent ? demandsOfVote(found) : []),
  });
  const rules = settleRules(await readRuleSet(request.rules, call.cwd), call);
  const shipped = await readShippedRules(call);
  const settings = settleSettings(request, config.motions, call, note);
  const source = request.dir ?? (await findNewestSession(call.cwd));
  const place = path.resolve(call.cwd, source);
  const input = readSession(await readSessionFolder(place, source), {
    includeDeferred: request.includeDeferred,
    defaultRoster: await readDefaultRoster(),
    uuid: nameBasedUuid,
  });
  if (request.realAgent) refuseNothing(input, source);
  if (request.realAgent)
    await refuseUnlessRosterAllowed(place, {
      demands: demandsOfRoster(input.session.roster, config),
      ground,
      call,
    });
  const folder = path.resolve(call.cwd, request.out ?? resultsFolder, input.session.id);
  if (!request.triageOnly)
    await checkResultFolder(folder, place, request.out === undefined ? call.cwd : null);
  return {
    request: { ...request, dir: source },
    input,
    rules,
    shipped,
    settings,
    config,
    home,
    source,
    isDetected: request.dir === undefined,
    folder,
  };
}

export function voteOf({
  request,
  input,
  rules,
  shipped,
  settings,
  source,
}: PreparedVote): VoteRequest {
  const { sample = null, triageOnly } = request;
  return { input, source, rules, shipped, settings, sample, triageOnly };
}

/** Without a motion a real vote would end without a word, as if something had been decided. */
function refuseNothing({ session, deferredSkipped }: SessionInput, source: string): void {
  if (session.motions.length > 0) return;
  throw inputError(
    `Error: there is nothing to vote on: ${source} holds no motion`,
    deferredSkipped === 0
      ? 'Name a session whose mega-motions.json or novel-proposals.json has one.'
      : `Deferred proposals that were skipped: ${deferredSkipped}; --include-deferred loads them.`,
  );
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
    throw inputError(`Error: ${file} was changed while it was read`);
  await refuseUnlessAllowed({ found: { file, text }, ground, runners: [], call }, demands);
}

function checkModes({
  simulate,
  noSimulate,
  realAgent,
  secondPass,
  sample,
  sampleRisk,
}: MotionsRequest): void {
  const named = [
    simulate === true ? '--simulate' : null,
    simulate === false || noSimulate ? '--no-simulate' : null,
    realAgent ? '--real-agent' : null,
  ].filter(flag => flag !== null);
  if (secondPass === 'ask' && !realAgent)
    throw usageError('--second-pass ask asks real reviewers; give --real-agent, too.');
  if (sampleRisk !== undefined && sample === undefined)
    throw usageError('--sample-risk is that of a sample; give --sample K, too.');
  if (named.length > 1)
    throw usageError(`${named.join(' and ')} exclude each other; give one of them.`);
}

/** Settles what a vote goes by: flags, environment, configuration, defaults, in this order. */
function settleSettings(
  given: Pick<MotionsRequest, 'concurrency' | 'panelConcurrency' | 'batch' | 'sampleRisk'>,
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
  const risk = given.sampleRisk ?? settings.sample_risk;
  return {
    ...settings,
    ...(risk === undefined ? {} : { sample_risk: risk }),
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
    batch: given.batch ?? settings.batch ?? defaultBatch,
  };
}
