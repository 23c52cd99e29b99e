/** What the ladder knows of each language: its reserved words, what it has built in, and how it writes names down. */
import { c } from './languages/c.ts';
import { csharp } from './languages/csharp.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { script } from './languages/script.ts';

export interface Language {
  readonly keywords: ReadonlySet<string>;
  /** Names that are there without an import. */
  readonly globals: ReadonlySet<string>;
  /** Methods and fields of what is built in: too common to be looked up by name. */
  readonly members: ReadonlySet<string>;
  /** `name: Type` or `Type name`; Go writes `name Type`. */
  readonly parameters: 'name-first' | 'type-first' | 'go';
  /** True when a name from another file of the project must be imported to be used. */
  readonly importsNames: boolean;
  /** `name:` at the start of an entry gives a value to a field; `name=` in a call to a parameter. */
  readonly namesFields: 'colon' | 'equals' | 'none';
}

const languages: Readonly<Record<string, Language>> = {
  javascript: script, typescript: script, tsx: script, python, go, java, ruby, rust, php, csharp, c, cpp: c,
  kotlin: { ...java, parameters: 'name-first' }, swift: { ...java, parameters: 'name-first', importsNames: false }, scala: { ...java, parameters: 'name-first' }, vue: script, svelte: script,
};

/** Null for a language of which nothing is known: its names are not followed. */
export function languageNamed(name: string | null): Language | null {
  return name !== null && Object.hasOwn(languages, name) ? (languages[name] ?? null) : null;
}
