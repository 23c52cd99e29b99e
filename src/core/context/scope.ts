/** How large a scope is in one word, and how many tokens a pack for it may have, by role and by what the model is good at. */
import { z } from 'zod';
import { present } from '../groups.ts';
import {
  type FileKind,
  type ScopeFile,
  isConfigurationSchema,
  kindsOf,
  holdsPath,
} from '../languages/languages.ts';
import type { Persona } from '../words/persona.ts';
import type { Complexity } from './budget.ts';
import table from './scope-class.json' with { type: 'json' };

/** Smallest first. */
export const scopeClasses = ['Tiny', 'Small', 'Medium', 'Large'] as const;
type ScopeClass = (typeof scopeClasses)[number];

/** First match: Tiny by files and lines, Large and Medium by files or modules, else Small. */
export function classifyScope({
  files,
  changed_lines: changedLines,
  modules,
}: {
  readonly files: number;
  /** Added and deleted lines. */
  readonly changed_lines: number;
  /** Null when nobody knows: then it counts as one. */
  readonly modules: number | null;
}) {
  const touched = modules ?? 1;
  if (files <= 2 && changedLines <= 80) return 'Tiny';
  if (files > 12 || touched > 3) return 'Large';
  return files >= 7 || touched >= 2 ? 'Medium' : 'Small';
}

export const agentNames = [
  'Planner',
  'Thinker',
  'Implementer',
  'Verifier',
  'Reviewer',
  'Critical',
  'Supervisor',
] as const;
export type AgentName = (typeof agentNames)[number];

/** What a model is good at. */
export const Capability = z.enum([
  'fast_code',
  'reasoning_high',
  'reasoning_ultra',
  'long_context',
  'cheap_batch',
]);
export type ModelCapability = z.infer<typeof Capability>;

/** What each role gets against the planner of the same class; multipliers in tenths, so that the arithmetic stays in whole numbers. */
const { plannerCaps, shares, tenths } = table;

export interface CapSettings {
  readonly plannerCaps?: Partial<Readonly<Record<ScopeClass, number | undefined>>> | undefined;
  /** Multiples of a tenth. */
  readonly multipliers?: Partial<Readonly<Record<ModelCapability, number | undefined>>> | undefined;
}

/** `floor(planner cap × role / planner × multiplier)`: one floor, at the end. Tokens. */
export function packCap(
  scope: ScopeClass,
  agent: AgentName,
  capability: ModelCapability,
  settings: CapSettings = {},
) {
  const { [agent]: share, Planner: planner } = shares[scope];
  const given = settings.multipliers?.[capability];
  const tenth = given === undefined ? tenths[capability] : Math.round(given * 10);
  const cap = settings.plannerCaps?.[scope] ?? plannerCaps[scope];
  return Math.floor((cap * share * tenth) / (planner * 10));
}

export interface PackSize {
  readonly scope_class: ScopeClass;
  /** Tokens. */
  readonly budget: number;
}

/** What its class gives a pack, and what it may rise to when the changed lines need more: each with more room than those before. */
export type PackSizes = readonly [PackSize, ...PackSize[]];

export function packSizes(
  scope: ScopeClass,
  agent: AgentName,
  capability: ModelCapability,
  settings: CapSettings = {},
): PackSizes {
  const sizeOf = (one: ScopeClass): PackSize => ({
    scope_class: one,
    budget: packCap(one, agent, capability, settings),
  });
  const sizes: [PackSize, ...PackSize[]] = [sizeOf(scope)];
  for (const larger of scopeClasses.slice(scopeClasses.indexOf(scope) + 1).map(sizeOf))
    if (sizes.every(({ budget }) => budget < larger.budget)) sizes.push(larger);
  return sizes;
}

/** Why a pack is of a larger class than the scope of its change. */
export interface Rise extends PackSize {
  /** What the changed lines needed. */
  readonly tokens: number;
}

export function describeRise({ scope_class, tokens, budget }: Rise, to: ScopeClass) {
  return `scope_class is ${to}, not ${scope_class}: the changed lines need ${tokens} tokens and ${scope_class} has ${budget}`;
}

// Who is asked about a scope, and why: the default panel, the one for a stated complexity, and the reviewers a scope forces onto
// it.

type Role = Persona['role'];

export interface TriagedFile extends ScopeFile {
  readonly sensitive: boolean;
  readonly reason: string | null;
}

interface Candidate {
  readonly id: string;
  readonly role: Role;
  /** Globs of the domain; empty means everything. */
  readonly files: readonly string[];
  /** It costs next to nothing, so that it is always asked, and answers for no role. */
  readonly isCheck: boolean;
  /** Must complete, whatever the scope is. */
  readonly required: boolean;
}

