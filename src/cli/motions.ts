/** `jury motions`: a vote on the motions of a session, with its subcommands. */
import { flag, positional, set, value, word } from '../core/flags.ts';
import { didYouMean, inputError, usageError } from '../core/errors.ts';
import { present } from '../core/groups.ts';
import { nearest } from '../core/schema-problem.ts';
import { escapeHidden, printJson } from '../render/figures.ts';
import { z } from 'zod';
import type { Ceilings } from '../core/request.ts';
import { makeVisible, visibleName } from '../core/safety/visible-text.ts';
import { judgeEndedVote, judgeMotions } from '../core/verdict/record.ts';
import { motionNamed } from '../core/printed/motion-account.ts';
import { commonestFailure } from '../vote/index.ts';
import { nameFew } from '../core/verdict/coverage.ts';
import { exitCodeOf, outcomeOf, programExits } from '../core/verdict/outcome.ts';
import {
  createJury,
  type KeptVote,
  type ListedMotions,
  type MotionsOutcome,
  MotionsRequest,
  type RatifiedAgain,
  RatifyRequest,
  type VerifiedAudit,
} from '../index.ts';
import { renderAccount } from '../render/motion-account.ts';
import { renderMotionsMarkdown } from '../render/motions-markdown.ts';
import {
  renderMotions,
  renderMotionsBrief,
  renderMotionsJson,
  renderRatification,
  renderRatificationJson,
  renderVotePlan,
} from '../render/motions.ts';
import { defineCommand, TrustFlags, withSubcommands } from './command.ts';
import {
  answer,
  noteEvent,
  notedCallOf,
  type Output,
  type Terminal,
  writeReport,
} from './terminal.ts';
import { Text } from '../core/words/fields.ts';

const vote = defineCommand({
  summary: 'Vote on the motions of a session: triage, reviews, panels, ratification',
  flags: MotionsRequest.extend({
    format: value(
      z.enum(['terminal', 'brief', 'markdown', 'json']).default('terminal'),
      'FORMAT',
      'Form of the report: terminal, brief (at most fifteen lines), markdown or json',
    ),
    json: flag('One summary object instead of text; the same as --format json'),
    ...TrustFlags.shape,
    dryRun: flag('Print what would be sent to whom, and ask nobody'),
    verbose: flag('Detail on standard error').meta({ short: 'v' }),
  }),
  epilogue: `Also:
  jury motions ratify --aggregations FILE --rules NAME   decide again from recorded counts;
                                                         with --explain ID: why one ends so
  jury motions show ID [--from DIR]                      why a motion passed, or did not
  jury motions verify-audit DIR                          check the audit trail of a vote
  jury motions sign DIR                                  sign it, for verify-audit with
                                                         --allowed-signers FILE`,
  async run({ format, json, verbose, trustConfig, dryRun, ...request }, terminal) {
    if (!dryRun)
      return holdVote(
        { format: json ? 'json' : format, verbose, trustConfig, request, resumes: null },
        terminal,
      );
    const plan = await createJury({ ...notedCallOf(terminal), trustConfig }).planVote(request);
    return answer(terminal, json || format === 'json', plan, () => renderVotePlan(plan));
  },
});

const renderers = {
  terminal: renderMotions,
  brief: renderMotionsBrief,
  markdown: renderMotionsMarkdown,
  json: renderMotionsJson,
};
type MotionsFormat = keyof typeof renderers;

/** That of a vote for the format of a run. Throws `UserError` (kind `usage`) where a vote has none. */
function formatOfVote({ format = 'terminal', json }: Output) {
  if (json) return 'json';
  if (Object.hasOwn(renderers, format)) return format as MotionsFormat;
  throw usageError(
    `A vote on motions has no ${format} report.`,
    'Use --format markdown or --format json.',
  );
}

/**
 * Goes on with a vote from the folder it was begun in: one that was interrupted, and one that ended with answers missing. One that
 * misses nothing is named and left alone.
 */
