// Model servers on the loopback address, each with a model of its own, that speak the wire format of chat completions as a
// stream. They count what they are asked and what it would cost, whoever asks.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { answerAs, memberIn } from './opinions.mjs';

/**
 * `price`: US dollars for a million tokens.
 * @typedef {{ readonly model: string, readonly price: { readonly input: number, readonly output: number } }} Model
 * @typedef {{ readonly instructions: string, readonly prompt: string }} Chat
 * @typedef {{ readonly delayOf?: (member: string | null, chat: Chat) => number,
 *   readonly fails?: (member: string | null, chat: Chat) => boolean,
 *   readonly answer?: (member: string | null, chat: Chat) => string }} Script
 * @typedef {{ readonly model: string, readonly isAnswered: boolean, readonly cost: number, readonly tokens: number,
 *   readonly delayMs: number, readonly askedAt: number }} LoggedCall
 * @typedef {{ script: Script, readonly log: LoggedCall[] }} World
 * @typedef {ReturnType<Awaited<ReturnType<typeof startModelServers>>['take']>} Seen
 */

/**
 * Starts a server for each of `models`. `set` says how they behave from now on:
 * `delayOf` milliseconds of a call, `fails` who gets a fault of the server, `answer` what is said; both see the member and the chat.
 * @param {readonly Model[]} models
 */
export async function startModelServers(models) {
  /** @type {World} */
  const world = { script: {}, log: [] };
  const servers = await Promise.all(models.map(one => startServer(one, world)));
  return {
    endpoints: models.map((one, index) => ({ url: servers[index]?.url, ...one })),
    set(/** @type {Script} */ script) {
      world.script = script;
    },
    /** What was asked since the last time. */
    take() {
      const log = world.log.splice(0);
      return {
        calls: log.length,
        answered: log.filter(({ isAnswered }) => isAnswered).length,
        cost: log.reduce((sum, { cost }) => sum + cost, 0),
        /** Sent. */
        tokens: log.reduce((sum, { tokens }) => sum + tokens, 0),
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

async function startServer(/** @type {Model} */ { model, price }, /** @type {World} */ world) {
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const chat = chatOf(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      const member = memberIn(chat);
      const { delayOf = () => 0, fails = () => false, answer = answerAs } = world.script;
      const delayMs = delayOf(member, chat);
      const askedAt = performance.now();
      setTimeout(() => {
        if (fails(member, chat)) {
          world.log.push({ model, isAnswered: false, cost: 0, tokens: 0, delayMs, askedAt });
          sendFault(response);
          return;
        }
        const text = answer(member, chat);
        const usage = { input: tokensIn(chat.instructions + chat.prompt), output: tokensIn(text) };
        const cost = (usage.input * price.input + usage.output * price.output) / 1e6;
        world.log.push({ model, isAnswered: true, cost, tokens: usage.input, delayMs, askedAt });
        sendAnswer(response, { model, text, usage });
      }, delayMs);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/**
 * @param {{ readonly messages: readonly { readonly role: string, readonly content: string | readonly { readonly text?: string }[] }[] }} body
 * @returns {Chat}
 */
function chatOf({ messages }) {
  const textOf = (/** @type {string} */ wanted) =>
    messages
      .filter(({ role }) => role === wanted)
      .map(({ content }) =>
        typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(''),
      )
      .join('\n');
  return { instructions: textOf('system'), prompt: textOf('user') };
}

function tokensIn(/** @type {string} */ text) {
  return Math.ceil(text.length / 4);
}

/** @typedef {import('node:http').ServerResponse} Response */

function sendFault(/** @type {Response} */ response) {
  response
    .writeHead(500, { 'content-type': 'application/json' })
    .end('{"error":{"message":"out of order","type":"server_error"}}');
}

/**
 * @param {Response} response
 * @param {{ readonly model: string, readonly text: string, readonly usage: { readonly input: number, readonly output: number } }} answer
 */
function sendAnswer(response, { model, text, usage: { input, output } }) {
  const line = (/** @type {object} */ choice, more = {}) =>
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
