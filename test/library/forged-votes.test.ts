/** Forged votes, each with what finds it: what was written, what the answers give, and what is kept elsewhere. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AuditOptions,
  createJury,
  MotionsRequest,
  type VerifiedAudit,
} from '../../src/index.ts';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { forge, readResults, type Results } from './forged-results.ts';
import { hurrying, makeSession } from './session-folder.ts';

const roster = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo'];
const usual: Readonly<Record<string, string>> = { Ada: 'endorse', Bo: 'endorse', Cy: 'endorse' };
const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
if (!hasKeygen) console.log('Signatures are not tried: there is no ssh-keygen on this machine.');

let top = '';
/** Of the vote that was held. */
let held: Vote;
/** Of one that was held otherwise by somebody else. */
let other: Vote;

interface Vote {
  readonly folder: string;
  readonly results: Results;
  readonly run: string;
  readonly head: string;
}

async function hold(name: string, stanceOf: (member: string) => string, more: object = {}) {
  const { cwd, results: folder } = makeSession(
    {
      roster,
      'mega-motions': [
        { mega_motion_id: 'm-1', title: 'Roof', consolidated_text: 'Mend it.' },
        { mega_motion_id: 'm-2', title: 'Mill', all_supporting_archons: ['Ada'] },
      ],
    },
    path.join(top, name),
  );
  const jury = createJury({
    cwd,
    environment: { ...process.env, JURY_STATE: path.join(top, `${name}.state`) },
    config: { motions: { reviewer: { runner: 'mine' } } },
    clock: hurrying,
    runners: {
      mine: ({ instructions, prompt }) => {
        const member = roster.find(known => instructions.includes(known)) ?? '';
        const ids = [...prompt.matchAll(/motion_id: "([\w-]+)"/g)].map(([, id]) => id);
        if (ids.length === 0 && member !== '')
          return { text: `${member} argues.\nVOTE: ${member < 'D' ? 'pass' : 'fail'}` };
        return {
          text: JSON.stringify(
            ids.length === 0
              ? { recommendation: 'fail', votes: {} }
              : ids.map(id => ({
                  motion_id: id,
                  stance: stanceOf(member),
                  opposition_concerns: [
                    `${member} would rather keep the money for the winter to come.`,
                  ],
                })),
          ),
        };
      },
    },
  });
  const request = MotionsRequest.parse({ dir: 'session', realAgent: true, ...more });
  const run = (await jury.vote(request))?.runId ?? '';
  const { head_sha256: head } = await jury.verifyAudit(folder);
  return { folder, results: readResults(folder), run, head };
}

const inTop = (name: string) => path.join(top, name);

/** `state`: whose journals are at hand. */
const at = (state: string) =>
  createJury({
    cwd: path.join(top, 'held'),
    environment: { ...process.env, JURY_STATE: path.join(top, state) },
  });

beforeAll(async () => {
  top = createFolder();
  held = await hold('held', member => usual[member] ?? 'oppose');
  other = await hold('other', () => 'endorse');
  if (!hasKeygen) return;
  for (const name of ['clerk', 'stranger'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(top, name)]);
  const key = readFileSync(path.join(top, 'clerk.pub'), 'utf8');
  writeFileSync(path.join(top, 'allowed'), `clerk@example.org ${key}`);
  writeFileSync(path.join(top, 'empty'), '');
  await at('none.state').signAudit(held.folder, { key: inTop('clerk') });
});

type Finding = 'the trail' | 'the files' | 'the answers' | 'the rules' | 'the anchor' | 'nothing';

/** What finds something wrong first. */
function foundBy(found: VerifiedAudit) {
  const { intact, first_broken_seq, results, recount, anchors } = found;
  if (intact === true) return 'nothing';
  if (first_broken_seq !== null) return 'the trail';
  if (results !== 'intact') return 'the files';
  if (anchors.rules === false) return 'the rules';
  return recount === 'same' ? 'the anchor' : 'the answers';
}

/** Of a folder that holds these results, and whatever lay beside those that were held. */
async function verify(results: Results, options: AuditOptions = {}, state = 'none.state') {
  const folder = mkdtempSync(path.join(top, 'copy-'));
  for (const [name, text] of results) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  for (const name of ['audit_head', 'audit_head.sig'])
    if (hasKeygen) cpSync(path.join(held.folder, name), path.join(folder, name));
  return foundBy(await at(state).verifyAudit(folder, options));
}

