/**
 * What a person decides: about claims with `jury accept`, `jury dismiss`, and `jury baseline` for the whole team; about what only
 * a person can, `jury approve`.
 */
import { z } from 'zod';
import { usageError } from '../core/errors.ts';
import { argument, flag, positional, set, text, value, word } from '../core/flags.ts';
import { present } from '../core/groups.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { sayOutcome } from '../core/verdict/outcome.ts';
import { Text, Texts } from '../core/words/fields.ts';
import { placeText } from '../core/words/finding.ts';
import {
  type Approved,
  Day,
  type Decided,
  type DecisionRequest,
  type Examined,
  type Grant,
  type MeantClaim,
  approvableRules,
  createJury,
  decisionScopes,
  exitCodeOf,
} from '../index.ts';
import { count, escapeHidden, oneLine, pathText } from '../render/figures.ts';
import { defineCommand } from './command.ts';
import { type Terminal, answer, confirm, notedCallOf } from './terminal.ts';

// `jury trust`: shows a configuration that was found here with all it names and wants, and allows exactly that.

const flags = z.strictObject({
  file: argument(
    Text.optional(),
    'FILE',
    'Configuration file; default: the one that is found upwards',
  ),
  at: text('REV', 'Look at it and its files as this commit has them, not as they are on disk'),
  yes: flag('Allow it without asking; needed where there is no terminal').meta({ short: 'y' }),
  repository: flag(
    "Allow what the default branch of this repository's remote holds, now and later",
  ),
  list: flag('List what is allowed'),
  revoke: text('ID', 'Take back what has this id, or begins so'),
  json: flag(
    'The result as JSON; of a configuration what it wants, allowing nothing without --yes',
  ),
});

export const trust = defineCommand({
  summary: 'Look at a configuration that was found here, and allow what it wants',
  flags,
  epilogue: `A configuration may seat the built-in reviewers without being asked about. That it may start programs, reach hosts or
read variables must be allowed once; when it, or a file of the project that it names, changes, it is asked for again.

Examples:
  jury trust                     the configuration that is found here
  jury trust --at main           as the branch main has it
  jury trust --list
  jury trust --revoke 3f2a91`,
  async run(request, terminal) {
    refuseTogether(request);
    const { file = null, at = null, json } = request;
    const jury = createJury(terminal);
    const say = (value: object, text: string) => answer(terminal, json, value, () => text);
    if (request.list) {
      const grants = await jury.trust.list();
      return say(grants, grants.map(describeGrant).join('\n') || 'Nothing is allowed.');
    }
    if (request.revoke !== undefined) {
      const id = await jury.trust.revoke(request.revoke);
      return say({ revoked: id }, `Taken back: ${id}`);
    }
    if (request.repository) {
      const question =
        'Any configuration on the default branch of its remote, now and later, may start programs, reach hosts and read variables.';
      terminal.note(question);
      if (!request.yes) await confirm('Allow that for this repository?', asking, terminal);
      const grant = await jury.trust.grantRepository();
      return say(grant, `Allowed: ${describeGrant(grant)}`);
    }
    const examined = await jury.trust.examine({ file, at });
    if (json && !request.yes)
      return say(
        { ...examined, files: examined.files.map(({ bytes: _bytes, ...named }) => named) },
        '',
      );
    if (!json) terminal.write(describeExamined(examined));
    if (!request.yes) await confirm('Allow all of that?', asking, terminal);
    const grant = await jury.trust.grant(examined);
    return say(grant, `Allowed: ${describeGrant(grant)}`);
  },
});

const asking = { refused: 'Nothing was allowed', reader: 'Whoever has read the above adds --yes.' };

function refuseTogether({ file, at, repository, list, revoke }: z.output<typeof flags>) {
  const named = present(
    file !== undefined && 'FILE',
    at !== undefined && file === undefined && '--at',
    repository && '--repository',
    list && '--list',
    revoke !== undefined && '--revoke',
  );
  if (named.length > 1)
    throw usageError(`${named.join(' and ')} exclude each other; give one of them.`);
}

function describeGrant(grant: Grant) {
  const what = grant.kind === 'repository' ? `${grant.root} (default branch)` : grant.file;
  return makeVisible(`${grant.id.slice(0, 12)}  ${grant.granted.slice(0, 10)}  ${what}`);
}

