/** OpenAI Responses. */
import { brokenDown, openaiFailure } from './openai-failures.ts';
import { piecesOf, type Frame, type Protocol, type Reply } from './protocol.ts';

export const responses: Protocol = {
  name: 'responses',
  path: /\/responses$/,

  stream(reply) {
    const item = itemOf(reply);
    const created = {
      type: 'response.created',
      response: { ...responseOf(reply), status: 'in_progress', output: [], usage: null },
    };
    const last = {
      type: reply.ending === 'limit' ? 'response.incomplete' : 'response.completed',
      response: responseOf(reply),
    };
    const failed = {
      type: 'response.failed',
      response: {
        ...responseOf(reply),
        status: 'failed',
        output: [],
        error: { code: 'server_error', message: brokenDown },
      },
    };
    const [before, pieces, after] = item === null ? [[], [], []] : eventsOf(item, reply);
    const opening = [created, ...before];
    return {
      opening: numbered(opening, 0),
      pieces: numbered(pieces, opening.length),
      closing: numbered([...after, last], opening.length + pieces.length),
      breakdown: numbered([failed], opening.length),
    };
  },

  whole: reply => responseOf(reply),
  failure: kind => openaiFailure(kind),
};

type Event = { readonly type: string } & Record<string, unknown>;
type Item = { readonly type: string; readonly id: string } & Record<string, unknown>;

function numbered(events: readonly Event[], from: number): Frame[] {
  return events.map((event, index) => ({
    event: event.type,
    data: { ...event, sequence_number: from + index },
  }));
}

function eventsOf(item: Item, reply: Reply): [Event[], Event[], Event[]] {
  const at = { output_index: 0, item_id: item.id };
  const done: Event = { type: 'response.output_item.done', output_index: 0, item };
  if (item.type === 'function_call') {
    const added: Event = {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, arguments: '', status: 'in_progress' },
    };
    return [
      [added],
      [],
      [{ type: 'response.function_call_arguments.done', ...at, arguments: item.arguments }, done],
    ];
  }
  const added: Event = {
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...item, content: [], status: 'in_progress' },
  };
  if (reply.ending === 'refusal') return [[added], [], [done]];
  const part = { ...at, content_index: 0 };
  const opened: Event = {
    type: 'response.content_part.added',
    ...part,
    part: { type: 'output_text', text: '', annotations: [] },
  };
  return [
    [added, opened],
    piecesOf(reply.text).map(delta => ({
      type: 'response.output_text.delta',
      output_index: 0,
      item_id: item.id,
      content_index: 0,
      delta,
    })),
    [
      { type: 'response.output_text.done', ...part, text: reply.text },
      {
        type: 'response.content_part.done',
        ...part,
        part: { type: 'output_text', text: reply.text, annotations: [] },
      },
      done,
    ],
  ];
}

function itemOf(reply: Reply): Item | null {
  const { tool, text, number } = reply;
  if (tool !== null) {
    const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace };
    return {
      type: 'function_call',
      id: `fc_${number}`,
      call_id: `call_${number}`,
      name: tool.name,
      arguments: JSON.stringify(tool.input),
      status: 'completed',
      ...namespace,
    };
  }
  const message = { type: 'message', id: `msg_${number}`, role: 'assistant', status: 'completed' };
  if (reply.ending === 'refusal')
    return { ...message, content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] };
  return text === ''
    ? null
    : { ...message, content: [{ type: 'output_text', text, annotations: [] }] };
}

function responseOf(reply: Reply) {
  const { input, output, cached } = reply.usage;
  const item = itemOf(reply);
  return {
    id: `resp_${reply.number}`,
    object: 'response',
    created_at: 1_760_000_000,
    model: reply.model,
    parallel_tool_calls: true,
    tools: [],
    error: null,
    status: reply.ending === 'limit' ? 'incomplete' : 'completed',
    incomplete_details: reply.ending === 'limit' ? { reason: 'max_output_tokens' } : null,
    output: item === null ? [] : [item],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}
