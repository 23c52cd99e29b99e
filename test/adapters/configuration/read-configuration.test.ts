import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findConfiguration,
  parseConfiguration,
  readPersona,
  shippedPersonas,
} from '../../../src/adapters/configuration/read-configuration.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'jury-configuration-'));
  await mkdir(path.join(folder, 'a/b'), { recursive: true });
  await writeFile(path.join(folder, 'jury.config.yaml'), 'quorum: 2\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (text: string): Promise<unknown> =>
  parseConfiguration({ file: '/x/jury.config.yaml', text });

describe('finding the configuration', () => {
  it('looks upwards from the folder of the caller', async () =>
    expect(await findConfiguration(path.join(folder, 'a/b'), null)).toEqual({
      file: path.join(folder, 'jury.config.yaml'),
      text: 'quorum: 2\n',
    }));

  it('refuses a named file that is not there, and a folder', async () => {
    await expect(findConfiguration(folder, 'other.yaml')).rejects.toThrow(
      /other\.yaml cannot be read: there is no such file\./,
    );
    await expect(findConfiguration(folder, 'a')).rejects.toThrow(
      /cannot be read: it is a folder\./,
    );
  });
});

describe('reading the configuration', () => {
  it('fills in the defaults', async () =>
    expect(await read('')).toMatchObject({
      strategy: 'calibrated',
      trust: 'own',
      concurrency: 16,
    }));

  it('reads JSON too', async () =>
    expect(
      await read('{"reviewers": [{"id": "a", "runner": "command", "command": ["./a"]}]}'),
    ).toMatchObject({
      reviewers: [{ id: 'a', persona: 'code-quality-reviewer', required: false }],
    }));

  it.each([
    [
      'a misspelt key',
      'quorum: 2\nreviewers:\n  - id: a\n    runer: command\n',
      '/x/jury.config.yaml:4: reviewers[0].runer: Unknown key "runer".',
      'Did you mean "runner"?',
    ],
    [
      'a misspelt runner',
      'reviewers:\n  - id: a\n    runner: claud\n',
      '/x/jury.config.yaml:3: reviewers[0].runner: Must be one of',
      'Did you mean "claude"?',
    ],
    ['a wrong type', 'quorum: many\n', ':1: quorum: Must be a number; this is text.', null],
    [
      'text where a list belongs',
      'reviewers:\n  - { id: a, runner: command, command: node x.js }\n',
      '/x/jury.config.yaml:2: reviewers[0].command: Must be a list, in [ ]; this is text.',
      null,
    ],
    ['an empty panel', 'reviewers: []\n', ':1: reviewers: Must have at least one entry.', null],
    [
      'a runner without the key it needs',
      'reviewers:\n  - { id: a, runner: claude }\n  - { id: b, runner: api }\n',
      '/x/jury.config.yaml:3: Reviewer "b": runner api needs the key "model", such as model: anthropic/',
      'See "jury help configuration".',
    ],
    [
      'a name that leaves the folder',
      'reviewers:\n  - id: ../a\n    runner: claude\n',
      '/x/jury.config.yaml:2: reviewers[0].id: Must start with a letter',
      null,
    ],
    [
      'a bad fail rule',
      'failOn: [some:high]\n',
      '/x/jury.config.yaml:1: failOn[0]: Must be never',
      null,
    ],
    [
      'broken YAML',
      'quorum: [1\n',
      '/x/jury.config.yaml:2:1: Before this, a [ that was opened should have ended with ].',
      null,
    ],
    [
      'a tab',
      'reviewers:\n\t- id: a\n',
      '/x/jury.config.yaml:2:1: Tabs are not allowed as indentation.',
      'Indent with spaces.',
    ],
    ...[
      ['*.png', 'Unresolved alias (the anchor must be set before the alias): .png.'],
      ['**/*.png', 'Unresolved alias (the anchor must be set before the alias): */*.png.'],
      ['!a.py', 'Unresolved tag: !a.py.'],
    ].map(([glob = '', sentence = '']): [string, string, string, string] => [
      `the glob ${glob} without quotes`,
      `exclude:\n  - ${glob}\n`,
      `/x/jury.config.yaml:2:5: ${sentence}`,
      'Put a text that begins with * or ! or the like in quotes.',
    ]),
    ...[
      ['failOn: []', 'failOn: Must name one; where nothing fails it is never'],
      ["exclude: ['!a']", 'exclude[0]: Must name what is left out'],
      ['accept: [{ kind: pictures }]', 'accept[0]: Must be a glob, or a kind of binary'],
    ].map(([key = '', sentence = '']): [string, string, string, null] => [
      key,
      key,
      `/x/jury.config.yaml:1: ${sentence}`,
      null,
    ]),
    [
      'a second document',
      'quorum: 2\n---\nquorum: 1\n',
      '/x/jury.config.yaml:2:1: A second document begins here, and a file may hold one.',
      null,
    ],
    ['UTF-16', '\uFFFD\uFFFDq\0u\0', '/x/jury.config.yaml is no UTF-8 text.', 'Save it as UTF-8.'],
    [
      'two reviewers of one name',
      'reviewers:\n  - { id: a, runner: claude }\n  - { id: A, runner: codex }\n',
      'Two reviewers are called "A".',
      'Give each reviewer an id of its own.',
    ],
  ])('names file, line and key of %s', async (_what, text, sentence, hint) => {
    const error: unknown = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'UserError',
      kind: 'usage',
      message: expect.stringContaining(sentence),
    });
    if (hint !== null) expect(error).toMatchObject({ hint });
  });

  it('survives a bomb of aliases', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map(
        (name, index) =>
          `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefg'[index] ?? 'a'}`).join(',')}]`,
      )
      .join('\n')}\n`;
    await expect(read(bomb)).rejects.toThrow('/x/jury.config.yaml:2:8: Excessive alias count');
  });
});

