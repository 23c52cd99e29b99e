/** Reads findings that were produced elsewhere and forms claims of them. */
import { createSecretScanner } from '../checks/index.ts';
import {
  confidenceModel,
  createAssessor,
  cutOf,
  decidedConfidences,
  explainClaim,
  formClaims,
  isJudgeable,
  listenersIn,
  recalibrationOf,
  reliabilityOf,
  withAnswers,
} from '../agreement/index.ts';
import { createPassingSteps } from '../core/ports/steps.ts';
import type { JudgeSettings, Matcher } from '../core/ports/matcher.ts';
import { nothingSpent } from '../core/words/review.ts';
import { createCeiling } from '../engine/asking/limits.ts';
import { askJudge } from '../engine/asking/ask-judge.ts';
import { familiesOf } from '../engine/conclude.ts';
import { type Call, noteTo } from './call.ts';
import { openRunners } from './open-world.ts';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runsFolder } from '../adapters/store/run-folder.ts';
import { decodeWhole } from '../adapters/system/given-file.ts';
import { inputError, usageError } from '../core/errors.ts';
import { demandsOfMatching } from '../core/safety/demands.ts';
import {
  type Consensus,
  createCheckMatcher,
  gatherSources,
  type Intake,
  readSource,
} from '../answers/index.ts';
import type { ProjectMemory } from '../core/words/run.ts';
import { ClaimsRequest } from '../core/request.ts';
import { findFormedClaim, printedIdsOf } from '../core/run-files/finding-names.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { type Claim, markAct } from '../core/words/claim.ts';
import type { Strategy } from '../core/settings.ts';
import { refuseToSend, strategyRecipient } from './egress.ts';
import {
  checkStrategy,
  matcherIdentity,
  openJudge,
  openMatcher,
  openOwnMemory,
} from './open-memory.ts';
import { type OwnState, stateOf } from './own-state.ts';
import { thresholdOf } from './settle.ts';
import { isRunName } from './runs.ts';
import { readNamed } from './subjects.ts';
import { configure } from './trust.ts';

export interface FormedExplanationRequest {
  /** Number of a claim in the printed list, its id, the beginning of one, or a finding that it holds. */
  readonly claim: string;
  /** What the claims are formed of; no run is made. */
  readonly consensus: ClaimsRequest;
}

/** Why a claim of findings that were handed over is what it is. Throws `UserError` like `formConsensus`, and for a claim there is not. */
export async function explainFormed(
  { claim: wanted, consensus: request }: FormedExplanationRequest,
  call: Call,
) {
  const { consensus, matcher, confidence, memory } = await formConsensus(request, call);
  const findings = consensus.findings.map(({ finding }) => finding);
  const said = consensus.panel.map(reviewer => ({
    reviewer,
    findings: findings.filter(finding => finding.reviewer === reviewer),
  }));
  const claims = [...consensus.claims];
  const claim = findFormedClaim(wanted, { claims, blocking: [], reviews: said });
  for (const message of consensus.warnings) noteTo(call)(message);
  return explainClaim({
    formed: { run: null, claims, strategy: consensus.strategy, dismissed: [], completedAt: null },
    printed: printedIdsOf(said),
    claim,
    matcher,
    assess: createAssessor(confidence.model, {
      ...confidence,
      findings: counted(consensus),
      reviews: consensus.reviews,
    }),
    recorded: recordedOf(claim, consensus),
    known: memory.claims.find(({ id }) => id === claim.id) ?? null,
    decisions: memory.dispositions.filter(disposition => disposition.claim === claim.id),
  });
}

/** Each claim of a file once, however many of its findings are here. */
function recordedOf({ findings }: Claim, intake: Intake) {
  const own = new Set(findings);
  const recorded = new Map(
    intake.findings.flatMap(taken =>
      taken.recorded && own.has(taken.finding)
        ? [[taken.recorded, { source: taken.source, ...taken.recorded }] as const]
        : [],
    ),
  );
  return [...recorded.values()];
}

/** Those that form claims. */
function counted({ findings }: Intake) {
  return findings.filter(({ leftOut }) => leftOut === null).map(({ finding }) => finding);
}

/**
 * The claims of findings that were handed over, and what they were formed by. Throws `UserError`: kind `input` for what cannot be
 * read, `usage` for a strategy that cannot run.
 */
export async function formConsensus(input: ClaimsRequest, call: Call) {
  const { files, threshold = null, ...request } = parseRequest(ClaimsRequest, input);
  const { config } = await configure(call, {
    named: request.config,
    wants: ({ embedding, judge, strategy }) =>
      demandsOfMatching({ embedding, judge, strategy: request.strategy ?? strategy }),
  });
  const strategy = request.strategy ?? config.strategy;
  checkThreshold(threshold, strategy);
  checkStrategy({ ...config, strategy }, call);
  const state = await stateOf(call);
  const intake = gatherSources(await readSources(files, state, call));
  const checks = new Map(
    intake.findings.flatMap(({ finding, check }) => (check ? [[finding, check]] : [])),
  );
  const asked = call.matcher ? null : strategyRecipient({ ...config, strategy });
  if (asked)
    await refuseToSend(
      {
        config,
        files: files
          .filter(file => file !== '-')
          .map(file => ['FILE', path.resolve(call.cwd, file)] as const),
        quoted: quotedIn(intake),
        root: state.repositoryRoot,
      },
      { [`strategy ${strategy}`]: asked },
    );
  const { embedding = null } = config;
  const cut = threshold === null ? {} : { cut: threshold / 100 };
  const matching = {
    strategy,
    threshold: threshold ?? thresholdOf(call),
    embedding: embedding && { ...embedding, ...cut },
    judge: config.judge,
    matcher: matcherIdentity(call),
  };
  const opened = await openMatcher(matching, state, call);
  const beside = (own: Matcher) =>
    checks.size === 0 ? own : createCheckMatcher(own, finding => checks.get(finding) ?? null);
  const memory = await openOwnMemory(state, call).read();
  const confidence = confidenceSettings(intake, memory);
  const warnings = [...intake.warnings];
  const formBy = (own: Matcher, warn: (sentence: string) => void) =>
    formClaims({
      findings: counted(intake),
      matcher: own,
      panel: intake.panel,
      reviews: intake.reviews,
      confidence,
      warn,
    });
  const unjudged = beside(opened);
  const formed = await formBy(unjudged, sentence => void warnings.push(sentence));
  const judge = await openJudge(matching, state, call);
  const judged = judge && (await askOutsideRun(opened, judge, call));
  const matcher = judged ? beside(judged) : unjudged;
  const claims = judged ? await formBy(matcher, () => {}) : formed;
  const consensus: Consensus = {
    ...intake,
    warnings,
    strategy: { name: matcher.name, threshold: matcher.threshold, version: matcher.version },
    claims: markAct(claims, {
      cut: cutOf(
        request.act ?? config.act,
        confidenceModel,
        listenersIn(intake.reviews, counted(intake)),
      ),
    }),
  };
  return { consensus, matcher, confidence, memory };
}