export async function resumeVote(
  { plan, ended }: ListedMotions,
  {
    trustConfig,
    ceilings,
    ...output
  }: Output & Pick<Vote, 'trustConfig'> & { readonly ceilings: Ceilings },
  terminal: Terminal,
) {
  const format = formatOfVote(output);
  if (!ended || (ended.counts.missing ?? 0) > 0) {
    const { timeout, ...limits } = ceilings;
    if (timeout !== undefined)
      throw usageError(
        'How long a member of a vote may take stands in the configuration.',
        'Leave --timeout out.',
      );
    const request = MotionsRequest.parse({ ...Object(plan.request), ...limits });
    return holdVote({ format, trustConfig, verbose: false, request, resumes: plan }, terminal);
  }
  terminal.note(
    `Run ${plan.run} has ended; nothing is missing. Its results are in ${ended.artifacts}.`,
  );
  return exitOf(ended);
}

/** As the vote ended. */
function exitOf({ counts }: NonNullable<ListedMotions['ended']>) {
  return exitCodeOf(outcomeOf(judgeEndedVote(counts)));
}

/** The report that a vote left, for `jury report` and `jury show`: Markdown, or what the run noted of it as JSON. */
export async function reportVote(
  { run, ended, report }: KeptVote,
  output: Output,
  terminal: Terminal,
) {
  const { out } = output;
  if (!ended || report === null)
    throw inputError(
      `Run ${run} is a vote on motions that has not ended.`,
      `To finish it, run "jury resume ${run}".`,
    );
  const text = formatOfVote(output) === 'json' ? printJson(ended) : report;
  if (out === undefined) terminal.write(text);
  else await writeReport(text, out, run, terminal);
  return out === undefined ? exitOf(ended) : 0;
}

interface Vote {
  format: MotionsFormat;
  verbose: boolean;
  trustConfig: boolean;
  request: MotionsRequest;
  resumes: ListedMotions['plan'] | null;
}

async function holdVote(
  { format, verbose, trustConfig, request, resumes }: Vote,
  terminal: Terminal,
) {
  const outcome = await createJury({
    ...terminal,
    trustConfig,
    cwd: resumes?.cwd ?? terminal.cwd,
    onEvent: noteEvent(terminal, ''),
  }).vote(request, { resumes: resumes?.run ?? null });
  if (!outcome) {
    terminal.note(
      'jury: Interrupted; every answer so far is saved. To go on, run "jury resume", or give the same command again.',
    );
    return programExits.interrupted;
  }
  if (verbose) noteDetail(outcome, terminal);
  terminal.write(renderers[format](outcome));
  const onward = sayOnward(outcome);
  if (outcome.isUnanswered)
    throw inputError(
      'Error: no review could be collected: ' +
        `${visibleName(commonestFailure(outcome.run) ?? 'nobody was asked').replace(/\.$/, '')}${placesOf(outcome)}.`,
      onward,
    );
  if (onward !== null) terminal.note(onward);
  return exitCodeOf(outcomeOf(outcome.reasons));
}

/** Where members were to be asked, for whoever has to look there. */
function placesOf({ run: { inputs } }: MotionsOutcome) {
  const { endpoints } = inputs;
  return endpoints.length === 0
    ? ''
    : ` (asked at ${makeVisible(endpoints.slice(0, 3).join(', '))})`;
}

/** How answers that are missing are asked for; null where none is, or no run could. */
function sayOnward({ run, runId, isUnanswered, missing }: MotionsOutcome) {
  if (missing === 0 || runId === null) return null;
  const onward = `"jury resume ${runId}" asks only for what is missing; --max-calls, --max-tokens and --max-cost give it another ceiling.`;
  if (isUnanswered) return `Nothing is lost: ${onward}`;
  const responses = [...run.responses, ...run.secondResponses];
  const why =
    commonestFailure({ responses }) ??
    run.panels.find(({ error }) => error !== null)?.error ??
    null;
  const because =
    why === null
      ? ''
      : ` (${missing === 1 ? '' : 'most often '}because: ${visibleName(why).replace(/\.$/, '')})`;
  return `jury: ${missing === 1 ? '1 answer is' : `${missing} answers are`} missing${because}. ${onward}`;
}

/** One word can be a folder; of two the first cannot. */
function refuseWords(name: string, args: readonly string[]) {
  const [first = '', second = '-'] = args;
  const meant = first.startsWith('-') ? null : didYouMean(nearest(first, Object.keys(subcommands)));
  if (meant !== null && !second.startsWith('-'))
    throw usageError(`There is no command "jury ${name} ${first}".`, meant);
  // The parser lets the last of the two win; here they are a contradiction.
  if (args.includes('--simulate') && args.includes('--no-simulate'))
    throw usageError('--simulate and --no-simulate exclude each other; give one of them.');
}