const edit = (name: string, change: (text: string) => string, results = held.results) =>
  new Map(results).set(name, change(results.get(name) ?? expect.fail(`no ${name}`)));
const editJson = (name: string, change: (value: never) => unknown) =>
  edit(name, text => `${JSON.stringify(change(JSON.parse(text) as never), null, 2)}\n`);
const everywhere = (results: Results, from: string, to: string) =>
  new Map([...results].map(([name, text]) => [name, text.replaceAll(from, to)]));
const panel = () =>
  [...held.results.keys()].find(name => name.startsWith('panel')) ?? expect.fail('no panel');
const flipped = () => edit('review_responses.json', text => text.replace('"OPPOSE"', '"ENDORSE"'));

/** How the folder was forged, what finds it where nothing is kept elsewhere, and the results that stand there. */
const forgeries: readonly (readonly [
  how: string,
  alone: Finding,
  results: () => Results | Promise<Results>,
])[] = [
  ['one answer turned', 'the files', flipped],
  ['one answer turned, every hash made to fit', 'the answers', () => forge(flipped())],
  ['a vote on turned answers, held anew', 'nothing', () => other.results],
  [
    'the same, in the name of the run that was held',
    'nothing',
    () => forge(everywhere(other.results, other.run, held.run)),
  ],
  [
    'one per cent is enough, under the name of rules that ship',
    'the rules',
    async () => {
      const rules = JSON.parse(readFileSync('rules/guarded.json', 'utf8')) as {
        parameters: { required: { simple: object } };
      };
      rules.parameters.required.simple = { share: [1, 100], strict: false };
      writeFileSync(path.join(top, 'rules.json'), JSON.stringify({ ...rules, name: 'ours' }));
      const mine = await hold('rules', member => usual[member] ?? 'oppose', {
        rules: path.join(top, 'rules.json'),
      });
      return forge(
        everywhere(everywhere(mine.results, '"ours@1"', '"guarded@1"'), '"ours"', '"guarded"'),
      );
    },
  ],
  [
    'a member taken from the roster',
    'the answers',
    () =>
      forge(
        editJson('vote_inputs.json', (inputs: { roster: object[] }) => ({
          ...inputs,
          roster: inputs.roster.slice(0, -1),
        })),
      ),
  ],
  [
    'an answer dropped',
    'the answers',
    () => forge(editJson('review_responses.json', (rows: object[]) => rows.slice(0, -1))),
  ],
  [
    'the end of the trail cut off',
    'the files',
    () => {
      const cut = editJson('audit_trail.json', (events: object[]) => events.slice(0, -1));
      const [, head = ''] =
        /"prev_sha256": "(\w+)"[^{}]*\}\s*\]\s*$/.exec(
          held.results.get('audit_trail.json') ?? '',
        ) ?? [];
      return everywhere(cut, held.head, head);
    },
  ],
  [
    'a motion added',
    'the answers',
    () =>
      forge(
        editJson(
          'vote_inputs.json',
          ({ session, ...inputs }: { session: { mega_motions: object[] } }) => ({
            ...inputs,
            session: {
              ...session,
              mega_motions: [
                ...session.mega_motions,
                { ...session.mega_motions[0], mega_motion_id: 'm-9' },
              ],
            },
          }),
        ),
      ),
  ],
  [
    'another text of a motion, which decides nothing',
    'nothing',
    () => forge(everywhere(held.results, 'Mend it.', 'Sell it.')),
  ],
  [
    'another recommendation of a panel',
    'the answers',
    () =>
      forge(
        edit(panel(), text => text.replace('"recommendation": "fail"', '"recommendation": "pass"')),
      ),
  ],
  [
    'other words of a member of a panel',
    'nothing',
    () => forge(edit(panel(), text => text.replaceAll('Di argues.', 'Di agrees.'))),
  ],
];

