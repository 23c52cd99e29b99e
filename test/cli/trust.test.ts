import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  goodAnswer,
  jury,
  juryJson,
  writePanel,
  type Ended,
} from './jury.ts';

function seat(id: string): string {
  return `reviewers:\n  - { id: ${id}, runner: builtin, analyser: diff }\n`;
}

describe('a configuration that the change under review touches', () => {
  it('does not choose the judges: its version at the base is used', () => {
    const sample = createChangedRepository();
    sample.write(
      'jury.config.yaml',
      'reviewers:\n  - { id: base, runner: builtin, analyser: diff }\n',
    );
    sample.commit('configure');
    sample.write(
      'jury.config.yaml',
      'reviewers:\n  - { id: chosen, runner: command, command: [touch, ./planted], isolation: { sandbox: false } }\n',
    );
    sample.commit('choose other judges');
    const { record, stderr } = juryJson(sample.root, ['review']);
    expect(record.reviewers.map(({ id }) => id)).toEqual(['base']);
    expect(stderr).toContain('its version at the base is used');
  });

  it.each([
    ['a path that it is not in', ['HEAD~1..HEAD', '--', 'src']],
    ['another path of one commit', ['HEAD', 'src/sum.js']],
    ['all but it', ['HEAD~1..HEAD', '--', ':!jury.config.yaml']],
  ])('gains nothing where the review is limited to %s', (_, words) => {
    const sample = createChangedRepository();
    sample.write('jury.config.yaml', seat('base'));
    sample.commit('configure');
    sample.write(
      'jury.config.yaml',
      'reviewers:\n  - { id: chosen, runner: command, command: [touch, ./planted], isolation: { sandbox: false } }\n',
    );
    sample.write('src/sum.js', 'export const sum = list => list.length;\n');
    sample.commit('choose other judges');
    const { code, stdout } = jury(sample.root, ['review', '--format', 'json', ...words]);
    const record = JSON.parse(stdout) as ReturnType<typeof juryJson>['record'];
    expect([code, record.reviewers.map(({ id }) => id)]).toEqual([2, ['base']]);
    expect(record.coverage.files.map(({ path: file }) => file)).toEqual(['src/sum.js']);
    expect(record.reasons.map(({ rule }) => rule)).toEqual(['require-human']);
    expect(existsSync(path.join(sample.root, 'planted'))).toBe(false);
  });

  it('is not the word of whoever names it', () => {
    const sample = createChangedRepository();
    sample.write('own.yaml', seat('base'));
    sample.commit('configure');
    sample.write('own.yaml', seat('changed'));
    sample.write('other.yaml', seat('brought'));
    sample.commit('bring judges');
    const { code, record } = juryJson(sample.root, ['review', '--config', 'own.yaml']);
    expect([code, record.reviewers.map(({ id }) => id)]).toEqual([2, ['base']]);
    const brought = jury(sample.root, ['review', '--config', 'other.yaml']);
    expect([brought.code, brought.stdout]).toEqual([3, '']);
    expect(brought.stderr).toMatch(
      /other\.yaml comes with the change under review\. .*jury trust \S*other\.yaml\n$/,
    );
  });
});

describe('an untrusted change', () => {
  it('needs proof: lines without a nonce are a partial review', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [{ id: 'lines', script: goodAnswer }]);
    const { code, record } = juryJson(sample.root, ['review', '--config', config, '--untrusted']);
    expect([code, record.reviewers[0]?.status, record.reviewers[0]?.cause]).toEqual([
      1,
      'partial',
      'unproven',
    ]);
    expect(record.claims).toHaveLength(1);
  });

  it('is complete when the answer carries nonce, files and verdict', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      {
        id: 'proving',
        script: `const nonce = /"nonce": "([0-9a-f]{32})"/.exec(prompt)[1];
console.log(JSON.stringify({ nonce, files_reviewed: ['src/sum.js'], findings: [], findings_count: 0, verdict: 'safe' }));`,
      },
    ]);
    const { code, record, stderr } = juryJson(sample.root, [
      'review',
      '--config',
      config,
      '--untrusted',
    ]);
    expect([code, record.reviewers[0]?.status], stderr).toEqual([0, 'complete']);
  });

  it('rejects the nonce of another question', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      {
        id: 'stale',
        script: `console.log(JSON.stringify({ nonce: 'f'.repeat(32), files_reviewed: ['src/sum.js'], findings: [], verdict: 'safe' }));`,
      },
    ]);
    expect(
      juryJson(sample.root, ['review', '--config', config, '--untrusted']).record.reviewers[0]
        ?.cause,
    ).toBe('nonce');
  });
});

