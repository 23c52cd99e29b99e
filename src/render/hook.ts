/** What the hooks of git print: a few lines for whoever commits or pushes, and what became of an installation. */
import {
  type ChangedHook,
  type HookName,
  type HookState,
  type HookStep,
  skips,
} from '../core/hooks/hook.ts';
import { shortIdsOf } from '../core/run-files/finding-names.ts';
import { listNames, titleOf } from '../core/run-files/brief-line.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { cut, toOneLine } from '../core/text.ts';
import { leftOutLines, shortRunId } from '../core/verdict/onward.ts';
import { approvalCommands, openClaims, sentencesOf } from '../core/verdict/review-status.ts';
import { sayOutcome, countComplete } from '../core/verdict/outcome.ts';
import { orderClaims, placeOfClaim } from '../core/words/claim.ts';
import type { RunRecord } from '../core/words/run.ts';
import { count } from './figures.ts';
import { present } from '../core/groups.ts';

const mostClaims = 5;
const mostReasons = 3;
const longest = 180;

/** At most fifteen lines, whatever was found. */
export function renderHookStep({ about, run, said, isReadable, isFail }: HookStep) {
  const words = said.map(sentence => cut(toOneLine(sentence), 2 * longest));
  if (run === null) {
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
  const blocking = record.blocking ?? [];
  const claims = orderClaims({ claims: openClaims(record), blocking });
  const [first] = claims;
  const named = first === undefined ? '' : (ids.get(first.id) ?? first.id);
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

export function renderChangedHook(hook: ChangedHook) {
  const isOfOthers = hook.done === 'kept' && hook.lines.length > 0;
  return makeVisible(
    present(
      `${hook.name.padEnd(10)} ${doneWords[hook.done]}: ${hook.done === 'kept' ? describeState(hook) : hook.path}`,
      isOfOthers && '           To have the same, add',
      ...hook.lines.map(line => `             ${line}`),
    ).join('\n'),
  );
}

export function renderHookState(hook: HookState) {
  return makeVisible(`${hook.name.padEnd(10)} ${describeState(hook)}`);
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
export function renderHookEnd(name: HookName, isStopped: boolean) {
  const { stopped, command } = skips[name];
  return isStopped
    ? `jury: ${stopped}. Without this check, once: ${command}`
    : 'jury: It goes on all the same, as the hook was installed; it is no pass.';
}
