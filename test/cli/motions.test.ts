import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jury } from './jury.ts';

const archons = JSON.parse(
  readFileSync(new URL('../../rosters/archons.json', import.meta.url), 'utf8'),
) as string[];

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(path.join(tmpdir(), 'jury-motions-'))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const put = (name: string, content: unknown) => {
  const file = path.join(cwd, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};
const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  jury(cwd, ['motions', ...args], { environment });

type Row = Readonly<Record<string, unknown>>;
const object = (name: string) =>
  JSON.parse(readFileSync(path.join(cwd, '_bmad-output/review-pipeline', name), 'utf8')) as Row;
const list = (name: string) => object(name) as unknown as readonly Row[];
const motion = (id: string, supporters: number, rest: object = {}) => ({
  mega_motion_id: id,
  title: `Motion ${id}`,
  consolidated_text: 'A text.',
  source_motion_ids: ['x', 'y'],
  all_supporting_archons: archons.slice(0, supporters),
  unique_archon_count: supporters,
  consensus_tier: 'low',
  ...rest,
});

const namesOf = () => [
  ...list('s1/ratification_history.json').map(({ vote_id }) => vote_id),
  ...list('s1/review_responses.json').map(({ response_id }) => response_id),
];
const row = (id: string, counts: object) => ({
  mega_motion_id: id,
  mega_motion_title: `Motion ${id}`,
  implicit_endorsements: 0,
  explicit_endorsements: 0,
  oppositions: 0,
  amendments_proposed: 0,
  abstentions: 0,
  no_response: 0,
  engaged_count: 72,
  ...counts,
});
const decide = (...args: readonly string[]) =>
  run(['ratify', '--aggregations', 'counts/aggregations.json', ...args]);
const outcomeOf = () =>
  (
    JSON.parse(decide('--rules', 'seed', '--json').stdout) as {
      votes: { outcome: string }[];
    }
  ).votes[0]?.outcome ?? '';

/** One motion of each tier, and a proposal whose author states that it opposes one of them. */
function putSession() {
  put('s1/mega-motions.json', [
    motion('low', 48),
    motion('medium', 30, {
      consolidated_text: 'Members shall not publish audit logs every month.',
      title: 'Constitutional motion',
    }),
    motion('high', 3),
  ]);
  put('s1/novel-proposals.json', [
    {
      proposal_id: 'novel',
      recommendation_id: 'r',
      archon_name: 'Andromalius',
      text: 'Members shall publish audit logs every month',
    },
  ]);
  put('s1/positions.json', [
    { archon_name: 'Andromalius', mega_motion_id: 'medium', stance: 'oppose' },
  ]);
  put('s1/conclave-summary.json', { session_name: 'Conclave one' });
}

describe('jury motions', () => {
  it('prints the triage of each motion and writes nothing', async () => {
    putSession();
    const { code, stdout, stderr } = run(['s1', '--triage-only']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(
      `${'='.repeat(60)}\nMOTION REVIEW PIPELINE\n${'='.repeat(60)}\nInput: s1\nMode: triage only\nRules: guarded@1\n\nSession: Conclave one\nSession ID: s1\n`,
    );
    expect(stdout).toContain(
      '--- Phase 1: Triage ---\nLOW risk (fast-track): 1\nMEDIUM risk (targeted review): 1\nHIGH risk (panel deliberation): 2\n',
    );
    expect(stdout).toContain(
      '🟢 LOW    48/72, gap 24  Motion low\n🟡 MEDIUM 30/72, gap 42, 1 in conflict  Constitutional motion\n🔴 HIGH   3/72, gap 69  Motion high\n🔴 HIGH   1/72, gap 71  ✨ Novel: Members',
    );
    expect(existsSync(path.join(cwd, '_bmad-output'))).toBe(false);
  });

  it('says in fifteen lines how each motion ended, those that were not ratified first', () => {
    putSession();
    const { code, stdout } = run(['s1', '--simulate', '--format', 'brief']);
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length, lines.at(-1)]).toEqual([
      0,
      5,
      expect.stringMatching(/^Results: .*s1$/),
    ]);
    expect(lines[3]).toMatch(/^ratified \(simulated\): .* yea, .*\) \S+$/);
    expect(run(['s1', '--triage-only', '--format', 'brief']).stdout).toContain(
      'medium: Constitutional motion (30 support, 42 have not spoken) medium\n',
    );
  });

  it('writes triage, packets, result and audit trail when nobody is to be asked', async () => {
    putSession();
    const { code, stdout } = run(['s1']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Reviews not collected: pass --real-agent or --simulate'),
    ]);
    expect(run(['s1', '--no-simulate']).stdout).toContain('Reviews not collected');
    expect(readdirSync(path.join(cwd, '_bmad-output/review-pipeline/s1')).toSorted()).toEqual([
      'audit_trail.json',
      'pipeline_result.json',
      'report.md',
      'review_packets',
      'triage_results.json',
      'vote_inputs.json',
    ]);
    expect(
      readdirSync(path.join(cwd, '_bmad-output/review-pipeline/s1/review_packets')),
    ).toHaveLength(72);
    const { motions: triaged, ...rest } = object('s1/triage_results.json');
    const motions = triaged as readonly Row[];
    expect(Object.keys(rest)).toEqual(
      'session_id triaged_at roster_size summary unknown_supporters rule_set simulated'.split(' '),
    );
    expect(Object.keys(motions[1] ?? {})).toEqual(
      (
        'mega_motion_id mega_motion_title contributing_archons contribution_count implicit_support_ratio gap_archons ' +
        'potential_conflicts conflict_details risk_tier is_novel_proposal calculated_at'
      ).split(' '),
    );
    expect(motions[1]).toMatchObject({
      contribution_count: 2,
      potential_conflicts: ['Andromalius'],
      conflict_details: {
        Andromalius: 'positions.json states "oppose" on this motion',
      },
    });
    expect(object('s1/review_packets/andromalius.json')).toMatchObject({
      archon_id: 'andromalius',
      archon_name: 'Andromalius',
      assigned_motions: ['medium', 'high'],
      assignment_reasons: { medium: 'conflict_review', high: 'gap_archon' },
      conflict_flags: { medium: expect.stringContaining('positions.json states') },
      already_endorsed: ['novel'],
      statistics: { assignment_count: 2, implicit_endorsements: 1, conflicts_flagged: 1 },
    });
  });

  it.each(['explicit', 'seed', 'quorum', 'guarded'])(
    'simulates when it is told to, marks every artifact, and decides by rule set %s',
    async rules => {
      putSession();
      const { code, stdout } = run(['s1', '--simulate', '--rules', rules, '--json']);
      expect(code).toBe(0);
      const summary = JSON.parse(stdout) as {
        ratification: { votes: unknown[] };
        mode: string;
        rules: string;
        simulated: boolean;
      };
      expect([
        summary.mode,
        summary.rules,
        summary.simulated,
        summary.ratification.votes.length,
      ]).toEqual(['simulated', `${rules}@1`, true, 4]);
      const rows = [
        'review_responses',
        'aggregations',
        'ratification_results',
        'ratification_history',
        'audit_trail',
      ].flatMap(name => list(`s1/${name}.json`));
      for (const row of [
        ...rows,
        object('s1/triage_results.json'),
        object('s1/pipeline_result.json'),
        object('s1/review_packets/bael.json'),
      ])
        expect(row).toMatchObject({ simulated: true, rule_set: `${rules}@1` });
      const final = list('s1/ratification_results.json');
      expect(final.map(({ mega_motion_id }) => mega_motion_id)).toEqual([
        'low',
        'medium',
        'high',
        'novel',
      ]);
      expect(Object.keys(final[0] ?? {})).toEqual(
        (
          'vote_id mega_motion_id mega_motion_title yeas nays abstentions amends eligible_votes total_votes ' +
          'participation_rate threshold_type threshold_required quorum_required quorum_met support_total support_required ' +
          'threshold_met revision_of revised_motion_text outcome ratified_at votes_by_archon panel_recommendation ' +
          'second_pass first_pass revised_by supermajority_because decided_by asked answered risk not_drawn more rule_set ' +
          'simulated'
        ).split(' '),
      );
      const history = list('s1/ratification_history.json');
      expect(history.filter(({ revision_of }) => revision_of !== null)).toHaveLength(
        history.length - 4,
      );
      expect(
        final.every(({ outcome }) =>
          ['ratified', 'rejected', 'deferred'].includes(String(outcome)),
        ),
      ).toBe(true);
      expect(run(['verify-audit', '_bmad-output/review-pipeline/s1']).code).toBe(0);
    },
  );

  it('gives the same things the same names, and leaves no packet of a larger roster', async () => {
    putSession();
    run(['s1', '--simulate']);
    const before = namesOf();
    run(['s1', '--simulate']);
    expect(namesOf()).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
    put('s1/roster.json', ['Bael', { name: 'Glasya-Labolas', role: 'judge' }, 'Amon']);
    expect(run(['s1', '--simulate', '--compact']).stdout).toContain(
      'Unknown supporters, not counted: ',
    );
    expect(
      readdirSync(path.join(cwd, '_bmad-output/review-pipeline/s1/review_packets')).toSorted(),
    ).toEqual(['amon.json', 'bael.json', 'glasya_labolas.json']);
    expect(readdirSync(path.join(cwd, '_bmad-output/review-pipeline'))).toEqual(['s1']);
  });

  it('finds the newest session by itself', async () => {
    for (const [name, at] of [
      ['old', 1],
      ['new', 2],
      ['newer-but-no-session', 3],
    ] as const) {
      put(`_bmad-output/consolidator/${name}/${at === 3 ? 'other' : 'mega-motions'}.json`, [
        motion('m', 2),
      ]);
      utimesSync(path.join(cwd, '_bmad-output/consolidator', name), at * 1000, at * 1000);
    }
    expect(run(['--triage-only']).stdout).toMatch(
      /^Auto-detected consolidator output: _bmad-output\/consolidator\/new\n/,
    );
  });

  it('warns of environment values it cannot use', async () => {
    putSession();
    const { code, stderr } = run(['s1', '--simulate'], {
      REVIEWER_ARCHON_CONCURRENCY: 'many',
      REVIEWER_PANEL_CONCURRENCY: '0',
    });
    expect([code, stderr]).toEqual([
      0,
      'Warning: REVIEWER_ARCHON_CONCURRENCY must be a positive integer, not "many"; the default is used.\nWarning: REVIEWER_PANEL_CONCURRENCY must be a positive integer, not "0"; the default is used.\n',
    ]);
  });

  it('records that implicit endorsements were switched off', async () => {
    putSession();
    expect(run(['s1', '--simulate'], { REVIEW_IMPLICIT_ENDORSEMENTS: 'false' }).stdout).toContain(
      'Rules: guarded@1+no-implicit',
    );
  });

  it('takes thresholds and packets from the configuration', async () => {
    putSession();
    put('jury.config.yaml', 'motions: { low: 0.04, save_packets: false }\n');
    expect(run(['s1']).stdout).toContain('LOW risk (fast-track): 2');
    expect(object('s1/pipeline_result.json')).toMatchObject({ assignments: { dir: null } });
  });

  it.each([
    [['cut'], 2, /^Error: mega-motions\.json is not valid JSON: .+ at line 2 column \d+\n$/],
    [
      ['wrong'],
      2,
      'Error: mega-motions.json: element 1: title: Invalid input: expected string, received number\n',
    ],
    [['optional'], 2, /^Error: novel-proposals\.json is not valid JSON: .+ at line 1 column 2\n$/],
    [
      ['latin1'],
      2,
      'Error: mega-motions.json is not valid JSON: it is not UTF-8 at line 1 column 12\n',
    ],
    [['good', '--simulate', '--real-agent'], 3, /exclude each other/],
    [['good', '--simulate', '--no-simulate'], 3, /exclude each other/],
    [['good', '--sample', '0'], 3, /--sample/],
    [['good', '--batch', '1.5'], 3, /--batch/],
    [['good', '--concurrency', 'x'], 3, /--concurrency/],
    [
      ['good', '--rules', 'garded'],
      3,
      'Error: unknown rule set "garded"; there are explicit, seed, quorum, guarded. Did you mean "guarded"?\n',
    ],
    [['shwo', '1'], 3, 'There is no command "jury motions shwo". Did you mean "show"?\n'],
    [
      ['good', '--rules', './self.json'],
      3,
      /^Error: the rule set .*self\.json cannot be used: parameters\.amend_tolerance: Contradicts "amends": "abstention": there are no amends to tolerate\.\n$/,
    ],
    [
      ['good', '--simulate', '--out', '.'],
      3,
      /^Error: --out: the results would replace the session itself/,
    ],
    [
      ['good', '--simulate', '--out', 'mine'],
      3,
      /^Error: --out: .*mine\/good holds files that are no results of a vote, such as diary\.txt/,
    ],
    [['ratify'], 3, /--aggregations/],
    [['verify-audit', 'good'], 2, /audit_trail\.json cannot be read/],
  ])('%j exits with %i', async (args, code, message) => {
    put('good/mega-motions.json', [motion('m', 2)]);
    put('cut/mega-motions.json', '[\n  {"title": "a"');
    put('wrong/mega-motions.json', [{}, { title: 7 }]);
    put('optional/mega-motions.json', []);
    put('optional/novel-proposals.json', '[oops]');
    put('latin1/mega-motions.json', '');
    writeFileSync(
      path.join(cwd, 'latin1/mega-motions.json'),
      Buffer.from('[{"title": \xe9}]', 'latin1'),
    );
    put('mine/good/diary.txt', 'dear diary');
    const guarded = JSON.parse(
      readFileSync(new URL('../../rules/guarded.json', import.meta.url), 'utf8'),
    ) as { parameters: object };
    put('self.json', {
      ...guarded,
      name: 'ours',
      parameters: { ...guarded.parameters, amends: 'abstention' },
    });
    const ended = run(args);
    // Sentences of the original begin with a word of their own.
    if (typeof message === 'string') expect(ended.stderr.replace(/^jury: /, '')).toBe(message);
    else expect(ended.stderr).toMatch(message);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
  });

  it('refuses to hold a real vote on nothing', async () => {
    put('none/mega-motions.json', []);
    put('none/novel-proposals.json', [{ proposal_id: 'p', deferred: true }]);
    expect(run(['none', '--real-agent'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: there is nothing to vote on: none holds no motion. Deferred proposals that were skipped: 1; --include-deferred loads them.\n',
    });
    expect(run(['none', '--triage-only']).code).toBe(0);
    expect(run(['none', '--triage-only', '--simulate'])).toMatchObject({
      code: 0,
      stderr: 'Warning: --simulate is passed over: --triage-only ends before anybody is asked.\n',
    });
  });

  it('asks nobody a second time without real reviewers', async () => {
    putSession();
    expect(run(['s1', '--simulate', '--second-pass', 'ask'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--second-pass ask asks real reviewers'),
    });
    expect(run(['s1', '--simulate', '--second-pass', 'assume']).code).toBe(0);
    expect(run(['s1', '--second-pass', 'perhaps']).code).toBe(3);
  });

  it('says why a motion needs a supermajority, and of a fast-tracked one that nobody voted', async () => {
    put('s/mega-motions.json', [
      motion('low', 48),
      motion('declared', 3, { constitutional: true }),
      motion('title', 3, { title: 'A constitutional motion' }),
      motion('plain', 3, { title: 'Unconstitutional surveillance', constitutional: false }),
    ]);
    put('s/novel-proposals.json', [
      { proposal_id: 'novel', archon_name: 'Bael', text: 'x'.repeat(60), constitutional: true },
      { proposal_id: 'late', archon_name: 'Bael', text: `${'x'.repeat(60)} constitutional` },
    ]);
    const { stdout } = run(['s', '--simulate', '--rules', 'seed']);
    expect(list('s/ratification_results.json').map(row => row.supermajority_because)).toEqual([
      null,
      'declared',
      'title',
      null,
      'declared',
      null,
    ]);
    expect(stdout).toContain('fast_track: of low risk, ratified without a vote, threshold MET');
    expect(stdout).toContain('supermajority 38/48 NOT MET (declared constitutional)');
    expect(stdout).toContain('supermajority 38/48 NOT MET (constitutional by its title)');
    const again = run([
      'ratify',
      '--aggregations',
      '_bmad-output/review-pipeline/s/aggregations.json',
      '--rules',
      'seed',
    ]);
    expect(again.stdout.match(/declared constitutional/g)).toHaveLength(2);
  });

  it('survives long texts, foreign scripts and hostile names', async () => {
    put('s/mega-motions.json', [
      motion('m', 2, {
        title: 'حوكمة \u202E الذكاء\u001b[31m',
        consolidated_text: 'Wort '.repeat(200_000),
      }),
      { title: '  ' },
    ]);
    put('s/roster.json', ['Bael']);
    const { code, stdout, stderr } = run(['s', '--simulate']);
    expect(code).toBe(0);
    expect(stderr).toContain('element 1 has no title');
    expect(stdout).toContain('حوكمة ⟦U+202E⟧ الذكاء⟦U+001B⟧[31m');
    expect(list('s/ratification_results.json')).toHaveLength(2);
  });
});

