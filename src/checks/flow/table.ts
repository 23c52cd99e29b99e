/** What is known of the ways of a value in one language: data, read by the walk. A language more is one file of these. */
import type { Grammar } from '../../core/languages/language.ts';
import type { Severity } from '../../core/words/severity.ts';

export interface FlowTable {
  /** Begins the ids of its rules: `<language>-flow-<kind>`. */
  readonly language: string;
  readonly grammars: readonly Grammar[];
  readonly sources: readonly Source[];
  readonly sinks: readonly Sink[];
  readonly cleaners: readonly Cleaner[];
  /** Names of calls that hand on what goes in: joining paths, decoding, formatting. */
  readonly carriers: RegExp;
}

/** Where somebody outside decides a value. */
export interface Source {
  /** Whole text of a name, a member, an element or of what is called; or of a parameter with its annotations. */
  readonly text: RegExp;
  readonly of: 'value' | 'call' | 'parameter';
  /** Where the value does harm; default: everywhere. */
  readonly only?: readonly Kind[];
}

/** Where such a value does harm. */
export interface Sink {
  readonly kind: Kind;
  /**
   * `call`: whole name of what is called; `node`: type of a node whose children are meant; `entry`: key of a record or a keyword; `target`: left side of an assignment;
   * `index`: the thing of which an element is set; `answer`: what a function gives back, by the line above its name.
   */
  readonly of: 'call' | 'node' | 'entry' | 'target' | 'index' | 'answer';
  readonly name: RegExp;
  /** Which argument, from the end when below zero; default the first. */
  readonly argument?: number | 'any' | 'receiver';
  /** Must be found in the text of the call. */
  readonly when?: RegExp;
  readonly weakness?: string;
}

export interface Cleaner {
  readonly name: RegExp;
  /** What it is good against; default: everything. */
  readonly against?: readonly Kind[];
  /** It changes the text, perhaps so that it does no harm: nothing is said either way. */
  readonly isGuess?: boolean;
}

export type Kind = keyof typeof kinds;

interface Words {
  readonly weakness: string;
  readonly severity: Severity;
  readonly severityInScripts?: Severity;
  /** Ends the sentence "A value from outside (…) …". */
  readonly harm: string;
  readonly recommendation: string;
  /** Must be found in the fixed text around the value. */
  readonly shape?: RegExp;
  /** True when only the beginning of the text does harm: who is spoken to, not what is said. */
  readonly isByStart?: boolean;
}

const checked = 'Check the value against what is allowed before it is used.';

const kinds = {
  sql: {
    weakness: 'CWE-89',
    severity: 'high',
    severityInScripts: 'low',
    harm: 'becomes part of an SQL statement: whoever sends it controls the statement.',
    recommendation: 'Pass the value as a parameter of the statement; choose names from a table.',
    shape:
      /\b(?:select|insert|update|delete|where|from|order\s+by|values|and|or|like|limit|desc|asc)\b/i,
  },
  shell: {
    weakness: 'CWE-78',
    severity: 'high',
    severityInScripts: 'low',
    harm: 'becomes part of a shell command: it can hold a command of its own.',
    recommendation: 'Start the program directly with a list of arguments, without a shell.',
  },
  code: {
    weakness: 'CWE-95',
    severity: 'high',
    harm: 'is run as code.',
    recommendation: 'Parse the data, or choose from a table of known functions.',
  },
  template: {
    weakness: 'CWE-1336',
    severity: 'high',
    harm: 'becomes part of a template: expressions in it are computed on the server.',
    recommendation: 'Keep the template fixed and pass the value to it.',
  },
  path: {
    weakness: 'CWE-22',
    severity: 'high',
    severityInScripts: 'low',
    harm: 'becomes part of a path: "../" in it reaches any file of the machine.',
    recommendation:
      'Use the last part of the path alone, or check that the result lies below its folder.',
  },
  redirect: {
    weakness: 'CWE-601',
    severity: 'medium',
    harm: 'is the target of a redirect: the site can be used to send people anywhere.',
    recommendation: checked,
    isByStart: true,
  },
  request: {
    weakness: 'CWE-918',
    severity: 'high',
    severityInScripts: 'low',
    harm: 'chooses the host of a request: the server can be sent to machines that only it can reach.',
    recommendation:
      'Choose the host from a list; put no more than an encoded part of a path into the address.',
    isByStart: true,
  },
  markup: {
    weakness: 'CWE-79',
    severity: 'high',
    harm: 'becomes part of a page: tags in it run in the browser of whoever looks at it.',
    recommendation: 'Escape the value, or use a template that does.',
    shape: /<[a-z!/]/i,
  },
  page: {
    weakness: 'CWE-79',
    severity: 'high',
    harm: 'becomes part of a page: tags in it run in the browser of whoever looks at it.',
    recommendation: 'Set it as text, or escape the value.',
  },
  object: {
    weakness: 'CWE-502',
    severity: 'high',
    harm: 'is turned back into objects: reading it can run code.',
    recommendation: 'Use a format of plain data, such as JSON, and check what comes in.',
  },
  name: {
    weakness: 'CWE-470',
    severity: 'high',
    harm: 'chooses what is called or made by its name.',
    recommendation: 'Choose from a table of what is allowed.',
  },
  pattern: {
    weakness: 'CWE-1333',
    severity: 'medium',
    harm: 'becomes a regular expression: one that takes forever stops the program.',
    recommendation: 'Escape the value, or compare plain text.',
  },
  directory: {
    weakness: 'CWE-90',
    severity: 'high',
    harm: 'becomes part of a filter of a directory: whoever sends it controls who is found.',
    recommendation: 'Escape the value for filters, or pass it as an argument of the filter.',
    shape: /\(/,
  },
  document: {
    weakness: 'CWE-943',
    severity: 'high',
    harm: 'becomes part of a query that is run as code by the database.',
    recommendation: 'Compare fields with values instead of running an expression.',
  },
  prototype: {
    weakness: 'CWE-1321',
    severity: 'high',
    harm: 'names the property whose contents are set: `__proto__` changes every object.',
    recommendation: 'Use a Map, or refuse names that are not known.',
  },
  log: {
    weakness: 'CWE-117',
    severity: 'low',
    harm: 'is written to the log as it comes: line breaks in it forge entries.',
    recommendation: 'Remove line breaks, or log it as a field.',
  },
} as const satisfies Record<string, Words>;

export function wordsOf(kind: Kind): Words {
  return kinds[kind];
}
