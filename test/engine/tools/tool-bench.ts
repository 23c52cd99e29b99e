/** The tools of one reviewer over a real repository with a real index, a real scanner and a ledger that a test can read. */
import { onTestFinished } from 'vitest';
import { openRepository, type GitRepository } from '../../../src/adapters/git/repository.ts';
import { openCodeIndex } from '../../../src/adapters/index/code-index.ts';
import { createSecretScanner } from '../../../src/checks/index.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import { estimatingCounter } from '../../../src/adapters/tokens/token-counter.ts';
import type { Change } from '../../../src/core/words/change.ts';
import { defaultThresholds } from '../../../src/core/context/budget.ts';
import type { CodeIndex, SecretScanner } from '../../../src/core/ports/repository.ts';
import type { LabelScale } from '../../../src/core/words/finding.ts';
import { openToolLedger, type ReviewerLedger } from '../../../src/engine/review/token-ledgers.ts';
import {
  createBranchDesk,
  type BranchDesk,
  type BranchHouse,
  createReviewerTools,
  createToolSources,
  type MeteredTools,
} from '../../../src/engine/tools/reviewer-tools.ts';
import {
  createSampleRepository,
  type SampleRepository,
} from '../../adapters/git/sample-repository.ts';
import { atFileEnd } from '../../file-end.ts';
import { stateIn } from '../../adapters/store/temporary.ts';

export const fourLabels: LabelScale = new Map([
  ['CRITICAL', 'critical'],
  ['HIGH', 'high'],
  ['MEDIUM', 'medium'],
  ['LOW', 'low'],
]);

export interface ToolBench {
  readonly tools: MeteredTools;
  readonly ledger: ReviewerLedger;
  readonly sample: SampleRepository;
  /** Another reviewer of the same run. */
  readonly other: (caller: string) => MeteredTools;
  /** Calls and reads the result as JSON, whatever stands before it. */
  readonly ask: (
    name: string,
    input: unknown,
  ) => Promise<{
    readonly isError: boolean;
    readonly text: string;
    readonly value: Readonly<Record<string, unknown>>;
  }>;
}

export interface BenchOptions {
  readonly total?: number;
  readonly hasIndex?: boolean;
  /** Null: there is none. */
  readonly secrets?: SecretScanner | null;
  readonly house?: BranchHouse;
  readonly now?: () => number;
  readonly prepare?: (sample: SampleRepository) => void;
}

/** Built of pieces, so that no scanner takes this file for the leak. */
export const cloudKey = ['AKIA', 'Q3EGRWZ7NUV5T2YB'].join('');

export async function openToolBench({
  total = 100_000,
  hasIndex = true,
  secrets = createSecretScanner(),
  house = new Map(),
  now = systemClock.monotonicMs,
  prepare,
}: BenchOptions = {}): Promise<ToolBench> {
  // Making and indexing a repository takes a second: those who only look share one.
  const { sample, repository, change, index } = await (prepare === undefined
    ? (common ??= openGround(() => {}))
    : openGround(prepare));
  const ledger = openToolLedger('alpha', total, defaultThresholds);
  const branches = createBranchDesk({
    clock: { monotonicMs: now },
    secrets,
    nonce: systemIds.nonce,
    house,
  });
  onTestFinished(() => branches.close());
  const openFor = (caller: string, desk: BranchDesk) =>
    createReviewerTools({
      caller,
      scale: fourLabels,
      ledger,
      counter: estimatingCounter,
      branches: desk,
      sources: createToolSources({
        change,
        repository,
        index: () => Promise.resolve(hasIndex ? index : null),
        secrets: secrets ?? createSecretScanner(),
      }),
    });
  const tools = openFor('alpha', branches);
  return {
    tools,
    ledger,
    sample,
    other: caller => openFor(caller, branches),
    ask: (name, input) => ask(tools, name, input),
  };
}

interface Ground {
  readonly sample: SampleRepository;
  readonly repository: GitRepository;
  readonly change: Change;
  readonly index: CodeIndex;
}

let common: Promise<Ground> | undefined;

async function openGround(prepare: (sample: SampleRepository) => void) {
  const sample = createSampleRepository();
  sample.write(
    'src/sum.ts',
    '/** Adds. */\nexport function sumAll(list: number[]) {\n  return list.reduce((a, b) => a + b, 0);\n}\n',
  );
  sample.write('src/keys.ts', `export const region = 'eu';\nexport const key = '${cloudKey}';\n`);
  sample.write('src/gone.ts', 'export const gone = 1;\n');
  sample.write('.gitignore', '.jury/\n');
  sample.commit('one');
  sample.write(
    'src/app.ts',
    "import { sumAll } from './sum.ts';\n\nexport const total = sumAll([1]);\n",
  );
  sample.remove('src/gone.ts');
  prepare(sample);
  sample.commit('two');
  const repository = await openRepository(sample.root);
  const change = await repository.change({ source: 'revision', revision: 'HEAD' });
  const { index } = await openCodeIndex(stateIn(sample.root), {
    tree: await repository.tree('HEAD'),
    read: id => repository.content(id, 64 << 20),
  });
  atFileEnd(() => {
    common = undefined;
    index.close();
    return repository.close();
  });
  return { sample, repository, change, index };
}

export async function ask(
  tools: MeteredTools,
  name: string,
  input: unknown,
): ReturnType<ToolBench['ask']> {
  const { text, isError } = await tools.call(name, input, new AbortController().signal);
  const start = text.indexOf('{');
  return {
    isError,
    text,
    value:
      isError || start < 0
        ? {}
        : (JSON.parse(text.slice(start)) as Readonly<Record<string, unknown>>),
  };
}
