/**
 * The runs kept on this machine: `jury runs` lists them, `jury import` adds some to look at, `jury stats` counts them by reviewer,
 * `jury clean` removes them after naming them.
 */
import { usageError } from '../core/errors.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { CleanRequest, ImportRequest, type Importable, createJury } from '../index.ts';
import { printJson, count } from '../render/figures.ts';
import { z } from 'zod';
import { argument, flag, positional, text, word } from '../core/flags.ts';
import { Text } from '../core/words/fields.ts';
import { renderExplanation } from '../render/explanation.ts';
import { renderNamed, renderVerdicts, verdictViews, verdictWarnings } from '../render/show.ts';
import { renderRuns, renderStatistics } from '../render/statistics.ts';
import { defineCommand } from './command.ts';
import { answer, confirm, notedCallOf, type Terminal } from './terminal.ts';

export const runs = defineCommand({
  summary: 'List the runs on this machine',
  flags: z.strictObject({ json: flag('Print the records as JSON') }),
  async run({ json }, terminal) {
    const { ended, unfinished, votes, imported } = await createJury(notedCallOf(terminal)).list();
    const records = [...ended, ...imported];
    return answer(terminal, json, [...records, ...unfinished, ...votes], () =>
      renderRuns(records, terminal, unfinished, votes),
    );
  },
});

/** `jury import`: takes runs that were made elsewhere, to be shown and for nothing else. */
const importing = defineCommand({
  summary: 'Take runs that were made elsewhere, to look at',
  flags: ImportRequest.extend({
    yes: flag('Import without asking; needed where there is no terminal').meta({ short: 'y' }),
    json: flag('The result as JSON'),
  }),
  epilogue: `An imported run is listed and shown. It is never gone on with, never the answer to a review or the latest run, and counts
in no statistics. Decisions about claims are not imported.

Examples:
  jury import                    the .jury that version 0.1 kept in this project
  jury import artifacts/jury     what a CI run has left`,
  async run({ yes, json, dir }, terminal) {
    const result = await createJury(notedCallOf(terminal)).importRuns({ dir }, async found => {
      for (const line of describeImportable(found)) terminal.note(line);
      if (!yes)
        await confirm(
          `Import ${count(found.found.length, 'run')} to look at?`,
          { refused: 'Nothing was imported', reader: 'Whoever wants the above adds --yes.' },
          terminal,
        );
      return true;
    });
    if (result.found.length === 0)
      for (const line of describeImportable(result)) terminal.note(line);
    if (json) terminal.write(printJson(result));
    else for (const id of result.imported) terminal.write(`${id}  imported: jury show ${id}\n`);
    terminal.note(
      `jury: ${count(result.imported.length, 'run')} imported, ${result.skipped.length} skipped.`,
    );
    const isUnusable = result.found.length === 0 && result.skipped.some(({ isHere }) => !isHere);
    return isUnusable ? programExits.unusableInput : 0;
  },
});

export { importing as import };

function describeImportable({ folder, found, skipped, left }: Importable) {
  return [
    `From ${folder}:`,
    ...found.map(
      ({ run, command, said, title, startedAt }) =>
        `  ${run}  ${startedAt.slice(0, 10)}  ${command}: ${said ?? 'ANSWERED'} there  ${title.slice(0, 80)}`,
    ),
    ...skipped.map(({ name, why }) => `  ${name.slice(0, 80)}  skipped: ${why}`),
    ...left,
  ].map(line => makeVisible(line).replaceAll('\n', '⏎'));
}

/** `jury stats`: what each reviewer cost and brought. */
export const stats = defineCommand({
  summary: 'What each reviewer cost and brought, and what the panel would lose without it',
  flags: z.strictObject({ json: flag('Print the figures as JSON') }),
  epilogue:
    'Precision is counted from the claims that people accepted or dismissed, with its 95 % interval after Wilson (1927).',
  async run({ json }, terminal) {
    const statistics = await createJury(notedCallOf(terminal)).statistics();
    return answer(terminal, json, statistics, () => renderStatistics(statistics, terminal));
  },
});

/** `jury clean`: removes the runs on this machine, after naming them. */
export const clean = defineCommand({
  summary: 'Remove the runs of this project',
  flags: CleanRequest.extend({
    yes: flag('Remove them without asking').meta({ short: 'y' }),
    json: flag('The result as JSON'),
  }),
  epilogue: `What is remembered about claims stays; a run that a process works on stays too. At a terminal you are asked first: what
reviewers answered there has been paid for.

Examples:
  jury clean --dry-run
  jury clean --older-than 3`,
  async run({ json, yes, ...request }, terminal) {
    const jury = createJury(terminal);
    if (!yes && !json && !request.dryRun && isAnswerable(terminal)) {
      const { removed } = await jury.clean({ ...request, dryRun: true });
      if (removed.length > 0)
        await confirm(
          `Remove ${count(removed.length, 'run')} of this project, with what was answered there?`,
          { refused: 'Nothing was removed', reader: '' },
          terminal,
        );
    }
    const cleaned = await jury.clean(request, ids => {
      if (!json) for (const id of ids) terminal.write(`${id}\n`);
    });
    if (json) terminal.write(printJson(cleaned));
    else
      terminal.note(
        `jury: ${count(cleaned.removed.length, 'run')} ${cleaned.dryRun ? 'would be removed' : 'removed'}, ${cleaned.kept.length} kept.`,
      );
    return 0;
  },
});