/** In full, what is wanted last: that is what stands above the question. */
function describeExamined({ file, text, files, demands, hash, isGranted }: Examined) {
  return present(
    ...describeText(file, text),
    ...files.flatMap(({ name, bytes, leadsTo }) =>
      leadsTo !== null
        ? [makeVisible(`── ${name}: a link out of the project, to ${leadsTo}`)]
        : describeText(
            name,
            !bytes || bytes.includes(0) ? null : bytes.toString('utf8'),
            bytes?.length,
          ),
    ),
    '── What it wants',
    demands.length === 0 && '  nothing but the built-in reviewers',
    ...demands.map(({ kind, what, by }) =>
      makeVisible(`  ${kind} ${what} (${by})`).replaceAll('\n', '⏎'),
    ),
    '',
    `Hash: ${hash}${isGranted ? ', allowed already' : ''}`,
  ).join('\n');
}

/** Each line behind a bar, so that no file can look like the end of itself. `text` null: it is none. */
function describeText(name: string, text: string | null, size = 0) {
  const title = makeVisible(`── ${name}`).replaceAll('\n', '⏎');
  if (text === null) return [`${title}: no text, ${size} bytes`];
  const lines = makeVisible(text).replace(/\n$/, '').split(/\r?\n/);
  return [title, ...lines.map(line => `│ ${line}`)];
}

const ClaimName = positional(
  'CLAIM',
  'Claim (c-…) of the latest run, or any that is remembered',
  'Say which claim, by its id or the beginning of one',
);

const unexplained = 'Say why, for whoever reads it later';

const Why = value(
  z.string({ error: unexplained }).trim().min(1, unexplained),
  'TEXT',
  'Why, for whoever reads it later',
);

const RecordFlags = {
  baseline: flag('Write it to jury.baseline.json too: commit it to the base, where it counts'),
  json: flag('Print the record as JSON'),
};

export const accept = defineCommand({
  summary: 'Confirm a claim as real',
  flags: z.strictObject({
    claim: ClaimName,
    reason: value(Text.default(''), 'TEXT', 'What confirms it'),
    ...RecordFlags,
  }),
  epilogue: 'It counts for the reviewers who said it, and ends an earlier dismissal.',
  async run({ claim, reason, baseline, json }, terminal) {
    const scope = 'claim';
    return decide(
      { claim, reason, baseline, verdict: 'accepted', scope, until: null },
      json,
      terminal,
    );
  },
});

const verdicts = { false: 'rejected', tolerated: 'tolerated' } as const satisfies Record<
  string,
  DecisionRequest['verdict']
>;

/** `jury dismiss`: a claim that shall not come back. */
export const dismiss = defineCommand({
  summary: 'Dismiss a claim, so that it does not come back while its code stays as it is',
  flags: z
    .strictObject({
      claim: ClaimName,
      reason: set(Why, 'TEXT', 'Why, for whoever reads it later; not needed with --same-as'),
      sameAs: word('CLAIM', 'It is the same trouble as this other claim'),
      as: set(
        z.enum(['false', 'tolerated']),
        'WORD',
        'false: it is not so, which counts against those who said it; tolerated: it is, and stays; default: false, with ' +
          '--same-as tolerated',
      ),
      until: set(Day, 'DATE', 'Last day on which the dismissal holds; default: for good'),
      scope: value(
        z.enum(decisionScopes).default('claim'),
        'SCOPE',
        'What is dismissed: this claim, or everything at most as severe about its file or of its category',
      ),
      ...RecordFlags,
    })
    .refine(({ reason, sameAs }) => reason !== undefined || sameAs !== undefined, {
      path: ['reason'],
      error: unexplained,
    }),
  epilogue: `Examples:
  jury dismiss c-0123456789 --reason "the list is never empty here"
  jury dismiss c-01 --reason "until the rewrite" --as tolerated --until 2027-03-31
  jury dismiss c-01 --same-as c-45
  jury dismiss c-01 --reason "generated code" --scope file --baseline`,
  async run({ claim, reason = '', sameAs, as, until, scope, baseline, json }, terminal) {
    const verdict = verdicts[as ?? (sameAs === undefined ? 'false' : 'tolerated')];
    const request = { claim, reason, sameAs, scope, baseline, verdict, until: until ?? null };
    return decide(request, json, terminal);
  },
});

/** `jury baseline`: all decisions about claims, in a file for the whole team. */
export const baseline = defineCommand({
  summary: 'Write all decisions about claims to a file to commit',
  flags: z.strictObject({
    json: flag('Print path and number of decisions as JSON'),
  }),
  epilogue:
    'It counts once it is committed to the base of a change. To take a decision back, accept the claim or remove its entry.',
  async run({ json }, terminal) {
    const written = await createJury(notedCallOf(terminal)).writeBaseline();
    const words = !written
      ? 'Nobody has dismissed or accepted a claim here; nothing was written.'
      : `${count(written.dispositions, 'decision')} written to ${written.file}.`;
    terminal.write(json ? escapeHidden(JSON.stringify(written)) : words);
    return 0;
  },
});

