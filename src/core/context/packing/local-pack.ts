/** The Local Context Pack and its side file: the schema that reads them, what a written one has to satisfy, and its text. */
import { z } from 'zod';
import { codeBlock } from '../../prompt/material.ts';
import { type PackRole, scopeClasses } from '../scope-class.ts';
import { visibleName } from '../../safety/visible-text.ts';
import { toOneLine } from '../../text.ts';
import { isLinePointer, renderLinePointers } from './line-pointer.ts';
import { parseRange } from './line-range.ts';
import { Count, Texts } from '../../words/fields.ts';

export const agentNames = [
  'Planner',
  'Thinker',
  'Implementer',
  'Verifier',
  'Reviewer',
  'Critical',
  'Supervisor',
] as const;
export const AgentName = z.enum(agentNames);
export type AgentName = z.infer<typeof AgentName>;

export const capabilityNames = [
  'fast_code',
  'reasoning_high',
  'reasoning_ultra',
  'long_context',
  'cheap_batch',
] as const;
export const Capability = z.enum(capabilityNames);

const anchorKinds = ['code', 'test', 'kb', 'decision', 'artifact'] as const;
export const AnchorKind = z.enum(anchorKinds);
export type AnchorKind = z.infer<typeof AnchorKind>;

/** At most so many anchors with an excerpt, unless all of them are the change itself, and so many summaries. Pointers are not counted. */
export const mostAnchors = 24;
/** Lines of one excerpt. */
export const longestExcerpt = 60;

export const PackAnchor = z.strictObject({
  kind: AnchorKind,
  path: z.string().optional(),
  lines: z.string().optional(),
  rev: z.string().optional(),
  ref: z.string().optional(),
  name: z.string().optional(),
});
export type PackAnchor = z.infer<typeof PackAnchor>;

const Summary = z
  .string()
  .min(1)
  .max(320)
  .refine(text => text.split('\n').length <= 3, 'must have at most three lines');

const LocalPackShape = z.strictObject({
  agent: AgentName,
  task_id: z.string().min(1),
  goal: z.string().min(1),
  acceptance_criteria: Texts,
  constraints: Texts,
  scope_class: z.enum(scopeClasses),
  model_capability: Capability,
  anchors: z.array(PackAnchor),
  micro_summaries: z.array(z.strictObject({ ref: z.string(), summary: Summary })).max(mostAnchors),
  risk_notes: Texts,
  open_questions: Texts,
  next_actions: Texts,
  token_estimate: Count,
  bloat_checks: z.strictObject({
    dedup_ok: z.boolean(),
    within_budget: z.boolean(),
    no_large_blobs: z.boolean(),
  }),
});

/**
 * What can be read. `summaryTargets` of each summary are checked here, the rules of written packs in `findUnwritten`, their
 * number in `hasTooManyAnchors`.
 */
export const LocalPack = LocalPackShape.superRefine(({ anchors, micro_summaries }, context) => {
  const targets = new Set(anchors.flatMap(namesOf));
  for (const [index, { ref }] of micro_summaries.entries()) {
    if (!targets.has(ref))
      context.addIssue({
        code: 'custom',
        path: ['micro_summaries', index, 'ref'],
        message: `${JSON.stringify(ref)} names no anchor of this pack`,
      });
  }
});
export type LocalPack = z.infer<typeof LocalPackShape>;

/** The names a summary may call an anchor by. */
function namesOf({ path, lines, ref }: PackAnchor): string[] {
  return [
    ...(path === undefined ? [] : [path]),
    ...(path !== undefined && lines !== undefined ? [`${path}:${lines}`] : []),
    ...(ref === undefined ? [] : [ref]),
  ];
}

/** How an anchor is called in summaries, side files and messages. */
export function anchorName({
  path,
  lines,
  ref,
}: Pick<PackAnchor, 'path' | 'lines' | 'ref'>): string {
  if (path === undefined) return ref ?? 'anchor without a place';
  return lines === undefined ? path : `${path}:${lines}`;
}

/** What an anchor of a written pack lacks, one phrase each. */
export function findUnwritten({ kind, path, lines, rev, ref }: PackAnchor): string[] {
  if (kind === 'kb' || kind === 'decision' || kind === 'artifact')
    return ref === undefined ? ['has no ref'] : [];
  return [
    ...(path === undefined ? ['has no path'] : []),
    ...(lines === undefined
      ? ['has no lines']
      : parseRange(lines) === null
        ? [`has lines ${JSON.stringify(lines)}, which is no range`]
        : []),
    ...(rev === undefined ? ['has no rev'] : []),
  ];
}

/**
 * Only of the change itself may there be more than `mostAnchors`; without distances nobody knows which anchors those are.
 * Pointers take no place.
 */
export function hasTooManyAnchors(
  { anchors }: Pick<LocalPack, 'anchors'>,
  distances: SideFile['distances'],
): boolean {
  const shown = anchors.filter(anchor => !isLinePointer(anchor));
  return (
    shown.length > mostAnchors && !shown.every(anchor => distances?.[anchorName(anchor)] === 0)
  );
}

const stopReasons = ['satisfied', 'budget', 'anchors', 'exhausted'] as const;
export type StopReason = (typeof stopReasons)[number];

const Unresolved = z.strictObject({ symbol: z.string(), at: z.string(), reason: z.string() });
export type Unresolved = z.infer<typeof Unresolved>;

