/** The text a role receives: every key of the pack but the two computed ones, every excerpt, and the labels around them. */
import { codeBlock } from '../../prompt/material.ts';
import { anchorName, type LocalPack, type PackAnchor } from './local-pack.ts';

export type RenderedKeys = Omit<LocalPack, 'token_estimate' | 'bloat_checks'>;

/** `excerptFor`: text of an anchor; null for one that is only pointed at. */
export function renderLocalPack(pack: RenderedKeys, excerptFor: (anchor: PackAnchor) => string | null): string {
  const summaries = new Map(pack.micro_summaries.map(({ ref, summary }) => [ref, summary]));
  return [renderHead(pack), ...pack.anchors.map(anchor => renderAnchor(anchor, summaries.get(anchorName(anchor)) ?? null, excerptFor(anchor)))].join('\n\n') + '\n';
}

function renderHead(pack: RenderedKeys): string {
  return [
    `# Context pack for ${pack.agent}`,
    `task_id: ${pack.task_id}`,
    `goal: ${pack.goal}`,
    `scope_class: ${pack.scope_class}; model_capability: ${pack.model_capability}`,
    renderList('acceptance_criteria', pack.acceptance_criteria),
    renderList('constraints', pack.constraints),
    renderList('risk_notes', pack.risk_notes),
    renderList('open_questions', pack.open_questions),
    renderList('next_actions', pack.next_actions),
  ].join('\n');
}

function renderList(key: string, entries: readonly string[]): string {
  return entries.length === 0 ? `${key}: none` : `${key}:\n${entries.map(entry => `- ${entry}`).join('\n')}`;
}

export function renderAnchor(anchor: PackAnchor, summary: string | null, excerpt: string | null): string {
  const { kind, rev, name, path, lines, ref } = anchor;
  // With a path, a ref is only a second name.
  const label = `## ${kind} ${anchorName({ path, lines, ref })}${path !== undefined && ref !== undefined ? ` ref ${ref}` : ''}${rev === undefined ? '' : ` rev ${rev}`}${name === undefined ? '' : ` (${name})`}`;
  return [label, ...(summary === null ? [] : [summary]), ...(excerpt === null ? [] : [codeBlock(excerpt, '')])].join('\n');
}
