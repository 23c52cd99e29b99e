/** The model server of the tests, which answers by the name of the model: what a member or a reviewer says, or how the call fails. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { answerAs, chanceOf, memberIn } from '../../bench/votes/opinions.mjs';

/** Calls that end so, of models `failing-KIND`. */
const failing = 'failing-';

/** Ways in which the answer of a member goes wrong: what it makes of the right one. */
const distortions = [
  text => text,
  text => `I have thought about it.\n\n\`\`\`json\n${text}\n\`\`\`\nThat is all.`,
  text => text.slice(0, Math.floor(text.length / 2)),
  text => text.replaceAll('"endorse"', '"yes, with pleasure"'),
  text => text.replace('[{', '[{"motion_id":"m-none","stance":"oppose"},{'),
  text => text.replace(/^\[(\{.*?\})/, '[$1,$1'),
  text =>
    text.replaceAll(
      '"stance":"oppose"',
      '"stance":"OPPOSE","opposition_concerns":{"a":"costs","b":"haste"}',
    ),
  () => 'As an assistant I cannot vote.',
  text => text.replaceAll(/"confidence":[\d.]+/g, '"confidence":"very"'),
];

export async function startModelServer() {
  const { startModelServer: start } = await loadServer();
  const server = await start({
    plan: body => {
      const { model } = JSON.parse(body);
      return model?.startsWith(failing) ? model.slice(failing.length) : 'ok';
    },
    text: ({ body, path }) => answerTo(body.model ?? path, chatOf(body)),
  });
  return {
    url: server.url,
    asked: () => server.modelCalls().map(({ body }) => textOf(body)),
    forget: () => server.set({}),
    close: server.close,
  };
}

/** It is written in TypeScript, which this Node may not read. */
async function loadServer() {
  const input = fileURLToPath(new URL('../model-server.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node' });
  const { output } = await bundle.generate();
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

function answerTo(model, chat) {
  const [kind, ...words] = model.split(':');
  if (kind === 'say') return Buffer.from(words.join(':'), 'base64url').toString();
  const member = memberIn(chat);
  const answer = answerAs(member, chat);
  if (kind !== 'distorted') return answer;
  return distortions[Math.floor(chanceOf(`${member}|wrong`) * distortions.length)](answer);
}

function chatOf(body) {
  const messages = body.messages ?? body.input ?? [];
  const of = wanted =>
    messages
      .filter(({ role }) => (role === 'system' || role === 'developer') === wanted)
      .map(({ content }) => textOf(content))
      .join('\n');
  return {
    instructions: [textOf(body.system ?? body.instructions ?? ''), of(true)]
      .filter(Boolean)
      .join('\n'),
    prompt: of(false),
  };
}

/** All texts in it, in order. */
function textOf(value) {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textOf).filter(Boolean).join('\n');
}
