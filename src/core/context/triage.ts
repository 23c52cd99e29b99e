/** Who is asked about a scope, and why: the default panel, the one for a stated complexity, and the reviewers a scope forces onto it. */
import picomatch from 'picomatch';
import type { Persona } from '../words/persona.ts';
import type { Complexity } from './budget.ts';
import { isConfigurationSchema, isGo, kindsOf, type ScopeFile } from '../languages/path-kinds.ts';

export type Role = Persona['role'];

export interface TriagedFile extends ScopeFile {
  readonly sensitive: boolean;
  readonly reason: string | null;
}

export interface Candidate {
  readonly id: string;
  readonly role: Role;
  /** Globs of the domain; empty means everything. */
  readonly files: readonly string[];
  /** Spends no tokens: a stated complexity saves nothing by leaving it out. */
  readonly isFree: boolean;
  /** Must complete, whatever the scope is. */
  readonly required: boolean;
}

export interface TriageRequest {
  readonly candidates: readonly Candidate[];
  readonly files: readonly TriagedFile[];
  readonly complexity: Complexity | null;
  /** Did a person name the reviewers of this run? Then nobody is added or left out. */
  readonly isNamed: boolean;
}

export interface Triage {
  readonly seated: readonly { readonly id: string; readonly why: readonly string[] }[];
  readonly leftOut: readonly { readonly id: string; readonly why: string }[];
  /** What the scope asks for and nobody on the panel answers for, a sentence each. */
  readonly gaps: readonly string[];
}

/** A role the scope asks for, with the first file that does. */
export interface Forced {
  readonly role: Role;
  /** Set for languages: a reviewer whose domain holds this file is meant. */
  readonly path: string | null;
  readonly why: string;
}

export function triage({ candidates, files, complexity, isNamed }: TriageRequest): Triage {
  const forced = forcedRoles(files);
  const judged = candidates.map(candidate => ({
    candidate,
    why: reasonsFor(candidate, { forced, files, complexity, isNamed }),
  }));
  const isEmpty = judged.every(({ why }) => why.length === 0);
  const seated = judged.filter(({ why }) => why.length > 0 || isEmpty);
  return {
    seated: seated.map(({ candidate: { id }, why }) => ({
      id,
      why: isEmpty ? ['nobody else is configured'] : why,
    })),
    leftOut: isEmpty
      ? []
      : judged
          .filter(({ why }) => why.length === 0)
          .map(({ candidate }) => ({ id: candidate.id, why: whyLeftOut(candidate, complexity) })),
    gaps: forced
      .filter(need => !seated.some(({ candidate }) => answersFor(candidate, need)))
      .map(
        ({ role, path, why }) =>
          `No ${path === null ? role : 'Go'} reviewer is on the panel, and ${why}.`,
      ),
  };
}

/** In the order of the rules, each role once. */
export function forcedRoles(files: readonly TriagedFile[]): Forced[] {
  const kinds = files.map(file => ({ file, kinds: kindsOf(file) }));
  const sensitive = files.find(file => file.sensitive);
  const go = files.find(({ path }) => isGo(path));
  const open = kinds.find(
    ({ file, kinds: own }) =>
      own.has('public-api') || own.has('command-line') || isConfigurationSchema(file.path),
  );
  const documentation = kinds.find(({ kinds: own }) => own.has('documentation'));
  const manifest = kinds.find(({ kinds: own }) => own.has('manifest'));
  return [
    ...(sensitive
      ? [
          {
            role: 'security' as const,
            path: null,
            why: `${sensitive.path} is security-sensitive (${sensitive.reason ?? ''})`,
          },
        ]
      : []),
    ...(go ? [{ role: 'language' as const, path: go.path, why: `${go.path} is Go` }] : []),
    ...(open
      ? [
          {
            role: 'user-persona' as const,
            path: null,
            why: `${open.file.path} is public: interface, command line or configuration`,
          },
        ]
      : []),
    ...(documentation
      ? [
          {
            role: 'documentation' as const,
            path: null,
            why: `${documentation.file.path} is documentation`,
          },
        ]
      : []),
    ...(manifest
      ? [
          {
            role: 'vulnerability' as const,
            path: null,
            why: `${manifest.file.path} names dependencies`,
          },
        ]
      : []),
  ];
}

type Situation = Pick<TriageRequest, 'files' | 'complexity' | 'isNamed'> & {
  readonly forced: readonly Forced[];
};

/** Empty: not asked. */
function reasonsFor(
  candidate: Candidate,
  { forced, files, complexity, isNamed }: Situation,
): string[] {
  return [
    ...(isNamed ? ['named for this run'] : []),
    ...(candidate.required ? ['required'] : []),
    ...(isNamed ? [] : chosenBy(candidate, files, complexity)),
    ...forced.filter(need => answersFor(candidate, need)).map(({ why }) => why),
  ];
}

/** SIMPLE: code quality. STANDARD: with the language and security. COMPLEX and none: everybody with something to read. */
function chosenBy(
  candidate: Candidate,
  files: readonly TriagedFile[],
  complexity: Complexity | null,
): string[] {
  if (candidate.role === 'language' && !files.some(({ path }) => isInDomain(candidate, path)))
    return [];
  const reason = complexity === null ? 'on the panel' : `asked at complexity ${complexity}`;
  if (complexity === null || complexity === 'COMPLEX') return [reason];
  if (candidate.isFree) return ['costs no tokens'];
  const asked: readonly Role[] =
    complexity === 'SIMPLE' ? ['code-quality'] : ['code-quality', 'language', 'security'];
  return asked.includes(candidate.role) ? [reason] : [];
}

function whyLeftOut({ role }: Candidate, complexity: Complexity | null): string {
  return role === 'language' && complexity !== 'SIMPLE'
    ? 'no file of its language'
    : `not asked at complexity ${complexity ?? ''}`;
}

function answersFor(candidate: Candidate, { role, path }: Forced): boolean {
  return candidate.role === role && (path === null || isInDomain(candidate, path));
}

function isInDomain({ files }: Candidate, path: string): boolean {
  return files.length === 0 || picomatch([...files], { dot: true })(path);
}
