/** `jury trust`: shows a configuration that was found here with all it names and wants, and allows exactly that. */
import { argument, flag, text } from '../core/flags.ts';
import { z } from 'zod';
import { createJury, type Examined, type Grant } from '../index.ts';
import { usageError } from '../core/errors.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { defineCommand } from './command.ts';
import { answer, confirm } from './terminal.ts';
import { Text } from '../core/words/fields.ts';
import { present } from '../core/groups.ts';

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
            bytes === null || bytes.includes(0) ? null : bytes.toString('utf8'),
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
