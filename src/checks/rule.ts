/** What a rule of a check is: data in `rules/checks/`, read once. Patterns are written `/source/flags`. */
import { z } from 'zod';
import { Severity } from '../core/words/finding.ts';

export const Pattern = z.string().transform((text, context) => {
  const [, source, flags] = /^\/([^]*)\/([dimsuy]*)$/.exec(text) ?? [];
  if (source !== undefined) return new RegExp(source, flags);
  context.addIssue('A pattern is written /source/flags.');
  return z.NEVER;
});

/** Patterns that are looked for in the text of a place. The places of rules over trees are those of `placeOf` in `match.ts`. */
export const Looks = z
  .record(z.string(), z.union([Pattern, z.array(Pattern)]))
  .transform(places =>
    Object.entries(places).flatMap(([place, patterns]) =>
      [patterns].flat().map(pattern => ({ place, pattern })),
    ),
  );

const Word = z.string().min(1);
/** A text, at the usual place of its language or at a path of its own. */
const Example = z.union([z.string(), z.strictObject({ path: z.string(), text: z.string() })]);
/** Texts that raise a rule, and texts that only look like it: they are its test. */
const examples = { wrong: z.array(Example).min(1), right: z.array(Example).default([]) };

const common = {
  ...examples,
  /** None of them may be found in its place. */
  unless: Looks.default([]),
  severity: Severity,
  /** Of rules over trees only correctness is looked at in tests and examples. */
  category: Word,
  message: Word,
  fix: Word,
};

const Rule = z.strictObject({
  ...common,
  grammars: z.array(z.string()).optional(),
  /** Tree-sitter query. `@at` is what is reported: small, so that it lies on the changed line. */
  query: Word.optional(),
  /** In place of a query: whole name of what is called, `new C` for what is made, `….c` at the end of a long chain. */
  call: Pattern.optional(),
  /** Types of nodes, of which the nearest around, within the function, is the place `inside`. */
  inside: z.array(Word).default([]),
  /** Each pattern must be found in its place. */
  when: Looks.default([]),
  /** By its number in the Common Weakness Enumeration. */
  cwe: Word,
  /** In scripts of the project, where the values are its own; default: the same. */
  severityInScripts: Severity.optional(),
  quietInTests: z.boolean().default(false),
});

const PathKinds = z.array(z.enum(['test', 'fixture', 'document', 'example', 'tool'])).default([]);

/** About one line. The places of `unless`: the `path`, the whole `file`, or `around`: the lines above up to this one. */
const LineRule = z.strictObject({
  ...common,
  id: Word,
  /** Where an example stands that names no path. */
  path: Word,
  /** None: any text file, known language or not. */
  families: z.array(Word),
  /** What `pattern` is held against: the code without strings and comments, the comments alone, or the line as it is. */
  on: z.enum(['code', 'comments', 'text']),
  pattern: Pattern,
  /** Held against the line as it is, besides `pattern`: for words inside strings. */
  words: Pattern.optional(),
  /** Kinds of paths of which the file is one, and kinds of which it is none. */
  inside: PathKinds,
  outside: PathKinds,
  /** Absent where none fits. */
  cwe: Word.optional(),
});

const kinds = [
  'sql',
  'shell',
  'code',
  'template',
  'path',
  'redirect',
  'request',
  'markup',
  'page',
  'object',
  'name',
  'pattern',
  'directory',
  'document',
  'prototype',
  'log',
] as const;
const KindList = z.array(z.enum(kinds));

const KindWords = z.strictObject({
  cwe: z.string(),
  severity: Severity,
  severityInScripts: Severity.optional(),
  /** Ends the sentence "A value from outside (…) …". */
  harm: z.string(),
  fix: z.string(),
  /** Must be found in the text around the value, where a NUL stands for what is not fixed. */
  shape: Pattern.optional(),
  /** Only the beginning of the text does harm: who is spoken to, not what is said. */
  byStart: z.boolean().default(false),
  /** What is said of text that is put together of fixed text and values of unknown origin. */
  built: z
    .strictObject({
      message: Word,
      fix: Word,
      shape: Pattern,
      /** Of each part that is not fixed, as written. */
      harmless: Pattern.optional(),
      /** Nothing is said in a file in which this is found. */
      unlessFile: Pattern.optional(),
    })
    .optional(),
});