/** `jury approve`: what a run asks a person about, or nobody could read, may pass in this very change. */
export const approve = defineCommand({
  summary: 'Let pass what a run asks a person about, in this very change',
  flags: z.strictObject({
    rule: argument(
      z.string({ error: `Say what is approved: ${approvableRules.join(' or ')}` }).min(1),
      'RULE',
      'require-human: files that only a person may judge; unread: a submodule or a binary file that nobody can read',
      { usual: approvableRules },
    ),
    run: value(
      z.string({ error: 'Say which run you have read the report of' }).min(1),
      'RUN',
      'Run id, a unique beginning of one, or latest',
    ),
    path: value(
      Texts.optional(),
      'PATH',
      'What of it is meant; default: all of require-human. Must be given for unread',
      { variadic: true },
    ),
    reason: Why,
    json: flag('Print the approval and the outcome as JSON'),
  }),
  epilogue: `It holds for this change as it is, in later reviews too; when anything of the change moves, it is asked for again. What
fails a run, and a review that is missing, cannot be approved.

Examples:
  jury approve require-human --run latest --reason "the workflow only gains a cache"
  jury approve unread --run latest --path logo.png --reason "opened it: the new logo"`,
  async run({ rule, run, path, reason, json }, terminal) {
    const approved = await createJury(notedCallOf(terminal)).approve({
      rule,
      run,
      paths: path ?? null,
      reason,
    });
    const { outcome, reasons } = approved.run.record;
    const data = { ...approved.approval, outcome, exitCode: exitCodeOf(outcome), reasons };
    return answer(terminal, json, data, () => describeApproved(approved));
  },
});

const mostReasons = 5;

/** What it comes to now is said by the judges of the run. */
function describeApproved({ approval, run: { record } }: Approved) {
  const { reasons } = record;
  return present(
    `Approved by ${oneLine(approval.by)} in run ${record.run}: ` +
      `${approval.things.map(({ subject }) => pathText(subject)).join(', ')} (${oneLine(approval.reason)}).`,
    'It holds for this change as it is; when anything of it moves, it is asked for again.',
    `The run is now ${sayOutcome(record)}${reasons.length === 0 ? '.' : ':'}`,
    ...reasons.slice(0, mostReasons).map(({ sentence }) => `  - ${oneLine(sentence)}`),
    reasons.length > mostReasons && `  … and ${reasons.length - mostReasons} more`,
  ).join('\n');
}

/** Run and claim, before anything is decided about it: an id may have meant another one. Where a program reads, it stands beside. */
function announceTo(terminal: Terminal, json: boolean): (meant: MeantClaim) => void {
  return ({ id, text, severity, run, number, place }) => {
    const where =
      run === null
        ? 'From the baseline'
        : number === null
          ? `Of an earlier run, ${run}`
          : `Run ${run}, number ${number}`;
    const at = !place ? '' : `, ${pathText(placeText(place))}`;
    const words = `${where}: ${id}, ${severity}${at}\n  ${oneLine(text)}`;
    if (json) terminal.note(words);
    else terminal.write(words);
  };
}

async function decide(request: DecisionRequest, json: boolean, terminal: Terminal) {
  const jury = createJury(notedCallOf(terminal));
  const decided = await jury.decide(request, announceTo(terminal, json));
  return answer(terminal, json, { ...decided.disposition, baseline: decided.file }, () =>
    describeDecision(decided),
  );
}

/** What a person is told about the decision just made. */
function describeDecision({ disposition, file }: Decided) {
  const { claim, path, verdict, scope, until } = disposition;
  const what = {
    claim,
    file: `everything about ${pathText(path ?? '')} at most as severe as ${claim}`,
    category: `everything of the category ${oneLine(disposition.category ?? '')} at most as severe as ${claim}`,
  }[scope];
  const returns =
    scope === 'claim' && disposition.code === null
      ? `No line of code is known of it: it stays away until ${until ?? 'somebody accepts it or says it to be worse'}.`
      : scope === 'claim'
        ? `It comes back when its code changes or somebody says it to be worse${until === null ? '' : `, or after ${until}`}.`
        : until === null
          ? ''
          : `It holds until ${until}.`;
  return present(
    verdict === 'accepted' ? `Accepted ${claim} as real.` : `Dismissed ${what}.`,
    verdict !== 'accepted' && returns !== '' && returns,
    file !== null && `Written to ${file}; commit it for the others.`,
  ).join('\n');
}
