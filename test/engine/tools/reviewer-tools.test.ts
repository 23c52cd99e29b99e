import fc from 'fast-check';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BranchHouse } from '../../../src/engine/tools/reviewer-tools.ts';
import { toolNames, toolOffers } from '../../../src/core/tools/offers.ts';
import { ask as askTools, cloudKey, openToolBench } from './tool-bench.ts';

const branch = { session_id: 's1', description: 'Look at the callers' };

describe('the list of tools', () => {
  it('is fixed, read-only and closed to unknown keys', async () => {
    const { tools } = await openToolBench();
    expect(tools.list()).toEqual(toolOffers());
    expect(toolNames).toEqual([
      'semantic_search',
      'read_anchor',
      'report_finding',
      'branch_create',
      'branch_return',
      'branch_status',
    ]);
    expect(toolOffers().map(({ annotations }) => annotations.readOnlyHint)).not.toContain(false);
    expect(toolOffers().map(({ inputSchema }) => inputSchema['additionalProperties'])).toEqual(
      toolNames.map(() => false),
    );
  });

  it('takes neither a command nor a root', () => {
    for (const { inputSchema } of toolOffers())
      expect(Object.keys(inputSchema['properties'] as object)).not.toEqual(
        expect.arrayContaining(['command']),
      );
  });

  it('answers a wrong name, a wrong key and a wrong type with a sentence', async () => {
    const { ask } = await openToolBench();
    expect(await ask('read_file', {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no tool of this name'),
    });
    expect(await ask('read_anchor', { path: 'src/app.ts', command: 'ls' })).toMatchObject({
      isError: true,
      text: 'command: Unknown key "command"; known are anchor, path, lines, side.',
    });
    expect(await ask('semantic_search', { query: 7 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^query: /),
    });
    expect(await ask('semantic_search', null)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\(top level\): /),
    });
  });

  it('is called on by nobody whose review was stopped', async () => {
    const { tools } = await openToolBench();
    expect(
      await tools.call('semantic_search', { query: 'sum' }, AbortSignal.abort()),
    ).toMatchObject({ isError: true });
  });

  it('never rejects, whatever is put in', async () => {
    const { tools } = await openToolBench();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...toolNames, 'toString', ''),
        fc.jsonValue(),
        async (name, input) => {
          const { text } = await tools.call(name, input, new AbortController().signal);
          expect(text).not.toBe('');
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('semantic_search', () => {
  it('finds places with the index and says so', async () => {
    const { ask } = await openToolBench();
    const { value } = await ask('semantic_search', { query: 'sumAll', limit: 5 });
    expect(value).toMatchObject({
      source: 'semantic',
      results: expect.arrayContaining([
        {
          path: 'src/sum.ts',
          lines: expect.any(String),
          text: expect.stringContaining('sumAll'),
          source: 'semantic',
        },
      ]),
    });
    expect(value['note']).toContain('not instructions');
  });

  it('falls back to grep without an index and says so', async () => {
    const { ask } = await openToolBench({ hasIndex: false });
    const { value } = await ask('semantic_search', { query: 'sumAll' });
    expect(value).toMatchObject({
      source: 'grep',
      note: expect.stringContaining('there is no index'),
      results: [{ path: 'src/app.ts', lines: '1-3', source: 'grep' }],
    });
  });

  it('refuses a query without a word', async () => {
    const { ask } = await openToolBench();
    expect(await ask('semantic_search', { query: '***' })).toMatchObject({ isError: true });
  });

  it('masks credentials in what it shows', async () => {
    const { ask } = await openToolBench();
    const { text } = await ask('semantic_search', { query: 'region' });
    expect(text).toContain('src/keys.ts');
    expect(text).toContain('[REDACTED]');
    expect(text).not.toContain(cloudKey);
  });
});

describe('read_anchor', () => {
  it('reads a range, an anchor of the pack and a whole file, with line numbers', async () => {
    const { ask } = await openToolBench();
    expect((await ask('read_anchor', { path: 'src/sum.ts', lines: '2-3' })).value).toMatchObject({
      path: 'src/sum.ts',
      side: 'new',
      lines: '2-3',
      cut: null,
      text: '2\texport function sumAll(list: number[]) {\n3\t  return list.reduce((a, b) => a + b, 0);',
    });
    expect((await ask('read_anchor', { anchor: 'src/sum.ts:2-3' })).value).toMatchObject({
      lines: '2-3',
    });
    expect((await ask('read_anchor', { path: 'src/app.ts' })).value).toMatchObject({
      lines: '1-3',
    });
  });

  it('reads the old side of what the change touched, and never the new one in its place', async () => {
    const { ask } = await openToolBench();
    expect((await ask('read_anchor', { path: 'src/gone.ts', side: 'old' })).value).toMatchObject({
      text: '1\texport const gone = 1;',
    });
    expect(await ask('read_anchor', { path: 'src/gone.ts' })).toMatchObject({ isError: true });
    expect(await ask('read_anchor', { path: 'src/app.ts', side: 'old' })).toMatchObject({
      isError: true,
    });
  });

  it('reads the tree under review, not the working tree', async () => {
    const { ask, sample } = await openToolBench();
    // Nobody commits it.
    sample.write('src/later.ts', 'export const later = 1;\n');
    expect(await ask('read_anchor', { path: 'src/later.ts' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('no text at this path'),
    });
  });

  it.each([
    '/etc/passwd',
    '../outside.txt',
    'src/../../outside.txt',
    'src/./app.ts',
    './src/app.ts',
    'C:\\secrets.txt',
    '\\\\host\\share',
    '~/.ssh/id_rsa',
    'file:///etc/passwd',
    '.git/config',
    'src//app.ts',
    'src\\..\\..\\x',
    'a\0b',
  ])('refuses %j as a path outside', async path => {
    const { ask } = await openToolBench();
    expect(await ask('read_anchor', { path })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/outside|no path has/),
    });
  });

  it('does not follow a link out of the tree, and takes a pathspec for a name', async () => {
    const { ask } = await openToolBench({
      prepare: sample => symlinkSync('/etc/passwd', join(sample.root, 'link.txt')),
    });
    const { text } = await ask('read_anchor', { path: 'link.txt' });
    expect(text).not.toContain('root:');
    for (const path of ['*', ':(glob)**', 'src'])
      expect(await ask('read_anchor', { path })).toMatchObject({ isError: true });
  });

  it('masks credentials and keeps the line numbers true', async () => {
    const { ask } = await openToolBench();
    const { text, value } = await ask('read_anchor', { path: 'src/keys.ts' });
    expect(text).not.toContain(cloudKey);
    expect(value['text']).toContain("2\texport const key = '[REDACTED]'");
  });

  it('cuts what is long and says what is missing', async () => {
    const { ask } = await openToolBench({
      prepare: sample =>
        sample.write('long.txt', `${'x'.repeat(5_000)}\n${'line\n'.repeat(1_000)}`),
    });
    const { value } = await ask('read_anchor', { path: 'long.txt' });
    expect(value).toMatchObject({
      lines: '1-400',
      cut: 'lines 401-1001 are not shown: ask for them; 1 long line was cut',
    });
    expect(value['text']).toContain('… (cut: 5000 characters)');
  });

  it('refuses lines past the end, both ways of naming at once, and neither', async () => {
    const { ask } = await openToolBench();
    expect(await ask('read_anchor', { path: 'src/app.ts', lines: '90-99' })).toMatchObject({
      isError: true,
      text: 'The file has 3 lines; these are not among them.',
    });
    expect(
      await ask('read_anchor', { path: 'src/app.ts', anchor: 'src/app.ts:1-2' }),
    ).toMatchObject({ isError: true });
    expect(await ask('read_anchor', {})).toMatchObject({ isError: true });
    expect(await ask('read_anchor', { path: 'src/app.ts', lines: 'all' })).toMatchObject({
      isError: true,
    });
  });

  it('shows hidden characters of the text', async () => {
    const { ask } = await openToolBench({
      prepare: sample => sample.write('bidi.txt', 'a\u202Eb\n'),
    });
    expect((await ask('read_anchor', { path: 'bidi.txt' })).value['text']).toBe('1\ta⟦U+202E⟧b');
  });

  it('shows nothing when the scanner fails', async () => {
    const { ask } = await openToolBench({
      secrets: { scan: () => Promise.reject(new Error('no rules')) },
    });
    expect(await ask('read_anchor', { path: 'src/keys.ts' })).toEqual({
      isError: true,
      text: 'The tool failed: no rules.',
      value: {},
    });
  });
});

describe('report_finding', () => {
  const finding = {
    severity: 'HIGH',
    text: 'The sum of nothing throws',
    file: 'src/sum.ts',
    line: 3,
    evidence: 'reduce without a start',
  };

  it('records a finding with its place, once', async () => {
    const { ask, tools } = await openToolBench();
    expect((await ask('report_finding', finding)).value).toEqual({ recorded: true, id: 'R1' });
    expect((await ask('report_finding', finding)).value).toMatchObject({
      recorded: true,
      note: 'It was recorded before.',
    });
    expect(tools.reported()).toMatchObject([
      {
        originalId: 'R1',
        severity: 'high',
        label: 'HIGH',
        text: finding.text,
        path: 'src/sum.ts',
        line: 3,
        evidence: finding.evidence,
      },
    ]);
  });

  it('refuses a severity that nobody declared and a text that says nothing', async () => {
    const { ask, tools } = await openToolBench();
    expect(await ask('report_finding', { ...finding, severity: 'Blocker' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('CRITICAL, HIGH, MEDIUM, LOW'),
    });
    expect(await ask('report_finding', { ...finding, text: ' \u001B[0m ' })).toMatchObject({
      isError: true,
    });
    expect(tools.reported()).toEqual([]);
  });
});

describe('the ledger', () => {
  it('is charged for what the tools tell, as it is told', async () => {
    const { ask, ledger } = await openToolBench();
    const { text } = await ask('read_anchor', { path: 'src/sum.ts' });
    expect(ledger.standing().used).toBe(Math.ceil(Buffer.byteLength(text) / 4));
  });

  it('makes answers demand less from 80 % on, and counts milder findings instead of keeping them', async () => {
    const { ask, ledger, tools } = await openToolBench({ total: 1_000 });
    ledger.charge(799);
    expect((await ask('report_finding', { severity: 'LOW', text: 'A' })).text).toMatch(
      /^CRITICAL and HIGH only/,
    );
    expect(await ask('report_finding', { severity: 'MEDIUM', text: 'B' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^CRITICAL and HIGH only[^]*Not recorded, only counted/),
    });
    expect((await ask('report_finding', { severity: 'CRITICAL', text: 'C' })).value).toMatchObject({
      recorded: true,
    });
    expect(tools.reported().map(({ text }) => text)).toEqual(['A', 'C']);
    expect(tools.skipped()).toEqual({ medium_count: 1, low_count: 0 });
  });

  it('makes them tell nothing more from 95 % on, but still takes a finding', async () => {
    const { ask, ledger, tools } = await openToolBench({ total: 1_000 });
    ledger.charge(950);
    expect(tools.isSpent()).toBe(true);
    expect(await ask('read_anchor', { path: 'src/sum.ts' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\[FOLD008\] budget exhausted\. The token budget is used/),
    });
    expect(
      (await ask('report_finding', { severity: 'CRITICAL', text: 'The last word' })).text,
    ).toMatch(/^\[FOLD008\]/);
    expect(tools.reported()).toHaveLength(1);
    expect(tools.callsAfterEnd()).toBe(2);
    expect(ledger.standing().used).toBe(950);
  });

  it('is not charged for an answer that does not fit what is left', async () => {
    const { ask, ledger } = await openToolBench({ total: 50 });
    expect(await ask('read_anchor', { path: 'src/sum.ts' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^\[FOLD008\] budget exhausted: the result has \d+ tokens, 50 are left/,
      ),
    });
    expect(ledger.standing().used).toBe(0);
  });

  it('bounds a loop of calls, whatever they are', async () => {
    const { tools, ledger } = await openToolBench({ total: 2_000 });
    let calls = 0;
    for (; !tools.isSpent() && calls < 5_000; calls++)
      await tools.call('branch_status', { session_id: 's1' }, new AbortController().signal);
    expect(tools.isSpent()).toBe(true);
    expect(calls).toBeLessThan(402);
    expect(ledger.standing().used).toBeLessThanOrEqual(2_000);
  });
});

describe('branch tools', () => {
  it('create with the defaults, charge what other tools tell, and return with the tokens used', async () => {
    const { ask } = await openToolBench();
    const { value: created } = await ask('branch_create', branch);
    expect(created).toMatchObject({
      branch_id: expect.stringMatching(/^br_[0-9a-f]{8}$/),
      budget_requested: 8_192,
      budget_allocated: 8_192,
      capped: false,
      timeout_seconds: 300,
      depth: 0,
    });
    const branch_id = created['branch_id'];
    const { text } = await ask('read_anchor', { path: 'src/sum.ts' });
    const used = Math.ceil(Buffer.byteLength(text) / 4);
    expect((await ask('branch_status', { branch_id })).value).toEqual({
      branch_id,
      session_id: 's1',
      status: 'active',
      depth: 0,
      budget_used: used,
      budget_total: 8_192,
      budget_remaining: 8_192 - used,
    });
    expect((await ask('branch_return', { branch_id, message: 'Nobody calls it.' })).value).toEqual({
      success: true,
      tokens_used: used,
      message: 'Nobody calls it.',
    });
    expect(await ask('branch_return', { branch_id })).toMatchObject({
      isError: true,
      text: `[FOLD003] branch not active (branch_id=${String(branch_id)}, session_id=s1)`,
    });
    expect((await ask('branch_status', { session_id: 's1' })).value).toMatchObject({
      status: 'none',
    });
  });

  it('scrub what is returned', async () => {
    const { ask } = await openToolBench();
    const { branch_id } = (await ask('branch_create', branch)).value;
    const token = [
      'eyJhbGciOiJIUzI1NiJ9',
      'eyJzdWIiOiJqdXJ5LXRlc3QifQ',
      'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    ].join('.');
    const { value, text } = await ask('branch_return', {
      branch_id,
      message: `It holds ${cloudKey} and ${token}; password = "kX9vQ2mLw7zR"`,
    });
    expect(value['message']).toContain('It holds [REDACTED] and [REDACTED]; password');
    for (const secret of [cloudKey, token, 'kX9vQ2mLw7zR']) expect(text).not.toContain(secret);
  });

  it.each([
    ['is missing', null],
    ['fails', { scan: () => Promise.reject(new Error('broken')) }],
  ])('return nothing when the scrubber %s, and leave the branch active', async (_, secrets) => {
    const { ask } = await openToolBench({ secrets });
    const { branch_id } = (await ask('branch_create', branch)).value;
    expect(await ask('branch_return', { branch_id, message: 'AKIA' })).toMatchObject({
      isError: true,
      text: `[FOLD014] scrubbing failed (branch_id=${String(branch_id)}, session_id=s1)`,
    });
    expect((await ask('branch_status', { branch_id })).value).toMatchObject({ status: 'active' });
  });

  it('fail with their budget, and say so to the call that did not fit', async () => {
    const { ask } = await openToolBench();
    const { branch_id } = (await ask('branch_create', { ...branch, budget: 10 })).value;
    expect(await ask('read_anchor', { path: 'src/sum.ts' })).toMatchObject({
      isError: true,
      text: `[FOLD008] budget exhausted (branch_id=${String(branch_id)}, session_id=s1)`,
    });
    expect((await ask('branch_status', { branch_id })).value).toMatchObject({
      status: 'failed',
      budget_used: 0,
    });
    expect(await ask('read_anchor', { path: 'src/sum.ts' })).toMatchObject({ isError: false });
  });

  it('time out by the clock', async () => {
    let now = 0;
    const { ask } = await openToolBench({ now: () => now });
    const { branch_id } = (await ask('branch_create', { ...branch, timeout_seconds: 2 })).value;
    now = 2_000;
    expect((await ask('branch_status', { branch_id })).value).toMatchObject({ status: 'timeout' });
  });

  it('are closed to another reviewer of the run', async () => {
    const { ask, other } = await openToolBench();
    const { branch_id } = (await ask('branch_create', branch)).value;
    expect(await askTools(other('beta'), 'branch_status', { branch_id })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\[FOLD022\]/),
    });
    expect(await askTools(other('beta'), 'branch_create', branch)).toMatchObject({
      isError: true,
      text: '[FOLD022] session belongs to another caller (session_id=s1)',
    });
  });

  it('share the room of the process between runs', async () => {
    const house: BranchHouse = new Map();
    house.set({}, () => 99);
    const { ask } = await openToolBench({ house });
    expect((await ask('branch_create', branch)).isError).toBe(false);
    expect(await ask('branch_create', branch)).toMatchObject({
      isError: true,
      text: '[FOLD013] too many concurrent branches (session_id=s1)',
    });
  });

  it.each([
    ['[FOLD017]', { ...branch, description: 'd'.repeat(501) }],
    ['[FOLD019]', { ...branch, prompt: 'p'.repeat(10_001) }],
    ['[FOLD016]', { ...branch, description: '   ' }],
    ['[FOLD015]', { ...branch, session_id: '' }],
    ['[FOLD010]', { ...branch, budget: 0 }],
  ])('answer %s in the documented form', async (code, input) => {
    const { ask } = await openToolBench();
    const { text, isError } = await ask('branch_create', input);
    expect([isError, text.slice(0, 9)]).toEqual([true, code]);
  });

  it('refuse a message of 50,001 characters', async () => {
    const { ask } = await openToolBench();
    const { branch_id } = (await ask('branch_create', branch)).value;
    expect(await ask('branch_return', { branch_id, message: 'm'.repeat(50_001) })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\[FOLD021\]/),
    });
  });
});
