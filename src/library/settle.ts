/** What a request and the configuration settle of a plan, besides who is asked. */
import type { DeliberationSettings } from '../core/words/claim-settings.ts';
import type { Complexity } from '../core/context/budget.ts';
import { usageError } from '../core/errors.ts';
import { defaultRulesOf, type Process, scaleOfContract } from '../core/process.ts';
import { parseFailRules, type RuleChoice } from '../core/verdict/rule-set.ts';
import type { Change } from '../core/words/change.ts';
import { type Config, judgeOf, type Seat } from '../core/words/config.ts';
import { modes } from '../core/words/mode.ts';
import { MotionsSettings } from '../core/words/motions-settings.ts';
import type { Plan } from '../core/words/plan.ts';
import { voicesOf } from '../core/words/reader.ts';
import { type LabelScale, scaleOf } from '../core/words/severity.ts';
import { defaultQuorum } from '../core/panel.ts';
import { type Draft, packRulesOf } from '../engine/make-plan.ts';
import type { Call } from './call.ts';
import { matcherIdentity } from './open-matcher.ts';
import type { Found, Order, Told } from './order.ts';
import { limitsOf } from './panel-choice.ts';
import { readNamed } from './subjects.ts';
import { version } from './version.ts';

/** All that a plan is made of. */
export async function draftOf(order: Order, found: Found, told: Told): Promise<Draft> {
  const { process, mode, settings, call } = order;
  const { config, seats, planned, choice, reviewed, rules, spending, egress, gaps } = found;
  const stages = found.stages?.map(ids => ids.filter(id => seats.some(seat => seat.id === id)));
  const matcher = matcherIdentity(call.matcher);
  return {
    subject: reviewed,
    whole: found.subject,
    fingerprints: await fingerprintsOf(found),
    isSensitive: found.sizing?.isSensitive ?? false,
    decisions: told.decisions,
    quorum: config.quorum ?? null,
    settled: {
      version,
      command: process.name,
      mode,
      description: settings.description ?? null,
      requirements:
        settings.plan === undefined
          ? (settings.requirements ?? null)
          : await readNamed(settings.plan, '--plan', call),
      prompt: planned.prompt,
      context: planned.context,
      seats,
      threshold: thresholdOf(call),
      labels: [...scaleFor(order)],
      policy: {
        failOn: parseFailRules(config.failOn),
        quorum: config.quorum ?? defaultQuorum(voicesOf(firstAsked(seats, stages)).length),
        unverifiedBlocker: config.unverifiedBlocker,
        ...(config.checksOnly && { checksOnly: true }),
      },
      strategy: config.strategy,
      ...(matcher && { matcher }),
      embedding: config.strategy === 'embedding' ? (config.embedding ?? null) : null,
      judge: matcher === undefined ? judgeOf(config) : null,
      trust: config.trust,
      exclude: config.exclude,
      accept: config.accept,
      stages: stages ?? null,
      allStages: settings.allStages ?? false,
      protectedPaths: config.protectedPaths,
      gaps,
      ...(egress && { egress }),
      rules,
      spending,
      limits: limitsOf(config),
    },
    beside: {
      cwd: call.cwd,
      subject: planned.subject,
      act: config.act,
      panel: choice,
      concurrency: config.concurrency,
      ...(config.maxCostPerMonth !== undefined && { maxCostPerMonth: config.maxCostPerMonth }),
      // Not part of what reviewers are asked: a review that was held is put to the vote later without asking it again.
      deliberation: settings.deliberate === true ? deliberationSettings(config) : null,
      guidelines: told.guidelines,
      learnt: told.learnt,
      packs:
        reviewed.kind === 'change' && mode === 'code-review' ? packRulesOf(config, seats) : null,
    },
  };
}

/** Null for one whose answers must not be shared, and for one that is not asked. */
function fingerprintsOf({ seats, runnerFor }: Found): Promise<(string | null)[]> {
  return Promise.all(
    seats.map(async seat =>
      seat.withheld === undefined ? (await runnerFor(seat)).fingerprint(seat) : null,
    ),
  );
}

function firstAsked(seats: readonly Seat[], stages: Plan['stages']): readonly Seat[] {
  const first = stages?.[0];
  return first === undefined ? seats : seats.filter(({ id }) => first.includes(id));
}

/** Under 20 changed lines in one file: the quality reviewer and whoever the file forces onto the panel are enough. */
export function smallest({ sizing }: Process, { files }: Change): Complexity | null {
  const [only] = files;
  const isSmall =
    files.length === 1 &&
    only?.content === 'text' &&
    only.additions + only.deletions < smallChangeLines;
  return sizing === 'small' && isSmall ? 'SIMPLE' : null;
}

const smallChangeLines = 20;

function scaleFor({ process, mode, settings: { scale, severities } }: Order): LabelScale {
  if (severities === undefined)
    return scaleOfContract(process.contract) ?? scale ?? modes[mode].scale;
  const chosen = scaleOf(severities);
  if (chosen === null) throw usageError(`Error: Invalid --severities '${severities.join(',')}'`);
  return chosen;
}

/** Any of the three flags asks for the rule set of a protocol; otherwise the process has one. */
export function ruleChoiceOf({ process, mode, settings }: Order): RuleChoice {
  const { protocol, strict = false, ignoreVetos = false, failOn, rules, reader } = settings;
  if (protocol === 'ci')
    throw usageError(
      '--protocol ci: an exchange of findings between reviewers is not available.',
      'Use veto, aad or vote.',
    );
  const flags = [...(strict ? ['strict'] : []), ...(ignoreVetos ? ['ignore-vetos'] : [])];
  const usual = rules ?? defaultRulesOf(process.name, mode);
  return {
    names: [protocol ?? (flags.length > 0 ? 'veto' : usual), ...flags],
    hasFailRules: failOn !== undefined,
    reader,
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
    throw usageError('Error: SIMILARITY_THRESHOLD must be an integer from 0 to 100');
  return threshold;
}
