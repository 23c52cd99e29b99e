/** Motions: the rows of the original that no other test of a promise holds. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../adapters/git/sample-repository.ts';
import { jury, type Ended } from '../../cli/jury.ts';
import {
  startMemberServer,
  type MemberRequest,
  type MemberServer,
} from '../../cli/member-server.ts';
import { startModelServer } from '../../model-server.ts';
import { createSession, readArtifacts, readResult, startIn } from '../../cli/motions-session.ts';

const voting = ['motions', 'session', '--real-agent'];
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const archons = JSON.parse(
  readFileSync(new URL('../../../rosters/archons.json', import.meta.url), 'utf8'),
) as string[];
type Row = Readonly<Record<string, unknown>>;

const motion = (id: string, supporters: readonly string[], more: object = {}): object => ({
  mega_motion_id: id,
  title: `Motion ${id}`,
  consolidated_text: 'A text.',
  source_motion_ids: ['x', 'y'],
  all_supporting_archons: supporters,
  unique_archon_count: supporters.length,
  ...more,
});

/** A folder with these files; the session is `s`. */
function createWork(files: Readonly<Record<string, unknown>>): {
  readonly put: (name: string, content: unknown) => void;
  readonly run: (...words: readonly string[]) => Ended;
  readonly read: (name: string) => unknown;
  readonly list: (name: string) => string[];
  folder: string;
} {
  const folder = createFolder();
  const put = (name: string, content: unknown): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(
      path.join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  };
  for (const [name, content] of Object.entries(files)) put(name, content);
  const results = path.join(folder, '_bmad-output/review-pipeline/s');
  return {
    folder,
    put,
    run: (...words) => jury(folder, ['motions', ...words]),
    read: name => readResult(results, name),
    list: name => readdirSync(path.join(results, name)),
  };
}

/** Where a member stands in the draw of session `s` for motion `s47`. */
const lot = (id: string): string => createHash('sha256').update(`s|s47|${id}`).digest('hex');
const idsIn = (prompt: string): string[] =>
  [...prompt.matchAll(/motion_id: "(m-\d)"/g)].map(([, id = '']) => id);

/** Counts of one motion: who endorses it, opposes it and amends it. */
const recorded = (
  [explicit, oppositions, amendments_proposed]: readonly number[],
  at: number,
  more: object,
): object => ({
  mega_motion_id: `m${at}`,
  mega_motion_title: 'Motion',
  implicit_endorsements: 0,
  explicit_endorsements: explicit,
  oppositions,
  amendments_proposed,
  abstentions: 72 - (explicit ?? 0) - (oppositions ?? 0) - (amendments_proposed ?? 0),
  no_response: 0,
  engaged_count: 72,
  risk_tier: 'high',
  ...more,
});

/** What twelve members come to. */
const counted = (
  implicit: number,
  explicit: number,
  no: number,
  change: number,
  abstain: number,
  flags: object,
): object => ({
  implicit_endorsements: implicit,
  explicit_endorsements: explicit,
  total_endorsements: implicit + explicit,
  oppositions: no,
  amendments_proposed: change,
  abstentions: abstain,
  no_response: 0,
  not_assigned: 0,
  engaged_count: 12,
  endorsement_ratio: (implicit + explicit) / 12,
  opposition_ratio: no / 12,
  ...flags,
});

const headOf = (results: string): string =>
  (readResult(results, 'pipeline_result.json') as { audit: { head_sha256: string } }).audit
    .head_sha256;

