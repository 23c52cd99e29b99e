/** A pack as a person wants to read it: what it is, the text itself, what was left out and why. */
import type { PackReport } from '../core/context/packing/local-pack.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { count } from './figures.ts';

const reasons = {
  satisfied: 'every changed line is shown and every name on them is explained',
  budget: 'the next addition would not fit the budget',
  anchors: 'a pack quotes 24 places at most, more only of changed lines',
  exhausted: 'everything was looked through and names are left over',
} as const;

export function renderContextPack({ pack, rendered, side }: PackReport): string {
  const { files, changed_lines, modules } = side.scope;
  return [
    `${pack.agent} · ${pack.scope_class} · ${pack.model_capability} · ${pack.token_estimate} of ` +
      `${side.budget} tokens ` +
      `(${side.counter.name})${side.part === undefined ? '' : ` · pack ${side.part.number} of ${side.part.of}`}`,
    `${count(files, 'file')}, ${count(changed_lines, 'changed line')}, ${count(modules, 'module')} · rung ${side.rung_reached}, ` +
      `${side.stop_reason}: ${reasons[side.stop_reason]}`,
    side.pack_uri,
    '',
    makeVisible(rendered.trimEnd()),
    '',
    ...section(
      'Left out',
      side.evicted.map(
        ({ anchor, distance, tokens }) => `${anchor} (distance ${distance}, ${tokens} tokens)`,
      ),
    ),
    ...section(
      'Not found',
      side.unresolved.map(({ symbol, at, reason }) => `${symbol} at ${at}: ${reason}`),
    ),
    ...(side.external.length === 0 ? [] : [`From outside: ${side.external.join(', ')}`]),
    ...(side.redactions === 0 ? [] : [`Secrets taken out: ${side.redactions}`]),
  ].join('\n');
}

function section(title: string, entries: readonly string[]): string[] {
  return entries.length === 0
    ? []
    : [`${title}:`, ...entries.map(entry => `  ${makeVisible(entry)}`)];
}
