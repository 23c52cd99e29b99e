/** `jury context`: the pack a role gets, and what became of those that were written. */
import { argument, flag, set, text, value, word } from '../core/flags.ts';
import { z } from 'zod';
import { type BuiltIndex, createJury } from '../index.ts';
import { renderContextPack, renderHits, renderIndex } from '../render/code-index.ts';
import { defineCommand } from './command.ts';
import { answer, notedCallOf, type Terminal, unlessInterrupted } from './terminal.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { Capability, agentNames } from '../core/context/scope.ts';
import { usageError } from '../core/errors.ts';
import { Flag, Texts, Whole, preset } from '../core/words/fields.ts';

const Flags = z.strictObject({
  words: argument(
    Texts.default([]),
    'RANGE|FILE',
    'A range, a range and the paths it is limited to, or files; default: the last commit. Or: check PACK, show URI',
  ),
  paths: preset(Texts, [], 'Behind --: only these files, folders or globs of the change').meta({
    internal: true,
    afterDashes: true,
  }),
  separated: Flag.default(false).meta({ internal: true }),
  agent: value(z.enum(agentNames).default('Reviewer'), 'NAME', 'Role the pack is for'),
  capability: set(
    Capability,
    'NAME',
    'What its model is good at; default: that of --model, else reasoning_high',
  ),
  model: text('MODEL', 'Model whose capability the configuration tells'),
  staged: flag('What is staged against HEAD'),
  worktree: flag('The working tree against HEAD, untracked files included'),
  task: word('ID', 'Id of the task'),
  goal: word('TEXT', 'What the role is to do'),
  accept: value(
    Texts.default([]),
    'TEXT',
    'Acceptance criteria; files and symbols they name are shown',
    { variadic: true },
  ),
  constraint: value(Texts.default([]), 'TEXT', 'Constraints', { variadic: true }),
  revision: text(
    'COMMIT',
    'With check and show: the commit whose files the pack is held against; default: the working tree',
  ),
  config: text('FILE', 'Configuration file; default: jury.config.yaml or .json, found upwards'),
  json: flag('Print the pack as JSON; several of a change too large for one as {packs: […]}'),
});

type Input = z.output<typeof Flags>;

export const context = defineCommand({
  summary: 'Show the context pack a role gets: what is in it, what was left out and why',
  flags: Flags,
  epilogue: `Examples:
  jury context main..HEAD --agent Reviewer --capability reasoning_high
  jury context main..HEAD -- src/api
  jury context --staged --json
  jury context check resources://runs/RUN/context/Reviewer.lcp.json
  jury context show resources://runs/RUN/context/Reviewer.lcp.json

check exits with 0 when all is good, 1 with findings, 2 when the pack cannot be read.`,
  async run(input, terminal) {
    const [verb, named, ...rest] = input.words;
    if (verb !== 'check' && verb !== 'show')
      return unlessInterrupted(terminal, () => pack(input, terminal));
    if (named === undefined || rest.length > 0)
      throw usageError(
        `jury context ${verb} takes one pack.`,
        'Name a file or a resources:// address.',
      );
    return unlessInterrupted(terminal, () =>
      verb === 'check' ? check(named, input, terminal) : show(named, input, terminal),
    );
  },
});

async function pack(
  {
    capability,
    model,
    task,
    goal,
    constraint,
    config,
    json,
    revision: _revision,
    ...request
  }: Input,
  terminal: Terminal,
) {
  const report = await createJury(notedCallOf(terminal)).context.pack({
    ...request,
    constraints: constraint,
    capability: capability ?? null,
    model: model ?? null,
    task: task ?? null,
    goal: goal ?? null,
    config: config ?? null,
  });
  const reports = [report, ...report.further];
  const packs = reports.map(one => one.pack);
  if (json) for (const { side } of reports) terminal.note(`jury: ${side.pack_uri}`);
  return answer(terminal, json, packs.length === 1 ? report.pack : { packs }, () =>
    reports.map(renderContextPack).join('\n\n'),
  );
}

async function check(named: string, { revision, json }: Input, terminal: Terminal) {
  const { context } = createJury(notedCallOf(terminal));
  const { findings } = await context.check(named, revision ?? null);
  answer(terminal, json, { schema: 1, pack: named, findings }, () =>
    makeVisible(findings.join('\n') || `${named} is good.`),
  );
  return findings.length === 0 ? 0 : 1;
}

async function show(named: string, { revision, json }: Input, terminal: Terminal) {
  const { context } = createJury(notedCallOf(terminal));
  const { rendered, refreshed } = await context.show(named, revision ?? null);
  for (const { anchor, action } of refreshed) terminal.note(`jury: ${anchor} was ${action}.`);
  return answer(terminal, json, { schema: 1, pack: named, rendered, refreshed }, () => rendered);
}

export const index = defineCommand({
  summary:
    'Bring the code index up to date: what the files of the project define, use and import, and their tokens',
  flags: z.strictObject({
    stats: flag('Count by language and by reason why files are skipped'),
    revision: text('COMMIT', 'Commit to index; default: the working tree'),
    json: flag('Print everything as JSON, one entry for each file'),
  }),
  epilogue:
    'Only what has changed is read. The index is kept outside of the project and can be deleted at any time.',
  async run({ stats, revision = null, json }, terminal) {
    return unlessInterrupted(terminal, async () => {
      const built = await createJury(notedCallOf(terminal)).index({ revision });
      return answer(terminal, json, toJson(built), () => renderIndex(built, stats, terminal));
    });
  },
});

function toJson({ refreshed, statistics, files, skipped }: BuiltIndex) {
  const { branch, tree, tokens, counter, definitions, references, imports } = statistics;
  return {
    schema: 1,
    branch,
    tree,
    total_tokens: tokens,
    counter,
    definitions,
    references,
    imports,
    ...refreshed,
    files,
    skipped,
  };
}

/** `jury search`: passages of the project that match a query. */
export const search = defineCommand({
  summary:
    'Search the code of the project; words are found in any of the ways identifiers are written',
  flags: z.strictObject({
    query: argument(
      z.string({ error: 'Say what to search for, in words or identifiers' }),
      'QUERY',
      'Words or identifiers',
    ),
    limit: value(Whole.min(1).max(1_000).default(10), 'N', 'Passages at most'),
    revision: text('COMMIT', 'Commit to search; default: the working tree'),
    json: flag('Print the passages as JSON'),
  }),
  epilogue:
    'jury search "parse patch"     finds parsePatch and parse_patch too\njury search openRepository    shows its definition first',
  async run({ query, limit, revision = null, json }, terminal) {
    return unlessInterrupted(terminal, async () => {
      const hits = await createJury(notedCallOf(terminal)).search({ query, limit, revision });
      return answer(terminal, json, hits, () => renderHits(hits, query, terminal));
    });
  },
});
