import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  checkHandover,
  handoverLimits,
  makeHandover,
  type HandoverFileName,
} from '../../../src/core/publish/handover.ts';
import { renderJson } from '../../../src/render/json.ts';
import { renderSarif } from '../../../src/render/formats/sarif.ts';
import { sampleRun } from '../../render/sample-run.ts';

const head = 'a'.repeat(40);
const expected = { repository: 'owner/name', pull: 7, head };
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

function make(): Map<HandoverFileName, string> {
  const run = sampleRun();
  const record = { ...run.record, subject: { ...run.record.subject, head } };
  const files = makeHandover({
    ...expected,
    base: 'b'.repeat(40),
    branch: 'main',
    isFork: false,
    created: '2026-11-25T21:00:00.000Z',
    report: renderJson({ ...run, record }),
    sarif: renderSarif({ ...run, record }),
    record,
    hash,
  });
  return new Map(files);
}

function check(
  files: ReadonlyMap<HandoverFileName, string>,
  names = [...files.keys()] as string[],
) {
  return checkHandover({ names, texts: files }, expected, hash);
}

/** With a file said anew, and the hash of the handover following it where the forger is careful. */
function forge(name: HandoverFileName, change: (text: string) => string, careful = true) {
  const files = make();
  const before = files.get(name) ?? '';
  const after = change(before);
  files.set(name, after);
  if (careful && name !== 'handover.json')
    files.set(
      'handover.json',
      (files.get('handover.json') ?? '')
        .replace(hash(before), hash(after))
        .replace(`"bytes": ${Buffer.byteLength(before)}`, `"bytes": ${Buffer.byteLength(after)}`),
    );
  return check(files);
}

test('a handover that was made is one that is taken, and handover.json is written last', () => {
  const files = make();
  expect([...files.keys()]).toEqual(['report.json', 'report.sarif', 'handover.json']);
  const checked = check(files);
  expect(checked).toMatchObject({ status: 'checked', handover: expected });
  if (checked.status === 'checked') expect(checked.record.claims.length).toBeGreaterThan(0);
});

test.each([
  ['other-repository', { repository: 'owner/other' }],
  ['other-pull', { pull: 8 }],
  ['moved', { head: 'c'.repeat(40) }],
])('what is expected decides: %s', (code, other) => {
  const files = make();
  const folder = { names: [...files.keys()], texts: files };
  expect(checkHandover(folder, { ...expected, ...other }, hash)).toMatchObject({ code });
  expect(checkHandover(folder, { ...expected, repository: 'Owner/NAME' }, hash).status).toBe(
    'checked',
  );
});

test('a file that was changed, left out or added is refused', () => {
  expect(forge('report.json', text => text.replace('FAIL', 'PASS'), false)).toMatchObject({
    code: 'damaged',
  });
  expect(forge('report.sarif', text => `${text} `, false)).toMatchObject({ code: 'damaged' });
  for (const name of ['handover.json', 'report.json', 'report.sarif'] as const) {
    const files = make();
    files.delete(name);
    expect(check(files)).toMatchObject({ code: 'missing' });
  }
  expect(check(make(), ['handover.json', 'run.sh'])).toMatchObject({ code: 'unknown-file' });
  const files = make();
  const handover = JSON.parse(files.get('handover.json') ?? '') as { files: object[] };
  handover.files.pop();
  files.set('handover.json', JSON.stringify(handover));
  expect(check(files)).toMatchObject({ code: 'unknown-file' });
});

test('an outcome that its reasons do not come to is refused, whatever the hashes say', () => {
  expect(
    forge('report.json', text => text.replace('"outcome": "FAIL"', '"outcome": "PASS"')),
  ).toMatchObject({
    code: 'damaged',
  });
  expect(
    forge('report.json', text => text.replace('"exitCode": 1', '"exitCode": 0')),
  ).toMatchObject({
    code: 'damaged',
  });
});

test('a report of another run, another commit or another version is refused', () => {
  expect(
    forge('report.json', text => text.replace(/"run": "[^"]+"/, '"run": "other"')),
  ).toMatchObject({
    code: 'other-run',
  });
  expect(forge('report.json', text => text.replace(head, 'd'.repeat(40)))).toMatchObject({
    code: 'other-run',
  });
  expect(forge('report.json', text => text.replace('jury.run/1', 'jury.run/2'))).toMatchObject({
    code: 'version',
  });
  expect(
    forge('handover.json', text => text.replace('jury.handover/1', 'jury.handover/2')),
  ).toMatchObject({
    code: 'version',
  });
});

test.each([
  '',
  '{',
  '[]',
  'null',
  '{"schema":7}',
  '{"schema":"jury.handover/1"}',
  '{"schema":"jury.handover/1","pull":"7; rm"}',
])('no handover at all: %s', text => {
  expect(forge('handover.json', () => text)).toMatchObject({ code: 'unreadable' });
});

test('no word of the folder that passed no pattern is quoted', () => {
  const refused = forge('handover.json', text => text.replace('owner/name', '::error::x/../y'));
  expect(refused).toMatchObject({ code: 'unreadable', sentence: 'handover.json is no handover.' });
});

test('half a report, one of thousands of claims and a handover beyond the limit', () => {
  expect(forge('report.json', text => text.slice(0, text.length / 2))).toMatchObject({
    code: 'unreadable',
  });
  expect(
    forge('handover.json', () => ' '.repeat(handoverLimits['handover.json'] + 1)),
  ).toMatchObject({
    code: 'too-large',
  });
});
