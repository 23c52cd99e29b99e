/** How large a scope is in one word, and how many tokens a pack for it may have, by role and by what the model is good at. */
import table from './scope-class.json' with { type: 'json' };

/** Smallest first. */
export const scopeClasses = ['Tiny', 'Small', 'Medium', 'Large'] as const;
export type ScopeClass = (typeof scopeClasses)[number];

/** First match: Tiny by files and lines, Large and Medium by files or modules, else Small. */
export function classifyScope({
  files,
  changed_lines: changedLines,
  modules,
}: {
  readonly files: number;
  /** Added and deleted lines. */
  readonly changed_lines: number;
  /** Null when nobody knows: then it counts as one. */
  readonly modules: number | null;
}): ScopeClass {
  const touched = modules ?? 1;
  if (files <= 2 && changedLines <= 80) return 'Tiny';
  if (files > 12 || touched > 3) return 'Large';
  return files >= 7 || touched >= 2 ? 'Medium' : 'Small';
}

export const agentNames = [
  'Planner',
  'Thinker',
  'Implementer',
  'Verifier',
  'Reviewer',
  'Critical',
  'Supervisor',
] as const;
export type AgentName = (typeof agentNames)[number];

export const capabilityNames = [
  'fast_code',
  'reasoning_high',
  'reasoning_ultra',
  'long_context',
  'cheap_batch',
] as const;
export type ModelCapability = (typeof capabilityNames)[number];

/** What each role gets against the planner of the same class; multipliers in tenths, so that the arithmetic stays in whole numbers. */
const { plannerCaps, shares, tenths } = table;

export interface CapSettings {
  readonly plannerCaps?: Partial<Readonly<Record<ScopeClass, number | undefined>>> | undefined;
  /** Multiples of a tenth. */
  readonly multipliers?: Partial<Readonly<Record<ModelCapability, number | undefined>>> | undefined;
}

/** `floor(planner cap × role / planner × multiplier)`: one floor, at the end. Tokens. */
export function packCap(
  scope: ScopeClass,
  agent: AgentName,
  capability: ModelCapability,
  settings: CapSettings = {},
): number {
  const { [agent]: share, Planner: planner } = shares[scope];
  const given = settings.multipliers?.[capability];
  const tenth = given === undefined ? tenths[capability] : Math.round(given * 10);
  const cap = settings.plannerCaps?.[scope] ?? plannerCaps[scope];
  return Math.floor((cap * share * tenth) / (planner * 10));
}

export interface PackSize {
  readonly scope_class: ScopeClass;
  /** Tokens. */
  readonly budget: number;
}

/** What its class gives a pack, and what it may rise to when the changed lines need more: each with more room than those before. */
export type PackSizes = readonly [PackSize, ...PackSize[]];

export function packSizes(
  scope: ScopeClass,
  agent: AgentName,
  capability: ModelCapability,
  settings: CapSettings = {},
): PackSizes {
  const sizeOf = (one: ScopeClass): PackSize => ({
    scope_class: one,
    budget: packCap(one, agent, capability, settings),
  });
  const sizes: [PackSize, ...PackSize[]] = [sizeOf(scope)];
  for (const larger of scopeClasses.slice(scopeClasses.indexOf(scope) + 1).map(sizeOf))
    if (sizes.every(({ budget }) => budget < larger.budget)) sizes.push(larger);
  return sizes;
}

/** Why a pack is of a larger class than the scope of its change. */
export interface Rise extends PackSize {
  /** What the changed lines needed. */
  readonly tokens: number;
}

export function describeRise({ scope_class, tokens, budget }: Rise, to: ScopeClass): string {
  return `scope_class is ${to}, not ${scope_class}: the changed lines need ${tokens} tokens and ${scope_class} has ${budget}`;
}

/** True when every scope and role gets less for fast code than for high, and less for that than for ultra reasoning. */
export function keepsOrder(settings: CapSettings): boolean {
  const ordered: ModelCapability[] = ['fast_code', 'reasoning_high', 'reasoning_ultra'];
  return scopeClasses.every(scope =>
    agentNames.every(agent => {
      const [fast = 0, high = 0, ultra = 0] = ordered.map(capability =>
        packCap(scope, agent, capability, settings),
      );
      return fast < high && high < ultra;
    }),
  );
}