describe('the built program', () => {
  it('votes, decides again and checks with the exit codes of the contract', () => {
    putSession();
    expect(run(['s1', '--simulate', '-v'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('RATIFICATION RESULTS:'),
      stderr: expect.stringContaining('medium: medium, support 41.7%, 1 in conflict'),
    });
    const folder = '_bmad-output/review-pipeline/s1';
    expect(
      run(['ratify', '--aggregations', `${folder}/aggregations.json`, '--rules', 'seed']).stdout,
    ).toContain('Rules: seed@1, 72 members\nRATIFICATION RESULTS:');
    writeFileSync(
      path.join(cwd, folder, 'audit_trail.json'),
      readFileSync(path.join(cwd, folder, 'audit_trail.json'), 'utf8').replace(
        'triage_completed',
        'triage_completeD',
      ),
    );
    expect(run(['verify-audit', folder]).code).toBe(1);
    expect(run(['nowhere'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: Consolidator output not found: nowhere\n',
    });
    expect(run(['s1', '--real-agent'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('Error: real reviewers requested but not available: '),
    });
    expect(run(['s1', '--simulate', '--no-simulate']).code).toBe(3);
  });
});

describe('jury motions ratify', () => {
  const rows = [
    row('a', { explicit_endorsements: 37, oppositions: 35 }),
    row('low', {
      implicit_endorsements: 48,
      engaged_count: 48,
      not_assigned: 24,
      risk_tier: 'low',
    }),
    row('c', { explicit_endorsements: 17, oppositions: 18, amendments_proposed: 37 }),
  ];

  it.each([
    ['explicit', ['ratified', 'rejected', 'rejected']],
    ['seed', ['ratified', 'ratified', 'rejected']],
    ['quorum', ['ratified', 'ratified', 'ratified']],
    ['guarded', ['ratified', 'ratified', 'deferred']],
  ])('replays a decision by rule set %s', async (rules, expected) => {
    put('counts/aggregations.json', rows);
    const { code, stdout } = decide('--rules', rules, '--json');
    const decided = JSON.parse(stdout) as {
      rules: string;
      roster_size: number;
      votes: { outcome: string }[];
      counts: Record<string, number>;
    };
    expect([code, Object.keys(decided), decided.rules, decided.roster_size]).toEqual([
      0,
      ['rules', 'roster_size', 'votes', 'counts'],
      `${rules}@1`,
      72,
    ]);
    expect(decided.votes.map(({ outcome }) => outcome)).toEqual(expected);
    expect(Object.values(decided.counts).reduce((sum, count) => sum + count)).toBe(3);
    expect(readdirSync(path.join(cwd, 'counts'))).toEqual(['aggregations.json']);
  });

  it('gives again what the vote itself gave', async () => {
    putSession();
    run(['s1', '--simulate']);
    const file = '_bmad-output/review-pipeline/s1/aggregations.json';
    const again = JSON.parse(run(['ratify', '--aggregations', file, '--json']).stdout) as {
      roster_size: number;
      votes: { vote_id: string }[];
    };
    expect(again.roster_size).toBe(72);
    expect(again.votes.map(({ vote_id }) => vote_id)).toHaveLength(4);
  });

  it('compares all rule sets, and takes a file of ones own', async () => {
    put('counts/aggregations.json', rows);
    expect(decide('--rules', 'all').stdout).toMatch(
      /^ +explicit@1 +seed@1 +quorum@1 +guarded@1 +motion \(72 members\)\n +ratified +ratified +ratified +ratified +Motion a\n +rejected +ratified +ratified +ratified +Motion low\n +rejected +rejected +ratified +deferred +Motion c\n/,
    );
    expect(decide('--rules', 'all').stdout).toMatch(
      /^quorum@1: .*; 1 of them in a second pass that is\s+assumed, not asked\n/m,
    );
    // Too many ask for amendments: guarded holds no second pass.
    expect(decide('--rules', 'all').stdout).not.toMatch(/^guarded@1: .*second pass/m);
    const guarded = JSON.parse(
      readFileSync(new URL('../../rules/guarded.json', import.meta.url), 'utf8'),
    ) as { parameters: object };
    put('ours.json', {
      name: 'ours',
      version: '7',
      parameters: { ...guarded.parameters, quorum: null },
    });
    expect(decide('--rules', './ours.json').stdout).toContain('Rules: ours@7, 72 members');
    put('theirs.json', { ...guarded, parameters: { ...guarded.parameters, quorum: null } });
    expect(decide('--rules', './theirs.json').stderr).toContain(
      'is called "guarded" like one that ships with Jury',
    );
  });

  it('reads the risk from the triage beside the counts, else guesses it', async () => {
    put('counts/aggregations.json', [row('x', { implicit_endorsements: 48 })]);
    expect(outcomeOf()).toBe('ratified');
    put('counts/triage_results.json', { motions: [{ mega_motion_id: 'x', risk_tier: 'high' }] });
    expect(outcomeOf()).toBe('rejected');
  });

  it.each([
    [
      [{ mega_motion_id: 'a' }],
      'Error: aggregations.json: row 0: mega_motion_title: the key is missing\n',
    ],
    [
      [row('a', {}), row('b', { oppositions: -1 })],
      /^Error: aggregations\.json: row 1: oppositions: /,
    ],
    [
      [row('a', {}), row('b', { engaged_count: 71 })],
      'Error: aggregations.json: row 1: engaged_count, no_response and not_assigned make a roster of 71, but 72 in row 0\n',
    ],
    [{}, 'Error: aggregations.json: must be an array of counts\n'],
    ['[{', /not valid JSON/],
  ])('refuses counts it cannot use: %j', async (content, message) => {
    put('counts/aggregations.json', content);
    const { code, stderr } = decide();
    expect(code).toBe(2);
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
  });
});

describe('jury motions verify-audit', () => {
  it('names the event that follows a changed one, and the last one by the recorded head', async () => {
    putSession();
    run(['s1', '--simulate']);
    const folder = '_bmad-output/review-pipeline/s1';
    const file = path.join(cwd, folder, 'audit_trail.json');
    const intact = readFileSync(file, 'utf8');
    const count = (JSON.parse(intact) as unknown[]).length;
    expect(run(['verify-audit', folder]).stdout).toMatch(
      new RegExp(
        `^Without an anchor: this folder was held against itself alone[^\\n]+\\nThe audit trail is intact: ${count} events, head [0-9a-f]{64}\\.\\nThe results are intact: 81 files are as the audit trail records them\\.\\nThe answers give these results: triage, packets, counts, panels and ratification were computed again\\.\\nHeld against what is kept elsewhere: the rule set is the one that ships with Jury\\.\\n$`,
      ),
    );
    writeFileSync(file, intact.replace('triage_completed', 'triage_completeD'));
    expect(run(['verify-audit', folder])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /\nThe audit trail is broken: event 3 does not follow from what stands before it\.\n/,
      ),
    });
    writeFileSync(file, intact.replace('pipeline_completed', 'pipeline_completeD'));
    expect(
      JSON.parse(run(['verify-audit', `${folder}/audit_trail.json`, '--json']).stdout),
    ).toMatchObject({ intact: false, first_broken_seq: count + 1 });
    writeFileSync(file, intact.slice(0, -20));
    expect(run(['verify-audit', folder])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not valid JSON: .* at line \d+ column \d+/),
    });
  });
});

