/**
 * What a configuration wants besides the analysers that are built in: programs to start, hosts to reach, variables and files to
 * read, words to say to the models of whoever asks. A repository may write all of that down; whether it gets it, somebody outside of
 * it must have said.
 */
import type { Member } from '../words/roster.ts';
import { type Config, judgeOf, type ReviewerConfig } from '../words/config.ts';

export interface Demand {
  readonly kind: 'start' | 'reach' | 'read' | 'tell';
  /** What is started, reached, read or told, as the configuration has it. */
  readonly what: string;
  /** `reviewer guard`, `the judge`, … */
  readonly by: string;
}

/** Everything that any command could make of it. */
export function demandsOf(config: Config): Demand[] {
  return [
    ...(config.reviewers ?? []).flatMap(reviewer =>
      demandsOfReviewer(reviewer, `reviewer ${reviewer.id}`),
    ),
    ...clientsNamedBy(config).map((client): Demand => ({
      kind: 'start',
      what: client,
      by: `reviewer ${client}`,
    })),
    ...demandsOfMatching({ embedding: config.embedding, judge: config.judge }),
    ...demandsOfVote(config),
    ...demandsOfGuidelines(config),
  ];
}

/** What a run with this panel wants of it. Reviewers that it does not speak of were named by the caller. */
export function demandsOfRun(panel: readonly ReviewerConfig[], config: Config): Demand[] {
  const isAsked = panel.some(({ runner }) => runner !== 'builtin' && runner !== 'sarif');
  return [
    ...demandsOfPanel(panel, config),
    ...demandsOfMatching(config),
    ...(isAsked ? demandsOfGuidelines(config) : []),
  ];
}

/** Whoever is seated by a flag is no reviewer of the configuration, and would still be told its words. */
function demandsOfGuidelines({ guidelines }: Pick<Config, 'guidelines'>): Demand[] {
  return guidelines.length === 0
    ? []
    : [{ kind: 'tell', what: 'its guidelines', by: 'whoever is asked' }];
}

function demandsOfPanel(panel: readonly ReviewerConfig[], config: Config): Demand[] {
  const spoken = new Set(
    [...(config.reviewers ?? []).map(({ id }) => id), ...namesIn(config)].map(name =>
      name.toLowerCase(),
    ),
  );
  return panel
    .filter(({ id }) => spoken.has(id.toLowerCase()))
    .flatMap(reviewer => demandsOfReviewer(reviewer, `reviewer ${reviewer.id}`));
}

/** What the matching of a strategy asks; without one, of any that a flag may choose. */
export function demandsOfMatching({
  embedding,
  judge,
  strategy,
}: Pick<Config, 'embedding' | 'judge'> & { readonly strategy?: Config['strategy'] }): Demand[] {
  const asked = judgeOf({ strategy: strategy ?? 'calibrated', judge });
  return [
    ...(embedding === undefined || (strategy !== undefined && strategy !== 'embedding')
      ? []
      : endpoint(embedding.baseUrl, variable(embedding.apiKeyEnv), 'strategy embedding')),
    ...(asked === null || asked === 'auto' ? [] : modelAt(asked, 'the judge')),
  ];
}

export function demandsOfVote({ motions }: Pick<Config, 'motions'>): Demand[] {
  const { reviewer, endpoints = [] } = motions ?? {};
  return [
    ...(reviewer === undefined ? [] : demandsOfReviewer(reviewer, 'the vote on motions')),
    ...endpoints.flatMap(({ baseUrl, apiKeyEnv }) =>
      endpoint(baseUrl, variable(apiKeyEnv), 'the vote on motions'),
    ),
    ...demandsOfModels(motions ?? {}),
  ];
}

type Vote = NonNullable<Config['motions']>;

/** A model for motions of one risk is asked where all others are; one of another vendor wants the key of that vendor. */
function demandsOfModels({
  reviewer,
  endpoints = [],
  models = {},
}: Partial<Pick<Vote, 'reviewer' | 'endpoints' | 'models'>>): Demand[] {
  if (reviewer !== undefined && reviewer.runner !== 'api') return [];
  const places = endpoints.length === 0 && reviewer !== undefined ? [reviewer] : endpoints;
  return Object.entries(models).flatMap(([risk, model = '']) =>
    /^(?:anthropic|openai|google)\//.test(model)
      ? places.flatMap(({ baseUrl, apiKeyEnv = reviewer?.apiKeyEnv }) =>
          modelAt({ model, baseUrl, apiKeyEnv }, `motions of ${risk} risk`),
        )
      : [],
  );
}

