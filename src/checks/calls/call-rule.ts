/** What is known of calls that are wrong by what they name: a row for each, by the name of what is called and its arguments. */
import type { Grammar } from '../../core/languages/language.ts';
import type { Severity } from '../../core/words/severity.ts';

export interface CallRule {
  /** `<language>-<what>`; unique among all rules. */
  readonly id: string;
  readonly grammars: readonly Grammar[];
  readonly weakness: string;
  readonly severity: Severity;
  readonly category: 'security' | 'correctness' | 'error-handling';
  /** Whole name of what is called, `new C` for what is made, `….c` at the end of a long chain. */
  readonly name: RegExp;
  /** Text of one argument. */
  readonly argument?: readonly [index: number, text: RegExp];
  /** Must be found in the text of the call. */
  readonly when?: RegExp;
  /** Must not be found there. */
  readonly unless?: RegExp;
  /** Must be found in the line. */
  readonly onLine?: RegExp;
  /** Must be found in the function around it, or in the file where there is none. */
  readonly inFunction?: RegExp;
  /** Must not be found there. */
  readonly notInFunction?: RegExp;
  /** Must be found at the head of the file, where imports stand. */
  readonly inFile?: RegExp;
  /** A name that the line gives to the result, of which the function must do nothing but speak to it. */
  readonly keeps?: 'unused';
  /** Does no harm in a test, which ends soon. */
  readonly isQuietInTests?: true;
  readonly issue: string;
  readonly recommendation: string;
}

/** Declared on the line: what holds a secret by its name. */
const secretOnLine =
  /(?:^|[\s.$@*])(?:\w*_)?(?:\w*[tT]oken|\w*[sS]ecret|[pP]assw(?:or)?d|\w*[nN]once|\w*[sS]alt|[sS]essionI[dD]|session_id|[aA]piKey|api_key|otp|csrf)\w{0,12}\s*(?::\s*\w+\s*)?:?=(?!=)/;

export const weakCipher = {
  weakness: 'CWE-327',
  severity: 'high',
  category: 'security',
  issue: 'A cipher that is broken, or a mode that shows which blocks are equal.',
  recommendation:
    'Use AES in an authenticated mode such as GCM, with a fresh nonce for each message.',
} as const;

export const weakRandom = {
  weakness: 'CWE-338',
  severity: 'medium',
  category: 'security',
  issue: 'A secret is drawn from numbers that can be predicted.',
  recommendation: 'Use the generator for secrets of the platform.',
  onLine: secretOnLine,
} as const;

export const externalEntities = {
  weakness: 'CWE-611',
  severity: 'high',
  category: 'security',
  issue:
    'The parser follows external entities: a document can read files of the machine and call its network.',
  recommendation: 'Switch document types and external entities off before parsing.',
} as const;

export const openPermissions = {
  weakness: 'CWE-732',
  severity: 'medium',
  category: 'security',
  issue: 'Everybody on the machine may write here.',
  recommendation: 'Give rights to the owner and the group that need them.',
} as const;

export const fixedCredential = {
  weakness: 'CWE-798',
  severity: 'high',
  category: 'security',
  issue: 'A credential stands in the code: whoever reads the code has it.',
  recommendation: 'Read it from the environment or a secret store, and replace this one.',
} as const;

export const fastPasswordHash = {
  weakness: 'CWE-916',
  severity: 'high',
  category: 'security',
  issue: 'A password goes through a fast, broken hash: a stolen table is read in hours.',
  recommendation: 'Use a password hash such as Argon2, scrypt or bcrypt.',
  inFunction: /\b\w*(?:password|passwd|Password|Passwd)\w*\b/,
} as const;
