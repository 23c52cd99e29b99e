/**
 * Three genuine clients on one panel, and a judge of what their wordings leave open: each is asked about what the other two say.
 * The scripted model remarks on the change by the client that asks, and answers about pairs as it is told.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import { createChangedRepository, juryBeside } from '../cli/jury.ts';
import { type LoggedRequest, type ModelServer, startModelServer } from '../model-server.ts';
import { markAskedFor } from '../promises/obedient-model.ts';
import { installClients } from './install.ts';

const orders = [
  'Which task the scheduler starts first is left to chance',
  'At random the scheduler picks the order of its work',
] as const;
/** One trouble in three wordings, by the protocol of the client, and another one in two. */
const remarks: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['The session token is written to the log in plain text', orders[0]],
  responses: ['Anybody who reads the log of the server can take over a session', orders[1]],
  gemini: ['Secrets of a session can be read in the log'],
};
const vendors = { claude: 'anthropic', codex: 'openai', gemini: 'google' } as const;
const key = 'fake-key-0123456789abcdef';
const environment = { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key, GEMINI_API_KEY: key };

type Judge = (pairs: readonly string[]) => string;

const judgeAs =
  (wordFor: (pair: string) => string): Judge =>
  pairs =>
    pairs.map((pair, at) => `${at + 1}|a|b|${wordFor(pair)}`).join('\n');
const judgeWell = judgeAs(pair =>
  pair.includes(orders[0]) === pair.includes(orders[1]) ? 'SAME' : 'DIFFERENT',
);
const judgeInPart: Judge = pairs => judgeWell(pairs).slice(0, -2);
const wrong: Readonly<Record<string, Judge>> = {
  prose: () => 'All of them are about one log: SAME.',
  'a refusal': () => "I'm sorry, but I can't help with that request.",
  'half an answer': judgeInPart,
  'an answer about other pairs': () => '0|a|b|SAME\n41|a|b|SAME',
  'two answers that differ': pairs =>
    ['SAME', 'DIFFERENT'].map(word => judgeAs(() => word)(pairs)).join('\n'),
};

let programs: ReadonlyMap<string, string> = new Map();
let server: ModelServer;
let unjudged: ReturnType<typeof review> | undefined;

beforeAll(async () => {
  programs = await installClients();
  server = await startModelServer();
});

afterAll(() => server.close());

describe('three genuine clients and judge: auto', () => {
  beforeEach(context => {
    const missing = Object.keys(vendors).filter(name => !programs.has(name));
    if (missing.length === 0) return;
    const why = `not installed: ${missing.join(', ')}`;
    if (process.env.JURY_REQUIRE_CLIENTS === '1') throw new Error(why);
    context.skip(why);
  });

  it('calls are told before and after, no author is asked, and voices are joined', async () => {
    const without = await withoutJudge();
    expect(without.judged).toEqual([]);
    const { record, judged, planned, stderr } = await review(judgeWell);
    expect(planned).toMatchObject({
      ceiling: { calls: without.planned.ceiling.calls + 6 },
      judge: { model: null, pairs: 40, calls: { expected: 3, ceiling: 6 } },
    });
    const pairs = judged.flatMap(pairsIn).length;
    expect(stderr).toContain(`asked about ${pairs} pairs of findings in ${judged.length} calls`);
    expect(record.usage.calls).toBe(without.record.usage.calls + judged.length);
    expect(new Set(judged.map(({ protocol }) => protocol)).size).toBe(3);
    for (const { protocol, text } of judged)
      for (const own of remarks[protocol ?? ''] ?? []) expect(text).not.toContain(own);
    expect([without.record, record].map(mostVoices)).toEqual([2, 3]);
    expect([without.record, record].map(({ outcome }) => outcome)).toEqual(['FAIL', 'FAIL']);
  });

  it.each(Object.entries(wrong))('%s changes nothing', async (_, judge) => {
    const { record, judged } = await review(judge);
    expect(judged.length).toBeGreaterThan(0);
    expect(shownIn(record)).toEqual(shownIn((await withoutJudge()).record));
  });

  it.each(['DIFFERENT', 'OPPOSITE'])('%s of all makes no outcome milder', async word => {
    const { record } = await review(judgeAs(() => word));
    expect([mostVoices(record), record.outcome]).toEqual([1, 'FAIL']);
  });

  it('a vendor that may not have the change by the rules of egress is not asked', async () => {
    const { judged } = await review(
      judgeWell,
      'judge: auto\negress: [{ files: [src], to: [anthropic, openai] }]\n',
    );
    expect(new Set(judged.map(({ protocol }) => protocol))).toEqual(
      new Set(['anthropic', 'responses']),
    );
  });
});

function withoutJudge(): ReturnType<typeof review> {
  return (unjudged ??= review(judgeWell, 'judge: off\n'));
}

function shownIn({ outcome, claims }: PrintedRecord): unknown {
  return [outcome, claims.map(({ text, supporters, against }) => [text, supporters, against])];
}

function mostVoices({ claims }: PrintedRecord): number {
  return Math.max(...claims.map(({ supporters }) => supporters.length));
}

/** Each pair that a request asks about, with what follows. */
function pairsIn({ text }: Pick<LoggedRequest, 'text'>): string[] {
  return text.split(/Pair (?=\d+\\nA: )/).slice(1);
}

function answerBy(judge: Judge, request: LoggedRequest): string {
  const pairs = pairsIn(request);
  if (pairs.length > 0) return judge(pairs);
  const mark = markAskedFor(request.text.replaceAll(String.raw`\n`, '\n')) ?? '';
  const lines = remarks[request.protocol ?? '']?.map(text => `IMPORTANT|src/sum.js:2|${text}`);
  return [...(lines ?? []), mark.replace(/["\\].*/, '')].join('\n');
}

/** In a repository of its own: what a judge answered is remembered. */
async function review(judge: Judge, settings = 'judge: auto\n') {
  const sample = createChangedRepository();
  sample.write('notes.md', 'Sums are made by night.\n');
  sample.git('add', '.');
  sample.git('commit', '-q', '--amend', '--no-edit');
  const seats = Object.entries(vendors).map(
    ([name, provider]) =>
      `  - { id: ${name}, runner: ${name}, executable: ${JSON.stringify(programs.get(name))}, ` +
      `baseUrl: '${server.url}', provider: ${provider}, timeout: 90 }\n`,
  );
  sample.write('../panel.yaml', `${settings}reviewers:\n${seats.join('')}`);
  server.set({
    plan: text => (judge === judgeInPart && pairsIn({ text }).length > 0 ? 'maxtok' : 'ok'),
    text: request => answerBy(judge, request),
  });
  const ask = (...words: readonly string[]) =>
    juryBeside(sample.root, [...words, '--config', '../panel.yaml'], { environment });
  const planned = JSON.parse((await ask('plan', '--json')).stdout) as {
    readonly ceiling: { readonly calls: number };
    readonly judge?: unknown;
  };
  const { stdout, stderr } = await ask('review', '--format', 'json');
  const record = JSON.parse(stdout) as PrintedRecord;
  const judged = server.modelCalls().filter(request => pairsIn(request).length > 0);
  return { record, judged, planned, stderr };
}
