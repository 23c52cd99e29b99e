/** Every way a run can be printed. A new format is one painter and one line here. */
import type { Run } from '../core/words/run.ts';
import { renderReturned } from '../core/run-files/brief.ts';
import { sayOutcome } from '../core/verdict/outcome.ts';
import { describeRun } from './describe-run.ts';
import { renderGithub } from './formats/entries.ts';
import { renderGitlab, renderJunit } from './formats/ci-reports.ts';
import { renderSarif } from './formats/sarif.ts';
import { renderJson } from './figures.ts';
import { paintHtml, paintMarkdown } from './to-markup.ts';
import { paintTerminal, type RenderOptions } from './to-terminal.ts';

export type { RenderOptions } from './to-terminal.ts';

export const formats = [
  'brief',
  'terminal',
  'markdown',
  'html',
  'json',
  'sarif',
  'junit',
  'github',
  'gitlab',
] as const;
export type Format = (typeof formats)[number];

interface ReportOptions extends RenderOptions {
  /** Code the process ends with; absent: that of the outcome. */
  exitCode?: number | undefined;
}

export const renderers: Readonly<Record<Format, (run: Run, options: ReportOptions) => string>> = {
  brief: run => `${renderReturned(run)}\n`,
  terminal: (run, options) => paintTerminal(describeRun(run, 'screen', options.exitCode), options),
  markdown: (run, { exitCode }) => paintMarkdown(describeRun(run, 'page', exitCode)),
  html: (run, { exitCode }) =>
    paintHtml(
      `Jury: ${sayOutcome(run.record)} ${run.record.subject.title}`,
      describeRun(run, 'page', exitCode),
    ),
  json: (run, { exitCode }) => renderJson(run, exitCode),
  sarif: (run, { exitCode }) => renderSarif(run, exitCode),
  junit: renderJunit,
  github: renderGithub,
  gitlab: renderGitlab,
};
