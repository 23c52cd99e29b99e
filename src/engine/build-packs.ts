/** Builds what each reviewer is shown. Secrets are masked before anything is sent; reviewers of one selection share their prompt. */
import {
  orderFiles,
  type Pack,
  selectFiles,
  type Selection,
  type StepFile,
} from '../core/context/pack.ts';
import { shownOf } from '../core/context/shown.ts';
import type { Change, Subject } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import type { ProgressiveMode } from '../core/context/progressive-mode.ts';
import { triageFiles } from '../core/context/scope.ts';
import { defaultMaxPromptBytes, promptBytes } from '../core/context/windows.ts';
import { isWithheld, openEgress } from '../core/context/egress.ts';
import { isInDomain } from '../core/verdict/coverage.ts';
import { mergeReadings } from '../answers/index.ts';
import { modes } from '../core/words/mode.ts';
import { renderShown } from '../core/change/notebook.ts';
import { renderPatch, withoutContext } from '../core/change/patch.ts';
import type { Plan } from '../core/words/plan.ts';
import { secretsAddedBy, type AddedSecret } from '../core/safety/engine-finding.ts';
import type { SecretScanner } from '../core/ports/secret-scanner.ts';
import { processOf } from '../core/process.ts';
import {
  partNote,
  type PromptContext,
  renderContext,
  renderContract,
  renderEvidenceInstructions,
  renderInstructions,
  securityNote,
  severeOnly,
} from '../core/prompt/prompt.ts';
import { type ProjectKnowledge, renderKnowledge } from '../core/prompt/project-knowledge.ts';
import { guardsOf } from '../core/words/reader.ts';
import type { FileReading } from '../core/words/review.ts';
import { renderSince, type Since } from '../core/pushes/since.ts';
import { noContext, type ReviewContext } from './context/pack-review-context.ts';
import { readKnowledge } from './read-knowledge.ts';
import { createMask, type Mask } from './mask-texts.ts';
import { packDocument } from './pack-document.ts';
import { packQuestion } from './pack-question.ts';
import type { TriagedFile } from '../core/context/triage.ts';

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
  readonly files: readonly StepFile[];
  readonly mode: ProgressiveMode;
  /** Is there more of the change than these files? */
  readonly isPart: boolean;
}

export interface PackOptions {
  /** Where the agents' files lie; null before there is a run. */
  readonly outputFolder?: string | null;
  /** What stands around the change. */
  readonly around?: ReviewContext;
  /** By reviewer: what it has read in earlier rounds, and how much of it. */
  readonly readBefore?: ReadBefore;
  /** By reviewer: what it is told that has read an earlier state of the change. */
  readonly since?: SinceThen;
}

type ReadBefore = ReadonlyMap<string, ReadonlyMap<string, FileReading['extent']>>;

type SinceThen = ReadonlyMap<string, Since>;

const nothingRead: ReadonlySet<string> = new Set();

export async function buildPacks(
  plan: Plan,
  subject: Subject,
  secrets: SecretScanner,
  {
    outputFolder = null,
    around = noContext,
    readBefore = new Map(),
    since = new Map(),
  }: PackOptions = {},
): Promise<Packs> {
  if (subject.kind === 'change')
    return packChange({ plan, change: subject, secrets, around, readBefore, since });
  const instructionsFor = (seat: Seat): string => renderInstructionsFor(plan, seat, outputFolder);
  const mask = createMask(secrets);
  if (subject.kind === 'document') {
    const parts = await packDocument({ plan, document: subject, mask, instructionsFor });
    const sizes = new Map(subject.files.map(({ path, bytes }) => [path, bytes]));
    return packsOf(seat => parts.get(seat.id)?.parts ?? [], mask, {
      bytesOf: unit => sizes.get(unit) ?? 0,
      withheldFrom: ({ id }) => parts.get(id)?.withheld ?? [],
    });
  }
  const { partsFor, bytes } = await packQuestion({
    plan,
    question: subject,
    mask,
    instructionsFor,
  });
  return packsOf(partsFor, mask, { bytesOf: () => bytes, withheldFrom: () => [] });
}