function noteDetail({ run }: MotionsOutcome, { note }: Terminal) {
  for (const { motion, riskTier, support, conflicts } of run.triaged) {
    note(
      `${motion.id}: ${riskTier}, support ${(100 * support).toFixed(1)}%, ${conflicts.length} in conflict`,
    );
    for (const { memberName, own, against, source } of conflicts)
      note(
        `  ${memberName}: ${source}: "${own}"${against === null ? '' : ` against "${against}"`}`,
      );
  }
  for (const { member, assigned, alreadyEndorsed } of run.packets)
    note(`${member.id}: ${assigned.length} assigned, ${alreadyEndorsed.length} endorsed already`);
  for (const { stance, archon_id, mega_motion_id, error } of [
    ...run.responses,
    ...run.secondResponses,
  ])
    if (stance === null) note(`${archon_id} on ${mega_motion_id}: no response: ${error ?? ''}`);
  for (const { event_type, occurred_at } of run.audit.events) note(`${occurred_at} ${event_type}`);
}

/** `jury motions ratify`: a decision replayed from recorded counts, or several compared. */
const ratify = defineCommand({
  summary: 'Apply a rule set to recorded counts alone; nothing is written',
  flags: RatifyRequest.extend({
    explain: word('ID', 'Tell why this motion (id or number) ends so, instead of all results'),
    json: flag('Everything as JSON'),
  }),
  epilogue: `Examples:
  jury motions ratify --aggregations aggregations.json --rules quorum --json
  jury motions ratify --aggregations aggregations.json --rules all
  jury motions ratify --aggregations aggregations.json --rules ./our-rules.json
  jury motions ratify --aggregations aggregations.json --explain 3`,
  async run({ explain, json, ...request }, terminal) {
    const ratified = await createJury(terminal).ratify(request);
    if (explain !== undefined) return explainRatified(ratified, explain, json, terminal);
    terminal.write(
      json ? renderRatificationJson(ratified) : renderRatification(ratified, terminal),
    );
    return exitCodeOf(
      outcomeOf(ratified.sets.flatMap(({ counts }) => judgeMotions(counts.incomplete, false))),
    );
  },
});

/** One rule set after the other. */
function explainRatified({ sets }: RatifiedAgain, id: string, json: boolean, terminal: Terminal) {
  const explained = sets.map(({ rules, accounts }) => ({
    rules,
    account: motionNamed(id, accounts),
  }));
  return answer(terminal, json, explained, () =>
    explained
      .map(({ rules, account }) => `Rules: ${rules}\n\n${renderAccount(account, terminal)}\n`)
      .join(''),
  );
}

/** `jury motions sign`: who vouches for the results of a vote. */
const sign = defineCommand({
  summary: 'Sign the results of a vote with a key of SSH: the head of their audit trail',
  flags: z.strictObject({
    path: positional('DIR', 'Result folder of a vote'),
    key: word(
      'FILE',
      'Private key; default: that of git where it signs with SSH, else ~/.ssh/id_ed25519',
    ),
  }),
  async run({ path, ...options }, terminal) {
    const { head, key, signature } = await createJury(terminal).signAudit(path, options);
    terminal.write(makeVisible(`Signed: ${signature} is the signature of head ${head} by ${key}.`));
    return 0;
  },
});

/** `jury motions verify-audit`: are the audit trail and the results of a vote what was written? */
const verifyAudit = defineCommand({
  summary:
    'Check that the files of a vote are as they were written, and that its answers give its results',
  flags: z.strictObject({
    path: positional('DIR|FILE', 'Result folder of a vote, or an audit_trail.json'),
    head: set(
      Text.regex(/^\s*[0-9a-f]{64}\s*$/i, 'must be a SHA-256 in hex'),
      'HASH',
      'Head of the audit trail, as it was noted when the vote ended',
    ),
    allowedSigners: word('FILE', 'File of those whose signature counts, as ssh-keygen reads it'),
    json: flag('The answer as JSON'),
  }),
  async run({ path, json, ...options }, terminal) {
    const verified = await createJury(terminal).verifyAudit(path, options);
    terminal.write(json ? escapeHidden(JSON.stringify(verified)) : describeAudit(verified));
    const { intact } = verified;
    return exitCodeOf(intact === null ? 'INCOMPLETE' : intact ? 'PASS' : 'FAIL');
  },
});

