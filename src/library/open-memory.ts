/** Opens what the project remembers: the file of this machine and the committed baseline. */
import path from 'node:path';
import { parseBaseline, readBaselineText } from '../adapters/memory/baseline-file.ts';
import { createMemory, type MemoryFile, openMemoryFile } from '../adapters/memory/memory-file.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import type { Subject } from '../core/words/change.ts';
import { pureStrategies, type Strategy } from '../core/words/config.ts';
import { createMatcher, standOf } from '../agreement/index.ts';
import { learnFrom } from '../core/prompt/learnt.ts';
import { ifUserError } from '../core/errors.ts';
import { baselineName, type Disposition, type ProjectMemory } from '../core/words/known-claim.ts';
import type { Memory } from '../core/ports/memory.ts';
import { noteTouched, type TrustedBase } from './trusted-base.ts';
import { type Call, noteTo } from './call.ts';
import { readTrusted } from './seat-reviewers.ts';

interface MemoryPlace {
  state: StateFolder;
  subject: Subject;
  /** Top of the repository; null outside of one. */
  repositoryRoot: string | null;
  ground: TrustedBase;
}

/** Throws `UserError` for a baseline that cannot be used, before anybody is asked. */
export async function readDecisions(place: MemoryPlace, now: Date, call: Call) {
  const { state, subject } = place;
  if (subject.kind !== 'change') return { stand: '', learnt: [], notes: [] };
  const baseline = await readBaseline(place);
  const own = await decidedHere(state, call);
  const all = [...own, ...baseline.dispositions];
  const day = now.toISOString().slice(0, 10);
  const paths = subject.files.flatMap(({ path: name, oldPath }) =>
    oldPath === null ? [name] : [name, oldPath],
  );
  return {
    stand: standOf(all, day),
    learnt: learnFrom(all, { paths, day }),
    notes: baseline.notes,
  };
}

/** Null for a question: only claims about files are remembered. `strategy` and `threshold`: those that form the claims. */
export async function openMemory(
  place: MemoryPlace,
  { strategy, threshold }: { strategy: Strategy; threshold: number },
  call: Call,
): Promise<Memory | null> {
  const { state, subject } = place;
  if (subject.kind !== 'change') return null;
  const { dispositions } = await readBaseline(place);
  return createMemory({
    file: openMemoryFile(state, noteTo(call)),
    baseline: dispositions,
    // Claims are known again without asking any endpoint, whatever forms them.
    createMatcher: async () =>
      createMatcher(pureStrategies.find(name => name === strategy) ?? 'calibrated', threshold),
    known: await readOnce(state, call),
    onNote: noteTo(call),
  });
}

const read = new WeakMap<Call, Promise<ProjectMemory | null>>();

/** What people decided on this machine; nothing while another process holds the memory. */
export async function decidedHere(state: StateFolder, call: Call): Promise<readonly Disposition[]> {
  return (await readOnce(state, call))?.dispositions ?? [];
}

/** Null while another process holds it: a review does not wait for that, and says at its end what it did without. */
function readOnce(state: StateFolder, call: Call) {
  const known =
    read.get(call) ?? openMemoryFile(state, noteTo(call)).read().catch(ifUserError(null, 'held'));
  read.set(call, known);
  return known;
}

/** For the commands beside a run. */
export function openOwnMemory(state: StateFolder, call: Call): MemoryFile {
  return openMemoryFile(state, noteTo(call));
}

/** A change must not dismiss its own claims: one that touches the baseline is judged by the version at its base. */
async function readBaseline({ ground, repositoryRoot }: MemoryPlace) {
  if (repositoryRoot === null) return { dispositions: [], notes: [] };
  const file = path.join(repositoryRoot, baselineName);
  const trustedFile = await ground.trustedFileOf(file);
  const text =
    trustedFile.from === 'disk'
      ? await readBaselineText(repositoryRoot)
      : await readTrusted(file, trustedFile);
  const dispositions = text === null ? [] : await parseBaseline(text);
  if (trustedFile.from === 'disk') return { dispositions, notes: [] };
  const sentence = noteTouched(
    ground,
    trustedFile.touched,
    text === null ? 'it is ignored' : 'its version at the base is used',
  );
  return { dispositions, notes: [sentence] };
}
