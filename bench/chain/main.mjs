// What an agent gets back that takes a piece of work from the idea to "done" with Jury: brainstorm, a question about the design,
// the document review of the plan, the review, the gates, the verification of criteria. Scripted reviewers of realistic length;
// nothing leaves the machine. `node bench/chain/main.mjs` prints, for the command line and for MCP, characters that reach the
// caller, calls made to reviewers and characters on disk for each step, and the same chain once more, in which nobody is asked.
// Exit 1 where something is asked twice.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build, isStale } from '../../scripts/build.mjs';
import { setUp } from '../../scripts/setup.mjs';

const jury = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const reviewer = fileURLToPath(new URL('reviewer.mjs', import.meta.url));
const intention = 'A coupon lowers the total of an order, once, and never below zero';
const question =
  'Name architectural flaws, missing requirements, over-engineering, maintainability concerns and testing gaps.';
const criteria = '1. A coupon never lowers the total below zero. 2. A used coupon is refused.';

/** Each step: what the person would type, and what an agent sends to the tool `start`. */
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

setUp();
if (isStale()) await build();
process.env.JURY_TRUST_CONFIG = '1';
let isAskedTwice = false;
for (const [door, open] of [
  ['command line', openTerminal],
  ['MCP', openServer],
]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-chain-'));
  layOut(folder);
  const caller = await open(folder);
  try {
    for (const round of ['first', 'again']) await walk({ door, folder, caller, round });
  } finally {
    await caller.close();
    for (const each of [folder, `${folder}-state`]) rmSync(each, { recursive: true, force: true });
  }
}
process.exitCode = isAskedTwice ? 1 : 0;

async function walk({ door, folder, caller, round }) {
  const totals = { said: 0, calls: 0, kept: 0 };
  console.log(`\n${door}, ${round === 'first' ? 'the chain' : 'the same chain again'}`);
  console.log(row(['step', 'to the caller', 'lines', 'calls', 'on disk']));
  for (const step of steps) {
    const before = { calls: callsIn(folder), kept: sizeOf(`${folder}-state`) };
    const said = await caller.take(step);
    const calls = callsIn(folder) - before.calls;
    const kept = sizeOf(`${folder}-state`) - before.kept;
    const isToAsk = round === 'first' && step.asksNobody !== true;
    if (calls > 0 && !isToAsk) isAskedTwice = true;
    if (calls === 0 && isToAsk) throw new Error(`${step.name}: nobody was asked.\n${said}`);
    totals.said += said.length;
    totals.calls += calls;
    totals.kept += kept;
    console.log(row([step.name, said.length, said.trimEnd().split('\n').length, calls, kept]));
    if (process.argv.includes('--texts')) console.log(said);
  }
  console.log(row(['together', totals.said, '', totals.calls, totals.kept]));
}

function row(cells) {
  return cells
    .map((cell, at) => (at === 0 ? String(cell).padEnd(14) : String(cell).padStart(14)))
    .join('');
}

function openTerminal(folder) {
  return {
    take({ words }) {
      const { stdout, stderr, status } = spawnSync(process.execPath, [jury, ...words], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, JURY_STATE: `${folder}-state` },
      });
      if (status === null || status > 2) throw new Error(`jury ${words.join(' ')}: ${stderr}`);
      return stdout;
    },
    close() {},
  };
}

async function openServer(folder) {
  const client = new Client({ name: 'chain', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [jury, 'mcp'],
      cwd: folder,
      env: { ...process.env, JURY_STATE: `${folder}-state` },
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

  async function call(name, input) {
    const { content } = await client.callTool({ name, arguments: input }, undefined, {
      timeout: 120_000,
    });
    return content.map(({ text = '' }) => text).join('\n');
  }
}

/** A shop with a design, a plan, evidence and a staged change; three reviewers that write some 3,000 tokens each. */
function layOut(folder) {
  const git = (...args) => {
    const { status, stderr } = spawnSync(
      'git',
      [
        '-c',
        'user.name=Bench',
        '-c',
        'user.email=bench@example.org',
        '-c',
        'commit.gpgsign=false',
        ...args,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  };
  const write = (name, text) => {
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

function callsIn(folder) {
  const file = path.join(folder, '.git', 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
}

/** Bytes of all files below a folder; of our own texts nearly all are one character. */
function sizeOf(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((total, entry) => total + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

function order(body) {
  return `export function total(order) {\n${body}}\n`;
}
