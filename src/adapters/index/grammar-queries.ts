/**
 * What to look for in the tree of each grammar. A capture named after a kind of definition holds the whole of it, with its
 * `@name` beside it; `@import` holds an import with its `@specifier`; `@call` and `@use` hold the name that is used.
 */
import type { Grammar } from '../syntax/grammars.ts';
import { c, cpp } from './grammar-queries/c.ts';
import { csharp } from './grammar-queries/csharp.ts';
import { go } from './grammar-queries/go.ts';
import { java } from './grammar-queries/java.ts';
import { javascriptWithJsx, tsx, typescript } from './grammar-queries/javascript.ts';
import { php } from './grammar-queries/php.ts';
import { python } from './grammar-queries/python.ts';
import { ruby } from './grammar-queries/ruby.ts';
import { rust } from './grammar-queries/rust.ts';

export const grammarQueries = {
  javascript: javascriptWithJsx, typescript, tsx, python, go, java, ruby, rust, php, c_sharp: csharp, c, cpp,
} as const satisfies Readonly<Record<Grammar, string>>;
