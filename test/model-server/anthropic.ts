/** Anthropic Messages. */
import { piecesOf, statusOf, type FailureKind, type Protocol, type Reply } from './protocol.ts';

export const anthropic: Protocol = {
  name: 'anthropic',
  path: /\/messages$/,

  stream(reply) {
    const block = blockOf(reply);
    const started = event('message_start', {
      message: {
        ...messageOf(reply),
        content: [],
        stop_reason: null,
        usage: { ...usageOf(reply), output_tokens: 1 },
      },
    });
    const closing = [
      event('message_delta', {
        delta: { stop_reason: stopOf(reply), stop_sequence: null },
        usage: { output_tokens: reply.usage.output },
      }),
      event('message_stop', {}),
    ];
    const breakdown = [
      event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ];
    if (block === null) return { opening: [started], pieces: [], closing, breakdown };
    const empty = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
    const deltas =
      block.type === 'text'
        ? piecesOf(reply.text).map(text => ({ type: 'text_delta', text }))
        : [{ type: 'input_json_delta', partial_json: JSON.stringify(reply.tool?.input ?? {}) }];
    return {
      opening: [started, event('content_block_start', { index: 0, content_block: empty })],
      pieces: deltas.map(delta => event('content_block_delta', { index: 0, delta })),
      closing: [event('content_block_stop', { index: 0 }), ...closing],
      breakdown,
    };
  },

  whole: reply => messageOf(reply),

  failure(kind) {
    const [type, message] = failures[kind];
    return {
      status: statusOf(kind),
      body: { type: 'error', error: { type, message }, request_id: 'req_scripted' },
    };
  },
};

function event(type: string, rest: object) {
  return { event: type, data: { type, ...rest } };
}

function messageOf(reply: Reply) {
  const block = blockOf(reply);
  return {
    id: `msg_${reply.number}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content: block === null ? [] : [block],
    stop_reason: stopOf(reply),
    stop_sequence: null,
    usage: usageOf(reply),
  };
}

function blockOf(reply: Reply) {
  if (reply.tool !== null)
    return {
      type: 'tool_use',
      id: `toolu_${reply.number}`,
      name: reply.tool.name,
      input: reply.tool.input,
    } as const;
  return reply.text === '' ? null : ({ type: 'text', text: reply.text } as const);
}

function stopOf(reply: Reply) {
  if (reply.tool !== null) return 'tool_use';
  return { normal: 'end_turn', limit: 'max_tokens', refusal: 'refusal' }[reply.ending];
}

function usageOf(reply: Reply) {
  const { input, output, cached } = reply.usage;
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

const failures: Record<FailureKind, readonly [type: string, message: string]> = {
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'This key may not use the resource.'],
  404: ['not_found_error', 'model: unknown-model'],
  429: ['rate_limit_error', 'This request would exceed the rate limit of the organization.'],
  quota: ['rate_limit_error', 'You have reached your specified API usage limits.'],
  500: ['api_error', 'Internal server error'],
  503: ['api_error', 'Service unavailable'],
  529: ['overloaded_error', 'Overloaded'],
  ctx: ['invalid_request_error', 'prompt is too long: 250000 tokens > 200000 maximum'],
};