describe('a forged vote', () => {
  it('is none when nothing was touched, whatever it is held against', async () => {
    const { head } = held;
    expect(await verify(held.results)).toBe('nothing');
    expect(await verify(held.results, { head }, 'held.state')).toBe('nothing');
  });

  it.each(forgeries)(
    '%s: found by %s alone, with any anchor at the latest',
    async (how, alone, make) => {
      const results = await make();
      expect(await verify(results)).toBe(alone);
      expect(await verify(results, { head: held.head })).not.toBe('nothing');
      // One that was held anew is no other state of the run in the journal.
      if (how !== 'a vote on turned answers, held anew')
        expect(await verify(results, {}, 'held.state')).not.toBe('nothing');
      if (hasKeygen)
        expect(await verify(results, { allowedSigners: inTop('allowed') })).not.toBe('nothing');
    },
  );
});

const signatureOf = async (folder: string, allowedSigners: string) =>
  (await at('none.state').verifyAudit(folder, { allowedSigners })).anchors.signature;

describe.skipIf(!hasKeygen)('the signature of a vote', () => {
  it('says who signed it, and changes nothing of what was written', async () => {
    expect(await signatureOf(held.folder, inTop('allowed'))).toEqual({
      signer: 'clerk@example.org',
      problem: null,
    });
    expect(await at('none.state').verifyAudit(held.folder)).toMatchObject({
      intact: true,
      added: [],
      anchors: { signature: null },
    });
    expect(readFileSync(path.join(held.folder, 'audit_head'), 'utf8')).toBe(`${held.head}\n`);
  });

  it('is none of who is not allowed, of another vote, or where there is none', async () => {
    const unsigned = { signer: null, problem: expect.any(String) as string };
    expect(await signatureOf(held.folder, inTop('empty'))).toEqual(unsigned);
    expect(await signatureOf(other.folder, inTop('allowed'))).toEqual({
      signer: null,
      problem: 'there is no such file',
    });
    cpSync(path.join(held.folder, 'audit_head.sig'), path.join(other.folder, 'audit_head.sig'));
    expect(await signatureOf(other.folder, inTop('allowed'))).toEqual(unsigned);
    await at('none.state').signAudit(other.folder, { key: inTop('stranger') });
    expect(await signatureOf(other.folder, inTop('allowed'))).toEqual(unsigned);
  });

  it('is put under nothing that was changed, and by no key that is not there', async () => {
    const jury = at('none.state');
    await expect(jury.signAudit(held.folder, { key: inTop('nowhere') })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/nowhere, cannot be read: there is no such file/) as string,
    });
    await expect(jury.signAudit(held.folder, { key: inTop('allowed') })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/ssh-keygen cannot sign with .*allowed: \S/) as string,
    });
    const copy = path.join(top, 'changed');
    cpSync(held.folder, copy, { recursive: true });
    writeFileSync(path.join(copy, 'report.md'), '');
    await expect(jury.signAudit(copy, { key: inTop('clerk') })).rejects.toMatchObject({
      kind: 'input',
    });
    await expect(
      jury.verifyAudit(held.folder, { allowedSigners: inTop('nowhere') }),
    ).rejects.toMatchObject({ kind: 'usage' });
  });

  it('is by the key that git signs with, else by the usual one; without ssh-keygen it says so', async () => {
    const home = path.join(top, 'home');
    const programs = path.join(top, 'programs');
    mkdirSync(path.join(home, '.ssh'), { recursive: true });
    mkdirSync(programs);
    const jury = (environment: object) =>
      createJury({ cwd: top, environment: { PATH: process.env.PATH, HOME: home, ...environment } });
    await expect(jury({}).signAudit(held.folder)).rejects.toThrow(/\.ssh\/id_ed25519, cannot be/);
    writeFileSync(
      path.join(home, '.gitconfig'),
      `[gpg]\nformat = ssh\n[user]\nsigningkey = ${path.join(top, 'clerk')}\n`,
    );
    expect((await jury({}).signAudit(held.folder)).key).toBe(path.join(top, 'clerk'));
    await expect(
      jury({ PATH: programs }).signAudit(held.folder, { key: inTop('clerk') }),
    ).rejects.toMatchObject({
      kind: 'input',
      message: 'Error: there is no ssh-keygen on this machine, which this needs',
    });
  });
});
