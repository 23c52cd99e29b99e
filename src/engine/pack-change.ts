/** Builds what each reviewer is shown of a change: all of it in one question, or in steps that are made as its tokens go. */
import { remember, halvesOf, present } from '../core/groups.ts';
import {
  noKnowledge,
  partNote,
  type PromptContext,
  renderContext,
  renderKnowledge,
  securityNote,
  severeOnly,
} from '../core/prompt/prompt.ts';
import type { Change } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import type { Guideline } from '../core/words/guideline.ts';
import type { Plan } from '../core/words/plan.ts';
import { kindOf, guardsOf } from '../core/words/runner.ts';
import {
  orderFiles,
  type Pack,
  selectFiles,
  type Selection,
  shownOf,
  type StepFile,
} from '../core/context/pack.ts';
import type { ProgressiveMode } from '../core/context/budget.ts';
import { triageFiles } from '../core/context/review-plan.ts';
import { promptBytes } from '../core/context/growth.ts';
import { isWithheld, openEgress, openGuidelines } from '../core/context/egress.ts';
import { isInDomain } from '../core/verdict/coverage.ts';
import { renderShown } from '../core/change/unshown.ts';
import { renderPatch, withoutContext } from '../core/change/patch.ts';
import { secretsAddedBy, type AddedSecret } from '../core/safety/engine-finding.ts';
import type { FileReading } from '../core/words/review.ts';
import { renderSince, type Since } from '../core/pushes/same-patch.ts';
import type { PackOptions } from './context/pack-review-context.ts';
import type { Mask } from './mask-texts.ts';
import type { TriagedFile } from '../core/context/scope.ts';

export interface Packs {
  /** Everything the reviewer is to read as one question; null when its prompt would be larger than the reviewer takes. */
  wholeFor(seat: Seat): Pack | null;
  /** The files of that question, in the order of the change; without those it has read in an earlier round. */
  filesFor(seat: Seat): readonly StepFile[];
  /** Paths it has read in an earlier round and is not asked about again. */
  readBefore(seat: Seat): ReadonlySet<string>;
  /** What the reviewer would read of every unit, were all of it shown. */
  readingsFor(seat: Seat): readonly FileReading[];
  /** The files it is still to read, what matters most first, with their texts. */
  materialFor(seat: Seat): Promise<readonly StepMaterial[]>;
  /** The one place where a step's prompt is made of its files. */
  stepFor(seat: Seat, step: Step): Pack;
  /** One pack for each question, where the kind of subject decides how it is cut. Absent: the steps decide. */
  partsFor?(seat: Seat): readonly Pack[];
  /** What the project says itself beside the files, as the whole of them has it told. Absent: nothing. */
  knowledgeOf?(seat: Seat): string;
  /** Bytes a unit takes as it is shown. */
  bytesOf(unit: string): number;
  /** Secrets that were replaced by placeholders. */
  readonly masked: number;
  /** Of those, the ones that a change adds. */
  readonly secrets: readonly AddedSecret[];
}

export interface StepMaterial {
  readonly path: string;
  readonly patch: string;
  /** The changed lines alone; null when that is the same. */
  readonly reduced: string | null;
  /** A security reviewer must read it. */
  readonly isSensitive: boolean;
  /** Is it in the domain of the reviewer, by the role of its persona too? */
  readonly isOwn: boolean;
  /** Its place among all files of the change, what matters most first. */
  readonly rank: number;
}

interface Step {
  files: readonly StepFile[];
  mode: ProgressiveMode;
  /** Is there more of the change than these files? */
  isPart: boolean;
}

export const nothingRead: ReadonlySet<string> = new Set();

interface ChangePacking extends Required<Omit<PackOptions, 'outputFolder'>> {
  readonly plan: Plan;
  readonly change: Change;
  /** The instruction block for a seat. */
  readonly instructionsFor: (seat: Seat) => string;
}

