/** Who is asked by a command, from the configuration and what the caller chose of it: the same when a run begins and when it goes on. */
import path from 'node:path';
import { ReviewerConfig, type Config } from '../core/config.ts';
import { choosePanel } from '../core/panel.ts';
import type { PanelChoice } from '../core/plan.ts';
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

export function panelFor(command: string, config: Config, { reviewers, require }: Pick<PanelChoice, 'reviewers' | 'require'>): ReviewerConfig[] {
  return command === 'multi-consensus' ? consensusPanel(config) : handOutPersonas(processOf(command).personas, choosePanel(config, reviewers, require));
}

const usualPersona = ReviewerConfig.shape.persona.parse(undefined);

/** Whoever kept the persona of a code review gets one of the process, in turn. */
function handOutPersonas(personas: readonly string[], panel: readonly ReviewerConfig[]): ReviewerConfig[] {
  let next = 0;
  return panel.map(reviewer => (reviewer.persona !== usualPersona || personas.length === 0 ? reviewer : { ...reviewer, persona: personas[next++ % personas.length] ?? reviewer.persona }));
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