/** Hosts that the data of a session names and the configuration does not: each member would be asked where it says. */
export function demandsOfRoster(
  roster: readonly Pick<Member, 'name' | 'baseUrl'>[],
  { motions }: Pick<Config, 'motions'>,
): Demand[] {
  const known = new Set(
    [motions?.reviewer?.baseUrl, ...(motions?.endpoints ?? []).map(({ baseUrl }) => baseUrl)].map(
      url => url?.replace(/\/+$/, ''),
    ),
  );
  return roster.flatMap(({ name, baseUrl }) =>
    baseUrl === null || known.has(baseUrl.replace(/\/+$/, ''))
      ? []
      : [{ kind: 'reach' as const, what: baseUrl, by: `member ${name} of the roster` }],
  );
}

/** `start node ./rev.mjs (reviewer guard), reach http://127.0.0.1:8080/v1 (reviewer local) and read TOKEN (reviewer local)` */
export function describeDemands(demands: readonly Demand[]): string {
  const [first, second, ...rest] = demands.map(({ kind, what, by }) => `${kind} ${what} (${by})`);
  if (second === undefined) return first ?? 'nothing';
  return rest.length === 0
    ? `${first} and ${second}`
    : `${first}, ${second} and ${rest.length} more`;
}

type Asked = Pick<
  ReviewerConfig,
  | 'runner'
  | 'command'
  | 'executable'
  | 'model'
  | 'baseUrl'
  | 'apiKeyEnv'
  | 'answers'
  | 'environment'
>;

function demandsOfReviewer(reviewer: Asked, by: string): Demand[] {
  const { runner, baseUrl, apiKeyEnv, environment, model = '' } = reviewer;
  return [
    ...used(reviewer, by),
    ...(runner === 'api'
      ? modelAt({ model, baseUrl, apiKeyEnv }, by)
      : endpoint(baseUrl, variable(apiKeyEnv), by)),
    ...environment.map((name): Demand => ({ kind: 'read', what: `the variable ${name}`, by })),
  ];
}

/** Whatever is no analyser: a program, recorded answers, the report of a tool, or a runner that the calling program brings. */
function used({ runner, command, executable, answers }: Asked, by: string): Demand[] {
  if (runner === 'builtin' || runner === 'api') return [];
  if (runner === 'replay')
    return [{ kind: 'read', what: `recorded answers ${answers ?? ''}`.trim(), by }];
  if (runner === 'sarif') return [{ kind: 'read', what: `the report ${answers ?? ''}`, by }];
  return [
    {
      kind: 'start',
      what: runner === 'command' ? (command ?? []).join(' ') : (executable ?? runner),
      by,
    },
  ];
}

function endpoint(host: string | undefined, key: string | undefined, by: string): Demand[] {
  return [
    ...(host === undefined ? [] : [{ kind: 'reach' as const, what: host, by }]),
    ...(key === undefined ? [] : [{ kind: 'read' as const, what: key, by }]),
  ];
}

interface AskedModel {
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
}

/** The usual key of a vendor goes to whatever address is written here. */
function modelAt({ model, baseUrl, apiKeyEnv }: AskedModel, by: string): Demand[] {
  const [vendor = ''] = model.split('/');
  const usualKey = vendor === 'openai-compatible' ? undefined : `the key of ${vendor}`;
  return endpoint(baseUrl ?? `the API of ${vendor}`, variable(apiKeyEnv) ?? usualKey, by);
}

function variable(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `the variable ${name}`;
}

const clients: ReadonlySet<string> = new Set(['claude', 'codex', 'gemini', 'opencode']);

/** Clients may be put on a panel by their name alone. */
function clientsNamedBy(config: Config): string[] {
  const seated = new Set((config.reviewers ?? []).map(({ id }) => id.toLowerCase()));
  return [...new Set(namesIn(config).map(name => name.toLowerCase()))].filter(
    name => clients.has(name) && !seated.has(name),
  );
}

function namesIn({ processes = {}, modes = {} }: Config): string[] {
  return [
    ...Object.values(processes).flatMap(({ reviewers = [], stages = [] }) => [
      ...reviewers,
      ...stages.flat(),
    ]),
    ...Object.values(modes).flatMap(({ reviewers }) => reviewers),
  ];
}
