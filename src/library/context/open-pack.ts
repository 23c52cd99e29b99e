/** Opens a pack that was written before, with the files it points at as they are now. */
import { basename, dirname, join, resolve } from 'node:path';
import type { GitRepository } from '../../adapters/git/repository.ts';
import { sidePath } from '../../adapters/store/pack-files.ts';
import { readResource } from '../../adapters/store/resources.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { createSecretScanner } from '../../checks/index.ts';
import { readRegularFile } from '../../adapters/system/given-file.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { loadTokenCounter } from '../../adapters/tokens/token-counter.ts';
import type { CurrentFiles } from '../../core/context/packing/check-local-pack.ts';
import { createCodeView } from '../../core/context/packing/code-view.ts';
import { parseRange } from '../../core/context/packing/line-range.ts';
import {
  anchorName,
  hasTooManyAnchors,
  LocalPack,
  mostAnchors,
  roleOf,
  SideFile,
} from '../../core/context/packing/local-pack.ts';
import { summarise } from '../../core/context/packing/micro-summary.ts';
import { packSizes } from '../../core/context/scope-class.ts';
import { lineCandidate } from '../../core/context/packing/fit.ts';
import { inputError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { parseResourceUri } from '../../core/run-files/resource-uri.ts';
import { type ContextTexts, openTexts } from '../../engine/context/context-texts.ts';
import type { PackRoom, RefreshWorld } from '../../engine/context/refresh-context.ts';
import { type Call, withRepository } from '../call.ts';
import { openState } from '../own-state.ts';
import { baseForKnowledge, knowledgeAt } from './knowledge.ts';
import { type OpenContext, openContextAt, revisionOfResource } from './open-context.ts';

interface OpenPack {
  readonly pack: LocalPack;
  readonly side: SideFile | null;
  readonly room: PackRoom;
  readonly current: CurrentFiles & RefreshWorld;
  readonly counter: RefreshWorld['counter'];
  /** Where it is rewritten; null for a file somewhere else. */
  readonly place: {
    readonly state: StateFolder;
    readonly run: string;
    readonly path: string;
  } | null;
}

/** Throws `UserError` (kind `input`) where the pack cannot be read. */
export async function withPack<Result>(
  named: string,
  revision: string | null,
  call: Call,
  use: (opened: OpenPack) => Promise<Result>,
): Promise<Result> {
  return withRepository(call, async repository => {
    const state = await openState(repository.root, call);
    const { pack, side, place } = await readPack(named, state, call);
    const context =
      repository.root === null
        ? null
        : await openContextAt({ revision, base: null, repository, state }, call);
    try {
      const texts = openTexts(
        path => context?.read(path) ?? Promise.resolve(null),
        createSecretScanner(),
      );
      await texts.load(pack.anchors.flatMap(({ path }) => (path === undefined ? [] : [path])));
      const current = await currentFiles(pack, side, { context, texts, state, repository });
      return await use({
        pack,
        side,
        place,
        current,
        counter: current.counter,
        room: roomOf(pack, side),
      });
    } finally {
      context?.close();
    }
  });
}

/** Without a side file, what its class has by default. */
function roomOf(
  { agent, scope_class, model_capability }: LocalPack,
  side: SideFile | null,
): PackRoom {
  const [{ budget }, ...larger] = packSizes(scope_class, roleOf(agent), model_capability);
  return {
    budget: side?.budget ?? budget,
    larger: side?.larger ?? larger,
    distances: side?.distances ?? null,
    removed: side?.removed ?? {},
  };
}

interface PackContext {
  readonly context: OpenContext | null;
  readonly texts: ContextTexts;
  readonly state: StateFolder;
  readonly repository: GitRepository;
}

async function currentFiles(
  pack: LocalPack,
  side: SideFile | null,
  { context, texts, state, repository }: PackContext,
): Promise<CurrentFiles & RefreshWorld> {
  const references = pack.anchors.flatMap(({ ref }) =>
    ref?.startsWith('resources://') === true ? [ref] : [],
  );
  const knowledge = knowledgeAt(
    side?.knowledge ?? (await baseForKnowledge(repository)),
    repository,
  );
  const revisions = new Map(
    await Promise.all(
      references.map(async ref => [ref, await revisionOfResource(state, ref, knowledge)] as const),
    ),
  );
  const view = context === null ? null : createCodeView(context.index);
  return {
    textOf: texts.of,
    revisionOfRef: ref => (revisions.has(ref) ? (revisions.get(ref) ?? null) : undefined),
    placeOf(path, name) {
      const definition = view?.definitionsIn(path).find(one => one.name === name);
      return definition === undefined
        ? null
        : { start: definition.startLine, end: definition.endLine };
    },
    growthOf(anchor) {
      const before =
        side?.distances?.[anchorName(anchor)] === 0 && anchor.path !== undefined
          ? side.lengths?.[anchor.path]
          : undefined;
      return before === undefined || anchor.path === undefined
        ? 0
        : Math.max(0, (texts.of(anchor.path)?.original.length ?? 0) - before);
    },
    hash: sha256,
    counter: context?.counter ?? (await loadTokenCounter()),
    summarise({ path, lines, kind }) {
      const range = lines === undefined ? null : parseRange(lines);
      return view === null || path === undefined || range === null
        ? null
        : summarise(lineCandidate(path, range, 4, { kind }), {
            view,
            textOf: texts.of,
            changedIn: () => [],
            changedSymbols: new Set(),
          });
    },
  };
}

async function readPack(
  named: string,
  state: StateFolder,
  { cwd }: Call,
): Promise<Pick<OpenPack, 'pack' | 'side' | 'place'>> {
  const resource = named.startsWith('resources:') ? parseResourceUri(named) : null;
  if (named.startsWith('resources:') && resource?.kind !== 'run')
    throw inputError(
      `${JSON.stringify(named.slice(0, 200))} names no pack.`,
      'A pack is resources://runs/<id>/context/<Agent>.lcp.json.',
    );
  const text =
    resource?.kind === 'run'
      ? await readResource(state, named)
      : await readRegularFile(resolve(cwd, named)).catch(() => null);
  const pack = text === null ? null : LocalPack.safeParse(parseJson(text));
  if (pack === null) throw inputError(`${named} cannot be read.`);
  if (!pack.success)
    throw inputError(
      `${named} is no context pack: ${pack.error.issues
        .slice(0, 3)
        .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`)
        .join('; ')}.`,
    );
  const sideText =
    resource?.kind === 'run'
      ? await readResource(state, sidePath(named))
      : await readRegularFile(join(dirname(resolve(cwd, named)), sidePath(basename(named)))).catch(
          () => null,
        );
  const side =
    named.endsWith('.lcp.json') && sideText !== null
      ? SideFile.safeParse(parseJson(sideText))
      : null;
  const known = side?.success === true ? side.data : null;
  if (hasTooManyAnchors(pack.data, known?.distances ?? null))
    throw inputError(
      `${named} is no context pack: anchors: ${pack.data.anchors.length} are too many; beyond ${mostAnchors}, all must be changed lines.`,
    );
  return {
    pack: pack.data,
    side: known,
    place: resource?.kind === 'run' ? { state, run: resource.run, path: resource.path } : null,
  };
}