/** Is there a person who sees a question and can answer it? Nobody watches the terminals that some CI gives its programs. */
function isAnswerable({ streams, environment }: Terminal) {
  return streams.stdin.isTTY === true && streams.stderr.isTTY === true && !environment.CI;
}

// Drills down from the short answer: `jury show` tells one thing a run said, `jury explain` why a claim is one, `jury verdicts` who
// said what.

export const show = defineCommand({
  summary: 'Show one claim, finding or review of a run, or one motion of a vote',
  flags: z.strictObject({
    run: argument(
      Text.default('latest'),
      'RUN',
      'Run id, a unique beginning of one, or latest; or an id of the last answer',
    ),
    id: argument(
      Text.optional(),
      'CLAIM|REVIEWER',
      'Claim (c-…), finding (reviewer/id) or reviewer; of a vote, a motion; default: the whole report',
    ),
    full: flag('Everything that is known, with the raw text'),
  }),
  epilogue: `Examples:
  jury show latest
  jury show c-0123456789
  jury show latest secrets/1 --full`,
  async run({ run: wanted, id: given, full }, terminal) {
    const vote = await createJury(terminal).readVote(wanted);
    if (vote) {
      const { reportVote, showMotion } = await import('./motions.ts');
      if (given !== undefined)
        return showMotion({ id: given, from: vote.run, json: false }, terminal);
      await reportVote(vote, {}, terminal);
      return 0;
    }
    const shown = await createJury(notedCallOf(terminal)).show(wanted, given ?? null, { full });
    terminal.write(renderNamed(shown, { ...terminal, full }));
    return 0;
  },
});

/** `jury explain`: why a claim is what it is. */
export const explain = defineCommand({
  summary: 'Tell why findings are one claim, why its neighbours are not, and how sure that is',
  flags: z.strictObject({
    claim: positional(
      'CLAIM',
      'Claim (c-…) of the latest run, or any that is remembered',
      'Say which claim, by its id or the beginning of one',
    ),
    run: text(
      'RUN',
      'Run to look at: id, a unique beginning of one, or latest; default: the latest that holds the claim',
    ),
    json: flag('Print the explanation as JSON'),
  }),
  async run({ claim, run, json }, terminal) {
    const explanation = await createJury(notedCallOf(terminal)).explain({
      claim,
      run: run ?? null,
    });
    return answer(terminal, json, explanation, () => renderExplanation(explanation, terminal));
  },
});

/** `jury verdicts`: tabulates the verdict files of a folder or of a run, for scripts. */
export const verdicts = defineCommand({
  summary: 'Tabulate verdict files',
  flags: z.strictObject({
    named: argument(
      Text.min(1).optional(),
      'RUN',
      'Run id, a unique beginning of one, or latest (default)',
    ),
    dir: word('DIR', 'Folder with verdict files, of any tool'),
    run: word('RUN', 'The same as RUN'),
    table: flag('Status, agent and summary, a line each (default)'),
    counts: flag('How many there are of each status'),
    attention: flag('Agent, number of findings and detail file of those that need a look'),
    tokens: flag('Sum of the tokens spent'),
    json: flag('Everything as JSON'),
  }),
  epilogue: `Examples:
  jury verdicts latest
  jury verdicts --dir verdicts --counts`,
  async run({ dir, named, run = named, ...flags }, terminal) {
    if (named !== undefined && run !== named)
      throw usageError('RUN and --run name two runs; give one of them.');
    const [view = 'table', ...others] = verdictViews.filter(name => flags[name]);
    if (others.length > 0)
      throw usageError(
        `Only one of ${verdictViews.map(name => `--${name}`).join(', ')} can be printed at a time.`,
      );
    const folder = await createJury(notedCallOf(terminal)).verdicts(oneOf(dir, run));
    if (folder.isMissing) terminal.note(`jury: The folder ${folder.dir} does not exist.`);
    for (const warning of verdictWarnings(view, folder)) terminal.note(`jury: ${warning}`);
    const text = renderVerdicts[view](folder);
    if (text !== '') terminal.write(text);
    return 0;
  },
});

function oneOf(dir: string | undefined, run: string | undefined) {
  if (dir !== undefined && run !== undefined)
    throw usageError('--dir and a run exclude each other.', 'Give one of them.');
  return dir === undefined ? { run: run ?? 'latest' } : { dir };
}
