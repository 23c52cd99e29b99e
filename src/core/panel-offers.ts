/**
 * Panels of what a machine has, for whoever has none yet. Jury knows no prices but those a configuration states, so that an offer is ordered by
 * what is sure: a local server costs nothing, the small model of a vendor less than its large one, and a coding agent asks several times.
 */

export const offerNames = ['cheapest', 'balanced', 'different'] as const;
type OfferName = (typeof offerNames)[number];

/** What was found, without what it would say. */
export interface Found {
  /** Coding agents that have a key. */
  readonly clients: readonly string[];
  /** Vendors of model APIs for which there is a key. */
  readonly vendors: readonly Vendor[];
  readonly servers: readonly {
    readonly name: string;
    readonly baseUrl: string;
    readonly models: readonly string[];
  }[];
}

type Vendor = 'anthropic' | 'openai' | 'google';

export interface OfferedSeat {
  readonly id: string;
  readonly runner: string;
  readonly persona: string;
  readonly model: string | null;
  readonly baseUrl: string | null;
  /** What it costs, as far as that is sure. */
  readonly cost: string;
}

export interface Offer {
  readonly name: OfferName;
  readonly seats: readonly OfferedSeat[];
}

/** Names of models age: `jury doctor` tells which a vendor still has. */
const models: Readonly<Record<Vendor, { readonly small: string; readonly large: string }>> = {
  anthropic: { small: 'claude-haiku-4-5', large: 'claude-sonnet-4-5' },
  openai: { small: 'gpt-5-mini', large: 'gpt-5' },
  google: { small: 'gemini-2.5-flash', large: 'gemini-2.5-pro' },
};

const vendorOfClient: Readonly<Record<string, Vendor>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'google',
  opencode: 'openai',
};

const personas: Readonly<Record<Vendor, string>> = {
  anthropic: 'security-reviewer',
  openai: 'code-quality-reviewer',
  google: 'user-persona-reviewer',
};

/** Panels without a model are none; of those that are the same the first stays. */
export function offerPanels(found: Found): Offer[] {
  const vendors = vendorsOf(found);
  const local = found.servers.flatMap(localSeat);
  const agents = vendors.map(vendor => clientOf(vendor, found) ?? apiSeat(vendor, 'small'));
  const cheapest = local[0] ?? small(found) ?? agents[0];
  const panels: readonly (readonly [OfferName, readonly OfferedSeat[]])[] = [
    ['cheapest', cheapest === undefined ? [] : [cheapest]],
    ['balanced', [...agents.slice(0, 1), ...local.slice(0, 1), ...agents.slice(1)].slice(0, 2)],
    [
      'different',
      [...vendors.map(vendor => clientOf(vendor, found) ?? apiSeat(vendor, 'large')), ...local],
    ],
  ];
  const offers = panels.filter(([, seats]) => seats.length > 0);
  return offers
    .filter(([, seats], index) => offers.findIndex(([, other]) => same(seats, other)) === index)
    .map(([name, seats]) => ({ name, seats }));
}

function same(one: readonly OfferedSeat[], other: readonly OfferedSeat[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Of each vendor that can be asked by either way, in the order of the table. */
function vendorsOf({ clients, vendors }: Found): Vendor[] {
  return (['anthropic', 'openai', 'google'] as const).filter(
    vendor => vendors.includes(vendor) || clients.some(client => vendorOfClient[client] === vendor),
  );
}

function clientOf(vendor: Vendor, { clients }: Found): OfferedSeat | null {
  const client = clients.find(name => vendorOfClient[name] === vendor);
  if (client === undefined) return null;
  return {
    id: client,
    runner: client,
    persona: personas[vendor],
    model: null,
    baseUrl: null,
    cost: `coding agent; ${vendor} charges for each token`,
  };
}

function small({ vendors }: Found): OfferedSeat | undefined {
  const [vendor] = vendors;
  return vendor === undefined ? undefined : apiSeat(vendor, 'small');
}

function apiSeat(vendor: Vendor, size: 'small' | 'large'): OfferedSeat {
  return {
    id: vendor,
    runner: 'api',
    persona: personas[vendor],
    model: `${vendor}/${models[vendor][size]}`,
    baseUrl: null,
    cost: `${size} model; ${vendor} charges for each token`,
  };
}

function localSeat(
  { name, baseUrl, models: [model] }: Found['servers'][number],
  index: number,
): OfferedSeat[] {
  if (model === undefined) return [];
  return [
    {
      id: index === 0 ? 'local' : `local-${index + 1}`,
      runner: 'api',
      persona: 'code-quality-reviewer',
      model: `openai-compatible/${model}`,
      baseUrl,
      cost: `${name} on this machine, free`,
    },
  ];
}
