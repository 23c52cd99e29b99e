/**
 * Who is asked: from the configuration and what the caller chose of it, the same when a run begins and when it goes on; of those
 * who a change needs by its size, and how it is measured when somebody must know exactly.
 */
import path from 'node:path';
import type { StateFolder } from '../adapters/store/storage.ts';
import { readTokenObservations } from '../adapters/store/runs.ts';
import { estimatingCounter, loadTokenCounter } from '../adapters/tokens/token-counter.ts';
import { allotBudgets, type Limits } from '../core/context/budget.ts';
import {
  learnFactor,
  type Measure,
  type Measured,
  measureScope,
  triageFiles,
} from '../core/context/review-plan.ts';
import { type Triage, triage } from '../core/context/scope.ts';
import { familyOf, isReader, kindOf } from '../core/words/runner.ts';
import { choosePanel, handOutPersonas } from '../core/panel.ts';
import type { Repository, TokenCounter } from '../core/ports/repository.ts';
import type { Process, Settings } from '../core/process.ts';
import { configuredModes } from '../core/settings.ts';
import type { Change, Subject } from '../core/words/change.ts';
import { type Config, ReviewerConfig, type Seat } from '../core/words/config.ts';
import { modes } from '../core/words/mode.ts';
import type { Plan, SpendingRules } from '../core/words/plan.ts';
import type { Call } from './call.ts';
import type { Configured } from './seat-reviewers.ts';

/** The configuration with the values that a request or its process replaces. */
export function applySettings(config: Config, { quorum, synthesis }: Process, settings: Settings) {
  const given = {
    quorum: settings.quorum ?? quorum,
    strategy: settings.strategy,
    act: settings.act,
    maxCalls: settings.maxCalls,
    maxTokens: settings.maxTokens,
    maxCost: settings.maxCost,
    maxCostPerMonth: settings.maxCostPerMonth,
    // Ideas and findings of research are no defects: nothing about them fails a gate.
    failOn: synthesis === 'answer' ? ['never'] : settings.failOn,
    trust: settings.untrusted ? ('untrusted' as const) : undefined,
    exclude: settings.exclude && [...config.exclude, ...settings.exclude],
  };
  return {
    ...config,
    ...Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
    ),
  };
}

/** Of the run; null each: nobody set one. */
export function limitsOf({ maxCalls, maxTokens, maxCost }: Pick<Config, keyof Limits>): Limits {
  return { maxCalls: maxCalls ?? null, maxTokens: maxTokens ?? null, maxCost: maxCost ?? null };
}

interface ChosenPanel {
  choice: Plan['panel'];
  /** Whom the caller or the configuration names; null: everybody whom that configures. */
  named: readonly string[] | null;
  /** Ids by stage; null: all at once. */
  stages: readonly (readonly string[])[] | null;
}

/** By name, by the configuration, or everybody who can read the subject. */
export function choosePanelOf(
  process: Process,
  config: Config,
  settings: Settings,
  { cwd }: Call,
): ChosenPanel {
  const { config: file, reviewers = null, mode = null, require = [], timeout } = settings;
  const { maxCostPerMonth } = settings;
  return {
    ...(reviewers
      ? { named: reviewers, stages: null }
      : configuredPanel(process, config, settings)),
    choice: {
      config: file === undefined ? null : path.resolve(cwd, file),
      reviewers,
      mode,
      require,
      timeout: timeout ?? null,
      limits: limitsOf(settings),
      ...(maxCostPerMonth !== undefined && { maxCostPerMonth }),
    },
  };
}

function configuredPanel(process: Process, config: Config, settings: Settings) {
  if (process.panel === 'modes') {
    const mode = configuredModes.find(name => name === (process.mode ?? settings.mode));
    return {
      named: (mode && config.modes?.[mode]?.reviewers) ?? everybody(process, config),
      stages: null,
    };
  }
  const own = process.panel === 'processes' ? config.processes?.[process.name] : undefined;
  return {
    named: own?.stages?.flat() ?? own?.reviewers ?? everybody(process, config),
    stages: own?.stages ?? null,
  };
}

/** Who is asked about a text when nobody is configured. */
const usualReaders = ['claude', 'codex', 'gemini'];

/** Static analysers have nothing to say to a text. */
function everybody({ subject, seats }: Process, { reviewers = [] }: Config) {
  if (subject === 'change' || subject === 'commits') return null;
  const readers = reviewers.filter(isReader).map(({ id }) => id);
  return (readers.length > 0 ? readers : usualReaders).slice(0, seats ?? undefined);
}

/** A process has personas of its own; a question is answered by those of its mode. */
export function panelFor(
  { process: { personas, panel: usual }, mode }: { process: Process } & Pick<Plan, 'mode'>,
  config: Config,
  { named, choice: { require } }: ChosenPanel,
) {
  const panel =
    typeof usual === 'string' ? choosePanel(config, named, require) : panelAround(usual, config);
  return handOutPersonas(personas.length > 0 ? personas : modes[mode].personas, panel);
}

