/** Gemini. It closes no stream with an event of its own: the connection ends after the chunk with `finishReason`. */
import { piecesOf, statusOf, type FailureKind, type Protocol, type Reply } from './protocol.ts';

export const gemini: Protocol = {
  name: 'gemini',
  path: /:(?:streamGenerateContent|generateContent)$/,

  stream(reply) {
    const texts = reply.ending === 'refusal' ? [] : piecesOf(reply.text);
    const parts = reply.tool === null ? texts.map(text => ({ text })) : [callOf(reply)];
    return {
      opening: [],
      pieces: parts.map(part => ({ data: chunkOf(reply, [part], null) })),
      closing: [{ data: chunkOf(reply, [{ text: '' }], finishOf(reply)) }],
      breakdown: [
        {
          data: {
            error: {
              code: 503,
              message: 'The model is overloaded. Please try again later.',
              status: 'UNAVAILABLE',
            },
          },
        },
      ],
    };
  },

  whole(reply) {
    const texts = reply.text === '' || reply.ending === 'refusal' ? [] : [{ text: reply.text }];
    return chunkOf(reply, reply.tool === null ? texts : [callOf(reply)], finishOf(reply));
  },

  failure(kind, retryAfterSeconds) {
    const [status, message] = failures[kind];
    return {
      status: statusOf(kind),
      body: {
        error: {
          code: statusOf(kind),
          message,
          status,
          details: detailsOf(kind, retryAfterSeconds),
        },
      },
    };
  },
};

function callOf(reply: Reply) {
  return { functionCall: { name: reply.tool?.name, args: reply.tool?.input } };
}

function chunkOf(reply: Reply, parts: readonly object[], finishReason: string | null) {
  const { input, output, cached } = reply.usage;
  const last =
    finishReason === null
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: input,
            candidatesTokenCount: output,
            totalTokenCount: input + output,
            cachedContentTokenCount: cached,
            thoughtsTokenCount: 0,
          },
        };
  return {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts },
        ...(finishReason === null ? {} : { finishReason }),
      },
    ],
    ...last,
    modelVersion: reply.model,
    responseId: `scripted-${reply.number}`,
  };
}

function finishOf(reply: Reply) {
  return { normal: 'STOP', limit: 'MAX_TOKENS', refusal: 'SAFETY' }[reply.ending];
}

function detailsOf(kind: FailureKind, retryAfterSeconds: number) {
  if (kind === '429')
    return [
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterSeconds}s` },
    ];
  if (kind !== 'quota') return [];
  return [
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
    },
  ];
}

const failures: Record<FailureKind, readonly [status: string, message: string]> = {
  401: ['UNAUTHENTICATED', 'API keys are not supported by this API.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'models/unknown-model is not found for API version v1beta'],
  429: ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  quota: [
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  500: ['INTERNAL', 'An internal error has occurred. Please retry.'],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  529: ['UNAVAILABLE', 'Overloaded'],
  ctx: [
    'INVALID_ARGUMENT',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ],
};
