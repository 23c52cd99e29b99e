/**
 * Turns a request into a prepared run, whatever its process: subject, configuration, panel, plan. Nothing is written and nobody
 * is asked yet.
 */
import { openRepository, type GitRepository } from '../adapters/git/repository.ts';
import { sha256 } from '../adapters/system/ids.ts';
import type { Change, Subject } from '../core/words/change.ts';
import { type Config, defaultFailOn, type Seat } from '../core/words/config.ts';
import type { Complexity } from '../core/context/budget.ts';
import { defaultThresholds } from '../core/context/progressive-mode.ts';
import { BandSettings, type DeliberationSettings } from '../core/words/claim-settings.ts';
import { MotionsSettings } from '../core/words/motions-settings.ts';
import { UserError } from '../core/errors.ts';
import { demandsOfRun } from '../core/safety/demands.ts';
import { egressOf, situationOf } from './egress.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import { modeNamed, modes, type ModeName } from '../core/words/mode.ts';
import { voicesOf } from '../core/words/reader.ts';
import type { Plan, SpendingRules } from '../core/words/plan.ts';
import {
  defaultRulesOf,
  processes,
  processOf,
  Request,
  scaleOfContract,
  type Process,
  type Settings,
} from '../core/process.ts';
import { scaleOf, type LabelScale } from '../core/words/severity.ts';
import { parseRequest } from '../core/schema-problem.ts';
import type { Coverage } from '../core/verdict/record.ts';
import { refuseUnmeetable } from '../core/verdict/meetable.ts';
import type { RuleChoice } from '../core/verdict/rule-set.ts';
import { makePlan } from '../engine/make-plan.ts';
import { foresee, type TrustedBase, withNotices } from './trusted-base.ts';
import { clockOf, idsOf, openOptionsOf, type Call } from './call.ts';
import { checkStrategy, matcherIdentity } from './open-matcher.ts';
import { readDecisions } from './open-memory.ts';
import { readGuidelines } from './read-guidelines.ts';
import { openState, type OwnState } from './own-state.ts';
import { openRunnersOn, type RunnerFor } from './open-world.ts';
import { readOutcomeRules } from './outcome-rules.ts';
import {
  applySettings,
  choosePanelOf,
  panelFor,
  sizeUp,
  type Sizing,
  withJudgeFor,
} from './panel-choice.ts';
import { readNamed, readSubject } from './subjects.ts';
import { configure, seatReviewers } from './seat-reviewers.ts';
import { version } from './version.ts';

export interface Prepared {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly excluded: Coverage['excluded'];
  readonly state: OwnState;
  readonly repository: GitRepository;
  readonly ground: TrustedBase;
  readonly runnerFor: RunnerFor;
  readonly config: Config;
  /** What the caller should know before anybody is asked. One sentence each. */
  readonly notes: readonly string[];
  /** Null when the subject is no change. */
  readonly sizing: Sizing | null;
  /** Is everybody asked about everything, whatever earlier runs have read? */
  readonly fresh: boolean;
}

/** The caller closes `repository` of what this returns. Throws `UserError` for what the caller can put right. */
export async function prepare(request: Request, call: Call): Promise<Prepared> {
  checkName(request);
  const { process: name, ...settings } = parseRequest(Request, request);
  const repository = await openRepository(call.cwd, openOptionsOf(call));
  try {
    return await prepareIn(repository, { process: processOf(name), settings, call });
  } catch (error) {
    await repository.close();
    throw error;
  }
}

function checkName({ process }: { readonly process: string }): void {
  const names = processes.map(({ name }) => name);
  if (!(names as readonly string[]).includes(process))
    throw new UserError(`There is no process "${process}".`, {
      kind: 'usage',
      hint: `Use one of ${names.join(', ')}.`,
    });
}

interface Preparing {
  readonly process: Process;
  readonly settings: Settings;
  readonly call: Call;
}