/** The usual reviewers in their order, each replaced by a configured one of its name; then the other configured ones. */
function panelAround(usual: Exclude<Process['panel'], string>, { reviewers = [] }: Config) {
  const seats = usual.map(seat => {
    const configured = reviewers.find(reviewer => isNamed(reviewer, seat.id));
    return configured
      ? { ...configured, id: seat.id, required: seat.required || configured.required }
      : ReviewerConfig.parse(seat);
  });
  return [
    ...seats,
    ...reviewers.filter(reviewer => !usual.some(seat => isNamed(reviewer, seat.id))),
  ];
}

function isNamed({ id }: ReviewerConfig, name: string) {
  return id.toLowerCase() === name.toLowerCase();
}

export type Sizing = ReturnType<typeof sizeUp>;

interface SizingRequest extends Pick<SpendingRules, 'complexity' | 'sensitiveFiles'> {
  change: Change;
  /** Did a person name the reviewers? */
  isNamed: boolean;
}

/** Chooses by the size of a change who of the configured reviewers is asked. */
export function sizeUp(
  seats: readonly Seat[],
  { change, complexity, sensitiveFiles, isNamed }: SizingRequest,
) {
  const candidates = seats.map(seat => ({
    id: seat.id,
    required: seat.required,
    role: seat.persona.role,
    files: seat.persona.files,
    isCheck: !isReader(seat),
  }));
  const files = triageFiles(change.files, sensitiveFiles);
  const sorted = triage({ candidates, files, complexity, isNamed });
  const settled = complexity === null ? withEverybody(sorted) : sorted;
  return {
    /** Whoever is asked. */
    seats: seats.filter(({ id }) => settled.seated.some(seated => seated.id === id)),
    triage: settled,
    /** Must a security reviewer read any file? */
    isSensitive: files.some(({ sensitive }) => sensitive),
    complexity,
  };
}

interface MeasureWorld {
  repository: Repository;
  /** Where what providers reported of earlier prompts is kept. */
  state: StateFolder;
}

/** Exact figures of a change, when somebody must know them; null where nobody has a budget. */
export function measureOf(
  { spending, seats }: Plan,
  change: Subject,
  world: MeasureWorld,
): Measure | null {
  if (!spending || change.kind !== 'change') return null;
  let measured: Promise<Measured> | undefined;
  return () => (measured ??= measure(spending, seats, change, world));
}

async function measure(
  { complexity, isolation, sensitiveFiles }: SpendingRules,
  seats: readonly Seat[],
  change: Change,
  { repository, state }: MeasureWorld,
) {
  const spenders = seats.filter(({ runner }) => kindOf(runner) !== 'check');
  // Loading the encoding takes longer than a panel of analysers, which spend no tokens.
  const counter = spenders.length === 0 ? estimatingCounter : await loadTokenCounter();
  const scope = measureScope(await readFiles(change, repository), counter, sensitiveFiles);
  return {
    scope,
    counter,
    factors: await factorsOf(spenders, counter, state),
    budget: allotBudgets({
      totalTokens: scope.total_tokens,
      complexity,
      isolation,
      reviewers: spenders.map(({ id, persona }) => ({ id, base: persona.budget })),
    }),
  };
}

/** Nothing is put upon an estimate, which is further off than any family. */
async function factorsOf(seats: readonly Seat[], counter: TokenCounter, state: StateFolder) {
  if (counter.estimated) return {};
  const observations = await readTokenObservations(state, counter.name);
  return Object.fromEntries(
    seats.map(seat => [seat.id, learnFactor(familyOf(seat), observations)]),
  );
}

/** The configuration is the panel: nobody on it who has something to read is left out unless the caller asks for less. */
function withEverybody({ seated, leftOut, gaps }: Triage) {
  const outside = leftOut.filter(({ isOutside }) => isOutside);
  return {
    seated: [
      ...seated,
      ...leftOut
        .filter(({ isOutside }) => !isOutside)
        .map(({ id, why }) => ({ id, why: [`on the panel, with ${why}`] })),
    ],
    leftOut: outside,
    gaps,
  };
}

/** One after the other: all of a large change at once would be a lot of memory. */
async function readFiles(change: Change, repository: Repository) {
  const read = [];
  for (const file of change.files) {
    const isReadable =
      change.source !== 'patch' &&
      file.status !== 'deleted' &&
      (file.content === 'text' || file.content === 'symlink');
    read.push({ file, text: isReadable ? await repository.read(file, 'new') : null });
  }
  return read;
}

/** Who is seated, before the size of the subject says who is asked. */
export interface Seating extends Configured, ChosenPanel {
  readonly panel: readonly Seat[];
}
