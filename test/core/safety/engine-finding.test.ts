import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '../../../src/core/words/change.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import {
  findInChange,
  secretsAddedBy,
  type AddedSecret,
} from '../../../src/core/safety/engine-finding.ts';
import { renderPatch } from '../../../src/core/change/patch.ts';
import {
  sampleChange,
  sampleClaim,
  sampleFile,
  sampleFinding,
  sampleHunk,
  sampleLocation,
} from '../sample.ts';

const hunks: ChangedFile['hunks'] = [
  {
    oldStart: 3,
    oldLines: 2,
    newStart: 3,
    newLines: 2,
    heading: 'function KEY-0',
    lines: [' KEY-1', '-KEY-2', '+KEY-3'],
  },
  sampleHunk([20, 1], [20, 3], ['+a', '+b KEY-4', ' c', '\\ No newline at end of file']),
];

const changeOf = (...files: ChangedFile[]) =>
  sampleChange({ base: null, head: null, title: 'test', files });
const nobody = { secrets: [], claims: [], analysers: new Set<string>(), blocking: [] };

const claim = (changes: Partial<Claim> = {}) =>
  sampleClaim({
    location: sampleLocation({ line: 4 }),
    findings: [sampleFinding({ reviewer: 'fred', category: 'secrets' })],
    ...changes,
  });

describe('secrets in a patch', () => {
  it('count where a line is added, by its number on the new side', () => {
    const file = sampleFile({ hunks });
    const patch = renderPatch(file);
    const spans = [...patch.matchAll(/KEY-\d/g)].map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
      kind: 'aws',
      message: 'This looks like an AWS key.',
    }));
    expect(spans).toHaveLength(5);
    expect(secretsAddedBy(file, patch, spans).map(({ line, value }) => [line, value])).toEqual([
      [4, 'KEY-3'],
      [21, 'KEY-4'],
    ]);
  });

  it('count once, at the first added line they touch', () => {
    const file = sampleFile({ hunks });
    const patch = renderPatch(file);
    const start = patch.indexOf('KEY-1');
    expect(
      secretsAddedBy(file, patch, [
        { start, end: patch.length, kind: 'private-key', message: '' },
      ]).map(({ line }) => line),
    ).toEqual([4]);
  });
});

describe('findings of the engine', () => {
  const secret: AddedSecret = {
    path: 'src/a.ts',
    line: 4,
    kind: 'aws',
    message: 'This looks like an AWS key.',
    value: 'KEY-3',
  };
  const found = (...claims: Claim[]) =>
    findInChange({
      ...nobody,
      change: changeOf(sampleFile({ hunks })),
      secrets: [secret],
      analysers: new Set(['fred']),
      claims,
      blocking: claims.filter(({ state }) => state === 'new').map(({ id }) => id),
    }).length;

  it('name a secret unless an analyser blocks for it or a person settled it', () => {
    expect([found(), found(claim()), found(claim({ state: 'dismissed' }))]).toEqual([1, 0, 0]);
    const elsewhere = claim({ location: sampleLocation({ line: 5 }) });
    const saidByAnother = claim({
      state: 'dismissed',
      findings: [sampleFinding({ reviewer: 'alpha', category: 'secrets' })],
    });
    expect([found(elsewhere), found(saidByAnother)]).toEqual([1, 1]);
  });

  it('never repeat the value, nor print what hides', () => {
    const [one, two] = findInChange({
      ...nobody,
      change: changeOf(sampleFile({ path: 'src/\u202Ea.ts', status: 'added' })),
      secrets: [secret],
    });
    expect([one?.line, one?.text]).toEqual([
      null,
      'src/⟦U+202E⟧a.ts has a name that holds characters that hide what it says: U+202E.',
    ]);
    expect(two?.text).toBe('src/a.ts:4 adds a secret: this looks like an AWS key.');
  });

  it('of a flood name the first, and count the rest', () => {
    const lines = Array.from({ length: 500 }, () => '+\u202E');
    const list = findInChange({
      ...nobody,
      change: changeOf(
        sampleFile({
          hunks: [sampleHunk([0, 0], [1, 500], lines)],
        }),
      ),
    });
    expect([list.length, list.at(-1)?.text]).toEqual([51, 'src/a.ts:51 is the first of 450 more.']);
  });
});