async function prepareIn(
  repository: GitRepository,
  { process, settings, call }: Preparing,
): Promise<Prepared> {
  const state = await openState(repository.root, call);
  const {
    subject: whole,
    planned,
    spoken,
  } = await readSubject(settings, { process, repository, call });
  const settle = (found: Config): Config => ({
    ...applySettings(found, process, settings),
    ...(spoken && { reviewers: [...spoken.reviewers] }),
  });
  const mode = process.mode ?? modeNamed(settings.mode ?? 'general') ?? 'general-prompt';
  const configured = await configure(call, {
    named: settings.config,
    change: whole.kind === 'change' ? whole : null,
    repository,
    wants: found => {
      const applied = settle(found);
      const { choice } = choosePanelOf(process, applied, settings, call);
      const reviewers = panelFor({ command: process.name, mode }, applied, choice);
      return demandsOfRun(reviewers, {
        ...withJudgeFor(reviewers, applied),
        // Other questions than reviews are told none.
        guidelines: mode === 'code-review' ? applied.guidelines : [],
      });
    },
  });
  const chosen = settle(configured.config);
  checkStrategy(chosen, call);
  const { subject, excluded } = excludeFrom(whole, chosen);
  const { choice, stages } = choosePanelOf(process, chosen, settings, call);
  const reviewers = panelFor({ command: process.name, mode }, chosen, choice);
  const config = withJudgeFor(reviewers, chosen);
  const seated = await seatReviewers(
    reviewers,
    configured,
    choice.timeout ?? undefined,
    situationOf(config.trust, planned.subject),
  );
  const panel = spoken ? seated.map(seat => ({ ...seat, persona: spoken.persona })) : seated;
  const rules = await readOutcomeRules(ruleChoiceOf(process, mode, settings));
  if (!spoken)
    refuseUnmeetable(
      { quorum: config.quorum ?? null, failOn: demandedRules(config), rules },
      panel,
    );
  const sized =
    process.sizing === 'none' || subject.kind !== 'change'
      ? null
      : size(subject, { process, config, settings, repository, panel, state });
  refuseUnreachable(config, panel, sized?.triage ?? null);
  const seats = sized?.seats ?? panel;
  // Where nobody is asked, nothing leaves.
  const egress = spoken
    ? undefined
    : await egressOf(
        {
          config,
          seats,
          subject,
          planned: planned.subject,
          root: repository.root,
          named: [
            ['--plan', settings.plan],
            ['--context-file', settings.contextFile],
          ],
        },
        call,
      );
  const runnerFor = openRunnersOn(
    configured.ground,
    spoken ? { ...call, runners: { [spoken.runner.name]: spoken.runner } } : call,
    repository.root,
  );
  const isAsked = subject.kind === 'change' && mode === 'code-review' && !spoken;
  const told = isAsked ? await readGuidelines({ ...configured, config }, seats) : nothingTold;
  const {
    stand: decisions,
    learnt,
    notes,
  } = await readDecisions(
    { state, subject, ground: configured.ground, repositoryRoot: repository.root },
    clockOf(call).now(),
    call,
  );
  const { verify, notes: verifyNotes } = verifySettings(process, settings, config);
  const foreseen = await foresee(
    configured.ground,
    { subject, source: planned.subject },
    repository,
    call,
  );
  const plan = makePlan(
    {
      version,
      command: process.name,
      mode,
      cwd: call.cwd,
      subject,
      whole,
      subjectRequest: planned.subject,
      prompt: planned.prompt,
      context: planned.context,
      description: settings.description ?? null,
      requirements:
        settings.plan === undefined
          ? (settings.requirements ?? null)
          : await readNamed(settings.plan, '--plan', call),
      seats,
      panel: choice,
      stages: stages?.map(ids => ids.filter(id => seats.some(seat => seat.id === id))) ?? null,
      allStages: settings.allStages ?? false,
      matcher: matcherIdentity(call.matcher),
      gaps: foreseen.gaps,
      egress,
      fingerprints: await fingerprintsOf(seats, runnerFor),
      scale: scaleFor(process, mode, settings),
      config,
      threshold: thresholdOf(call),
      guidelines: told.guidelines,
      // A claim may quote whatever its reviewer was shown: where rules say what may go to whom, nobody is told what was said.
      learnt: egress === undefined && isAsked ? learnt : [],
      decisions,
      rules,
      deliberation: settings.deliberate === true ? deliberationSettings(config) : null,
      verify,
      ...(sized && { spending: sized.rules, isSensitive: sized.isSensitive }),
    },
    { clock: clockOf(call), ids: idsOf(call), hash: sha256 },
  );
  return {
    plan,
    subject: withNotices(subject, foreseen.told),
    excluded,
    state,
    repository,
    ground: configured.ground,
    runnerFor,
    config,
    sizing: sized,
    fresh: settings.fresh ?? false,
    notes: [
      ...configured.notes,
      ...(spoken?.notes ?? []),
      ...(sized?.notes ?? []),
      ...told.notes,
      ...notes,
      ...verifyNotes,
    ],
  };
}

