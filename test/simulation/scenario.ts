/** What a seed stands for: a small change, a panel, what each reviewer says when it is asked, and what goes wrong. */
import type { ConfigInput, FunctionAnswer } from '../../src/index.ts';
import { createChance, type Chance } from './chance.ts';
import type { Fate } from './machine.ts';

export interface Scenario {
  readonly seed: number;
  readonly files: readonly SimulatedFile[];
  readonly patch: string;
  readonly reviewers: readonly SimulatedReviewer[];
  readonly config: ConfigInput;
  /** Reviewers that must complete before anything passes. */
  readonly quorum: number;
  /** How often the panel may be put to work. */
  readonly rounds: number;
  /** What is done about a run that ended INCOMPLETE. */
  readonly again: 'resume' | 'run';
  /** One for each process, in order; those after them live. */
  readonly fates: readonly Fate[];
  readonly rival: Rival | null;
}

/** A second process on the same state, at the same time. */
export interface Rival {
  /** `resume`: of the same run. `review`: of another change, by somebody who has nothing to say. */
  readonly does: 'resume' | 'review';
  /** Beside this process of the story, from 1, or the first one after it that it can stand beside. */
  readonly beside: number;
  readonly fate: Fate | null;
}

export interface SimulatedFile {
  readonly path: string;
  readonly isText: boolean;
  /** Stands in the text of the change to this file and nowhere else. */
  readonly mark: string;
}

export interface SimulatedReviewer {
  readonly id: string;
  readonly required: boolean;
  /** A function has its deadline from the engine, a whole runner keeps its own. */
  readonly runner: 'function' | 'whole';
  readonly timeoutMs: number;
  /** What it does when it is asked, one after the other; then it is silent and well. */
  readonly deliveries: readonly Delivery[];
}

/**
 * `good` says all it says, `silent` that there is nothing, `twice` says each thing two times; `short` leaves a file out of the list of what
 * it read. `cut` breaks off, `empty`, `babble` and `thrown` are no answers, `unreachable` may be tried again, `late` comes after the
 * deadline and `lost` never.
 */
export type DeliveryKind =
  | 'good'
  | 'silent'
  | 'twice'
  | 'short'
  | 'cut'
  | 'empty'
  | 'babble'
  | 'thrown'
  | 'unreachable'
  | 'late'
  | 'lost';

export interface Delivery {
  readonly kind: DeliveryKind;
  readonly delayMs: number;
  readonly said: readonly Saying[];
  /** The file that `short` leaves out; null: it leaves none out. */
  readonly leavesOut: string | null;
}

export interface Saying {
  readonly label: 'CRITICAL' | 'IMPORTANT' | 'SUGGESTION';
  readonly path: string;
  readonly text: string;
  /** Stands in this text and in no other. */
  readonly mark: string;
}

/** Labels at which a single reviewer fails the gate here. */
export const failing: ReadonlySet<string> = new Set(['CRITICAL', 'IMPORTANT']);

export function createScenario(seed: number): Scenario {
  const chance = createChance(seed, 'scenario');
  const files = createFiles(chance);
  const again = chance.isTrue(0.25) ? 'run' : 'resume';
  const reviewers = Array.from({ length: 1 + chance.below(1 + chance.below(5)) }, (_, index) =>
    createReviewer(`r${index + 1}`, { seed, files, again }),
  );
  const quorum = 1 + chance.below(reviewers.length);
  return {
    seed,
    files,
    patch: files.map(patchOf).join(''),
    reviewers,
    quorum,
    config: {
      copies: chance.isTrue(0.1),
      quorum,
      concurrency: 1 + chance.below(6),
      failOn: ['single:high'],
      reviewers: reviewers.map(({ id, required, runner, timeoutMs }) => ({
        id,
        required,
        runner,
        timeout: timeoutMs / 1_000,
      })),
    },
    rounds: chance.pick([1, 1, 2, 3]),
    again,
    fates: createFates(createChance(seed, 'fates')),
    rival: createRival(createChance(seed, 'rival'), again),
  };
}

/** Two that review the same at once may both ask: only a run is one process's alone. */
function createRival(chance: Chance, again: Scenario['again']): Rival | null {
  const does = chance.isTrue(0.6) && again === 'resume' ? 'resume' : 'review';
  const [fate = null] = createFates(chance);
  return chance.isTrue(0.3) ? { does, beside: 1 + chance.below(2), fate } : null;
}

