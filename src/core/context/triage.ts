/** Who is asked about a scope, and why: the default panel, the one for a stated complexity, and the reviewers a scope forces onto it. */
import picomatch from 'picomatch';
import { present } from '../present.ts';
import type { Persona } from '../words/persona.ts';
import type { Complexity } from './budget.ts';
import {
  type FileKind,
  isConfigurationSchema,
  kindsOf,
  type ScopeFile,
} from '../languages/languages.ts';

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

export interface Triage {
  readonly seated: readonly { readonly id: string; readonly why: string[] }[];
  readonly leftOut: readonly {
    readonly id: string;
    readonly why: string;
    /** Has it nothing to say to the change, whoever wants it? Else it is one that the stated complexity does not need. */
    readonly isOutside: boolean;
  }[];
  /** What the scope asks for and nobody on the panel answers for, a sentence each. */
  readonly gaps: readonly string[];
}

/** A role the scope asks for, with the first file that does. */
interface Forced {
  readonly role: Role;
  /** Set for languages: a reviewer whose domain holds this file is meant. */
  readonly path: string | null;
  readonly why: string;
}

export function triage({ candidates, files, complexity, isNamed }: TriageRequest): Triage {
  const forced = forcedRoles(files);
  const judged = candidates.map(candidate => ({
    candidate,
    isOutside: !files.some(({ path }) => isInDomain(candidate, path)) && candidate.files.length > 0,
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
        isOutside,
        why: isOutside
          ? `no file ${role === 'language' ? 'of its language' : 'in its domain'}`
          : `not asked at complexity ${complexity ?? ''}`,
      })),
    gaps: forced
      .filter(need => !seated.some(({ candidate }) => answersFor(candidate, need)))
      .map(
        ({ role, path, why }) =>
          `No ${path === null ? role : 'Go'} reviewer is on the panel, and ${why}.`,
      ),
  };
}

/** In the order of the rules, each role once, by the first file that asks for it. */
export function forcedRoles(files: readonly TriagedFile[]): Forced[] {
  const known = files.map(file => ({ file, kinds: kindsOf(file) }));
  return forcing.flatMap(({ role, says }) => {
    const found = known
      .map(({ file, kinds }) => ({ path: file.path, said: says(file, kinds) }))
      .find(({ said }) => said !== false);
    if (found === undefined) return [];
    const { path, said } = found;
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

type Situation = Pick<TriageRequest, 'complexity' | 'isNamed'> & {
  readonly forced: readonly Forced[];
};

/** Empty: not asked. */
function reasonsFor(candidate: Candidate, { forced, complexity, isNamed }: Situation) {
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
    !candidate.isCheck && candidate.role === role && (path === null || isInDomain(candidate, path))
  );
}

function isInDomain({ files }: Candidate, path: string) {
  return files.length === 0 || picomatch([...files], { dot: true })(path);
}
