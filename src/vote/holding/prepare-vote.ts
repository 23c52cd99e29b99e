/** Reads all that a vote depends on, before anybody is asked or anything is written. */
import path from 'node:path';
import { readIfThere } from '../../adapters/configuration/read-configuration.ts';
import {
  checkResultFolder,
  findNewestSession,
  readDefaultRoster,
  readRuleSet,
  readSessionFolder,
  readShippedRules,
  shippedRules,
} from '../files/folders.ts';
import { inputError, usageError } from '../../core/errors.ts';
import { demandsOfRoster, demandsOfVote } from '../../core/safety/demands.ts';
import { parseRequest } from '../../core/schema-problem.ts';
import { defaultBatch, MotionsSettings, SampleRisk } from '../../core/words/motions-settings.ts';
import { readSession, type SessionInput, sessionFileNames } from '../session-input.ts';
import { parseSessionJson } from '../../core/given-json.ts';
import { readRoster } from '../../core/words/roster.ts';
import type { Config } from '../../core/words/config.ts';
import { type Call, noteTo } from '../../library/call.ts';
import { configure, refuseUnlessAllowed, type TrustQuestion } from '../../library/trust.ts';
import { z } from 'zod';
import { Ceilings } from '../../core/request.ts';
import { Flag, Text, Whole, optional } from '../../core/words/fields.ts';
import { set, value, argument, flag, text, word } from '../../core/flags.ts';

export type PreparedVote = Awaited<ReturnType<typeof prepareVote>>;

/** Where results go by default. */
export const resultsFolder = path.join('_bmad-output', 'review-pipeline');

/** Throws `UserError` for what the person can put right. */
export async function prepareVote(asked: MotionsRequest, call: Call) {
  const request = parseRequest(MotionsRequest, asked);
  checkModes(request);
  if (request.triageOnly && request.simulate === true)
    noteTo(call)('Warning: --simulate is passed over: --triage-only ends before anybody is asked.');
  const { config, home, ground } = await configure(call, {
    named: request.config,
    wants: found => (request.realAgent ? demandsOfVote(found) : []),
  });
  const source = request.dir ?? (await findNewestSession(call.cwd));
  const place = path.resolve(call.cwd, source);
  const rules = await readRuleSet(request.rules, call);
  const shipped = await readShippedRules(call);
  const settings = settleSettings(request, config.motions, call);
  const input = readSession(await readSessionFolder(place, source), {
    includeDeferred: request.includeDeferred,
    defaultRoster: await readDefaultRoster(),
  });
  if (request.realAgent) {
    refuseNothing(input, source);
    await refuseUnlessRosterAllowed(place, input, config, { ground, call });
  }
  const folder = path.resolve(call.cwd, request.out ?? resultsFolder, input.session.id);
  if (!request.triageOnly)
    await checkResultFolder(folder, place, request.out === undefined ? call.cwd : null);
  return {
    /** As it was asked for, with its defaults and the session that was found. */
    request: { ...request, dir: source },
    input,
    source,
    rules,
    shipped,
    settings,
    sample: request.sample ?? null,
    triageOnly: request.triageOnly,
    isSimulated: request.simulate === true && !request.triageOnly,
    ceilings: {
      maxCalls: request.maxCalls ?? config.maxCalls ?? null,
      maxTokens: request.maxTokens ?? config.maxTokens ?? null,
      maxCost: request.maxCost ?? config.maxCost ?? null,
    },
    config,
    /** Folder that paths of the configuration refer to. */
    home,
    isDetected: request.dir === undefined,
    /** Of the results, absolute. */
    folder,
  };
}

/** Without a motion a real vote would end without a word, as if something had been decided. */
function refuseNothing({ session, deferredSkipped }: SessionInput, source: string) {
  if (session.motions.length > 0) return;
  throw inputError(
    `Error: there is nothing to vote on: ${source} holds no motion`,
    deferredSkipped === 0
      ? 'Name a session whose mega-motions.json or novel-proposals.json has one.'
      : `Deferred proposals that were skipped: ${deferredSkipped}; --include-deferred loads them.`,
  );
}

/** A session is data: that its members are asked at hosts which it names, a person must have said. */
async function refuseUnlessRosterAllowed(
  folder: string,
  { session }: SessionInput,
  config: Config,
  { ground, call }: Pick<TrustQuestion, 'ground' | 'call'>,
) {
  const demands = demandsOfRoster(session.roster, config);
  if (demands.length === 0) return;
  const name = sessionFileNames.roster;
  const file = path.join(folder, name);
  const text = (await readIfThere(file)) ?? '';
  const found = demandsOfRoster(readRoster(parseSessionJson(name, text), name), {});
  if (!demands.every(({ what }) => found.some(other => other.what === what)))
    throw inputError(`Error: ${file} was changed while it was read`);
  await refuseUnlessAllowed({ found: { file, text }, ground, runners: [], call }, demands);
}

