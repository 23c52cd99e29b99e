import { describe, expect, it } from 'vitest';
import { openEgress, recipientOf, type Recipient } from '../../../src/core/context/egress.ts';
import { Config, ReviewerConfig } from '../../../src/core/words/config.ts';
import type { EgressRule } from '../../../src/core/words/guideline.ts';
import { firstProblem } from '../../../src/core/schema-problem.ts';
import type { Subject } from '../../../src/core/words/change.ts';

const remote: Recipient = { provider: 'anthropic', host: 'api.anthropic.com', isLocal: false };
const somewhere: Recipient = {
  provider: 'models.example.org:8443',
  host: 'models.example.org:8443',
  isLocal: false,
};
const nobodyKnows: Recipient = { provider: null, host: null, isLocal: false };
const recipients = {
  local: { provider: null, host: null, isLocal: true },
  remote,
  somewhere,
  nobodyKnows,
};

/** Ids of those who may read it. */
function readers(rules: readonly EgressRule[], path: string, oldPath: string | null = null) {
  const { mayRead } = openEgress({ rules, recipients });
  return Object.keys(recipients).filter(id => mayRead(id, { path, oldPath }));
}

const everybody = Object.keys(recipients);

const to = (name: string) => [{ files: ['src/**'], to: [name] }];

describe('the rules of egress', () => {
  it('let everybody read what no rule names', () => {
    expect(readers([{ files: ['secrets/**'], to: 'never' }], 'src/a.ts')).toEqual(everybody);
  });

  it('never: nobody at all, not even on this machine', () => {
    expect(readers([{ files: ['secrets/**'], to: 'never' }], 'secrets/deep/a.txt')).toEqual([]);
  });

  it('local: only those from which nothing leaves', () => {
    expect(readers([{ files: ['internal/**'], to: 'local' }], 'internal/a.ts')).toEqual(['local']);
  });

  it('a list: those it names by provider or host, with or without the port, and local ones', () => {
    expect(readers(to('anthropic'), 'src/a.ts')).toEqual(['local', 'remote']);
    expect(readers(to('models.example.org'), 'src/a.ts')).toEqual(['local', 'somewhere']);
    expect(readers(to('models.example.org:8443'), 'src/a.ts')).toEqual(['local', 'somewhere']);
    expect(readers(to('openai'), 'src/a.ts')).toEqual(['local']);
  });

  it('the first rule that names a file counts', () => {
    const open: EgressRule = { files: ['src/**'], to: ['anthropic'] };
    const closed: EgressRule = { files: ['src/keys/**'], to: 'never' };
    expect(readers([closed, open], 'src/keys/a.ts')).toEqual([]);
    expect(readers([open, closed], 'src/keys/a.ts')).toEqual(['local', 'remote']);
  });

  it('both names of a file that was moved count', () => {
    const rules: EgressRule[] = [{ files: ['secrets/**'], to: 'never' }];
    expect(readers(rules, 'src/a.txt', 'secrets/a.txt')).toEqual([]);
    expect(readers(rules, 'secrets/a.txt', 'src/a.txt')).toEqual([]);
  });

  it.each([
    ['*.pem', 'deploy/deep/key.pem', true],
    ['*.pem', 'key.pem', true],
    ['.env*', 'services/api/.env.local', true],
    ['secrets', 'secrets/a/b.txt', true],
    ['secrets', 'services/secrets/b.txt', true],
    ['internal/keys', 'internal/keys/a', true],
    ['internal/keys', 'internal/keystore', false],
    ['secrets/**', 'services/secrets/b.txt', false],
    ['**/secrets/**', 'services/secrets/b.txt', true],
  ])('%s names %s: %s', (pattern, path, isNamed) => {
    expect(readers([{ files: [pattern], to: 'never' }], path)).toEqual(isNamed ? [] : everybody);
  });

  it('an unknown reviewer gets what nobody restricts, and no more', () => {
    const { mayRead } = openEgress({ rules: [{ files: ['a'], to: ['anthropic'] }], recipients });
    expect(mayRead('stranger', { path: 'a' })).toBe(false);
    expect(mayRead('stranger', { path: 'b' })).toBe(true);
  });
});

describe('what others found', () => {
  const rules: EgressRule[] = [{ files: ['internal/**'], to: 'local' }];
  const subject = {
    kind: 'change',
    files: [
      { path: 'src/a.ts', oldPath: null },
      { path: 'internal/b.ts', oldPath: null },
    ],
  } as unknown as Subject;
  const { mayHear } = openEgress({ rules, recipients });
  const hears = (
    listener: string,
    reviewer: string,
    path: string | null,
    analysers: string[] = [],
  ) =>
    mayHear(
      listener,
      {
        reviewer,
        location:
          path === null
            ? null
            : ({
                path,
                line: 1,
                endLine: null,
                side: 'new',
                anchoring: 'exact',
                shift: 0,
                candidates: [],
              } as never),
      },
      { subject, analysers: new Set(analysers) },
    );

  it('is not told by somebody who was shown more, whatever place it names', () => {
    expect(hears('remote', 'local', 'src/a.ts')).toBe(false);
    expect(hears('remote', 'local', null)).toBe(false);
    expect(hears('local', 'remote', 'src/a.ts')).toBe(true);
  });

  it('is told by those who were shown no more', () => {
    expect(hears('remote', 'somewhere', 'src/a.ts')).toBe(true);
  });

  it('is not told when it is about a file that is withheld, since code stands beside it', () => {
    expect(hears('remote', 'somewhere', 'internal/b.ts')).toBe(false);
  });

  it('of an analyser is about one file', () => {
    expect(hears('remote', 'local', 'src/a.ts', ['local'])).toBe(true);
    expect(hears('remote', 'local', 'internal/b.ts', ['local'])).toBe(false);
    expect(hears('remote', 'local', null, ['local'])).toBe(false);
  });
});

