/** Whoever changes one value of the record of a vote is found, also when every hash is made to fit again. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJury, MotionsRequest, UserError } from '../../src/index.ts';
import { type MemberRequest, type MemberServer, startMemberServer } from '../cli/member-server.ts';
import { makeSession } from './session-folder.ts';
import { flipsOf, forge, readResults, type Results, writeResults } from './forged-results.ts';

let folder = '';
let results = '';
let environment: NodeJS.ProcessEnv = {};
let written: Results = new Map();
let server: MemberServer;

const roster = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo'];
const motion = (id: string, { about, ...more }: Record<string, unknown> & { about: string }) => ({
  mega_motion_id: id,
  title: `Motion ${id}`,
  theme: 'Care',
  consolidated_text: `The members shall publish audit logs of ${about} every month.`,
  source_motion_ids: ['s-1'],
  all_supporting_archons: [],
  ...more,
});

/** m-1 is contested, m-2 passes as amended by a facilitator, m-3 is of low risk, m-4 meets a conflict, the novel one silence. */
const stances: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'm-1': {
    Ada: 'endorse',
    Bo: 'endorse',
    Cy: 'oppose',
    Di: 'oppose',
    Ed: 'abstain',
    Flo: 'endorse',
  },
  'm-2': { Ada: 'endorse', Bo: 'endorse', Cy: 'endorse', Di: 'amend', Ed: 'amend', Flo: 'oppose' },
};

function answer({ member, prompt }: MemberRequest) {
  if (member === 'facilitator')
    return JSON.stringify({
      recommendation: 'fail',
      recommendation_rationale: 'Both have a point.',
      votes: { Flo: 'pass' },
      revised_motion_text: 'The members shall publish audit logs with care.',
      key_points_discussed: ['Cost'],
      consensus_areas: ['Care'],
      unresolved_concerns: ['Who pays'],
      dissenting_opinions: [{ archon_name: 'Ada', opinion: 'It is worth it.' }],
    });
  const ids = [...prompt.matchAll(/motion_id: "([\w-]+)"/g)].map(([, id]) => id ?? '');
  if (ids.length === 0)
    return member === 'Flo'
      ? 'Flo weighs it.'
      : `${member} weighs it.\nVOTE: ${member < 'C' ? 'pass' : 'fail'}`;
  return JSON.stringify(
    ids
      .filter(id => id !== 'p-1' || member !== 'Bo')
      .map(id => ({
        motion_id: id,
        stance:
          prompt.includes('Amended text') && member !== 'Flo'
            ? 'endorse'
            : (stances[id]?.[member] ?? 'endorse'),
        reasoning: `${member} on ${id}.`,
        confidence: 0.8,
        opposition_concerns: ['It is too broad to be carried out within the year, and too dear.'],
        amendment_text: `With care, says ${member}.`,
        amendment_type: 'add_clause',
        amendment_rationale: 'Safer.',
      })),
  );
}

beforeAll(async () => {
  server = await startMemberServer({ delayMs: 0, answer });
  const session = makeSession({
    roster,
    'mega-motions': [
      motion('m-1', { about: 'the north gate', all_supporting_archons: ['Stranger'] }),
      motion('m-2', { about: 'every harbour', constitutional: false }),
      motion('m-3', { about: 'old mills', all_supporting_archons: roster.slice(0, 5) }),
      motion('m-4', { about: 'young trees', all_supporting_archons: ['Ada', 'Bo'] }),
    ],
    'novel-proposals': [
      { proposal_id: 'p-1', recommendation_id: 'r-1', archon_name: 'Ed', text: 'Let it be so.' },
    ],
    positions: [
      { archon_name: 'Ada', mega_motion_id: 'm-4', stance: 'oppose', text: null, source: 'talk' },
    ],
  });
  ({ cwd: folder, results } = session);
  const reviewer = {
    runner: 'api',
    model: 'openai-compatible/scripted',
    baseUrl: server.url,
    timeout: 20,
  };
  writeFileSync(path.join(folder, 'jury.config.json'), JSON.stringify({ motions: { reviewer } }));
  ({ environment } = session);
  const jury = createJury({ cwd: folder, environment, trustConfig: true });
  await jury.vote(MotionsRequest.parse({ dir: 'session', realAgent: true }));
  written = readResults(results);
}, 60_000);

afterAll(() => server.close());

const verify = () => createJury({ cwd: folder }).verifyAudit(results);

