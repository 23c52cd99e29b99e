/** Who is asked by a process, from the configuration and what the caller chose of it: the same when a run begins and when it goes on. */
import path from 'node:path';
import { ReviewerConfig, type Config } from '../core/words/config.ts';
import { modes } from '../core/words/mode.ts';
import { choosePanel, handOutPersonas, usualReaders } from '../core/panel.ts';
import type { PanelChoice, Plan } from '../core/words/plan.ts';
import { processOf, type Process, type Settings, type UsualSeat } from '../core/process.ts';
import { configuredModes } from '../core/settings.ts';
import type { Call } from './call.ts';

/** The configuration with the values that a request or its process replaces. */
export function applySettings(
  config: Config,
  { quorum, synthesis }: Process,
  settings: Settings,
): Config {
  const given = {
    quorum: settings.quorum ?? quorum,
    strategy: settings.strategy,
    maxCalls: settings.maxCalls,
    maxTokens: settings.maxTokens,
    maxCost: settings.maxCost,
    // Ideas and findings of research are no defects: nothing about them fails a gate.
    failOn: synthesis === 'answer' ? ['never'] : settings.failOn,
    trust: settings.untrusted === true ? ('untrusted' as const) : undefined,
    exclude: settings.exclude && [...config.exclude, ...settings.exclude],
  };
  return {
    ...config,
    ...Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
    ),
  };
}

interface ChosenPanel {
  readonly choice: PanelChoice;
  /** Ids by stage; null: all at once. */
  readonly stages: readonly (readonly string[])[] | null;
}

/** By name, by the configuration, or everybody who can read the subject. */
export function choosePanelOf(
  process: Process,
  config: Config,
  settings: Settings,
  { cwd }: Call,
): ChosenPanel {
  const { config: named, reviewers: given, require = [], timeout } = settings;
  const { reviewers, stages } =
    given === undefined
      ? configuredPanel(process, config, settings)
      : { reviewers: given, stages: null };
  return {
    choice: {
      config: named === undefined ? null : path.resolve(cwd, named),
      reviewers,
      require,
      timeout: timeout ?? null,
    },
    stages,
  };
}

interface ConfiguredPanel {
  /** Null: the whole panel. */
  readonly reviewers: readonly string[] | null;
  readonly stages: ChosenPanel['stages'];
}

function configuredPanel(process: Process, config: Config, settings: Settings): ConfiguredPanel {
  if (process.panel === 'modes') {
    const mode = configuredModes.find(name => name === (process.mode ?? settings.mode));
    return {
      reviewers: (mode && config.modes?.[mode]?.reviewers) ?? everybody(process, config),
      stages: null,
    };
  }
  const own = process.panel === 'processes' ? config.processes?.[process.name] : undefined;
  return {
    reviewers: own?.stages?.flat() ?? own?.reviewers ?? everybody(process, config),
    stages: own?.stages ?? null,
  };
}

/** Static analysers have nothing to say to a text. */
function everybody(
  { subject, seats }: Process,
  { reviewers = [] }: Config,
): readonly string[] | null {
  if (subject === 'change' || subject === 'commits') return null;
  const readers = reviewers.filter(({ runner }) => runner !== 'builtin').map(({ id }) => id);
  return (readers.length > 0 ? readers : usualReaders).slice(0, seats ?? undefined);
}

/** A process has personas of its own; a question is answered by those of its mode. */
export function panelFor(
  { command, mode }: Pick<Plan, 'command' | 'mode'>,
  config: Config,
  { reviewers, require }: Pick<PanelChoice, 'reviewers' | 'require'>,
): ReviewerConfig[] {
  const { personas, panel: usual } = processOf(command);
  const panel =
    typeof usual === 'string'
      ? choosePanel(config, reviewers, require)
      : panelAround(usual, config);
  return handOutPersonas(personas.length > 0 ? personas : modes[mode].personas, panel);
}

/** The usual reviewers in their order, each replaced by a configured one of its name; then the other configured ones. */
function panelAround(
  usual: readonly UsualSeat[],
  { reviewers = [] }: Pick<Config, 'reviewers'>,
): ReviewerConfig[] {
  const seats = usual.map(seat => {
    const configured = reviewers.find(reviewer => isNamed(reviewer, seat.id));
    return configured === undefined
      ? ReviewerConfig.parse(seat)
      : { ...configured, id: seat.id, required: seat.required || configured.required };
  });
  return [
    ...seats,
    ...reviewers.filter(reviewer => !usual.some(seat => isNamed(reviewer, seat.id))),
  ];
}

function isNamed({ id }: ReviewerConfig, name: string): boolean {
  return id.toLowerCase() === name.toLowerCase();
}