function describeAudit(verified: VerifiedAudit) {
  const { first_broken_seq: broken, events, head_sha256, first_difference: difference } = verified;
  const { changed, missing, added, anchors } = verified;
  const kinds = Object.entries({ changed, missing, added }).filter(([, names]) => names.length > 0);
  const results = {
    not_recorded:
      'Whether the results were changed is not known: this audit trail holds no hashes of them, like those of ' +
      'earlier versions of Jury.',
    not_checked: 'The results were not checked: name their folder to check them too.',
    intact: `The results are intact: ${verified.unchanged} files are as the audit trail records them.`,
    changed:
      'The results are not those that were written: ' +
      `${kinds.map(([kind, names]) => `${kind}: ${makeVisible(nameFew(names, 10))}`).join('; ')}.`,
  };
  const recount = {
    not_checked: difference && `The results were not counted again: ${difference}.`,
    not_recorded:
      'The results were not counted again: this folder does not hold what the vote was held on (vote_inputs.json) as ' +
      'this version of Jury reads it, like those of earlier ones.',
    same: 'The answers give these results: triage, packets, counts, panels and ratification were computed again.',
    different: `The answers do not give these results: ${makeVisible(difference ?? '')}.`,
  };
  return present(
    // Said first where it is so: a folder that fits together need not be the one that was written.
    [anchors.journal, anchors.head, anchors.signature].every(anchor => anchor === null) &&
      'Without an anchor: this folder was held against itself alone, and a vote of which all files were written anew ' +
        'would look the same. The journal of the run, --head and --allowed-signers are anchors.',
    broken === null
      ? `The audit trail is intact: ${events} events, head ${head_sha256}.`
      : `The audit trail is broken: event ${broken} does not follow from what stands before it.`,
    results[verified.results],
    recount[verified.recount],
    describeAnchors(verified),
  ).join('\n');
}

/** What is kept elsewhere and was held against the folder. */
function describeAnchors({ anchors, recount }: VerifiedAudit) {
  const { rules, journal, superseded, head, signature } = anchors;
  const said = [
    [
      rules,
      'the rule set is the one that ships with Jury',
      'the rule set is not the one that ships with Jury under its name',
    ],
    [
      journal,
      superseded
        ? 'the journal of the run notes this head and a later one, so that this is an earlier state of the vote'
        : 'the journal of the run ended with this head',
      'the journal of the run knows no such head: another vote stands here than was held',
    ],
    [head, 'the head is the one given', 'the head is not the one given'],
    [
      signature && signature.problem === null,
      `the head is signed by ${visibleName(signature?.signer ?? '')}`,
      `the head is not signed by an allowed signer (${visibleName(signature?.problem ?? '')})`,
    ],
  ];
  const known = said.flatMap(([is, yes, no]) => (is === null ? [] : is ? yes : no));
  const own =
    rules !== null || !/same|different/.test(recount)
      ? ''
      : ' None that ships with this version of Jury has the name and version of its rule set: what that demands is in ' +
        'vote_inputs.json alone.';
  return `Held against what is kept elsewhere: ${known.join('; ') || 'nothing'}.${own}`;
}

/** `jury motions show`: why a motion came to what it came to. */
const show = defineCommand({
  summary: 'Tell why a motion of a vote that ended passed, or why it did not',
  flags: z.strictObject({
    id: positional(
      'ID',
      'Motion: its id, or its number in the session',
      'Say which motion, by its id or its number in the session',
    ),
    from: value(
      Text.min(1).default('latest'),
      'DIR|RUN',
      'Result folder of a vote; or a run: id, a unique beginning of one, or latest',
    ),
    json: flag('The answer as JSON'),
  }),
  epilogue: `Examples:
  jury motions show 3
  jury motions show 3 --from _bmad-output/review-pipeline/session --json`,
  run: (question, terminal) => showMotion(question, terminal),
});

/** One motion of a vote, also for `jury show`. */
export async function showMotion(
  { json, ...question }: { readonly id: string; readonly from: string; readonly json: boolean },
  terminal: Terminal,
) {
  const { account, source } = await createJury(terminal).explainMotion(question);
  if (!json) terminal.note(`jury: From ${source}.`);
  return answer(terminal, json, account, () => renderAccount(account, terminal));
}

const subcommands = {
  ratify,
  show,
  sign,
  'verify-audit': verifyAudit,
};

export const motions = withSubcommands(vote, subcommands, refuseWords);
