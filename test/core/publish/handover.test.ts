import { expect, test } from 'vitest';
import { sha256 } from '../../../src/core/hash.ts';
import { openHandover } from '../../../src/core/github/parcel.ts';
import { renderJson } from '../../../src/render/figures.ts';
import { renderSarif } from '../../../src/render/formats/sarif.ts';
import { handoverFiles } from '../../github/parcel.ts';
import { sampleRun } from '../../render/sample-run.ts';

const head = 'a'.repeat(40);
const expected = { repository: 'owner/name', pull: 7, head };
const facts = { ...expected, number: 7, base: 'b'.repeat(40), branch: 'main' };

function make() {
  const run = sampleRun();
  const record = { ...run.record, subject: { ...run.record.subject, head } };
  return new Map(
    handoverFiles(facts, renderJson({ ...run, record }), renderSarif({ ...run, record })),
  );
}

function open(
  files: ReadonlyMap<string, Uint8Array>,
  names: readonly string[] = [...files.keys()],
) {
  return openHandover({ names, files }, expected);
}

/** With a file said anew, and the hash of the handover following it where the forger is careful. */
function forge(name: string, change: (text: string) => string, careful = true) {
  const files = make();
  const before = Buffer.from(files.get(name) ?? '').toString();
  const after = change(before);
  files.set(name, Buffer.from(after));
  const handover = Buffer.from(files.get('handover.json') ?? '').toString();
  if (careful && name !== 'handover.json')
    files.set(
      'handover.json',
      Buffer.from(
        handover
          .replace(sha256(before), sha256(after))
          .replace(`"bytes": ${Buffer.byteLength(before)}`, `"bytes": ${Buffer.byteLength(after)}`),
      ),
    );
  return () => open(files);
}

test('a handover that was made is one that is taken, and handover.json is written last', () => {
  const files = make();
  expect([...files.keys()]).toEqual(['report.json', 'report.sarif', 'handover.json']);
  expect(open(files)).toMatchObject({
    parcel: { pull: 7, head },
    sarif: expect.any(String) as string,
  });
  expect(open(files).record.claims.length).toBeGreaterThan(0);
});

test.each([
  ['it is of owner/name, not of owner/other', { repository: 'owner/other' }],
  ['it is of pull request 7, not of 8', { pull: 8 }],
  [`it is of commit ${head}, not of`, { head: 'c'.repeat(40) }],
])('what is expected decides: %s', (sentence, other) => {
  const files = make();
  const found = { names: [...files.keys()], files };
  expect(() => openHandover(found, { ...expected, ...other })).toThrow(sentence);
  openHandover(found, { ...expected, repository: 'Owner/NAME' });
});

test('a file that was changed, left out or added is refused', () => {
  expect(forge('report.json', text => text.replace('FAIL', 'PASS'), false)).toThrow('not the file');
  expect(forge('report.sarif', text => `${text} `, false)).toThrow('not the file');
  for (const name of ['handover.json', 'report.json', 'report.sarif'] as const) {
    const files = make();
    files.delete(name);
    expect(() => open(files)).toThrow(`${name} is missing`);
  }
  expect(() => open(make(), ['handover.json', 'run.sh'])).toThrow('no part of one');
  for (const name of ['report.json', 'report.sarif']) {
    const without = forge('handover.json', text => {
      const parcel = JSON.parse(text) as { files: { name: string }[] };
      return JSON.stringify({ ...parcel, files: parcel.files.filter(file => file.name !== name) });
    });
    expect(without).toThrow(`${name} is not named`);
  }
});

test('an outcome that its reasons do not come to is refused, whatever the hashes say', () => {
  for (const [from, to] of [
    ['"outcome": "FAIL"', '"outcome": "PASS"'],
    ['"exitCode": 1', '"exitCode": 0'],
  ] as const)
    expect(forge('report.json', text => text.replace(from, to))).toThrow('reasons come to');
});

test('a report of another commit or another version is refused', () => {
  expect(forge('report.json', text => text.replace(head, 'd'.repeat(40)))).toThrow(
    'another commit',
  );
  expect(forge('report.json', text => text.replace('jury.run/1', 'jury.run/2'))).toThrow(
    'this version',
  );
  expect(forge('report.json', text => text.slice(0, text.length / 2))).toThrow('this version');
});

test.each([
  '',
  '{',
  '[]',
  'null',
  '{"schema":7}',
  '{"schema":"jury.handover/1"}',
  '{"schema":"jury.handover/1","pull":"7; rm"}',
])('no handover at all: %s', text =>
  expect(forge('handover.json', () => text)).toThrow('not what this version of Jury writes'),
);

test('no word of the folder that passed no pattern is quoted', () => {
  for (const word of ['::error::x/../y', 'owner/..'])
    expect(forge('handover.json', text => text.replace('owner/name', word))).toThrow(
      /^The handover is refused: handover\.json is not what this version of Jury writes\.$/,
    );
  expect(forge('handover.json', text => text.replace('jury.handover/1', 'jury.pack/1'))).toThrow(
    'not what this version',
  );
});
