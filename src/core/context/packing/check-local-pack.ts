/** What is wrong with a pack that can be read: anchors that say too little, places that have changed, figures that do not agree. */
import { findChecks } from './bloat-checks.ts';
import { refreshAnchors, type CurrentFiles } from './freshness.ts';
import { anchorName, findUnwritten, type LocalPack } from './local-pack.ts';

export interface CheckedPack {
  readonly budget: number;
  /** Of the pack as it is rendered now. */
  readonly tokens: number;
}

/** One sentence for each finding; empty when all is good. */
export function checkLocalPack(pack: LocalPack, { budget, tokens }: CheckedPack, current: CurrentFiles): string[] {
  return [...incompleteAnchors(pack), ...staleAnchors(pack, current), ...wrongFigures(pack, tokens, budget)];
}

function incompleteAnchors({ anchors }: LocalPack): string[] {
  return anchors.flatMap(anchor => {
    const lacking = findUnwritten(anchor);
    return lacking.length === 0 ? [] : [`${anchor.kind} anchor ${anchorName(anchor)} ${lacking.join(' and ')}.`];
  });
}

function staleAnchors({ anchors }: LocalPack, current: CurrentFiles): string[] {
  const { refreshed } = refreshAnchors(anchors.filter(({ rev }) => rev !== undefined), current);
  return refreshed.map(({ anchor, old_rev, new_rev, action }) => `${anchor} is stale: ${action === 'dropped' ? 'it is not there any more' : action === 'shifted' ? 'its lines have moved' : `its lines have changed (${old_rev} is now ${new_rev})`}.`);
}

function wrongFigures(pack: LocalPack, tokens: number, budget: number): string[] {
  const computed = findChecks(pack, tokens, budget);
  const wrong = Object.entries(computed).filter(([name, holds]) => pack.bloat_checks[name as keyof typeof computed] !== holds).map(([name, holds]) => `${name} says ${String(!holds)} and is ${String(holds)}.`);
  const broken = Object.entries(computed).filter(([name, holds]) => !holds && !pack.bloat_checks[name as keyof typeof computed]).map(([name]) => `${name} does not hold${name === 'within_budget' ? `: ${tokens} tokens, budget ${budget}` : ''}.`);
  const claimed = pack.bloat_checks.within_budget ? [] : ['The pack says itself that it is over its budget: it would not be emitted.'];
  return [...(pack.token_estimate === tokens ? [] : [`token_estimate is ${pack.token_estimate} and the count is ${tokens}.`]), ...wrong, ...(broken.length > 0 ? broken : claimed.filter(() => !computed.within_budget))];
}
