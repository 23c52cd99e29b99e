/** `jury hook`: installs the hooks of git, takes them away, tells what lies there; and what the hooks themselves call. */
import { z } from 'zod';
import { argument, flag } from '../core/flags.ts';
import {
  HookName,
  hookNames,
  type ChangedHook,
  type HookState,
  type HookStep,
  skips,
} from '../core/hooks/hook.ts';
import { exitCodeOf, programExits, sayOutcome, countComplete } from '../core/verdict/outcome.ts';
import { createJury } from '../index.ts';
import { usageError } from '../core/errors.ts';
import { defineCommand, groupCommands } from './command.ts';
import { createProgress } from './progress.ts';
import { noteEvent, type Terminal } from './terminal.ts';
import { Text } from '../core/words/fields.ts';
import { shortIdsOf } from '../core/run-files/finding-names.ts';
import { listNames, titleOf } from '../core/run-files/brief-line.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { cut, toOneLine } from '../core/text.ts';
import { leftOutLines, shortRunId } from '../core/verdict/coverage.ts';
import { approvalCommands, openClaims, sentencesOf } from '../core/verdict/review-status.ts';
import { orderClaims, placeOfClaim } from '../core/words/claim.ts';
import type { RunRecord } from '../core/words/run.ts';
import { count } from '../render/figures.ts';
import { present } from '../core/groups.ts';

const Names = argument(z.array(HookName), 'HOOK', 'Which: pre-commit, pre-push; default: both', {
  usual: hookNames,
});

const AllowIncomplete = flag(
  'A review that came to no decision (INCOMPLETE) is told, and stops nothing',
);

const install = defineCommand({
  summary: 'Install the hooks of git that ask for a review before a commit and a push',
  flags: z.strictObject({ names: Names, allowIncomplete: AllowIncomplete }),
  async run({ names, allowIncomplete }, terminal) {
    const changed = await createJury(terminal).hooks.install({
      names: all(names),
      allowIncomplete,
    });
    for (const hook of changed) terminal.write(renderChangedHook(hook));
    return changed.some(({ done }) => done === 'kept') ? programExits.usage : 0;
  },
});

const remove = defineCommand({
  summary: 'Take away the hooks of git that Jury has installed',
  flags: z.strictObject({ names: Names }),
  async run({ names }, terminal) {
    const changed = await createJury(terminal).hooks.remove({ names: all(names) });
    for (const hook of changed) terminal.write(renderChangedHook(hook));
    return 0;
  },
});

const status = defineCommand({
  summary: 'Tell what hooks of git lie here, and whose they are',
  flags: z.strictObject({}),
  async run(_, terminal) {
    for (const hook of await createJury(terminal).hooks.states())
      terminal.write(makeVisible(`${hook.name.padEnd(10)} ${describeState(hook)}`));
    return 0;
  },
});

/** For the files that `install` writes. Standard input is what git says, and never a person. */
const run = defineCommand({
  summary: 'Do what a hook does; the files of the hooks call this',
  flags: z.strictObject({
    name: argument(HookName, 'HOOK', 'Which hook'),
    remote: argument(Text.optional(), 'REMOTE', 'pre-push: name of the remote, as git gives it'),
    address: argument(Text.optional(), 'URL', 'pre-push: its address, as git gives it'),
    allowIncomplete: AllowIncomplete,
    checks: flag('Checks alone are enough: install writes it where no reader is configured'),
  }),
  async run({ name, remote, allowIncomplete, checks }, terminal) {
    if (name === 'pre-push' && terminal.streams.stdin.isTTY)
      throw usageError(
        'What is pushed is read from git, and this is a terminal.',
        'To look at a range by hand: jury review A..B.',
      );
    const pushed = name === 'pre-push' ? await terminal.readInput() : '';
    const watch = watchOf(name, terminal);
    try {
      const steps = await createJury(terminal).hooks.run(
        { name, pushed, checks, remote: remote ?? null },
        {
          onEvent: event => watch.onEvent(event),
          onStep: step => {
            watch.stop();
            terminal.note(renderHookStep(step));
          },
        },
      );
      const isInterrupted = terminal.signal.aborted;
      // Another hook may have read what git told, which looks the same.
      if (steps.length === 0 && !isInterrupted)
        terminal.note('jury: git tells of nothing that is pushed, so that nothing was looked at.');
      const codes = steps.map(codeOf);
      const isFail = codes.includes(exitCodeOf('FAIL'));
      const isUndecided = !isFail && codes.some(code => code !== 0);
      const isStopped = isInterrupted || isFail || (isUndecided && !allowIncomplete);
      if (isStopped || isUndecided) terminal.note(renderHookEnd(name, isStopped));
      if (!isStopped) return 0;
      return exitCodeOf(isFail ? 'FAIL' : 'INCOMPLETE', isInterrupted);
    } catch (error) {
      watch.stop();
      terminal.note(renderHookEnd(name, true));
      throw error;
    }
  },
});

/** A commit is looked at in a second. A push may take minutes, and is watched where somebody sits. */
function watchOf(name: HookName, terminal: Terminal): ReturnType<typeof createProgress> {
  if (name === 'pre-commit') return { onEvent: () => {}, stop: () => {} };
  if (!terminal.streams.stderr.isTTY) return { onEvent: noteEvent(terminal), stop: () => {} };
  let progress: ReturnType<typeof watchOf> | null = null;
  return {
    onEvent(event) {
      progress ??= createProgress(terminal);
      progress.onEvent(event);
    },
    stop() {
      progress?.stop();
      // The next step begins with new lines.
      progress = null;
    },
  };
}