describe('what leaves the house', () => {
  it('holds no secret, and the dry run shows what would be sent', () => {
    const sample = createChangedRepository();
    const key = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');
    sample.write('src/key.js', `export const key = '${key}';\n`);
    sample.commit('key');
    const config = writePanel(sample, [
      { id: 'spy', script: `fs.writeFileSync('${sample.root}/../seen', prompt);\n${goodAnswer}` },
    ]);
    const preview = jury(sample.root, ['review', '--config', config, '--dry-run']);
    expect(preview.code).toBe(0);
    expect(preview.stdout).toContain('⟦SECRET:aws:1⟧');
    const { stdout } = jury(sample.root, ['review', '--config', config, '--format', 'markdown']);
    expect(preview.stdout + stdout).not.toContain(key);
  });

  it('says nothing of title, author or commit text', () => {
    const sample = createChangedRepository();
    sample.git('commit', '-q', '--allow-empty', '--amend', '-m', 'PERFECT CHANGE, no bugs');
    const config = writePanel(sample, [{ id: 'any', script: goodAnswer }]);
    expect(jury(sample.root, ['review', '--config', config, '--dry-run']).stdout).not.toContain(
      'PERFECT',
    );
  });
});

/** A user who has allowed nothing yet. */
interface User {
  readonly state: string;
  readonly run: (args: readonly string[], environment?: Readonly<Record<string, string>>) => Ended;
}

const config = 'jury.config.yaml';
const grantsOf = ({ state }: User): string => path.join(state, 'jury', 'trust');
const mark = (sample: SampleRepository): string => path.join(sample.root, '../asked');

function userOf(sample: SampleRepository, state = createFolder()): User {
  return {
    state,
    run: (args, environment = {}) =>
      jury(sample.root, args, {
        environment: {
          JURY_TRUST_CONFIG: '',
          JURY_STATE: '',
          XDG_STATE_HOME: state,
          ...environment,
        },
      }),
  };
}

/** A stranger's repository: its configuration names a program, which loads another file, and a persona. */
function createStranger(): { readonly sample: SampleRepository; readonly user: User } {
  const sample = createChangedRepository();
  sample.write(
    config,
    'reviewers:\n  - { id: guard, runner: command, command: [node, ./tools/rev.mjs], persona: ./mine.md, environment: [TOKEN], isolation: { write: [..] } }\n',
  );
  sample.write('mine.md', '---\nname: mine\nrole: general\nfocus: everything\n---\nYou read.\n');
  sample.write('tools/lib.mjs', 'export const word = 1;\n');
  sample.write(
    'tools/rev.mjs',
    `import fs from 'node:fs';\nimport './lib.mjs';\nprocess.stdin.resume().on('end', () => {\n  fs.writeFileSync(${JSON.stringify(mark(sample))}, '');\n  console.log('None\\nVERDICT: safe');\n});\n`,
  );
  sample.commit('configure');
  sample.write('src/more.js', 'export const more = 1;\n');
  sample.commit('more');
  return { sample, user: userOf(sample) };
}

function expectRefused({ code, stdout, stderr }: Ended): void {
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(
    /^jury: jury\.config\.yaml was found here and wants to start node \.\/tools\/rev\.mjs \(reviewer guard\).*\bnobody has allowed\..* jury trust jury\.config\.yaml( --at [0-9a-f]{12})?\n$/,
  );
}

