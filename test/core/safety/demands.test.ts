/** What a configuration wants beside the built-in analysers. */
import { expect, it } from 'vitest';
import { demandsOf, demandsOfRun, describeDemands } from '../../../src/core/safety/demands.ts';
import { Config, ReviewerConfig, type ConfigInput } from '../../../src/core/words/config.ts';

const reviewer = { id: 'any', persona: 'security-reviewer' };

it.each<[string, ConfigInput, readonly string[]]>([
  ['the defaults', {}, []],
  ['guidelines', { guidelines: ['Errors are wrapped.'] }, ['tell its guidelines']],
  ['an analyser', { reviewers: [{ ...reviewer, runner: 'builtin', analyser: 'diff' }] }, []],
  [
    'an analyser with a variable and an address',
    {
      reviewers: [
        { ...reviewer, runner: 'builtin', environment: ['A'], baseUrl: 'http://h', apiKeyEnv: 'B' },
      ],
    },
    ['reach http://h', 'read the variable B', 'read the variable A'],
  ],
  [
    'a program',
    { reviewers: [{ ...reviewer, runner: 'command', command: ['sh', '-c', 'x'] }] },
    ['start sh -c x'],
  ],
  ['a client', { reviewers: [{ ...reviewer, runner: 'claude' }] }, ['start claude']],
  [
    'a client elsewhere',
    { reviewers: [{ ...reviewer, runner: 'codex', executable: '/x/codex' }] },
    ['start /x/codex'],
  ],
  [
    'a client by its name',
    { processes: { document: { reviewers: ['Claude'] } } },
    ['start claude'],
  ],
  ['a client in a stage', { processes: { document: { stages: [['gemini']] } } }, ['start gemini']],
  ['a client in a mode', { modes: { general: { reviewers: ['codex'] } } }, ['start codex']],
  [
    'a model',
    { reviewers: [{ ...reviewer, runner: 'api', model: 'anthropic/x' }] },
    ['reach the API of anthropic', 'read the key of anthropic'],
  ],
  [
    'the usual key for another address',
    { reviewers: [{ ...reviewer, runner: 'api', model: 'openai/x', baseUrl: 'http://h' }] },
    ['reach http://h', 'read the key of openai'],
  ],
  [
    'a local model',
    {
      reviewers: [
        { ...reviewer, runner: 'api', model: 'openai-compatible/x', baseUrl: 'http://h' },
      ],
    },
    ['reach http://h'],
  ],
  [
    'recorded answers',
    { reviewers: [{ ...reviewer, runner: 'replay', answers: './a' }] },
    ['read recorded answers ./a'],
  ],
  [
    'the models of a strategy',
    {
      embedding: { baseUrl: 'http://e', model: 'm', apiKeyEnv: 'E' },
      judge: { model: 'anthropic/j' },
    },
    [
      'reach http://e',
      'read the variable E',
      'reach the API of anthropic',
      'read the key of anthropic',
    ],
  ],
  [
    'a vote',
    {
      motions: {
        reviewer: { runner: 'command', command: ['vote'] },
        endpoints: [{ baseUrl: 'http://v', apiKeyEnv: 'V' }],
      },
    },
    ['start vote', 'reach http://v', 'read the variable V'],
  ],
  [
    'a vote with a model for each risk',
    {
      motions: {
        reviewer: { runner: 'api', model: 'openai-compatible/m', baseUrl: 'http://v' },
        models: { medium: 'local', high: 'anthropic/x' },
      },
    },
    ['reach http://v', 'reach http://v', 'read the key of anthropic'],
  ],
  [
    'a vote whose model for a risk is told to a program',
    {
      motions: {
        reviewer: { runner: 'command', command: ['vote'] },
        models: { high: 'anthropic/x' },
      },
    },
    ['start vote'],
  ],
])('of %s', (_what, config, wanted) => {
  expect(demandsOf(Config.parse(config)).map(({ kind, what }) => `${kind} ${what}`)).toEqual(
    wanted,
  );
});

it('is of a run what its panel and its strategy use', () => {
  const config = Config.parse({
    strategy: 'overlap',
    judge: { model: 'anthropic/j' },
    reviewers: [
      { ...reviewer, id: 'one', runner: 'command', command: ['one'] },
      { ...reviewer, id: 'two', runner: 'command', command: ['two'] },
    ],
  });
  const named = ReviewerConfig.parse({ id: 'claude', runner: 'claude' });
  const panel = [...(config.reviewers ?? []).slice(0, 1), named];
  expect(describeDemands(demandsOfRun(panel, config))).toBe('start one (reviewer one)');
  expect(describeDemands(demandsOfRun([], { ...config, strategy: 'llm' }))).toBe(
    'reach the API of anthropic (the judge) and read the key of anthropic (the judge)',
  );
});

it('is of a run that its guidelines are told, where anybody but analysers is asked, whoever seated them', () => {
  const config = Config.parse({ guidelines: ['Errors are wrapped.'] });
  const named = ReviewerConfig.parse({ id: 'claude', runner: 'claude' });
  const analyser = ReviewerConfig.parse({ id: 'diff', runner: 'builtin', analyser: 'diff' });
  expect(describeDemands(demandsOfRun([analyser, named], config))).toBe(
    'tell its guidelines (whoever is asked)',
  );
  expect(demandsOfRun([analyser], config)).toEqual([]);
  expect(demandsOfRun([named], Config.parse({}))).toEqual([]);
});
