/** Opens a pack that was written before, with the files it points at as they are now. */
import { basename, dirname, join, resolve } from 'node:path';
import { sidePath } from '../../adapters/store/pack-files.ts';
import { readResource } from '../../adapters/store/resources.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { createSecretScanner } from '../../checks/index.ts';
import { readRegularFile } from '../../adapters/system/given-file.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { loadTokenCounter } from '../../adapters/tokens/token-counter.ts';
import { createCodeView } from '../../core/context/packing/code-view.ts';
import {
  hasTooManyAnchors,
  LocalPack,
  mostAnchors,
  type PackPart,
  roleOf,
  SideFile,
} from '../../core/context/packing/local-pack.ts';
import { type CurrentFiles, partsOf } from '../../core/context/packing/written-pack.ts';
import { type PackSizes, packSizes } from '../../core/context/scope-class.ts';
import { inputError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { parseResourceUri } from '../../core/run-files/resource-uri.ts';
import { openTexts } from '../../engine/context/context-texts.ts';
import { type Call, withRepository } from '../call.ts';
import { openState } from '../own-state.ts';
import { baseForKnowledge, knowledgeAt } from './knowledge.ts';
import { openContextAt, revisionOfResource } from './open-context.ts';

interface ReadPack {
  readonly pack: LocalPack;
  readonly side: SideFile | null;
  /** Where it is rewritten; null for a file somewhere else. */
  readonly place: {
    readonly state: StateFolder;
    readonly run: string;
    readonly path: string;
  } | null;
}

interface OpenPack extends ReadPack {
  readonly parts: readonly PackPart[];
  /** Without a side file, what its class has by default. */
  readonly sizes: PackSizes;
  readonly current: CurrentFiles;
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
      const [{ budget }, ...larger] = packSizes(scope_class, roleOf(agent), model_capability);
      return await use({
        ...read,
        parts: partsOf(pack, side, texts.of),
        sizes: [{ scope_class, budget: side?.budget ?? budget }, ...(side?.larger ?? larger)],
        current: {
          textOf: texts.of,
          revisionOfRef: ref => revisions.get(ref),
          view: context === null ? null : createCodeView(context.index),
          lengths: side?.lengths ?? {},
          hash: sha256,
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