const Source = z.strictObject({
  /** What the pattern is held against: a value as written, what is called, or a parameter with its annotations. */
  of: z.enum(['value', 'call', 'parameter']),
  name: Pattern,
  /** Where the value does harm; default: everywhere. */
  only: KindList.optional(),
});

const Sink = z.strictObject({
  kind: z.enum(kinds),
  /**
   * What the pattern is held against: the name of what is called; the type of a node whose children are meant; the key of a record or
   * a keyword; the left side of an assignment; the thing of which an element is set; the line above a function that gives back.
   */
  of: z.enum(['call', 'node', 'entry', 'target', 'index', 'answer']),
  name: Pattern,
  /** Which argument, from the end when below zero; default the first. */
  argument: z.union([z.int(), z.enum(['any', 'receiver'])]).default(0),
  /** Must be found in the text of the call. */
  when: Pattern.optional(),
  shape: Pattern.optional(),
  cwe: z.string().optional(),
  /** The rule that speaks where the text is put together and nothing of it is known to come from outside. */
  built: z.string().optional(),
});

const Cleaner = z.strictObject({
  name: Pattern,
  /** What it is good against; default: everything. */
  against: KindList.optional(),
  /** It changes the text, perhaps so that it does no harm: nothing is known of what comes out. */
  guess: z.boolean().default(false),
});

const Flow = z.strictObject({
  /** Begins the names of its rules: `<language>-flow-<kind>`. */
  language: Word,
  sources: z.array(Source),
  sinks: z.array(Sink),
  cleaners: z.array(Cleaner),
  /** Names of calls that hand on what goes in: joining paths, decoding, formatting. */
  carriers: Pattern,
  /** By the end of a rule's name: a text that raises it, and a text that does not. */
  examples: z.record(z.string(), z.strictObject(examples)),
});

/** One file for each language. */
const LanguageFile = z.strictObject({
  grammars: z.array(z.string()),
  /** Where an example stands that names no path. */
  path: Word,
  flow: Flow,
  rules: z.record(z.string(), Rule),
});

/** What is said of each kind of harm. */
const Kinds = z.record(z.enum(kinds), KindWords);

export type Data = Readonly<Record<string, unknown>>;

export type Language = ReturnType<typeof parseLanguage>;

/** Throws where a rule is not whole. */
export function parseLanguage(file: Data, shared: Data) {
  const rules = Object.entries(file['rules'] as Readonly<Record<string, Data>>).map(
    ([id, rule]) => [id, addWords(shared, rule)],
  );
  return {
    ...LanguageFile.parse({ ...file, rules: Object.fromEntries(rules) }),
    kinds: Kinds.parse(shared['kinds']),
  };
}

/** Throws where a rule is not whole. */
export function parseLines(file: Data) {
  return (file['rules'] as readonly Data[]).map(rule => LineRule.parse(addWords(file, rule)));
}

/** A rule says what differs from the one it is `like`: its own words stand instead of the shared ones, its places beside them. */
function addWords({ words }: Data, { like, ...own }: Data): Data {
  const shared = (words as Record<string, Data>)[String(like)] ?? {};
  const both = (['when', 'unless'] as const).map(key => {
    const [first, second] = [shared[key] ?? {}, own[key] ?? {}] as [Data, Data];
    const more = Object.entries(second).map(([at, list]) => [at, [first[at] ?? [], list].flat()]);
    return [key, { ...first, ...Object.fromEntries(more) }] as const;
  });
  const places = both.filter(([, value]) => Object.keys(value).length > 0);
  return { ...shared, ...own, ...Object.fromEntries(places) };
}
