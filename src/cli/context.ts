/** `jury context`: the pack a role gets, and what became of those that were written. */
import type { PackReport } from '../core/context/packing/local-pack.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import type { IndexStatistics, Refreshed } from '../core/words/code-index.ts';
import { count, shortCount } from '../render/figures.ts';
import { lines, literal, say, table, title } from '../render/section.ts';
import { paintTerminal, type RenderOptions } from '../render/to-terminal.ts';
import { present } from '../core/groups.ts';
import { usageError } from '../core/errors.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { type BuiltIndex, createJury } from '../index.ts';
import { argument, flag, set, text, value, word } from '../core/flags.ts';
import { z } from 'zod';
import { renderHits } from '../render/show.ts';
import { defineCommand } from './command.ts';
import { answer, notedCallOf, type Terminal } from './terminal.ts';
import { Capability, agentNames } from '../core/context/scope.ts';
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

/** For commands that read the whole project: what was finished is kept; nothing has to be said about the rest. */
async function unlessInterrupted(terminal: Terminal, work: () => Promise<number>) {
  try {
    return await work();
  } catch (error) {
    if (terminal.signal.aborted) return programExits.interrupted;
    throw error;
  }
}

// A pack and the index, as a person wants to read them.

const reasons = {
  satisfied: 'every changed line is shown and every name on them is explained',
  budget: 'the next addition would not fit the budget',
  anchors: 'a pack quotes 24 places at most, more only of changed lines',
  exhausted: 'everything was looked through and names are left over',
} as const;

/** A pack as a person wants to read it: what it is, the text itself, what was left out and why. */
function renderContextPack({ pack, rendered, side }: PackReport) {
  const { files, changed_lines, modules } = side.scope;
  return present(
    `${pack.agent} · ${pack.scope_class} · ${pack.model_capability} · ${pack.token_estimate} of ` +
      `${side.budget} tokens ` +
      `(${side.counter.name})${!side.part ? '' : ` · pack ${side.part.number} of ${side.part.of}`}`,
    `${count(files, 'file')}, ${count(changed_lines, 'changed line')}, ${count(modules, 'module')} · rung ${side.rung_reached}, ` +
      `${side.stop_reason}: ${reasons[side.stop_reason]}`,
    side.pack_uri,
    '',
    makeVisible(rendered.trimEnd()),
    '',
    ...section(
      'Left out',
      side.evicted.map(
        ({ anchor, distance, tokens }) => `${anchor} (distance ${distance}, ${tokens} tokens)`,
      ),
    ),
    ...section(
      'Not found',
      side.unresolved.map(({ symbol, at, reason }) => `${symbol} at ${at}: ${reason}`),
    ),
    side.external.length > 0 && `From outside: ${side.external.join(', ')}`,
    side.redactions !== 0 && `Secrets taken out: ${side.redactions}`,
  ).join('\n');
}

function section(title: string, entries: readonly string[]) {
  return entries.length === 0
    ? []
    : [`${title}:`, ...entries.map(entry => `  ${makeVisible(entry)}`)];
}

function renderIndex(
  { refreshed, statistics }: { refreshed: Refreshed; statistics: IndexStatistics },
  withTables: boolean,
  options: RenderOptions,
) {
  const { branch, files, tokens, counter, languages, skipped } = statistics;
  const left = skipped.reduce((sum, reason) => sum + reason.files, 0);
  const facts = [
    count(files, 'file'),
    `${shortCount(statistics.lines)} lines`,
    `${shortCount(tokens)} tokens (${counter.estimated ? 'estimated: ' : ''}${counter.name})`,
    `${shortCount(statistics.definitions)} definitions`,
    `${shortCount(statistics.references)} uses of names`,
    count(statistics.imports, 'import'),
  ].join(', ');
  const tables = [
    ...table(
      ['LANGUAGE', right('FILES'), right('TOKENS')],
      languages.map(each => [each.language, each.files, shortCount(each.tokens)]),
    ),
    ...table(
      ['SKIPPED', right('FILES')],
      skipped.map(each => [each.reason, each.files]),
    ),
  ];
  return paintTerminal(
    [
      title(1, ...say`${literal(branch)}  ${facts}`),
      ...lines([
        `${count(refreshed.indexed, 'content')} read, ${refreshed.reused} known already; ${count(left, 'file')} skipped`,
      ]),
      ...(withTables ? tables : []),
    ],
    options,
  );
}

function right(name: string) {
  return { title: name, align: 'right' as const };
}
