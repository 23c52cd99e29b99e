/** An agent that has only the protocol hands in what its own agents wrote, and asks for one entry by its id. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { connect, type Connected } from './connect.ts';

const entry = (id: string) => `### Findings Index
- P1 | ${id} | "Storage" | The upload is held in memory as a whole
Verdict: needs-changes
### Issues Found
1. **${id}** (P1): EVIDENCE of ${id}, in src/store.ts:12.
<!-- jury:complete -->
`;

describe('collect over the protocol', () => {
  const root = createFolder();
  const folder = path.join(root, 'inbox');
  let client: Connected;

  beforeAll(async () => {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'a.md'), entry('A-1'));
    writeFileSync(path.join(folder, 'b.md'), entry('B-1'));
    client = await connect('2.x as of 2026', { cwd: root });
  });
  afterAll(() => client.close());

  const collect = (subject: string, reviewers?: readonly string[]) =>
    client.call('start', { process: 'collect', subject, ...(reviewers && { reviewers }) });

  it('forms one claim of what two agents say alike, and shows the evidence of one of them', async () => {
    const { answer } = await collect('inbox', ['a', 'b']);
    expect(answer).toMatchObject({ status: 'ended', outcome: 'FAIL', exit_code: 1 });
    expect(String(answer.untrusted_text)).toContain('(2/2)');
    const shown = await client.call('show', { run: answer.run, id: 'b/B-1' });
    expect(shown.text).toContain('EVIDENCE of B-1');
  });

  it('is INCOMPLETE where too few of those that were sent wrote a file', async () => {
    mkdirSync(path.join(root, 'few'));
    writeFileSync(path.join(root, 'few', 'a.md'), '### Findings Index\nVerdict: safe\n');
    const { answer } = await collect('few', ['a', 'b', 'c']);
    expect(answer).toMatchObject({ status: 'ended', outcome: 'INCOMPLETE', exit_code: 2 });
    expect(String(answer.untrusted_text)).toContain('Attention: b, c');
  });

  it('takes no folder outside its root, by name or by a link', async () => {
    const outside = mkdtempSync(path.join(os.tmpdir(), 'collected-'));
    writeFileSync(path.join(outside, 'a.md'), entry('A-1'));
    symlinkSync(outside, path.join(root, 'linked'));
    for (const subject of [outside, 'linked', '../'])
      expect(await collect(subject)).toMatchObject({ isError: true });
  });
});
