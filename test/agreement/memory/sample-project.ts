/** A project in memory: files, what reviewers say about them, and what is remembered from run to run. */
import type { ChangedFile } from '../../../src/core/words/change.ts';
import { formClaims } from '../../../src/agreement/claims.ts';
import { createCalibratedMatcher } from '../../../src/agreement/calibrated.ts';
import { matcherModel } from '../../../src/agreement/calibrated-model.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import { decideAbout, type Decision } from '../../../src/agreement/memory/decision.ts';
import type {
  Disposition,
  KnownClaim,
  ProjectMemory,
  RememberedRun,
} from '../../../src/core/words/run.ts';
import { rememberRun } from '../../../src/agreement/memory/remember-run.ts';
import type { Review } from '../../../src/core/words/review.ts';
import { findingOf, readInFull, reviewOf } from '../sample.ts';
import { sampleChange, sampleFile, sampleHunk } from '../../core/sample.ts';

export interface Saying {
  readonly reviewer: string;
  readonly text: string;
  readonly path?: string;
  readonly line?: number;
  readonly label?: string;
  readonly category?: string;
  readonly side?: 'old' | 'new';
}

export interface RunOptions {
  readonly run?: string;
  /** Replaces the review of a reviewer in part. */
  readonly reviews?: Readonly<Record<string, Partial<Review>>>;
  readonly isDecided?: boolean;
  readonly files?: readonly Partial<ChangedFile>[];
  readonly day?: string;
}

export const panel = ['alpha', 'beta', 'gamma'];

export interface SampleProject {
  /** Contents by path: all of it is shown to the reviewers. */
  readonly texts: Map<string, string>;
  memory: ProjectMemory;
  hold(sayings: readonly Saying[], options?: RunOptions): Promise<RememberedRun>;
  decide(claim: string, decision?: Partial<Decision>): Disposition;
}

export function createProject(texts: Readonly<Record<string, string>>) {
  let runs = 0;
  const project: SampleProject = {
    texts: new Map(Object.entries(texts)),
    memory: { claims: [], dispositions: [] },
    async hold(sayings, options = {}) {
      runs += 1;
      const remembered = await holdRun(project, sayings, { run: `run-${runs}`, ...options });
      project.memory = {
        ...project.memory,
        claims: merge(project.memory.claims, remembered.changed),
      };
      return remembered;
    },
    decide(claim, decision = {}) {
      const known = project.memory.claims.find(({ id }) => id === claim);
      if (known === undefined) throw new Error(`${claim} is not known`);
      const at = `2026-11-21T10:00:${String(project.memory.dispositions.length).padStart(2, '0')}.000Z`;
      const disposition = decideAbout(known, {
        verdict: 'rejected',
        reason: 'it is not so',
        scope: 'claim',
        until: null,
        at,
        ...decision,
      });
      project.memory = {
        ...project.memory,
        dispositions: [disposition, ...project.memory.dispositions],
      };
      return disposition;
    },
  };
  return project;
}

async function holdRun(
  { texts, memory }: SampleProject,
  sayings: readonly Saying[],
  { run = '', reviews: parts = {}, isDecided = true, files = [], day = '2026-11-21' }: RunOptions,
) {
  const change = sampleChange({
    files: [...texts].map(([path, text], index) => ({ ...fileOf(path, text), ...files[index] })),
  });
  const findings = sayings.map(({ reviewer, text, side = 'new', ...sample }, index) => {
    const finding = findingOf(reviewer, text, { ...sample, id: `#${index + 1}` });
    return { ...finding, location: finding.location && { ...finding.location, side } };
  });
  const reviews = panel.map(id =>
    reviewOf(id, { coverage: readInFull(...texts.keys()), ...parts[id] }),
  );
  const claims = await formClaims({
    findings,
    matcher: createCalibratedMatcher(matcherModel),
    panel,
    reviews,
  });
  return rememberRun(memory, {
    run,
    at: `${day}T12:00:00.000Z`,
    change,
    reviews,
    claims,
    families: new Map(),
    read: file =>
      Promise.resolve(file.status === 'deleted' ? null : (texts.get(file.path) ?? null)),
    matcher: createCalibratedMatcher(matcherModel),
    isDecided: () => isDecided,
  });
}

function fileOf(path: string, text: string) {
  const lines = text.split('\n').length;
  return sampleFile({
    path,
    additions: lines,
    hunks: [sampleHunk([1, lines], [1, lines])],
  });
}

function merge(known: readonly KnownClaim[], changed: readonly KnownClaim[]) {
  return [...new Map([...known, ...changed].map(claim => [claim.id, claim])).values()];
}

export function only(claims: readonly Claim[]) {
  const [claim] = claims;
  if (claim === undefined || claims.length > 1)
    throw new Error(`${claims.length} claims instead of one`);
  return claim;
}
