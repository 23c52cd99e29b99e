/** Reads findings that were produced elsewhere and forms claims of them. */
import { pathToFileURL } from 'node:url';
import { ensureIgnored } from '../adapters/store/ignore-file.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { formClaims } from '../core/consensus/claims.ts';
import { UserError } from '../core/errors.ts';
import { createCheckMatcher } from '../core/intake/check-matcher.ts';
import type { Consensus } from '../core/intake/consensus.ts';
import { gatherSources } from '../core/intake/intake.ts';
import { readSource } from '../core/intake/read-source.ts';
import type { Source } from '../core/intake/source.ts';
import { ClaimsRequest } from '../core/request.ts';
import type { Call } from './call.ts';
import { openMatcher } from './open-matcher.ts';
import { openSource } from './open-source.ts';
import { thresholdOf } from './prepare-review.ts';
import { repositoryRootOf } from './root.ts';
import { configure } from './seat-reviewers.ts';

/** Throws `UserError`: kind `input` for what cannot be read, `usage` for a strategy that cannot run. */
export async function formConsensus(input: ClaimsRequest, call: Call): Promise<Consensus> {
  const { files, threshold, ...request } = ClaimsRequest.parse(input);
  const { config } = await configure({ cwd: call.cwd, named: request.config ?? null, change: null, repository: null });
  const strategy = request.strategy ?? config.strategy;
  if (threshold !== undefined && strategy !== 'overlap' && strategy !== 'embedding') {
    throw new UserError(`--threshold: Strategy ${strategy} has no threshold to set.`, { kind: 'usage', hint: 'It goes with --strategy overlap or --strategy embedding.' });
  }
  const repositoryRoot = await repositoryRootOf(call);
  const root = repositoryRoot ?? call.cwd;
  const intake = gatherSources(await readSources(files, root, call));
  // Those that ask an endpoint remember its answers in `.jury`.
  if (strategy === 'embedding' || strategy === 'llm') await ensureIgnored(repositoryRoot);
  const embedding = config.embedding === undefined ? null : { ...config.embedding, cut: threshold === undefined ? config.embedding.cut : threshold / 100 };
  const opened = await openMatcher({ strategy, threshold: threshold ?? thresholdOf(call), embedding, judge: config.judge ?? null }, root, call);
  const checks = new Map(intake.findings.flatMap(({ finding, check }) => (check === null ? [] : [[finding, check]])));
  const matcher = checks.size === 0 ? opened : createCheckMatcher(opened, finding => checks.get(finding) ?? null);
  const findings = intake.findings.filter(({ leftOut }) => leftOut === null).map(({ finding }) => finding);
  const claims = await formClaims({ findings, matcher, panel: intake.panel, reviews: intake.reviews, hash: sha256 });
  return { ...intake, strategy: { name: matcher.name, threshold: matcher.threshold, version: matcher.version }, claims };
}

async function readSources(files: readonly string[], root: string, call: Call): Promise<Source[]> {
  if (files.filter(name => name === '-').length > 1) throw new UserError('FILE: standard input can be read once.', { kind: 'usage' });
  const roots = [root, call.cwd].map(folder => pathToFileURL(folder).href);
  const sources: Source[] = [];
  for (const file of files) sources.push(readSource(await openSource(file, root, call), roots));
  return sources;
}