interface TriageRequest {
  readonly candidates: readonly Candidate[];
  readonly files: readonly TriagedFile[];
  readonly complexity: Complexity | null;
  /** Did a person name the reviewers of this run? Then nobody is added or left out. */
  readonly isNamed: boolean;
}

export type Triage = ReturnType<typeof triage>;

type Forced = ReturnType<typeof forcedRoles>[number];

export function triage({ candidates, files, complexity, isNamed }: TriageRequest) {
  const forced = forcedRoles(files);
  const judged = candidates.map(candidate => ({
    candidate,
    isOutside:
      !files.some(({ path }) => holdsPath(candidate.files, path)) && candidate.files.length > 0,
    why: reasonsFor(candidate, { forced, complexity, isNamed }),
  }));
  // Where nobody is asked for, whoever has something to read is; where nobody has, the panel is as it was.
  const inside = judged.filter(({ isOutside }) => !isOutside);
  const wanted = inside.filter(({ why }) => why.length > 0);
  const seated = [wanted, inside, judged].find(group => group.length > 0) ?? [];
  return {
    seated: seated.map(({ candidate: { id }, why }) => ({
      id,
      why: wanted.length > 0 ? why : ['nobody else is configured'],
    })),
    leftOut: judged
      .filter(each => !seated.includes(each))
      .map(({ candidate: { id, role }, isOutside }) => ({
        id,
        /** Has it nothing to say to the change, whoever wants it? Else it is one that the stated complexity does not need. */
        isOutside,
        why: isOutside
          ? `no file ${role === 'language' ? 'of its language' : 'in its domain'}`
          : `not asked at complexity ${complexity ?? ''}`,
      })),
    /** What the scope asks for and nobody on the panel answers for, a sentence each. */
    gaps: forced
      .filter(need => !seated.some(({ candidate }) => answersFor(candidate, need)))
      .map(
        ({ role, path, why }) =>
          `No ${path === null ? role : 'Go'} reviewer is on the panel, and ${why}.`,
      ),
  };
}

/** In the order of the rules, each role once, by the first file that asks for it. */
export function forcedRoles(files: readonly TriagedFile[]) {
  const known = files.map(file => ({ file, kinds: kindsOf(file) }));
  return forcing.flatMap(({ role, says }) => {
    const found = known
      .map(({ file, kinds }) => ({ path: file.path, said: says(file, kinds) }))
      .find(({ said }) => said !== false);
    if (found === undefined) return [];
    const { path, said } = found;
    // For languages a reviewer whose domain holds this file is meant.
    return { role, path: role === 'language' ? path : null, why: `${path} ${said}` };
  });
}

/** What a file is that asks for a role; false where it asks for none. */
const forcing: readonly {
  readonly role: Role;
  readonly says: (file: TriagedFile, kinds: ReadonlySet<FileKind>) => string | false;
}[] = [
  {
    role: 'security',
    says: ({ sensitive, reason }) => sensitive && `is security-sensitive (${reason ?? ''})`,
  },
  { role: 'language', says: ({ path }) => path.endsWith('.go') && 'is Go' },
  {
    role: 'user-persona',
    says: ({ path }, kinds) =>
      (kinds.has('public-api') || kinds.has('command-line') || isConfigurationSchema(path)) &&
      'is public: interface, command line or configuration',
  },
  {
    role: 'documentation',
    says: (_, kinds) => kinds.has('documentation') && 'is documentation',
  },
  { role: 'vulnerability', says: (_, kinds) => kinds.has('manifest') && 'names dependencies' },
];

/** Empty: not asked. */
function reasonsFor(
  candidate: Candidate,
  {
    forced,
    complexity,
    isNamed,
  }: Pick<TriageRequest, 'complexity' | 'isNamed'> & { readonly forced: readonly Forced[] },
) {
  return present(
    isNamed && 'named for this run',
    candidate.required && 'required',
    ...(isNamed ? [] : chosenBy(candidate, complexity)),
    ...forced.filter(need => answersFor(candidate, need)).map(({ why }) => why),
  );
}

/** SIMPLE: code quality. STANDARD: with the language and security. COMPLEX and none: everybody with something to read. */
function chosenBy(candidate: Candidate, complexity: Complexity | null) {
  const reason = complexity === null ? 'on the panel' : `asked at complexity ${complexity}`;
  if (complexity === null || complexity === 'COMPLEX') return [reason];
  if (candidate.isCheck) return ['costs no tokens'];
  const asked: Role[] =
    complexity === 'SIMPLE' ? ['code-quality'] : ['code-quality', 'language', 'security'];
  return asked.includes(candidate.role) ? [reason] : [];
}

function answersFor(candidate: Candidate, { role, path }: Forced) {
  return (
    !candidate.isCheck &&
    candidate.role === role &&
    (path === null || holdsPath(candidate.files, path))
  );
}