/** Lines of the old side, secrets taken out. */
const RemovedLines = z.strictObject({
  /** How many lines below the first one of its anchor they stood; 0: before it. */
  below: Count,
  lines: Texts,
  /** How many more are not told. */
  more: Count,
});
export type RemovedLines = z.infer<typeof RemovedLines>;

export const SideFile = z.strictObject({
  schema: z.literal('jury.local-pack-meta/1'),
  pack_uri: z.string(),
  run_id: z.string(),
  budget: Count,
  scope: z.strictObject({
    files: Count,
    changed_lines: Count,
    modules: Count,
  }),
  rung_reached: z.int().min(1).max(6),
  stop_reason: z.enum(stopReasons),
  unresolved: z.array(Unresolved),
  external: Texts,
  evicted: z.array(
    z.strictObject({
      anchor: z.string(),
      distance: z.int().min(0).max(6),
      tokens: Count,
    }),
  ),
  refreshed: z.array(
    z.strictObject({
      anchor: z.string(),
      old_rev: z.string(),
      new_rev: z.string(),
      action: z.string(),
    }),
  ),
  redactions: Count,
  /** Distance of each anchor from the change, by its name; null in files of older versions. */
  distances: z.record(z.string(), z.int().min(0).max(6)).nullable().default(null),
  /** Lines of each file that is quoted, as it was; null in files of older versions. */
  lengths: z.record(z.string(), Count).nullable().default(null),
  /** Classes the pack may still rise to, smallest first; null in files of older versions. */
  larger: z
    .array(z.strictObject({ scope_class: z.enum(scopeClasses), budget: Count }))
    .nullable()
    .default(null),
  /** Lines that the change took away, by the anchor at which they are told. */
  removed: z.record(z.string(), z.array(RemovedLines)).default({}),
  /** Which part of its change the pack is, of how many; absent where it is the whole. */
  part: z.strictObject({ number: z.int().positive(), of: z.int().positive() }).optional(),
  /** Commit or tree at which the knowledge base of the project was read; absent where it has none, and in files of older versions. */
  knowledge: z.string().optional(),
  /** In files of older versions: what a compiler's index told. */
  precise: z.string().optional(),
  counter: z.strictObject({ name: z.string(), version: z.string() }),
  created_at: z.string(),
});
export type SideFile = z.infer<typeof SideFile>;

export function roleOf(agent: AgentName): PackRole {
  return agent.toLowerCase() as PackRole;
}

/** The text a role receives: every key of the pack but the two computed ones, every excerpt, and the labels around them. */
export type RenderedKeys = Omit<LocalPack, 'token_estimate' | 'bloat_checks'>;

/** `excerptFor`: text of an anchor; null for one that is only pointed at. `removed`: what the change took away there, by its name. */
export function renderLocalPack(
  pack: RenderedKeys,
  excerptFor: (anchor: PackAnchor) => string | null,
  removed: SideFile['removed'] = {},
): string {
  const summaries = new Map(pack.micro_summaries.map(({ ref, summary }) => [ref, summary]));
  const pointers = pack.anchors.filter(isLinePointer);
  return (
    [
      renderHead(pack),
      ...pack.anchors
        .filter(anchor => !isLinePointer(anchor))
        .map(anchor => {
          const name = anchorName(anchor);
          return renderAnchor(anchor, {
            summary: summaries.get(name) ?? null,
            excerpt: excerptFor(anchor),
            removed: removed[name] ?? [],
          });
        }),
      ...(pointers.length === 0
        ? []
        : [[pointersHeading, ...renderLinePointers(pointers)].join('\n')]),
    ].join('\n\n') + '\n'
  );
}

const pointersHeading = '## worth a look: uses of what changed, its tests, what changes with it';

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
  return entries.length === 0
    ? `${key}: none`
    : `${key}:\n${entries.map(entry => `- ${toOneLine(entry)}`).join('\n')}`;
}

interface AnchorText {
  readonly summary: string | null;
  readonly excerpt: string | null;
  readonly removed: readonly RemovedLines[];
}

export function renderAnchor(
  anchor: PackAnchor,
  { summary, excerpt, removed }: AnchorText,
): string {
  const { kind, rev, name, path, lines, ref } = anchor;
  // With a path, a ref is only a second name.
  const label = `## ${kind} ${anchorName({ path, lines, ref })}${path !== undefined && ref !== undefined ? ` ref ${ref}` : ''}${rev === undefined ? '' : ` rev ${rev}`}${name === undefined ? '' : ` (${name})`}`;
  return [
    // A name may hold the end of a line.
    visibleName(label),
    ...(summary === null ? [] : [summary]),
    ...(excerpt === null ? [] : [codeBlock(excerpt, '')]),
    ...(removed.length === 0 ? [] : [renderRemoved(removed, parseRange(lines ?? '')?.start ?? 1)]),
  ].join('\n');
}

/** Each with the line that it stood before. */
function renderRemoved(removed: readonly RemovedLines[], first: number): string {
  const lines = removed.flatMap(({ below, lines, more }) => [
    ...lines.map(line => `${first + below}: ${line}`),
    ...(more === 0 ? [] : [`${first + below}: … ${more} more`]),
  ]);
  return `removed, each before the line it is numbered with:\n${codeBlock(lines.join('\n'), '')}`;
}
