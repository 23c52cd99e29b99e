/** Reads findings that were produced elsewhere and forms claims of them. */
import { pathToFileURL } from 'node:url';
import { ensureIgnored } from '../adapters/store/ignore-file.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { markAct } from '../core/words/claim.ts';
import type { Config, Strategy } from '../core/words/config.ts';
import { confidenceModel } from '../core/matching/calibrated-model.ts';
import { formClaims, type ConfidenceSettings } from '../core/matching/claims.ts';
import { UserError } from '../core/errors.ts';
import { demandsOfMatching } from '../core/safety/demands.ts';
import { createCheckMatcher } from '../core/intake/check-matcher.ts';
import { type Consensus, gatherSources, type Intake } from '../core/intake/intake.ts';
import { readSource } from '../core/intake/read-source.ts';
import type { Source } from '../core/intake/source.ts';
import { familyOf } from '../core/memory/family.ts';
import { reliabilityOf } from '../core/memory/reliability.ts';
import type { Matcher } from '../core/ports.ts';
import { ClaimsRequest } from '../core/request.ts';
import { parseRequest } from '../core/schema-problem.ts';
import type { Call } from './call.ts';
import { matcherIdentity, openMatcher } from './open-matcher.ts';
import { openOwnMemory } from './open-memory.ts';
import { openSource } from './open-source.ts';
import { ownStateIn, type OwnState } from './own-state.ts';
import { thresholdOf } from './prepare.ts';
import { repositoryRootOf, stateRootIn } from './root.ts';
import { configure } from './seat-reviewers.ts';

/** Throws `UserError`: kind `input` for what cannot be read, `usage` for a strategy that cannot run. */
export async function formConsensus(input: ClaimsRequest, call: Call): Promise<Consensus> {
  const { files, threshold = null, ...request } = parseRequest(ClaimsRequest, input);
  const { config } = await configure({
    cwd: call.cwd,
    named: request.config ?? null,
    change: null,
    repository: null,
    given: call,
    wants: ({ embedding, judge, strategy }) =>
      demandsOfMatching({ embedding, judge, strategy: request.strategy ?? strategy }),
    signal: call.signal,
  });
  const strategy = request.strategy ?? config.strategy;
  checkThreshold(threshold, strategy);
  const repositoryRoot = await repositoryRootOf(call);
  const state = ownStateIn(stateRootIn(repositoryRoot, call), call);
  const intake = gatherSources(await readSources(files, state, call));
  // Those that ask an endpoint remember its answers in `.jury`.
  if (strategy === 'embedding' || strategy === 'llm') await ensureIgnored(repositoryRoot);
  const checks = new Map(
    intake.findings.flatMap(({ finding, check }) => (check === null ? [] : [[finding, check]])),
  );
  const opened = await openStrategy({ ...config, strategy }, { threshold, root: state.root, call });
  const matcher =
    checks.size === 0 ? opened : createCheckMatcher(opened, finding => checks.get(finding) ?? null);
  const findings = intake.findings
    .filter(({ leftOut }) => leftOut === null)
    .map(({ finding }) => finding);
  const claims = await formClaims({
    findings,
    matcher,
    panel: intake.panel,
    reviews: intake.reviews,
    hash: sha256,
    confidence: await confidenceSettings(intake, state, call),
  });
  return {
    ...intake,
    strategy: { name: matcher.name, threshold: matcher.threshold, version: matcher.version },
    // The figures were measured on what models say; of what a rule finds they say nothing.
    claims: markAct(
      claims.map(claim =>
        claim.findings.some(finding => checks.has(finding))
          ? { ...claim, confidence: null }
          : claim,
      ),
    ),
  };
}

function checkThreshold(threshold: number | null, strategy: Strategy): void {
  if (threshold === null || strategy === 'overlap' || strategy === 'embedding') return;
  throw new UserError(`--threshold: Strategy ${strategy} has no threshold to set.`, {
    kind: 'usage',
    hint: 'It goes with --strategy overlap or --strategy embedding.',
  });
}

interface MatchingContext {
  /** Percent. */
  readonly threshold: number | null;
  readonly root: string;
  readonly call: Call;
}

function openStrategy(
  { strategy, embedding, judge }: Config,
  { threshold, root, call }: MatchingContext,
): Promise<Matcher> {
  const cut =
    embedding === undefined
      ? null
      : { ...embedding, cut: threshold === null ? embedding.cut : threshold / 100 };
  return openMatcher(
    {
      strategy,
      threshold: threshold ?? thresholdOf(call),
      embedding: cut,
      judge: judge ?? null,
      matcher: matcherIdentity(call.matcher),
    },
    root,
    call,
  );
}

/** What people decided here before counts for reviewers of the same names. A name often tells the model behind it. */
async function confidenceSettings(
  { reviews }: Intake,
  state: OwnState,
  call: Call,
): Promise<ConfidenceSettings> {
  const memory = await (await openOwnMemory(state, call)).read();
  const families = reviews.map(
    ({ reviewer, model, runner }) =>
      [reviewer, familyOf({ model: model ?? reviewer, runner: runner ?? 'builtin' })] as const,
  );
  return {
    model: confidenceModel,
    reliability: reliabilityOf(memory),
    families: new Map(
      families.flatMap(([reviewer, family]) => (family === null ? [] : [[reviewer, family]])),
    ),
  };
}

async function readSources(
  files: readonly string[],
  state: OwnState,
  call: Call,
): Promise<Source[]> {
  if (files.filter(name => name === '-').length > 1)
    throw new UserError('FILE: standard input can be read once.', { kind: 'usage' });
  const roots = [state.root, call.cwd].map(folder => pathToFileURL(folder).href);
  const sources: Source[] = [];
  for (const file of files) sources.push(readSource(await openSource(file, state, call), roots));
  return sources;
}
