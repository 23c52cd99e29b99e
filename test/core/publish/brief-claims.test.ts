import { expect, test } from 'vitest';
import {
  BriefClaims,
  joinBrief,
  packClaims,
  type PostedClaim,
  unpackClaims,
} from '../../../src/core/publish/brief-claims.ts';
import { sampleKnownClaim } from '../sample.ts';

const whole: PostedClaim = {
  ...sampleKnownClaim({
    id: 'c-0123456789',
    text: 'The pool is never closed',
    path: 'src/pool.ts',
    line: 12,
    code: '1f1f1f1f >9a9a9a9a ~77777777',
    supporters: [{ reviewer: 'alpha', family: 'one', run: 'r1' }],
    history: [
      { run: 'r1', at: '2026-11-25T12:00:00Z', state: 'new', confidence: null },
      { run: 'r2', at: '2026-11-26T12:00:00Z', state: 'dismissed', confidence: null },
    ],
  }),
  heard: '2026-11-25T13:00:00Z',
};

test('what it takes to know a claim again is kept, and its thread tells the rest', () => {
  const [brief] = unpackClaims(packClaims([whole]));
  expect(brief).toEqual({
    ...whole,
    isBrief: true,
    category: null,
    files: ['src/pool.ts'],
    wordings: [],
    supporters: [{ reviewer: 'alpha', family: null, run: '' }],
  });
  expect(brief && joinBrief(brief, whole)).toEqual({
    ...whole,
    supporters: [{ reviewer: 'alpha', family: null, run: '' }],
  });
});

test('a claim without a place, without code and without replies comes back so', () => {
  const { heard: _heard, ...rest } = whole;
  const bare: PostedClaim = { ...rest, path: null, line: null, code: null, side: 'old' };
  const [brief] = unpackClaims(packClaims([bare]));
  expect(brief).toMatchObject({ path: null, line: null, code: null, side: 'old', files: [] });
  expect(brief).not.toHaveProperty('heard');
});

test('names are kept once, and long words are cut', () => {
  const many = Array.from({ length: 100 }, (_, index) => ({
    ...whole,
    id: `c-${String(index).padStart(10, '0')}`,
    text: `${index} ${'word '.repeat(100)}`,
  }));
  const packed = packClaims(many);
  expect(packed.names).toHaveLength(new Set(packed.names).size);
  expect(JSON.stringify(packed).length).toBeLessThan(20_000);
  expect(unpackClaims(packed).map(({ id }) => id)).toEqual(many.map(({ id }) => id));
});

test('what is no claim is left out', () => {
  const [claim] = packClaims([whole]).claims;
  const wrong = BriefClaims.parse({ names: ['', 'x'], claims: [claim] });
  expect(unpackClaims(wrong)).toEqual([]);
});