describe('jury motions verify-audit of a vote by own rules', () => {
  it('says that nobody else knows them', () => {
    putSession();
    const guarded = JSON.parse(
      readFileSync(new URL('../../rules/guarded.json', import.meta.url), 'utf8'),
    ) as object;
    put('ours.json', { ...guarded, name: 'ours', version: '7' });
    run(['s1', '--simulate', '--rules', './ours.json']);
    expect(run(['verify-audit', '_bmad-output/review-pipeline/s1']).stdout).toMatch(
      /^Held against what is kept elsewhere: nothing\. None that ships with this version of Jury has the name and version of its rule set: /m,
    );
  });
});

const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
if (!hasKeygen) console.log('Signing is not tried: there is no ssh-keygen on this machine.');

describe.skipIf(!hasKeygen)('jury motions sign', () => {
  it('signs the head, which verify-audit holds against those who may sign', () => {
    putSession();
    run(['s1', '--simulate']);
    const folder = '_bmad-output/review-pipeline/s1';
    const verify = (...args: readonly string[]) => run(['verify-audit', folder, ...args]);
    expect(run(['sign', folder], { HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^Error: the key to sign with, .*id_ed25519, cannot be read: /),
    });
    const key = path.join(cwd, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    put('allowed', `clerk ${readFileSync(`${key}.pub`, 'utf8')}`);
    expect(verify('--allowed-signers', 'allowed')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /\n.*not signed by an allowed signer \(there is no such file\)\.\n$/,
      ),
    });
    expect(run(['sign', folder, '--key', 'key'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Signed: .*audit_head\.sig is the signature of head \w{64} by .*key\.\n$/,
      ),
    });
    expect(verify('--allowed-signers', 'allowed')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The audit trail is intact[^]*; the head is signed by clerk\.\n$/,
      ),
    });
    expect(JSON.parse(verify('--json', '--allowed-signers', 'allowed').stdout)).toMatchObject({
      intact: true,
      anchors: { signature: { signer: 'clerk', problem: null } },
    });
    expect(verify().code).toBe(0);
    expect(verify('--allowed-signers', 'nowhere').code).toBe(3);
    // Another vote may take the place of a signed one.
    expect(run(['s1', '--simulate', '--rules', 'seed']).code).toBe(0);
    expect(verify('--allowed-signers', 'allowed').code).toBe(1);
  });
});