export async function packChange(packing: ChangePacking, mask: Mask): Promise<Packs> {
  const { plan, change } = packing;
  const patches = new Map<string, string>();
  const added: AddedSecret[] = [];
  for (const file of change.files) {
    const patch = renderPatch(file);
    const shown = renderShown(file);
    // What is not shown is looked through all the same.
    const { text, spans } = await mask.read(patch, file.path);
    patches.set(file.path, shown === patch ? text : await mask.apply(shown, file.path));
    added.push(...secretsAddedBy(file, patch, spans));
  }
  const shared = {
    plan: await mask.applyTo(plan.requirements),
    description: await mask.applyTo(plan.description),
    prompt: await mask.applyTo(plan.prompt),
    context: await mask.applyTo(plan.context),
  };
  const since = new Map<string, Since>();
  for (const [id, each] of packing.since) since.set(id, await maskSaid(each, mask));
  const { refusalFor } = openEgress(plan.egress);
  const selectionOf = remember((seat: Seat) =>
    selectFiles(change, seat.persona, file => refusalFor(seat.id, file)),
  );
  const knowledge = await readKnowledge(plan, mask, seat =>
    selectionOf(seat).readable.map(({ path }) => path),
  );
  const triaged = triageFiles(change.files, plan.spending?.sensitiveFiles ?? []);
  const order = orderFiles(triaged);
  const bytesOf = (path: string) => Buffer.byteLength(patches.get(path) ?? '');
  const reduced = new Map<string, string>();
  let reducing: Promise<void> | undefined;
  const seated = remember((seat: Seat) =>
    openSeat(seat, {
      ...packing,
      patches,
      bytesOf,
      reduced,
      shared,
      since,
      knowledge,
      selection: selectionOf(seat),
      unguarded: unguardedIn(plan, triaged),
    }),
  );
  return {
    filesFor: seat => seated(seat).files,
    readBefore: seat => seated(seat).readBefore,
    wholeFor: seat => seated(seat).whole(),
    readingsFor: seat => selectionOf(seat).readings,
    async materialFor(seat) {
      await (reducing ??= reducePatches(change, mask, reduced));
      const readable = new Set(seated(seat).files.map(({ path }) => path));
      return order
        .map((file, rank) => ({
          path: file.path,
          patch: patches.get(file.path) ?? '',
          reduced: reduced.get(file.path) ?? null,
          isSensitive: file.sensitive,
          isOwn: isInDomain(seat.persona, file),
          rank,
        }))
        .filter(({ path }) => readable.has(path));
    },
    stepFor: (seat, step) => seated(seat).ask(step),
    knowledgeOf: knowledge.textFor,
    bytesOf,
    masked: mask.count(),
    secrets: added,
  };
}

/** What a reviewer said may quote what it found out by itself. */
async function maskSaid(since: Since, mask: Mask): Promise<Since> {
  const said: Since['said'] = [];
  for (const each of since.said)
    said.push({ ...each, text: await mask.apply(each.text, each.path) });
  return { ...since, said };
}

/** The changed lines of each file alone, where that is less than all that is shown of it. */
async function reducePatches({ files }: Change, mask: Mask, reduced: Map<string, string>) {
  for (const file of files) {
    const bare = withoutContext(file);
    if (bare !== null) reduced.set(file.path, await mask.apply(renderShown(bare), file.path));
  }
}

/** Sensitive files that nobody seated is there for: whoever is shown them is asked about security. */
function unguardedIn({ seats, stages }: Plan, triaged: readonly TriagedFile[]) {
  const first = stages?.[0];
  const asked = seats.filter(({ id }) => first?.includes(id) ?? true);
  if (guardsOf(asked).length > 0) return nothingRead;
  return new Set(triaged.filter(({ sensitive }) => sensitive).map(({ path }) => path));
}

/** What the questions of a reviewer of a change are made from. */
interface ChangeMaterial extends ChangePacking {
  patches: ReadonlyMap<string, string>;
  bytesOf: (path: string) => number;
  reduced: ReadonlyMap<string, string>;
  shared: Pick<PromptContext, 'plan' | 'description' | 'prompt' | 'context'>;
  knowledge: Awaited<ReturnType<typeof readKnowledge>>;
  selection: Selection;
  unguarded: ReadonlySet<string>;
}

/** Context may be this large whatever the change is, and this share of a larger one: it must not take the room of what is reviewed. */
const aroundBytes = 6_000;
const aroundShare = 0.25;

function openSeat(seat: Seat, material: ChangeMaterial) {
  const { plan, change, bytesOf, knowledge, selection } = material;
  const read = material.readBefore.get(seat.id);
  // Where no more of a file can be shown than was read of it, asking again brings nothing.
  const readBefore = new Set(
    selection.readings
      .filter(({ path, extent }) => read?.get(path) === 'full' || read?.get(path) === extent)
      .map(({ path }) => path),
  );
  const since = material.since.get(seat.id) ?? null;
  const files = selection.readable
    .filter(({ path }) => !readBefore.has(path))
    .map(({ path }) => ({ path, isReduced: false }));
  const packOf = (step: Step, isOneOfSeveral: boolean): Pack => {
    const prompt = renderStep(step, isOneOfSeveral, seat, material);
    let readings: FileReading[] | undefined;
    return {
      reviewer: seat.id,
      instructions: seat.persona.instructions,
      prompt,
      get readings() {
        return (readings ??= readingsIn(prompt, step, selection, seat, change));
      },
      ...(step.files.length > 1 && {
        split: () =>
          halvesOf(step.files).map(half => packOf({ ...step, files: half, isPart: true }, true)),
      }),
    };
  };
  const isLater = readBefore.size > 0;
  const ask = (step: Step): Pack =>
    packOf({ ...step, isPart: step.isPart || isLater }, step.isPart || (isLater && since === null));
  const makeWhole = (): Pack | null => {
    const bytes = files.reduce((sum, { path }) => sum + bytesOf(path), 0);
    const most = promptBytes(seat, plan.spending !== null);
    return bytes > most - Buffer.byteLength(knowledge.textFor(seat))
      ? null
      : ask({ files, mode: 'full', isPart: false });
  };
  let whole: Pack | null | undefined;
  return {
    files,
    readBefore,
    ask,
    /** Null when its prompt would be larger than the reviewer takes. */
    whole: () => (whole === undefined ? (whole = makeWhole()) : whole),
  };
}

