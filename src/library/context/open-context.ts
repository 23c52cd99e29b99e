/**
 * Opens what packs are assembled from: the index of the changed tree, its texts, its history and the knowledge of the project;
 * and what the tools of reviewers stand on.
 */
import type { GitRepository } from '../../adapters/git/repository.ts';
import { openCodeIndex, rebuilding } from '../../adapters/index/code-index.ts';

import {
  type Knowledge,
  listKnowledge,
  readResource,
  runNamePattern,
  sidePath,
} from '../../adapters/store/resources.ts';
import { keepPack, packsOfOthers } from '../../adapters/store/runs.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { sha256 } from '../../core/hash.ts';
import { loadTokenCounter } from '../../adapters/tokens/token-counter.ts';
import { createSecretScanner } from '../../checks/index.ts';
import { type CodeView, createCodeView } from '../../core/context/packing/code-view.ts';
import { type Candidate, candidateOf } from '../../core/context/packing/fit.ts';
import { revisionOf, union } from '../../core/context/packing/line-range.ts';
import { ifUserError, inputError } from '../../core/errors.ts';
import { remember } from '../../core/groups.ts';
import type { Tree } from '../../core/ports/repository.ts';
import { parseResourceUri, runResourceUri } from '../../core/run-files/run-page.ts';
import { splitLines } from '../../core/text.ts';
import type { Subject } from '../../core/words/change.ts';
import type { Plan } from '../../core/words/plan.ts';
import { type BranchHouse, createBranchDesk } from '../../engine/tools/reviewer-tools.ts';
import { type Call, noteTo, withRepository } from '../call.ts';
import { openState, type OwnState } from '../own-state.ts';
import { type ContextWorld, openTexts } from '../../engine/context/context-texts.ts';
import {
  hasTooManyAnchors,
  LocalPack,
  mostAnchors,
  type PackPart,
  SideFile,
} from '../../core/context/packing/local-pack.ts';
import { type CurrentFiles, partsOf } from '../../core/context/packing/written-pack.ts';
import { type PackSizes, packSizes } from '../../core/context/scope.ts';
import { parseJson } from '../../core/json.ts';
import { basename, dirname, join, resolve } from 'node:path';
import { readRegularFile } from '../../adapters/system/given-file.ts';

interface OpenContext extends ContextWorld {
  close(): void;
}

const mostFileBytes = 64 * 1024 * 1024;
/** Longer files are not quoted. */
const mostQuotedBytes = 2 * 1024 * 1024;

/** Null when there is no tree to index: no change, a patch, anything outside of git. Whole files are those of the working tree. */
export async function openContext(
  subject: Subject,
  repository: GitRepository,
  state: OwnState,
  call: Call,
): Promise<OpenContext | null> {
  if (subject.kind !== 'change' || repository.root === null) return null;
  const { head, base, source } = subject;
  return head === null && source !== 'files'
    ? null
    : openContextAt({ revision: head, base, repository, state }, call);
}

interface IndexedTree {
  /** Null: the working tree. */
  revision: string | null;
  /** Where the knowledge of the project is read; null: where `baseForKnowledge` says. */
  base: string | null;
  repository: GitRepository;
  state: OwnState;
}

export async function openContextAt(tree: IndexedTree, call: Call): Promise<OpenContext> {
  return rebuilding(tree.state, noteTo(call), () => openIndexed(tree, call));
}

/** One tree: its index, and the texts of its files; null for what is no file of the tree, or no text. */
export async function openTree(
  tree: Tree,
  contents: Pick<GitRepository, 'content'>,
  state: StateFolder,
  call: Call,
) {
  const opened = await openCodeIndex(state, {
    tree,
    read: id => contents.content(id, mostFileBytes),
    signal: call.signal,
    onNote: noteTo(call),
  });
  const files = tree.files.filter(({ mode }) => mode.startsWith('100'));
  const ids = new Map(files.map(({ path, id }) => [path, id]));
  return {
    ...opened,
    async read(path: string) {
      const id = ids.get(path);
      const bytes = id === undefined ? null : await contents.content(id, mostQuotedBytes);
      return !bytes || bytes.includes(0) ? null : bytes.toString('utf8');
    },
  };
}