const recipient = (seat: object, network = true) =>
  recipientOf(ReviewerConfig.parse({ id: 'a', ...seat }), { network });

describe('who gets what a reviewer is shown', () => {
  it.each([
    [{ runner: 'builtin', analyser: 'secrets' }, null, true],
    [{ runner: 'replay', answers: './a' }, null, true],
    [{ runner: 'api', model: 'anthropic/m' }, 'anthropic', false],
    [{ runner: 'api', model: 'openai/m' }, 'openai', false],
    [
      { runner: 'api', model: 'openai-compatible/m', baseUrl: 'http://127.0.0.1:8080/v1' },
      '127.0.0.1:8080',
      true,
    ],
    [
      { runner: 'api', model: 'openai-compatible/m', baseUrl: 'http://localhost/v1' },
      'localhost',
      true,
    ],
    [
      { runner: 'api', model: 'openai-compatible/m', baseUrl: 'http://[::1]:1/v1' },
      '[::1]:1',
      true,
    ],
    [
      { runner: 'api', model: 'openai-compatible/m', baseUrl: 'http://127.0.0.1.example.org/v1' },
      '127.0.0.1.example.org',
      false,
    ],
    [
      { runner: 'api', model: 'anthropic/m', baseUrl: 'https://gateway.example.org/v1' },
      'gateway.example.org',
      false,
    ],
    [
      { runner: 'api', model: 'anthropic/m', baseUrl: 'https://api.anthropic.com/v1' },
      'anthropic',
      false,
    ],
    // A gateway on this machine that hands on what it gets.
    [
      {
        runner: 'api',
        model: 'openai-compatible/m',
        baseUrl: 'http://127.0.0.1:1/v1',
        provider: 'openai',
      },
      'openai',
      false,
    ],
    [{ runner: 'claude' }, 'anthropic', false],
    [{ runner: 'codex' }, 'openai', false],
    [{ runner: 'gemini' }, 'google', false],
    [{ runner: 'opencode', model: 'gpt-5.5' }, 'openai', false],
    [{ runner: 'opencode', model: 'openrouter/x' }, 'openai', false],
    [{ runner: 'opencode' }, 'openai', false],
    [{ runner: 'claude', baseUrl: 'http://127.0.0.1:1' }, '127.0.0.1:1', false],
    [{ runner: 'command', command: ['x'] }, null, false],
    [{ runner: 'command', command: ['x'], provider: 'ollama' }, 'ollama', false],
  ])('%j: %s, local: %s', (seat, provider, isLocal) => {
    expect(recipient(seat)).toMatchObject({ provider, isLocal });
  });

  it('a coding agent that can reach its endpoint on this machine alone is local', () => {
    const seat = { runner: 'codex', baseUrl: 'http://127.0.0.1:8080/v1' };
    expect(recipient(seat, false).isLocal).toBe(true);
    expect(recipient({ ...seat, provider: 'openai' }, false).isLocal).toBe(false);
  });

  it('a program without the network is local', () => {
    expect(recipient({ runner: 'command', command: ['x'] }, false).isLocal).toBe(true);
  });
});

const problemOf = (egress: unknown) => {
  const checked = Config.safeParse({ egress }, { reportInput: true });
  if (checked.success) throw new Error('It was accepted.');
  const { path, sentence, suggestions } = firstProblem(Config, checked.error);
  return { path: path.join('.'), sentence, suggestions };
};

describe('the key egress of a configuration', () => {
  it('takes words and lists', () => {
    const egress = [
      { files: ['secrets/**', '*.pem'], to: 'never' },
      { files: ['internal/**'], to: 'local' },
      { files: ['src/**'], to: ['anthropic', 'ollama', 'models.example.org:8443', '[::1]:80'] },
    ];
    expect(Config.parse({ egress }).egress).toEqual(egress);
  });

  it('names the nearest word and the nearest key', () => {
    expect(problemOf([{ files: ['a'], to: 'nevr' }])).toEqual({
      path: 'egress.0.to',
      sentence: 'Must be never, local or a list.',
      suggestions: ['never'],
    });
    expect(problemOf([{ file: ['a'], to: 'never' }])).toMatchObject({ suggestions: ['files'] });
  });

  it.each(['!src/**', '/secrets/**', './secrets', '../x', 'secrets/', String.raw`secrets\a`])(
    'refuses %s, which could never name a file',
    pattern => {
      expect(problemOf([{ files: [pattern], to: 'never' }])).toMatchObject({
        path: 'egress.0.files.0',
      });
    },
  );

  it.each(['never', 'local', 'Anthropic', ''])('refuses %s in a list', name => {
    expect(problemOf([{ files: ['a'], to: [name] }]).path).toMatch(/^egress\.0\.to/);
  });
});