describe('triage of a session', () => {
  const tiers = {
    s48: 'low',
    s47: 'medium',
    s36: 'medium',
    s30: 'medium',
    s25: 'medium',
    s23: 'high',
    c48: 'medium',
    novel: 'high',
  };
  const work = createWork({
    's/mega-motions.json': Object.keys(tiers)
      .slice(0, -1)
      .map(id => motion(id, archons.slice(0, Number(id.slice(1))))),
    's/novel-proposals.json': [
      { proposal_id: 'novel', archon_name: 'Bael', text: 'Something new' },
    ],
    's/positions.json': [{ archon_name: 'Bael', mega_motion_id: 'c48', stance: 'oppose' }],
  });
  let stdout: string;
  beforeAll(() => {
    ({ stdout } = work.run('s', '--no-simulate', '--compact'));
  });

  it('e3 e20 loads motions and proposals, and only sorts them where that is asked for', () => {
    const sorted = work.run('s', '--triage-only', '--out', 'elsewhere').stdout;
    for (const text of [sorted, stdout])
      expect(text).toContain('Loaded: 7 mega-motions, 1 novel proposals, 72 members\n');
    expect(sorted).toMatch(/^🟢 LOW +48\/72, gap 24 +Motion s48$/m);
    expect(readdirSync(work.folder)).not.toContain('elsewhere');
  });

  it('e4 e5 e6 puts each motion at its risk, by thresholds, conflict and novelty', () => {
    const { summary, motions } = work.read('triage_results.json') as {
      summary: Row;
      motions: readonly Row[];
    };
    expect(Object.fromEntries(motions.map(row => [row.mega_motion_id, row.risk_tier]))).toEqual(
      tiers,
    );
    expect(summary).toMatchObject({
      total_motions: 8,
      novel_proposals: 1,
      low_risk: 1,
      medium_risk: 5,
      high_risk: 2,
      average_implicit_support: 0.44791666666666663,
      total_conflicts: 1,
    });
    expect(motions[1]).toMatchObject({
      contribution_count: 2,
      implicit_support_ratio: 47 / 72,
      gap_archons: { length: 25 },
      potential_conflicts: [],
      is_novel_proposal: false,
    });
    expect(motions.at(-1)).toMatchObject({
      mega_motion_title: 'Novel: Something new...',
      contributing_archons: ['Bael'],
      is_novel_proposal: true,
    });
  });

  it('e1 e8 assigns whom a motion lacks, and who is against it: 295 of 576 questions', () => {
    expect(work.list('review_packets')).toHaveLength(72);
    expect(work.read('pipeline_result.json')).toMatchObject({
      assignments: { total: 295, average_per_archon: 295 / 72 },
    });
    expect(work.read('review_packets/bael.json')).toMatchObject({
      archon_id: 'bael',
      assigned_motions: ['c48'],
      assignment_reasons: { c48: 'conflict_review' },
      already_endorsed: ['s48', 's47', 's36', 's30', 's25', 's23', 'novel'],
      statistics: { assignment_count: 1, implicit_endorsements: 7, conflicts_flagged: 1 },
    });
  });

  it('e25 asks of a motion of medium risk as many as a sample takes, drawn by the hash of the contract', () => {
    work.run('s', '--no-simulate', '--sample', '3');
    const asked = work
      .list('review_packets')
      .filter(name =>
        (
          work.read(`review_packets/${name}`) as { assigned_motions: string[] }
        ).assigned_motions.includes('s47'),
      );
    const gap = archons.slice(47).map(name => name.toLowerCase().replaceAll('-', '_'));
    expect(asked).toEqual(
      gap
        .toSorted((one, other) => (lot(one) < lot(other) ? -1 : 1))
        .slice(0, 3)
        .map(id => `${id}.json`)
        .toSorted(),
    );
  });

  it('e8 e29 leaves no packet of a larger roster, writes without indentation, and no packets at all where they are not wanted', () => {
    work.put('s/roster.json', archons.slice(0, 10));
    work.run('s', '--no-simulate', '--compact');
    expect(work.list('review_packets')).toHaveLength(10);
    expect(
      readFileSync(
        path.join(work.folder, '_bmad-output/review-pipeline/s/triage_results.json'),
        'utf8',
      ).trim(),
    ).not.toContain('\n');
    work.put('jury.config.json', {
      motions: { save_packets: false, triage: { low_from_tier: true } },
    });
    work.run('s', '--no-simulate');
    expect(work.list('.')).not.toContain('review_packets');
  });

  it('e6 takes a proposal that is new for one of high risk, however large its share', () => {
    const own = createWork({
      's/mega-motions.json': [],
      's/novel-proposals.json': [{ proposal_id: 'n', archon_name: 'Bael', text: 'New' }],
      's/roster.json': ['Bael'],
    });
    expect(own.run('s', '--triage-only').stdout).toMatch(
      /^🔴 HIGH +1\/1, gap 0 .*Novel: New\.\.\.$/m,
    );
  });

  it('e24 takes a motion that its source calls agreed for one of low risk where that is asked for', () => {
    const own = createWork({
      's/mega-motions.json': [motion('m', archons.slice(0, 30), { consensus_tier: 'high' })],
      'jury.config.json': { motions: { triage: { low_from_tier: true } } },
    });
    expect(own.run('s', '--triage-only').stdout).toContain('LOW risk (fast-track): 1\n');
  });
});