async function openIndexed(
  { revision, base, repository, state }: IndexedTree,
  call: Call,
): Promise<OpenContext> {
  const [tree, counter] = await Promise.all([repository.tree(revision), loadTokenCounter()]);
  const { index, read } = await openTree(tree, repository, state, call);
  const knownAt = base ?? (await baseForKnowledge(repository));
  const knowledge = knowledgeAt(knownAt, repository);
  const opened = [index];
  return {
    index,
    counter,
    knowledge: knownAt,
    secrets: createSecretScanner(),
    read,
    history: pieces =>
      repository.lastCommits(
        revision,
        pieces.map(({ path, changed }) => ({ path, ...changed.reduce(union) })),
        5,
      ),
    taskMemory: {
      ofOthers: async (task, agent) =>
        runNamePattern.test(task)
          ? packsOfOthers(state, task, { agent, now: call.clock.now() })
          : [],
      async keep(task, agent, uri) {
        if (runNamePattern.test(task))
          await keepPack(state, task, { agent, uri, now: call.clock.now() });
      },
    },
    pastChanges: paths => repository.pastChanges(base, paths),
    async pointers(rung, view) {
      if (rung === 4) return knowledgePointers(state, knowledge);
      return rung === 5 ? decisionPointers(state) : stubAnchors(view);
    },
    async oldSide(files) {
      // A tree of these files alone: what they were is parsed once and kept by its content, and the
      // rest of the base is not looked at.
      const content = remember(id => repository.content(id, mostQuotedBytes));
      const entries = await Promise.all(
        files.map(async ({ path, oldPath, oldId }) => ({
          path: oldPath ?? path,
          mode: '100644',
          id: oldId,
          size: (await content(oldId))?.length ?? 0,
        })),
      );
      const id = `old-side-${sha256(JSON.stringify(entries.map(one => [one.path, one.id])))}`;
      const side = await openTree({ id, branch: '', files: entries }, { content }, state, call);
      opened.push(side.index);
      return side;
    },
    close() {
      for (const one of opened) one.close();
    },
  };
}

/** Pinned, in this order: what every role has to know. */
const pinned = [/definition[-_ ]?of[-_ ]?done|^dod\b/i, /rubric/i, /style/i, /security|checklist/i];
const mostDecisions = 3;
const mostStubs = 6;

/** What the rungs 4, 5 and 6 point at: the knowledge base, journals of the user's latest runs, and stubs of outside systems. */
async function knowledgePointers(state: StateFolder, knowledge: Knowledge) {
  const names = (await listKnowledge(state, knowledge)).filter(name => name.endsWith('.md'));
  const chosen = pinned.flatMap(pattern => names.filter(name => pattern.test(name)).toSorted());
  const uris = [...new Set(chosen)].map(name => `resources://kb/${name}`);
  return pointAt('kb', 5, uris, uri => readResource(state, uri, knowledge));
}

async function decisionPointers(state: OwnState) {
  const runs = (await state.listRuns()).slice(0, mostDecisions);
  const uris = runs.map(run => runResourceUri(run, 'journal.md'));
  return pointAt('decision', 6, uris, uri => readResource(state, uri));
}

/** Interfaces that stand for outside systems, and the tests of their contracts. */
function stubAnchors(view: CodeView) {
  const stubs = view.paths
    .filter(path =>
      /(?:^|\/)stubs?\/|(?:^|[/._-])contracts?[._-](?:test|spec)|[._-]stub\.[a-z]+$/i.test(path),
    )
    .slice(0, mostStubs);
  return stubs.map(path =>
    candidateOf({
      path,
      range: { start: 1, end: Math.max(1, Math.min(20, view.linesOf(path))) },
      distance: 4,
    }),
  );
}

