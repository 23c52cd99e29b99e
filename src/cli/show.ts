/**
 * Drills down from the short answer: `jury show` tells one thing a run said, `jury explain` why a claim is one, `jury
 * verdicts` who said what.
 */
import { argument, flag, positional, text, word } from '../core/flags.ts';
import { z } from 'zod';
import { createJury } from '../index.ts';
import { usageError } from '../core/errors.ts';
import { renderExplanation } from '../render/explanation.ts';
import { renderNamed } from '../render/show.ts';
import { renderVerdicts, verdictViews } from '../render/verdict-table.ts';
import { defineCommand } from './command.ts';
import { answer, callOf, notedCallOf } from './terminal.ts';
import { Text } from '../core/words/fields.ts';

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
    const vote = await createJury(callOf(terminal)).readVote(wanted);
    if (vote !== null) {
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
    const { text, warnings } = renderVerdicts[view](folder);
    for (const warning of warnings) terminal.note(`jury: ${warning}`);
    if (text !== '') terminal.write(text);
    return 0;
  },
});

function oneOf(dir: string | undefined, run: string | undefined) {
  if (dir !== undefined && run !== undefined)
    throw usageError('--dir and a run exclude each other.', 'Give one of them.');
  return dir === undefined ? { run: run ?? 'latest' } : { dir };
}