function createFiles(chance: Chance): SimulatedFile[] {
  const hasBinary = chance.isTrue(0.12);
  return Array.from({ length: 1 + chance.below(4) }, (_, index) => {
    const isText = !(hasBinary && index === 0);
    return {
      path: isText ? `src/part${index}.${chance.pick(['js', 'ts', 'py'])}` : 'pictures/part.png',
      isText,
      mark: `part_${index}_of_change`,
    };
  });
}

function patchOf({ path, isText, mark }: SimulatedFile): string {
  const head = `diff --git a/${path} b/${path}\n`;
  return isText
    ? `${head}--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,3 @@\n first = 1\n+${mark} = 2\n last = 3\n`
    : `${head}new file mode 100644\nindex 0000000..1111111\nBinary files /dev/null and b/${path} differ\n`;
}

interface Asked {
  readonly seed: number;
  readonly files: readonly SimulatedFile[];
  readonly again: Scenario['again'];
}

function createReviewer(id: string, asked: Asked): SimulatedReviewer {
  const chance = createChance(asked.seed, id);
  const timeoutMs = 1_000 * (1 + chance.below(60));
  // Answers of functions are never shared between two runs.
  const runner = asked.again === 'run' || chance.isTrue(0.4) ? 'whole' : 'function';
  return {
    id,
    required: chance.isTrue(0.3),
    runner,
    timeoutMs,
    deliveries: Array.from({ length: chance.below(5) }, (_, index) =>
      createDelivery(chance, `${id}n${index}`, { ...asked, timeoutMs, runner }),
    ),
  };
}

const kinds: readonly DeliveryKind[] = [
  ...Array.from({ length: 4 }, () => 'good' as const),
  ...Array.from({ length: 6 }, () => 'silent' as const),
  'twice',
  'short',
  'cut',
  'empty',
  'babble',
  'thrown',
  'unreachable',
  'late',
  'lost',
];

const sayings = [
  'The loop reads one past the end of the list',
  'An empty list is not looked after',
  'The result of the division is never checked',
  'Two callers may write this at the same time',
];

function createDelivery(
  chance: Chance,
  mark: string,
  { files, timeoutMs }: Asked & Pick<SimulatedReviewer, 'timeoutMs' | 'runner'>,
): Delivery {
  const kind = chance.pick(kinds);
  const count = kind === 'silent' || kind === 'short' ? 0 : 1 + chance.below(3);
  return {
    kind,
    delayMs: kind === 'late' ? timeoutMs + 1 + chance.below(60_000) : chance.below(timeoutMs * 0.9),
    leavesOut: kind === 'short' ? chance.pick(files).path : null,
    said: Array.from({ length: count }, (_, index) => ({
      label: chance.isTrue(0.1) ? chance.pick(['CRITICAL', 'IMPORTANT']) : 'SUGGESTION',
      path: chance.pick(files).path,
      text: `${chance.pick(sayings)} (mark ${mark}s${index}e)`,
      mark: `mark ${mark}s${index}e`,
    })),
  };
}

/** Most processes die young, some just before they would have ended. */
function createFates(chance: Chance): Fate[] {
  return Array.from({ length: chance.below(5) }, () => {
    const counted = chance.isTrue(0.3) ? 'journal' : 'all';
    return {
      kind: chance.pick(['power', 'power', 'kill', 'interrupt', 'refusal']),
      counted,
      step: chance.below(counted === 'all' ? chance.pick([30, 120, 400]) : 30),
      side: chance.pick(['before', 'within', 'after']),
    };
  });
}

/** What it says, in words that reviewers use. Null: it says nothing that could be sent. */
export function answerOf(
  { kind, said, leavesOut }: Delivery,
  files: readonly SimulatedFile[],
): FunctionAnswer | null {
  const lines = said.map(({ label, path, text }) => `${label}|${path}:2|${text}`);
  if (kind === 'good' || kind === 'late')
    return { text: [...lines, 'VERDICT: needs-changes'].join('\n') };
  if (kind === 'twice') return { text: [...lines, ...lines, 'VERDICT: needs-changes'].join('\n') };
  if (kind === 'cut') return { text: lines.join('\n'), stop: 'cut' };
  if (kind === 'silent') return { text: '{"findings":[]}' };
  if (kind === 'short') {
    const read = files.map(({ path }) => path).filter(path => path !== leavesOut);
    return { text: JSON.stringify({ findings: [], files_reviewed: read }) };
  }
  if (kind === 'empty') return { text: ' \n' };
  return kind === 'babble' ? { text: 'That is a lovely change, well done everybody.' } : null;
}