/** Revision of what a pointer names; null when it is gone. */
async function revisionOfResource(state: StateFolder, uri: string, knowledge: Knowledge) {
  const text = await readResource(state, uri, knowledge);
  return text === null ? null : revisionOf({ original: splitLines(text) }, null);
}

async function pointAt(
  kind: 'kb' | 'decision',
  distance: number,
  uris: readonly string[],
  read: (uri: string) => Promise<string | null>,
) {
  const found: Candidate[] = [];
  for (const uri of uris) {
    const text = await read(uri);
    if (text === null) continue;
    const lines = splitLines(text);
    const heading = lines.find(line => line.startsWith('#'))?.replace(/^#+\s*/, '') ?? '';
    const first = lines.find(line => line.trim() !== '' && !/^[#*>-]/.test(line.trim())) ?? '';
    const sentence = /^.*?[.!?](?=\s|$)/.exec(first.trim())?.[0] ?? '';
    found.push(
      candidateOf({
        kind,
        ref: uri,
        distance,
        rev: revisionOf({ original: lines }, null),
        summary: [dateIn(uri), heading, sentence].filter(part => part !== '').join('; ') || null,
      }),
    );
  }
  return found;
}

/** Run ids start with their day. */
function dateIn(uri: string) {
  const [, year, month, day] = /\/(\d{4})(\d\d)(\d\d)T/.exec(uri) ?? [];
  return year === undefined ? '' : `${year}-${month}-${day}`;
}

/** All runs of this process share the room for branches. */
const house: BranchHouse = new Map();

/**
 * What the tools of reviewers stand on in one run: the code index of the tree under review, and room for branches. Null when no
 * reviewer may use tools, or when the subject is no change. Nothing is read before somebody searches.
 */
export function openToolContext(
  { plan, subject }: { plan: Plan; subject: Subject },
  open: () => ReturnType<typeof openContext>,
  call: Call,
) {
  if (subject.kind !== 'change' || plan.seats.every(({ tools }) => tools !== true)) return null;
  const branches = createBranchDesk({
    clock: call.clock,
    secrets: createSecretScanner(),
    nonce: call.ids.nonce,
    house,
  });
  let opened: ReturnType<typeof open> | undefined;
  return {
    branches,
    index: async () => (await (opened ??= open()))?.index ?? null,
    async close() {
      branches.close();
      (await opened?.catch(() => null))?.close();
    },
  };
}

// The knowledge base of a project: the pages it ships at the base of a change, never those that the change brings.

const folderName = 'resources/kb';
const mostPageBytes = 4 * 1024 * 1024;

/** What the project ships at this commit or tree, links not followed; nothing at all where `revision` is null. */
function knowledgeAt(revision: string | null, repository: GitRepository): Knowledge {
  let files: Promise<ReadonlyMap<string, string>> | undefined;
  const list = async () => {
    const folder = revision === null ? null : await repository.entryAt(revision, folderName);
    if (folder?.mode !== '040000') return new Map();
    const tree = await repository.tree(folder.id);
    return new Map(
      tree.files
        .filter(({ path, mode }) => mode.startsWith('100') && !path.includes('/'))
        .map(({ path, id }) => [path, id]),
    );
  };
  return {
    names: async () => [...(await (files ??= list())).keys()],
    async read(file) {
      const id = (await (files ??= list())).get(file);
      return id === undefined ? null : repository.content(id, mostPageBytes);
    },
  };
}

/** Where nobody says which change is under review: what the last commit shares with the default branch of its remote, else that commit. */
async function baseForKnowledge(repository: GitRepository) {
  if (repository.root === null) return null;
  const head = await repository.resolve('HEAD').catch(ifUserError(null));
  const shared = await repository.resolve('refs/remotes/origin/HEAD').catch(ifUserError(null));
  if (head === null || shared === null) return head;
  return (await repository.mergeBase(head, shared).catch(ifUserError(null))) ?? head;
}

/** As `readResource`, for whoever knows of no change. */
export async function readNamedResource(state: StateFolder, uri: string, call: Call) {
  if (!uri.startsWith('resources://kb/')) return readResource(state, uri);
  return withRepository(call, async repository =>
    readResource(state, uri, knowledgeAt(await baseForKnowledge(repository), repository)),
  );
}

// Opens a pack that was written before, with the files it points at as they are now.

interface ReadPack {
  pack: LocalPack;
  side: SideFile | null;
  /** Where it is rewritten; null for a file somewhere else. */
  place: {
    state: StateFolder;
    run: string;
    path: string;
  } | null;
}

interface OpenPack extends ReadPack {
  parts: readonly PackPart[];
  /** Without a side file, what its class has by default. */
  sizes: PackSizes;
  current: CurrentFiles;
}

/** Throws `UserError` (kind `input`) where the pack cannot be read. */
export async function withPack<Result>(
  named: string,
  revision: string | null,
  call: Call,
  use: (opened: OpenPack) => Promise<Result>,
) {
  return withRepository(call, async repository => {
    const state = await openState(repository.root, call);
    const read = await readPack(named, state, call);
    const { pack, side } = read;
    const { agent, scope_class, model_capability, anchors } = pack;
    const context =
      repository.root === null
        ? null
        : await openContextAt({ revision, base: null, repository, state }, call);
    try {
      const texts = openTexts(async path => context?.read(path) ?? null, createSecretScanner());
      await texts.load(anchors.flatMap(({ path }) => path ?? []));
      const knowledge = knowledgeAt(
        side?.knowledge ?? (await baseForKnowledge(repository)),
        repository,
      );
      const revisions = new Map<string, string | null>();
      for (const { ref } of anchors)
        if (ref?.startsWith('resources://') === true)
          revisions.set(ref, await revisionOfResource(state, ref, knowledge));
      const counter = context?.counter ?? (await loadTokenCounter());
      const [{ budget }, ...larger] = packSizes(scope_class, agent, model_capability);
      return await use({
        ...read,
        parts: partsOf(pack, side, texts.of),
        sizes: [{ scope_class, budget: side?.budget ?? budget }, ...(side?.larger ?? larger)],
        current: {
          textOf: texts.of,
          revisionOfRef: ref => revisions.get(ref),
          view: !context ? null : createCodeView(context.index),
          lengths: side?.lengths ?? {},
          count: counter.count,
        },
      });
    } finally {
      context?.close();
    }
  });
}

async function readPack(named: string, state: StateFolder, { cwd }: Call): Promise<ReadPack> {
  const resource = named.startsWith('resources:') ? parseResourceUri(named) : null;
  if (named.startsWith('resources:') && resource?.kind !== 'run')
    throw inputError(
      `${JSON.stringify(named.slice(0, 200))} names no pack.`,
      'A pack is resources://runs/<id>/context/<Agent>.lcp.json.',
    );
  const file = resolve(cwd, named);
  const [text, sideText] = await Promise.all(
    resource?.kind === 'run'
      ? [named, sidePath(named)].map(uri => readResource(state, uri))
      : [file, join(dirname(file), sidePath(basename(file)))].map(path =>
          readRegularFile(path).catch(() => null),
        ),
  );
  if (text === null || text === undefined) throw inputError(`${named} cannot be read.`);
  const pack = LocalPack.safeParse(parseJson(text));
  if (!pack.success)
    throw inputError(
      `${named} is no context pack: ${pack.error.issues
        .slice(0, 3)
        .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`)
        .join('; ')}.`,
    );
  const known = named.endsWith('.lcp.json') ? SideFile.safeParse(parseJson(sideText ?? '')) : null;
  const side = known?.data ?? null;
  if (hasTooManyAnchors(partsOf(pack.data, side, () => null)))
    throw inputError(
      `${named} is no context pack: anchors: ${pack.data.anchors.length} are too many; beyond ${mostAnchors}, all must be changed lines.`,
    );
  return {
    pack: pack.data,
    side,
    place: resource?.kind === 'run' ? { state, run: resource.run, path: resource.path } : null,
  };
}
