/** The Local Context Pack and its side file: the schema that reads them, what a written one has to satisfy, and its text. */
import { z } from 'zod';
import { Capability, agentNames, scopeClasses } from '../scope.ts';
import { by, groupsBy, present } from '../../groups.ts';
import { codeBlock, visibleName } from '../../safety/visible-text.ts';
import { toOneLine } from '../../text.ts';
import {
  type SourceText,
  isLinePointer,
  lengthOf,
  overlaps,
  parseRange,
  renderLinePointers,
} from './line-range.ts';
import { Count, Flag, Text, Texts, Whole } from '../../words/fields.ts';

/** In the order of a pack. */
export const AnchorKind = z.enum(['code', 'test', 'kb', 'decision', 'artifact']);
export type AnchorKind = z.infer<typeof AnchorKind>;

/** At most so many anchors with an excerpt, unless all of them are the change itself, and so many summaries. Pointers are not counted. */
export const mostAnchors = 24;
/** Lines of one excerpt. */
export const longestExcerpt = 60;

const PackAnchor = z.strictObject({
  kind: AnchorKind,
  path: Text.optional(),
  lines: Text.optional(),
  rev: Text.optional(),
  ref: Text.optional(),
  name: Text.optional(),
});
type PackAnchor = z.infer<typeof PackAnchor>;

const Summary = Text.min(1)
  .max(320)
  .refine(text => text.split('\n').length <= 3, 'must have at most three lines');

const LocalPackShape = z.strictObject({
  agent: z.enum(agentNames),
  task_id: Text.min(1),
  goal: Text.min(1),
  acceptance_criteria: Texts,
  constraints: Texts,
  scope_class: z.enum(scopeClasses),
  model_capability: Capability,
  anchors: z.array(PackAnchor),
  micro_summaries: z.array(z.strictObject({ ref: Text, summary: Summary })).max(mostAnchors),
  risk_notes: Texts,
  open_questions: Texts,
  next_actions: Texts,
  token_estimate: Count,
  bloat_checks: z.strictObject({
    dedup_ok: Flag,
    within_budget: Flag,
    no_large_blobs: Flag,
  }),
});

/** What can be read: the rules of written packs are those of `checkLocalPack`, their number is that of `hasTooManyAnchors`. */
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
function namesOf({ path, lines, ref }: PackAnchor) {
  return present(path, path !== undefined && lines !== undefined && `${path}:${lines}`, ref);
}

/** How an anchor is called in summaries, side files and messages. */
export function anchorName({ path, lines, ref }: Pick<PackAnchor, 'path' | 'lines' | 'ref'>) {
  if (path === undefined) return ref ?? 'anchor without a place';
  return lines === undefined ? path : `${path}:${lines}`;
}

const Unresolved = z.strictObject({ symbol: Text, at: Text, reason: Text });
type Unresolved = z.infer<typeof Unresolved>;

/** Lines of the old side, secrets taken out. */
const RemovedLines = z.strictObject({
  /** How many lines below the first one of its anchor they stood; 0: before it. */
  below: Count,
  lines: Texts,
  /** How many more are not told. */
  more: Count,
});
type RemovedLines = z.infer<typeof RemovedLines>;

