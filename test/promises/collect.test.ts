/** What a caller's own agents wrote is taken in whole: nobody is asked, nothing is lost, and who is missing is no pass. */
import { execFileSync } from 'node:child_process';
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

const contents: Readonly<Record<string, string | Uint8Array>> = {
  'latin.md': Buffer.concat([Buffer.from(clean), Buffer.from([0xff, 0x80])]),
  'prose.md': 'I looked at it, and all is well.\n',
  'cut.md': '### Findings Index\n- P3 | C-1 | "Names" | Two names for one thing\n- P',
  'lines.md': 'LOW|a.ts:1|x\nLOW|b.ts:2|naming is te',
  'bare.md': '### Findings Index\nVerdict: risky\n',
  'other.md': `---\nagent: fd-safety\n---\n${clean}`,
};

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
    expect(collected(files, '--require', 'security').code).toBe(2);
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

  it.each([
    ['a link to a file', 'link.md', 'no plain file'],
    ['a folder of the name', 'sub.md', 'no plain file'],
    ['a pipe that nobody writes to', 'pipe.md', 'no plain file'],
    ['50 MB', 'large.md', '4 MiB'],
    ['bytes that are no UTF-8', 'latin.md', 'unreadable answer'],
    ['prose without an index', 'prose.md', 'unreadable answer'],
    ['an index that is cut off in a line', 'cut.md', 'may be cut off'],
    ['lines that are cut off', 'lines.md', 'does not end with END OF ANSWER'],
    ['a verdict without the findings it speaks of', 'bare.md', 'finds fault, without a finding'],
    ['the file of another agent', 'other.md', 'it is of fd-safety'],
  ])('does not pass over %s, whatever the others say, and says why', (_, name, why) => {
    const root = createFolder();
    const folder = path.join(root, 'inbox');
    mkdirSync(folder);
    for (const agent of ['a', 'b', 'c']) writeFileSync(path.join(folder, `${agent}.md`), clean);
    writeFileSync(path.join(root, 'outside.md'), clean);
    const file = path.join(folder, name);
    if (name === 'link.md') symlinkSync(path.join(root, 'outside.md'), file);
    else if (name === 'sub.md') mkdirSync(file);
    else if (name === 'pipe.md') execFileSync('mkfifo', [file]);
    else writeFileSync(file, contents[name] ?? Buffer.alloc(50 << 20, 97));
    const { stdout, code } = jury(root, ['collect', 'inbox']);
    expect(stdout).toContain('Gate: INCOMPLETE');
    expect(code).toBe(2);
    const agent = name.slice(0, -'.md'.length);
    expect(stdout).toMatch(new RegExp(`Attention: .*${agent}`));
    expect(jury(root, ['show', 'latest', agent]).stdout).toContain(why);
  });

  it('counts an empty file, and one that says that its agent failed, like one that is not there', () => {
    const failed = '### Findings Index\nVerdict: error\n\nAgent failed to produce findings.\n';
    const files = { 'a.md': clean, 'b.md': clean, 'c.md': clean };
    for (const text of ['', failed]) {
      const { out, code } = collected({ ...files, 'd.md': text });
      expect(out).toContain('Validation: 3/4 agents valid, 1 failed');
      expect(out).toMatch(/Attention: d/);
      expect(code).toBe(0);
    }
  });

  it.each([
    [['a.md', 'A.md']],
    [['a.md', 'a.md.partial']],
    [['a.md', 'a.partial']],
    [['a.md', 'a.findings.md']],
    [['a b.md', 'a-b.md']],
  ])('takes no side between two files of one agent: %j', names => {
    const { code, error } = collected(Object.fromEntries(names.map(name => [name, clean])));
    expect(error).toContain('two files of one agent');
    for (const name of names) expect(error).toContain(name);
    expect(code).toBe(2);
  });

  it('takes names of which one begins with the other for two agents', () => {
    const { code, error } = collected({ 'design.md': clean, 'design-review.md': clean });
    expect([code, error]).toEqual([0, expect.not.stringContaining('one agent')]);
  });

  it('follows no link in place of the folder', () => {
    const root = createFolder();
    mkdirSync(path.join(root, 'elsewhere'));
    writeFileSync(path.join(root, 'elsewhere/a.md'), clean);
    symlinkSync(path.join(root, 'elsewhere'), path.join(root, 'inbox'));
    const { code, stderr } = jury(root, ['collect', 'inbox']);
    expect(stderr).toContain('is a link');
    expect(code).toBe(2);
  });

  it('reads a file whatever its name, and names what it does not read', () => {
    const { out, error, code } = collected({
      'my agent\nof <b>two.md': index('M-1', 'The queue has no end'),
      '安全.md': clean,
      'README.md': 'What these files are.\n',
      'notes.json': '{}',
      'synthesis.md': 'Of an earlier run.\n',
    });
    expect(out).toContain('Validation: 2/2 agents valid');
    expect(out).toMatch(/The queue has no end .* my-agent-of-b-two\/M-1$/m);
    expect(error).toContain('is read as the file of my-agent-of-b-two.');
    expect(error).toContain("No agent's file, and not read: README.md, notes.json, synthesis.md.");
    expect(error.trim().split('\n')).toHaveLength(3);
    expect(code).toBe(0);
  });

  it('believes the prose where the index is silent', () => {
    const prose = '### Issues Found\n1. **A-1** (P0): every write is lost\n';
    const { out, code } = collected({ 'a.md': `${clean}${prose}`, 'b.md': clean, 'c.md': clean });
    expect(out).toContain('P0: 1');
    expect(code).toBe(1);
  });

  it('takes an index without prose for what it says', () => {
    const lone =
      '### Findings Index\n- P2 | L-1 | "Names" | Two names for one thing\nVerdict: safe\n';
    const { out, root } = collected({ 'a.md': lone });
    expect(out).toContain('Validation: 1/1 agents valid');
    expect(jury(root, ['show', 'latest', 'a/L-1']).stdout).toContain('Two names for one thing');
  });

  it('reads five hundred files, and fifteen lines come back', () => {
    const files = Array.from({ length: 500 }, (_, n): [string, string] => [
      `agent-${n}.md`,
      index(`Z-${n}`, `Part ${n} of the store has no owner of its own`, 'P2'),
    ]);
    const { out, code } = collected(Object.fromEntries(files));
    expect(out).toContain('Validation: 500/500 agents valid');
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    expect(out.length).toBeLessThan(4_000);
    expect(code).toBe(0);
  });

  it('shows its agents as what they are, and keeps no question that nobody was asked', () => {
    const { root, out, error } = collected({ 'code-quality-reviewer.md': clean });
    expect(error).toBe('');
    const run = /Run: (\S+)/.exec(out)?.[1] ?? '';
    const shown = jury(root, ['show', 'latest', 'code-quality-reviewer']).stdout;
    expect(shown).toContain('persona: callers-agent');
    expect(readdirSync(path.join(runsOf(root), run)).includes('context')).toBe(false);
    const resumed = jury(root, ['resume', 'latest']);
    expect(resumed.code).toBe(0);
  });

  it('cannot be resumed, and says what to do instead', () => {
    const { root } = collected({ 'a.md': clean }, '--expect', 'b', '--require', 'b');
    const { code, stderr } = jury(root, ['resume', 'latest']);
    expect(stderr).toContain('jury collect DIR');
    expect(code).toBe(3);
    writeFileSync(path.join(root, 'inbox/b.md'), clean);
    expect(jury(root, ['collect', 'inbox', '--expect', 'b', '--require', 'b']).code).toBe(0);
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
    [['collect', 'inbox', '--expect', 'a.md'], 3, 'the .md of its file is no part of it'],
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
