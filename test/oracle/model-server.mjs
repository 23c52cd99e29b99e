/** The model server of the tests, which answers by the name of the model: what a member or a reviewer says, or how the call fails. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { answerAs, chanceOf, memberIn } from '../../bench/votes/opinions.mjs';

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

/** Models `say-NAME` say what stands in the file NAME.md of `answers`, `failing-KIND` fail, `distorted` and all others vote. */
export async function startModelServer(answers) {
  const { startModelServer: start } = await loadServer();
  const server = await start({
    plan: body => {
      const { model = '' } = JSON.parse(body);
      return model.startsWith('failing-') ? model.slice('failing-'.length) : 'ok';
    },
    text({ body, path: asked }) {
      const model = body.model ?? asked;
      const reviewer = /\bsay-(\w+)/.exec(model)?.[1];
      if (reviewer !== undefined) return readFileSync(path.join(answers, `${reviewer}.md`), 'utf8');
      const chat = { instructions: textOf(body.messages?.[0]), prompt: textOf(body) };
      const member = memberIn(chat);
      const distort = distortions[Math.floor(chanceOf(`${member}|wrong`) * distortions.length)];
      const answer = answerAs(member, {
        ...chat,
        instructions: chat.instructions.slice('system\n'.length),
      });
      return model === 'distorted' ? distort(answer) : answer;
    },
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

/** All texts in it, in order. */
function textOf(value) {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textOf).filter(Boolean).join('\n');
}
