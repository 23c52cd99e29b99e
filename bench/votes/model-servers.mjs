// Model servers on the loopback address, each with a model of its own, that speak the wire format of chat completions as a
// stream. They count what they are asked and what it would cost, whoever asks.
import { createServer } from 'node:http';
import { answerAs, memberIn } from './opinions.mjs';

/**
 * Starts a server for each of `models`: `{model, price}`, US dollars for a million tokens. `set` says how they behave from now on:
 * `delayOf` milliseconds of a call, `fails` who gets a fault of the server, `answer` what is said; both see the member and the chat.
 */
export async function startModelServers(models) {
  const world = { script: {}, log: [] };
  const servers = await Promise.all(models.map(one => startServer(one, world)));
  return {
    endpoints: servers.map(({ url }, index) => ({ url, ...models[index] })),
    set: script => (world.script = script),
    /** What was asked since the last time. */
    take() {
      const log = world.log.splice(0);
      return {
        calls: log.length,
        answered: log.filter(({ isAnswered }) => isAnswered).length,
        cost: log.reduce((sum, { cost }) => sum + cost, 0),
        delayMs: log.reduce((sum, { delayMs }) => sum + delayMs, 0),
        /** Milliseconds of the clock of this process. */
        firstAt: Math.min(...log.map(({ askedAt }) => askedAt)),
        lastAt: Math.max(...log.map(({ askedAt, delayMs }) => askedAt + delayMs)),
        byModel: models.map(({ model }) => log.filter(one => one.model === model).length),
      };
    },
    close: () => Promise.all(servers.map(({ close }) => close())),
  };
}

async function startServer({ model, price }, world) {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const chat = chatOf(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      const member = memberIn(chat.instructions);
      const { delayOf = () => 0, fails = () => false, answer = answerAs } = world.script;
      const delayMs = delayOf(member, chat);
      const askedAt = performance.now();
      setTimeout(() => {
        if (fails(member, chat)) {
          world.log.push({ model, isAnswered: false, cost: 0, delayMs, askedAt });
          sendFault(response);
          return;
        }
        const text = answer(member, chat);
        const usage = { input: tokensIn(chat.instructions + chat.prompt), output: tokensIn(text) };
        const cost = (usage.input * price.input + usage.output * price.output) / 1e6;
        world.log.push({ model, isAnswered: true, cost, delayMs, askedAt });
        sendAnswer(response, { model, text, usage });
      }, delayMs);
    });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

function chatOf({ messages }) {
  const textOf = wanted =>
    messages
      .filter(({ role }) => role === wanted)
      .map(({ content }) =>
        typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(''),
      )
      .join('\n');
  return { instructions: textOf('system'), prompt: textOf('user') };
}

function tokensIn(text) {
  return Math.ceil(text.length / 4);
}

function sendFault(response) {
  response
    .writeHead(500, { 'content-type': 'application/json' })
    .end('{"error":{"message":"out of order","type":"server_error"}}');
}

function sendAnswer(response, { model, text, usage: { input, output } }) {
  const line = (choice, more = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, ...choice }], ...more })}\n\n`;
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(line({ delta: { role: 'assistant', content: text }, finish_reason: null }));
  response.end(`${line({ delta: {}, finish_reason: 'stop' }, { usage })}data: [DONE]\n\n`);
}
