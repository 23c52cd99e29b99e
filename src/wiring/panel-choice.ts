/** Who is asked by a command, from the configuration and what the caller chose of it: the same when a run begins and when it goes on. */
import path from 'node:path';
import { ReviewerConfig, type Config } from '../core/config.ts';
import { modes } from '../core/mode.ts';
import { choosePanel, handOutPersonas } from '../core/panel/choose-panel.ts';
import type { PanelChoice, Plan } from '../core/plan.ts';
import { processOf } from '../core/process.ts';
import type { Call } from './call.ts';

interface Choosing {
  readonly config?: string | undefined;
  readonly require?: readonly string[] | undefined;
  readonly timeout?: number | undefined;
}

export function choiceOf({ config, require = [], timeout }: Choosing, reviewers: readonly string[] | null, { cwd }: Call): PanelChoice {
  return { config: config === undefined ? null : path.resolve(cwd, config), reviewers, require, timeout: timeout ?? null };
}

/** A process has personas of its own; a question is answered by those of its mode. */
export function panelFor({ command, mode }: Pick<Plan, 'command' | 'mode'>, config: Config, { reviewers, require }: Pick<PanelChoice, 'reviewers' | 'require'>): ReviewerConfig[] {
  const own = processOf(command).personas;
  const panel = command === 'multi-consensus' ? consensusPanel(config) : choosePanel(config, reviewers, require);
  return handOutPersonas(own.length > 0 ? own : modes[mode].personas, panel);
}

const usualPanel = [
  { id: 'Claude', runner: 'claude', required: true },
  { id: 'Gemini', runner: 'gemini', required: false },
  { id: 'Codex', runner: 'codex', required: false },
] as const;

/** The three usual reviewers in their order, each replaced by a configured one of its name; then the other configured ones. */
function consensusPanel({ reviewers = [] }: Pick<Config, 'reviewers'>): ReviewerConfig[] {
  const usual = usualPanel.map(seat => {
    const configured = reviewers.find(reviewer => isNamed(reviewer, seat.id));
    return configured === undefined ? ReviewerConfig.parse(seat) : { ...configured, id: seat.id, required: seat.required || configured.required };
  });
  return [...usual, ...reviewers.filter(reviewer => !usualPanel.some(seat => isNamed(reviewer, seat.id)))];
}

function isNamed({ id }: ReviewerConfig, name: string): boolean {
  return id.toLowerCase() === name.toLowerCase();
}