export const SideFile = z.strictObject({
  schema: z.literal('jury.local-pack-meta/1'),
  pack_uri: Text,
  run_id: Text,
  budget: Count,
  scope: z.strictObject({
    files: Count,
    changed_lines: Count,
    modules: Count,
  }),
  rung_reached: Whole.min(1).max(6),
  stop_reason: z.enum(['satisfied', 'budget', 'anchors', 'exhausted']),
  unresolved: z.array(Unresolved),
  external: Texts,
  evicted: z.array(
    z.strictObject({
      anchor: Text,
      distance: Whole.min(0).max(6),
      tokens: Count,
    }),
  ),
  refreshed: z.array(
    z.strictObject({
      anchor: Text,
      old_rev: Text,
      new_rev: Text,
      action: Text,
    }),
  ),
  redactions: Count,
  /** Distance of each anchor from the change, by its name. */
  distances: z.record(Text, Whole.min(0).max(6)),
  /** Lines of each file that is quoted, as it was. */
  lengths: z.record(Text, Count),
  /** Classes the pack may still rise to, smallest first. */
  larger: z.array(z.strictObject({ scope_class: z.enum(scopeClasses), budget: Count })),
  /** Lines that the change took away, by the anchor at which they are told. */
  removed: z.record(Text, z.array(RemovedLines)),
  /** Which part of its change the pack is, of how many; absent where it is the whole. */
  part: z.strictObject({ number: Whole.positive(), of: Whole.positive() }).optional(),
  /** Commit or tree at which the knowledge base of the project was read; absent where it has none. */
  knowledge: Text.optional(),
  counter: z.strictObject({ name: Text, version: Text }),
  created_at: Text,
});
export type SideFile = z.infer<typeof SideFile>;

/** One place of a pack, with all that is told of it. */
export interface PackPart {
  readonly anchor: PackAnchor;
  /** From the change, as of `Candidate`; null where there is no side file. */
  readonly distance: number | null;
  readonly summary: string | null;
  /** Null for what is only pointed at. */
  readonly text: string | null;
  /** What the change took away there. */
  readonly removed: readonly RemovedLines[];
}

/** A pack without its parts, and what is computed of them. */
export type PackKeys = Omit<
  LocalPack,
  'anchors' | 'micro_summaries' | 'token_estimate' | 'bloat_checks'
>;

/** A pack with everything a person may ask about it: what the entry points print. */
export interface PackReport {
  readonly pack: LocalPack;
  readonly rendered: string;
  readonly side: SideFile;
}

/** Only of the change itself may there be more than `mostAnchors`. Pointers take no place. */
export function hasTooManyAnchors(parts: readonly PackPart[]) {
  const shown = parts.filter(({ anchor }) => !isLinePointer(anchor));
  return shown.length > mostAnchors && shown.some(({ distance }) => distance !== 0);
}

/** Counted and checked by itself. */
export function composePack(
  keys: PackKeys,
  parts: readonly PackPart[],
  { budget, count }: { readonly budget: number; readonly count: (text: string) => number },
): Pick<PackReport, 'pack' | 'rendered'> {
  const { risk_notes, open_questions, next_actions, ...head } = keys;
  const rendered = renderPack(keys, parts);
  const tokens = count(rendered);
  const anchors = parts.map(({ anchor }) => anchor);
  return {
    rendered,
    pack: {
      ...head,
      anchors,
      micro_summaries: withMostSummaries(parts).flatMap(({ anchor, summary }) =>
        summary === null ? [] : { ref: anchorName(anchor), summary },
      ),
      risk_notes,
      open_questions,
      next_actions,
      token_estimate: tokens,
      bloat_checks: findChecks(anchors, tokens, budget),
    },
  };
}

function withMostSummaries(parts: readonly PackPart[]) {
  let told = 0;
  return parts.map(part =>
    part.summary !== null && (told += 1) > mostAnchors ? { ...part, summary: null } : part,
  );
}

/** The three checks of a pack, worked out from the pack itself. */
export function findChecks(anchors: LocalPack['anchors'], tokens: number, budget: number) {
  return {
    dedup_ok: !hasDuplicate(anchors),
    within_budget: tokens <= budget,
    no_large_blobs: !anchors.some(({ lines, kind }) => {
      const range = parseRange(lines);
      return (
        range !== null && (kind === 'code' || kind === 'test') && lengthOf(range) > longestExcerpt
      );
    }),
  };
}

/** The same place twice, or ranges of one file that overlap. */
function hasDuplicate(anchors: LocalPack['anchors']) {
  return groupsBy(anchors, ({ path, ref }) => path ?? JSON.stringify([ref])).some(
    own =>
      new Set(own.map(({ lines }) => lines)).size < own.length ||
      own
        .flatMap(({ path, lines }) => (path === undefined ? [] : (parseRange(lines) ?? [])))
        .toSorted(by(({ start }) => start))
        .some((one, at, all) => at > 0 && overlaps(one, all[at - 1] ?? one)),
  );
}

