import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { jury } from './jury.ts';

const root = mkdtempSync(path.join(tmpdir(), 'jury-ground-'));
afterAll(() => rmSync(root, { recursive: true }));

const index =
  '### Findings Index\n- P0 | P0-1 | "A" | one\n- P1 | P1-1 | "A" | two\nVerdict: risky\n';
const findings = (...list: readonly object[]) =>
  JSON.stringify({
    findings: [{ id: 'P0-1', severity: 'P0' }, { id: 'P1-1', severity: 'P1' }, ...list],
  });

let count = 0;
function folderOf(files: Readonly<Record<string, string>>) {
  const folder = path.join(root, String((count += 1)), 'reviews');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const ground = (
  files: Readonly<Record<string, string>>,
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
) =>
  jury(root, ['ground', folderOf(files), ...options], {
    environment: { JURY_RUN_ID: '', FLUX_RUN_UUID: '', ...environment },
  });

describe('jury ground', () => {
  it('says OK on standard output', () =>
    expect(ground({ 'alpha.md': index, 'findings.json': findings() })).toEqual({
      code: 0,
      stdout:
        'grounding: OK — 2 synthesized findings verified against agent indexes (0 foreign files skipped)\n',
      stderr: '',
    }));

  it('names what is not grounded, on standard error, and exits 3', () => {
    const { code, stdout, stderr } = ground({
      'alpha.md': index,
      'findings.json': findings({ id: 'P0-99', severity: 'P0' }),
    });
    expect([code, stdout, stderr.split('\n')]).toEqual([
      3,
      '',
      [
        expect.stringMatching(/^grounding: VIOLATION — /),
        '  - ungrounded: P0 P0-99 (no index entry with this id)',
        '',
      ],
    ]);
  });

  it('warns of a mild one, which is a violation when strict', () => {
    const files = { 'alpha.md': index, 'findings.json': findings({ id: 'P2-99', severity: 'P2' }) };
    expect(ground(files)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('grounding: warn — '),
    });
    expect(ground(files, ['--strict']).code).toBe(3);
    expect(
      ground({
        'alpha.md': index,
        'findings.json': JSON.stringify({ findings: [{ id: 'P1-1', severity: 'P0' }] }),
      }),
    ).toMatchObject({ code: 0, stderr: expect.stringContaining('severity differs') });
  });

  it('ignores and counts files of another run', () => {
    const foreign =
      '<!-- run-uuid: other -->\n### Findings Index\n- P0 | P0-9 | "A" | three\nVerdict: risky\n';
    const files = {
      'alpha.md': index,
      'beta.md': foreign,
      'run.json': '{"run_id": "own"}',
      'findings.json': findings({ id: 'P0-9', severity: 'P0' }),
    };
    const { code, stdout } = ground(files, ['--json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      3,
      {
        status: 'violation',
        checked: 3,
        ungrounded: ['P0|P0-9'],
        severity_mismatch: [],
        wrong_agent: [],
        foreign_skipped: 1,
        strict: false,
      },
    ]);
    // A file without the line is foreign only when the environment alone says which run this is.
    expect(
      JSON.parse(
        ground({ 'alpha.md': index, 'findings.json': findings() }, ['--json'], {
          FLUX_RUN_UUID: 'own',
        }).stdout,
      ),
    ).toMatchObject({ foreign_skipped: 1, ungrounded: ['P0|P0-1', 'P1|P1-1'] });
  });

  it('reads a half-written file as far as it goes, and what a synthesis wrote not at all', () => {
    const files = {
      'alpha.md.partial': index,
      'synthesis.md': '### Findings Index\n- P0 | S-1 | "A" | x\n',
      'summary.md': '',
      'beta.reactions.md': '',
      'findings.json': findings({ id: 'S-1', severity: 'P2' }),
    };
    expect(JSON.parse(ground(files, ['--json']).stdout)).toMatchObject({
      status: 'warn',
      ungrounded: ['P2|S-1'],
    });
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['findings.json', { 'alpha.md': index }],
    ['JSON in it', { 'findings.json': '{"findings": [' }],
    ['a list in it', { 'findings.json': '{"findings": {}}' }],
    ['an object in it', { 'findings.json': '[]' }],
  ])('exits 2 without %s', (_what, files) =>
    expect(ground(files)).toMatchObject({ code: 2, stdout: '' }),
  );

  it('exits 2 on a wrong call or folder: 3 means a violation here', () => {
    for (const args of [[], ['nowhere'], ['.', '--nope'], ['.', '..']])
      expect(jury(root, ['ground', ...args]).code, args.join(' ')).toBe(2);
  });

  it('follows no link to a file elsewhere', () => {
    const folder = folderOf({ 'findings.json': findings() });
    writeFileSync(path.join(root, 'elsewhere.md'), index);
    symlinkSync(path.join(root, 'elsewhere.md'), path.join(folder, 'alpha.md'));
    expect(jury(root, ['ground', folder]).code).toBe(3);
  });
});