function codeOf({ run: ended, isReadable, isFail = false }: HookStep) {
  if (isFail) return exitCodeOf('FAIL');
  if (!ended) return isReadable ? 0 : programExits.unusableInput;
  return exitCodeOf(ended.record.outcome);
}

function all(names: readonly HookName[]) {
  return names.length === 0 ? hookNames : names;
}

export const hook = groupCommands(
  'Let git ask for a review before each commit and each push',
  `  jury hook install [HOOK...]    write the hooks; what others wrote there stays
  jury hook remove [HOOK...]     take them away
  jury hook status               what lies there

Before a commit the built-in checks look at what is staged, before a push the
panel of the configuration at what the remote has not. FAIL stops, and so does
INCOMPLETE unless install was given --allow-incomplete. Without a check, once:
git commit --no-verify, git push --no-verify.`,
  { install, remove, status, run },
);

// What the hooks of git print: a few lines for whoever commits or pushes, and what became of an installation.

const mostClaims = 5;
const mostReasons = 3;
const longest = 180;

/** At most fifteen lines, whatever was found. */
function renderHookStep({ about, run, said, isReadable, isFail }: HookStep) {
  const words = said.map(sentence => cut(toOneLine(sentence), 2 * longest));
  if (!run) {
    const outcome = isFail === true ? 'FAIL, ' : isReadable ? '' : 'INCOMPLETE, ';
    return `jury: ${outcome}${toOneLine(about)}: ${words.join(' ')}`;
  }
  const { record } = run;
  const [first, ...others] = sentencesOf(record).map(sentence => cut(toOneLine(sentence), longest));
  return [
    ...words.map(sentence => `jury: ${sentence}`),
    `jury: ${sayOutcome(record)}, ${toOneLine(about)}: ${first ?? describeReaders(record)}`,
    ...others.slice(0, mostReasons - 1).map(sentence => `  ${sentence}`),
    ...describeMore(others.length - mostReasons + 1, 'reason', record),
    ...describeClaims(record),
    ...leftOutLines(record).map(line => `  ${cut(toOneLine(line), longest)}`),
    ...approvalCommands(record)
      .slice(0, 1)
      .map(command => `  If you have looked at it yourself: ${toOneLine(command)}`),
  ].join('\n');
}

function describeReaders({ reviewers, coverage, reused }: RunRecord) {
  const files = count(coverage.files.length, 'file');
  return `${countComplete(reviewers)} of ${reviewers.length} reviewers looked at ${files}${reused ? ', as before' : ''}.`;
}

function describeClaims(record: RunRecord) {
  const ids = shortIdsOf(record.claims);
  const claims = orderClaims({ claims: openClaims(record), blocking: record.blocking ?? [] });
  const [first] = claims;
  const named = !first ? '' : (ids.get(first.id) ?? first.id);
  return present(
    ...claims
      .slice(0, mostClaims)
      .map(
        claim =>
          `  ${claim.severity.padEnd(8)} ${titleOf(claim.text, placeOfClaim(claim), { isChecked: true })} ` +
          `(${listNames(claim.supporters, 34)}) ${ids.get(claim.id) ?? claim.id}`,
      ),
    ...describeMore(claims.length - mostClaims, 'claim', record),
    record.outcome !== 'PASS' &&
      first !== undefined &&
      `  Closer: jury show ${named}. It is not so: jury dismiss ${named} --reason TEXT`,
  );
}

function describeMore(amount: number, noun: string, { run }: RunRecord) {
  return amount <= 0
    ? []
    : [`  … and ${count(amount, `more ${noun}`)}: jury show ${shortRunId(run)}`];
}

const doneWords = {
  installed: 'installed',
  renewed: 'renewed',
  'as-it-was': 'installed already',
  removed: 'removed',
  none: 'none is installed',
  kept: 'left as it is',
};

function renderChangedHook(hook: ChangedHook) {
  const isOfOthers = hook.done === 'kept' && hook.lines.length > 0;
  return makeVisible(
    present(
      `${hook.name.padEnd(10)} ${doneWords[hook.done]}: ${hook.done === 'kept' ? describeState(hook) : hook.path}`,
      isOfOthers && '           To have the same, add',
      ...hook.lines.map(line => `             ${line}`),
    ).join('\n'),
  );
}

function describeState({ path, state, keeper, isRun }: HookState) {
  const by = keeper === null ? "somebody else's" : `${keeper}'s`;
  const what = {
    none: 'not installed',
    current: 'installed',
    older: 'installed by another version or from another place, "jury hook install" renews it',
    edited: 'installed, and edited since',
    foreign: by,
    shared: 'core.hooksPath leads out of this repository, to hooks of others too',
  };
  return (
    `${what[state]}: ` +
    `${path}${isRun || state === 'none' || state === 'shared' ? '' : ' (not executable, so that git does not run it)'}`
  );
}

/** How git goes on, or does not. */
function renderHookEnd(name: HookName, isStopped: boolean) {
  const { stopped, command } = skips[name];
  return isStopped
    ? `jury: ${stopped}. Without this check, once: ${command}`
    : 'jury: It goes on all the same, as the hook was installed; it is no pass.';
}
