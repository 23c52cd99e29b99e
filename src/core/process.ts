/**
 * The processes: everything in which they differ is a row of this table, so that a new one is a row and not another pipeline.
 * All of them ask a panel, keep what it says on disk, form claims, pass a gate and return a few lines. The command of the
 * terminal and what agents may start are made of the rows as well.
 */
import { z } from 'zod';
import type { ModeName } from './words/mode.ts';
import {
  AskRequest,
  BrainstormRequest,
  CollectRequest,
  ConsensusRequest,
  DocumentRequest,
  GatesRequest,
  ResearchRequest,
  ReviewRequest,
} from './request.ts';
import { scaleOf, type LabelScale } from './words/finding.ts';

/** What reviewers are asked to write: severity lines, a Findings Index, the four blocks of research, or ideas. */
export type Contract = 'lines' | 'index' | 'research' | 'ideas';

/** How people and agents begin a process. */
interface Entry {
  readonly summary: string;
  readonly aliases: readonly string[];
  /** Lines below the help. */
  readonly epilogue: string;
  /** What agents give as the subject; `noun` null: they may leave it out. */
  readonly subject: { readonly noun: string | null; readonly told: string };
}

interface Row {
  /** All that a caller may say: the type, the flags, the help text and the input of agents come of it. */
  readonly request: z.ZodObject;
  /** Who reads the subject: the reader of this name in `src/library/subjects/`. */
  readonly subject: 'change' | 'document' | 'question' | 'commits' | 'collected';
  /** The change that is meant when none is named; `work`: what is not committed, else what the branch adds, else the last commit. */
  readonly usualChange: 'work' | 'working tree';
  /** Null: neither a command of `jury` nor for agents. */
  readonly entry: Entry | null;
  /** Null where the caller chooses. */
  readonly mode: ModeName | null;
  /** Personas for reviewers that were given none, handed out in turn. Empty: they keep those of the mode. */
  readonly personas: readonly string[];
  /**
   * Whom the configuration names: by mode or by process, else everybody; or seats of its own, which are asked
   * without being configured: a configured one of the name takes the place of each, and the others are asked too.
   */
  readonly panel:
    | 'modes'
    | 'processes'
    | readonly {
        readonly id: string;
        readonly runner: 'claude' | 'gemini' | 'codex';
        readonly required: boolean;
      }[];
  /** Seats that are asked when the caller names nobody; null: the whole panel. */
  readonly seats: number | null;
  /** Complete reviews needed, whatever the configuration says; null: as that says. */
  readonly quorum: number | null;
  /** Are reviewers chosen and budgets allotted by the size of the change? `small`: a change that is small enough counts as SIMPLE. */
  readonly sizing: 'none' | 'full' | 'small';
  readonly contract: Contract;
  /** What is made of the answers: claims that the gate judges, or an answer to the question. */
  readonly synthesis: 'claims' | 'answer';
  /** What the caller gets: the brief of a review, that of the write-behind contract to the letter, or an answer. */
  readonly returned: 'review' | 'contract' | 'research' | 'ideas';
}

const reading = {
  subject: 'change',
  usualChange: 'work',
  mode: null,
  personas: [],
  panel: 'modes',
  seats: null,
  quorum: null,
  sizing: 'none',
  contract: 'lines',
  synthesis: 'claims',
  returned: 'review',
} as const;
const reviewing = { ...reading, mode: 'code-review', sizing: 'full' } as const;
const answering = {
  ...reading,
  subject: 'question',
  mode: 'general-prompt',
  panel: 'processes',
  synthesis: 'answer',
} as const;

