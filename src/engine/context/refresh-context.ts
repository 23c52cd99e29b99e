/** Brings a pack that was written earlier up to date with the files it points at, and counts and checks it again. */
import { findChecks } from '../../core/context/packing/bloat-checks.ts';
import { refreshAnchors, type CurrentFiles, type Refreshed } from '../../core/context/packing/freshness.ts';
import { anchorName, type LocalPack, type PackAnchor } from '../../core/context/packing/local-pack.ts';
import { parseRange } from '../../core/context/packing/line-range.ts';
import { renderLocalPack, type RenderedKeys } from '../../core/context/packing/render-local-pack.ts';
import { excerptOf } from '../../core/context/packing/source-text.ts';
import type { TokenCounter } from '../../core/ports.ts';

export interface RefreshedPack {
  readonly pack: LocalPack;
  readonly rendered: string;
  /** Empty: everything stands where it stood. */
  readonly refreshed: readonly Refreshed[];
  /** Anchors that had to go because what changed needs more room. */
  readonly evicted: readonly { readonly anchor: string; readonly tokens: number }[];
}

export interface RefreshWorld extends CurrentFiles {
  readonly counter: TokenCounter;
  /** A new summary for an anchor whose lines are not what they were; null when there is none. */
  readonly summarise: (anchor: PackAnchor) => string | null;
}

/** The text a role receives of a pack as it is, with what its anchors show now. */
export function renderCurrent(pack: RenderedKeys, current: Pick<CurrentFiles, 'textOf'>): string {
  return renderLocalPack(pack, ({ path, lines }) => {
    const text = path === undefined ? null : current.textOf(path);
    const range = lines === undefined ? null : parseRange(lines);
    return text === null || range === null || range.start > text.shown.length ? null : excerptOf(text, range);
  });
}

export function refreshPack(pack: LocalPack, budget: number, world: RefreshWorld): RefreshedPack {
  const fresh = refreshAnchors(pack.anchors, world);
  const evicted: { anchor: string; tokens: number }[] = [];
  let anchors = [...fresh.anchors];
  for (;;) {
    const keys: RenderedKeys = { ...pack, anchors, micro_summaries: summariesOf(pack, anchors, fresh, world), open_questions: [...pack.open_questions, ...fresh.dropped.map(name => `${name} is gone: what stood there?`).filter(entry => !pack.open_questions.includes(entry))] };
    const rendered = renderCurrent(keys, world);
    const tokens = world.counter.count(rendered);
    const victim = tokens > budget ? farthest(anchors) : undefined;
    if (victim === undefined) {
      const { agent, task_id, goal, acceptance_criteria, constraints, scope_class, model_capability, micro_summaries, risk_notes, open_questions, next_actions } = keys;
      return { rendered, refreshed: fresh.refreshed, evicted, pack: { agent, task_id, goal, acceptance_criteria, constraints, scope_class, model_capability, anchors, micro_summaries, risk_notes, open_questions, next_actions, token_estimate: tokens, bloat_checks: findChecks(keys, tokens, budget) } };
    }
    anchors = anchors.filter(anchor => anchor !== victim);
    evicted.push({ anchor: anchorName(victim), tokens });
  }
}

function summariesOf(pack: LocalPack, anchors: readonly PackAnchor[], { formerNames, refreshed }: ReturnType<typeof refreshAnchors>, world: RefreshWorld): LocalPack['micro_summaries'] {
  const known = new Map(pack.micro_summaries.map(({ ref, summary }) => [ref, summary]));
  const retaken = new Set(refreshed.filter(({ action }) => action === 'retaken').map(({ anchor }) => anchor));
  return anchors.flatMap(anchor => {
    const former = formerNames.get(anchorName(anchor)) ?? anchorName(anchor);
    const summary = retaken.has(former) && anchor.path !== undefined ? world.summarise(anchor) : known.get(former);
    return summary === undefined || summary === null ? [] : [{ ref: anchorName(anchor), summary }];
  });
}

/** A pack is in the order of its kinds and, within them, of the distance: the last one is the first to go. The change itself stays. */
function farthest(anchors: readonly PackAnchor[]): PackAnchor | undefined {
  return anchors.length > 1 ? anchors.at(-1) : undefined;
}