/** What is asked comes last, so that the part before it is the same for all who get the same files. */
function renderStep(step: Step, isOneOfSeveral: boolean, seat: Seat, material: ChangeMaterial) {
  const { plan, change, patches, reduced, knowledge, selection } = material;
  const since = material.since.get(seat.id);
  const paths = step.files.map(({ path }) => path);
  const asked = new Set(paths);
  // What a question takes without any file is reckoned with all there is to tell.
  const told = knowledge.tellFor(seat, paths);
  const shown = step.files.map(({ path, isReduced }) => ({
    path,
    patch: (isReduced ? reduced : patches).get(path) ?? '',
  }));
  const bytes = shown.reduce((sum, { patch }) => sum + Buffer.byteLength(patch), 0);
  const toldBytes = Buffer.byteLength(renderKnowledge(told, plan.fence).join(''));
  const room = Math.min(
    Math.max(aroundBytes, bytes * aroundShare),
    promptBytes(seat, true) - bytes - toldBytes,
  );
  const context = renderContext({
    ...material.shared,
    mode: plan.mode,
    fence: plan.fence,
    commits:
      change.source === 'range' && change.base !== null && change.head !== null
        ? { base: change.base, head: change.head }
        : null,
    files: shown,
    around: material.around.around(asked, room),
    knowledge: told,
    // The name of a file that is withheld is withheld as well.
    notSent: selection.readings
      .filter(({ extent, why }) => extent === 'skipped' && !isWithheld(why))
      .map(({ path, why }) => ({ path, why: why ?? '' })),
  });
  return present(
    context,
    since && renderSince(since, asked, plan.fence),
    isOneOfSeveral && partNote,
    paths.some(path => material.unguarded.has(path)) && securityNote,
    material.instructionsFor(seat),
    step.mode !== 'full' && severeOnly(new Map(plan.labels)),
  )
    .join('\n\n')
    .concat('\n');
}

/** An analyser is shown no text: it tells itself what it looked at. */
function readingsIn(
  prompt: string,
  { files, isPart }: Step,
  { readings }: Selection,
  { runner }: Seat,
  change: Change,
): FileReading[] {
  const asked = new Set(files.map(({ path }) => path));
  const shown = kindOf(runner) === 'check' ? null : shownOf(prompt, change);
  return readings.flatMap((reading): FileReading | [] => {
    const { path } = reading;
    if (!asked.has(path)) return isPart ? [] : reading;
    return shown === null ? reading : (shown.get(path) ?? { path, extent: 'skipped', why: null });
  });
}

// What the project says itself in the prompts of a run: its guidelines, and what was decided before.

/** `readableOf`: paths that a reviewer may be shown. Secrets in what is told are masked like those of the change. */
async function readKnowledge(
  plan: Plan,
  mask: Mask,
  readableOf: (seat: Seat) => readonly string[],
) {
  const learnt: string[] = [];
  const guidelines: Guideline[] = [];
  // One after the other, so that placeholders are numbered alike whenever it is done.
  if (plan.mode === 'code-review')
    for (const line of plan.learnt) learnt.push(await mask.apply(line, 'decisions'));
  for (const guideline of plan.guidelines)
    guidelines.push({ ...guideline, text: await mask.apply(guideline.text, guideline.name) });
  const guidelinesFor = openGuidelines({ ...plan, guidelines });
  const allFor = remember((seat: Seat) => guidelinesFor(seat, readableOf(seat)));
  const tellFor = (seat: Seat, paths: readonly string[]) =>
    kindOf(seat.runner) === 'check'
      ? noKnowledge
      : { learnt, guidelines: paths.length === 0 ? allFor(seat) : guidelinesFor(seat, paths) };
  return {
    /** What a reviewer is told with these files; with none, all it can be told. */
    tellFor,
    /** All it can be told as bare text, without the fence, by which no budget may differ. */
    textFor(seat: Seat) {
      const told = tellFor(seat, []);
      return [...told.learnt, ...told.guidelines.map(({ text }) => text)].join('\n');
    },
  };
}
