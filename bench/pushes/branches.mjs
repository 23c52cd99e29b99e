// Branches that are pushed twice: made ones of twenty files, and one of the history of this repository.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gitIn } from '../program.mjs';

/**
 * `next`: what comes between the two pushes.
 * @typedef {{ readonly git: ReturnType<typeof gitIn>, readonly isMade: boolean, readonly next: () => void }} Branch
 */

/**
 * What comes between the two pushes of a made branch.
 * @type {Readonly<Record<string, (branch: { readonly root: string, readonly git: Branch['git'] }) => void>>}
 */
export const pushes = {
  'one of 20 files changed': ({ root, git }) => {
    appendFileSync(path.join(root, fileAt(3)), functionAt('added', 1));
    git('commit', '-qam', 'more');
  },
  'five of 20 files changed': ({ root, git }) => {
    for (const at of [1, 5, 9, 13, 17])
      appendFileSync(path.join(root, fileAt(at)), functionAt('added', at));
    git('commit', '-qam', 'more');
  },
  'all files changed': ({ root, git }) => {
    for (let at = 0; at < 20; at++)
      appendFileSync(path.join(root, fileAt(at)), functionAt('added', at));
    git('commit', '-qam', 'more');
  },
  'rebase only': ({ root, git }) => {
    git('checkout', '-q', 'main');
    const name = path.join(root, 'src/ground.js');
    writeFileSync(name, `// moved\n// down\n${readFileSync(name, 'utf8')}`);
    git('commit', '-qam', 'main goes on');
    git('checkout', '-q', 'work');
    git('rebase', '-q', 'main');
  },
  'force-push with one of 20 files changed': ({ root, git }) => {
    appendFileSync(path.join(root, fileAt(3)), functionAt('added', 1));
    git('reset', '-q', '--soft', 'main');
    git('commit', '-qam', 'one commit');
  },
};

/** `main`, and from it a branch of so many files, of which one was there before. */
export function makeBranch(/** @type {string} */ root, /** @type {number} */ files) {
  mkdirSync(path.join(root, 'src'), { recursive: true });
  const git = gitIn(root);
  git('init', '-q', '-b', 'main');
  const write = (/** @type {string} */ name, /** @type {string} */ text) =>
    writeFileSync(path.join(root, name), text);
  write('.gitignore', '.jury/\n');
  write('src/ground.js', textAt('ground', 30));
  git('add', '-A');
  git('commit', '-qm', 'one');
  git('checkout', '-q', '-b', 'work');
  for (let at = 1; at < files; at++) write(fileAt(at), textAt(`file${at}`, 12 + (at % 7)));
  appendFileSync(path.join(root, 'src/ground.js'), functionAt('ground', 99));
  git('add', '-A');
  git('commit', '-qm', 'work');
  return git;
}

const fileAt = (/** @type {number} */ at) => (at === 0 ? 'src/ground.js' : `src/file${at}.js`);

function textAt(/** @type {string} */ name, /** @type {number} */ functions) {
  return Array.from({ length: functions }, (_, at) => functionAt(name, at)).join('\n');
}

function functionAt(/** @type {string} */ name, /** @type {number} */ at) {
  return [
    `export function ${name}Of${at}(order, items) {`,
    `  const rest = items.filter(each => each.weight > ${at} && each.${name} !== null);`,
    `  if (rest.length === 0) return { order, total: ${at * 3} };`,
    `  return rest.reduce((sum, each) => sum + each.weight * ${at + 1}, order.start);`,
    '}',
    '',
  ].join('\n');
}

/**
 * A copy of this repository, to be reviewed at `work`, first without its last commit. Null where it has no such history.
 * @param {string} root
 * @param {number} commits
 * @returns {Branch | null}
 */
export function cloneHistory(root, commits) {
  const own = fileURLToPath(new URL('../..', import.meta.url));
  try {
    gitIn(own)('clone', '-q', '--no-hardlinks', own, root);
    const git = gitIn(root);
    const [head, base] = [git('rev-parse', 'HEAD'), git('rev-parse', `HEAD~${commits}`)];
    git('checkout', '-q', '-B', 'main', base);
    git('checkout', '-q', '-B', 'work', `${head}~1`);
    return { git, isMade: false, next: () => git('reset', '-q', '--hard', head) };
  } catch {
    return null;
  }
}

/** Patches of `main..work` by file, without what a rebase moves: ids and line numbers. */
export function patchesOf(/** @type {Branch['git']} */ git) {
  const whole = git('diff', '--no-color', '--find-renames', 'main', 'work');
  return new Map(
    whole
      .split(/^(?=diff --git )/m)
      .map(text => [
        / b\/(.*)$/m.exec(text.slice(0, text.indexOf('\n')))?.[1] ?? '',
        text.replace(/^index .*$/m, '').replace(/^@@ [^@]* @@/gm, '@@'),
      ]),
  );
}