const nothingTold = { guidelines: [], notes: [] };

/** A quorum that somebody set is never lowered: where too few have anything to read, nobody is asked. */
function refuseUnreachable(
  { quorum }: Config,
  panel: readonly Seat[],
  triage: Sizing['triage'] | null,
): void {
  const voices = voicesOf(panel);
  const leftOut = (triage?.leftOut ?? []).filter(({ id }) => voices.some(seat => seat.id === id));
  const readers = voices.length - leftOut.length;
  if (quorum === undefined || leftOut.length === 0 || quorum <= readers) return;
  const isOfDomain = leftOut.every(({ isOutside }) => isOutside);
  throw new UserError(
    `The quorum is ${quorum}, and ${readers} of the ${voices.length} reviewers ` +
      (isOfDomain
        ? `${readers === 1 ? 'has' : 'have'} a file of this change in the domain `
        : `${readers === 1 ? 'is' : 'are'} needed for a change of this size `) +
      `(${leftOut.map(({ id, why }) => `${id}: ${why}`).join('; ')}), so that it can never be met.`,
    {
      kind: 'input',
      hint: isOfDomain
        ? 'Lower the quorum, or seat more reviewers in whose domain the change is.'
        : 'Lower the quorum, or give --complexity STANDARD, which seats all of them.',
    },
  );
}

/** Those that somebody set: the usual ones hold for every panel, as far as it reaches. */
function demandedRules({ failOn }: Config): readonly string[] | null {
  return failOn.join() === defaultFailOn.join() ? null : failOn;
}

/** Null for one whose answers must not be shared, and for one that is not asked. */
function fingerprintsOf(seats: readonly Seat[], runnerFor: RunnerFor): Promise<(string | null)[]> {
  return Promise.all(
    seats.map(async seat =>
      seat.withheld === undefined ? (await runnerFor(seat)).fingerprint(seat) : null,
    ),
  );
}

interface SizeRequest extends Pick<Preparing, 'process' | 'settings'> {
  readonly state: OwnState;
  readonly config: Config;
  readonly repository: GitRepository;
  readonly panel: readonly Seat[];
}

interface Sized extends Sizing {
  readonly seats: readonly Seat[];
  readonly rules: SpendingRules;
  readonly notes: readonly string[];
}

function size(
  change: Change,
  { process, config, settings, repository, panel, state }: SizeRequest,
): Sized {
  const rules: SpendingRules = {
    complexity: settings.complexity ?? smallest(process, change),
    isolation: settings.isolation ?? 'auto',
    sensitiveFiles: config.sensitiveFiles,
    thresholds: config.progressive_summarization ?? defaultThresholds,
    cover: settings.cover ?? config.cover ?? null,
    readers: settings.readers ?? null,
  };
  const sized = sizeUp({
    ...rules,
    change,
    repository,
    state,
    seats: panel,
    isNamed: settings.reviewers !== undefined,
  });
  return {
    ...sized,
    rules,
    notes: sized.triage.leftOut.map(({ id, why }) => `${id} is left out: ${why}.`),
  };
}

