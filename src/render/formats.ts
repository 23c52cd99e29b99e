/** Every way a run can be printed. A new format is one file and one line here. */
import type { Run } from '../core/run.ts';
import { renderReturned } from '../core/write-behind/returned.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import type { RenderOptions } from './page.ts';
import { renderTerminal } from './terminal.ts';

export type { RenderOptions } from './page.ts';

export const formats = ['brief', 'terminal', 'markdown', 'json'] as const;
export type Format = (typeof formats)[number];

export const renderers: Readonly<Record<Format, (run: Run, options: RenderOptions) => string>> = {
  brief: run => `${renderReturned(run)}\n`,
  terminal: renderTerminal,
  markdown: renderMarkdown,
  json: renderJson,
};