/** What the verification says of the folder; null: nothing. */
async function judge() {
  try {
    const { first_broken_seq, changed, first_difference, anchors } = await verify();
    if (first_broken_seq !== null) return `event ${first_broken_seq}`;
    if (anchors.rules === false) return 'another rule set';
    return first_difference ?? (changed.length > 0 ? changed.join() : null);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
}

/** Of other results than were written, which are put back. */
async function judgeOther(changed: Results) {
  writeResults(results, changed, written);
  const said = await judge();
  writeResults(results, written, changed);
  return said;
}

/** What no answer tells, where whoever changes it makes every hash fit: by file and key, with the reason. */
const unknowable: readonly (readonly [string, RegExp])[] = [
  [
    'the forger writes the hashes',
    /^audit_trail\.json \*\.(?:prev_sha256|details\.(?:\w+_sha256|artifacts_sha256\..+))$/,
  ],
  ['a time that stands nowhere else', /^audit_trail\.json \*\.occurred_at$/],
  ['a time that stands nowhere else', /^review_responses\.json \*\.reviewed_at$/],
  ['how long it took', /^audit_trail\.json \*\.details\.duration_seconds$/],
  ['how long it took', /^review_responses\.json \*\.review_duration_ms$/],
  ['what the run counted', /^pipeline_result\.json (?:calls|tokens|cost)$/],
  ['what the run counted', /^review_responses\.json \*\.attempts$/],
  ['what the endpoint says of itself', /^review_responses\.json \*\.(?:model|error)$/],
  [
    'words of one member that nothing follows from',
    /^review_responses\.json \*\.(?:reasoning|validation|opposition_reason|amendment_rationale)$/,
  ],
  ['words of one member that nothing follows from', /^panel_\S+ arguments\.\*\.argument$/],
  ['where the folder was', /^report\.md - Results$/],
  [
    'what was put to the vote, where another text decides nothing',
    /^vote_inputs\.json session\.(?:mega_motions|novel_proposals)\.\*\.(?:theme|consolidated_text|source_motion_ids\.\*|recommendation_id|category)$/,
  ],
  [
    'a setting that decided nothing here',
    /^vote_inputs\.json settings\.(?:triage\.low_from_tier|batch|sample|limits\.\w+|medium|low)$/,
  ],
  ['what another rule set would have come to', /^vote_inputs\.json shipped_rules\b.*$/],
  ['what was asked, and whom', /^vote_inputs\.json (?:prompts\.\w+|models(?:\.\*)?)$/],
];

describe('verify-audit', () => {
  it('finds nothing in what was written', async () => {
    expect(await verify()).toMatchObject({
      intact: true,
      recount: 'same',
    });
    expect(await judgeOther(forge(written))).toBeNull();
  });

  it('finds every value that was changed, one at a time', { timeout: 300_000 }, async () => {
    const missed: string[] = [];
    const counts = new Map<string, number>();
    for (const { file, keys, text } of flipsOf(written)) {
      const kind = file.replace(/\/.*/, '/');
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const said = await judgeOther(new Map(written).set(file, text));
      if (said === null) missed.push(`${file} ${keys}`);
    }
    console.log('Changed one at a time, all found:', Object.fromEntries(counts));
    expect(missed).toEqual([]);
    expect(await judge()).toBeNull();
  });

  it(
    'finds them, too, when whoever changes them makes every hash fit, but for what no answer tells',
    { timeout: 300_000 },
    async () => {
      const [missed, excused]: [string[], Map<string, number>] = [[], new Map()];
      let found = 0;
      for (const { file, keys, text } of flipsOf(written)) {
        const said = await judgeOther(forge(new Map(written).set(file, text)));
        const place = `${file} ${keys}`;
        if (said !== null) found += 1;
        else {
          const [why] = unknowable.find(([, pattern]) => pattern.test(place)) ?? [null];
          if (why === null) missed.push(place);
          else excused.set(why, (excused.get(why) ?? 0) + 1);
        }
      }
      console.log(`Forged one at a time: ${found} found, not known:`, Object.fromEntries(excused));
      expect(missed).toEqual([]);
      // No excuse that nothing needs.
      expect(new Set(excused.keys())).toEqual(new Set(unknowable.map(([why]) => why)));
    },
  );

  it('finds with the journal of the run, or with its head, what no answer tells', async () => {
    const jury = createJury({ cwd: folder, environment });
    const { head_sha256: head } = await verify();
    expect((await jury.verifyAudit(results, { head })).anchors).toEqual({
      rules: true,
      journal: true,
      superseded: false,
      head: true,
      signature: null,
    });
    const kinds = new Set(unknowable.map(([why]) => why));
    for (const { file, keys, text } of flipsOf(written)) {
      const why = unknowable.find(([, pattern]) => pattern.test(`${file} ${keys}`))?.[0] ?? '';
      if (!kinds.delete(why)) continue;
      const forged = forge(new Map(written).set(file, text));
      writeResults(results, forged, written);
      const { anchors } = await jury.verifyAudit(results, { head });
      writeResults(results, written, forged);
      // A time of the trail is the first that its forger makes fit.
      if (why === 'the forger writes the hashes') continue;
      expect([why, anchors.journal, anchors.head]).toEqual([why, false, false]);
    }
    expect(kinds).toEqual(new Set());
  });
});
