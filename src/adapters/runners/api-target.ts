/** Which model at which endpoint with which key. Endpoints and keys come from the seat and from nowhere else. */
import type { LanguageModel } from 'ai';
import { vendorEndpoints } from '../../core/context/egress.ts';
import type { Seat } from '../../core/words/config.ts';
import type { NotAnswered } from '../../core/ports/runner.ts';
import { failedAnswer } from '../../core/words/answer.ts';
import type { RunnerWorld } from './runner-world.ts';

export interface ApiTarget {
  readonly provider: ProviderName;
  readonly model: string;
  readonly baseUrl: string;
  /** Null only for openai-compatible endpoints, which may need none. */
  readonly apiKey: string | null;
}

type ProviderName = 'anthropic' | 'openai' | 'google' | 'openai-compatible';
type Fetch = typeof globalThis.fetch;

interface ProviderEntry {
  /** Null: the seat must name one. */
  readonly baseUrl: string | null;
  /** The vendor's usual variables, the first that is set counts. None: works without a key. */
  readonly keys: readonly string[];
  load(target: ApiTarget, fetch: Fetch): Promise<LanguageModel>;
}

const providers: Record<ProviderName, ProviderEntry> = {
  anthropic: {
    baseUrl: vendorEndpoints.anthropic,
    keys: ['ANTHROPIC_API_KEY'],
    load: async ({ model, ...rest }, fetch) =>
      (await import('@ai-sdk/anthropic')).createAnthropic(settings(rest, fetch))(model),
  },
  openai: {
    baseUrl: vendorEndpoints.openai,
    keys: ['OPENAI_API_KEY'],
    load: async ({ model, ...rest }, fetch) =>
      (await import('@ai-sdk/openai')).createOpenAI(settings(rest, fetch)).responses(model),
  },
  google: {
    baseUrl: vendorEndpoints.google,
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    load: async ({ model, ...rest }, fetch) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings(rest, fetch))(model),
  },
  'openai-compatible': {
    baseUrl: null,
    keys: [],
    load: async ({ model, ...rest }, fetch) =>
      (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        ...settings(rest, fetch),
        name: 'openai-compatible',
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model),
  },
};

/** What is passed explicitly cannot be read from the environment by the libraries. */
function settings({ baseUrl, apiKey }: Omit<ApiTarget, 'model'>, fetch: Fetch) {
  return { baseURL: baseUrl, fetch, ...(apiKey === null ? {} : { apiKey }) };
}

/** The target, or the failure that makes a request pointless. */
export function resolveTarget(seat: Seat, world: RunnerWorld): ApiTarget | NotAnswered {
  const [name = '', ...rest] = (seat.model ?? '').split('/');
  const model = rest.join('/');
  if (!isProvider(name) || model === '')
    return failedAnswer(
      'not-found',
      `"${seat.model ?? ''}" names no model: expected provider/model with provider ${Object.keys(providers).join(', ')}.`,
    );
  const baseUrl = seat.baseUrl ?? providers[name].baseUrl;
  if (baseUrl === null) return failedAnswer('not-found', `${name} needs a baseUrl.`);
  const variables = seat.apiKeyEnv === undefined ? providers[name].keys : [seat.apiKeyEnv];
  const apiKey =
    variables
      .map(variable => world.environment[variable])
      .find(value => value !== undefined && value !== '') ?? null;
  if (apiKey === null && variables.length > 0)
    return failedAnswer('auth', `No key in ${variables.join(' or ')}.`);
  return { provider: name, model, baseUrl, apiKey };
}

export function loadModel(target: ApiTarget, fetch: Fetch): Promise<LanguageModel> {
  return providers[target.provider].load(target, fetch);
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(providers, name);
}
