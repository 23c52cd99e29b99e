// What an agent gets back that takes a piece of work from the idea to "done" with Jury: brainstorm, a question about the design,
// the document review of the plan, the review, the gates, the verification of criteria. Scripted reviewers of realistic length;
// nothing leaves the machine. Prints, for the command line and for MCP, characters that reach the caller, calls made to
// reviewers and characters on disk for each step, and the same chain once more, in which nobody is asked.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { environmentOf, gitIn, inFolder, jury, runJury, stateOf, tableOf } from './program.mjs';

export const title =
  'calls to reviewers by steps of a chain that were answered before or ask nobody';
export const aim = 0;

const reviewer = fileURLToPath(new URL('chain/reviewer.mjs', import.meta.url));
const intention = 'A coupon lowers the total of an order, once, and never below zero';
const question =
  'Name architectural flaws, missing requirements, over-engineering, maintainability concerns and testing gaps.';
const criteria = '1. A coupon never lowers the total below zero. 2. A used coupon is refused.';

/** Each step: what the person would type, and what an agent sends to the tool `start`. */
/** @type {Step[]} */
const steps = [
  {
    name: 'brainstorm',
    words: ['brainstorm', 'Coupons for the shop'],
    tool: { process: 'brainstorm', subject: 'Coupons for the shop' },
  },
  {
    name: 'design',
    words: ['ask', '--mode', 'general', '--context-file', 'docs/design.md', question],
    tool: { process: 'ask', mode: 'general', subject: question, context: 'docs/design.md' },
  },
  {
    name: 'plan',
    words: ['document', 'docs/plan.md'],
    tool: { process: 'document', subject: 'docs/plan.md' },
  },
  {
    name: 'review',
    words: ['review', '--staged', '--description', intention],
    tool: { process: 'review', subject: '--staged', context: intention },
  },
  {
    name: 'gates',
    words: ['gates', '--description', intention],
    tool: { process: 'gates', context: intention },
    asksNobody: true,
  },
  {
    name: 'verification',
    words: ['ask', '--mode', 'verification', '--context-file', 'docs/evidence.txt', criteria],
    tool: { process: 'ask', mode: 'verification', subject: criteria, context: 'docs/evidence.txt' },
  },
];

const doors = /** @type {const} */ ([
  ['command line', openTerminal],
  ['MCP', openServer],
]);

/** @type {import('./main.mjs').Measure} */
export async function measure({ size }) {
  const taken = size === 'full' ? steps : steps.slice(0, 1);
  let [again, said] = [0, ''];
  for (const [door, open] of doors.slice(0, size === 'full' ? 2 : 1))
    await inFolder(async folder => {
      layOut(folder);
      const caller = await open(folder);
      try {
        for (const round of ['the chain', 'the same chain again']) {
          const rows = await walk(folder, { caller, taken, isFirst: round === 'the chain' });
          const together = { name: 'together', said: 0, calls: 0, kept: 0, again: 0 };
          for (const row of rows)
            for (const key of /** @type {const} */ (['said', 'calls', 'kept', 'again']))
              together[key] += row[key];
          again += together.again;
          const cells = [...rows, together].map(row => [row.name, row.said, row.calls, row.kept]);
          const head = ['step', 'to the caller', 'calls', 'on disk'];
          console.log(`${door}, ${round}\n${tableOf([head, ...cells])}`);
          said += ` ${together.said}`;
        }
      } finally {
        await caller.close();
      }
    });
  return { figure: again, detail: `characters to the caller, each chain:${said}` };
}

/**
 * @typedef {{ readonly name: string, readonly words: string[], readonly asksNobody?: boolean,
 *   readonly tool: Readonly<Record<string, string>> }} Step
 * @typedef {{ readonly take: (step: Step) => Promise<string>, readonly close: () => Promise<void> | void }} Caller
 */

/**
 * @param {string} folder
 * @param {{ readonly caller: Caller, readonly taken: readonly Step[], readonly isFirst: boolean }} chain
 */