it.each<[string, string, Readonly<Record<string, unknown>>]>([
  [
    '',
    'Error: No consolidator output found. Run consolidator first.\nLooking for: _bmad-output/consolidator/*/\n',
    {},
  ],
  ['x', 'Error: Consolidator output not found: x\n', {}],
  ['s', 'Error: mega-motions.json not found in s\n', { 's/other.json': [] }],
  ['s', 'Error: mega-motions.json is not valid JSON: ', { 's/mega-motions.json': '[\n {' }],
  [
    's',
    'Error: mega-motions.json: element 1: the id "a" is already that of element 0',
    { 's/mega-motions.json': [motion('a', []), motion('a', [])] },
  ],
])('e2 cannot use a session "%s": %j', (name, message, files) => {
  const { code, stdout, stderr } = createWork(files).run(...(name === '' ? [] : [name]));
  expect([code, stdout, stderr.slice(0, message.length)]).toEqual([2, '', message]);
});

/** Keys that each file of results has. */
const contract = {
  'triage_results.json':
    'session_id triaged_at roster_size summary unknown_supporters motions rule_set simulated',
  'review_packets/bael.json':
    'archon_id archon_name assigned_motions conflict_flags already_endorsed assignment_reasons generated_at statistics',
  'review_responses.json':
    'response_id archon_id archon_name mega_motion_id status error stance amendment_type amendment_text amendment_rationale opposition_reason reasoning confidence validation text_truncated attempts review_duration_ms reviewed_at',
  'aggregations.json':
    'mega_motion_id mega_motion_title implicit_endorsements explicit_endorsements total_endorsements oppositions amendments_proposed abstentions no_response engaged_count endorsement_ratio opposition_ratio consensus_reached contested needs_amendment_synthesis status amendment_texts opposition_reasons endorsing_archons opposing_archons aggregated_at not_assigned risk_tier',
  'ratification_results.json':
    'vote_id mega_motion_id mega_motion_title yeas nays abstentions amends eligible_votes total_votes participation_rate threshold_type threshold_required quorum_required quorum_met support_total support_required threshold_met revision_of revised_motion_text outcome ratified_at votes_by_archon panel_recommendation',
  'pipeline_result.json':
    'session_id session_name started_at completed_at mode rules input triage assignments reviews deliberation ratification audit',
  'audit_trail.json': 'seq event_type occurred_at session_id attributed_to details prev_sha256',
};

