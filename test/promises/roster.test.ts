/** The roster of a session is data of whoever wrote the session: nobody is asked at a host that it names before a person allowed that. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { type Ended, juryBeside } from '../cli/jury.ts';
import { createSession } from '../cli/motions-session.ts';
import { type ModelServer, startModelServer } from '../model-server.ts';

let model: ModelServer;
let folder: string;
let state: string;

beforeAll(async () => {
  model = await startModelServer({ text: 'ENDORSE' });
});
afterAll(() => model.close());
beforeEach(() => {
  model.set({});
  state = mkdtempSync(path.join(createFolder(), 'state-'));
  ({ folder } = createSession({
    members: ['Ada', { name: 'Pinned', base_url: `${model.url}/v1`, model: 'scripted' }],
    motions: 1,
    settings: {},
  }));
});

const run = (words: readonly string[], trust = ''): Promise<Ended> =>
  juryBeside(folder, words, { environment: { JURY_STATE: state, JURY_TRUST_CONFIG: trust } });

const vote = ['motions', 'session', '--real-agent'];

it('is refused with the host, the member and the command that allows it', async () => {
  const { code, stderr } = await run(vote);
  expect([code, model.requests.length]).toEqual([3, 0]);
  expect(stderr).toContain(
    `session/roster.json was found here and wants to reach ${model.url}/v1 (member Pinned of the ` +
      'roster), which nobody has allowed. To look at it and allow it: jury trust session/roster.json',
  );
});

it('is asked there once these bytes were allowed, and not when they change', async () => {
  const looked = await run(['trust', 'session/roster.json', '--yes']);
  expect([looked.code, looked.stdout]).toEqual([
    0,
    expect.stringContaining(`reach ${model.url}/v1 (member Pinned of the roster)`),
  ]);
  expect((await run(vote)).code).not.toBe(3);
  expect(model.modelCalls().length).toBeGreaterThan(0);
  model.set({});
  writeFileSync(
    path.join(folder, 'session/roster.json'),
    JSON.stringify([{ name: 'Other', base_url: `${model.url}/v2`, model: 'scripted' }]),
  );
  expect([(await run(vote)).code, model.requests.length]).toEqual([3, 0]);
});

it('is asked there by the word of the caller for this call', async () => {
  expect((await run([...vote, '--trust-config'])).code).not.toBe(3);
  expect(model.modelCalls().length).toBeGreaterThan(0);
});

it('needs no more word where the configuration names the same endpoint, and none where nobody is asked', async () => {
  const config = path.join(createFolder(), 'jury.config.json');
  writeFileSync(
    config,
    JSON.stringify({
      motions: { endpoints: [{ baseUrl: `${model.url}/v1/`, model: 'scripted' }] },
    }),
  );
  expect((await run([...vote, '--config', config])).code).not.toBe(3);
  expect(model.modelCalls().length).toBeGreaterThan(0);
  expect((await run(['motions', 'session', '--simulate'])).code).not.toBe(3);
});