const rows = {
  review: {
    ...reviewing,
    request: ReviewRequest,
    entry: {
      summary: 'Put a change before the panel and report what it agrees on',
      aliases: ['consensus-review'],
      epilogue: `Examples:
  jury review                          uncommitted work, else the branch, else the last commit
  jury review main..HEAD --fail-on majority:high
  jury review main..HEAD -- src/api    only these paths of it
  jury review --staged --reviewers secrets,claude
  git diff | jury review --patch -`,
      subject: {
        noun: null,
        told:
          'A..B, a commit, a branch, --staged or --worktree (default: what is not committed, else what the branch ' +
          'adds, else the last commit)',
      },
    },
  },
  gates: {
    ...reviewing,
    request: GatesRequest,
    usualChange: 'working tree',
    sizing: 'small',
    returned: 'contract',
    entry: {
      summary: 'Review what is about to be committed, and close the gate unless it proves good',
      aliases: ['quality-gates'],
      epilogue: `Examples:
  jury gates                    what is not committed
  jury gates main..HEAD
  jury gates --run latest       judge that run again and ask nobody

Exit codes: 0 pass; 1 findings of P0 or P1, or a reviewer that blocks; 2 closed; 3 usage.`,
      subject: { noun: null, told: 'a range (default: uncommitted changes)' },
    },
  },
  document: {
    ...reading,
    request: DocumentRequest,
    subject: 'document',
    mode: 'architecture',
    personas: ['architecture-reviewer', 'correctness-reviewer', 'feasibility-reviewer'],
    panel: 'processes',
    contract: 'index',
    returned: 'contract',
    entry: {
      summary: 'Put a design, a plan or a specification before the panel',
      aliases: ['doc-review'],
      epilogue: `Examples:
  jury document docs/design.md
  jury document specification/ --reviewers claude,codex --fail-on high`,
      subject: { noun: 'the document', told: 'file or folder below the root' },
    },
  },
  ask: {
    ...reading,
    request: AskRequest,
    subject: 'question',
    entry: {
      summary: 'Put a question before the panel',
      aliases: [],
      epilogue: `Examples:
  jury ask "What could go wrong with this approach?" --context-file design.md
  jury ask --mode architecture --context-file design.md "Criticise this design"`,
      subject: { noun: 'the question', told: 'the question' },
    },
  },
  research: {
    ...answering,
    request: ResearchRequest,
    personas: ['internal-researcher', 'documentation-researcher', 'community-researcher'],
    // One complete answer is one, whoever else answered in part.
    quorum: 1,
    contract: 'research',
    returned: 'research',
    entry: {
      summary: 'Ask researchers a question: sources, findings, confidence, gaps',
      aliases: [],
      epilogue: `Examples:
  jury research "How do others migrate from X to Y?"
  jury research - --context-file decisions.md < question.txt`,
      subject: { noun: 'the question', told: 'the question' },
    },
  },
  brainstorm: {
    ...answering,
    request: BrainstormRequest,
    personas: ['brainstorm-researcher'],
    seats: 1,
    contract: 'ideas',
    returned: 'ideas',
    entry: {
      summary: 'Ask one researcher for approaches to a topic',
      aliases: [],
      epilogue: `Examples:
  jury brainstorm "Offline mode for the client" --context-file design.md`,
      subject: { noun: 'the topic', told: 'the topic' },
    },
  },
  collect: {
    ...reading,
    request: CollectRequest,
    subject: 'collected',
    mode: 'architecture',
    contract: 'index',
    returned: 'contract',
    entry: {
      summary: 'Form claims, verdict files and a report of what your own agents wrote',
      aliases: [],
      epilogue: `Examples:
  jury collect --prepare design    makes the folder and prints what to tell the agents
  jury collect .jury/inbox/design --expect security,performance
  jury collect findings/ --require security --subject main..HEAD`,
      subject: { noun: 'the folder', told: 'folder below the root' },
    },
  },
  'multi-consensus': {
    ...reading,
    request: ConsensusRequest,
    subject: 'commits',
    panel: [
      { id: 'Claude', runner: 'claude', required: true },
      { id: 'Gemini', runner: 'gemini', required: false },
      { id: 'Codex', runner: 'codex', required: false },
    ],
    quorum: 1,
    entry: null,
  },
} as const;

type ProcessName = keyof typeof rows;

export interface Process extends Row {
  readonly name: ProcessName;
}

export const processes: readonly Process[] = (Object.keys(rows) as ProcessName[]).map(name => ({
  name,
  ...rows[name],
}));

/** The row of a run's command. A run of a version that knew other commands is read like a review. */
export function processOf(command: string): Process {
  return processes.find(({ name }) => name === command) ?? { name: 'review', ...rows.review };
}

type RequestOf<Name extends ProcessName> = (typeof rows)[Name]['request'];

/** What a caller asks for: the fields of one process, and which one that is. */
export type Request = {
  [Name in ProcessName]: { process: Name } & z.input<RequestOf<Name>>;
}[ProcessName];

/** A request with its defaults. */
type CheckedRequest = {
  [Name in ProcessName]: { process: Name } & z.output<RequestOf<Name>>;
}[ProcessName];

const [first, ...others] = processes.map(({ name, request }) =>
  request.extend({ process: z.literal(name) }),
);
if (!first) throw new Error('There are no processes.');

/** Checks a request by its row. The types of a mapped list are lost on the way; they are those of the rows, as stated. */
export const Request = z.discriminatedUnion('process', [first, ...others]) as unknown as z.ZodType<
  CheckedRequest,
  Request
>;

type KeyOf<Union> = Union extends unknown ? keyof Union : never;
type ValueOf<Union, Key extends PropertyKey> = Union extends unknown
  ? Key extends keyof Union
    ? Union[Key]
    : never
  : never;

/** What any process may be told. What a process does not know is absent. */
export type Settings = { readonly [Key in KeyOf<CheckedRequest>]?: ValueOf<CheckedRequest, Key> };

/** The key of a request that names its subject, and what the help text calls it. */
export function subjectKeyOf({ request }: Pick<Process, 'request'>): {
  readonly key: string;
  readonly value: string;
} {
  for (const [key, schema] of Object.entries<z.core.$ZodType>(request.shape)) {
    const { positional, value } = z.globalRegistry.get(schema) ?? {};
    if (positional === true) return { key, value: String(value) };
  }
  throw new Error('A request without an argument names no subject.');
}

const labels = { index: ['P0', 'P1', 'P2', 'P3'], research: ['FINDING'], ideas: ['IDEA'] } as const;

/** Labels that a contract asks for; null where those of the mode are. Findings of research and ideas are no defects. */
export function scaleOfContract(contract: Contract): LabelScale | null {
  if (contract === 'lines') return null;
  return contract === 'index'
    ? scaleOf(labels.index)
    : new Map(labels[contract].map(label => [label, 'low' as const]));
}

/** The rule set of a process whose caller names none. General, debugging and architecture questions have no gate. */
export function defaultRulesOf(command: string, mode: ModeName) {
  const { name, synthesis } = processOf(command);
  if (name === 'gates') return 'gates';
  const isPlainQuestion = (name === 'ask' || name === 'multi-consensus') && !gatedModes.has(mode);
  if (isPlainQuestion) return 'question';
  return synthesis === 'answer' ? 'answer' : 'review';
}

const gatedModes: ReadonlySet<ModeName> = new Set(['code-review', 'verification']);
