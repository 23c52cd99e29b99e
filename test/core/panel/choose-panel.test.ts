import { describe, expect, it } from 'vitest';
import { Config } from '../../../src/core/words/config.ts';
import { builtinPanel, choosePanel, defaultQuorum } from '../../../src/core/panel/choose-panel.ts';

const config = Config.parse({
  reviewers: [
    { id: 'Alpha', runner: 'command', command: ['a'] },
    { id: 'claude', runner: 'claude', model: 'own' },
  ],
});
const ids = (...args: Parameters<typeof choosePanel>): string[] =>
  choosePanel(...args).map(({ id }) => id);

describe('the panel', () => {
  it('is the embedded one when nobody configured another', () => {
    expect(choosePanel(Config.parse({}), null, [])).toEqual(builtinPanel);
  });

  it('is the configured one in its order', () => {
    expect(ids(config, null, [])).toEqual(['Alpha', 'claude']);
  });

  it('is what is named, once each, whatever the letter case, built-in analysers and clients included', () => {
    expect(ids(config, ['secrets', 'alpha', 'ALPHA', 'gemini'], [])).toEqual([
      'secrets',
      'Alpha',
      'gemini',
    ]);
  });

  it('prefers the configured reviewer to the nameable one of the same name', () => {
    expect(choosePanel(config, ['Claude'], [])[0]).toMatchObject({ model: 'own' });
  });

  it('marks those that must complete', () => {
    expect(choosePanel(config, null, ['alpha']).map(({ required }) => required)).toEqual([
      true,
      false,
    ]);
  });

  it('refuses a name nobody knows, and a required one that does not sit on it', () => {
    expect(() => choosePanel(config, ['clade'], [])).toThrow('Unknown reviewer "clade"');
    expect(() => choosePanel(config, ['alpha'], ['claude'])).toThrow('Unknown reviewer "claude"');
  });

  it('needs more than half by default', () => {
    expect([1, 2, 3, 4, 5].map(defaultQuorum)).toEqual([1, 2, 2, 3, 3]);
  });
});