describe('personas', () => {
  it('ships those of changes, documents, research and questions', async () =>
    expect(await shippedPersonas()).toEqual(
      (
        'advisor architect architecture-reviewer brainstorm-researcher code-quality-reviewer community-researcher ' +
        'correctness-reviewer debugger documentation-researcher documentation-reviewer feasibility-reviewer go-reviewer ' +
        'internal-researcher security-reviewer user-persona-reviewer verifier vulnerability-reviewer'
      ).split(' '),
    ));

  it('reads every one that ships under its own name', async () => {
    for (const name of await shippedPersonas())
      expect(await readPersona(name, folder)).toMatchObject({ name });
  });

  it('reads one from a path relative to the configuration', async () => {
    await writeFile(
      path.join(folder, 'own.md'),
      '---\nname: own\nrole: general\nfocus: everything\n---\nRead.\n',
    );
    expect(await readPersona('./own.md', folder)).toMatchObject({
      name: 'own',
      veto: false,
      budget: 6144,
      instructions: 'Read.',
    });
  });

  it.each([
    ['an unknown name', 'security-reviewr', 'There is no persona "security-reviewr".'],
    ['a path that is not there', './nobody.md', 'cannot be read'],
  ])('refuses %s', (_what, name, sentence) =>
    expect(readPersona(name, folder)).rejects.toThrow(sentence),
  );

  it.each([
    ['---js\nprocess.exit(1)\n---\n', 'A persona starts with front matter'],
    [
      '---\nname: own\nrole: general\nfocus: x\nvetoo: true\n---\n',
      'bad.md:5: vetoo: Unknown key "vetoo".',
    ],
    ['---\nname: [\n---\n', 'bad.md:2:8: Before this, a [ that was opened'],
  ])('refuses the front matter %j', async (text, sentence) => {
    await writeFile(path.join(folder, 'bad.md'), text);
    await expect(readPersona('./bad.md', folder)).rejects.toThrow(sentence);
  });
});
