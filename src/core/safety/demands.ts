/**
 * What a configuration wants besides the analysers that are built in: programs to start, hosts to reach, variables and files to
 * read, words to say to the models of whoever asks. A repository may write all of that down; whether it gets it, somebody outside of
 * it must have said.
 */
import type { Member } from '../words/roster.ts';
import { type Config, judgeOf, type ReviewerConfig } from '../words/config.ts';
import { kindOf, traitsOf } from '../words/runner.ts';
import { present } from '../groups.ts';

export type Demand = Readonly<ReturnType<typeof demand>>;

/** Everything that any command could make of it. */
export function demandsOf(config: Config): Demand[] {
  const seated = new Set((config.reviewers ?? []).map(({ id }) => id.toLowerCase()));
  // They may be put on a panel by their name alone.
  const clients = new Set(
    namesIn(config).filter(name => kindOf(name) === 'client' && !seated.has(name)),
  );
  return [
    ...(config.reviewers ?? []).flatMap(demandsOfSeat),
    ...[...clients].map(client => demand('start', client, `reviewer ${client}`)),
    ...demandsOfMatching({ embedding: config.embedding, judge: config.judge }),
    ...demandsOfVote(config),
    ...demandsOfGuidelines(config),
  ];
}

/** What a run with this panel wants of it. Reviewers that it does not speak of were named by the caller. */
export function demandsOfRun(panel: readonly ReviewerConfig[], config: Config): Demand[] {
  const spoken = new Set([
    ...(config.reviewers ?? []).map(({ id }) => id.toLowerCase()),
    ...namesIn(config),
  ]);
  return [
    ...panel.filter(({ id }) => spoken.has(id.toLowerCase())).flatMap(demandsOfSeat),
    ...demandsOfMatching(config),
    ...(panel.some(({ runner }) => kindOf(runner) !== 'check') ? demandsOfGuidelines(config) : []),
  ];
}

/** Whoever is seated by a flag is no reviewer of the configuration, and would still be told its words. */
function demandsOfGuidelines({ guidelines }: Pick<Config, 'guidelines'>) {
  return guidelines.length === 0 ? [] : [demand('tell', 'its guidelines', 'whoever is asked')];
}

/** What the matching of a strategy asks; without one, of any that a flag may choose. */
export function demandsOfMatching({
  embedding,
  judge,
  strategy,
}: Pick<Config, 'embedding' | 'judge'> & { readonly strategy?: Config['strategy'] }): Demand[] {
  const asked = judgeOf({ strategy: strategy ?? 'calibrated', judge });
  return [
    ...((strategy ?? 'embedding') === 'embedding' && embedding
      ? endpoint(embedding, 'strategy embedding')
      : []),
    ...(asked === null || asked === 'auto' ? [] : modelAt(asked, 'the judge')),
  ];
}

export function demandsOfVote({ motions }: Pick<Config, 'motions'>): Demand[] {
  const { reviewer, endpoints = [], models = {} }: Partial<typeof motions> = motions ?? {};
  const by = 'the vote on motions';
  const places = endpoints.length === 0 && reviewer ? [reviewer] : endpoints;
  // A model for motions of one risk is asked where all others are; one of another vendor wants the key of that vendor.
  const ofRisks = !reviewer || kindOf(reviewer.runner) === 'api' ? Object.entries(models) : [];
  return [
    ...(reviewer ? demandsOfReviewer(reviewer, by) : []),
    ...endpoints.flatMap(each => endpoint(each, by)),
    ...ofRisks
      .filter(([, model]) => /^(?:anthropic|openai|google)\//.test(model ?? ''))
      .flatMap(([risk, model = '']) =>
        places.flatMap(({ baseUrl, apiKeyEnv = reviewer?.apiKeyEnv }) =>
          modelAt({ model, baseUrl, apiKeyEnv }, `motions of ${risk} risk`),
        ),
      ),
  ];
}

/** Hosts that the data of a session names and the configuration does not: each member would be asked where it says. */
export function demandsOfRoster(
  roster: readonly Pick<Member, 'name' | 'baseUrl'>[],
  { motions }: Pick<Config, 'motions'>,
): Demand[] {
  const known = new Set(
    [motions?.reviewer, ...(motions?.endpoints ?? [])].map(each => bare(each?.baseUrl)),
  );
  return roster.flatMap(({ name, baseUrl }) =>
    baseUrl === null || known.has(bare(baseUrl))
      ? []
      : [demand('reach', baseUrl, `member ${name} of the roster`)],
  );
}

function bare(url: string | undefined) {
  return url?.replace(/\/+$/, '');
}

/** `start node ./rev.mjs (reviewer guard), reach http://127.0.0.1:8080/v1 (reviewer local) and read TOKEN (reviewer local)` */
export function describeDemands(demands: readonly Demand[]) {
  const [first, second, ...rest] = demands.map(({ kind, what, by }) => `${kind} ${what} (${by})`);
  if (second === undefined) return first ?? 'nothing';
  return rest.length === 0
    ? `${first} and ${second}`
    : `${first}, ${second} and ${rest.length} more`;
}

/** `what`: is started, reached, read or told, as the configuration has it; `by`: `reviewer guard`, `the judge`, … */
function demand(kind: 'start' | 'reach' | 'read' | 'tell', what: string, by: string) {
  return { kind, what, by };
}

function demandsOfSeat(reviewer: ReviewerConfig) {
  return demandsOfReviewer(reviewer, `reviewer ${reviewer.id}`);
}

function demandsOfReviewer(
  reviewer: Omit<ReviewerConfig, 'id' | 'persona' | 'required'>,
  by: string,
) {
  const { runner, command = [], executable = runner, model = '' } = reviewer;
  const { kind, file } = traitsOf(runner);
  // Whatever is no analyser: a program, a report in SARIF, recorded answers, or a runner that the calling program brings.
  const used =
    file?.read !== undefined
      ? [demand('read', `${file.read} ${String(reviewer[file.key] ?? '')}`.trim(), by)]
      : kind === 'check' || kind === 'api'
        ? []
        : [demand('start', kind === 'program' ? command.join(' ') : executable, by)];
  return [
    ...used,
    ...(kind === 'api' ? modelAt({ ...reviewer, model }, by) : endpoint(reviewer, by)),
    ...reviewer.environment.map(name => demand('read', `the variable ${name}`, by)),
  ];
}

interface Endpoint {
  readonly baseUrl?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
}

function endpoint({ baseUrl, apiKeyEnv }: Endpoint, by: string, usualKey?: string) {
  const key = apiKeyEnv === undefined ? usualKey : `the variable ${apiKeyEnv}`;
  return present(
    baseUrl !== undefined && demand('reach', baseUrl, by),
    key !== undefined && demand('read', key, by),
  );
}

/** The usual key of a vendor goes to whatever address is written here. */
function modelAt({ model, baseUrl, apiKeyEnv }: Endpoint & { readonly model: string }, by: string) {
  const [vendor = ''] = model.split('/');
  return endpoint(
    { baseUrl: baseUrl ?? `the API of ${vendor}`, apiKeyEnv },
    by,
    vendor === 'openai-compatible' ? undefined : `the key of ${vendor}`,
  );
}

/** In lower case. */
function namesIn({ processes = {}, modes = {} }: Config) {
  return [...Object.values(processes), ...Object.values(modes)]
    .flatMap(({ reviewers = [], stages = [] }: Named) => [...reviewers, ...stages.flat()])
    .map(name => name.toLowerCase());
}

interface Named {
  readonly reviewers?: readonly string[] | undefined;
  readonly stages?: readonly (readonly string[])[] | undefined;
}