describe('a configuration that was found and wants to start a program', () => {
  it.each([
    ['review'],
    ['review', '--dry-run'],
    ['review', '--untrusted'],
    ['plan'],
    ['gates'],
    ['ask', 'Why?'],
    ['document', 'mine.md'],
  ])('is refused in one sentence by %s %s', (...args) => {
    const { sample, user } = createStranger();
    sample.write('src/more.js', 'export const more = 2;\n');
    expectRefused(user.run(args.filter(word => word !== undefined)));
    expect(existsSync(mark(sample))).toBe(false);
  });

  it('is not asked about by who wants the built-in reviewers, or nobody', () => {
    const { user } = createStranger();
    expect(user.run(['review', '--reviewers', 'secrets,diff']).code).toBe(0);
    expect(user.run(['search', 'more']).code).toBe(0);
    expect(user.run(['context']).code).toBe(0);
  });

  it('is asked once it was allowed, and refused again when anything of it changes', () => {
    const { sample, user } = createStranger();
    const shown = user.run(['trust', '--yes']);
    expect(shown.code).toBe(0);
    for (const part of [
      'export const word = 1;',
      'focus: everything',
      'tools/rev.mjs',
      'start node ./tools/rev.mjs (reviewer guard)',
      'read the variable TOKEN (reviewer guard)',
    ])
      expect(shown.stdout).toContain(part);
    expect([user.run(['review']).code, existsSync(mark(sample))]).toEqual([0, true]);
    for (const file of ['tools/lib.mjs', 'tools/rev.mjs', 'mine.md', config]) {
      const text = readFileSync(path.join(sample.root, file), 'utf8');
      sample.write(file, `${text}\n`);
      expectRefused(user.run(['review', 'HEAD', '--fresh']));
      sample.write(file, text);
    }
    expect(user.run(['review', '--fresh']).code).toBe(0);
  });

  it('may be let in for once by a flag, by a variable, or by its hash and no other', () => {
    const { user } = createStranger();
    expect(user.run(['review', '--trust-config']).code).toBe(0);
    expect(user.run(['review', '--fresh'], { JURY_TRUST_CONFIG: '1' }).code).toBe(0);
    const { code: shown, stdout } = user.run(['trust', '--json']);
    const { hash, isGranted } = JSON.parse(stdout) as { hash: string; isGranted: boolean };
    expect([shown, isGranted]).toEqual([0, false]);
    expect(user.run(['review', '--fresh'], { JURY_TRUST_CONFIG: hash }).code).toBe(0);
    expectRefused(user.run(['review', '--fresh'], { JURY_TRUST_CONFIG: 'f'.repeat(64) }));
    const { code, stderr } = user.run(['review'], { JURY_TRUST_CONFIG: 'yes' });
    expect([code, stderr.split('\n').length]).toEqual([3, 2]);
    expect(existsSync(grantsOf(user))).toBe(false);
  });

  it('is asked for by a resume too', () => {
    const { user } = createStranger();
    user.run(['review', '--trust-config', '--timeout', '0.001']);
    expectRefused(user.run(['resume']));
  });

  it('is not asked about where somebody names one from outside', () => {
    const { sample, user } = createStranger();
    const panel = writePanel(sample, [
      { id: 'mine', script: `console.log('None\\nVERDICT: safe');` },
    ]);
    expect(user.run(['review', '--config', panel]).code).toBe(0);
  });
});