/** The text a role receives: every key of the pack but the two computed ones, every excerpt, and the labels around them. */
export function renderPack(keys: PackKeys, parts: readonly PackPart[]) {
  const pointers = parts.map(({ anchor }) => anchor).filter(isLinePointer);
  const blocks = present(
    renderHead(keys),
    ...withMostSummaries(parts)
      .filter(({ anchor }) => !isLinePointer(anchor))
      .map(renderPart),
    pointers.length > 0 && [pointersHeading, ...renderLinePointers(pointers)].join('\n'),
  );
  return `${blocks.join('\n\n')}\n`;
}

const pointersHeading = '## worth a look: uses of what changed, its tests, what changes with it';

function renderHead(pack: PackKeys) {
  return [
    `# Context pack for ${pack.agent}`,
    `task_id: ${pack.task_id}`,
    `goal: ${pack.goal}`,
    `scope_class: ${pack.scope_class}; model_capability: ${pack.model_capability}`,
    ...lists.map(key =>
      pack[key].length === 0
        ? `${key}: none`
        : `${key}:\n${pack[key].map(entry => `- ${toOneLine(entry)}`).join('\n')}`,
    ),
  ].join('\n');
}

const lists = [
  'acceptance_criteria',
  'constraints',
  'risk_notes',
  'open_questions',
  'next_actions',
] as const;

export function renderPart({ anchor, summary, text, removed }: PackPart) {
  const { kind, rev, name, path, lines, ref } = anchor;
  // With a path, a ref is only a second name.
  const label =
    `## ${kind} ${anchorName(anchor)}${path !== undefined && ref !== undefined ? ` ref ${ref}` : ''}` +
    `${rev === undefined ? '' : ` rev ${rev}`}${name === undefined ? '' : ` (${name})`}`;
  return present(
    // A name may hold the end of a line.
    visibleName(label),
    summary,
    text !== null && codeBlock(text, ''),
    removed.length > 0 && renderRemoved(removed, parseRange(lines)?.start ?? 1),
  ).join('\n');
}

/** Each with the line that it stood before. */
function renderRemoved(removed: readonly RemovedLines[], first: number) {
  const lines = removed.flatMap(({ below, lines, more }) =>
    present(...lines, more > 0 && `… ${more} more`).map(line => `${first + below}: ${line}`),
  );
  return `removed, each before the line it is numbered with:\n${codeBlock(lines.join('\n'), '')}`;
}

/** What a side file says of the parts of its pack. */
export function sideOfParts(
  parts: readonly PackPart[],
  textOf: (path: string) => SourceText | null,
): Pick<SideFile, 'distances' | 'lengths' | 'removed'> {
  const named = parts.map(part => ({ ...part, name: anchorName(part.anchor) }));
  return {
    distances: Object.fromEntries(named.map(part => [part.name, distanceOf(part)])),
    lengths: Object.fromEntries(
      parts.flatMap(({ anchor: { path } }) =>
        path === undefined ? [] : [[path, textOf(path)?.original.length ?? 0] as const],
      ),
    ),
    removed: Object.fromEntries(
      named.flatMap(({ name, removed }) =>
        removed.length === 0 ? [] : [[name, [...removed]] as const],
      ),
    ),
  };
}

/** Where nobody wrote it down, any lines may be the change. */
const leastDistance: Readonly<Record<AnchorKind, number>> = {
  code: 0,
  test: 0,
  kb: 5,
  decision: 6,
  artifact: 6,
};

export function distanceOf({ distance, anchor }: PackPart) {
  return distance ?? leastDistance[anchor.kind];
}

export interface Missing extends Unresolved {
  /** `path:line` of its definition; null where nobody knows it. */
  readonly place: string | null;
}
