/** Gives each chosen reviewer its persona and its limits: the seats of the panel. */
import path from 'node:path';
import { readPersona } from '../adapters/configuration/personas.ts';
import { findConfiguration, parseConfiguration, type ConfigurationFile } from '../adapters/configuration/read-configuration.ts';
import type { Change } from '../core/change.ts';
import { Config, defaultTimeout, type ReviewerConfig, type Seat } from '../core/config.ts';
import { UserError } from '../core/errors.ts';
import type { Repository } from '../core/ports.ts';

export interface Configured {
  readonly config: Config;
  /** Folder relative paths of the configuration refer to. */
  readonly home: string;
  /** What the person should know about where the configuration came from. */
  readonly notes: readonly string[];
}

export interface ConfigurationRequest {
  readonly cwd: string;
  readonly named: string | null;
  readonly change: Change | null;
  readonly repository: Repository | null;
  /** Ends the wait for a configuration that comes through a pipe. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The configuration of the caller. One that was merely found and that the change under review touches is taken from the
 * base of the change: a change must not choose its own judges.
 */
export async function configure({ cwd, named, change, repository, signal }: ConfigurationRequest): Promise<Configured> {
  const found = await findConfiguration(cwd, named, signal);
  if (!found) return { config: Config.parse({}), home: cwd, notes: [] };
  const home = path.dirname(found.file);
  const touched = named === null && change && repository?.root ? touchedPath(found, change, repository.root) : null;
  if (touched === null || !change?.base || !repository) return { config: await parseConfiguration(found), home, notes: [] };
  const text = await repository.readAt(change.base, touched);
  const note = `The change touches ${touched}: ${text === null ? 'it is ignored' : 'its version at the base is used'}. Name it with --config to use it as it stands.`;
  return { config: text === null ? Config.parse({}) : await parseConfiguration({ file: found.file, text }), home, notes: [note] };
}

function touchedPath({ file }: ConfigurationFile, change: Change, root: string): string | null {
  const relative = path.relative(root, file).split(path.sep).join('/');
  return change.files.some(changed => changed.path === relative || changed.oldPath === relative) ? relative : null;
}

export async function seatReviewers(panel: readonly ReviewerConfig[], { config, home }: Configured, timeout: number | undefined): Promise<Seat[]> {
  return Promise.all(panel.map(async reviewer => {
    checkRunner(reviewer);
    return {
      ...reviewer,
      home,
      persona: await readPersona(reviewer.persona, home),
      timeout: timeout ?? reviewer.timeout ?? config.timeout ?? defaultTimeout,
    };
  }));
}

const needs: Partial<Record<ReviewerConfig['runner'], keyof ReviewerConfig>> = { command: 'command', replay: 'answers', api: 'model', builtin: 'analyser' };

const runnersWithTools: ReadonlySet<ReviewerConfig['runner']> = new Set(['claude', 'codex', 'gemini', 'opencode', 'api']);

function checkRunner(reviewer: ReviewerConfig): void {
  if (reviewer.tools === true && !runnersWithTools.has(reviewer.runner)) {
    throw new UserError(`Reviewer "${reviewer.id}": runner ${reviewer.runner} has no tools to offer.`, { kind: 'usage', hint: `Leave out "tools", or use one of ${[...runnersWithTools].join(', ')}.` });
  }
  const key = needs[reviewer.runner];
  if (key !== undefined && reviewer[key] === undefined) {
    throw new UserError(`Reviewer "${reviewer.id}": runner ${reviewer.runner} needs the key "${key}".`, { kind: 'usage', hint: 'See docs/configuration.md.' });
  }
}