interface Undealt extends Pick<Packs, 'bytesOf'> {
  /** What a reviewer reads that gets no part. */
  readonly withheldFrom: (seat: Seat) => readonly FileReading[];
}

/** Of subjects that are no change nothing is left out and nothing is cut again. */
function packsOf(
  partsFor: (seat: Seat) => readonly Pack[],
  mask: Mask,
  { bytesOf, withheldFrom }: Undealt,
): Packs {
  const joined = (seat: Seat): Pack => joinPacks(seat, partsFor(seat));
  return {
    partsFor,
    bytesOf,
    wholeFor: joined,
    stepFor: joined,
    filesFor: () => [],
    readBefore: () => nothingRead,
    materialFor: () => Promise.resolve([]),
    readingsFor: seat => (partsFor(seat).length > 0 ? joined(seat).readings : withheldFrom(seat)),
    masked: mask.count(),
    secrets: [],
  };
}

interface ChangePacking {
  readonly plan: Plan;
  readonly change: Change;
  readonly secrets: SecretScanner;
  readonly around: ReviewContext;
  readonly readBefore: ReadBefore;
  readonly since: SinceThen;
}

async function packChange({
  plan,
  change,
  secrets,
  around,
  readBefore: read,
  since,
}: ChangePacking): Promise<Packs> {
  const mask = createMask(secrets);
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
  const told = new Map<string, Since>();
  for (const [id, each] of since) told.set(id, await maskSaid(each, mask));
  const sizes = new Map([...patches].map(([path, patch]) => [path, Buffer.byteLength(patch)]));
  const { refusalFor } = openEgress(plan.egress);
  const selections = new Map(
    plan.seats.map(seat => [
      seat.id,
      selectFiles(change, seat.persona, file => refusalFor(seat.id, file)),
    ]),
  );
  const knowledge = await readKnowledge(plan, mask, seat =>
    selectionOf(selections, seat).readable.map(({ path }) => path),
  );
  let known: ReadonlyMap<string, string> = new Map();
  let reducing: Promise<ReadonlyMap<string, string>> | undefined;
  const reduced = async (): Promise<ReadonlyMap<string, string>> =>
    (known = await (reducing ??= reducePatches(change, mask)));
  const triaged = triageFiles(change.files, plan.spending?.sensitiveFiles ?? []);
  const order = orderFiles(triaged);
  const settled = new Map(
    plan.seats.map(seat => [
      seat.id,
      settledIn(selectionOf(selections, seat), read.get(seat.id) ?? new Map()),
    ]),
  );
  const readBefore = (seat: Seat): ReadonlySet<string> => settled.get(seat.id) ?? nothingRead;
  const unguarded = unguardedIn(plan, triaged);
  const packing = (seat: Seat, step: Step): FilePacking => ({
    plan,
    unguarded,
    change,
    seat,
    step: { ...step, isPart: step.isPart || readBefore(seat).size > 0 },
    isOneOfSeveral: step.isPart || (readBefore(seat).size > 0 && !told.has(seat.id)),
    since: told.get(seat.id) ?? null,
    patches,
    selection: selectionOf(selections, seat),
    reduced: known,
    shared,
    around,
    // What a question takes without any file is reckoned with all there is to tell.
    knowledge: knowledge.tellFor(
      seat,
      step.files.map(({ path }) => path),
    ),
  });
  const filesFor = (seat: Seat): StepFile[] =>
    selectionOf(selections, seat)
      .readable.filter(({ path }) => !readBefore(seat).has(path))
      .map(({ path }) => ({ path, isReduced: false }));
  const wholes = new Map<string, Pack | null>();
  const makeWhole = (seat: Seat): Pack | null => {
    const files = filesFor(seat);
    const bytes = files.reduce((sum, { path }) => sum + (sizes.get(path) ?? 0), 0);
    const most =
      plan.spending === null ? promptBytes(seat) : (seat.maxPromptBytes ?? defaultMaxPromptBytes);
    return bytes > most - Buffer.byteLength(knowledge.textFor(seat))
      ? null
      : packFiles(packing(seat, { files, mode: 'full', isPart: false }));
  };
  return {
    filesFor,
    readBefore,
    wholeFor(seat) {
      const whole = wholes.has(seat.id) ? (wholes.get(seat.id) ?? null) : makeWhole(seat);
      wholes.set(seat.id, whole);
      return whole;
    },
    readingsFor: seat => selectionOf(selections, seat).readings,
    async materialFor(seat) {
      const texts = await reduced();
      const readable = new Set(filesFor(seat).map(({ path }) => path));
      return order.flatMap((file, rank) =>
        readable.has(file.path)
          ? [
              {
                path: file.path,
                patch: patches.get(file.path) ?? '',
                reduced: texts.get(file.path) ?? null,
                isSensitive: file.sensitive,
                isOwn: isInDomain(seat.persona, file),
                rank,
              },
            ]
          : [],
      );
    },
    stepFor: (seat, step) => packFiles(packing(seat, step)),
    knowledgeOf: seat => knowledge.textFor(seat),
    bytesOf: unit => sizes.get(unit) ?? 0,
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

/** Where no more of a file can be shown than was read of it, asking again brings nothing. */
function settledIn(
  { readings }: Selection,
  read: ReadonlyMap<string, FileReading['extent']>,
): ReadonlySet<string> {
  return new Set(
    readings
      .filter(({ path, extent }) => read.get(path) === 'full' || read.get(path) === extent)
      .map(({ path }) => path),
  );
}

async function reducePatches({ files }: Change, mask: Mask): Promise<ReadonlyMap<string, string>> {
  const reduced = new Map<string, string>();
  for (const file of files) {
    const bare = withoutContext(file);
    if (bare !== null) reduced.set(file.path, await mask.apply(renderShown(bare), file.path));
  }
  return reduced;
}

/** Sensitive files that nobody seated is there for: whoever is shown them is asked about security. */
function unguardedIn(
  { seats, stages }: Plan,
  triaged: readonly TriagedFile[],
): ReadonlySet<string> {
  const first = stages?.[0];
  const asked = seats.filter(({ id }) => first?.includes(id) ?? true);
  if (guardsOf(asked).length > 0) return nothingRead;
  return new Set(triaged.filter(({ sensitive }) => sensitive).map(({ path }) => path));
}

interface FilePacking {
  readonly plan: Plan;
  readonly unguarded: ReadonlySet<string>;
  readonly change: Change;
  readonly seat: Seat;
  readonly step: Step;
  /** Are other files of the change asked about in other questions? */
  readonly isOneOfSeveral: boolean;
  readonly since: Since | null;
  readonly selection: Selection;
  readonly patches: ReadonlyMap<string, string>;
  readonly reduced: ReadonlyMap<string, string>;
  readonly shared: Pick<PromptContext, 'plan' | 'description' | 'prompt' | 'context'>;
  readonly around: ReviewContext;
  readonly knowledge: ProjectKnowledge;
}

/** Context may be this large whatever the change is, and this share of a larger one: it must not take the room of what is reviewed. */
const aroundBytes = 6_000;
const aroundShare = 0.25;

function packFiles(packing: FilePacking): Pack {
  const { plan, change, seat, step, isOneOfSeveral, since, selection, unguarded } = packing;
  const { patches, reduced, shared, around, knowledge } = packing;
  const asked = new Set(step.files.map(({ path }) => path));
  const files = step.files.map(({ path, isReduced }) => ({
    path,
    patch: (isReduced ? reduced.get(path) : patches.get(path)) ?? '',
  }));
  const bytes = files.reduce((sum, { patch }) => sum + Buffer.byteLength(patch), 0);
  const room = Math.min(
    Math.max(aroundBytes, bytes * aroundShare),
    (seat.maxPromptBytes ?? defaultMaxPromptBytes) -
      bytes -
      Buffer.byteLength(renderKnowledge(knowledge, plan.fence).join('')),
  );
  const context = renderContext({
    ...shared,
    mode: plan.mode,
    fence: plan.fence,
    commits: commitsOf(change),
    files,
    around: around.around(asked, room),
    knowledge,
    // The name of a file that is withheld is withheld as well.
    notSent: selection.readings
      .filter(({ extent, why }) => extent === 'skipped' && !isWithheld(why))
      .map(({ path, why }) => ({ path, why: why ?? '' })),
  });
  const prompt = withInstructions({
    plan,
    context,
    notes: [
      ...(since === null ? [] : [renderSince(since, asked, plan.fence)]),
      ...(isOneOfSeveral ? [partNote] : []),
      ...([...asked].some(path => unguarded.has(path)) ? [securityNote] : []),
    ],
    step,
    instructions: renderInstructionsFor(plan, seat, null),
  });
  const readingsIn = (): FileReading[] => {
    // An analyser is shown no text: it tells itself what it looked at.
    const shown = seat.runner === 'builtin' ? null : shownOf(prompt, change);
    return selection.readings.flatMap((reading): FileReading[] => {
      const { path } = reading;
      if (!asked.has(path)) return step.isPart ? [] : [reading];
      return [
        shown === null ? reading : (shown.get(path) ?? { path, extent: 'skipped', why: null }),
      ];
    });
  };
  let readings: readonly FileReading[] | undefined;
  return {
    reviewer: seat.id,
    instructions: seat.persona.instructions,
    prompt,
    get readings() {
      return (readings ??= readingsIn());
    },
    ...(step.files.length > 1 && {
      split: () =>
        halvesOf(step.files).map(files =>
          packFiles({ ...packing, isOneOfSeveral: true, step: { ...step, files, isPart: true } }),
        ),
    }),
  };
}

function halvesOf<Item>(items: readonly Item[]): (readonly Item[])[] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

function commitsOf({ source, base, head }: Change): PromptContext['commits'] {
  return source === 'range' && base !== null && head !== null ? { base, head } : null;
}

function renderInstructionsFor(plan: Plan, seat: Seat, outputFolder: string | null): string {
  const { contract } = processOf(plan.command);
  const scale = new Map(plan.labels);
  if (contract === 'research' || contract === 'ideas')
    return renderContract({
      contract,
      agent: seat.id,
      outputFolder,
      writesFiles: writesFiles(seat),
    });
  const isProofAsked = plan.trust === 'untrusted' && plan.mode !== 'verification';
  if (isProofAsked)
    return renderEvidenceInstructions(modes[plan.mode].question, scale, plan.nonces[seat.id] ?? '');
  return contract === 'index'
    ? renderContract({ contract, agent: seat.id, outputFolder, writesFiles: writesFiles(seat) })
    : renderInstructions(plan.mode, scale);
}

/** A model without tools cannot; of a program of the user's own nobody knows. */
function writesFiles({ runner }: Seat): boolean {
  return runner === 'command';
}

/** What is asked comes last, so that the part before it is the same for all who get the same files. */
function withInstructions({
  plan,
  context,
  notes,
  step,
  instructions,
}: {
  readonly plan: Plan;
  readonly context: string;
  readonly notes: readonly string[];
  readonly step: Step;
  readonly instructions: string;
}): string {
  return [
    context,
    ...notes,
    instructions,
    ...(step.mode === 'full' ? [] : [severeOnly(new Map(plan.labels))]),
  ]
    .join('\n\n')
    .concat('\n');
}

function joinPacks(seat: Seat, parts: readonly Pack[]): Pack {
  return {
    reviewer: seat.id,
    instructions: seat.persona.instructions,
    prompt: parts.map(({ prompt }) => prompt).join('\n\n'),
    readings: mergeReadings(parts.map(({ readings }) => readings)),
  };
}

function selectionOf(selections: ReadonlyMap<string, Selection>, seat: Seat): Selection {
  const selection = selections.get(seat.id);
  if (!selection) throw new Error(`Nothing was selected for ${seat.id}.`);
  return selection;
}
