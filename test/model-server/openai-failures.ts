/** Error bodies of the OpenAI protocols. */
import { statusOf, type FailureKind, type HttpFailure } from './protocol.ts';

export function openaiFailure(kind: FailureKind): HttpFailure {
  const [type, code, message] = failures[kind];
  return { status: statusOf(kind), body: { error: { message, type, param: null, code } } };
}

export const brokenDown = 'The server had an error while processing the request.';

const failures: Record<FailureKind, readonly [type: string, code: string | null, message: string]> =
  {
    401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
    403: [
      'invalid_request_error',
      'unsupported_country_region_territory',
      'Country, region, or territory not supported',
    ],
    404: [
      'invalid_request_error',
      'model_not_found',
      'The model does not exist or you do not have access to it.',
    ],
    429: [
      'tokens',
      'rate_limit_exceeded',
      'Rate limit reached for tokens per minute: limit 30000, used 29000, requested 5000.',
    ],
    quota: [
      'insufficient_quota',
      'insufficient_quota',
      'You exceeded your current quota, please check your plan and billing details.',
    ],
    500: ['server_error', null, brokenDown],
    503: ['server_error', null, 'The engine is currently overloaded, please try again later'],
    529: ['server_error', null, 'Overloaded'],
    ctx: [
      'invalid_request_error',
      'context_length_exceeded',
      'Your input exceeds the context window of this model.',
    ],
  };