async function walk(folder, { caller, taken, isFirst }) {
  const rows = [];
  for (const step of taken) {
    const before = { calls: callsIn(folder), kept: sizeOf(stateOf(folder)) };
    const said = await caller.take(step);
    const calls = callsIn(folder) - before.calls;
    const kept = sizeOf(stateOf(folder)) - before.kept;
    const isToAsk = isFirst && step.asksNobody !== true;
    if (calls === 0 && isToAsk) throw new Error(`${step.name}: nobody was asked.\n${said}`);
    rows.push({ name: step.name, said: said.length, calls, kept, again: isToAsk ? 0 : calls });
  }
  return rows;
}

/** @returns {Caller} */
function openTerminal(/** @type {string} */ folder) {
  return { take: async ({ words }) => (await runJury(words, folder)).stdout, close() {} };
}

/** @returns {Promise<Caller>} */
async function openServer(/** @type {string} */ folder) {
  const client = new Client({ name: 'chain', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [jury, 'mcp'],
      cwd: folder,
      env: environmentOf(folder),
      stderr: 'ignore',
    }),
  );
  return {
    /** Everything the client puts before its model: the text of `start`, and that of `wait` until the run has ended. */
    async take({ tool: { context, ...tool } }) {
      const file = path.join(folder, context ?? '');
      const background = context && existsSync(file) ? readFileSync(file, 'utf8') : context;
      let said = await call('start', { ...tool, ...(background && { context: background }) });
      for (let text = said; /"state":\s*"running"|still running/.test(text); said += text) {
        const run = /\d{8}T\d{6}Z-[0-9a-f]{6}/.exec(text)?.[0];
        text = await call('wait', { run });
      }
      return said;
    },
    close: () => client.close(),
  };

  async function call(/** @type {string} */ name, /** @type {Record<string, unknown>} */ input) {
    const told = await client.callTool({ name, arguments: input }, undefined, { timeout: 120_000 });
    const { content } = /** @type {{ content: { text?: string }[] }} */ (told);
    return content.map(({ text = '' }) => text).join('\n');
  }
}

/** A shop with a design, a plan, evidence and a staged change; three reviewers that write some 3,000 tokens each. */
function layOut(/** @type {string} */ folder) {
  const git = gitIn(folder);
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  const sum = '  return order.lines.reduce((sum, line) => sum + line.price * line.count, 0);\n';
  git('init', '-q', '-b', 'main');
  write('.gitignore', '.jury/\n');
  write('src/order.js', order(sum));
  write(
    'docs/design.md',
    '# Coupons\n\n## Goal\n\nA coupon lowers the total.\n\n## Storage\n\nCodes lie in one table.\n',
  );
  write(
    'docs/plan.md',
    '# Plan\n\n## Coupons\n\nRead the code, subtract its value.\n\n## Storage\n\nMark the code as used.\n',
  );
  write('docs/evidence.txt', 'All 41 tests pass. order.js refuses a coupon that is used.\n');
  const seats = ['claude-like', 'codex-like', 'gemini-like'].map(
    id =>
      `  - { id: ${id}, runner: command, command: [node, ${JSON.stringify(reviewer)}], environment: ` +
      `[CHAIN_CALLS], isolation: { write: [${JSON.stringify(folder)}] } }`,
  );
  write('jury.config.yaml', `reviewers:\n${seats.join('\n')}\n`);
  process.env.CHAIN_CALLS = path.join(folder, '.git', 'calls');
  git('add', '.');
  git('commit', '-qm', 'one');
  write(
    'src/order.js',
    order(`${sum.replace('return ', 'const sum = ')}  return sum - (order.coupon?.value ?? 0);\n`),
  );
  git('add', '.');
}

function callsIn(/** @type {string} */ folder) {
  const file = path.join(folder, '.git', 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
}

/** Bytes of all files below a folder; of our own texts nearly all are one character. */
function sizeOf(/** @type {string} */ folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((total, entry) => total + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

function order(/** @type {string} */ body) {
  return `export function total(order) {\n${body}}\n`;
}