function checkModes(request: MotionsRequest) {
  const { simulate, noSimulate, realAgent, secondPass, sample, sampleRisk } = request;
  const named = [
    simulate === true ? '--simulate' : '',
    simulate === false || noSimulate ? '--no-simulate' : '',
    realAgent ? '--real-agent' : '',
  ].filter(flag => flag !== '');
  if (secondPass === 'ask' && !realAgent)
    throw usageError('--second-pass ask asks real reviewers; give --real-agent, too.');
  if (sampleRisk !== undefined && sample === undefined)
    throw usageError('--sample-risk is that of a sample; give --sample K, too.');
  if (named.length > 1)
    throw usageError(`${named.join(' and ')} exclude each other; give one of them.`);
}

/**
 * Settles what a vote goes by, `concurrency`, `panel_concurrency` and `batch`, too: flags, environment, configuration, defaults, in this
 * order.
 */
function settleSettings(
  given: MotionsRequest,
  settings: MotionsSettings = MotionsSettings.parse({}),
  call: Call,
) {
  const fromEnvironment = (name: string) => {
    const text = call.environment[name] ?? '';
    if (/^\s*[1-9]\d{0,8}\s*$/.test(text)) return Number(text);
    if (text !== '')
      noteTo(call)(
        `Warning: ${name} must be a positive integer, not "${text}"; the default is used.`,
      );
    return undefined;
  };
  const { concurrency, panelConcurrency, batch, sampleRisk: risk = settings.sample_risk } = given;
  const members = concurrency ?? fromEnvironment('REVIEWER_ARCHON_CONCURRENCY');
  const panels = panelConcurrency ?? fromEnvironment('REVIEWER_PANEL_CONCURRENCY');
  return {
    ...settings,
    ...(risk !== undefined && { sample_risk: risk }),
    concurrency: members ?? settings.concurrency ?? 4,
    panel_concurrency: panels ?? settings.panel_concurrency ?? 2,
    batch: batch ?? settings.batch ?? defaultBatch,
  };
}

const count = (description: string, value = 'N') =>
  optional(Whole.positive(), description).meta({ value });
const namedRules = (description: string, more: readonly string[]) => {
  const usual = [...shippedRules, ...more];
  return value(Text.min(1).default('guarded'), 'NAME', description, { usual });
};

/** What a vote on motions is asked with: one schema for the library, its command and its tool. */
export const MotionsRequest = z.strictObject({
  dir: argument(
    Text.min(1).optional(),
    'DIR',
    'Session folder with mega-motions.json; default: the newest in _bmad-output/consolidator/',
  ),
  triageOnly: flag('Sort the motions by risk, print the table and write nothing'),
  simulate: optional(Flag, 'Simulate reviews, panels and votes; every artifact says so'),
  noSimulate: flag('Triage and packets only; the default'),
  realAgent: flag('Ask real reviewers; never falls back to simulation'),
  includeDeferred: flag('Load deferred novel proposals too'),
  rules: namedRules(
    'Rule set that decides: explicit, seed, quorum, guarded, or the path of a file',
    [],
  ),
  sample: count('Ask at most K of those who have not spoken on a motion of medium risk', 'K'),
  sampleRisk: SampleRisk.optional().meta({ value: 'SHARE' }),
  concurrency: count('Members reviewed at once; default 4'),
  panelConcurrency: count('Panels at once; default 2'),
  batch: count('Motions in one call; default 5'),
  secondPass: set(
    z.enum(['ask', 'assume']),
    'ask|assume',
    'Motions accepted with amendments: ask those who amended or opposed about the amended text, or assume that who ' +
      'amended says yes; default: ask real reviewers',
  ),
  maxCalls: count('Ceiling of calls to real reviewers'),
  ...Ceilings.pick({ maxTokens: true, maxCost: true, maxCostPerMonth: true }).shape,
  fresh: flag('Ask again even if nothing has changed since the last run'),
  out: word('DIR', 'Base folder of the results; default: _bmad-output/review-pipeline'),
  compact: flag('Write JSON without indentation'),
  config: text('FILE', 'Configuration file; default: jury.config.yaml or .json, found upwards'),
});
export type MotionsRequest = z.input<typeof MotionsRequest>;

export const RatifyRequest = z.strictObject({
  aggregations: value(Text.min(1), 'FILE', 'Recorded counts: an aggregations.json'),
  rules: namedRules(
    'Rule set to apply: explicit, seed, quorum, guarded, the path of a file, or all to compare',
    ['all'],
  ),
});
export type RatifyRequest = z.input<typeof RatifyRequest>;