/** Under 20 changed lines in one file: the quality reviewer and whoever the file forces onto the panel are enough. */
function smallest({ sizing }: Process, { files }: Change): Complexity | null {
  const [only] = files;
  const isSmall =
    files.length === 1 &&
    only?.content === 'text' &&
    only.additions + only.deletions < smallChangeLines;
  return sizing === 'small' && isSmall ? 'SIMPLE' : null;
}

const smallChangeLines = 20;

function scaleFor(
  { contract }: Process,
  mode: ModeName,
  { scale, severities }: Settings,
): LabelScale {
  if (severities === undefined) return scaleOfContract(contract) ?? scale ?? modes[mode].scale;
  const chosen = scaleOf(severities);
  if (chosen === null)
    throw new UserError(`Error: Invalid --severities '${severities.join(',')}'`, { kind: 'usage' });
  return chosen;
}

/** Any of the three flags asks for the rule set of a protocol; otherwise the process has one. */
function ruleChoiceOf(
  { name }: Process,
  mode: ModeName,
  { protocol, strict = false, ignoreVetos = false, failOn, rules, reader }: Settings,
): RuleChoice {
  if (protocol === 'ci')
    throw new UserError(
      '--protocol ci: an exchange of findings between reviewers is not available.',
      { kind: 'usage', hint: 'Use veto, aad or vote.' },
    );
  const flags = [...(strict ? ['strict'] : []), ...(ignoreVetos ? ['ignore-vetos'] : [])];
  const usual = rules ?? defaultRulesOf(name, mode);
  return {
    names: [protocol ?? (flags.length > 0 ? 'veto' : usual), ...flags],
    hasFailRules: failOn !== undefined,
    reader,
  };
}

/**
 * Only of a process whose request can say it: what others return is bound by a contract. A vote asks everybody about what few
 * support, so that nobody is asked about the band besides.
 */
function verifySettings(
  { request }: Process,
  settings: Settings,
  config: Config,
): { readonly verify: Plan['verify']; readonly notes: readonly string[] } {
  const level = settings.verify ?? config.verify ?? 'off';
  if (!('verify' in request.shape) || level === 'off') return { verify: null, notes: [] };
  const isVoted = settings.deliberate === true && level === 'band';
  return {
    verify: {
      level: isVoted ? 'checks' : level,
      batch: config.motions?.batch ?? defaultBatch,
      band: config.band ?? BandSettings.parse({}),
    },
    notes: isVoted
      ? [
          '--deliberate is used and not --verify band: the vote asks everybody about the claims that few ' +
            'support, and of the band only what can be looked up is.',
        ]
      : [],
  };
}

/** Claims in one call. */
const defaultBatch = 5;

/** The thresholds of the formal vote: claims and motions are sorted alike. */
function deliberationSettings(config: Config): DeliberationSettings {
  const {
    low,
    medium,
    consensus,
    contested,
    batch = defaultBatch,
    panel_concurrency: panelConcurrency = 2,
  } = config.motions ?? MotionsSettings.parse({});
  return { low, medium, consensus, contested, batch, panelConcurrency };
}

/** Percent of shared words at which the overlap strategy calls two findings the same. */
export function thresholdOf({ environment }: Call): number {
  const text = environment.SIMILARITY_THRESHOLD ?? '60';
  const threshold = Number(text);
  if (!/^\d{1,3}$/.test(text) || threshold > 100)
    throw new UserError('Error: SIMILARITY_THRESHOLD must be an integer from 0 to 100', {
      kind: 'usage',
    });
  return threshold;
}
