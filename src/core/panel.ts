/** Who sits on the panel: the configured reviewers, the ones named on the command line, or the embedded default. */
import { analyserNames, ReviewerConfig, type Config } from './config.ts';
import { didYouMean, UserError } from './errors.ts';
import { nearest } from './schema-problem.ts';

/** The reviewers that need no key, no model and no network; `jury review` asks them when nobody configured others. */
export const builtinPanel: readonly ReviewerConfig[] = analyserNames.map(analyser =>
  ReviewerConfig.parse({ id: analyser, runner: 'builtin', analyser, persona: analyser === 'secrets' || analyser === 'patterns' ? 'security-reviewer' : 'code-quality-reviewer' }),
);

const commandLineClients = ['claude', 'codex', 'gemini', 'opencode'] as const;

/** Reviewers anybody may name without configuring them: the built-in analysers and the coding-agent clients. */
export const nameableReviewers: readonly ReviewerConfig[] = [...builtinPanel, ...commandLineClients.map(client => ReviewerConfig.parse({ id: client, runner: client }))];

/**
 * The panel in display order. `named` comes from `--reviewers` or from the mode's list and may name configured
 * reviewers (letter case does not matter), built-in analysers and clients; `required` must be among them.
 */
export function choosePanel(config: Config, named: readonly string[] | null, required: readonly string[]): ReviewerConfig[] {
  const configured = config.reviewers ?? [];
  const known = [...configured, ...nameableReviewers.filter(reviewer => !configured.some(({ id }) => isSameName(id, reviewer.id)))];
  const panel = named === null ? (config.reviewers ?? builtinPanel) : unique(named).map(name => findReviewer(name, known));
  const forced = new Set(required.map(name => findReviewer(name, panel).id));
  return panel.map(reviewer => ({ ...reviewer, required: reviewer.required || forced.has(reviewer.id) }));
}

/** More than half of the panel. */
export function defaultQuorum(panelSize: number): number {
  return Math.floor(panelSize / 2) + 1;
}

function findReviewer(name: string, known: readonly ReviewerConfig[]): ReviewerConfig {
  const found = known.find(({ id }) => isSameName(id, name));
  if (found) return found;
  const ids = known.map(({ id }) => id);
  throw new UserError(`Unknown reviewer "${name}"; known are ${ids.join(', ')}.`, { kind: 'usage', hint: didYouMean(nearest(name, ids)) });
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function unique(names: readonly string[]): string[] {
  return names.filter((name, index) => names.findIndex(other => isSameName(other, name)) === index);
}
