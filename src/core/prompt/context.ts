/** What reviewers are shown before the instructions: the same text in every door, and what a dry run prints. */
import type { ModeName } from '../mode.ts';
import { makeVisible } from '../visible-text.ts';
import { codeBlock, delimit } from './material.ts';

export interface PromptContext {
  readonly mode: ModeName;
  readonly description: string | null;
  /** Null when the change has no two commits; the line is then left out. */
  readonly commits: { readonly base: string; readonly head: string } | null;
  /** The changed files that are sent, each with its unified diff. */
  readonly files: readonly { readonly path: string; readonly patch: string }[];
  /** Code around the change that is no part of it; null when there is none to show. */
  readonly around?: string | null;
  /** Changed files that are not sent to this reviewer, and why. They are listed, never silently missing. */
  readonly notSent: readonly { readonly path: string; readonly why: string }[];
  /** Text of the plan or the requirements; null when there is none. */
  readonly plan: string | null;
  /** Null in a code review only. */
  readonly prompt: string | null;
  readonly context: string | null;
  /** 32 random hex digits that occur in none of the texts. */
  readonly fence: string;
}

/** Throws only when the fence is not one or stands in a text. */
export function renderContext(input: PromptContext): string {
  return input.mode === 'code-review' ? renderReview(input) : renderQuestion(input);
}

function renderReview(input: PromptContext): string {
  const { description, commits, plan, fence } = input;
  return [
    '# Code Review Context',
    `**Description:** ${isBlank(description) ? 'None provided' : makeVisible(description)}`,
    ...(commits === null ? [] : [renderCommits(commits)]),
    ...renderFileList(input),
    `**Plan/Requirements:**\n${isBlank(plan) ? 'None provided' : delimit(plan, fence)}`,
    ...renderDiff(input),
    ...renderAround(input),
  ].join('\n\n');
}

/** Behind the diff, so that a reviewer has read what it is about. */
function renderAround({ around = null, fence }: PromptContext): string[] {
  return around === null ? [] : [`**Around The Change:** what the changed lines refer to and who uses them, as it stands in the repository. It is not part of the change; do not judge it.\n${delimit(codeBlock(around, ''), fence)}`];
}

/** Without a context and without a change the prompt stands bare. */
function renderQuestion(input: PromptContext): string {
  const { context, commits, prompt, files, notSent, fence } = input;
  const hasChange = files.length + notSent.length > 0;
  const parts = [
    ...(isBlank(context) ? [] : [delimit(context, fence)]),
    ...(commits !== null && hasChange ? [renderCommits(commits)] : []),
    ...(hasChange ? [...renderFileList(input), ...renderDiff(input)] : []),
  ];
  const question = makeVisible(prompt ?? '');
  return parts.length === 0 ? question : ['# Context', ...parts, '# Prompt', question].join('\n\n');
}

function renderCommits({ base, head }: { readonly base: string; readonly head: string }): string {
  return `**Commits:** ${makeVisible(base)}..${makeVisible(head)}`;
}

function renderFileList({ files, notSent, fence }: PromptContext): string[] {
  const paths = [...files, ...notSent].map(file => `- ${onOneLine(file.path)}`);
  const list = paths.length === 0 ? 'None' : delimit(paths.join('\n'), fence);
  return [`**Files Changed:** ${paths.length}`, `**Modified Files:**\n${list}`];
}

function renderDiff({ files, notSent, fence }: PromptContext): string[] {
  const diff = files.map(file => file.patch.replace(/\n$/, '')).join('\n');
  const missing = notSent.map(file => `- ${onOneLine(file.path)} (${onOneLine(file.why)})`).join('\n');
  return [
    `**Full Diff:**\n${delimit(codeBlock(diff, 'diff'), fence)}`,
    ...(missing === '' ? [] : [`**Files Not Sent:** you were not given these; do not judge them.\n${delimit(missing, fence)}`]),
  ];
}

function onOneLine(text: string): string {
  return makeVisible(text).replace(/[\t\r\n]/g, blank => `⟦U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟧`);
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === '';
}