describe('what is allowed', () => {
  it('is nothing where nobody can be asked, and nothing but what was shown', () => {
    const { user } = createStranger();
    const { code, stderr } = user.run(['trust']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('--yes')]);
    expect(existsSync(grantsOf(user))).toBe(false);
  });

  it('is kept for this user alone, listed, and taken back', () => {
    const { user } = createStranger();
    user.run(['trust', '--yes']);
    const [name = ''] = readdirSync(grantsOf(user));
    expect(user.run(['trust', '--list']).stdout).toContain(name.slice(0, 12));
    expect(user.run(['trust', '--revoke', name.slice(0, 8)]).code).toBe(0);
    expectRefused(user.run(['review']));
    expect(user.run(['trust', '--revoke', name.slice(0, 8)]).code).toBe(3);
  });

  it.each<[string, (file: string) => void, string]>([
    ['damaged', file => writeFileSync(file, '{'), 'is damaged'],
    ['readable by others', file => chmodSync(file, 0o644), 'by others (mode 644)'],
    ['writable by others', file => chmodSync(file, 0o622), 'by others (mode 622)'],
    ['in a folder that others read', file => chmodSync(path.dirname(file), 0o755), '(mode 755)'],
    [
      'the grant of another hash',
      file =>
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replaceAll(/"[0-9a-f]{64}"/g, `"${'0'.repeat(64)}"`),
        ),
      'says something else than its name',
    ],
  ])('counts for nothing when it is %s', (_what, spoil, why) => {
    const { sample, user } = createStranger();
    user.run(['trust', '--yes']);
    spoil(path.join(grantsOf(user), readdirSync(grantsOf(user))[0] ?? ''));
    const { code, stdout, stderr } = user.run(['review']);
    expect([code, stdout, stderr.split('\n').length]).toEqual([3, '', 2]);
    expect(stderr).toContain(why);
    expect(existsSync(mark(sample))).toBe(false);
  });

  it('is not what a repository brings as the state of its reader', () => {
    const { sample, user } = createStranger();
    user.run(['trust', '--yes']);
    sample.git('add', '-A');
    const { code, stderr } = user.run(['review'], { JURY_STATE: path.join(sample.root, '.state') });
    expect([code, stderr]).toEqual([3, expect.stringContaining('lies inside the repository')]);
  });

  it('is no persona that a repository links to on this machine', () => {
    const { sample, user } = createStranger();
    sample.write('../secret.md', '---\nname: s\nrole: general\nfocus: x\n---\nhunter2\n');
    sample.remove('mine.md');
    symlinkSync('../secret.md', path.join(sample.root, 'mine.md'));
    sample.commit('link');
    sample.write('src/more.js', 'export const more = 3;\n');
    sample.commit('three');
    for (const args of [['review'], ['review', '--trust-config'], ['trust', '--yes']]) {
      const { code, stdout, stderr } = user.run(args);
      expect([code, stdout, stderr.includes('hunter2')]).toEqual([3, '', false]);
      expect(stderr).toMatch(/^jury: The persona \.\/mine\.md of reviewer guard is a link out /);
    }
  });
});

const quiet = seat('own');

function outcomeOf(user: User, args: readonly string[] = ['review']): unknown[] {
  return told(user, args).outcome;
}

function told(user: User, args: readonly string[]) {
  const { code, stdout, stderr } = user.run([...args, '--format', 'json']);
  const { reviewers, reasons } = JSON.parse(stdout) as ReturnType<typeof juryJson>['record'];
  const outcome = [code, reviewers.map(({ id }) => id), reasons.map(({ rule }) => rule)];
  return { outcome, stderr };
}

describe('a change of what was allowed', () => {
  it('counts as it stands when the change brings it, uncommitted too', () => {
    const sample = createChangedRepository();
    const user = userOf(sample);
    sample.write(config, quiet);
    user.run(['trust', '--yes']);
    expect(outcomeOf(user)).toEqual([0, ['own'], []]);
    sample.write('src/more.js', 'export const more = 1;\n');
    expect(outcomeOf(user, ['review', '--worktree', '--untracked'])).toEqual([0, ['own'], []]);
    sample.commit('bring it');
    expect(outcomeOf(user)).toEqual([0, ['own'], []]);
    sample.write(config, quiet.replace('own', 'other'));
    sample.git('commit', '-qam', 'edit it');
    expect(outcomeOf(user)).toEqual([2, ['own'], ['require-human']]);
  });

  it('does not bring back what was allowed before, or for another repository', () => {
    const sample = createChangedRepository();
    const user = userOf(sample);
    const strict = quiet.replace('own', 'strict');
    sample.write(config, quiet);
    user.run(['trust', '--yes']);
    sample.write(config, strict);
    user.run(['trust', '--yes']);
    sample.commit('strict');
    sample.write(config, quiet);
    sample.commit('lax again');
    expect(outcomeOf(user)).toEqual([2, ['strict'], ['require-human']]);
    const other = createChangedRepository();
    const there = userOf(other, user.state);
    other.write(config, 'failOn: [low]\n');
    other.commit('strict');
    other.write(config, quiet);
    other.commit('lax');
    expect(outcomeOf(there)[2]).toEqual(['require-human']);
  });

  it('is held against the base, and the base can be allowed by itself', () => {
    const { sample, user } = createStranger();
    sample.write('tools/rev.mjs', 'process.exit(1);\n');
    sample.commit('another program');
    const refused = user.run(['review']);
    expectRefused(refused);
    const at = / --at ([0-9a-f]{12})\n$/.exec(refused.stderr)?.[1] ?? '';
    expect(user.run(['trust', config, '--at', at, '--yes']).code).toBe(0);
    expect(outcomeOf(user)).toEqual([2, ['guard'], ['require-human']]);
    expect(existsSync(mark(sample))).toBe(true);
  });
});