describe('a simulated vote', () => {
  const work = createWork({
    's/mega-motions.json': [
      motion('plain', archons.slice(0, 3)),
      motion('safeguards', archons.slice(0, 3), { title: 'Constitutional Safeguards' }),
      motion('declared', [], { constitutional: true }),
    ],
  });
  let ended: Ended;
  beforeAll(() => {
    ended = work.run('s', '--simulate', '--rules', 'explicit');
  });

  it('e10 e15 e17 has 38, 28 and 6 votes, a row for each motion, a supermajority by title or by word, and says everywhere that it is one', () => {
    expect(ended.stdout.match(/^\S+ \[simulated\] /gm)).toHaveLength(3);
    const rows = work.read('ratification_results.json');
    const counts = { yeas: 38, nays: 28, abstentions: 6, simulated: true, rule_set: 'explicit@1' };
    expect(rows).toMatchObject([
      {
        ...counts,
        mega_motion_id: 'plain',
        outcome: 'ratified',
        threshold_type: 'simple_majority',
        threshold_required: 37,
      },
      {
        ...counts,
        mega_motion_id: 'safeguards',
        outcome: 'rejected',
        threshold_type: 'supermajority',
        threshold_required: 48,
      },
      {
        ...counts,
        mega_motion_id: 'declared',
        outcome: 'rejected',
        threshold_type: 'supermajority',
      },
    ]);
    expect(work.read('pipeline_result.json')).toMatchObject({
      mode: 'simulated',
      reviews: { response_count: 210, no_response_count: 0 },
      ratification: { ratified: 1, rejected: 2, deferred: 0 },
    });
    expect(work.read('ratification_history.json')).toHaveLength(3);
    for (const [name, keys] of Object.entries(contract)) {
      const content = work.read(name);
      const first: unknown = Array.isArray(content) ? content[0] : content;
      expect(Object.keys(first as object), name).toEqual(expect.arrayContaining(keys.split(' ')));
    }
  });

  it('e18 is checked by its trail: an event that was changed is found by the one that follows', () => {
    const results = '_bmad-output/review-pipeline/s';
    expect(work.run('verify-audit', results).code).toBe(0);
    const file = path.join(work.folder, results, 'audit_trail.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('triage_completed', 'triage_completeD'));
    const { code, stdout } = work.run('verify-audit', results);
    expect([code, stdout]).toEqual([1, expect.stringContaining('event 3 does not follow')]);
  });
});

describe('rules on recorded counts', () => {
  const high = { mega_motion_title: 'A constitutional motion' };
  const low = {
    risk_tier: 'low',
    implicit_endorsements: 48,
    explicit_endorsements: 0,
    abstentions: 0,
    engaged_count: 48,
    not_assigned: 24,
  };

  it.each<
    [
      string,
      readonly (readonly [
        outcome: string,
        yeas: number,
        counts: readonly number[],
        more: object,
      ])[],
    ]
  >([
    [
      'explicit',
      [
        ['ratified', 37, [37, 0, 0], {}],
        ['rejected', 36, [36, 0, 0], {}],
        ['ratified', 48, [48, 0, 0], high],
        ['rejected', 47, [47, 0, 0], high],
        ['rejected', 0, [0, 0, 0], low],
      ],
    ],
    ['seed', [['ratified', 0, [0, 0, 0], low]]],
    [
      'quorum',
      [
        ['deferred', 35, [35, 0, 0], {}],
        ['ratified', 19, [19, 13, 4], {}],
        ['ratified', 24, [19, 12, 5], {}],
        ['ratified', 40, [40, 20, 0], high],
        ['rejected', 39, [39, 21, 0], high],
        ['ratified', 48, [0, 0, 0], low],
      ],
    ],
    [
      'guarded',
      [
        ['ratified', 54, [18, 18, 36], {}],
        ['deferred', 17, [17, 18, 37], {}],
      ],
    ],
  ])('e15 e16 %s decides as its page says, at once or with amendments', (rules, rows) => {
    const counts = rows.map(([, , numbers, more], at) => recorded(numbers, at, more));
    const { code, stdout } = createWork({ 'a.json': counts }).run(
      'ratify',
      '--aggregations',
      'a.json',
      '--rules',
      rules,
      '--json',
    );
    const { votes } = JSON.parse(stdout) as { votes: readonly Row[] };
    expect([code, votes.map(({ outcome, yeas }) => [outcome, yeas])]).toEqual([
      0,
      rows.map(row => row.slice(0, 2)),
    ]);
  });

  it('e33 a file that calls itself guarded is refused', () => {
    const rules = JSON.parse(
      readFileSync(new URL('../../../rules/guarded.json', import.meta.url), 'utf8'),
    ) as { parameters: object };
    const { code, stderr } = createWork({
      'a.json': [recorded([37, 0, 0], 0, {})],
      'mine.json': { ...rules, parameters: { ...rules.parameters, quorum: null } },
    }).run('ratify', '--aggregations', 'a.json', '--rules', './mine.json');
    expect([code, stderr]).toEqual([3, expect.stringContaining('guarded')]);
  });
});

const names = Array.from({ length: 12 }, (_, at) => `Member-${at}`);

describe('a vote of real reviewers', () => {
  /** Of the twelve who endorse, oppose and amend each motion; the rest abstain. */
  const stances: Record<string, readonly number[]> = {
    'm-0': [7, 2, 2],
    'm-1': [9, 3, 0],
    'm-2': [9, 0, 3],
    'm-3': [6, 6, 0],
    'm-4': [0, 12, 0],
  };
  const say = ({ member, prompt }: MemberRequest): string | null => {
    const at = Number(member.slice(7));
    const items = idsIn(prompt).map(motion_id => {
      const [yes = 0, no = 0, change = 0] = stances[motion_id] ?? [];
      const stance =
        at < yes
          ? 'endorse'
          : at < yes + no
            ? 'oppose'
            : at < yes + no + change
              ? 'endorse_with_changes'
              : 'abstain';
      return {
        motion_id,
        stance,
        reasoning: 'So.',
        confidence: 0.8,
        opposition_concerns: ['It is too broad to be carried out within the year.'],
        amendment_type: 'add_clause',
        amendment_text: 'With care.',
        amendment_rationale: 'Safer.',
      };
    });
    return items.length === 0 ? null : JSON.stringify(items.toReversed());
  };
  let servers: readonly MemberServer[] = [];
  beforeAll(async () => {
    servers = [await startMemberServer({ say }), await startMemberServer({ say })];
  });
  afterAll(() => Promise.all(servers.map(server => server.close())));

  interface Voted {
    readonly code: number | null;
    readonly folder: string;
    readonly results: string;
    /** Of the usual server, and of the one that a member has of its own. */
    readonly asked: readonly (readonly MemberRequest[])[];
  }

  async function vote(...words: readonly string[]): Promise<Voted> {
    const [usual, own] = servers;
    const { folder, results } = createSession({
      members: [...names.slice(0, 11), { name: 'Member-11', base_url: own?.url ?? '', model: 'm' }],
      motions: 0,
      settings: { endpoints: [{ baseUrl: usual?.url, model: 'm', concurrency: 99 }] },
    });
    folders.push(folder);
    writeFileSync(
      path.join(folder, 'session/mega-motions.json'),
      JSON.stringify(
        Object.keys(stances)
          .slice(0, 4)
          .map(id => motion(id, id === 'm-0' ? names.slice(0, 3) : [])),
      ),
    );
    const before = servers.map(({ requests }) => requests.length);
    const { code } = await startIn(folder, [...voting, '--second-pass', 'assume', ...words]).ended;
    return {
      code,
      folder,
      results,
      asked: servers.map(({ requests }, at) => requests.slice(before[at])),
    };
  }

  let calm: Voted;
  beforeAll(async () => {
    calm = await vote('--concurrency', '1', '--panel-concurrency', '1');
  }, 60_000);

  it('e9 e11 counts the answers by the formulas of the page', () => {
    expect([calm.code, readResult(calm.results, 'aggregations.json')]).toMatchObject([
      0,
      [
        counted(3, 4, 2, 2, 1, {
          consensus_reached: false,
          contested: false,
          needs_amendment_synthesis: false,
          status: 'under_review',
        }),
        counted(0, 9, 3, 0, 0, {
          consensus_reached: true,
          contested: true,
          status: 'contested',
          opposing_archons: names.slice(9),
        }),
        counted(0, 9, 0, 3, 0, {
          consensus_reached: true,
          contested: false,
          needs_amendment_synthesis: true,
          status: 'ratification_ready',
        }),
        counted(0, 6, 6, 0, 0, {
          consensus_reached: false,
          contested: true,
          endorsing_archons: names.slice(0, 6),
        }),
      ],
    ]);
  });

  it('e23 e28 e36 asks a member once, at its own endpoint, about all its motions in an order of its own', () => {
    const reviews = calm.asked.map(list => list.filter(({ prompt }) => idsIn(prompt).length > 0));
    expect(reviews.map(({ length }) => length)).toEqual([11, 1]);
    expect(calm.asked[1]?.map(({ member }) => member)).toEqual(
      calm.asked[1]?.map(() => 'Member-11'),
    );
    const orders = reviews.flat().map(({ prompt }) => idsIn(prompt).join());
    expect(new Set(orders.filter(order => order.length === 15)).size).toBeGreaterThan(2);
  });

  it('e21 e22 comes to the same one at a time and many at once', async () => {
    const panels = calm.asked[0]?.filter(({ prompt }) => idsIn(prompt).length === 0) ?? [];
    const about = panels.map(({ prompt }) => /Motion m-\d/.exec(prompt)?.[0]);
    expect(about.join()).toMatch(/^(?:Motion m-1,){6,}(?:Motion m-3,?){6,}$/);
    expect(servers[0]?.mostAtOnce()).toBe(1);
    const { results, asked } = await vote(
      '--concurrency',
      '16',
      '--panel-concurrency',
      '2',
      '--batch',
      '1',
    );
    expect(asked.flat().filter(({ prompt }) => idsIn(prompt).length === 1)).toHaveLength(45);
    expect([(servers[0]?.mostAtOnce() ?? 0) > 4, (servers[0]?.mostAtOnce() ?? 99) <= 16]).toEqual([
      true,
      true,
    ]);
    for (const name of ['aggregations.json', 'ratification_results.json'])
      expect(readArtifacts(results)[name]).toEqual(readArtifacts(calm.results)[name]);
  }, 60_000);

  it('e19 does not take another vote, whole in itself, for the one that was held', async () => {
    const verify = (head: string): Ended =>
      jury(calm.folder, ['motions', 'verify-audit', other.results, '--head', head]);
    const other = await vote('--rules', 'explicit');
    expect([verify(headOf(other.results)).code, verify(headOf(calm.results)).code]).toEqual([0, 1]);
  });

  it('e25 e32 ratifies nothing on the word of a sample that says no', async () => {
    const { results, folder } = createSession({
      members: names,
      motions: 0,
      settings: { endpoints: [{ baseUrl: servers[0]?.url, model: 'm' }] },
    });
    folders.push(folder);
    writeFileSync(
      path.join(folder, 'session/mega-motions.json'),
      JSON.stringify([motion('m-4', names.slice(0, 5))]),
    );
    const { code } = await startIn(folder, [...voting, '--sample', '2']).ended;
    expect([code, readResult(results, 'ratification_results.json')]).toMatchObject([
      2,
      [{ outcome: 'incomplete' }],
    ]);
  });

  it('e30 goes on with the vote that was held last, which lacks nothing', async () => {
    const ask = (...words: readonly string[]): Promise<{ readonly code: number | null }> =>
      startIn(calm.folder, words).ended;
    cpSync(path.join(calm.folder, 'session'), path.join(calm.folder, 'another'), {
      recursive: true,
    });
    await ask('motions', 'another', '--real-agent', '--max-calls', '1');
    await ask(...voting, '--second-pass', 'assume', '--fresh');
    const before = servers[0]?.requests.length;
    const { code } = await ask('resume', 'latest');
    expect([code, servers[0]?.requests.length]).toEqual([0, before]);
  });
});

it('e34 an answer whose endpoint saw far fewer tokens than were sent is none', async () => {
  const model = await startModelServer({
    usage: { input: 10, output: 9, cached: 0 },
    text: '[{"motion_id":"m-0","stance":"endorse"}]',
  });
  const { folder, results } = createSession({
    members: names,
    motions: 5,
    settings: { endpoints: [{ baseUrl: `${model.url}/v1`, model: 'm' }] },
  });
  folders.push(folder);
  const { code, stderr } = await startIn(folder, [...voting, '--batch', '1']).ended;
  const calls = model.modelCalls().length;
  await model.close();
  const rows = readResult(results, 'review_responses.json') as { readonly status: string }[];
  expect([code, new Set(rows.map(({ status }) => status))]).toEqual([2, new Set(['no_response'])]);
  // It is told of after a few calls, not after all.
  expect(calls).toBeLessThanOrEqual(12);
  expect(stderr).toContain('times in a row');
});
