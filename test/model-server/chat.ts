/** OpenAI Chat Completions. */
import { brokenDown, openaiFailure } from './openai-failures.ts';
import { piecesOf, type Frame, type Protocol, type Reply } from './protocol.ts';

export const chat: Protocol = {
  name: 'chat',
  path: /\/chat\/completions$/,

  stream(reply) {
    const chunk = (delta: object, finish: string | null = null) => ({
      data: {
        ...headOf(reply, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    });
    const usage: Frame = {
      data: { ...headOf(reply, 'chat.completion.chunk'), choices: [], usage: usageOf(reply) },
    };
    return {
      opening: [chunk({ role: 'assistant', content: '' })],
      pieces:
        reply.tool === null
          ? piecesOf(reply.text).map(content => chunk({ content }))
          : [chunk({ tool_calls: [{ index: 0, ...callOf(reply) }] })],
      closing: [
        chunk({}, finishOf(reply)),
        ...(reply.wantsUsage ? [usage] : []),
        { data: '[DONE]' },
      ],
      breakdown: [
        {
          data: {
            error: { message: brokenDown, type: 'server_error', code: 'server_error', param: null },
          },
        },
      ],
    };
  },

  whole(reply) {
    const message =
      reply.tool === null
        ? { role: 'assistant', content: reply.text }
        : { role: 'assistant', content: null, tool_calls: [callOf(reply)] };
    return {
      ...headOf(reply, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
      usage: usageOf(reply),
    };
  },

  failure: kind => openaiFailure(kind),
};

function headOf(reply: Reply, object: string) {
  return { id: `chatcmpl-${reply.number}`, object, created: 1_760_000_000, model: reply.model };
}

function callOf(reply: Reply) {
  return {
    id: `call_${reply.number}`,
    type: 'function',
    function: { name: reply.tool?.name, arguments: JSON.stringify(reply.tool?.input ?? {}) },
  };
}

function finishOf(reply: Reply) {
  if (reply.tool !== null) return 'tool_calls';
  return { normal: 'stop', limit: 'length', refusal: 'content_filter' }[reply.ending];
}

function usageOf(reply: Reply) {
  const { input, output, cached } = reply.usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
