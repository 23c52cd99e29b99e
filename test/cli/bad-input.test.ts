import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFolder, createSampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury } from './jury.ts';

/** One clear sentence on standard error (a second one may say what to do), nothing on standard output, nothing left behind. */
function expectRefusal(folder: string, args: readonly string[], code: number, sentence: RegExp) {
  const before = readdirSync(folder);
  const ended = jury(folder, args);
  expect([ended.code, ended.stdout], ended.stderr).toEqual([code, '']);
  expect(ended.stderr).toMatch(sentence);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  expect(ended.stderr).not.toMatch(/\n {4}at /);
  expect(readdirSync(folder)).toEqual(before);
}

describe('bad input gets one clear sentence and the right exit code', () => {
  it.each([
    ['an unknown command', ['reveiw'], 3, /There is no command "reveiw"\. Did you mean "review"\?/],
    ['an unknown option of the program', ['--verison'], 3, /Unknown option "--verison"\./],
    ['an unknown flag', ['review', '--stagd'], 3, /--stagd.*Did you mean --staged\?/],
    [
      'an unknown reviewer',
      ['review', '--reviewers', 'secret'],
      3,
      /Unknown reviewer "secret".*Did you mean "secrets"\?/,
    ],
    ['an unknown revision', ['review', 'HEAD..nowhere'], 2, /nowhere/],
    ['a misspelt branch', ['review', 'mian'], 2, /Did you mean "main"\?/],
    ['a revision that starts with a dash', ['review', '--base', '-x', '--head', 'HEAD'], 3, /-x/],
    ['base equals head', ['review', 'HEAD..HEAD'], 2, /Nothing to review/],
    ['nothing staged', ['review', '--staged'], 2, /Nothing to review/],
    ['nothing changed', ['review', '--worktree'], 2, /Nothing to review/],
    ['two subjects', ['review', 'HEAD', '--staged'], 3, /"HEAD" and --staged name two subjects/],
    ['half a range', ['review', '--head', 'HEAD'], 3, /--head goes with --base/],
    [
      'a missing patch',
      ['review', '--patch', 'no.patch'],
      2,
      /no\.patch cannot be read: there is no such file/,
    ],
    [
      'a missing plan',
      ['review', '--plan', 'no.md'],
      2,
      /no\.md cannot be read: there is no such file/,
    ],
    ['files that are not there', ['review', '--files', 'nowhere.ts'], 2, /nowhere\.ts/],
    ['a missing configuration', ['review', '--config', 'no.yaml'], 3, /no\.yaml cannot be read/],
    ['a bad fail rule', ['review', '--fail-on', 'sometimes'], 3, /--fail-on: Must be never/],
    [
      'a ceiling of nothing',
      ['review', '--max-calls', '0'],
      3,
      /--max-calls: Must be more than 0\./,
    ],
    [
      'a limit that no timer reaches',
      ['review', '--timeout', '2592000'],
      3,
      /--timeout: Must be at/,
    ],
    ['nothing to leave out', ['review', '--exclude', ''], 3, /--exclude.*must not be empty/],
    ['a run that does not exist', ['show', '20200101T000000Z-abcdef'], 2, /no run.*jury review/],
    ['a word that is no run', ['resume', 'yesterday'], 2, /no run.*jury review/],
    ['an empty question', ['ask', ' '], 3, /the question is empty/],
    ['bad severities', ['ask', 'Why?', '--severities', 'A,A'], 3, /Invalid --severities 'A,A'/],
  ])('%s', (_what, args, code, sentence) => {
    expectRefusal(createChangedRepository().root, args, code, sentence);
  });

  it('outside a repository', () => {
    expectRefusal(createFolder(), ['review'], 2, /is not inside a git repository\./);
  });

  it('in a repository without a commit', () => {
    expectRefusal(createSampleRepository().root, ['review'], 2, /HEAD|commit/);
  });

  it('with a configuration that names an unknown key', () => {
    const sample = createChangedRepository();
    sample.write('jury.config.yaml', 'quorum: 1\nreviewer: []\n');
    expectRefusal(
      sample.root,
      ['review', 'HEAD'],
      3,
      /jury\.config\.yaml:2: reviewer: Unknown key "reviewer"\. Did you mean "reviewers"\?/,
    );
  });

  it('with a similarity threshold that is none', () => {
    const ended = jury(createChangedRepository().root, ['review'], {
      environment: { SIMILARITY_THRESHOLD: 'high' },
    });
    expect([ended.code, ended.stdout]).toEqual([3, '']);
    expect(ended.stderr).toContain('SIMILARITY_THRESHOLD must be an integer from 0 to 100');
  });
});
