import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPanel, type PanelStatement } from '../../src/agreement/panel-statements.ts';
import {
  createShortJudge,
  kindredPairs,
  shortnessOf,
  smallPanel,
} from '../../src/agreement/short-wordings.ts';
import { findingOf } from './sample.ts';

const line = { path: 'src/a.ts', line: 10 };

function placed(...texts: readonly string[]): readonly PanelStatement[] {
  const { statements } = readPanel(
    texts.map((text, index) => findingOf(`reviewer ${index}`, text, line)),
  );
  return texts.map(
    text => statements.find(({ finding }) => finding.text === text) as PanelStatement,
  );
}

function judge(one: string, other: string, wording: number, ...rest: readonly string[]): number {
  const statements = placed(one, other, ...rest);
  return createShortJudge(statements)(
    statements[0] as PanelStatement,
    statements[1] as PanelStatement,
    wording,
  );
}

const longOnes = [
  'The retry helper sleeps between attempts while it still holds the connection, so every other request of the pool has to wait until upstream answers',
  'Under load all workers hang, because a mutex is kept locked across slow network calls and nobody gives it back before the peer of that socket replies',
] as const;
const words = fc
  .array(
    fc.constantFrom(
      ...'race lock swallowed error null timeout retry stale cache upload slow query loop'.split(
        ' ',
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map(list => list.join(' '));

describe('short remarks', () => {
  it('of one weakness are more likely one than their words say, never less', () => {
    expect(judge('SSRF in the proxy', 'Requests reach internal addresses', -7)).toBeGreaterThan(0);
    fc.assert(
      fc.property(words, words, fc.double({ min: -9, max: 9, noNaN: true }), (one, other, odds) => {
        fc.pre(one !== other);
        expect(judge(one, other, odds)).toBeGreaterThanOrEqual(odds);
        expect(judge(other, one, odds)).toBeCloseTo(judge(one, other, odds), 10);
      }),
    );
  });

  it('are not made more likely by a word that says nothing', () => {
    fc.assert(
      fc.property(words, words, (one, other) => {
        fc.pre(one !== other);
        expect(judge(`${one} zyzzyva`, other, -5)).toBeLessThanOrEqual(
          judge(one, other, -5) + 1e-9,
        );
      }),
    );
  });

  it('of one weakness tell less the more of the panel speak of it', () => {
    const others = [
      'Race in the queue',
      'Racy counter',
      'Unsynchronized map',
      'Data race in tests',
    ];
    expect(judge('Lost update of the total', 'Two threads race here', -7, ...others)).toBeLessThan(
      judge('Lost update of the total', 'Two threads race here', -7),
    );
  });

  it('of one weakness at two places are two', () => {
    const statements = readPanel([
      findingOf('alpha', 'SSRF in the proxy', { path: 'src/a.ts', line: 1 }),
      findingOf('beta', 'Requests reach internal addresses', { path: 'src/a.ts', line: 90 }),
    ]).statements;
    expect(kindredPairs(statements)).toEqual([]);
    const [one, other] = statements as readonly [PanelStatement, PanelStatement];
    expect(createShortJudge(statements)(one, other, -7)).toBeLessThan(-1);
  });

  it('are worth comparing without a word in common, in a small panel', () => {
    const pair = placed('SSRF in the proxy', 'Requests reach internal addresses');
    expect(kindredPairs(pair)).toEqual([[0, 1]]);
    const crowd = Array.from(
      { length: smallPanel },
      (_, index) => `Remark number ${index} of many`,
    );
    const [one, other] = placed('SSRF in the proxy', 'Requests reach internal addresses', ...crowd);
    expect(shortnessOf(one as PanelStatement, other as PanelStatement)).toBe(0);
  });
});

describe('long remarks', () => {
  it('are judged by their words alone, to the last bit', () => {
    fc.assert(
      fc.property(words, fc.double({ noNaN: true }), (ending, odds) => {
        expect(judge(`${longOnes[0]} ${ending}`, longOnes[1], odds)).toBe(odds);
      }),
    );
  });
});
