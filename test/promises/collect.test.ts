/** What a caller's own agents wrote is taken in whole: nobody is asked, nothing is lost, and who is missing is no pass. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { jury } from '../cli/jury.ts';
import { runsOf } from '../state-of.ts';

const clean = '### Findings Index\nVerdict: safe\n';

function index(id: string, title: string, level = 'P1'): string {
  return `### Findings Index
- ${level} | ${id} | "Storage" | ${title}
Verdict: needs-changes
### Summary
One thing stands in the way.
### Issues Found
1. **${id}** (${level}): EVIDENCE of ${id}, in src/store.ts:12. Recommendation: mend ${id}.
### Improvements
<!-- jury:complete -->
`;
}

function collected(
  files: Readonly<Record<string, string | Uint8Array>>,
  ...args: string[]
): { root: string; code: number | null; out: string; error: string } {
  const root = createFolder();
  const folder = path.join(root, 'inbox');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const { code, stdout, stderr } = jury(root, ['collect', 'inbox', ...args]);
  return { root, code, out: stdout, error: stderr };
}

describe('collect', () => {
  it('passes where every agent that was sent wrote a file that holds nothing', () => {
    const { code, out } = collected({ 'a.md': clean, 'b.md': clean }, '--expect', 'a,b');
    expect(out).toContain('Validation: 2/2 agents valid');
    expect(out).toContain('Gate: PASS');
    expect(code).toBe(0);
  });

  it('is INCOMPLETE where too few of those that were sent wrote one, and names them', () => {
    const { code, out } = collected({ 'a.md': clean }, '--expect', 'a,b,c');
    expect(out).toContain('Validation: 1/3 agents valid, 2 failed');
    expect(out).toMatch(/Attention: b, c/);
    expect(code).toBe(2);
  });

  it('is INCOMPLETE where one that is required did not, whatever the quorum', () => {
    const files = { 'a.md': clean, 'b.md': clean };
    expect(collected(files, '--expect', 'c', '--require', 'c').code).toBe(2);
    expect(collected(files, '--expect', 'c').code).toBe(0);
  });

  it('forms one claim of what two agents say alike, and shows the evidence of each by its id', () => {
    const title = 'The upload is held in memory as a whole';
    const { root, out, code } = collected({
      'a.md': index('A-1', title),
      'b.md': index('B-1', title),
    });
    expect(out).toContain('P1: 1');
    expect(out).toContain('(2/2)');
    expect(code).toBe(1);
    for (const id of ['a/A-1', 'b/B-1'])
      expect(jury(root, ['show', id]).stdout).toContain(`EVIDENCE of ${id.slice(2)}`);
  });

  it('counts nothing of a file that is no answer as read, and says what is wrong with each', () => {
    const root = createFolder();
    const folder = path.join(root, 'inbox');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'good.md'), clean);
    writeFileSync(path.join(folder, 'empty.md'), '');
    writeFileSync(path.join(folder, 'prose.md'), 'I looked at it.\n');
    writeFileSync(path.join(folder, 'wide.md'), Buffer.from('\uFEFF### Findings Index', 'utf16le'));
    writeFileSync(path.join(folder, 'large.md'), Buffer.alloc(17 << 20, 97));
    writeFileSync(path.join(root, 'outside.md'), clean);
    symlinkSync(path.join(root, 'outside.md'), path.join(folder, 'link.md'));
    const { stdout, code } = jury(root, ['collect', 'inbox']);
    expect(stdout).toContain('Validation: 1/6 agents valid, 5 failed');
    expect(code).toBe(2);
    const [run = ''] = readdirSync(runsOf(root));
    const stub = (agent: string): string =>
      readFileSync(path.join(runsOf(root), run, 'reviews', `${agent}.md`), 'utf8');
    expect(stub('link')).toContain('no plain file');
    expect(stub('large')).toContain('4 MiB');
    expect(stub('wide')).toContain('UTF-8');
  });

  it('keeps what a file in progress says, and takes its silence for nothing', () => {
    const half = '### Findings Index\n- P1 | H-1 | "Storage" | The lock is never given back\n';
    const { out, code } = collected({ 'h.md.partial': half, 'a.md': clean }, '--quorum', '2');
    expect(out).toContain('1 partial');
    expect(out).toContain('The lock is never given back');
    expect(code).toBe(2);
    const ended = collected({ 'h.md.partial': `${clean}<!-- jury:complete -->\n` });
    expect(ended.out).toContain('Validation: 1/1 agents valid');
    expect(ended.code).toBe(0);
  });

  it('counts findings and not what a file claims of them', () => {
    const { out, code } = collected({
      'a.md': '### Findings Index\n- P0 | Z-1 | "Storage" | Every write is lost\nVerdict: safe\n',
    });
    expect(out).toContain('Verdict: risky');
    expect(code).toBe(1);
  });

  it('asks nobody and needs no grant, whatever configuration is found', () => {
    const root = createFolder();
    mkdirSync(path.join(root, 'inbox'));
    writeFileSync(path.join(root, 'inbox/a.md'), clean);
    const command = ['sh', '-c', `touch ${path.join(root, 'STARTED')}`];
    writeFileSync(
      path.join(root, 'jury.config.yaml'),
      JSON.stringify({ reviewers: [{ id: 'x', runner: 'command', command }] }),
    );
    expect(jury(root, ['collect', 'inbox']).code).toBe(0);
    expect(readdirSync(root)).not.toContain('STARTED');
  });

  it.each([
    [['collect'], 3, 'DIR'],
    [['collect', 'nowhere'], 2, 'no such folder'],
    [['collect', 'hollow'], 2, 'holds no file'],
    [['collect', 'twins'], 2, 'two files of one agent'],
    [['collect', 'inbox', '--expect', '../a'], 3, 'no name of an agent'],
    [['collect', '--prepare', '../x'], 3, 'it is a name'],
    [['verdict', 'write', '--agent', '../x', '--status', 'CLEAN', '--summary', 's'], 3, 'agent'],
    [['verdict', 'write', '--agent', 'x', '--status', 'GOOD', '--summary', 's'], 3, 'status'],
    [['verdict', 'write', '--agent', 'x', '--status', 'CLEAN', '--summary', 'a\nb'], 3, 'summary'],
    [['verdict', 'read', '--agent', 'x', '--status', 'CLEAN', '--summary', 's'], 3, 'write'],
  ])('refuses %j with %i and one sentence', (args, code, words) => {
    const root = createFolder();
    for (const folder of ['hollow', 'inbox', 'twins']) mkdirSync(path.join(root, folder));
    for (const name of ['inbox/a.md', 'twins/a.md', 'twins/A.md'])
      writeFileSync(path.join(root, name), clean);
    const { code: ended, stderr } = jury(root, args);
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(ended).toBe(code);
  });

  it('makes the folder before anybody is told to write there, and says what to tell them', () => {
    const root = createFolder();
    const { stdout, code } = jury(root, ['collect', '--prepare', 'design']);
    expect(code).toBe(0);
    expect(readdirSync(path.join(root, '.jury/inbox/design'))).toEqual([]);
    expect(stdout).toContain('.jury/inbox/design/{agent-name}.md');
    expect(stdout).toContain('### Findings Index');
  });

  it('writes a verdict file that is listed as it was written', () => {
    const root = createFolder();
    const words = ['--agent', 'fd-safety', '--status', 'CLEAN', '--summary', 'nothing found'];
    expect(jury(root, ['verdict', 'write', ...words, '--tokens', '12']).code).toBe(0);
    const listed = jury(root, ['verdicts', '--dir', '.jury/verdicts', '--table']);
    expect(listed.stdout).toBe('CLEAN\tfd-safety\tnothing found\n');
  });
});