/** Files that findings are about, and that their reviewers were shown: who was shown a file may quote it wherever it stands. */
function quotedIn({ findings, reviews }: Intake) {
  const about = findings.flatMap(({ finding }) =>
    finding.location ? [finding.location.path] : [],
  );
  const shown = reviews.flatMap(({ coverage }) =>
    coverage.flatMap(({ path: place, extent }) =>
      extent === 'full' || extent === 'partial' ? [place] : [],
    ),
  );
  return [...new Set([...about, ...shown])];
}

function checkThreshold(threshold: number | null, strategy: Strategy) {
  if (threshold === null || strategy === 'overlap' || strategy === 'embedding') return;
  throw usageError(
    `--threshold: Strategy ${strategy} has no threshold to set.`,
    'It goes with --strategy overlap or --strategy embedding.',
  );
}

/** What people decided here before counts for reviewers of the same names. A name often tells the model behind it. */
function confidenceSettings({ reviews }: Intake, memory: ProjectMemory) {
  return {
    model: confidenceModel,
    reliability: reliabilityOf(memory),
    recalibration: recalibrationOf(decidedConfidences(memory)),
    families: familiesOf(
      reviews.map(({ reviewer: id, model, runner }) => ({ id, runner, model: model ?? id })),
    ),
  };
}

async function readSources(files: readonly string[], state: OwnState, call: Call) {
  if (files.filter(name => name === '-').length > 1)
    throw usageError('FILE: standard input can be read once.');
  const roots = [state.project, call.cwd].map(folder => pathToFileURL(folder).href);
  const sources = [];
  for (const file of files) sources.push(readSource(await openSource(file, state, call), roots));
  return sources;
}

/** What a person names as a source of findings: standard input, a file, the folder of a run, or a run by its id. Throws `UserError`. */
async function openSource(named: string, state: OwnState, call: Call) {
  if (named === '-') return { name: 'standard input', text: await readNamed('-', 'FILE', call) };
  const kind = await kindOf(path.resolve(call.cwd, named));
  if (kind === 'folder') return readRun(path.resolve(call.cwd, named), named, call);
  if (kind === null && isRunName(named))
    return readRun(path.join(runsFolder(state), await state.findAnsweredRun(named)), named, call);
  return { name: named, text: await readNamed(named, 'FILE', call, decodeWhole) };
}

async function readRun(folder: string, named: string, call: Call) {
  const report = path.join(folder, 'report.json');
  if ((await kindOf(report)) !== null)
    return { name: named, text: await readNamed(report, 'FILE', call, decodeWhole) };
  if ((await kindOf(path.join(folder, 'plan.json'))) === null)
    throw inputError(
      `FILE: ${folder} is a folder, and not that of a run.`,
      'Name the files in it.',
    );
  throw inputError(
    `Run ${path.basename(folder)} has not ended.`,
    `To finish it, run "jury resume ${path.basename(folder)}".`,
  );
}

/** Null when nothing is there; what cannot be looked at is left to the reader to name. */
async function kindOf(place: string) {
  try {
    return (await stat(place)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return error instanceof Error &&
      'code' in error &&
      (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      ? null
      : 'file';
  }
}

/**
 * The matcher with the answers of a judge, prepared for the same findings; null where none is asked. Outside of a run nobody is
 * seated, so that only a judge of its own can be.
 */
async function askOutsideRun(
  matcher: Matcher,
  judge: JudgeSettings,
  call: Call,
): Promise<Matcher | null> {
  if (!isJudgeable(matcher)) return null;
  const limits = { maxCalls: null, maxTokens: null, maxCost: null };
  const panel = matcher.panel();
  const { judging } = await askJudge(
    panel,
    {
      plan: {
        run: '',
        seats: [],
        concurrency: 1,
        limits,
        fence: call.ids.nonce(),
        subjectHash: '',
      },
      subject: { kind: 'question', title: '', prompt: '', context: null },
      reviews: [],
      round: 1,
    },
    {
      judge,
      // No folder keeps a journal: what is answered is remembered with the answers of the judge.
      steps: createPassingSteps(),
      clock: call.clock,
      runnerFor: openRunners(call, null),
      secrets: createSecretScanner(),
      ceiling: createCeiling(limits, nothingSpent),
      signal: call.signal,
      note: noteTo(call),
    },
  );
  return withAnswers(matcher, panel, judging);
}
