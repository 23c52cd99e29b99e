// A model server on the loopback address that finds nothing, and counts what it is asked.
import { createServer } from 'node:http';

export async function startCountingServer() {
  const seen = { calls: 0, tokens: 0 };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const { messages, model } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const tokens = Math.ceil(messages.map(textOf).join('\n').length / 4);
      seen.calls += 1;
      seen.tokens += tokens;
      sendAnswer(response, { model, tokens });
    });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** Since the last time. */
    take() {
      const taken = { ...seen };
      Object.assign(seen, { calls: 0, tokens: 0 });
      return taken;
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

function textOf({ content }) {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}

const answer = 'None\n\nVERDICT: safe\n\nEND OF ANSWER\n';

function sendAnswer(response, { model, tokens }) {
  const line = (choice, more = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, ...choice }], ...more })}\n\n`;
  const usage = { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(line({ delta: { role: 'assistant', content: answer }, finish_reason: null }));
  response.end(`${line({ delta: {}, finish_reason: 'stop' }, { usage })}data: [DONE]\n\n`);
}