describe('a configuration of the working tree that the change does not touch', () => {
  const strict = `quorum: 1\n${quiet}`;
  const attack = 'export const run = text => eval(text);\n';

  /** The base holds a configuration, or none (null), and the change an attack. */
  function openAttacked(base: string | null): [SampleRepository, User] {
    const sample = createChangedRepository();
    if (base !== null) sample.write(config, base);
    sample.write('src/other.js', 'export {};\n');
    sample.commit('configure');
    sample.write('src/run.js', attack);
    sample.commit('eval');
    return [sample, userOf(sample)];
  }

  it.each([
    ['is new and lets checks alone pass', null, `checksOnly: true\n${quiet}`],
    ['is new and never fails', null, 'failOn: [never]\nchecksOnly: true\n'],
    ['is new and leaves out what was changed', null, 'exclude: [src/**]\nchecksOnly: true\n'],
    ['was edited', `${strict}failOn: [check:low]\n`, `${strict}checksOnly: true\n`],
    ['was deleted', strict, null],
  ])('decides nothing where it %s, and is named', (_what, base, tree) => {
    const [sample, user] = openAttacked(base);
    const args = ['gates', 'HEAD~1..HEAD', '--fresh'];
    const before = outcomeOf(user, args);
    if (tree === null) sample.remove(config);
    else sample.write(config, tree);
    expect(before[0]).not.toBe(0);
    const { outcome, stderr } = told(user, args);
    expect(outcome).toEqual(before);
    expect(stderr).toContain(
      `${config} is ${base === null ? 'here and not at the base: it is ignored' : 'not the same here as at the base: its version at the base is used'}.`,
    );
    expect(stderr).toContain('allow it with "jury trust"');
  });

  it('counts once somebody has looked at it, or lets in anything', () => {
    const lax = `failOn: [never]\nchecksOnly: true\n${quiet}`;
    const [sample, user] = openAttacked(null);
    sample.write(config, lax);
    const args = ['gates', 'HEAD~1..HEAD', '--fresh'];
    expect(outcomeOf(user, [...args, '--trust-config'])).toEqual([0, ['own'], []]);
    expect(outcomeOf(user, args)[0]).not.toBe(0);
    user.run(['trust', '--yes']);
    expect(outcomeOf(user, args)).toEqual([0, ['own'], []]);
  });

  it('counts where somebody names one that the base does not have, and no other', () => {
    const [sample, user] = openAttacked(strict);
    sample.write('own.yaml', quiet.replace('own', 'named'));
    const named = (file: string) => outcomeOf(user, ['review', 'HEAD', '--config', file])[1];
    expect(named('own.yaml')).toEqual(['named']);
    sample.write(config, quiet.replace('own', 'edited'));
    expect(named(config)).toEqual(['own']);
  });
});

describe('a repository that is trusted as a whole', () => {
  it('is believed for what the default branch of its remote holds, and for nothing else', () => {
    const { sample, user } = createStranger();
    expect(user.run(['trust', '--repository', '--yes']).stderr).toContain('git remote set-head');
    sample.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    sample.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    expect(user.run(['trust', '--repository', '--yes']).code).toBe(0);
    expect([user.run(['review']).code, existsSync(mark(sample))]).toEqual([0, true]);
    sample.write('tools/lib.mjs', 'export const word = 2;\n');
    sample.commit('C1: hostile');
    sample.write('src/more.js', 'export const more = 5;\n');
    sample.commit('C2: innocent');
    expectRefused(user.run(['review', 'HEAD']));
    expect(user.run(['review']).code).toBe(2);
    sample.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect(user.run(['review', '--fresh']).code).toBe(0);
  });
});
